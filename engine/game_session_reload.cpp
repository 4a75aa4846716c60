// What a saved file means for a session that goes on.
#include "ecs/contract.h"
#include "engine/error_codes.h"
#include "engine/game_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

namespace perigee {

namespace {

namespace e = engine_errors;

// The way from a root to a file, with '/'; nothing when it does not lie below.
std::optional<std::string> way_to(const std::filesystem::path& root, const std::filesystem::path& file) {
    const std::string way =
        file.lexically_normal().lexically_relative(root.lexically_normal()).generic_string();
    if (way.empty() || way == ".." || way.starts_with("../")) return std::nullopt;
    return way;
}

// Files of a mod that its code does not consist of.
bool is_aside(std::string_view way) {
    return way.starts_with("tests/") || way.starts_with("mods/") || way.starts_with("assets/");
}

}  // namespace

std::vector<std::filesystem::path> GameSession::roots() const {
    std::vector<std::filesystem::path> roots;
    for (const ModRoot& mod : mod_roots_) {
        const bool is_covered = std::ranges::any_of(
            roots, [&](const std::filesystem::path& root) { return way_to(root, mod.path).has_value(); });
        if (!is_covered) roots.push_back(mod.path);
    }
    return roots;
}

// The innermost one: a mod may lie in the game's folder.
const GameSession::ModRoot* GameSession::root_of(const std::filesystem::path& file) const {
    const ModRoot* found = nullptr;
    for (const ModRoot& mod : mod_roots_) {
        if (!way_to(mod.path, file)) continue;
        if (found == nullptr || way_to(found->path, mod.path)) found = &mod;
    }
    return found;
}

void GameSession::reload(const std::vector<std::filesystem::path>& saved) {
    std::set<const ModRoot*> changed;
    bool has_new_assets = false;
    for (const std::filesystem::path& file : saved) {
        const ModRoot* const root = root_of(file);
        if (root == nullptr) continue;
        const std::string way = *way_to(root->path, file);
        if (root->is_archive || (way.ends_with(".json") && !is_aside(way))) {
            card_.notice(fmt::format(e::kNeedsRestart, root->is_archive ? root->path.generic_string() : way));
        } else if (way.ends_with(".lua") && !is_aside(way)) {
            changed.insert(root);
        } else if (const std::optional<AssetHandle> asset = assets_.look_again(root->mount, way)) {
            has_new_assets = true;
            // An image of another size is cut into frames anew, where the script says how.
            if (loader_.look_again(*asset)) changed.insert(root);
        }
    }
    if (has_new_assets) ++asset_number_;
    for (const ModRoot& mod : mod_roots_)
        if (changed.contains(&mod)) reload_mod(mod.mod);
    report_assets();
}

void GameSession::reload_mod(const std::string& mod) {
    const auto start = std::chrono::steady_clock::now();
    mark_not_replayable(fmt::format(e::kReloadOf, mod));
    const ReloadReport report = scripts_->reload(mod);
    card_.forget_files(mod);
    for (const std::string& reloaded : report.mods) card_.forget(reloaded);
    for (const ScriptError& error : report.errors) {
        log(LogLevel::error, error.text());
        show(error);
    }
    if (mod == manifest().id || !has_loaded_) has_loaded_ = scripts_->has_loaded(manifest().id);
    if (!report.is_ok()) return;
    const std::chrono::duration<double, std::milli> spent = std::chrono::steady_clock::now() - start;
    log(LogLevel::info, fmt::format(e::kReloaded, mod, spent.count()));
    if (report.changes.types != 0) log(LogLevel::info, fmt::format(e::kReloadedRows, report.changes.rows));
}

void GameSession::switch_off_failing() {
    for (const std::string& mod : scripts_->switch_off_failing()) {
        std::string text = fmt::format(e::kSwitchedOff, mod, ScriptRuntime::kMostFailures);
        log(LogLevel::error, text);
        card_.add(mod, std::move(text), mod);
    }
}

}  // namespace perigee
