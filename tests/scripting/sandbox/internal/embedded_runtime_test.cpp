// The embedded runtime is the folder scripts/runtime, compiled, in a fixed order.
#include "scripting/sandbox/internal/embedded_runtime.h"

#include <catch2/catch.hpp>
#include <lua.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <string_view>

namespace perigee {
namespace {

std::string bytes_of(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

// Of the bytecode without names of variables.
std::size_t compiled_size(const std::string& text) {
    const std::unique_ptr<lua_State, decltype(&lua_close)> state(luaL_newstate(), lua_close);
    lua_State* const lua = state.get();
    luaL_openlibs(lua);
    lua_getglobal(lua, "string");
    lua_getfield(lua, -1, "dump");
    REQUIRE(luaL_loadbufferx(lua, text.data(), text.size(), "=file", "t") == 0);
    lua_pushboolean(lua, 1);
    REQUIRE(lua_pcall(lua, 2, 1, 0) == 0);
    return lua_objlen(lua, -1);
}

bool loads(std::string_view bytecode) {
    const std::unique_ptr<lua_State, decltype(&lua_close)> state(luaL_newstate(), lua_close);
    return luaL_loadbufferx(state.get(), bytecode.data(), bytecode.size(), "=file", "b") == 0;
}

TEST_CASE("every file of the runtime is embedded as the bytecode that LuaJIT makes of it") {
    const std::filesystem::path root = std::filesystem::path(PERIGEE_SOURCE_DIR) / "scripts/runtime";
    std::size_t files_on_disk = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root))
        files_on_disk += entry.path().extension() == ".lua";
    CHECK(embedded_runtime().size() == files_on_disk);
    for (const EmbeddedFile& file : embedded_runtime()) {
        CAPTURE(file.name);
        CHECK(loads(file.text));
        // Its size: the order of constants may differ between two compilations.
        const std::size_t stripped = compiled_size(bytes_of(root / file.name));
        const bool has_names = file.name == "sandbox/" + std::string(kFileWithNames) + ".lua";
        CHECK((has_names ? file.text.size() > stripped : file.text.size() == stripped));
    }
}

TEST_CASE("names of runtime files are unique in all folders") {
    std::set<std::string_view> names;
    for (const EmbeddedFile& file : embedded_runtime()) {
        CAPTURE(file.name);
        CHECK(names.insert(file.name.substr(file.name.rfind('/') + 1)).second);
    }
}

TEST_CASE("embedded files are sorted by name") {
    CHECK(std::ranges::is_sorted(embedded_runtime(), {}, &EmbeddedFile::name));
}

}  // namespace
}  // namespace perigee
