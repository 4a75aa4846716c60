// Checks the manifests, then the declarations, then the source; each step reports its findings and continues
// with the next.
#include "game/commands/check.h"

#include "ecs/base/color_text.h"
#include "ecs/base/counted.h"
#include "ecs/schedule/schedule.h"
#include "ecs/world/world.h"
#include "engine/assets/asset_file_source.h"
#include "engine/assets/assets.h"
#include "engine/base/json_place.h"
#include "engine/draw/color.h"
#include "engine/input/input_code.h"
#include "engine/mods/mod_manifest.h"
#include "engine/mods/mod_set.h"
#include "engine/plugin/native_systems.h"
#include "engine/session/game_session.h"
#include "game/commands/check_perf.h"
#include "game/commands/internal/embedded_stubs.h"
#include "game/program/command_output.h"
#include "game/program/error_codes.h"
#include "game/program/exit_status.h"
#include "game/program/game_folder.h"
#include "game/program/native_systems.h"
#include "game/program/shared_options.h"
#include "scripting/check/api_table.h"
#include "scripting/check/declaration_log.h"
#include "scripting/lua/reserved_names.h"
#include "scripting/mods/runtime.h"
#include "scripting/sandbox/state.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <utility>

namespace perigee {

namespace fs = std::filesystem;
namespace e = game_errors;

namespace {

constexpr std::string_view kTestStubs = "test.lua";  ///< only files of tests call these

fs::path parent_of(const fs::path& folder) {
    std::error_code ignored;
    return fs::weakly_canonical(folder, ignored).parent_path();
}

// The game whose mods/ contains this folder; empty if there is none.
fs::path game_around(const fs::path& folder) {
    const fs::path mods = parent_of(folder);
    std::error_code ignored;
    const bool is_there =
        mods.filename() == "mods" && fs::is_regular_file(mods.parent_path() / "main.lua", ignored);
    return is_there ? mods.parent_path() : fs::path();
}

// Only mods need others.
bool is_of_mod(const fs::path& folder, const ModManifest& manifest) {
    return !manifest.depends.empty() || !manifest.optional.empty() || !game_around(folder).empty();
}

// Findings for a mod, when all errors of its game are known.
std::vector<CheckFinding> only_below(const fs::path& folder, const fs::path& game,
                                     std::vector<CheckFinding> all) {
    std::error_code ignored;
    const fs::path inside = fs::weakly_canonical(folder, ignored);
    std::vector<CheckFinding> findings{
        {Severity::note, folder.string(), 0, fmt::format(e::kCheckedWithGame, game.string())}};
    for (CheckFinding& finding : all) {
        const fs::path place = fs::path(finding.file).lexically_relative(inside);
        if (place.empty() || place.string().starts_with("..")) continue;
        finding.file = (folder / place).lexically_normal().string();
        findings.push_back(std::move(finding));
    }
    return findings;
}

bool is_hidden(std::string_view path) { return path.starts_with('.') || path.find("/.") != path.npos; }

class GameCheck {
public:
    GameCheck(fs::path game, const CheckOptions& options) : game_(std::move(game)), options_(options) {}

    Result<std::vector<CheckFinding>> run() {
        if (Result<MountId> mounted = assets_.mount("game", game_); !mounted) return mounted.error();
        const ParsedManifest parsed = parse_game_manifest(assets_, game_);
        const ModManifest& game = parsed.manifest;
        if (!parsed.mistakes.empty()) {
            for (const ManifestMistake& mistake : parsed.mistakes) about_manifest(game_, mistake);
            root_ = default_manifest(game_.filename().string()).id;
            add_files(assets_, 0, root_);
            add_syntax();
            return std::move(findings_);
        }
        root_ = game.id;
        if (is_of_mod(game_, game)) {
            find(Severity::error, (game_ / kManifestFile).string(), 0,
                 fmt::format(e::kIsMod, parent_of(game_).string()));
            add_files(assets_, 0, root_);
            add_syntax();
            return std::move(findings_);
        }
        Result<ModSet> set = find_mods(game_, options_.mod_folders);
        if (!set) return set.error();
        check_manifests(set.value());
        const Result<void> loaded = load();
        if (!loaded) return loaded.error();
        return std::move(findings_);
    }

private:
    void find(Severity severity, std::string file, int line, std::string message) {
        findings_.push_back({severity, std::move(file), line, std::move(message)});
    }

    // ---- places ----

    fs::path folder_of(const std::string& mod) const {
        const auto found = folders_.find(mod);
        return found == folders_.end() ? game_ : found->second;
    }

    void about_manifest(const fs::path& folder, const ManifestMistake& mistake) {
        // Broken JSON has its line and column already: "mod.json:3:5".
        if (mistake.place_bytes > kManifestFile.size())
            return find(Severity::error, (folder / mistake.place()).string(), 0,
                        std::string(mistake.message()));
        const Result<std::string> json = DirectorySource{folder}.read(kManifestFile);
        const int line = json ? line_of_path(json.value(), mistake.path) : 0;
        find(Severity::error, (folder / kManifestFile).string(), line, std::string(mistake.message()));
    }

