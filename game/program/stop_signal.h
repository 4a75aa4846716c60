// SIGINT, SIGTERM and SIGHUP as requests to end a run: the loop polls them, so recordings and logs are
// finished.
//
// Invariant: a handler only stores the number. The second signal of a kind ends the program at once, so a
// hanging program can be ended too. A signal that was ignored when the program started (nohup) stays ignored.
// The stored number is process-wide, like signals.
#pragma once

namespace perigee {

/// Installs the handlers. Call it before a library handles these signals itself.
void note_stop_signals() noexcept;

/// The first signal received; 0 for none.
int stop_signal() noexcept;

}  // namespace perigee
