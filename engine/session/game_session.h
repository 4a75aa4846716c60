// GameSession: one run of a game, from its first step to its restart: files, world, schedule and scripts.
//
// Invariant: a session depends only on the game's files, the seed and its InputFrames. A game whose scripts
// fail to load is a session too: it shows its errors and waits for a restart. A mod that cannot load is left
// out, its errors are shown on the card, and the game continues. A session knows no wall clock and no
// recording files; Engine does.
#pragma once

#include "ecs/base/result.h"
#include "ecs/schedule/schedule.h"
#include "ecs/world/world.h"
#include "engine/assets/asset_file_source.h"
#include "engine/assets/assets.h"
#include "engine/assets/image_loader.h"
#include "engine/assets/image_table.h"
#include "engine/audio/audio.h"
#include "engine/draw/components.h"
#include "engine/draw/draw_list.h"
#include "engine/draw/error_card.h"
#include "engine/draw/extract.h"
#include "engine/draw/painter.h"
#include "engine/input/input.h"
#include "engine/mods/mod_set.h"
#include "engine/mods/player_settings.h"
#include "engine/modules/app_module.h"
#include "engine/modules/audio_module.h"
#include "engine/modules/gfx_module.h"
#include "engine/modules/input_module.h"
#include "engine/plugin/native_systems.h"
#include "engine/plugin/plugin.h"
#include "engine/save/player_data.h"
#include "scripting/mods/runtime.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace perigee {

class WorkerPool;
struct DeclarationLog;

struct GameSessionConfig {
    std::filesystem::path game;  ///< folder or zip archive
    std::uint64_t seed = 0;
    double step_seconds = 1.0 / 60.0;
    const NativeSystems* native = nullptr;           ///< must outlive the session; may be null
    std::vector<std::filesystem::path> mod_folders;  ///< contain mods besides the game's own
    std::filesystem::path settings_file;             ///< the player's choices for mods; empty: none
    bool watches_compiler = false;                   ///< see ScriptRuntimeConfig
    bool puts_off_by_clock = true;                   ///< the same
    bool is_interpreted = false;                     ///< see ScriptStateConfig
    bool checks_presentation = false;                ///< see ScriptRuntimeConfig
    bool trusts_game = false;                        ///< the game, not its mods, may use all of Lua
    std::vector<std::filesystem::path> plugins;      ///< native code named by the user
    bool allows_native_code = false;         ///< "native" in mod.json may name files of the game's folder
    LogSink log;                             ///< may be empty
    WorkerPool* workers = nullptr;           ///< must outlive the session; null: everything runs on the
                                             ///< caller
    PlayerData* player_data = nullptr;       ///< must outlive the session; null: the session keeps its own in
                                             ///< memory
    DeclarationLog* declarations = nullptr;  ///< for inspection only (scripting/check/declaration_log.h);
                                             ///< must outlive the session
};

class GameSession {
public:
    /// Fails when a limit of the process (ulimit -v) leaves less address space than a game needs.
    static Result<void> expect_address_space();
    /// Errors: those of expect_address_space; the game cannot be read; its mod.json is invalid. Errors in
    /// scripts are not errors here: see error_count().
    static Result<std::unique_ptr<GameSession>> start(GameSessionConfig config);
    ~GameSession();
    GameSession(const GameSession&) = delete;
    GameSession& operator=(const GameSession&) = delete;

    /// One fixed step: the groups initialization and simulation.
    void step(const InputFrame& input);

    /// Draws the frame at `alpha` between the previous step and the last one: runs the group presentation,
    /// then sorts. `note` (may be empty) is shown in the middle of the screen: "paused".
    void present(float alpha, std::string_view note, DrawList& list);

    /// Reloads saved files: code, schemas, images and sounds of the mod they belong to. Other files are
    /// ignored. See docs/modding.md, "Editing while it runs". Expects: between steps.
    void reload(const std::vector<std::filesystem::path>& saved);
    /// Folders and archives that the session reads from, to be watched for changes.
    std::vector<std::filesystem::path> roots() const;
    /// Grows when the contents of an image or sound have changed; caches by handle must be cleared.
    std::uint32_t asset_number() const noexcept { return asset_number_; }
    /// The contents of the error card, as text.
    std::string errors_as_text() const { return card_.text(); }

