// Screenshots: saves the contents of an SDL_Renderer as a PNG file.
#pragma once

#include "ecs/base/result.h"

#include <filesystem>
#include <string>

struct SDL_Renderer;

namespace perigee {

/// Writes the drawing since the last present, including the bars. The file gets its name when it is complete.
/// Errors: the pixels cannot be read, the file cannot be written, or the name belongs to something other than
/// a file.
Result<void> save_screenshot(SDL_Renderer& renderer, const std::filesystem::path& file);

/// "<folder>/<game>-2026-11-21-04.05.06.png", or the first such unused name. Creates the folder.
std::filesystem::path new_screenshot_file(const std::filesystem::path& folder, const std::string& game);

}  // namespace perigee
