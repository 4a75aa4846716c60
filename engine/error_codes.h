// Every message text that the engine layer can give to a script author, a player, or the command line.
//
// Invariant: texts live here only, as fmt format strings, and each is provoked by a test in tests/engine.
#pragma once

namespace perigee::engine_errors {

// input
inline constexpr char kActionNameEmpty[] = "input action: expected a name, got an empty string";
inline constexpr char kActionNameTooLong[] =
    "input action '{}…': a name has at most {} bytes, this one has {}";
inline constexpr char kTooManyActions[] = "input action '{}': a game has at most {} actions";
inline constexpr char kUnknownControl[] = "unknown {} '{}'";
inline constexpr char kUnknownControlDidYouMean[] = "unknown {} '{}', did you mean '{}'?";

}  // namespace perigee::engine_errors
