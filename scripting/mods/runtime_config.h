// What a host gives a runtime: seed, limits, and the functions that connect it to assets and data files.
//
// Invariant: plain data; the runtime copies it. Not here: what it gives for each mod (mod_config.h).
#pragma once

#include "ecs/base/entity.h"
#include "ecs/base/result.h"
#include "ecs/world/prefab.h"
#include "scripting/base/log.h"
#include "scripting/base/script_error.h"
#include "scripting/base/script_limits.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace perigee {

class SideWorld;
class World;
struct DeclarationLog;
namespace internal {
class SharedLimit;
}

/// Converts the paths of asset fields to handles and back. If both are empty, asset fields accept only nil.
struct AssetNames {
    /// The handle of a path as written in the mod's script. Errors: the path is not allowed or does not
    /// exist.
    std::function<Result<std::uint32_t>(std::string_view mod, std::string_view path)> handle_of;
    /// The path of a handle; empty for an unknown one.
    std::function<std::string(std::uint32_t handle)> path_of;
    /// Records where a script used a path, "game/main.lua:12". May be empty.
    std::function<void(std::uint32_t handle, std::string_view place)> note_place{};
};

/// The result of loading a data file: prefabs, and its top-level entities.
struct LoadedData {
    std::vector<PrefabId> prefabs;
    std::vector<Entity> entities;
};

/// Where the picture of a side world is drawn: its point 0, 0 in pixels, and its size relative to its own.
struct PicturePlace {
    float x = 0;
    float y = 0;
    float scale = 1;
};

/// Converts the text of a data file into prefabs and entities of a world. `mod` is empty for the root mod;
/// `path` is for messages. `work`: the steps that it may use; it subtracts what it uses, also on errors.
using DataLoader = std::function<Result<LoadedData>(World& world, std::string_view mod, std::string_view path,
                                                    std::string_view text, bool only_prefabs, double& work)>;

struct ScriptRuntimeConfig {
    std::uint64_t seed = 0;
    LogSink log;
    /// Called for each error of a system or an initialiser.
    std::function<void(const ScriptError&)> on_error;
    /// If true, the clock may postpone systems of a mod to later steps. False where runs must be identical on
    /// every machine; then only fuel postpones them.
    bool puts_off_by_clock = true;
    LimitsOfAllMods limits_of_all;
    bool watches_compiler = false;  ///< usage() reports what LuaJIT compiled of each mod's code
    bool is_interpreted = false;    ///< see ScriptStateConfig
    /// Compares the variables that simulation reads before and after each presentation system, and reports
    /// each change once. For development: the cost grows with the size of the mod's data.
    bool checks_presentation = false;
    AssetNames assets;
    DeclarationLog* declarations = nullptr;  ///< see declaration_log.h; must outlive the runtime
    DataLoader load_data;  ///< empty: ecs.load_prefabs and ecs.world:load report that there are no data files
    /// Places what `draw` draws meanwhile. Empty: side worlds cannot be drawn.
    std::function<void(const PicturePlace& place, const std::function<void()>& draw)> place_picture{};
    // For the runtime of a side world only (side_world.h):
    SideWorld* side = nullptr;
    internal::SharedLimit* lua_memory = nullptr;  ///< of the runtime that made it
};

}  // namespace perigee
