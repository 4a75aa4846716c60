// SIGINT, SIGTERM and SIGHUP as a wish that a run ends: its loop asks, so recordings and logs are finished.
//
// Invariant: a handler only notes the number. The second signal of a kind ends the program at once, so what
// hangs can be ended too. A signal that was ignored when the program started (nohup) stays ignored. The note
// is one of the process, since signals are.
#pragma once

namespace perigee {

/// From here on the signals are noted. Call it before a library handles them itself.
void note_stop_signals() noexcept;

/// The first signal that came; 0 for none.
int stop_signal() noexcept;

}  // namespace perigee
