// A file compiled into the program: cmake/embed.cmake generates a function that lists the files of a folder.
#pragma once

#include <string_view>

namespace perigee {

/// One file as of the build of the program. Lifetime: the program's.
struct EmbeddedFile {
    std::string_view name;  ///< Path below the embedded folder, with '/': "boot.lua", "data/view.lua".
    std::string_view text;  ///< The bytes, unchanged.
};

}  // namespace perigee
