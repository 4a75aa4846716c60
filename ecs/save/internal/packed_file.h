// The file of a saved world: a head, and the contents compressed.
//
//     "perigee world\n"   14 bytes
//     format              u16, 1
//     checksum            u64, XXH3 of everything after it
//     size                u64, of the contents
//     contents            one zstd frame
//
// Invariant: what unpack returns has the size of the head and a right checksum. That detects accidents, not
// intent: anybody can compute it, so the contents are still to be distrusted (world_reader.h).
#pragma once

#include "ecs/base/result.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace perigee::internal {

/// Throws std::bad_alloc, as all functions here.
std::string pack(std::string_view contents);

/// Takes memory as the contents come out, never more than `max_bytes`. Errors: no such file, another format,
/// damage, contents that are larger.
Result<std::string> unpack(std::string_view file, std::size_t max_bytes);

/// Errors: those of the file system; no regular file; more bytes than that.
Result<std::string> read_bytes(const std::filesystem::path& file, std::size_t max_bytes);

/// Writes next to the file, flushes and renames, so the file is always complete. Errors: those of the file
/// system, with the old file as it was.
Result<void> write_bytes(const std::filesystem::path& file, std::string_view bytes);

}  // namespace perigee::internal
