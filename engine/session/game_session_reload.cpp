// Applies saved files to a running session.
#include "ecs/base/contract.h"
#include "ecs/base/counted.h"
#include "engine/assets/internal/physfs_mount.h"
#include "engine/base/error_codes.h"
#include "engine/session/game_session.h"
#include "scripting/mods/mod_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

namespace perigee {

namespace {

namespace e = engine_errors;

// The path from a root to a file, with '/'; nothing if it is not below the root.
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

constexpr char kManifestFile[] = "mod.json";

std::string text_of(const std::vector<ModReference>& mods) {
    std::string text;
    for (const ModReference& mod : mods) text += mod.id + " " + mod.range.text() + "\n";
    return text;
}

// The differing keys that affect what loads, in which order and with which settings.
std::string keys_for_restart(const ModManifest& before, const ModManifest& now) {
    std::string keys;
    const auto note = [&keys](const char* key, bool differs) {
        if (differs) keys += (keys.empty() ? "" : ", ") + std::string(key);
    };
    note("id", before.id != now.id);
    note("version", before.version.text() != now.version.text());
    note("title", before.title != now.title);
    note("api", before.api.text() != now.api.text());
    note("depends", text_of(before.depends) != text_of(now.depends));
    note("optional", text_of(before.optional) != text_of(now.optional));
    note("conflicts", text_of(before.conflicts) != text_of(now.conflicts));
    note("load_after", before.load_after != now.load_after);
    note("load_before", before.load_before != now.load_before);
    const ModPermissions &old = before.permissions, &wishes = now.permissions;
    note("permissions", old.memory_mb != wishes.memory_mb || old.instructions != wishes.instructions ||
                            old.log_lines != wishes.log_lines || old.save_mb != wishes.save_mb ||
                            old.entities != wishes.entities || old.app != wishes.app);
    note("native", before.native != now.native);
    note("width, height", before.width != now.width || before.height != now.height);
    return keys;
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

// The innermost one: a mod may be in the game's folder.
const GameSession::ModRoot* GameSession::root_of(const std::filesystem::path& file) const {
    const ModRoot* found = nullptr;
    for (const ModRoot& mod : mod_roots_) {
        if (!way_to(mod.path, file)) continue;
        if (found == nullptr || way_to(found->path, mod.path)) found = &mod;
    }
    return found;
}

void GameSession::reload(const std::vector<std::filesystem::path>& saved) {
    std::set<std::string> changed;
    bool has_new_assets = false;
    // True if part of it takes effect now.
    const auto reload_manifest = [&](const ModRoot& root) {
        ModManifest* known = root.mod == mods_.game.id ? &mods_.game : nullptr;
        for (ModCandidate& mod : mods_.mods)
            if (known == nullptr && mod.manifest.id == root.mod) known = &mod.manifest;
        const Result<std::string> text = assets_.read(root.mount, kManifestFile);
        ParsedManifest parsed = parse_manifest(text ? text.value() : "{}", root.mod);
        for (const std::string& mistake : parsed.mistakes) {
            log(LogLevel::error, mistake);
            card_.add(root.mod, mistake, root.mod);
        }
        if (known == nullptr || !parsed.mistakes.empty()) return false;
        const std::string later = keys_for_restart(*known, parsed.manifest);
        if (!later.empty())
            card_.notice(fmt::format(e::kNeedsRestart, fmt::format("{}/mod.json ({})", root.mod, later)));
        std::vector<std::string> mistakes;
        set_settings(*scripts_, root.mod, chosen_settings(parsed.manifest, player_settings_, mistakes));
        for (const std::string& mistake : mistakes) log(LogLevel::warning, mistake);
        *known = std::move(parsed.manifest);
        return true;
    };
    // Everything is new: code, assets and manifests of all mods in it.
    const auto reload_archive = [&](const ModRoot& archive) {
        std::error_code ignored;
        if (!std::filesystem::is_regular_file(archive.path, ignored)) return;  // the new one is yet to come
        if (const Result<void> opened = PhysfsMount::reopen(archive.path); !opened) {
            log(LogLevel::error, opened.error().message);
            card_.add(archive.mod, opened.error().message, archive.mod);
            return;
        }
        has_new_assets = true;
        for (const ModRoot& root : mod_roots_) {
            if (!way_to(archive.path, root.path)) continue;
            for (AssetHandle asset = 1; asset <= assets_.handle_count(); ++asset) {
                if (assets_[asset].mount != root.mount) continue;
                const std::string path = assets_[asset].path;
                assets_.look_again(root.mount, path);
                loader_.look_again(asset);
            }
            reload_manifest(root);
            changed.insert(root.mod);
        }
    };
    for (const std::filesystem::path& file : saved) {
        const ModRoot* const root = root_of(file);
        if (root == nullptr) continue;
        const std::string way = *way_to(root->path, file);
        if (root->is_archive) {
            reload_archive(*root);
        } else if (way == kManifestFile) {
            if (reload_manifest(*root)) changed.insert(root->mod);
        } else if (way.ends_with(".json") && !is_aside(way)) {
            card_.notice(fmt::format(e::kNeedsRestart, way));
        } else if (way.ends_with(".lua") && !is_aside(way)) {
            changed.insert(root->mod);
        } else if (const std::optional<AssetHandle> asset = assets_.look_again(root->mount, way)) {
            has_new_assets = true;
            // An image whose size changed is cut into frames again, if the script defines them.
            if (loader_.look_again(*asset)) changed.insert(root->mod);
        }
    }
    if (has_new_assets) ++asset_number_;
    for (const ModRoot& mod : mod_roots_)
        if (changed.contains(mod.mod)) reload_mod(mod.mod);
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
    if (report.changes.types != 0)
        log(LogLevel::info, fmt::format(e::kReloadedRows, counted(report.changes.rows, "row")));
}

void GameSession::switch_off_failing() {
    for (const std::string& mod : scripts_->switch_off_failing()) {
        std::string text = fmt::format(e::kSwitchedOff, mod, ScriptRuntime::kMostFailures);
        log(LogLevel::error, text);
        card_.add(mod, std::move(text), mod);
    }
}

}  // namespace perigee
