// The file of a saved world: a head, and the contents compressed.
//
//     "perigee world\n"   14 bytes
//     format              u16; 1, or 2 if there are objects
//     checksum            u64, XXH3 of everything after it
//     size                u64, of the contents
//     contents            one zstd frame
//
// Invariant: what unpack returns has the size of the head and a right checksum. That detects accidents, not
// intent: an attacker can compute it, so the contents are still to be distrusted (world_reader.h). Not here:
// the file on the disk (ecs/files).
#pragma once

#include "ecs/base/result.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace perigee::internal {

/// Throws std::bad_alloc, as all functions here.
std::string pack(std::string_view contents, bool has_objects = false);

/// Takes memory as the contents come out, never more than `max_bytes`. Errors: no such file, another format,
/// damage, contents that are larger.
Result<std::string> unpack(std::string_view file, std::size_t max_bytes);

}  // namespace perigee::internal
