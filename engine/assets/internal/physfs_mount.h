// PhysFS exists once per process, but engines can be many. This counts its users and the mounted folders.
//
// Invariant: PhysFS is initialised while a PhysfsMount exists and shut down after the last one. A folder is
// mounted once for all users (PhysFS itself ignores a second mount of a folder, even at another place). Each
// mount has its own prefix, so no path of one can name a file of another. Symbolic links stay forbidden,
// which is PhysFS's default.
#pragma once

#include "ecs/base/result.h"

#include <filesystem>
#include <string>

namespace perigee {

/// Why the last PhysFS call failed, in the system's words if PhysFS has none.
std::string physfs_reason();

/// One user's reference to a mounted folder or archive. Thread-safe.
class PhysfsMount {
public:
    static Result<PhysfsMount> open(const std::filesystem::path& folder_or_archive);
    PhysfsMount(PhysfsMount&& other) noexcept;
    PhysfsMount& operator=(PhysfsMount&&) = delete;
    ~PhysfsMount();

    /// Reads a folder or archive again, for all users. Errors: it cannot be read, or it is not mounted; then
    /// all users keep the old contents.
    static Result<void> reopen(const std::filesystem::path& folder_or_archive);

    /// "/m3/": the prefix of paths inside the mount.
    const std::string& prefix() const noexcept { return prefix_; }

private:
    PhysfsMount(std::string key, std::string prefix);

    std::string key_;  // empty: moved from
    std::string prefix_;
};

}  // namespace perigee
