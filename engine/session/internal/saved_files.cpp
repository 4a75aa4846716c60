// From a path to what it changes.
#include "engine/session/internal/saved_files.h"

#include "engine/assets/internal/physfs_mount.h"
#include "engine/base/error_codes.h"
#include "engine/session/internal/game_files.h"
#include "engine/session/internal/session_log.h"
#include "scripting/mods/mod_settings.h"

#include <fmt/format.h>

#include <optional>
#include <system_error>
#include <utility>
#include <vector>

namespace perigee {

namespace {

namespace e = engine_errors;

// Files of a mod's folder that are not its code.
bool is_not_code(std::string_view path) {
    return path.starts_with("tests/") || path.starts_with("mods/") || path.starts_with("assets/");
}

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
    const ModPermissions &old = before.permissions, &requested = now.permissions;
    note("permissions", old.memory_mb != requested.memory_mb || old.instructions != requested.instructions ||
                            old.log_lines != requested.log_lines || old.save_mb != requested.save_mb ||
                            old.entities != requested.entities || old.app != requested.app);
    note("native", before.native != now.native);
    note("width, height", before.screen() != now.screen());
    note("fit", before.fit != now.fit);
    note("pixel_art", before.is_pixel_art != now.is_pixel_art);
    return keys;
}

}  // namespace

void SavedFiles::apply(const std::filesystem::path& file) {
    const ModRoot* const root = files_.root_of(file);
    if (root == nullptr) return;
    if (root->is_archive) return apply_archive(*root);
    const std::string path = *path_below(root->path, file);
    if (path == kManifestFile) {
        if (apply_manifest(*root)) changed_.insert(root->mod);
    } else if (path.ends_with(".json") && !is_not_code(path)) {
        log_.card().notice(fmt::format(e::kNeedsRestart, path));
    } else if (path.ends_with(".lua") && !is_not_code(path)) {
        changed_.insert(root->mod);
    } else if (const std::optional<AssetHandle> asset = files_.assets().refresh(root->mount, path)) {
        has_new_assets_ = true;
        files_.fonts().reload(*asset);
        // An image whose size changed is cut into frames again, if the script defines them.
        if (files_.loader().reload(*asset)) changed_.insert(root->mod);
    }
}

// True if part of it takes effect now.
bool SavedFiles::apply_manifest(const ModRoot& root) {
    ModManifest* const known = files_.find_manifest(root.mod);
    const Result<std::string> text = files_.assets().read(root.mount, kManifestFile);
    ParsedManifest parsed = parse_manifest(text ? text.value() : "{}", root.mod);
    for (const ManifestMistake& mistake : parsed.mistakes) log_.report_mod(root.mod, mistake.text);
    if (known == nullptr || !parsed.mistakes.empty()) return false;
    const std::string later = keys_for_restart(*known, parsed.manifest);
    if (!later.empty())
        log_.card().notice(fmt::format(e::kNeedsRestart, fmt::format("{}/mod.json ({})", root.mod, later)));
    std::vector<std::string> mistakes;
    set_settings(scripts_, root.mod, chosen_settings(parsed.manifest, files_.settings(), mistakes));
    log_.warn(mistakes);
    *known = std::move(parsed.manifest);
    return true;
}

// Everything is new: code, assets and manifests of all mods in it.
void SavedFiles::apply_archive(const ModRoot& archive) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(archive.path, ignored)) return;  // the new one is yet to come
    if (const Result<void> opened = PhysfsMount::reopen(archive.path); !opened)
        return log_.report_mod(archive.mod, opened.error().message);
    has_new_assets_ = true;
    AssetStore& assets = files_.assets();
    for (const ModRoot& root : files_.mod_roots()) {
        if (!path_below(archive.path, root.path)) continue;
        for (AssetHandle asset = 1; asset <= assets.handle_count(); ++asset) {
            if (assets[asset].mount != root.mount) continue;
            const std::string path = assets[asset].path;
            assets.refresh(root.mount, path);
            files_.loader().reload(asset);
            files_.fonts().reload(asset);
        }
        apply_manifest(root);
        changed_.insert(root.mod);
    }
}

}  // namespace perigee
