// Screenshots: the picture that an SDL_Renderer holds, as a PNG file.
#pragma once

#include "ecs/result.h"

#include <filesystem>
#include <string>

struct SDL_Renderer;

namespace perigee {

/// Whether a picture may have this name, to ask before the game runs for an hour. Errors: something else than
/// a file has it.
Result<void> expect_screenshot_file(const std::filesystem::path& file);

/// Writes what was drawn since the last present, bars included. The file takes its name when it is whole.
/// Errors: the pixels cannot be read, the file cannot be written, or something else than a file has
/// its name.
Result<void> save_screenshot(SDL_Renderer& renderer, const std::filesystem::path& file);

/// "<folder>/<game>-2026-11-21-04.05.06.png", or the first such name not in use. Makes the folder.
std::filesystem::path new_screenshot_file(const std::filesystem::path& folder, const std::string& game);

}  // namespace perigee
