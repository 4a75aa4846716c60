// Screenshots: the picture that an SDL_Renderer holds, as a PNG file.
#pragma once

#include "ecs/result.h"

#include <filesystem>
#include <string>

struct SDL_Renderer;

namespace perigee {

/// Writes what was drawn since the last present, bars included. The file takes its name when it is whole.
/// Errors: the pixels cannot be read, the file cannot be written.
Result<void> save_screenshot(SDL_Renderer& renderer, const std::filesystem::path& file);

/// "<folder>/<game>-2026-11-21-04.05.06.png", or the first such name not in use. Makes the folder.
std::filesystem::path new_screenshot_file(const std::filesystem::path& folder, const std::string& game);

}  // namespace perigee
