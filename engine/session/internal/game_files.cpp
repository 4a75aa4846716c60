// Opening, and the way from a file to its mod.
#include "engine/session/internal/game_files.h"

#include "engine/session/game_config.h"
#include "engine/session/internal/session_log.h"

#include <algorithm>
#include <system_error>
#include <utility>

namespace perigee {

namespace {

bool is_folder(const std::filesystem::path& path) {
    std::error_code ignored;
    return std::filesystem::is_directory(path, ignored);
}

}  // namespace

std::optional<std::string> path_below(const std::filesystem::path& root, const std::filesystem::path& file) {
    const std::string path =
        file.lexically_normal().lexically_relative(root.lexically_normal()).generic_string();
    if (path.empty() || path == ".." || path.starts_with("../")) return std::nullopt;
    return path;
}

Result<void> GameFiles::open(const GameConfig& config, const SessionLog& log) {
    game_ = config.game;
    fonts_.use_decoder(config.decoder);
    if (const Result<MountId> mounted = assets_.mount("game", game_); !mounted) return mounted.error();
    Result<ModManifest> game = read_game_manifest(assets_, game_);
    if (!game) return game.error();
    Result<ModSet> found =
        find_mods(assets_, game_, std::move(game).value(), config.mod_folders, config.left_out_mods);
    if (!found) return found.error();
    mods_ = std::move(found).value();
    assets_.name_game(manifest().id);
    if (!config.settings_file.empty()) {
        Result<PlayerSettings> settings = read_player_settings(config.settings_file);
        if (!settings) return settings.error();
        settings_ = std::move(settings).value();
        std::vector<std::string> ids{manifest().id};
        for (const ModCandidate& mod : mods_.mods) ids.push_back(mod.manifest.id);
        log.warn(choices_of_no_mod(settings_, ids));
    }
    loader_.update();
    return {};
}

void GameFiles::add_game_root() { roots_.push_back({manifest().id, game_, kGame, !is_folder(game_)}); }

Result<MountId> GameFiles::mount(const ModPlace& place) {
    const std::string& id = mods_.mods[place.mod].manifest.id;
    const ModSource& source = mods_.sources[place.mod];
    const bool is_inside = source.path.empty();
    const Result<MountId> mounted =
        is_inside ? assets_.mount_inside(id, kGame, source.folder) : assets_.mount(id, source.path);
    if (!mounted) return mounted;
    const std::filesystem::path root = is_inside ? game_ / source.folder : source.path;
    roots_.push_back({id, root, mounted.value(), !is_folder(root)});
    return mounted;
}

MountId GameFiles::mount_of(std::string_view mod) const {
    if (mod.empty() || mod == manifest().id) return kGame;
    return assets_.find_mount(mod).value_or(kGame);
}

ModManifest* GameFiles::find_manifest(std::string_view mod) noexcept {
    if (mod == mods_.game.id) return &mods_.game;
    for (ModCandidate& candidate : mods_.mods)
        if (candidate.manifest.id == mod) return &candidate.manifest;
    return nullptr;
}

// A mod may be in the game's folder.
const ModRoot* GameFiles::root_of(const std::filesystem::path& file) const {
    const ModRoot* found = nullptr;
    for (const ModRoot& root : roots_) {
        if (!path_below(root.path, file)) continue;
        if (found == nullptr || path_below(found->path, root.path)) found = &root;
    }
    return found;
}

std::vector<std::filesystem::path> GameFiles::watched() const {
    std::vector<std::filesystem::path> watched;
    for (const ModRoot& mod : roots_) {
        const bool is_covered = std::ranges::any_of(watched, [&](const std::filesystem::path& root) {
            return path_below(root, mod.path).has_value();
        });
        if (!is_covered) watched.push_back(mod.path);
    }
    return watched;
}

std::vector<std::string> GameFiles::take_reports() {
    loader_.update();
    std::vector<std::string> reports = assets_.take_missing();
    for (std::string& report : loader_.take_reports()) reports.push_back(std::move(report));
    for (std::string& report : fonts_.take_reports()) reports.push_back(std::move(report));
    return reports;
}

}  // namespace perigee
