// inotify, and polling folders where it is unavailable.
#include "engine/base/file_watch.h"

#include "engine/base/error_codes.h"

#include <fmt/format.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <system_error>

namespace perigee {

namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kWatchedEvents =
    IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_MODIFY | IN_ONLYDIR;

bool is_ignored(std::string_view name) { return name.starts_with('.') || name.ends_with('~'); }

// Calls fn(entry) for each file and folder below, hidden ones left out.
template <typename Function> void each_below(const fs::path& folder, Function&& fn) {
    std::error_code failed;
    fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied, failed);
    for (; !failed && entry != fs::recursive_directory_iterator(); entry.increment(failed)) {
        if (!is_ignored(entry->path().filename().string())) {
            fn(*entry);
        } else if (entry->is_directory(failed)) {
            entry.disable_recursion_pending();
        }
    }
}

}  // namespace

FileWatch::FileWatch(FileWatchConfig config) : config_(config) {
    if (!config_.uses_polling) descriptor_ = ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
}

FileWatch::~FileWatch() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

Result<void> FileWatch::add(const fs::path& given) {
    fs::path root = given.lexically_normal();
    if (!root.has_filename()) root = root.parent_path();  // "game/"
    std::error_code failed;
    const bool is_folder = fs::is_directory(root, failed);
    if (!is_folder && !fs::is_regular_file(root, failed))
        return Error{fmt::format(engine_errors::kNothingToWatch, root.string())};
    roots_.push_back(root);
    const fs::path folder = is_folder ? root : root.has_parent_path() ? root.parent_path() : fs::path(".");
    bool is_watched = descriptor_ >= 0 && watch_folder(folder, false, {});
    if (is_watched && is_folder) {
        each_below(folder, [&](const fs::directory_entry& entry) {
            std::error_code ignored;
            if (entry.is_directory(ignored)) is_watched = is_watched && watch_folder(entry.path(), false, {});
        });
    }
    if (!is_watched) stop_events();
    if (is_polling()) stamps_ = scan();
    return {};
}

// The kernel limits the number of watches; beyond it, all folders are polled.
void FileWatch::stop_events() {
    if (descriptor_ < 0) return;
    ::close(descriptor_);
    descriptor_ = -1;
    folders_.clear();
    stamps_ = scan();
}

bool FileWatch::watch_folder(const fs::path& folder, bool is_new, Clock::time_point now) {
    const int watch = ::inotify_add_watch(descriptor_, folder.c_str(), kWatchedEvents);
    // A folder that was removed meanwhile is not an error.
    if (watch < 0) return errno == ENOENT || errno == ENOTDIR;
    folders_[watch] = folder;
    if (!is_new) return true;
    // Files created in it before it was watched.
    bool is_watched = true;
    std::error_code ignored;
    for (fs::directory_iterator entry(folder, ignored), end; !ignored && entry != end;
         entry.increment(ignored)) {
        if (is_ignored(entry->path().filename().string())) continue;
        std::error_code failed;
        if (entry->is_directory(failed)) {
            is_watched = is_watched && watch_folder(entry->path(), true, now);
        } else {
            note(entry->path(), now);
        }
    }
    return is_watched;
}

std::vector<fs::path> FileWatch::take_changes(Clock::time_point now) {
    if (descriptor_ >= 0) read_events(now);
    if (is_polling() && now >= next_poll_) poll(now);
    std::vector<fs::path> quiet;
    for (auto file = pending_.begin(); file != pending_.end();) {
        if (now - file->second < config_.quiet) {
            ++file;
            continue;
        }
        quiet.push_back(file->first);
        file = pending_.erase(file);
    }
    return quiet;
}

void FileWatch::note(const fs::path& file, Clock::time_point now) {
    for (const fs::path& root : roots_) {
        // A file that is itself a root shares its folder with others.
        const std::string folder = root.string() + "/";
        if (file == root || file.string().starts_with(folder)) {
            pending_[file] = now;
            return;
        }
    }
}

// ---- events of the kernel ----

void FileWatch::read_events(Clock::time_point now) {
    alignas(inotify_event) std::array<char, 16 * 1024> buffer;
    for (;;) {
        const ssize_t size = ::read(descriptor_, buffer.data(), buffer.size());
        if (size <= 0) return;
        for (const char* at = buffer.data(); at < buffer.data() + size;) {
            inotify_event event;
            std::memcpy(&event, at, sizeof event);
            const char* const name = at + sizeof event;
            at = name + event.len;
            if ((event.mask & IN_Q_OVERFLOW) != 0) {  // anything may have happened
                for (const auto& [file, stamp] : scan()) note(file, now);
                continue;
            }
            const auto folder = folders_.find(event.wd);
            if (folder == folders_.end()) continue;
            if ((event.mask & IN_IGNORED) != 0) {
                folders_.erase(folder);
                continue;
            }
            if (event.len == 0 || is_ignored(name)) continue;
            const fs::path path = folder->second / name;
            if ((event.mask & IN_ISDIR) == 0) {
                note(path, now);
            } else if ((event.mask & (IN_CREATE | IN_MOVED_TO)) != 0 && !watch_folder(path, true, now)) {
                return stop_events();
            }
        }
    }
}

// ---- read again and again ----

FileWatch::Stamps FileWatch::scan() const {
    Stamps stamps;
    const auto take = [&](const fs::path& file) {
        std::error_code no_time, no_size;
        const Stamp stamp{fs::last_write_time(file, no_time), fs::file_size(file, no_size)};
        if (!no_time && !no_size) stamps[file] = stamp;
    };
    for (const fs::path& root : roots_) {
        std::error_code failed;
        if (!fs::is_directory(root, failed)) {
            take(root);
            continue;
        }
        each_below(root, [&](const fs::directory_entry& entry) {
            std::error_code ignored;
            if (entry.is_regular_file(ignored)) take(entry.path());
        });
    }
    return stamps;
}

void FileWatch::poll(Clock::time_point now) {
    next_poll_ = now + config_.poll_each;
    Stamps found = scan();
    for (const auto& [file, stamp] : found) {
        const auto known = stamps_.find(file);
        if (known == stamps_.end() || known->second != stamp) note(file, now);
    }
    for (const auto& [file, stamp] : stamps_) {
        if (!found.contains(file)) note(file, now);
    }
    stamps_ = std::move(found);
}

}  // namespace perigee
