// Each member is placed by the accesses of the members before it, so that planning thousands of systems is
// fast.
#include "ecs/schedule/internal/stage_plan.h"

#include "ecs/schedule/system.h"
#include "ecs/schema/registry.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <unordered_map>

namespace perigee::internal {

namespace {

using Ids = std::vector<ComponentId>;

void make_set(Ids& ids) {
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

bool share_one(const Ids& a, const Ids& b) noexcept {
    for (auto x = a.begin(), y = b.begin(); x != a.end() && y != b.end();) {
        if (*x == *y) return true;
        ++(*x < *y ? x : y);
    }
    return false;
}

}  // namespace

StageMember stage_member(const SystemDesc& desc, const ComponentRegistry& registry) {
    StageMember member;
    const QueryDesc& query = desc.query;
    for (const QueryTerm& term : query.terms) {
        (term.access == Access::write ? member.writes : member.reads).push_back(term.component);
    }
    // Filters read enabled bits and versions, which other systems write.
    for (const Ids* filter : {&query.any, &query.without, &query.changed}) {
        member.reads.insert(member.reads.end(), filter->begin(), filter->end());
    }
    for (const RelatedFilter& filter : query.related) member.reads.push_back(filter.relation);
    member.reads.insert(member.reads.end(), desc.access.read.begin(), desc.access.read.end());
    member.writes.insert(member.writes.end(), desc.access.write.begin(), desc.access.write.end());
    const auto is_event = [&](ComponentId id) { return registry.info(id).kind() == ComponentKind::event; };
    std::erase_if(member.reads, is_event);
    std::erase_if(member.writes, is_event);
    make_set(member.reads);
    make_set(member.writes);
    member.serial_key = desc.serial_key;
    // The object store is for one thread, regardless of the components.
    const auto is_object = [&](ComponentId id) { return registry.info(id).kind() == ComponentKind::object; };
    member.is_alone = desc.is_alone || is_undeclared(desc) || std::ranges::any_of(member.reads, is_object) ||
                      std::ranges::any_of(member.writes, is_object);
    return member;
}

bool is_conflict(const StageMember& a, const StageMember& b) noexcept {
    if (a.is_alone || b.is_alone) return true;
    if (!a.serial_key.empty() && a.serial_key == b.serial_key) return true;
    return share_one(a.writes, b.writes) || share_one(a.writes, b.reads) || share_one(a.reads, b.writes);
}

namespace {

// The latest stage, plus one, of members with that access; 0: none yet. A conflicting member runs there at
// the earliest.
struct Latest {
    std::uint32_t writer = 0;
    std::uint32_t reader = 0;
};

// The earliest stage that is_conflict allows for each member, from the accesses of the members before it: the
// same result as comparing it with each of them, in time linear in its own lists.
class Touched {
public:
    std::uint32_t earliest(const StageMember& member) {
        if (member.is_alone) return any_;
        std::uint32_t stage = alone_;
        if (!member.serial_key.empty()) stage = std::max(stage, serial_[member.serial_key]);
        for (const ComponentId id : member.reads) stage = std::max(stage, latest_[id.index].writer);
        for (const ComponentId id : member.writes)
            stage = std::max({stage, latest_[id.index].writer, latest_[id.index].reader});
        return stage;
    }

    void add(const StageMember& member, std::uint32_t stage) {
        const auto raise = [next = stage + 1](std::uint32_t& latest) { latest = std::max(latest, next); };
        raise(any_);
        if (member.is_alone) raise(alone_);
        if (!member.serial_key.empty()) raise(serial_[member.serial_key]);
        for (const ComponentId id : member.reads) raise(latest_[id.index].reader);
        for (const ComponentId id : member.writes) raise(latest_[id.index].writer);
    }

private:
    std::uint32_t any_ = 0;
    std::uint32_t alone_ = 0;
    std::unordered_map<std::uint32_t, Latest> latest_;  // by component
    std::unordered_map<std::string_view, std::uint32_t> serial_;
};

}  // namespace

std::vector<std::vector<std::uint32_t>> plan_stages(
    std::span<const StageMember> members, std::span<const std::pair<std::uint32_t, std::uint32_t>> declared) {
    std::vector<std::uint32_t> stage(members.size(), 0);
    std::vector<std::vector<std::uint32_t>> before(members.size());
    for (const auto& [earlier, later] : declared) before[later].push_back(earlier);
    Touched touched;
    std::vector<std::vector<std::uint32_t>> stages;
    for (std::uint32_t member = 0; member < members.size(); ++member) {
        stage[member] = touched.earliest(members[member]);
        for (const std::uint32_t earlier : before[member])
            stage[member] = std::max(stage[member], stage[earlier] + 1);
        touched.add(members[member], stage[member]);
        if (stage[member] == stages.size()) stages.emplace_back();
        stages[stage[member]].push_back(member);
    }
    return stages;
}

std::vector<UnorderedPair> unordered_writes(
    std::span<const StageMember> members, std::span<const std::pair<std::uint32_t, std::uint32_t>> declared) {
    const std::size_t count = members.size();
    // One bit for each pair, in rows of words: which members a member precedes.
    const std::size_t words = (count + 63) / 64;
    std::vector<std::uint64_t> bits(count * words);
    const auto precedes = [&](std::size_t earlier, std::size_t later) {
        return (bits[earlier * words + later / 64] >> (later % 64) & 1U) != 0;
    };
    for (const auto& [earlier, later] : declared)
        bits[earlier * words + later / 64] |= std::uint64_t{1} << (later % 64);
    // Backwards, so that all successors of a member are known.
    for (std::size_t member = count; member-- > 0;) {
        for (std::size_t next = member + 1; next < count; ++next) {
            if (!precedes(member, next)) continue;
            for (std::size_t word = next / 64; word < words; ++word)
                bits[member * words + word] |= bits[next * words + word];
        }
    }
    std::vector<UnorderedPair> pairs;
    for (std::uint32_t first = 0; first < count; ++first) {
        for (std::uint32_t second = first + 1; second < count; ++second) {
            if (precedes(first, second)) continue;
            Ids both;
            std::set_intersection(members[first].writes.begin(), members[first].writes.end(),
                                  members[second].writes.begin(), members[second].writes.end(),
                                  std::back_inserter(both));
            for (const ComponentId component : both) pairs.push_back({first, second, component});
        }
    }
    return pairs;
}

}  // namespace perigee::internal
