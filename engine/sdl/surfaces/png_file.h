// Writing pictures as PNG files. A file gets its name when it is complete.
//
// Errors are reasons only, to be appended to a message that names the file.
#pragma once

#include "ecs/base/result.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace perigee {

enum class PngPixels : std::uint8_t { rgb, rgba };

/// The bytes of a PNG. Shape: rows from the top, a byte for each channel. Errors: a side is 0, there are
/// fewer bytes, there is no memory.
Result<std::string> encoded_png(std::span<const std::uint8_t> bytes, int width, int height, PngPixels pixels);

/// Errors: the file cannot be written, or its name or that of its part belongs to something
/// other than a file.
Result<void> write_png(const std::filesystem::path& file, const std::string& png);

}  // namespace perigee
