// The count of users per folder, behind one mutex, because PhysFS is global state that we cannot avoid.
#include "engine/internal/physfs_mount.h"

#include "engine/error_codes.h"
#include "engine/internal/zip_directory.h"

#include <fmt/format.h>
#include <physfs.h>

#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <string_view>
#include <vector>

namespace perigee {

namespace {

struct SharedMount {
    std::string prefix;
    std::size_t users = 0;
};

// The library's state is global, so its book-keeping is too.
struct Physfs {
    std::mutex mutex;
    std::map<std::string, SharedMount> mounts;  // by canonical path
    std::uint64_t next_prefix = 0;
};

Physfs& physfs() {
    static Physfs instance;
    return instance;
}

// PhysFS knows ten archive formats and tries all of them, whatever a file is called. Ours is one.
void keep_zip_alone() {
    std::vector<std::string> others;
    for (const PHYSFS_ArchiveInfo** type = PHYSFS_supportedArchiveTypes(); *type != nullptr; ++type)
        if (std::string_view{(*type)->extension} != "ZIP") others.emplace_back((*type)->extension);
    for (const std::string& extension : others) PHYSFS_deregisterArchiver(extension.c_str());
}

std::string last_physfs_error() { return PHYSFS_getErrorByCode(PHYSFS_getLastErrorCode()); }

// What is no folder is a zip that may be opened.
Result<void> check_archive(const std::string& key) {
    std::error_code failed;
    if (std::filesystem::is_directory(key, failed)) return {};
    const Result<void> checked = internal::check_zip(std::filesystem::path{key});
    if (!checked) return Error{fmt::format(engine_errors::kCannotMount, key, checked.error().message)};
    return {};
}

}  // namespace

PhysfsMount::PhysfsMount(std::string key, std::string prefix)
    : key_(std::move(key)), prefix_(std::move(prefix)) {}

PhysfsMount::PhysfsMount(PhysfsMount&& other) noexcept
    : key_(std::exchange(other.key_, {})), prefix_(std::exchange(other.prefix_, {})) {}

Result<PhysfsMount> PhysfsMount::open(const std::filesystem::path& folder_or_archive) {
    std::error_code no_path;
    const std::string key = std::filesystem::canonical(folder_or_archive, no_path).string();
    if (no_path) return Error{fmt::format(engine_errors::kNoSuchFolder, folder_or_archive.string())};
    if (Result<void> checked = check_archive(key); !checked) return checked.error();

    Physfs& shared = physfs();
    const std::lock_guard lock{shared.mutex};
    if (const auto known = shared.mounts.find(key); known != shared.mounts.end()) {
        ++known->second.users;
        return PhysfsMount{key, known->second.prefix};
    }
    if (PHYSFS_isInit() == 0) {
        if (PHYSFS_init(nullptr) == 0)
            return Error{fmt::format(engine_errors::kCannotMount, key, last_physfs_error())};
        keep_zip_alone();
    }
    const std::string prefix = fmt::format("/m{}/", shared.next_prefix++);
    if (PHYSFS_mount(key.c_str(), prefix.c_str(), 1) == 0) {
        const std::string reason = last_physfs_error();
        if (shared.mounts.empty()) PHYSFS_deinit();
        return Error{fmt::format(engine_errors::kCannotMount, key, reason)};
    }
    shared.mounts.emplace(key, SharedMount{prefix, 1});
    return PhysfsMount{key, prefix};
}

Result<void> PhysfsMount::reopen(const std::filesystem::path& folder_or_archive) {
    std::error_code no_path;
    const std::string key = std::filesystem::canonical(folder_or_archive, no_path).string();
    Physfs& shared = physfs();
    const std::lock_guard lock{shared.mutex};
    const auto known = shared.mounts.find(key);
    if (no_path || known == shared.mounts.end())
        return Error{fmt::format(engine_errors::kNoSuchFolder, folder_or_archive.string())};
    const auto failure = [&key] {
        return Error{fmt::format(engine_errors::kCannotMount, key, last_physfs_error())};
    };
    if (Result<void> checked = check_archive(key); !checked) return checked;
    // Whether it is an archive shows in a copy: once the old one is gone, it does not come back.
    std::error_code failed;
    if (!std::filesystem::is_directory(key, failed)) {
        std::ifstream file(key, std::ios::binary);
        const std::string bytes{std::istreambuf_iterator<char>(file), {}};
        constexpr const char* kTrial = "trial.zip";
        if (PHYSFS_mountMemory(bytes.data(), bytes.size(), nullptr, kTrial, "/trial/", 1) == 0)
            return failure();
        PHYSFS_unmount(kTrial);
    }
    if (PHYSFS_unmount(key.c_str()) == 0) return failure();
    if (PHYSFS_mount(key.c_str(), known->second.prefix.c_str(), 1) == 0) return failure();
    return {};
}

PhysfsMount::~PhysfsMount() {
    if (key_.empty()) return;
    Physfs& shared = physfs();
    const std::lock_guard lock{shared.mutex};
    const auto entry = shared.mounts.find(key_);
    if (--entry->second.users > 0) return;
    PHYSFS_unmount(key_.c_str());
    shared.mounts.erase(entry);
    if (shared.mounts.empty()) PHYSFS_deinit();
}

}  // namespace perigee
