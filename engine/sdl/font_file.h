// Where the font of the project lies on this machine.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace perigee {

/// DejaVu Sans, the first that there is in font_folders(); "" if it is nowhere.
std::string default_font_file();

/// The folders where systems keep fonts. The environment variable PERIGEE_FONTS, a list of folders divided by
/// ':', stands for all of them.
std::vector<std::filesystem::path> font_folders();

/// Looks in each folder, and in those of its subfolders that packages of the font make.
std::string find_font_file(std::span<const std::filesystem::path> folders);

}  // namespace perigee
