// An asset has the same handle for scripts, data files and the picture.
#include "engine/session/internal/script_config.h"

#include "engine/data/entity_file.h"
#include "engine/mods/mod_limits.h"
#include "engine/session/internal/game_files.h"
#include "engine/session/internal/session_log.h"
#include "engine/session/session_config.h"

#include <fmt/format.h>

#include <utility>

namespace perigee {

namespace {

AssetNames asset_names(GameFiles& files) {
    AssetNames names;
    names.handle_of = [&files](std::string_view mod, std::string_view path) -> Result<std::uint32_t> {
        Result<AssetHandle> handle = files.assets().intern_for(files.mount_of(mod), path);
        files.loader().update();
        return handle;
    };
    names.note_place = [&files](std::uint32_t handle, std::string_view place) {
        files.assets().set_request_place(handle, place);
    };
    names.path_of = [&assets = files.assets()](std::uint32_t handle) {
        return assets.is_handle(handle) ? assets.name_of(handle) : std::string{};
    };
    return names;
}

DataLoader data_loader(AssetNames names) {
    return [names = std::move(names)](World& world, std::string_view mod, std::string_view path,
                                      std::string_view text, bool only_prefabs,
                                      double& work) -> Result<LoadedData> {
        EntityFileContext context;
        context.mod = mod;
        context.work = &work;
        context.asset_of = [&](std::string_view asset) {
            Result<std::uint32_t> handle = names.handle_of(mod, asset);
            if (handle) names.note_place(handle.value(), fmt::format("{}/{}", mod, path));
            return handle;
        };
        Result<LoadedEntities> loaded = only_prefabs ? load_prefabs(world, text, path, context)
                                                     : load_entities(world, text, path, context);
        if (!loaded) return loaded.error();
        return LoadedData{std::move(loaded.value().prefabs), std::move(loaded.value().entities)};
    };
}

}  // namespace

ScriptRuntimeConfig script_config(const GameSessionConfig& session, GameFiles& files, SessionLog& log) {
    ScriptRuntimeConfig config;
    config.seed = session.seed;
    config.limits_of_all = limits_of_all(files.settings());
    config.log = session.log;
    config.watches_compiler = session.watches_compiler;
    config.puts_off_by_clock = session.puts_off_by_clock;
    config.is_interpreted = session.is_interpreted;
    config.checks_presentation = session.checks_presentation;
    config.declarations = session.declarations;
    config.on_error = [&log](const ScriptError& error) { log.show(error); };
    config.assets = asset_names(files);
    config.load_data = data_loader(config.assets);
    return config;
}

}  // namespace perigee
