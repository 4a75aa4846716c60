// The order in which a game comes up, and the two things it does then: step and present.
#include "engine/session/game_session.h"

#include "ecs/base/address_space.h"
#include "ecs/base/contract.h"
#include "ecs/base/counted.h"
#include "ecs/base/error_codes.h"
#include "ecs/inspect/world_hash.h"
#include "engine/base/error_codes.h"
#include "engine/data/entity_file.h"
#include "engine/draw/text_metrics.h"
#include "engine/mods/mod_limits.h"
#include "engine/mods/mod_set.h"
#include "engine/modules/save_module.h"

#include <fmt/format.h>

#include <new>
#include <system_error>
#include <utility>

namespace perigee {

namespace {

namespace e = engine_errors;

constexpr MountId kGame = 0;
constexpr float kNoteSize = 32.0F;
constexpr std::size_t kLeastAddressSpace = std::size_t{512} << 20;

// In a manifest's "native": a plugin, and not one of the program's own systems.
bool is_file_name(std::string_view name) { return name.find('/') != name.npos || name.ends_with(".so"); }

// True if this is the schedule's message for a system that threw std::bad_alloc. The available memory does
// not depend on the game, so another run need not fail there.
bool is_out_of_memory(const SystemStatus& status) {
    return status.error == errors::system_threw(status.name, std::bad_alloc().what());
}

bool is_folder(const std::filesystem::path& path) {
    std::error_code ignored;
    return std::filesystem::is_directory(path, ignored);
}

void draw_note(Painter& painter, std::string_view note, float width, float height) {
    painter.is_screen = true;
    painter.layer = 32766;  // below the error card
    painter.blend = BlendMode::alpha;
    painter.color = pack_color(0, 0, 0, 160);
    painter.rectangle(true, 0, height / 2 - kNoteSize, width, 2 * kNoteSize);
    painter.color = kWhite;
    painter.text(note, 0, height / 2 - line_height(kNoteSize) / 2, {kNoteSize, width, TextAlign::center});
}

}  // namespace

// The parts of the engine for a mod's Lua: its own files, graphics and sounds.
struct GameSession::LoadedMod {
    LoadedMod(const AssetStore& assets, MountId mount, GfxContext gfx_context, InputContext input_context,
              AudioContext audio_context, AppContext app_context, SaveContext save_context)
        : files(assets, mount),
          gfx(std::move(gfx_context)),
          input(std::move(input_context)),
          audio(std::move(audio_context)),
          app(app_context),
          save(std::move(save_context)) {}
    AssetFileSource files;
    GfxContext gfx;
    InputContext input;
    AudioContext audio;
    AppContext app;
    SaveContext save;
};

// ---- coming up --------------------------------------------------------------------------------------------

GameSession::GameSession(GameSessionConfig config)
    : config_(std::move(config)), schedule_(world_, config_.seed) {
    schedule_.use_workers(config_.workers);
}

GameSession::~GameSession() = default;

Result<void> GameSession::expect_address_space() {
    const std::size_t left = address_space_left();
    if (left >= kLeastAddressSpace) return {};
    return Error{fmt::format(e::kNoAddressSpace, left >> 20U, kLeastAddressSpace >> 20U)};
}

Result<std::unique_ptr<GameSession>> GameSession::start(GameSessionConfig config) {
    if (Result<void> enough = expect_address_space(); !enough) return enough.error();
    std::unique_ptr<GameSession> session{new GameSession(std::move(config))};
    if (Result<void> opened = session->open_game(); !opened) return opened.error();
    session->load_game();
    return session;
}

Result<void> GameSession::open_game() {
    if (const Result<MountId> mounted = assets_.mount("game", config_.game); !mounted) return mounted.error();
    Result<ModManifest> game = read_game_manifest(assets_, config_.game);
    if (!game) return game.error();
    Result<ModSet> found = find_mods(assets_, config_.game, std::move(game).value(), config_.mod_folders);
    if (!found) return found.error();
    mods_ = std::move(found).value();
    assets_.name_game(manifest().id);
    if (!config_.settings_file.empty()) {
        Result<PlayerSettings> settings = read_player_settings(config_.settings_file);
        if (!settings) return settings.error();
        player_settings_ = std::move(settings).value();
        std::vector<std::string> ids{manifest().id};
        for (const ModCandidate& mod : mods_.mods) ids.push_back(mod.manifest.id);
        for (const std::string& mistake : choices_of_no_mod(player_settings_, ids))
            log(LogLevel::warning, mistake);
    }
    loader_.update();

    const Result<EngineComponents> declared =
        declare_engine_components(world_, manifest().width, manifest().height);
    ECS_INVARIANT(declared.ok(), "a fresh world refused the engine's components");
    components_ = declared.value();
    camera_ = {manifest().width / 2.0F, manifest().height / 2.0F, 1.0F};
    return {};
}

GameSession::LoadedMod& GameSession::add_mod(MountId mount, const std::string& id) {
    PlayerData& data = config_.player_data != nullptr ? *config_.player_data : own_data_;
    const DrawBudget budget(mount == kGame ? DrawAllowance{} : kDrawAllowanceOfMod);
    loaded_.push_back(std::make_unique<LoadedMod>(
        assets_, mount,
        GfxContext{painter_, assets_, images_, loader_, camera_, background_, mount, manifest().width,
                   manifest().height, budget},
        InputContext{actions_, input_, mount}, AudioContext{audio_, assets_, mount},
        AppContext{app_, mount == kGame}, SaveContext{data, manifest().id + "/" + id, tick_}));
    return *loaded_.back();
}

std::vector<NativeModule> GameSession::modules_of(LoadedMod& mod) {
    return {gfx_module(mod.gfx), input_module(mod.input), audio_module(mod.audio), app_module(mod.app),
            save_module(mod.save)};
}

ModConfig GameSession::game_config() {
    LoadedMod& mod = add_mod(kGame, manifest().id);
    mod_roots_.push_back({manifest().id, config_.game, kGame, !is_folder(config_.game)});
    ModConfig config;
    config.name = manifest().id;
    config.files = &mod.files;
    config.modules = modules_of(mod);
    config.settings = settings_of(manifest());
    config.limits = limits_of(manifest(), mod);
    config.is_trusted = config_.trusts_game;
    return config;
}

// The player's valid choices; the mod's defaults otherwise.
ModSettings GameSession::settings_of(const ModManifest& mod) {
    std::vector<std::string> mistakes;
    ModSettings settings = chosen_settings(mod, player_settings_, mistakes);
    for (const std::string& mistake : mistakes) log(LogLevel::warning, mistake);
    identity_ += text_of_choices(mod, settings);
    return settings;
}

ScriptLimits GameSession::limits_of(const ModManifest& mod, LoadedMod& loaded) {
    GrantedLimits granted = granted_limits(mod, player_settings_);
    loaded.app.is_allowed |= granted.may_use_app;
    loaded.save.most_bytes = granted.save_bytes;
    for (const std::string& note : granted.notes) log(LogLevel::warning, note);
    identity_ += granted.choices;
    return granted.limits;
}

// The compatible mods, in load order. Their problems so far are added to the card.
std::vector<ModConfig> GameSession::mod_configs() {
    for (const ModProblem& problem : mods_.order.problems)
        report(fmt::format(e::kModLeftOut, problem.mod), problem.text);
    std::vector<ModConfig> configs;
    for (const ModPlace& place : mods_.order.places) {
        const ModManifest& own = mods_.mods[place.mod].manifest;
        const ModSource& source = mods_.sources[place.mod];
        const Result<MountId> mounted = source.path.empty()
                                            ? assets_.mount_inside(own.id, kGame, source.folder)
                                            : assets_.mount(own.id, source.path);
        if (!mounted) {
            report(fmt::format(e::kModLeftOut, own.id), mounted.error().message);
            continue;
        }
        LoadedMod& mod = add_mod(mounted.value(), own.id);
        const std::filesystem::path root = source.path.empty() ? config_.game / source.folder : source.path;
        mod_roots_.push_back({own.id, root, mounted.value(), !is_folder(root)});
        ModConfig config;
        config.name = own.id;
        config.files = &mod.files;
        config.modules = modules_of(mod);
        config.settings = settings_of(own);
        config.limits = limits_of(own, mod);
        for (const ModReference& needed : own.depends)
            if (needed.id != manifest().id) config.uses.push_back({needed.id, true});
        for (const ModReference& liked : own.optional) config.uses.push_back({liked.id, false});
        configs.push_back(std::move(config));
    }
    loader_.update();
    return configs;
}

ScriptRuntimeConfig GameSession::scripting_config() {
    ScriptRuntimeConfig scripting;
    scripting.seed = config_.seed;
    scripting.limits_of_all = limits_of_all(player_settings_);
    scripting.log = config_.log;
    scripting.watches_compiler = config_.watches_compiler;
    scripting.puts_off_by_clock = config_.puts_off_by_clock;
    scripting.is_interpreted = config_.is_interpreted;
    scripting.checks_presentation = config_.checks_presentation;
    scripting.declarations = config_.declarations;
    scripting.on_error = [this](const ScriptError& error) { show(error); };
    scripting.assets.handle_of = [this](std::string_view mod,
                                        std::string_view path) -> Result<std::uint32_t> {
        const MountId mount =
            mod.empty() || mod == manifest().id ? kGame : assets_.find_mount(mod).value_or(kGame);
        Result<AssetHandle> handle = assets_.intern_for(mount, path);
        loader_.update();
        return handle;
    };
    scripting.assets.note_place = [this](std::uint32_t handle, std::string_view place) {
        assets_.place_missing(handle, place);
    };
    scripting.assets.path_of = [this](std::uint32_t handle) {
        return assets_.is_handle(handle) ? assets_.name_of(handle) : std::string{};
    };
    scripting.load_data = [this, names = scripting.assets](std::string_view mod, std::string_view path,
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
        Result<LoadedEntities> loaded = only_prefabs ? load_prefabs(world_, text, path, context)
                                                     : load_entities(world_, text, path, context);
        if (!loaded) return loaded.error();
        return LoadedData{std::move(loaded.value().prefabs), std::move(loaded.value().entities)};
    };
    return scripting;
}

void GameSession::note_identity() {
    const std::string chosen = std::exchange(identity_, manifest().id);
    for (const ModPlace& place : mods_.order.places) {
        const ModManifest& mod = mods_.mods[place.mod].manifest;
        if (scripts_->has_loaded(mod.id)) identity_ += fmt::format(" {}@{}", mod.id, mod.version.text());
    }
    identity_ += chosen;
}

void GameSession::load_game() {
    scripts_ = std::make_unique<ScriptRuntime>(world_, schedule_, scripting_config());
    std::vector<ModConfig> configs = mod_configs();
    configs.insert(configs.begin(), game_config());
    load_errors_ = scripts_->load(std::move(configs), [this] { return install_native(); });
    for (const ScriptError& error : load_errors_) {
        log(LogLevel::error, error.text());
        show(error);
    }
    has_loaded_ = scripts_->has_loaded(manifest().id);
    note_identity();
    if (has_loaded_ && schedule_.system_count() == 0) {
        log(LogLevel::warning, e::kNothingToDo);
        card_.notice(e::kNothingToDo);
    }

    add_extraction();
    // Errors of scripts were reported with file and line already; these are the others.
    schedule_.on_error([this](const SystemStatus& status) {
        if (is_out_of_memory(status)) mark_not_replayable(fmt::format(e::kMemoryOfSystem, status.name));
        if (scripts_->recent_errors().empty() || scripts_->recent_errors().back().system != status.name)
            report(fmt::format(e::kSystemSuspended, status.name), status.error);
    });
    if (const Result<void> ordered = schedule_.resolve_order(); !ordered) {
        report(manifest().id, ordered.error().message);
        has_loaded_ = false;
    }
    camera_ = extractor_->camera();
    report_assets();
    assets_.set_aside();
}

Result<void> GameSession::install_native() {
    static const NativeSystems kNone;
    const NativeSystems& native = config_.native != nullptr ? *config_.native : kNone;
    for (const std::string& name : manifest().native) {
        Result<void> installed;
        if (is_file_name(name)) {
            const Result<std::filesystem::path> file = native_file(name);
            if (!file) return file.error();
            installed = load_plugin(file.value());
        } else {
            installed = native.install(name, world_, schedule_);
        }
        if (!installed) return installed;
    }
    for (const std::filesystem::path& file : config_.plugins)
        if (Result<void> loaded = load_plugin(file); !loaded) return loaded;
    return {};
}

Result<void> GameSession::load_plugin(const std::filesystem::path& file) {
    Result<std::unique_ptr<Plugin>> plugin = Plugin::load(file, world_, schedule_, config_.log);
    if (!plugin) return plugin.error();
    plugins_.push_back(std::move(plugin).value());
    return {};
}

// The file of a game's "native" entry, if it may be loaded.
Result<std::filesystem::path> GameSession::native_file(const std::string& name) const {
    if (!config_.allows_native_code) return Error{fmt::format(e::kNativeFileRefused, name)};
    if (const char* why = why_bad_path(name)) return Error{fmt::format(e::kNativeFilePath, name, why)};
    return config_.game / name;
}

void GameSession::add_extraction() {
    extractor_ = std::make_unique<SpriteExtractor>(world_, components_);
    if (!extractor_->problem().empty()) report(manifest().id, extractor_->problem());
    if (extractor_->query() == nullptr) return;
    SystemDesc desc;
    desc.name = "gfx:extract";
    desc.group = kPresentation;
    desc.query = extractor_->query()->desc();
    desc.access.read = {components_.camera};
    desc.run = [this](SystemContext& context) -> Result<void> {
        extractor_->extract(images_, static_cast<float>(context.time.alpha), manifest().width,
                            manifest().height, *list_);
        return {};
    };
    const Result<SystemId> added = schedule_.add(std::move(desc));
    ECS_INVARIANT(added.ok(), added ? "" : added.error().message);
}

// ---- running ----------------------------------------------------------------------------------------------

TickTime GameSession::time_at(double alpha) const noexcept {
    return {config_.step_seconds, tick_, static_cast<double>(tick_) * config_.step_seconds, alpha};
}

void GameSession::run_group(std::string_view group, const TickTime& time) {
    // An order that cannot be resolved was reported at load; then nothing runs.
    [[maybe_unused]] const Result<void> ran = schedule_.run_group(group, time);
}

void GameSession::step(const InputFrame& input) {
    input_ = input;
    extractor_->remember();
    const TickTime time = time_at(1.0);
    run_group(kInitialization, time);
    run_group(kSimulation, time);
    run_group(kTransforms, time);
    camera_ = extractor_->camera();
    ++tick_;
    mark_not_replayable(scripts_->limit_reached());
    switch_off_failing();
}

void GameSession::present(float alpha, std::string_view note, DrawList& list) {
    list.clear();
    list.camera = extractor_->camera_between(alpha);
    list_ = &list;
    painter_.begin_frame(list, images_);
    for (const std::unique_ptr<LoadedMod>& mod : loaded_) mod->gfx.budget.begin_frame();
    assets_.set_making_picture(true);
    run_group(kPresentation, time_at(alpha));
    assets_.set_making_picture(false);
    report_undrawn();
    report_assets();
    list.background = background_;
    if (!note.empty()) draw_note(painter_, note, manifest().width, manifest().height);
    card_.draw(painter_, manifest().width, manifest().height);
    painter_.end_frame();
    list_ = nullptr;
    list.sort(images_);
}

void GameSession::mark_not_replayable(std::string_view reason) {
    if (not_replayable_.empty()) not_replayable_ = reason;
}

std::uint64_t GameSession::hash() const { return world_hash(world_); }

// ---- telling ----------------------------------------------------------------------------------------------

void GameSession::log(LogLevel level, std::string_view text) const {
    if (config_.log) config_.log({level, manifest().id, text});
}

void GameSession::show(const ScriptError& error) {
    card_.add(error);
    std::string_view calls = error.traceback;
    if (calls.ends_with('\n')) calls.remove_suffix(1);
    if (calls.find('\n') != calls.npos)
        log(LogLevel::error, calls);  // for a single line the error's position is correct
}

void GameSession::report(std::string title, std::string text) {
    log(LogLevel::error, fmt::format("{}: {}", title, text));
    card_.add(std::move(title), std::move(text));
}

// Once: a bug that makes one such position soon makes many.
void GameSession::report_undrawn() {
    const SpriteExtractor::Undrawn& undrawn = extractor_->undrawn();
    if (undrawn.count == 0 || std::exchange(has_told_undrawn_, true)) return;
    std::string text = fmt::format(e::kUndrawable, counted(undrawn.count, "sprite"), undrawn.first.index(),
                                   undrawn.first.generation());
    log(LogLevel::warning, text);
    card_.notice(std::move(text));
}

void GameSession::report_assets() {
    loader_.update();
    std::vector<std::string> reports = assets_.take_missing();
    for (std::string& report : loader_.take_reports()) reports.push_back(std::move(report));
    for (std::string& text : reports) {
        log(LogLevel::warning, text);
        card_.notice(std::move(text));
    }
}

}  // namespace perigee
