// From the manifests to the declarations to the source; each step says what it finds and lets the next one go
// on.
#include "game/check.h"

#include "ecs/counted.h"
#include "ecs/schedule.h"
#include "engine/asset_file_source.h"
#include "engine/game_session.h"
#include "engine/mod_set.h"
#include "game/check_perf.h"
#include "game/command_output.h"
#include "game/error_codes.h"
#include "game/exit_status.h"
#include "game/game_folder.h"
#include "game/json_place.h"
#include "game/native_systems.h"
#include "scripting/declaration_log.h"

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

constexpr char kManifest[] = "mod.json";

std::vector<std::string> lines_of(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        const std::string_view line = text.substr(0, end);
        // What is set in belongs to the line before.
        if (line.starts_with(' ') && !lines.empty()) {
            lines.back() += "\n" + std::string(line);
        } else {
            lines.emplace_back(line);
        }
        text = end == text.npos ? std::string_view{} : text.substr(end + 1);
    }
    return lines;
}

bool is_hidden(std::string_view path) { return path.starts_with('.') || path.find("/.") != path.npos; }

class GameCheck {
public:
    GameCheck(fs::path game, const CheckOptions& options) : game_(std::move(game)), options_(options) {}

    Result<std::vector<CheckFinding>> run() {
        if (Result<MountId> mounted = assets_.mount("game", game_); !mounted) return mounted.error();
        const Result<ModManifest> game = read_game_manifest(assets_, game_);
        if (!game) {
            for (const std::string& mistake : lines_of(game.error().message)) about_manifest(game_, mistake);
            root_ = default_manifest(game_.filename().string()).id;
            add_files(assets_, 0, root_);
            add_syntax();
            return std::move(findings_);
        }
        root_ = game.value().id;
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

    void about_manifest(const fs::path& folder, std::string message) {
        const fs::path file = folder / kManifest;
        const Result<std::string> json = DirectorySource{folder}.read(kManifest);
        if (message.starts_with("mod.json: ")) message.erase(0, std::string_view("mod.json: ").size());
        const int line = json ? line_of_mistake(json.value(), message) : 0;
        find(Severity::error, file.string(), line, std::move(message));
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
        for (const ModProblem& problem : set.order.problems) {
            const std::vector<std::string> mistakes = lines_of(problem.text);
            for (const std::string& mistake : mistakes) about_manifest(folder_of(problem.mod), mistake);
        }
    }

    // ---- declarations ----

    Result<void> load() {
        const NativeSystems native = native_systems();
        GameSessionConfig config;
        config.game = game_;
        config.native = &native;
        config.mod_folders = options_.mod_folders;
        config.allows_native_code = options_.allows_native_code;
        config.declarations = &declarations_;
        config.log = [this](const LogEntry& entry) {
            if (entry.level == LogLevel::warning) warnings_.emplace_back(entry.text);
        };
        Result<std::unique_ptr<GameSession>> started = GameSession::start(std::move(config));
        if (!started) return started.error();
        GameSession& session = *started.value();
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
            const std::optional<ScriptError> error = check_syntax(file);
            if (error) add(Severity::error, file.mod, file.path, error->line, error->message);
        }
    }

    bool add_order(Schedule& schedule) {
        const Result<void> ordered = schedule.resolve_order();
        if (ordered) return true;
        for (const std::string& mistake : lines_of(ordered.error().message)) add_unplaced(root_, mistake);
        return false;
    }

    void add_sources(GameSession& session, bool is_ordered) {
        const std::vector<UnorderedWrites> unordered =
            is_ordered ? session.schedule().unordered_writes() : std::vector<UnorderedWrites>{};
        const SourceContext context{session.world(),
                                    session.schedule(),
                                    declarations_,
                                    root_,
                                    unordered,
                                    [this](std::string_view mod, std::string_view other) {
                                        const auto found = uses_.find(mod);
                                        return found != uses_.end() &&
                                               std::ranges::find(found->second, other) != found->second.end();
                                    }};
        for (SourceFinding& finding : check_sources(context, files_)) {
            add(finding.severity, finding.mod, finding.file, finding.line, std::move(finding.message));
        }
    }

    // What loading stopped at is often what reading the source found as well.
    void add_load_errors(const std::vector<ScriptError>& errors) {
        for (const ScriptError& error : errors) {
            if (error.file.empty()) {
                for (const std::string& mistake : lines_of(error.message)) add_unplaced(error.mod, mistake);
                continue;
            }
            const std::string file = (folder_of(error.mod) / error.file).string();
            const bool is_known = std::ranges::any_of(findings_, [&](const CheckFinding& known) {
                return known.severity == Severity::error && known.file == file && known.line == error.line;
            });
            if (!is_known) add(Severity::error, error.mod, error.file, error.line, error.message);
        }
    }

    // A message without a place names a system, as a rule.
    void add_unplaced(const std::string& mod, const std::string& message) {
        const DeclaredSystem* best = nullptr;
        std::size_t best_at = message.npos;
        for (const DeclaredSystem& system : declarations_.systems) {
            const std::string& name = system.desc.name;
            const std::size_t at =
                std::min(message.find("'" + name + "'"), message.find(": " + name + " -> "));
            if (at >= best_at || system.file.empty()) continue;
            best = &system;
            best_at = at;
        }
        for (const CheckFinding& known : findings_)
            if (known.message == message) return;
        if (best != nullptr) {
            add(Severity::error, best->mod, best->file, best->line, message);
        } else if (message.starts_with("mod.json")) {
            about_manifest(folder_of(mod), message);
        } else {
            find(Severity::error, folder_of(mod).string(), 0, message);
        }
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

}  // namespace perigee
