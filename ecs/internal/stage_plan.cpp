// Comparing each member with all before it; groups are small, and plans are made once.
#include "ecs/internal/stage_plan.h"

#include "ecs/registry.h"
#include "ecs/system.h"

#include <algorithm>
#include <iterator>

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
    // Filters look at enabled bits and versions, which others write.
    for (const Ids* filter : {&query.any, &query.without, &query.changed}) {
        member.reads.insert(member.reads.end(), filter->begin(), filter->end());
    }
    member.reads.insert(member.reads.end(), desc.access.read.begin(), desc.access.read.end());
    member.writes.insert(member.writes.end(), desc.access.write.begin(), desc.access.write.end());
    const auto is_event = [&](ComponentId id) { return registry.info(id).kind() == ComponentKind::event; };
    std::erase_if(member.reads, is_event);
    std::erase_if(member.writes, is_event);
    make_set(member.reads);
    make_set(member.writes);
    member.serial_key = desc.serial_key;
    // The store of objects is for one thread, whatever the components are.
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

std::vector<std::vector<std::uint32_t>> plan_stages(
    std::span<const StageMember> members, std::span<const std::pair<std::uint32_t, std::uint32_t>> declared) {
    std::vector<Ids::size_type> stage(members.size(), 0);
    std::vector<std::vector<std::uint32_t>> before(members.size());
    for (const auto& [earlier, later] : declared) before[later].push_back(earlier);
    std::vector<std::vector<std::uint32_t>> stages;
    for (std::uint32_t member = 0; member < members.size(); ++member) {
        for (const std::uint32_t earlier : before[member]) {
            stage[member] = std::max(stage[member], stage[earlier] + 1);
        }
        for (std::uint32_t earlier = 0; earlier < member; ++earlier) {
            if (stage[earlier] + 1 > stage[member] && is_conflict(members[earlier], members[member])) {
                stage[member] = stage[earlier] + 1;
            }
        }
        if (stage[member] == stages.size()) stages.emplace_back();
        stages[stage[member]].push_back(member);
    }
    return stages;
}

std::vector<UnorderedPair> unordered_writes(
    std::span<const StageMember> members, std::span<const std::pair<std::uint32_t, std::uint32_t>> declared) {
    const std::size_t count = members.size();
    std::vector<std::vector<bool>> precedes(count, std::vector<bool>(count));
    for (const auto& [earlier, later] : declared) precedes[earlier][later] = true;
    // From the back, so that what follows a member is known in full.
    for (std::size_t member = count; member-- > 0;) {
        for (std::size_t next = member + 1; next < count; ++next) {
            if (!precedes[member][next]) continue;
            for (std::size_t after = next + 1; after < count; ++after) {
                if (precedes[next][after]) precedes[member][after] = true;
            }
        }
    }
    std::vector<UnorderedPair> pairs;
    for (std::uint32_t first = 0; first < count; ++first) {
        for (std::uint32_t second = first + 1; second < count; ++second) {
            if (precedes[first][second]) continue;
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
