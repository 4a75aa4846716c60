// Looking into folders; whether the mods fit together is order_mods.
#include "engine/mods/mod_set.h"

#include "ecs/base/suggest.h"
#include "engine/base/error_codes.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <utility>

namespace perigee {

namespace fs = std::filesystem;

namespace {

namespace e = engine_errors;

constexpr char kMainFile[] = "main.lua";
constexpr std::size_t kMaxManifestBytes = std::size_t{64} << 10U;
constexpr std::size_t kMaxMods = 1000;

bool is_archive(std::string_view name) { return name.ends_with(".zip"); }

// A scratch store for each: asset handles are assigned when a mod is actually loaded.
struct Scratch {
    AssetStore assets;
    MountId mount = 0;
};

// Nothing, and a mistake, when it cannot be read or is too large.
std::optional<std::string> read_manifest_file(const AssetStore& assets, MountId mount,
                                              const std::string& file,
                                              std::vector<ManifestMistake>& mistakes) {
    Result<std::string> json = assets.read(mount, file, kMaxManifestBytes + 1);
    if (!json) {
        mistakes.push_back({json.error().message});
    } else if (json.value().size() > kMaxManifestBytes) {
        mistakes.push_back({fmt::format(e::kManifestTooLarge, kMaxManifestBytes), {}, kManifestFile.size()});
    } else {
        return std::move(json).value();
    }
    return std::nullopt;
}

// The data of a mod that is available without running it. `prefix` is "" or "mods/storms/".
ModCandidate candidate_from(const AssetStore& assets, MountId mount, const std::string& prefix,
                            std::string_view folder_name, std::string place) {
    ModCandidate mod;
    mod.place = std::move(place);
    mod.manifest = default_manifest(folder_name);
    const std::string manifest_file = prefix + std::string(kManifestFile);
    if (assets.is_taken(mount, manifest_file)) {
        if (const auto json = read_manifest_file(assets, mount, manifest_file, mod.mistakes)) {
            ParsedManifest parsed = parse_manifest(*json, folder_name);
            mod.manifest = std::move(parsed.manifest);
            mod.mistakes = std::move(parsed.mistakes);
        }
    }
    if (!assets.has(mount, prefix + kMainFile)) mod.mistakes.push_back({e::kModNoMain});
    return mod;
}

std::string name_of_mod(const fs::path& path) {
    return is_archive(path.filename().string()) ? path.stem().string() : path.filename().string();
}

void add_from_disk(ModSet& set, const fs::path& path, std::string place) {
    Scratch scratch;
    const Result<MountId> mounted = scratch.assets.mount("mod", path);
    if (mounted) {
        set.mods.push_back(
            candidate_from(scratch.assets, mounted.value(), "", name_of_mod(path), std::move(place)));
    } else {
        set.mods.push_back(
            {default_manifest(name_of_mod(path)), std::move(place), {{mounted.error().message}}});
    }
    set.sources.push_back({path, {}});
}

Result<void> expect_few(std::size_t mods) {
    if (mods > kMaxMods) return Error{fmt::format(e::kTooManyMods, mods, kMaxMods)};
    return {};
}

Result<void> add_of_game(ModSet& set, const AssetStore& assets, const fs::path& game) {
    std::set<std::string> names;  // the first part of every path in mods/, and whether it is a folder
    const Result<std::vector<std::string>> files = assets.list(kGame, "mods");
    if (!files) return files.error();
    for (const std::string& path : files.value()) {
        const std::string rest = path.substr(sizeof("mods/") - 1);
        const std::size_t slash = rest.find('/');
        if (slash != rest.npos || is_archive(rest))
            names.insert(slash != rest.npos ? rest.substr(0, slash + 1) : rest);
    }
    if (Result<void> few = expect_few(names.size()); !few) return few;
    for (const std::string& name : names) {
        if (!name.ends_with('/')) {
            add_from_disk(set, game / "mods" / name, "mods/" + name);
            continue;
        }
        const std::string folder = "mods/" + name.substr(0, name.size() - 1);
        if (folder[sizeof("mods/") - 1] == '.') continue;
        set.mods.push_back(candidate_from(assets, kGame, folder + "/", folder.substr(5), folder));
        set.sources.push_back({{}, folder});
    }
    return {};
}

Result<void> add_of_folder(ModSet& set, const fs::path& folder) {
    std::error_code failed;
    std::vector<fs::path> found;
    for (fs::directory_iterator entry{folder, failed}; !failed && entry != fs::directory_iterator{};
         entry.increment(failed)) {
        std::error_code ignored;
        const bool is_hidden = entry->path().filename().string().starts_with('.');
        if (is_hidden || entry->is_symlink(ignored)) continue;
        if (entry->is_directory(ignored) || is_archive(entry->path().filename().string()))
            found.push_back(entry->path());
    }
    if (failed) return Error{fmt::format(e::kNoModFolder, folder.string(), failed.message())};
    if (Result<void> few = expect_few(set.mods.size() + found.size()); !few) return few;
    std::ranges::sort(found);
    for (const fs::path& path : found) add_from_disk(set, path, path.string());
    return {};
}

// Removes the mods with these ids, and those that need one of them.
Result<void> leave_out(ModSet& set, std::span<const std::string> ids) {
    if (ids.empty()) return {};
    std::set<std::string, std::less<>> left_out;
    for (const std::string& id : ids) {
        if (std::ranges::any_of(set.mods, [&](const ModCandidate& mod) { return mod.manifest.id == id; })) {
            left_out.insert(id);
            continue;
        }
        std::vector<std::string_view> known;
        known.reserve(set.mods.size());
        for (const ModCandidate& mod : set.mods) known.push_back(mod.manifest.id);
        return Error{fmt::format(e::kNoModToLeaveOut, id, did_you_mean(nearest_name(id, known)))};
    }
    const auto is_left_out = [&](const ModManifest& mod) {
        return left_out.contains(mod.id) || std::ranges::any_of(mod.depends, [&](const ModReference& need) {
                   return left_out.contains(need.id);
               });
    };
    for (std::size_t before = 0; before != left_out.size();) {
        before = left_out.size();
        for (const ModCandidate& mod : set.mods)
            if (is_left_out(mod.manifest)) left_out.insert(mod.manifest.id);
    }
    std::vector<ModCandidate> mods;
    std::vector<ModSource> sources;
    for (std::size_t i = 0; i < set.mods.size(); ++i) {
        if (left_out.contains(set.mods[i].manifest.id)) continue;
        mods.push_back(std::move(set.mods[i]));
        sources.push_back(std::move(set.sources[i]));
    }
    set.mods = std::move(mods);
    set.sources = std::move(sources);
    return {};
}

}  // namespace

ParsedManifest parse_game_manifest(const AssetStore& assets, const fs::path& game) {
    std::error_code ignored;
    const std::string name = fs::absolute(game, ignored).lexically_normal().stem().string();
    ParsedManifest parsed{default_manifest(name), {}};
    if (!assets.is_taken(kGame, kManifestFile)) return parsed;
    const auto json = read_manifest_file(assets, kGame, std::string(kManifestFile), parsed.mistakes);
    if (!json) return parsed;
    parsed = parse_manifest(*json, name);
    if (!parsed.manifest.api.contains(SemanticVersion::parse(kScriptApi).value()))
        parsed.mistakes.push_back(
            {fmt::format(e::kGameApi, parsed.manifest.api.text(), kScriptApi), "api", kManifestFile.size()});
    return parsed;
}

Result<ModManifest> read_game_manifest(const AssetStore& assets, const fs::path& game) {
    ParsedManifest parsed = parse_game_manifest(assets, game);
    if (parsed.mistakes.empty()) return std::move(parsed.manifest);
    std::string texts;
    for (const ManifestMistake& mistake : parsed.mistakes)
        texts += (texts.empty() ? "" : "\n") + mistake.text;
    return Error{std::move(texts)};
}

Result<ModSet> find_mods(const AssetStore& assets, const fs::path& game, ModManifest manifest,
                         std::span<const fs::path> folders, std::span<const std::string> left_out) {
    ModSet set;
    set.game = std::move(manifest);
    if (Result<void> added = add_of_game(set, assets, game); !added) return added.error();
    for (const fs::path& folder : folders)
        if (Result<void> added = add_of_folder(set, folder); !added) return added.error();
    if (Result<void> done = leave_out(set, left_out); !done) return done.error();
    set.order = order_mods(set.game, set.mods);
    return set;
}

Result<ModSet> find_mods(const fs::path& game, std::span<const fs::path> folders,
                         std::span<const std::string> left_out) {
    AssetStore assets;
    if (const Result<MountId> mounted = assets.mount("game", game); !mounted) return mounted.error();
    Result<ModManifest> manifest = read_game_manifest(assets, game);
    if (!manifest) return manifest.error();
    return find_mods(assets, game, std::move(manifest).value(), folders, left_out);
}

std::string text_of(const ModSet& set) {
    std::string text = fmt::format("{} {}", set.game.id, set.game.version.text());
    text += set.mods.empty() ? ": no mods\n" : "\n";
    std::size_t number = 0;
    for (const ModPlace& place : set.order.places) {
        const ModManifest& mod = set.mods[place.mod].manifest;
        text += fmt::format("{:>4}. {:<28} {}\n", ++number, fmt::format("{} {}", mod.id, mod.version.text()),
                            place.reason);
    }
    if (!set.order.problems.empty()) text += "left out:\n";
    for (const ModProblem& problem : set.order.problems)
        text += fmt::format("      {}: {}\n", problem.mod, problem.text);
    return text;
}

}  // namespace perigee
