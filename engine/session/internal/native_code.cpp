// A name in "native" is a system of the program or a file of the game.
#include "engine/session/internal/native_code.h"

#include "engine/assets/assets.h"
#include "engine/base/error_codes.h"
#include "engine/mods/mod_manifest.h"
#include "engine/plugin/native_systems.h"
#include "engine/session/game_config.h"

#include <fmt/format.h>

#include <utility>

namespace perigee {

namespace {

namespace e = engine_errors;

bool is_file_name(std::string_view name) { return name.find('/') != name.npos || name.ends_with(".so"); }

Error of_manifest(std::string message) {
    return joined({{std::move(message), Mistake::About::manifest_key, "native"}});
}

// The file of a game's "native" entry, if it may be loaded.
Result<std::filesystem::path> native_file(const std::string& name, const GameConfig& config) {
    if (!config.allows_native_code) return of_manifest(fmt::format(e::kNativeFileRefused, name));
    if (const char* why = why_bad_path(name)) return of_manifest(fmt::format(e::kNativeFilePath, name, why));
    return config.game / name;
}

}  // namespace

Result<void> NativeCode::install(const GameConfig& config, const ModManifest& game) {
    for (const std::string& name : game.native)
        if (Result<void> installed = install_named(name, config); !installed) return installed;
    for (const std::filesystem::path& file : config.plugins)
        if (Result<void> loaded = load_plugin(file, config.log); !loaded) return loaded;
    return {};
}

Result<void> NativeCode::install_named(const std::string& name, const GameConfig& config) {
    if (is_file_name(name)) {
        const Result<std::filesystem::path> file = native_file(name, config);
        if (!file) return file.error();
        return load_plugin(file.value(), config.log);
    }
    static const NativeSystems kNone;
    const NativeSystems& native = config.native != nullptr ? *config.native : kNone;
    const Result<void> installed = native.install(name, world_, schedule_);
    const bool is_unknown = !installed && installed.error().kind == ErrorKind::not_found;
    return is_unknown ? of_manifest(installed.error().message) : installed;
}

Result<void> NativeCode::load_plugin(const std::filesystem::path& file, const LogSink& log) {
    Result<std::unique_ptr<Plugin>> plugin = Plugin::load(file, world_, schedule_, log);
    if (!plugin) return plugin.error();
    plugins_.push_back(std::move(plugin).value());
    return {};
}

}  // namespace perigee
