// Problems first, each judged against all that was found, so that one never hides another; then the order.
#include "engine/mod_order.h"

#include "engine/error_codes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string_view>

namespace perigee {

namespace {

namespace e = engine_errors;

// Ids that are taken: the engine's own names begin so.
constexpr std::array<std::string_view, 6> kReserved = {"audio", "ecs", "game", "gfx", "input", "settings"};

// `before` loads before the one that has this.
struct Edge {
    std::size_t before;
    std::string reason;
};

class Resolver {
public:
    Resolver(const ModManifest& game, std::span<const ModCandidate> mods)
        : game_(game),
          mods_(mods),
          is_sound_(mods.size()),
          is_in_circle_(mods.size()),
          is_out_(mods.size()),
          edges_(mods.size()),
          texts_(mods.size()) {}

    ModOrder resolve() {
        for (std::size_t mod = 0; mod < mods_.size(); ++mod) judge_alone(mod);
        for (std::size_t mod = 0; mod < mods_.size(); ++mod) {
            if (!is_sound_[mod]) continue;
            judge_depends(mod);
            judge_conflicts(mod);
            find_edges(mod);
        }
        for (std::size_t mod = 0; mod < mods_.size(); ++mod) judge_circle(mod);
        leave_out_dependants();
        ModOrder order;
        place(order);
        for (std::size_t mod = 0; mod < mods_.size(); ++mod)
            for (std::string& text : texts_[mod]) order.problems.push_back({id_of(mod), std::move(text)});
        return order;
    }

private:
    const std::string& id_of(std::size_t mod) const { return mods_[mod].manifest.id; }

    template <typename... Arguments>
    void problem(std::size_t mod, const char* text, Arguments&&... arguments) {
        texts_[mod].push_back(fmt::format(fmt::runtime(text), arguments...));
        is_out_[mod] = true;
    }

    void judge_alone(std::size_t mod) {
        const ModCandidate& candidate = mods_[mod];
        const ModManifest& manifest = candidate.manifest;
        for (const std::string& mistake : candidate.mistakes) problem(mod, "{}", mistake);
        static const SemanticVersion kApi = SemanticVersion::parse(kScriptApi).value();
        if (!manifest.api.contains(kApi)) problem(mod, e::kModApi, manifest.api.text(), kScriptApi);
        if (!manifest.native.empty()) problem(mod, e::kModNative);
        if (std::ranges::find(kReserved, manifest.id) != kReserved.end()) problem(mod, e::kModReserved);
        if (manifest.id == game_.id) {
            problem(mod, e::kModGameId);
        } else if (const auto [known, is_new] = by_id_.emplace(manifest.id, mod); !is_new) {
            problem(mod, e::kModTwice, candidate.place, mods_[known->second].place);
        }
        is_sound_[mod] = !is_out_[mod];
    }

    // The version of a mod that is there and could load by itself, or of the game.
    const SemanticVersion* version_of(std::string_view id) const {
        if (id == game_.id) return &game_.version;
        const auto found = by_id_.find(id);
        return found != by_id_.end() && is_sound_[found->second] ? &mods_[found->second].manifest.version
                                                                 : nullptr;
    }

    void judge_depends(std::size_t mod) {
        for (const ModReference& needed : mods_[mod].manifest.depends) {
            const SemanticVersion* version = version_of(needed.id);
            if (version != nullptr && !needed.range.contains(*version))
                problem(mod, e::kModVersion, needed.id, needed.range.text(), version->text());
            else if (version == nullptr && !by_id_.contains(needed.id))
                problem(mod, e::kModMissing, needed.id, needed.range.text());
        }
        for (const ModReference& liked : mods_[mod].manifest.optional) {
            const SemanticVersion* version = version_of(liked.id);
            if (version != nullptr && !liked.range.contains(*version))
                problem(mod, e::kModOptionalVersion, liked.id, liked.range.text(), version->text());
        }
    }

    void judge_conflicts(std::size_t mod) {
        for (const ModReference& enemy : mods_[mod].manifest.conflicts) {
            const SemanticVersion* version = version_of(enemy.id);
            if (version != nullptr && enemy.range.contains(*version) && enemy.id != id_of(mod))
                problem(mod, e::kModConflict, enemy.id, version->text());
        }
    }

    std::optional<std::size_t> sound(std::string_view id) const {
        const auto found = by_id_.find(id);
        if (found == by_id_.end() || !is_sound_[found->second]) return std::nullopt;
        return found->second;
    }

