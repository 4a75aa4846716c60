// Problems first, each checked against all found mods, so that one never hides another; then the order.
#include "engine/mods/mod_order.h"

#include "engine/base/error_codes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>

namespace perigee {

namespace {

namespace e = engine_errors;

// Reserved ids: the engine's own names begin with them.
constexpr std::array<std::string_view, 8> kReserved = {"app", "audio", "ecs",  "game",
                                                       "gfx", "input", "save", "settings"};

constexpr std::size_t kMaxCycles = 50;  // that are written out; each is searched for

constexpr std::size_t kMaxProblems = 20;  // reported per mod
constexpr std::size_t kMaxReasons = 10;   // reported per place

// `before` loads before the mod that has this. The reason is formatted only for entries that are shown.
struct Edge {
    std::size_t before;
    const char* reason;
    std::string_view id;                  // in the reason; may be empty
    const VersionRange* range = nullptr;  // in the reason, after the id
};

class Resolver {
public:
    Resolver(const ModManifest& game, std::span<const ModCandidate> mods)
        : game_(game),
          mods_(mods),
          is_valid_(mods.size()),
          is_in_cycle_(mods.size()),
          is_out_(mods.size()),
          edges_(mods.size()),
          found_(mods.size()) {}

    ModOrder resolve() {
        for (std::size_t mod = 0; mod < mods_.size(); ++mod) judge_alone(mod);
        for (std::size_t mod = 0; mod < mods_.size(); ++mod) {
            if (!is_valid_[mod]) continue;
            judge_depends(mod);
            judge_conflicts(mod);
            find_edges(mod);
        }
        find_cycles();
        leave_out_dependants();
        ModOrder order;
        place(order);
        for (std::size_t mod = 0; mod < mods_.size(); ++mod)
            for (ManifestMistake& found : found_[mod])
                order.problems.push_back({std::move(found), id_of(mod)});
        return order;
    }

private:
    const std::string& id_of(std::size_t mod) const { return mods_[mod].manifest.id; }

    template <typename... Arguments>
    void problem(std::size_t mod, const char* text, Arguments&&... arguments) {
        if (found_[mod].size() < kMaxProblems)
            found_[mod].push_back({fmt::format(fmt::runtime(text), arguments...)});
        is_out_[mod] = true;
    }
    void mistake(std::size_t mod, ManifestMistake found) {
        if (found_[mod].size() < kMaxProblems) found_[mod].push_back(std::move(found));
        is_out_[mod] = true;
    }

    void judge_alone(std::size_t mod) {
        const ModCandidate& candidate = mods_[mod];
        const ModManifest& manifest = candidate.manifest;
        for (const ManifestMistake& found : candidate.mistakes) mistake(mod, found);
        static const SemanticVersion kApi = SemanticVersion::parse(kScriptApi).value();
        if (!manifest.api.contains(kApi)) problem(mod, e::kModApi, manifest.api.text(), kScriptApi);
        if (!manifest.native.empty()) mistake(mod, {e::kModNative, "native", kManifestFile.size()});
        if (std::ranges::find(kReserved, manifest.id) != kReserved.end()) problem(mod, e::kModReserved);
        if (manifest.id == game_.id) {
            problem(mod, e::kModGameId);
        } else if (const auto [known, is_new] = by_id_.emplace(manifest.id, mod); !is_new) {
            problem(mod, e::kModTwice, candidate.place, mods_[known->second].place);
        }
        is_valid_[mod] = !is_out_[mod];
    }

    // The version of the game, or of an existing mod that could load on its own.
    const SemanticVersion* version_of(std::string_view id) const {
        if (id == game_.id) return &game_.version;
        const auto found = by_id_.find(id);
        return found != by_id_.end() && is_valid_[found->second] ? &mods_[found->second].manifest.version
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
        if (found == by_id_.end() || !is_valid_[found->second]) return std::nullopt;
        return found->second;
    }

