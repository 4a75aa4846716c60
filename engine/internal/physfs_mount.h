// PhysFS is one per process; engines are many. This counts who uses it and which folders are mounted.
//
// Invariant: PhysFS is initialised while a PhysfsMount lives and gone after the last one; one folder is
// mounted once, whoever asks (PhysFS itself ignores a second mount of a folder, also at another place), and
// each mount has a prefix of its own, so no path of one can name a file of another. Symbolic links stay
// forbidden, which is PhysFS's default.
#pragma once

#include "ecs/result.h"

#include <filesystem>
#include <string>

namespace perigee {

/// Why the last call of PhysFS failed, in words of the system where PhysFS has none.
std::string physfs_reason();

/// One user's share of a mounted folder or archive. Thread-safe.
class PhysfsMount {
public:
    static Result<PhysfsMount> open(const std::filesystem::path& folder_or_archive);
    PhysfsMount(PhysfsMount&& other) noexcept;
    PhysfsMount& operator=(PhysfsMount&&) = delete;
    ~PhysfsMount();

    /// Reads a folder or archive anew, for all who share it. Errors: it cannot be read, or nobody has it;
    /// then everybody goes on with what was there before.
    static Result<void> reopen(const std::filesystem::path& folder_or_archive);

    /// "/m3/": what a path inside the mount is put behind.
    const std::string& prefix() const noexcept { return prefix_; }

private:
    PhysfsMount(std::string key, std::string prefix);

    std::string key_;  // empty: moved from
    std::string prefix_;
};

}  // namespace perigee
