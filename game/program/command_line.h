// The command line: parses arguments into the options of a command. `inspect` is a run without a window that
// prints its results.
//
// Invariant: parsed options are consistent; inconsistent ones are a usage error before anything starts. It
// accesses no file and no display; play() does.
#pragma once

#include "engine/sdl/backend.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace perigee {

struct RunOptions {
    std::filesystem::path game;  ///< empty: the demo
    bool is_headless = false;
    std::optional<std::uint64_t> frame_limit;
    std::filesystem::path screenshot_file;  ///< of the last frame; empty: none
    bool prints_hash = false;
    std::optional<std::uint64_t> seed;
    std::filesystem::path record_file;
    std::filesystem::path replay_file;
    bool accepts_truncated_replay = false;
    std::filesystem::path hash_log_file;
    std::filesystem::path profile_file;
    /// Folder for save data; default: the player's folder with a window, in memory without one.
    std::optional<std::filesystem::path> save_folder;
    std::uint32_t workers = 0;  ///< threads that run systems; 0: as many as the machine has
    Backend::Drawing drawing = Backend::Drawing::automatic;
    std::vector<std::filesystem::path> mod_folders;
    std::filesystem::path settings_file;
    bool trusts_game = false;
    std::optional<bool> confines;      ///< default: true for games and mods in archives (confined_run.h)
    bool is_interpreted = false;       ///< LuaJIT compiles nothing
    bool checks_presentation = false;  ///< reports variables of simulation that presentation changes
    bool accepts_risk = false;         ///< runs mods on an untrusted LuaJIT (stranger_check.h)
    std::vector<std::filesystem::path> plugins;
    bool allows_native_code = false;
    std::optional<bool> watches_files;  ///< live reload; default: on with a window, off when headless
    bool is_fullscreen = false;
    bool is_muted = false;
    bool shows_figures = false;  ///< shows figures, and prints the times of all systems at the end
    bool prints_usage = false;   ///< chunk usage, at the end: perigee inspect --stats
    bool prints_order = false;   ///< order of systems, at the end: perigee inspect --systems
};

/// perigee diff: two hash logs.
struct DiffOptions {
    std::filesystem::path first;
    std::filesystem::path second;
};

/// perigee mods: what a game would load.
struct ModsOptions {
    std::filesystem::path game;  ///< empty: the demo
    std::vector<std::filesystem::path> mod_folders;
};

/// perigee new: a game or mod to start from.
struct NewOptions {
    std::filesystem::path folder;
    bool is_mod = false;
};

/// perigee pack: a folder as one archive.
struct PackOptions {
    std::filesystem::path folder;
    std::filesystem::path archive;  ///< empty: named after the id and version, in the working directory
};

/// perigee repl: lines of Lua for a game without a window.
struct ReplOptions {
    std::filesystem::path game;
    std::vector<std::filesystem::path> mod_folders;
    std::string mod;  ///< the mod selected at first; empty: the game
    std::uint64_t seed = 0;
    bool accepts_risk = false;  ///< see RunOptions
};

/// perigee stubs: annotations for editors.
struct StubsOptions {
    std::filesystem::path game;  ///< empty: the demo
    std::vector<std::filesystem::path> mod_folders;
    std::filesystem::path folder;  ///< empty: GAME/.perigee/stubs
    bool accepts_risk = false;     ///< see RunOptions
};

/// perigee check: finds errors without running the game.
struct CheckOptions {
    std::filesystem::path game;  ///< empty: the demo
    std::vector<std::filesystem::path> mod_folders;
    bool allows_native_code = false;  ///< see RunOptions; loading a plugin runs a part of it
    bool trusts_game = false;         ///< see RunOptions: what it does while it loads included
    bool measures = false;            ///< runs the game for a while when there are no mistakes
    bool is_interpreted = false;      ///< see RunOptions
    bool accepts_risk = false;        ///< see RunOptions
};

/// perigee test: the files tests/*.lua of a game and its mods.
struct TestOptions {
    std::filesystem::path game;  ///< empty: the demo
    std::vector<std::filesystem::path> mod_folders;
    std::string filter;           ///< only tests with this text in their names
    bool updates = false;         ///< writes golden values instead of comparing them
    bool is_interpreted = false;  ///< see RunOptions
    bool accepts_risk = false;    ///< see RunOptions
};

/// Text to print instead of running: help, the version, or an error.
struct CommandLineAnswer {
    std::string text;
    int exit_status = 0;  ///< 0 to standard output, 2 (wrong use) to standard error
};

using CommandLine = std::variant<RunOptions, DiffOptions, ModsOptions, NewOptions, PackOptions, ReplOptions,
                                 StubsOptions, CheckOptions, TestOptions, CommandLineAnswer>;

CommandLine parse_command_line(int argc, const char* const* argv);

}  // namespace perigee
