// Files with a single writer at a time, such as recordings, hash logs and traces; and files that are always
// complete.
//
// Invariant: while this object lives no other LockedFile writes the same file, in this program or another,
// and the old contents are deleted only after the lock is taken. The lock belongs to the file (flock), so it
// ends with the program, even after a crash. Devices and pipes with a reader are written without a lock and
// are never renamed or replaced. On file systems without locks it writes without one.
#pragma once

#include "ecs/base/result.h"

#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string_view>

namespace perigee {

class LockedFile {
public:
    /// An empty file. Errors: `cannot_write`, a message with the file's name and the reason in it as '{}'.
    static Result<LockedFile> create(const std::filesystem::path& file, const char* cannot_write);

    void write(std::string_view bytes) noexcept;
    /// Replaces bytes that were written before; later writes go on at the end. Fails for pipes.
    void overwrite(std::size_t at, std::string_view bytes) noexcept;
    void flush() noexcept;
    /// The same, and waits for the disk: the contents survive a power failure.
    void sync() noexcept;
    /// Errors, as those of ecs/files/output_file.h: why a write has failed since create().
    Result<void> check() const;
    /// Nothing can be written afterwards. Errors, as those of ecs/files/output_file.h: why a write has
    /// failed since create().
    Result<void> close();
    /// The same, and renames the file, replacing an existing one, before the lock is released. After an error
    /// it keeps its name.
    Result<void> finish_as(const std::filesystem::path& file);

private:
    struct Close {
        void operator()(std::FILE* stream) const noexcept { std::fclose(stream); }
    };
    void expect(bool was_accepted) noexcept;
    LockedFile(std::filesystem::path file, std::FILE* stream) noexcept
        : file_(std::move(file)), stream_(stream) {}

    std::filesystem::path file_;
    std::unique_ptr<std::FILE, Close> stream_;
    int refusal_ = 0;  ///< errno of the first failed write
};

/// Writes all of a file, which is complete or as it was before: into "<file>.part", to the disk, and then
/// under the name. Errors, as those of output_file.h: a reason. Cost: waits for the disk.
Result<void> write_whole_file(const std::filesystem::path& file, std::string_view bytes);

/// Waits until the new names in a folder survive a power failure, on file systems that can.
void sync_folder(const std::filesystem::path& folder) noexcept;

}  // namespace perigee
