// Finds the engine's font on this machine. It does not open the file (glyph_source.h).
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace perigee {

/// DejaVu Sans, the first found in font_folders(); "" if there is none.
std::string default_font_file();

/// The system's font folders. The environment variable PERIGEE_FONTS, a list of folders separated by ':',
/// replaces them.
std::vector<std::filesystem::path> font_folders();

/// Searches each folder, and the subfolders that packages of the font create. "" if there is none.
std::string find_font_file(std::span<const std::filesystem::path> folders);

}  // namespace perigee