    // ---- manifests ----

    void check_manifests(const ModSet& set) {
        for (std::size_t i = 0; i < set.mods.size(); ++i) {
            const ModSource& source = set.sources[i];
            const fs::path folder = source.path.empty() ? game_ / source.folder : source.path;
            folders_.try_emplace(set.mods[i].manifest.id, folder);
            for (const auto* list : {&set.mods[i].manifest.depends, &set.mods[i].manifest.optional})
                for (const ModReference& used : *list) uses_[set.mods[i].manifest.id].push_back(used.id);
        }
        for (const ModProblem& problem : set.order.problems) about_manifest(folder_of(problem.mod), problem);
    }

    // ---- declarations ----

    Result<void> load() {
        const NativeSystems native = native_systems();
        GameSessionConfig config;
        config.game = game_;
        config.native = &native;
        config.mod_folders = options_.mod_folders;
        config.allows_native_code = options_.allows_native_code;
        config.trusts_game = options_.trusts_game;
        config.declarations = &declarations_;
        config.log = [this](const LogEntry& entry) {
            if (entry.level == LogLevel::warning) warnings_.emplace_back(entry.text);
        };
        Result<std::unique_ptr<GameSession>> started = GameSession::start(std::move(config));
        if (!started) return started.error();
        GameSession& session = *started.value();
        if (const ScriptState* const state = session.scripts().state(root_))
            reserved_ = state->reserved_names();
        add_files(session.assets(), 0, root_);
        for (const ModPlace& place : session.mods().order.places) {
            const std::string& id = session.mods().mods[place.mod].manifest.id;
            if (const auto mount = session.assets().find_mount(id)) add_files(session.assets(), *mount, id);
        }
        add_syntax();
        const bool is_ordered = add_order(session.schedule());
        add_sources(session, is_ordered);
        for (CodeFinding& finding : declarations_.findings)
            add(finding.is_note ? Severity::note : Severity::warning, finding.mod, finding.file, finding.line,
                std::move(finding.message));
        add_load_errors(session.load_errors());
        for (std::string& text : warnings_) find(Severity::warning, game_.string(), 0, std::move(text));
        sort();
        return {};
    }

    void add_files(const AssetStore& assets, MountId mount, const std::string& mod) {
        const Result<std::vector<std::string>> files = assets.list(mount, "");
        if (!files) return find(Severity::warning, game_.string(), 0, files.error().message);
        for (const std::string& path : files.value()) {
            const bool is_mods = mod == root_ && path.starts_with("mods/");
            if (!path.ends_with(".lua") || is_hidden(path) || is_mods) continue;
            Result<std::string> text = assets.read(mount, path);
            if (text) files_.push_back({mod, path, std::move(text).value()});
        }
    }

    void add_syntax() {
        for (const SourceFile& file : files_) {
            const std::string why = why_reserved(file.path, reserved_);
            if (!why.empty()) add(Severity::error, file.mod, file.path, 0, why);
            const std::optional<ScriptError> error = check_syntax(file);
            if (error) add(Severity::error, file.mod, file.path, error->line, error->message);
        }
    }

    bool add_order(Schedule& schedule) {
        const Result<void> ordered = schedule.resolve_order();
        if (ordered) return true;
        for (const Mistake& mistake : ordered.error().mistakes) add_unplaced(root_, mistake);
        return false;
    }

    void add_sources(GameSession& session, bool is_ordered) {
        const std::vector<UnorderedWrites> unordered =
            is_ordered ? session.schedule().unordered_writes() : std::vector<UnorderedWrites>{};
        ApiTable api;
        for (const EmbeddedFile& file : embedded_stubs())
            if (file.name != kTestStubs) api.read(file.text);
        SourceContext context{session.world(),
                              session.schedule(),
                              declarations_,
                              root_,
                              unordered,
                              [this](std::string_view mod, std::string_view other) {
                                  const auto found = uses_.find(mod);
                                  return found != uses_.end() &&
                                         std::ranges::find(found->second, other) != found->second.end();
                              }};
        context.api = &api;
        context.globals = library_globals();
        if (options_.trusts_game) context.trusted_globals = library_globals(true);
        context.refusal = [&](std::string_view mod, std::string_view type, std::string_view text) {
            return refusal_of(session, mod, type, text);
        };
        for (SourceFinding& finding : check_sources(context, files_)) {
            add(finding.severity, finding.mod, finding.file, finding.line, finding.text());
        }
    }

    // Why a text in the source is not a valid colour, path or control.
    static std::string refusal_of(GameSession& session, std::string_view mod, std::string_view type,
                                  std::string_view text) {
        if (type == "perigee.Color") return color_from_text(text) ? std::string() : why_no_color(text);
        if (type == "perigee.Action") return why_no_control(text);
        if (type != "perigee.ImagePath" && type != "perigee.AssetPath") return {};
        const std::optional<MountId> asking = session.assets().find_mount(mod);
        return session.assets().why_missing(asking.value_or(MountId{0}), text);
    }

