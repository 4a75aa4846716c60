// Font files for tests: those of the package fonts-dejavu-core, which the list of packages has.
#pragma once

#include "ecs/files/regular_file.h"

#include <filesystem>
#include <string>

namespace perigee::test {

/// The bytes of "DejaVuSerif.ttf", "DejaVuSans.ttf", "DejaVuSansMono.ttf"; empty if it is not installed.
inline std::string font_file(const std::string& name) {
    for (const char* folder : {"/usr/share/fonts/truetype/dejavu", "/usr/share/fonts/TTF",
                               "/usr/share/fonts/dejavu-sans-fonts", "/usr/share/fonts/dejavu"}) {
        Result<std::string> bytes = read_regular_file(std::filesystem::path{folder} / name);
        if (bytes) return std::move(bytes).value();
    }
    return "";
}

}  // namespace perigee::test
