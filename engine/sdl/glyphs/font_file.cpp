// A list of places, checked one by one. Searching folders recursively would take long with many fonts.
#include "engine/sdl/glyphs/font_file.h"

#include <cstdlib>
#include <string_view>

namespace perigee {

namespace fs = std::filesystem;

namespace {

constexpr char kFile[] = "DejaVuSans.ttf";
// Of Debian, Arch, Fedora, Alpine and BSD, Gentoo, and directly in the folder.
constexpr const char* kSubfolders[] = {"truetype/dejavu", "TTF", "dejavu-sans-fonts", "dejavu", "ttf-dejavu",
                                       "truetype",        ""};
constexpr const char* kSystemFolders[] = {
    "/usr/share/fonts",         "/usr/local/share/fonts", "/run/current-system/sw/share/X11/fonts",
    "/usr/X11R6/lib/X11/fonts", "/Library/Fonts",         "/opt/homebrew/share/fonts",
    "/opt/local/share/fonts",   "C:\\Windows\\Fonts"};
constexpr const char* kFoldersOfHome[] = {".local/share/fonts", ".fonts", "Library/Fonts",
                                          "AppData/Local/Microsoft/Windows/Fonts"};

const char* variable(const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr ? value : "";
}

void add_each(std::string_view list, const fs::path& below, std::vector<fs::path>& folders) {
    while (!list.empty()) {
        const std::string_view folder = list.substr(0, list.find(':'));
        if (!folder.empty()) folders.push_back(fs::path{folder} / below);
        list.remove_prefix(std::min(list.size(), folder.size() + 1));
    }
}

}  // namespace

std::vector<fs::path> font_folders() {
    std::vector<fs::path> folders;
    if (const char* chosen = std::getenv("PERIGEE_FONTS"); chosen != nullptr) {
        add_each(chosen, {}, folders);
        return folders;
    }
    folders.assign(std::begin(kSystemFolders), std::end(kSystemFolders));
    for (const char* home : {variable("HOME"), variable("USERPROFILE")})
        if (*home != '\0')
            for (const char* folder : kFoldersOfHome) folders.push_back(fs::path{home} / folder);
    add_each(variable("XDG_DATA_HOME"), "fonts", folders);
    add_each(variable("XDG_DATA_DIRS"), "fonts", folders);
    return folders;
}

std::string find_font_file(std::span<const fs::path> folders) {
    for (const fs::path& folder : folders)
        for (const char* subfolder : kSubfolders) {
            const fs::path file = folder / subfolder / kFile;
            std::error_code ignored;
            if (fs::is_regular_file(file, ignored)) return file.string();
        }
    return "";
}

std::string default_font_file() { return find_font_file(font_folders()); }

}  // namespace perigee
