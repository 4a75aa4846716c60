// The exit statuses of the program. This is the only list: main(), --help and the tests use it.
#pragma once

#include <string_view>

namespace perigee {

inline constexpr int kExitDone = 0;
inline constexpr int kExitFailed = 1;     ///< or, for tools: they found errors or differences
inline constexpr int kExitWrongUse = 2;   ///< of the command line
inline constexpr int kExitModFailed = 3;  ///< the game ran to its end, but a mod failed
inline constexpr int kExitSignal = 128;   ///< plus the number of the signal that ended the run

/// For --help.
inline constexpr std::string_view kExitStatusHelp =
    "Exit status: 0 done; 1 something could not be opened or written, or the game failed (the message says "
    "what); 2 wrong usage;\n3 the game ran to its end, but a mod was left out, did not load or has a "
    "suspended "
    "system; 128 plus the number of\nthe signal that ended the run: SIGINT, SIGTERM and SIGHUP end it "
    "cleanly, "
    "a second one at once.";

}  // namespace perigee
