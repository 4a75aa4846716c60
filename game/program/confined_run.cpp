// The lists of paths.
#include "game/program/confined_run.h"

#include "engine/assets/decoder.h"
#include "engine/base/confine.h"
#include "engine/sdl/glyphs/font_file.h"
#include "game/program/error_codes.h"
#include "game/program/game_folder.h"

#include <algorithm>
#include <cstdlib>
#include <system_error>

namespace perigee {

namespace fs = std::filesystem;

namespace {

using Paths = std::vector<fs::path>;

// Libraries that are loaded on demand, and their data.
constexpr const char* kLibraries[] = {"/usr", "/lib", "/lib64"};
// Files that the display and the sound need while they are opened.
constexpr const char* kSystemFolders[] = {"/etc", "/dev",     "/proc", "/sys",
                                          "/run", "/var/lib", "/opt",  "/tmp/.X11-unix"};
constexpr const char* kOfDisplayAndSound[] = {".Xauthority", ".config/pulse", ".config/pipewire", ".asoundrc",
                                              ".drirc"};

bool is_archive(const fs::path& path) {
    std::error_code ignored;
    return path.filename().string().ends_with(".zip") && fs::is_regular_file(path, ignored);
}

bool holds_archive(const fs::path& folder) {
    std::error_code failed;
    for (fs::directory_iterator entry{folder, failed}; !failed && entry != fs::directory_iterator{};
         entry.increment(failed))
        if (is_archive(entry->path())) return true;
    return false;
}

fs::path folder_of(const fs::path& file) {
    return file.has_parent_path() ? file.parent_path() : fs::path{"."};
}

Paths readable_files(const RunOptions& options) {
    Paths paths(std::begin(kLibraries), std::end(kLibraries));
    paths.push_back(options.game);
    paths.insert(paths.end(), options.mod_folders.begin(), options.mod_folders.end());
    paths.insert(paths.end(), options.plugins.begin(), options.plugins.end());
    for (const fs::path& file :
         {options.settings_file, options.replay_file, options.load_file, fs::path{default_font_file()}})
        if (!file.empty()) paths.push_back(file);
    return paths;
}

Paths writable_folders(const RunOptions& options, const fs::path& saves) {
    Paths paths;
    // Access to a missing folder cannot be granted later.
    if (!saves.empty()) {
        std::error_code ignored;
        fs::create_directories(saves, ignored);
        paths.push_back(saves);
    }
    for (const fs::path& file : {options.record_file, options.hash_log_file, options.profile_file,
                                 options.screenshot_file, options.usage_picture_file, options.world_file})
        if (!file.empty()) paths.push_back(folder_of(file));
    // F12 saves screenshots there; only with a window.
    if (!options.is_headless) {
        std::error_code ignored;
        fs::create_directory(kScreenshotFolder, ignored);
        paths.emplace_back(kScreenshotFolder);
    }
    return paths;
}

}  // namespace

bool is_confined_run(const RunOptions& options) {
    if (options.confines) return *options.confines;
    // A game trusted with all of Lua is trusted with files too.
    if (options.trusts_game) return false;
    std::error_code ignored;
    if (!fs::is_directory(options.game, ignored) || holds_archive(options.game / "mods")) return true;
    return std::ranges::any_of(options.mod_folders, holds_archive);
}

void close_to_system_folders(const RunOptions& options, const fs::path& saves) {
    Paths readable = readable_files(options);
    readable.insert(readable.end(), std::begin(kSystemFolders), std::end(kSystemFolders));
    readable.push_back(folder_of(decoder_program()));
    if (const char* home = std::getenv("HOME"))
        for (const char* name : kOfDisplayAndSound) readable.push_back(fs::path{home} / name);
    if (const char* authority = std::getenv("XAUTHORITY")) readable.emplace_back(authority);
    Paths writable = writable_folders(options, saves);
    writable.emplace_back("/dev");
    if (const char* runtime = std::getenv("XDG_RUNTIME_DIR")) writable.emplace_back(runtime);
    // The second step reports whether the system can enforce this.
    [[maybe_unused]] const bool holds = confine_files(readable, writable);
}

std::vector<std::string> close_to_game(const RunOptions& options, const fs::path& saves) {
    std::vector<std::string> notes;
    if (!confine_files(readable_files(options), writable_folders(options, saves)))
        notes.emplace_back(game_errors::kFilesNotConfined);
    if (!confine_system()) notes.emplace_back(game_errors::kSystemNotConfined);
    return notes;
}

}  // namespace perigee
