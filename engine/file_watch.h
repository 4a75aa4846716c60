// Which files below some folders were saved lately: what reloading waits for.
//
// Invariant: a change is told once, after the file has been quiet for a moment, so that a file that is
// written in pieces or replaced by renaming counts as one. Files that go are told too. Hidden files and
// folders, and the backups of editors ("main.lua~"), are not looked at. The kernel tells what happens
// (inotify); where it does not, or somebody asks for it, the folders are read again and again, with the same
// results, later. Not here: what to do about a file.
#pragma once

#include "ecs/result.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace perigee {

struct FileWatchConfig {
    bool uses_polling = false;
    std::chrono::milliseconds quiet{10};  ///< so long nothing has happened to a file that is told
    std::chrono::milliseconds poll_each{
        50};  ///< where folders are read; one with 1,000 files takes about 1 ms
};

class FileWatch {
public:
    using Clock = std::chrono::steady_clock;

    explicit FileWatch(FileWatchConfig config = {});
    ~FileWatch();
    FileWatch(const FileWatch&) = delete;
    FileWatch& operator=(const FileWatch&) = delete;

    /// Watches a folder with all below it, also what comes later, or one file such as a zip archive.
    /// Errors: it is not there.
    Result<void> add(const std::filesystem::path& root);

    /// What was written, came or went since the last call and is quiet now, in order of names, each once; as
    /// the root was given (without "." parts), with the rest of the way behind it. Never waits.
    /// Cost: a microsecond while nothing happens; of polling, reading the folders at times.
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
    std::map<std::filesystem::path, Clock::time_point> pending_;  ///< when something last happened to it
};

}  // namespace perigee
