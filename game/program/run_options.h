// The options of `perigee run`, `replay` and `inspect`: a run, from its seed to what it prints at the end.
//
// Invariant: plain data. Not here: their names on the command line (game/commands/internal/play_options.cpp).
#pragma once

#include "engine/sdl/backend.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace perigee {

inline constexpr std::uint32_t kDefaultRewindMegabytes = 256;
inline constexpr std::uint32_t kMaxRewindMegabytes = 65'536;

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
    std::optional<std::uint64_t> at_step;  ///< of the replay, where it stops; default: its end
    bool begins_near = false;              ///< with the stored world before at_step, not with the first step
    std::uint64_t steps_per_world = 0;  ///< between the worlds that the recording stores; 0: it stores none
    std::filesystem::path hash_log_file;
    std::filesystem::path world_file;  ///< the world is written here at the end; empty: it is not
    std::filesystem::path load_file;   ///< the world to begin with; empty: the game's own
    /// Memory for the steps that F6 goes back to; 0: none. Default: kDefaultRewindMegabytes with a window.
    std::optional<std::uint32_t> rewind_megabytes;
    bool records_writes = false;  ///< which system wrote which value, for the console
    std::filesystem::path profile_file;
    /// Folder for save data; default: the player's folder with a window, in memory without one.
    std::optional<std::filesystem::path> save_folder;
    std::uint32_t workers = 0;  ///< threads that run systems; 0: as many as the machine has
    Backend::Drawing drawing = Backend::Drawing::automatic;
    std::vector<std::filesystem::path> mod_folders;
    std::vector<std::string> left_out_mods;
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
    ScreenSize window_size{};  ///< when it opens; empty: that of the game
    bool is_muted = false;
    bool shows_figures = false;  ///< shows figures, and prints the times of all systems at the end
    bool prints_usage = false;   ///< chunk usage, at the end: perigee inspect --stats
    bool prints_order = false;   ///< order of systems, at the end: perigee inspect --systems
    std::filesystem::path usage_picture_file;  ///< chunk usage as SVG, at the end: perigee inspect --svg
};

}  // namespace perigee
