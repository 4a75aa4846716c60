// Names become indices, relations become edges, and Kahn's algorithm does the rest.
#include "ecs/schedule/internal/system_order.h"

#include "ecs/base/contract.h"
#include "ecs/base/error_codes.h"
#include "ecs/base/suggest.h"
#include "ecs/schema/registry.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <queue>
#include <unordered_map>
#include <utility>

namespace perigee::internal {

namespace {

constexpr std::size_t kMaxMistakes = 20;  // that are listed; each costs a search for the nearest name

// Systems are numbered by rank: their place among all names in bytewise order. So "smallest name" is
// "smallest number" everywhere below.
class OrderGraph {
public:
    OrderGraph(std::span<const OrderedSystem> systems, std::string_view group,
               std::span<const ForeignSystem> elsewhere)
        : systems_(systems), group_(group), elsewhere_(elsewhere), index_of_(systems.size()) {
        std::iota(index_of_.begin(), index_of_.end(), 0u);
        std::sort(index_of_.begin(), index_of_.end(),
                  [&](std::uint32_t a, std::uint32_t b) { return systems[a].name < systems[b].name; });
        for (const std::uint32_t index : index_of_) names_.push_back(systems[index].name);
        ECS_EXPECTS(std::adjacent_find(names_.begin(), names_.end()) == names_.end());
        for (std::uint32_t rank = 0; rank < names_.size(); ++rank) rank_of_.emplace(names_[rank], rank);
        successors_.resize(names_.size());
        predecessors_.resize(names_.size());
    }

    Result<void> add_edges() {
        Mistakes mistakes;
        for (std::uint32_t rank = 0; rank < names_.size(); ++rank) {
            const OrderedSystem& system = systems_[index_of_[rank]];
            for (const OrderRelation& other : system.before) add_edge(rank, "before", other, mistakes);
            for (const OrderRelation& other : system.after) add_edge(rank, "after", other, mistakes);
        }
        if (mistakes.count == 0) return {};
        if (mistakes.count > kMaxMistakes)
            mistakes.shown.push_back({errors::more_unknown_systems(mistakes.count - kMaxMistakes)});
        return joined(std::move(mistakes.shown));
    }

    Result<std::vector<std::uint32_t>> sort() const {
        std::vector<std::size_t> waiting_for(names_.size());
        std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ready;
        for (std::uint32_t rank = 0; rank < names_.size(); ++rank) {
            waiting_for[rank] = predecessors_[rank].size();
            if (waiting_for[rank] == 0) ready.push(rank);
        }
        std::vector<std::uint32_t> order;
        while (!ready.empty()) {
            const std::uint32_t rank = ready.top();
            ready.pop();
            order.push_back(index_of_[rank]);
            for (const std::uint32_t successor : successors_[rank]) {
                if (--waiting_for[successor] == 0) ready.push(successor);
            }
        }
        if (order.size() == names_.size()) return order;
        const std::vector<std::uint32_t> loop = loop_of(waiting_for);
        return joined({about(loop.front(), errors::system_cycle(loop_text(loop), reasons_of(loop)))});
    }

private:
    struct Mistakes {
        std::vector<Mistake> shown;
        std::size_t count = 0;
    };

    Mistake about(std::uint32_t rank, std::string message) const {
        return {std::move(message), Mistake::About::system, std::string(names_[rank])};
    }

    void add_edge(std::uint32_t rank, std::string_view relation, const OrderRelation& to,
                  Mistakes& mistakes) {
        const std::string& name = to.name;
        const auto found = rank_of_.find(name);
        if (found == rank_of_.end()) {
            if (systems_[index_of_[rank]].ignores_unknown_names) return;
            if (++mistakes.count > kMaxMistakes) return;
            mistakes.shown.push_back(about(rank, unknown_text(names_[rank], relation, name)));
            return;
        }
        const std::uint32_t other = found->second;
        const bool is_before = relation == "before";
        successors_[is_before ? rank : other].push_back(is_before ? other : rank);
        predecessors_[is_before ? other : rank].push_back(is_before ? rank : other);
        if (!to.reason.empty())
            reasons_.try_emplace({is_before ? rank : other, is_before ? other : rank}, to.reason);
    }

    std::string unknown_text(std::string_view system, std::string_view relation,
                             std::string_view name) const {
        const auto foreign = std::find_if(elsewhere_.begin(), elsewhere_.end(),
                                          [&](const ForeignSystem& other) { return other.name == name; });
        if (foreign != elsewhere_.end()) {
            return errors::system_of_other_group(system, relation, name, foreign->group, group_);
        }
        return errors::unknown_system(system, relation, name, nearest_name(name, names_));
    }

    // Every remaining system waits for another remaining one, so following predecessors must find a cycle.
    std::vector<std::uint32_t> loop_of(const std::vector<std::size_t>& waiting_for) const {
        const auto is_left = [&](std::uint32_t rank) { return waiting_for[rank] != 0; };
        std::uint32_t rank = 0;
        while (!is_left(rank)) ++rank;
        std::vector<std::uint32_t> walk;
        std::vector<bool> is_walked(names_.size());
        while (!is_walked[rank]) {
            walk.push_back(rank);
            is_walked[rank] = true;
            std::uint32_t smallest = static_cast<std::uint32_t>(names_.size());
            for (const std::uint32_t other : predecessors_[rank]) {
                if (is_left(other)) smallest = std::min(smallest, other);
            }
            rank = smallest;
        }
        std::vector<std::uint32_t> loop(std::find(walk.begin(), walk.end(), rank), walk.end());
        std::reverse(loop.begin(), loop.end());  // walked from later to earlier; read as it would run
        std::rotate(loop.begin(), std::min_element(loop.begin(), loop.end()), loop.end());
        loop.push_back(loop.front());
        return loop;
    }

    std::string loop_text(const std::vector<std::uint32_t>& loop) const {
        std::string text;
        for (const std::uint32_t member : loop) {
            if (!text.empty()) text += " -> ";
            text += names_[member];
        }
        return text;
    }

    std::string reasons_of(const std::vector<std::uint32_t>& loop) const {
        std::string text;
        for (std::size_t i = 1; i < loop.size(); ++i) {
            const auto found = reasons_.find({loop[i - 1], loop[i]});
            if (found == reasons_.end()) continue;
            if (!text.empty()) text += "; ";
            text += found->second;
        }
        return text;
    }

    std::span<const OrderedSystem> systems_;
    std::string_view group_;
    std::span<const ForeignSystem> elsewhere_;
    std::vector<std::uint32_t> index_of_;  ///< by rank
    std::vector<std::string_view> names_;  ///< by rank
    std::unordered_map<std::string_view, std::uint32_t> rank_of_;
    std::vector<std::vector<std::uint32_t>> successors_;
    std::vector<std::vector<std::uint32_t>> predecessors_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::string> reasons_;  ///< by earlier and later rank
};

}  // namespace

Result<std::vector<std::uint32_t>> order_systems(std::span<const OrderedSystem> systems,
                                                 std::string_view group,
                                                 std::span<const ForeignSystem> elsewhere) {
    OrderGraph graph(systems, group, elsewhere);
    if (Result<void> added = graph.add_edges(); !added) return added.error();
    return graph.sort();
}

}  // namespace perigee::internal
