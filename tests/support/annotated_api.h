// The annotations of scripts/stubs, parsed, for tests that compare them with the script API.
#pragma once

#include "scripting/check/api_table.h"

#include <catch2/catch.hpp>

#include <fstream>
#include <iterator>
#include <string>

namespace perigee {

inline ApiTable annotated_api() {
    ApiTable api;
    for (const char* file : {"perigee.lua", "worlds.lua", "modules.lua", "gfx.lua", "gfx_options.lua"}) {
        std::ifstream stream(std::string(PERIGEE_SOURCE_DIR) + "/scripts/stubs/" + file, std::ios::binary);
        REQUIRE(stream.good());
        api.read(std::string{std::istreambuf_iterator<char>(stream), {}});
    }
    return api;
}

}  // namespace perigee