    std::uint64_t tick() const noexcept { return tick_; }
    std::uint64_t hash() const;
    /// Errors of scripts and native systems since the start.
    std::uint64_t error_count() const noexcept { return card_.error_count(); }
    /// True if the game itself has loaded; failed mods are only listed among the errors.
    bool has_loaded() const noexcept { return has_loaded_; }
    /// All errors found while loading scripts.
    const std::vector<ScriptError>& load_errors() const noexcept { return load_errors_; }
    /// Identifies the game: its id, and each loaded mod with its version.
    const std::string& identity() const noexcept { return identity_; }

    /// Why a replay of this session may end with another world; empty if there is no reason. Reasons are a
    /// memory limit, a clock or a kill that changed what a script did.
    const std::string& not_replayable() const noexcept { return not_replayable_; }
    /// Called by code that enforces such a limit; the first reason is kept. Shape: "the clock limit of mod
    /// 'swarm'".
    void mark_not_replayable(std::string_view reason);

    const ModManifest& manifest() const noexcept { return mods_.game; }
    const ModSet& mods() const noexcept { return mods_; }
    const AssetStore& assets() const noexcept { return assets_; }
    const ImageTable& images() const noexcept { return images_; }
    AudioQueue& audio() noexcept { return audio_; }
    AppRequests& app() noexcept { return app_; }
    ActionMap& actions() noexcept { return actions_; }
    World& world() noexcept { return world_; }
    Schedule& schedule() noexcept { return schedule_; }
    ScriptRuntime& scripts() noexcept { return *scripts_; }

private:
    explicit GameSession(GameSessionConfig config);
    Result<void> open_game();
    void load_game();
    void add_extraction();
    struct LoadedMod;
    /// The location of a mod's files.
    struct ModRoot {
        std::string mod;
        std::filesystem::path path;
        MountId mount;
        bool is_archive = false;
    };
    const ModRoot* root_of(const std::filesystem::path& file) const;
    void reload_mod(const std::string& mod);
    void switch_off_failing();
    ScriptRuntimeConfig scripting_config();
    LoadedMod& add_mod(MountId mount, const std::string& id);
    ModConfig game_config();
    ModSettings settings_of(const ModManifest& mod);
    ScriptLimits limits_of(const ModManifest& mod, LoadedMod& loaded);
    static std::vector<NativeModule> modules_of(LoadedMod& mod);
    std::vector<ModConfig> mod_configs();
    void note_identity();
    Result<void> install_native();
    Result<void> load_plugin(const std::filesystem::path& file);
    Result<std::filesystem::path> native_file(const std::string& name) const;
    void run_group(std::string_view group, const TickTime& time);
    void show(const ScriptError& error);
    void report(std::string title, std::string text);
    void report_assets();
    void report_undrawn();
    void log(LogLevel level, std::string_view text) const;
    TickTime time_at(double alpha) const noexcept;

    GameSessionConfig config_;
    ModSet mods_;
    AssetStore assets_;
    ImageTable images_;
    ImageLoader loader_{assets_, images_};
    AudioQueue audio_;
    AppRequests app_;
    MemoryData own_data_;
    ActionMap actions_;
    InputFrame input_;
    Painter painter_;
    PackedColor background_ = pack_color(0, 0, 0);
    DrawCamera camera_;  // as the last step left it
    ErrorCard card_;
    std::vector<std::unique_ptr<LoadedMod>> loaded_;
    std::vector<ModRoot> mod_roots_;
    std::uint32_t asset_number_ = 0;

    World world_;
    EngineComponents components_;
    Schedule schedule_;
    std::vector<std::unique_ptr<Plugin>> plugins_;
    std::unique_ptr<SpriteExtractor> extractor_;
    DrawList* list_ = nullptr;  // of the frame being presented
    std::unique_ptr<ScriptRuntime> scripts_;
    bool has_loaded_ = false;
    std::vector<ScriptError> load_errors_;
    PlayerSettings player_settings_;
    std::string identity_;
    std::string not_replayable_;
    bool has_told_undrawn_ = false;
    std::uint64_t tick_ = 0;
};

}  // namespace perigee
