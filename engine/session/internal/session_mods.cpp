// One set of modules for each mod: its own files, graphics and sounds.
#include "engine/session/internal/session_mods.h"

#include "engine/assets/asset_file_source.h"
#include "engine/base/error_codes.h"
#include "engine/mods/mod_limits.h"
#include "engine/modules/app_module.h"
#include "engine/modules/audio_module.h"
#include "engine/modules/gfx_animation.h"
#include "engine/modules/gfx_module.h"
#include "engine/modules/gfx_particles.h"
#include "engine/modules/input_module.h"
#include "engine/modules/save_module.h"
#include "engine/modules/world_saves.h"
#include "engine/session/internal/game_files.h"
#include "engine/session/internal/session_log.h"
#include "scripting/mods/runtime.h"

#include <fmt/format.h>

#include <utility>

namespace perigee {

namespace e = engine_errors;

namespace {

std::string save_place_of(const std::string& game, const std::string& mod) { return game + "/" + mod; }

}  // namespace

struct SessionMods::Modules {
    Modules(const AssetStore& assets, MountId mount, GfxContext gfx_context, InputContext input_context,
            AudioContext audio_context, AppContext app_context, SaveContext save_context)
        : files(assets, mount),
          gfx(std::move(gfx_context)),
          input(std::move(input_context)),
          audio(std::move(audio_context)),
          app(app_context),
          save(std::move(save_context)) {}

    std::vector<NativeModule> all() {
        NativeModule drawing = gfx_module(gfx);
        add_animation_functions(drawing);
        add_particle_functions(drawing);
        return {std::move(drawing), input_module(input), audio_module(audio), app_module(app),
                save_module(save)};
    }

    AssetFileSource files;
    GfxContext gfx;
    InputContext input;
    AudioContext audio;
    AppContext app;
    SaveContext save;
};

SessionMods::SessionMods(GameFiles& files, SharedByMods& shared, PlayerData* data,
                         std::filesystem::path pictures, SessionLog& log)
    : files_(files),
      shared_(shared),
      data_(data != nullptr ? *data : own_data_),
      pictures_(std::move(pictures)),
      log_(log) {
    shared_.particles.set_grids([&surfaces = shared_.surfaces](const ParticleCollisions& collisions) {
        const Surface* const surface = surfaces.find(collisions.grid);
        if (surface == nullptr || surface->serial != collisions.serial || surface->pixels == nullptr)
            return CollisionGrid{};
        return CollisionGrid{surface->pixels->pixels(), surface->desc.width, surface->desc.height};
    });
}

SessionMods::~SessionMods() = default;

std::vector<ModConfig> SessionMods::configs(bool trusts_game) {
    std::vector<ModConfig> all = mod_configs();
    files_.add_game_root();
    const std::string& id = files_.manifest().id;
    worlds_ = std::make_unique<WorldSaves>(data_, save_place_of(id, id), shared_.steps);
    ModConfig game = config_of(files_.manifest(), kGame);
    game.is_trusted = trusts_game;
    all.insert(all.begin(), std::move(game));
    return all;
}

std::vector<ModConfig> SessionMods::mod_configs() {
    const ModSet& mods = files_.mods();
    for (const ModProblem& problem : mods.order.problems)
        log_.report(fmt::format(e::kModLeftOut, problem.mod), problem.text);
    std::vector<ModConfig> configs;
    for (const ModPlace& place : mods.order.places) {
        const ModManifest& own = mods.mods[place.mod].manifest;
        const Result<MountId> mounted = files_.mount(place);
        if (!mounted) {
            log_.report(fmt::format(e::kModLeftOut, own.id), mounted.error().message);
            continue;
        }
        ModConfig config = config_of(own, mounted.value());
        for (const ModReference& needed : own.depends)
            if (needed.id != files_.manifest().id) config.uses.push_back({needed.id, true});
        for (const ModReference& liked : own.optional) config.uses.push_back({liked.id, false});
        configs.push_back(std::move(config));
    }
    files_.loader().update();
    return configs;
}

// The player's valid choices, and the mod's defaults for all others.
ModConfig SessionMods::config_of(const ModManifest& manifest, MountId mount) {
    Modules& modules = add_modules(mount, manifest.id);
    ModConfig config;
    config.name = manifest.id;
    config.files = &modules.files;
    config.modules = modules.all();

    std::vector<std::string> mistakes;
    config.settings = chosen_settings(manifest, files_.settings(), mistakes);
    log_.warn(mistakes);
    choices_ += text_of_choices(manifest, config.settings);

    GrantedLimits granted = granted_limits(manifest, files_.settings());
    modules.app.is_allowed |= granted.may_use_app;
    modules.gfx.may_use_shaders |= granted.may_use_shaders;
    modules.save.max_bytes = granted.save_bytes;
    log_.warn(granted.notes);
    choices_ += granted.choices;
    config.limits = granted.limits;
    return config;
}

SessionMods::Modules& SessionMods::add_modules(MountId mount, const std::string& id) {
    const ModManifest& game = files_.manifest();
    const DrawBudget budget(mount == kGame ? DrawAllowance{} : kDrawAllowanceOfMod);
    modules_.push_back(std::make_unique<Modules>(
        files_.assets(), mount,
        GfxContext{shared_.painter, files_.assets(), files_.images(), files_.loader(), shared_.surfaces,
                   shared_.camera, shared_.background, mount, shared_.screen, budget},
        InputContext{shared_.actions, shared_.input, mount},
        AudioContext{shared_.audio, files_.assets(), mount}, AppContext{shared_.app, mount == kGame},
        SaveContext{data_, save_place_of(game.id, id), shared_.steps}));
    GfxContext& gfx = modules_.back()->gfx;
    gfx.clips = &shared_.clips;
    gfx.particles = &shared_.particles;
    gfx.fonts = &files_.fonts();
    gfx.layers = &shared_.layers;
    gfx.layer_maker.home_x = game.width / 2.0F;
    gfx.layer_maker.home_y = game.height / 2.0F;
    gfx.views = &shared_.views;
    gfx.shaders = &shared_.shaders;
    gfx.picture_effect = &shared_.picture_effect;
    gfx.may_use_shaders = mount == kGame;
    if (mount != kGame) gfx.preset_maker.prefix = gfx.font_maker.prefix = gfx.layer_maker.prefix = id + ":";
    if (!pictures_.empty()) gfx.pictures = pictures_ / save_place_of(game.id, id) / "pictures";
    if (mount == kGame) modules_.back()->save.worlds = worlds_.get();
    return *modules_.back();
}

std::string SessionMods::identity(const ScriptRuntime& scripts) const {
    std::string identity = files_.manifest().id;
    for (const ModPlace& place : files_.mods().order.places) {
        const ModManifest& mod = files_.mods().mods[place.mod].manifest;
        if (scripts.has_loaded(mod.id)) identity += fmt::format(" {}@{}", mod.id, mod.version.text());
    }
    return identity + choices_;
}

void SessionMods::end_load_of_layers(const std::vector<std::string>& loaded) {
    std::vector<std::string> prefixes;
    for (const std::string& mod : loaded) prefixes.push_back(mod == files_.manifest().id ? "" : mod + ":");
    shared_.layers.end_load(prefixes);
}

void SessionMods::begin_frame() noexcept {
    for (const std::unique_ptr<Modules>& mod : modules_) {
        GfxContext& gfx = mod->gfx;
        gfx.owes_refusal = gfx.budget.is_used_up() && !gfx.knows_refusal;
        gfx.knows_refusal = false;
        gfx.budget.begin_frame();
    }
}

}  // namespace perigee
