// Opens files named by a user or a game for reading.
//
// Invariant: only a regular file is ever read. Opening never blocks: a pipe without a writer would stall the
// program, and reading a device might never end. The check is made on the open file, so that it cannot be
// replaced in between.
//
// Errors are ends of sentences that begin with the path: "does not exist".
#pragma once

#include "ecs/base/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>

namespace perigee {

inline constexpr std::uint64_t kMaxReadBytes = std::uint64_t{1} << 30U;  ///< default limit

class RegularFile {
public:
    /// Errors: it does not exist, is a directory, pipe, socket or device, or the system denies access.
    static Result<RegularFile> open(const std::filesystem::path& file);

    RegularFile(RegularFile&& other) noexcept
        : descriptor_(std::exchange(other.descriptor_, -1)), size_(other.size_) {}
    RegularFile& operator=(RegularFile&&) = delete;
    ~RegularFile();

    /// The size in bytes when the file was opened; 0 for virtual files (/proc).
    std::uint64_t size() const noexcept { return size_; }

    /// The `count` bytes from `at` on, or fewer at the end of the file. Errors: the read fails.
    Result<std::string> read(std::uint64_t at, std::size_t count) const;

private:
    RegularFile(int descriptor, std::uint64_t size) noexcept : descriptor_(descriptor), size_(size) {}

    int descriptor_;
    std::uint64_t size_;
};

/// All bytes of a file. Errors: those of open and read, and more than `max_bytes`.
Result<std::string> read_regular_file(const std::filesystem::path& file,
                                      std::uint64_t max_bytes = kMaxReadBytes);

/// Succeeds for a regular file. Error: what a file with this st_mode is instead.
Result<void> expect_regular(std::uint32_t mode);

}  // namespace perigee
