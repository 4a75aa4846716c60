// Loads the game for its declarations, then writes the files.
#include "game/commands/stubs.h"

#include "ecs/world/world.h"
#include "engine/engine.h"
#include "engine/mods/mod_manifest.h"
#include "engine/mods/mod_set.h"
#include "engine/plugin/native_systems.h"
#include "engine/session/game_session.h"
#include "engine/tools/lua_stubs.h"
#include "game/commands/internal/embedded_stubs.h"
#include "game/program/command_output.h"
#include "game/program/error_codes.h"
#include "game/program/game_folder.h"
#include "game/program/native_systems.h"
#include "game/program/shared_options.h"
#include "game/program/tool_engine.h"
#include "scripting/mods/runtime.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace perigee {

namespace fs = std::filesystem;
namespace e = game_errors;

namespace {

// For lua-language-server: the Lua version, and the location of the annotations.
constexpr char kEditorSettings[] = R"({
  "runtime.version": "LuaJIT",
  "workspace.library": [".perigee/stubs"],
  "diagnostics.globals": ["update", "draw"]
}
)";

// The game's id, then the ids of the loaded mods.
std::vector<std::string> mods_of(GameSession& session) {
    std::vector<std::string> ids{session.manifest().id};
    for (const ModPlace& place : session.mods().order.places) {
        const std::string& id = session.mods().mods[place.mod].manifest.id;
        if (session.scripts().has_loaded(id)) ids.push_back(id);
    }
    return ids;
}

Result<std::string> declarations_of(const fs::path& game, const StubsOptions& options) {
    const NativeSystems native = native_systems();
    EngineConfig config = one_thread_config(game, options.mod_folders, native);
    config.log = [](const LogEntry& entry) {
        if (entry.level == LogLevel::error) print_log(entry);
    };
    const Result<std::unique_ptr<Engine>> engine = Engine::create(std::move(config));
    if (!engine) return engine.error();
    if (!engine.value()->has_loaded()) return Error{e::kDidNotLoad};
    GameSession& session = engine.value()->session();
    return lua_stubs(session.world(), mods_of(session));
}

Result<fs::path> written(const StubsOptions& options) {
    const Result<fs::path> game = find_game(options.game, source_trees());
    if (!game) return game.error();
    std::error_code failed;
    const bool is_archive = !fs::is_directory(game.value(), failed);
    if (is_archive && options.folder.empty())
        return Error{fmt::format(e::kStubsNowhere, game.value().string())};
    const Result<std::string> declared = declarations_of(game.value(), options);
    if (!declared) return declared.error();

    const fs::path folder = options.folder.empty() ? game.value() / ".perigee/stubs" : options.folder;
    failed.clear();
    fs::create_directories(folder, failed);
    if (failed) return Error{fmt::format(e::kCannotWrite, folder.string(), failed.message())};
    for (const EmbeddedFile& file : embedded_stubs()) {
        if (Result<void> done = write_file(folder / file.name, file.text); !done) return done.error();
    }
    if (Result<void> done = write_file(folder / "game.lua", declared.value()); !done) return done.error();
    if (options.folder.empty() && !fs::exists(game.value() / ".luarc.json", failed)) {
        if (Result<void> done = write_file(game.value() / ".luarc.json", kEditorSettings); !done)
            return done.error();
    }
    return folder;
}

}  // namespace

int write_stubs(const StubsOptions& options) {
    const Result<fs::path> folder = written(options);
    if (!folder) return give_up(folder.error());
    print_out(fmt::format("wrote the annotations to {}\n", folder.value().string()));
    return 0;
}

void add_stubs_options(CLI::App& command, StubsOptions& options) {
    add_game(command, options.game, options.mod_folders);
    command.add_option("--to", options.folder, "Where to write; GAME_DIR/.perigee/stubs by default")
        ->type_name("DIR");
    add_risk(command, options.accepts_risk);
    command.footer(
        "\nWrites annotations that lua-language-server reads: of the engine, and of each component, event, "
        "resource and prefab of the game and its mods. Run it again when schemas change.");
}

}  // namespace perigee
