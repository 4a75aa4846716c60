// The number of users per folder, protected by one mutex, because PhysFS is unavoidable global state.
#include "engine/assets/internal/physfs_mount.h"

#include "ecs/files/regular_file.h"
#include "engine/assets/internal/zip_directory.h"
#include "engine/base/error_codes.h"

#include <fmt/format.h>
#include <physfs.h>

#include <cerrno>
#include <cstring>
#include <limits>
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

// PhysFS knows ten archive formats and tries all of them, regardless of the file's name. We use one.
void keep_zip_alone() {
    std::vector<std::string> others;
    for (const PHYSFS_ArchiveInfo** type = PHYSFS_supportedArchiveTypes(); *type != nullptr; ++type)
        if (std::string_view{(*type)->extension} != "ZIP") others.emplace_back((*type)->extension);
    for (const std::string& extension : others) PHYSFS_deregisterArchiver(extension.c_str());
}

// Anything but a folder must be a valid zip.
Result<void> check_archive(const std::string& key) {
    std::error_code failed;
    if (std::filesystem::is_directory(key, failed)) return {};
    const Result<void> checked = internal::check_zip(std::filesystem::path{key});
    if (!checked) return Error{fmt::format(engine_errors::kCannotMount, key, checked.error().message)};
    return {};
}

}  // namespace

std::string physfs_reason() {
    const int error = errno;
    const PHYSFS_ErrorCode code = PHYSFS_getLastErrorCode();
    PHYSFS_setErrorCode(code);  // to be asked for again
    return code == PHYSFS_ERR_OS_ERROR && error != 0 ? std::strerror(error) : PHYSFS_getErrorByCode(code);
}

PhysfsMount::PhysfsMount(std::string key, std::string prefix)
    : key_(std::move(key)), prefix_(std::move(prefix)) {}

PhysfsMount::PhysfsMount(PhysfsMount&& other) noexcept
    : key_(std::exchange(other.key_, {})), prefix_(std::exchange(other.prefix_, {})) {}

Result<PhysfsMount> PhysfsMount::open(const std::filesystem::path& folder_or_archive) {
    std::error_code no_path;
    const std::string key = std::filesystem::canonical(folder_or_archive, no_path).string();
    if (no_path == std::errc::no_such_file_or_directory)
        return Error{fmt::format(engine_errors::kNoSuchFolder, folder_or_archive.string())};
    if (no_path)
        return Error{fmt::format(engine_errors::kCannotMount, folder_or_archive.string(), no_path.message())};
    if (Result<void> checked = check_archive(key); !checked) return checked.error();

    Physfs& shared = physfs();
    const std::lock_guard lock{shared.mutex};
    if (const auto known = shared.mounts.find(key); known != shared.mounts.end()) {
        ++known->second.users;
        return PhysfsMount{key, known->second.prefix};
    }
    if (PHYSFS_isInit() == 0) {
        if (PHYSFS_init(nullptr) == 0)
            return Error{fmt::format(engine_errors::kCannotMount, key, physfs_reason())};
        keep_zip_alone();
    }
    const std::string prefix = fmt::format("/m{}/", shared.next_prefix++);
    if (PHYSFS_mount(key.c_str(), prefix.c_str(), 1) == 0) {
        const std::string reason = physfs_reason();
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
        return Error{fmt::format(engine_errors::kCannotMount, key, physfs_reason())};
    };
    if (Result<void> checked = check_archive(key); !checked) return checked;
    // A copy is tested first: once the old one is unmounted, it cannot be restored.
    std::error_code failed;
    if (!std::filesystem::is_directory(key, failed)) {
        const Result<std::string> read = read_regular_file(key, std::numeric_limits<std::uint32_t>::max());
        if (!read)
            return Error{fmt::format(engine_errors::kCannotMount, key,
                                     fmt::format(engine_errors::kZipFile, read.error().message))};
        const std::string& bytes = read.value();
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
