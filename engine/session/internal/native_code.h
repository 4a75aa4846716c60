// The native code of one session: systems of the program that the game names, and plugins.
//
// Invariant: a plugin is loaded only if the user named it, or allowed the game to name files of its folder.
// Not here: what a plugin may do (engine/plugin/plugin.h).
#pragma once

#include "ecs/base/result.h"
#include "engine/plugin/plugin.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace perigee {

struct GameConfig;
struct ModManifest;

class NativeCode {
public:
    /// Lifetime: both must outlive it.
    NativeCode(World& world, Schedule& schedule) : world_(world), schedule_(schedule) {}

    /// Adds the systems that the game's mod.json names under "native", and the host's plugins.
    /// Errors: the first one; what was added before stays.
    Result<void> install(const GameConfig& config, const ModManifest& game);

private:
    Result<void> install_named(const std::string& name, const GameConfig& config);
    Result<void> load_plugin(const std::filesystem::path& file, const LogSink& log);

    World& world_;
    Schedule& schedule_;
    std::vector<std::unique_ptr<Plugin>> plugins_;
};

}  // namespace perigee
