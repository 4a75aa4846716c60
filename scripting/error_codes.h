// Every message text that the C++ side of scripting produces; texts of the Lua library stand in
// scripts/runtime.
// {} are filled in by fmt. Each has a test that provokes it.
#pragma once

#include <string_view>

namespace perigee::messages {

// Files. Ends of sentences that begin with a path.
inline constexpr std::string_view kPathLeavesMod = "is not a path inside the mod";
inline constexpr std::string_view kNoSuchFile = "does not exist";
inline constexpr std::string_view kIsDirectory = "is a directory, not a file";
inline constexpr std::string_view kNotReadable = "cannot be read";

// Calls into a script.
inline constexpr std::string_view kErrorIsNoText =
    "error was called with a value of type {}, not with a message";
inline constexpr std::string_view kOutOfMemory = "not enough memory";
inline constexpr std::string_view kMemoryLimit = "the memory limit";
inline constexpr std::string_view kLimitOfMod = "{} of mod '{}'";
inline constexpr std::string_view kTooManyLines = "{} log lines in one step; the rest is not shown";
inline constexpr std::string_view kBytecode = "only source text can be loaded";
inline constexpr std::string_view kSourceTooLong = "the file has {} bytes; {} is the most that is compiled";
inline constexpr std::string_view kNotCharged = "its loops cannot be counted";
inline constexpr std::string_view kModLoadedTwice = "a mod of the name '{}' is loaded already";
inline constexpr std::string_view kNoSuchMod = "no mod of the name '{}' is loaded";
inline constexpr std::string_view kNoAssets = "this program has no assets: only nil can be assigned";
inline constexpr std::string_view kNoDataFiles = "this program reads no files of data";
inline constexpr std::string_view kStateSetUp = "the Lua library of the engine failed to load: {}";

}  // namespace perigee::messages
