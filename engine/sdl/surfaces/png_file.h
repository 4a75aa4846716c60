// Writing pictures as PNG files. A file gets its name when it is complete.
//
// Errors are reasons only, to be appended to a message that names the file.
#pragma once

#include "ecs/base/result.h"
#include "engine/sdl/window/internal/sdl_handle.h"

#include <filesystem>
#include <string>

namespace perigee {

/// The bytes of a PNG. Errors: the surface is null, with SDL's reason; it cannot be encoded.
Result<std::string> encoded_png(SDL_Surface* surface);

/// The name of a file until it is complete.
std::filesystem::path part_of(const std::filesystem::path& file);

/// Errors: the file cannot be written, or its name or that of its part belongs to something
/// other than a file.
Result<void> write_png(const std::filesystem::path& file, const std::string& png);

}  // namespace perigee
