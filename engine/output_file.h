// Files that a run leaves behind, under the names that the user gave.
//
// Invariant: an output takes the place of a regular file or of nothing. A directory, a pipe, a socket or a
// device stays what it is, also where the finished file is made under another name and renamed; and nothing
// here waits for a reader of a pipe. Recordings and logs that grow while the game runs are LockedFile's
// (engine/internal/locked_file.h), which asks here before it renames.
//
// Errors are reasons alone, to stand behind a message that names the file: "Permission denied".
#pragma once

#include "ecs/result.h"

#include <filesystem>
#include <string_view>

namespace perigee {

/// Whether an output may have this name: there is a regular file, or nothing. Ask when a run starts, so that
/// it is not lost at its end.
Result<void> expect_replaceable(const std::filesystem::path& file);

/// Gives `part`, which is finished, the name `file`. When it cannot, both stay as they are.
Result<void> replace_file(const std::filesystem::path& part, const std::filesystem::path& file);

/// Writes all of a file.
Result<void> write_regular_file(const std::filesystem::path& file, std::string_view bytes);

}  // namespace perigee
