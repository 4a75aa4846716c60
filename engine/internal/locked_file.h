// A file that one program writes at a time: recordings, hash logs and traces.
//
// Invariant: while this object lives no other LockedFile writes the same file, in this program or another,
// and what was in the file before is gone only once the lock is held. The lock is the file's (flock), so it
// ends with the program, however that ends. Devices and pipes with a reader are written as they are, without
// a lock, and never take another name or lose theirs; file systems without locks are written all the same.
#pragma once

#include "ecs/result.h"

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string_view>

namespace perigee::internal {

class LockedFile {
public:
    /// An empty file. Errors: `cannot_write`, a message with the file's name and the reason in it as '{}'.
    static Result<LockedFile> create(const std::filesystem::path& file, const char* cannot_write);

    void write(std::string_view bytes) noexcept;
    void flush() noexcept;
    /// The same, and as far as the disk: what is there survives a power cut.
    void sync() noexcept;
    /// Errors, as those of engine/output_file.h: why the disk refused anything since create().
    Result<void> check() const;
    /// Nothing can be written after it. Errors, as those of engine/output_file.h: why the disk refused
    /// anything since create().
    Result<void> close();
    /// The same, and the file takes this name, in place of a file that had it, while the lock is still held.
    /// After an error it keeps its own.
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
    int refusal_ = 0;  ///< errno of the first thing that the disk refused
};

}  // namespace perigee::internal
