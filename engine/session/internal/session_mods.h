// The game and its mods as scripts load them: from manifests and the player's settings to configurations, and
// the modules of the engine that each of them may use.
//
// Invariant: a mod's modules outlive its scripts. What a mod may read, draw and save depends on its own
// manifest and on the player's settings. Not here: loading (scripting/mods/runtime.h).
#pragma once

#include "engine/assets/assets.h"
#include "engine/audio/audio.h"
#include "engine/draw/color.h"
#include "engine/draw/draw_list.h"
#include "engine/draw/layers/layer_table.h"
#include "engine/draw/painter.h"
#include "engine/extract/animation_clips.h"
#include "engine/extract/particles.h"
#include "engine/extract/views.h"
#include "engine/input/input.h"
#include "engine/modules/app_requests.h"
#include "engine/save/player_data.h"
#include "engine/shaders/shader_table.h"
#include "engine/surfaces/surface_table.h"
#include "scripting/mods/mod_config.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace perigee {

class GameFiles;
class ScriptRuntime;
class SessionLog;
class WorldSaves;
struct ModManifest;

/// The state that the modules of all mods share.
struct SharedByMods {
    AudioQueue audio;
    AppRequests app;
    ActionMap actions;
    StepInput input;    ///< of the current step
    ScreenSize screen;  ///< of the step or the picture that runs or ran last
    Painter painter;
    AnimationClips clips;
    Particles particles;
    SurfaceTable surfaces;
    ShaderTable shaders;
    LayerTable layers;
    PackedColor background = pack_color(0, 0, 0);
    ShaderId picture_effect = 0;  ///< 0: none
    DrawCamera camera;            ///< as the last step left it
    ViewTable views;
    std::uint64_t tick = 0;   ///< of the world, so loading an earlier one sets it back
    std::uint64_t steps = 0;  ///< since the start of the session
};

class SessionMods {
public:
    /// Lifetime: all must outlive it. `data` null: saved data is kept in memory. `pictures`: see
    /// GameSessionConfig::picture_folder.
    SessionMods(GameFiles& files, SharedByMods& shared, PlayerData* data, std::filesystem::path pictures,
                SessionLog& log);
    ~SessionMods();
    SessionMods(const SessionMods&) = delete;
    SessionMods& operator=(const SessionMods&) = delete;

    /// The game, then the mods in load order. Mods that cannot be read are reported and left out.
    std::vector<ModConfig> configs(bool trusts_game);
    /// The game's id, each loaded mod with its version, and what the player chose.
    std::string identity(const ScriptRuntime& scripts) const;

    /// After a reload: the layers of these mods, or of the game, are those that they have declared again.
    void end_load_of_layers(const std::vector<std::string>& loaded);

    /// The saved worlds that the game asked for.
    WorldSaves& worlds() noexcept { return *worlds_; }

    /// Called before each frame: resets the drawing budget of each mod.
    void begin_frame() noexcept;

private:
    struct Modules;
    std::vector<ModConfig> mod_configs();
    ModConfig config_of(const ModManifest& manifest, MountId mount);
    Modules& add_modules(MountId mount, const std::string& id);

    GameFiles& files_;
    SharedByMods& shared_;
    MemoryData own_data_;
    PlayerData& data_;
    std::filesystem::path pictures_;
    SessionLog& log_;
    std::unique_ptr<WorldSaves> worlds_;
    std::vector<std::unique_ptr<Modules>> modules_;
    std::string choices_;  ///< of the player, as part of the identity
};

}  // namespace perigee