    void find_edges(std::size_t mod) {
        const ModManifest& manifest = mods_[mod].manifest;
        for (const ModReference& needed : manifest.depends)
            if (const auto other = sound(needed.id))
                edges_[mod].push_back({*other, e::kOrderDepends, needed.id, &needed.range});
        for (const ModReference& liked : manifest.optional)
            if (const auto other = sound(liked.id))
                edges_[mod].push_back({*other, e::kOrderOptional, liked.id, &liked.range});
        for (const std::string& id : manifest.load_after)
            if (const auto other = sound(id)) edges_[mod].push_back({*other, e::kOrderLoadAfter, {}});
        for (const std::string& id : manifest.load_before)
            if (const auto other = sound(id))
                edges_[*other].push_back({mod, e::kOrderLoadBefore, manifest.id});
    }

    // Numbers the mods so that two have the same number if and only if each has to load before the other, in
    // a cycle. Source: Tarjan (1972), with an explicit stack, since thousands of mods may form a chain.
    std::vector<std::size_t> find_knots() const {
        constexpr std::size_t kNone = static_cast<std::size_t>(-1);
        std::vector<std::size_t> knot_of(mods_.size(), kNone), found_at(mods_.size(), kNone),
            low(mods_.size());
        std::vector<std::size_t> open;
        struct Visit {
            std::size_t mod;
            std::size_t next_edge = 0;
        };
        std::vector<Visit> visits;
        std::size_t found = 0, knots = 0;
        const auto enter = [&](std::size_t mod) {
            found_at[mod] = low[mod] = found++;
            open.push_back(mod);
            visits.push_back({mod});
        };
        for (std::size_t start = 0; start < mods_.size(); ++start) {
            if (found_at[start] == kNone) enter(start);
            while (!visits.empty()) {
                const std::size_t mod = visits.back().mod;
                if (visits.back().next_edge < edges_[mod].size()) {
                    const std::size_t other = edges_[mod][visits.back().next_edge++].before;
                    if (found_at[other] == kNone)
                        enter(other);
                    else if (knot_of[other] == kNone)
                        low[mod] = std::min(low[mod], found_at[other]);
                    continue;
                }
                visits.pop_back();
                if (!visits.empty()) low[visits.back().mod] = std::min(low[visits.back().mod], low[mod]);
                if (low[mod] != found_at[mod]) continue;
                for (std::size_t last = kNone; last != mod; open.pop_back()) {
                    last = open.back();
                    knot_of[last] = knots;
                }
                ++knots;
            }
        }
        return knot_of;
    }

    void find_cycles() {
        const std::vector<std::size_t> knot_of = find_knots();
        std::vector<std::size_t> members(mods_.size());
        for (const std::size_t knot : knot_of) ++members[knot];
        std::size_t shown = 0;
        for (std::size_t mod = 0; mod < mods_.size(); ++mod) {
            const auto is_itself = [mod](const Edge& edge) { return edge.before == mod; };
            if (members[knot_of[mod]] == 1 && std::ranges::none_of(edges_[mod], is_itself)) continue;
            is_in_cycle_[mod] = true;
            if (++shown <= kMaxCycles)
                problem(mod, e::kModCycle, fmt::join(cycle_through(mod, knot_of), " -> "));
            else
                problem(mod, e::kModInCycle);
        }
    }

    // Breadth-first search along predecessors: the shortest path back to the start.
    std::vector<std::string> cycle_through(std::size_t start, const std::vector<std::size_t>& knot_of) const {
        std::unordered_map<std::size_t, std::size_t> came_from;
        std::vector<std::size_t> queue{start};
        for (std::size_t next = 0;; ++next) {
            ECS_INVARIANT(next < queue.size(), "a mod in a cycle has no way back to itself");
            const std::size_t mod = queue[next];
            for (const Edge& edge : edges_[mod]) {
                if (edge.before == start) {
                    std::vector<std::string> loop{id_of(start)};
                    for (std::size_t step = mod; step != start; step = came_from.at(step))
                        loop.push_back(id_of(step));
                    loop.push_back(id_of(start));
                    std::ranges::reverse(loop);
                    return loop;
                }
                if (knot_of[edge.before] == knot_of[start] && came_from.emplace(edge.before, mod).second)
                    queue.push_back(edge.before);
            }
        }
    }

