// Output files of a run, under the names given by the user.
//
// Invariant: an output replaces a regular file or creates a new one. It never replaces a directory, a pipe, a
// socket or a device, even when the finished file is renamed into place; and nothing here waits for a reader
// of a pipe. Recordings and logs that grow while the game runs use LockedFile
// (ecs/files/locked_file.h), which checks here before it renames.
//
// Errors are reasons only, to be appended to a message that names the file: "Permission denied".
#pragma once

#include "ecs/base/result.h"

#include <filesystem>
#include <functional>
#include <string_view>

namespace perigee {

/// Checks that an output may have this name: there is a regular file, or nothing. Call it when a run starts,
/// so that the output is not lost at its end.
Result<void> expect_replaceable(const std::filesystem::path& file);

/// Renames the finished `part` to `file`. On failure both stay unchanged.
Result<void> replace_file(const std::filesystem::path& part, const std::filesystem::path& file);

/// The name of an output until it is complete.
std::filesystem::path part_of(const std::filesystem::path& file);

/// Lets `write` make the part of `file`, and renames it to `file`. If one of them fails, the part is removed,
/// and `file` stays unchanged. Errors: the name of one belongs to something other than a file, and `write` is
/// not called; the error of `write` as it is; a reason.
Result<void> write_through_part(const std::filesystem::path& file,
                                const std::function<Result<void>(const std::filesystem::path& part)>& write);

/// Writes all of a file.
Result<void> write_regular_file(const std::filesystem::path& file, std::string_view bytes);

}  // namespace perigee
