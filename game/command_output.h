// How commands end, and the files they write.
#pragma once

#include "ecs/result.h"

#include <filesystem>
#include <string_view>

namespace perigee {

/// Says on standard error what is wrong; the exit status.
int give_up(const Error& error, int status = 1);

/// Writes the file, and the folders it lies in. Errors: it cannot be written.
Result<void> write_file(const std::filesystem::path& file, std::string_view text);

}  // namespace perigee