    // A mod left out also excludes the mods that depend on it, and so on.
    void leave_out_dependants() {
        std::vector<std::vector<std::size_t>> dependants(mods_.size());  // ascending
        std::vector<std::size_t> out;
        for (std::size_t mod = 0; mod < mods_.size(); ++mod) {
            if (is_out_[mod]) out.push_back(mod);
            if (!is_valid_[mod] || is_in_cycle_[mod]) continue;
            for (const ModReference& needed : mods_[mod].manifest.depends)
                if (const auto found = by_id_.find(needed.id); found != by_id_.end()) {
                    std::vector<std::size_t>& of_it = dependants[found->second];
                    if (of_it.empty() || of_it.back() != mod) of_it.push_back(mod);
                }
        }
        for (std::size_t next = 0; next < out.size(); ++next) {
            // The second mod with an id is left out, and the first one loads.
            const auto first = by_id_.find(id_of(out[next]));
            if (first == by_id_.end() || first->second != out[next]) continue;
            for (const std::size_t mod : dependants[out[next]]) {
                if (!is_out_[mod]) out.push_back(mod);
                problem(mod, e::kModDependsOnLeftOut, id_of(out[next]));
            }
        }
    }

    // The smallest id of those for which all is loaded that has to come before comes next.
    void place(ModOrder& order) {
        std::vector<std::size_t> waits_for(mods_.size());
        std::vector<std::vector<std::size_t>> behind(mods_.size());
        std::set<std::pair<std::string_view, std::size_t>> ready;
        std::size_t count = 0;
        for (std::size_t mod = 0; mod < mods_.size(); ++mod) {
            if (is_out_[mod]) continue;
            ++count;
            for (const Edge& edge : edges_[mod]) {
                if (is_out_[edge.before]) continue;
                ++waits_for[mod];
                behind[edge.before].push_back(mod);
            }
            if (waits_for[mod] == 0) ready.emplace(id_of(mod), mod);
        }
        while (!ready.empty()) {
            const std::size_t mod = ready.begin()->second;
            ready.erase(ready.begin());
            order.places.push_back({mod, reason_for(mod)});
            for (const std::size_t later : behind[mod])
                if (--waits_for[later] == 0) ready.emplace(id_of(later), later);
        }
        ECS_INVARIANT(order.places.size() == count, "mods in a cycle were not left out");
    }

    static std::string reason_of(const Edge& edge) {
        return fmt::format(fmt::runtime(edge.reason), edge.id,
                           edge.range != nullptr ? edge.range->text() : "");
    }

    std::string reason_for(std::size_t mod) const {
        std::vector<const Edge*> edges;
        for (const Edge& edge : edges_[mod])
            if (!is_out_[edge.before]) edges.push_back(&edge);
        if (edges.empty()) return e::kOrderByName;
        const std::size_t shown = std::min(edges.size(), kMaxReasons);
        std::ranges::partial_sort(
            edges, edges.begin() + static_cast<std::ptrdiff_t>(shown), {},
            [this](const Edge* edge) -> const std::string& { return id_of(edge->before); });
        std::set<std::string> reasons;
        for (std::size_t i = 0; i < shown; ++i)
            reasons.insert(fmt::format(e::kOrderAfter, id_of(edges[i]->before), reason_of(*edges[i])));
        std::string text = fmt::format("{}", fmt::join(reasons, "; "));
        if (shown < edges.size()) text += fmt::format(e::kOrderMore, edges.size() - shown);
        return text;
    }

    const ModManifest& game_;
    std::span<const ModCandidate> mods_;
    std::map<std::string, std::size_t, std::less<>> by_id_;  // the first of each id
    std::vector<bool> is_valid_;                             // nothing is wrong with it alone
    std::vector<bool> is_in_cycle_;
    std::vector<bool> is_out_;
    std::vector<std::vector<Edge>> edges_;  // by mod; between valid ones
    std::vector<std::vector<ManifestMistake>> found_;
};

}  // namespace

ModOrder order_mods(const ModManifest& game, std::span<const ModCandidate> mods) {
    return Resolver(game, mods).resolve();
}

}  // namespace perigee
