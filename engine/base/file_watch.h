// Watches folders for saved files, for reloading.
//
// Invariant: a change is reported once, after the file has been quiet for a moment, so that a file written in
// pieces or replaced by renaming counts once. Deleted files are reported too. Hidden files and folders, and
// editor backups ("main.lua~"), are ignored. It uses inotify; if that is unavailable, or on request, it polls
// the folders, with the same results later. Not here: reacting to a change.
#pragma once

#include "ecs/base/result.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace perigee {

struct FileWatchConfig {
    bool uses_polling = false;
    std::chrono::milliseconds quiet{10};  ///< time without a change before a file is reported
    std::chrono::milliseconds poll_each{
        50};  ///< interval of polling; a folder with 1,000 files takes about 1 ms
};

class FileWatch {
public:
    using Clock = std::chrono::steady_clock;

    explicit FileWatch(FileWatchConfig config = {});
    ~FileWatch();
    FileWatch(const FileWatch&) = delete;
    FileWatch& operator=(const FileWatch&) = delete;

    /// Watches a folder with its contents, including later additions, or one file such as a zip archive.
    /// Errors: it does not exist.
    Result<void> add(const std::filesystem::path& root);

    /// Files written, created or deleted since the last call and quiet now, sorted by name, each once. Paths
    /// start with the root as given (without "." parts). Never waits. Cost: a microsecond while nothing
    /// happens; when polling, reading the folders at intervals.
    std::vector<std::filesystem::path> take_changes(Clock::time_point now = Clock::now());

    bool is_polling() const noexcept { return descriptor_ < 0; }

private:
    struct Stamp {
        std::filesystem::file_time_type time;
        std::uintmax_t size;
        bool operator==(const Stamp&) const = default;
    };
    using Stamps = std::map<std::filesystem::path, Stamp>;

    Stamps scan() const;
    void poll(Clock::time_point now);
    bool watch_folder(const std::filesystem::path& folder, bool is_new, Clock::time_point now);
    void read_events(Clock::time_point now);
    void stop_events();
    void note(const std::filesystem::path& file, Clock::time_point now);

    FileWatchConfig config_;
    std::vector<std::filesystem::path> roots_;
    int descriptor_ = -1;                           ///< of inotify
    std::map<int, std::filesystem::path> folders_;  ///< by watch
    Stamps stamps_;                                 ///< of the last scan
    Clock::time_point next_poll_{};
    std::map<std::filesystem::path, Clock::time_point> pending_;  ///< time of the last change
};

}  // namespace perigee