    void find_edges(std::size_t mod) {
        const ModManifest& manifest = mods_[mod].manifest;
        for (const ModReference& needed : manifest.depends)
            if (const auto other = sound(needed.id))
                edges_[mod].push_back(
                    {*other, fmt::format(e::kOrderDepends, needed.id, needed.range.text())});
        for (const ModReference& liked : manifest.optional)
            if (const auto other = sound(liked.id))
                edges_[mod].push_back({*other, fmt::format(e::kOrderOptional, liked.id, liked.range.text())});
        for (const std::string& id : manifest.load_after)
            if (const auto other = sound(id)) edges_[mod].push_back({*other, e::kOrderLoadAfter});
        for (const std::string& id : manifest.load_before)
            if (const auto other = sound(id))
                edges_[*other].push_back({mod, fmt::format(e::kOrderLoadBefore, manifest.id)});
    }

    // Breadth first along what has to come before: the shortest way back to where it began.
    void judge_circle(std::size_t start) {
        std::map<std::size_t, std::size_t> came_from;
        std::vector<std::size_t> queue{start};
        for (std::size_t next = 0; next < queue.size(); ++next) {
            const std::size_t mod = queue[next];
            for (const Edge& edge : edges_[mod]) {
                if (edge.before == start) {
                    std::vector<std::string> loop{id_of(start)};
                    for (std::size_t step = mod; step != start; step = came_from.at(step))
                        loop.insert(loop.begin(), id_of(step));
                    loop.insert(loop.begin(), id_of(start));
                    is_in_circle_[start] = true;
                    return problem(start, e::kModCircle, fmt::join(loop, " -> "));
                }
                if (came_from.emplace(edge.before, mod).second) queue.push_back(edge.before);
            }
        }
    }

    void leave_out_dependants() {
        for (bool has_changed = true; has_changed;) {
            has_changed = false;
            for (std::size_t mod = 0; mod < mods_.size(); ++mod) {
                if (!is_sound_[mod] || is_in_circle_[mod]) continue;
                for (const ModReference& needed : mods_[mod].manifest.depends) {
                    const auto found = by_id_.find(needed.id);
                    if (found == by_id_.end() || !is_out_[found->second]) continue;
                    if (!told_.emplace(mod, found->second).second) continue;
                    problem(mod, e::kModDependsOnLeftOut, needed.id);
                    has_changed = true;
                }
            }
        }
    }

    void place(ModOrder& order) {
        std::map<std::string_view, std::size_t> waiting;  // by id
        for (std::size_t mod = 0; mod < mods_.size(); ++mod)
            if (!is_out_[mod]) waiting.emplace(id_of(mod), mod);
        std::vector<bool> is_waiting(mods_.size());
        for (const auto& [id, mod] : waiting) is_waiting[mod] = true;
        while (!waiting.empty()) {
            const auto next = std::ranges::find_if(waiting, [&](const auto& entry) {
                return std::ranges::none_of(edges_[entry.second],
                                            [&](const Edge& edge) { return is_waiting[edge.before]; });
            });
            ECS_INVARIANT(next != waiting.end(), "mods in a circle were not left out");
            order.places.push_back({next->second, reason_for(next->second)});
            is_waiting[next->second] = false;
            waiting.erase(next);
        }
    }

    std::string reason_for(std::size_t mod) const {
        std::set<std::string> reasons;
        for (const Edge& edge : edges_[mod])
            if (!is_out_[edge.before])
                reasons.insert(fmt::format(e::kOrderAfter, id_of(edge.before), edge.reason));
        return reasons.empty() ? e::kOrderByName : fmt::format("{}", fmt::join(reasons, "; "));
    }

    const ModManifest& game_;
    std::span<const ModCandidate> mods_;
    std::map<std::string, std::size_t, std::less<>> by_id_;  // the first of each id
    std::vector<bool> is_sound_;                             // nothing is wrong with it alone
    std::vector<bool> is_in_circle_;
    std::vector<bool> is_out_;
    std::vector<std::vector<Edge>> edges_;  // by mod; between sound ones
    std::vector<std::vector<std::string>> texts_;
    std::set<std::pair<std::size_t, std::size_t>> told_;  // mod, and the one left out that it depends on
};

}  // namespace

ModOrder order_mods(const ModManifest& game, std::span<const ModCandidate> mods) {
    return Resolver(game, mods).resolve();
}

}  // namespace perigee
