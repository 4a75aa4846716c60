// A file that is compiled into the program: cmake/embed.cmake makes a function that lists those of a folder.
#pragma once

#include <string_view>

namespace perigee {

/// One file as it stood when the program was built. Lifetime: the program's.
struct EmbeddedFile {
    std::string_view name;  ///< Path below the embedded folder, with '/': "ecs.lua", "ecs/query.lua".
    std::string_view text;  ///< The bytes, unchanged.
};

}  // namespace perigee
