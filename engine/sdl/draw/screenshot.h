// Screenshots: saves a picture as a PNG file.
#pragma once

#include "ecs/base/result.h"
#include "engine/sdl/draw/draw_target.h"

#include <filesystem>
#include <string>

namespace perigee {

/// The file gets its name when it is complete. Errors: there is no picture, the file cannot be written, or
/// the name belongs to something other than a file.
Result<void> save_screenshot(const Result<Picture>& picture, const std::filesystem::path& file);

/// The same for a file that a script asked for with gfx.screenshot, with the limits of its folder
/// (engine/sdl/surfaces/canvas_requests.h).
Result<void> save_frame(const Result<Picture>& picture, const std::filesystem::path& file);

/// "<folder>/<game>-2026-11-21-04.05.06.png", or the first such unused name. Creates the folder.
std::filesystem::path new_screenshot_file(const std::filesystem::path& folder, const std::string& game);

}  // namespace perigee