    // The error that stopped loading is often also a finding of the source check.
    void add_load_errors(const std::vector<ScriptError>& errors) {
        for (const ScriptError& error : errors) {
            if (error.file.empty()) {
                for (const Mistake& mistake : error.mistakes) add_unplaced(error.mod, mistake);
                if (error.mistakes.empty()) add_unplaced(error.mod, {error.message});
                continue;
            }
            const std::string file = (folder_of(error.mod) / error.file).string();
            const bool is_known = std::ranges::any_of(findings_, [&](const CheckFinding& known) {
                return known.severity == Severity::error && known.file == file && known.line == error.line;
            });
            if (!is_known) add(Severity::error, error.mod, error.file, error.line, error.message);
        }
    }

    // An order that cannot be resolved is an error of the mod that loads, and of the whole schedule.
    void add_unplaced(const std::string& mod, const Mistake& mistake) {
        if (mistake.about == Mistake::About::manifest_key)
            return about_manifest(folder_of(mod), {mistake.message, mistake.name, kManifestFile.size()});
        CheckFinding finding{Severity::error, folder_of(mod).string(), 0, mistake.message};
        const auto system = std::ranges::find_if(declarations_.systems, [&](const DeclaredSystem& declared) {
            return mistake.about == Mistake::About::system && declared.desc.name == mistake.name &&
                   !declared.file.empty();
        });
        if (system != declarations_.systems.end()) {
            finding.file = (folder_of(system->mod) / system->file).string();
            finding.line = system->line;
        }
        if (std::ranges::find(findings_, finding) == findings_.end()) findings_.push_back(std::move(finding));
    }

    void add(Severity severity, const std::string& mod, const std::string& file, int line,
             std::string message) {
        find(severity, (folder_of(mod) / file).string(), line, std::move(message));
    }

    void sort() {
        std::ranges::stable_sort(findings_, {}, [](const CheckFinding& finding) {
            return std::pair{std::string_view(finding.file), finding.line};
        });
    }

    fs::path game_;
    const CheckOptions& options_;
    std::string root_;
    AssetStore assets_;
    std::map<std::string, fs::path> folders_;
    std::map<std::string, std::vector<std::string>, std::less<>> uses_;
    DeclarationLog declarations_;
    std::vector<SourceFile> files_;
    std::vector<std::string> reserved_;  ///< names that no top-level file of a mod may have
    std::vector<std::string> warnings_;
    std::vector<CheckFinding> findings_;
};

std::string line_of(const CheckFinding& finding) {
    constexpr const char* kWords[] = {"", "warning: ", "note: "};
    const std::string place =
        finding.line > 0 ? fmt::format("{}:{}", finding.file, finding.line) : finding.file;
    return fmt::format("{}: {}{}\n", place, kWords[static_cast<int>(finding.severity)], finding.message);
}

}  // namespace

Result<std::vector<CheckFinding>> find_mistakes(const CheckOptions& options) {
    Result<fs::path> game = find_game(options.game, source_trees());
    if (!game) return game.error();
    if (const fs::path around = game_around(game.value()); !around.empty()) {
        Result<std::vector<CheckFinding>> all = GameCheck(around, options).run();
        if (!all) return all.error();
        return only_below(game.value(), around, std::move(all).value());
    }
    return GameCheck(std::move(game).value(), options).run();
}

int check(const CheckOptions& options) {
    const Result<std::vector<CheckFinding>> found = find_mistakes(options);
    if (!found) return give_up(found.error());
    std::size_t count[3] = {};
    for (const CheckFinding& finding : found.value()) {
        print_out(line_of(finding));
        ++count[static_cast<int>(finding.severity)];
    }
    print_out(fmt::format(e::kChecked, counted(count[0], "error"), counted(count[1], "warning"),
                          counted(count[2], "note")));
    if (count[0] + count[1] != 0) return kExitFailed;
    if (!options.measures) return kExitDone;
    const Result<bool> fast = check_performance(options);
    if (!fast) return give_up(fast.error());
    return fast.value() ? kExitDone : kExitFailed;
}

void add_check_options(CLI::App& command, CheckOptions& options) {
    add_game(command, options.game, options.mod_folders);
    command.add_flag("--allow-native", options.allows_native_code,
                     "Load the native plugins that the game's mod.json names, for what they declare");
    command.add_flag("--trusted", options.trusts_game,
                     "The game needs run --trusted: it may use all of Lua, also during the check");
    command.add_flag(
        "--perf", options.measures,
        "If there are no errors, run 600 steps and report what each mod costs and what LuaJIT cannot "
        "compile");
    add_compiler(command, options.is_interpreted);
    add_risk(command, options.accepts_risk);
    command.footer(
        "\nPrints a line for each finding, FILE:LINE: MESSAGE. schema.lua and main.lua are loaded for their "
        "declarations; no function of a system is called.\nExit status: 0 nothing or only notes found, else "
        "1.");
}

}  // namespace perigee
