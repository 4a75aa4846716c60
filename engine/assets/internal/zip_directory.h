// Checks the directory of a zip archive before PhysFS opens it.
//
// Invariant: an archive that passes is a plain zip: one disk, no prefix, no encryption, entries that are
// stored or deflated, with names of at most 255 bytes in at most 32 folders, 10,000 of them at most, with a
// limited compression ratio. PhysFS looks for the directory in the same place and so reads the same one. It
// reads only the directory and unpacks nothing: the contents of entries are checked when they are read.
// Source of the layout: PKWARE APPNOTE, sections 4.3.12 and 4.3.16.
#pragma once

#include "ecs/base/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string_view>

namespace perigee::internal {

inline constexpr std::size_t kMaxZipEntries = 10'000;
inline constexpr std::uint64_t kMaxZipUnpackedBytes = std::uint64_t{4} << 30U;
inline constexpr std::uint64_t kZipBytesWithoutRatio = std::uint64_t{100} << 20U;  ///< unpacked size without
                                                                                   ///< a ratio limit
inline constexpr std::uint64_t kMaxZipRatio = 100;                                 ///< beyond those

/// Errors: why the archive is not valid for a game or mod, as the end of a sentence.
Result<void> check_zip(const std::filesystem::path& file);

/// The same for an archive in memory.
Result<void> check_zip(std::string_view bytes);

}  // namespace perigee::internal
