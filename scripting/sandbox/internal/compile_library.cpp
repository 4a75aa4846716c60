// The program with which the build compiles the Lua library: compile_library ROOT LIST FOLDER writes the
// bytecode of each file that LIST names, a path below ROOT a line, to the same place below FOLDER.
//
// Invariant: it links the LuaJIT that will load the bytecode, which other versions may not understand. Not
// here: code of games and mods, which is text, and is compiled when they are loaded.
#include "scripting/sandbox/internal/charged_chunk.h"
#include "scripting/sandbox/internal/embedded_runtime.h"

#include <lua.hpp>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>

namespace {

namespace fs = std::filesystem;
using State = std::unique_ptr<lua_State, decltype(&lua_close)>;

std::string bytes_of(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

// The bytecode of a file, or nothing after a message.
std::optional<std::string> compiled(const fs::path& path) {
    const State state(luaL_newstate(), lua_close);
    lua_State* const lua = state.get();
    luaL_openlibs(lua);
    const std::string text = bytes_of(path);
    const std::string name = path.stem().string();
    const std::string chunk = "=" + (perigee::internal::kRuntimeFiles + name) + ".lua";
    lua_getglobal(lua, "string");
    lua_getfield(lua, -1, "dump");
    bool is_done = luaL_loadbufferx(lua, text.data(), text.size(), chunk.c_str(), "t") == 0;
    if (is_done) {
        // Stripped, and the same in each build; false: with the names of variables.
        if (name == perigee::kFileWithNames)
            lua_pushboolean(lua, 0);
        else
            lua_pushstring(lua, "sd");
        is_done = lua_pcall(lua, 2, 1, 0) == 0;
    }
    std::size_t size = 0;
    const char* const result = lua_tolstring(lua, -1, &size);
    if (is_done) return std::string(result, size);
    std::fprintf(stderr, "%s: %s\n", path.c_str(), result);
    return {};
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 4) {
        std::fputs("usage: compile_library ROOT LIST FOLDER\n", stderr);
        return 2;
    }
    const fs::path root = arguments[1], folder = arguments[3];
    std::ifstream list(arguments[2]);
    for (std::string path; std::getline(list, path);) {
        const std::optional<std::string> bytecode = compiled(path);
        if (!bytecode) return 1;
        const fs::path target = folder / fs::path(path).lexically_relative(root);
        fs::create_directories(target.parent_path());
        if (!std::ofstream(target, std::ios::binary)
                 .write(bytecode->data(), static_cast<long>(bytecode->size()))) {
            std::fprintf(stderr, "%s: cannot be written\n", target.c_str());
            return 1;
        }
    }
    return 0;
}
