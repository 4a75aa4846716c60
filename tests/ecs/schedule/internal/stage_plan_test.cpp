// Stages agree with their definition, for random members.
#include "ecs/schedule/internal/stage_plan.h"

#include "ecs/schedule/system.h"
#include "ecs/schema/registry.h"

#include <catch2/catch.hpp>

#include <random>
#include <string>

namespace perigee::internal {
namespace {

using Pair = std::pair<std::uint32_t, std::uint32_t>;

// Components 0 to 7 without any meaning.
const ComponentRegistry& few_components() {
    static ComponentRegistry registry;
    while (registry.size() < 8) {
        Schema schema;
        schema.name = "C" + std::to_string(registry.size());
        schema.kind = ComponentKind::tag;
        registry.declare(schema).value();
    }
    return registry;
}

TEST_CASE("a member is in the first stage after all members that it conflicts with or comes after") {
    static const std::string_view kKeys[] = {"", "", "", "one", "two"};
    std::mt19937 random(5);
    for (int round = 0; round < 2000; ++round) {
        std::vector<StageMember> members(1 + random() % 12);
        std::vector<Pair> declared;
        for (std::uint32_t i = 0; i < members.size(); ++i) {
            for (std::uint32_t c = 0; c < 6; ++c) {
                if (random() % 5 == 0) members[i].reads.push_back(ComponentId{static_cast<std::uint16_t>(c)});
                if (random() % 8 == 0)
                    members[i].writes.push_back(ComponentId{static_cast<std::uint16_t>(c)});
            }
            members[i].serial_key = kKeys[random() % 5];
            members[i].is_alone = random() % 10 == 0;
            if (i > 0 && random() % 4 == 0) declared.emplace_back(random() % i, i);
        }
        const std::vector<std::vector<std::uint32_t>> stages = plan_stages(members, declared);
        std::vector<std::uint32_t> stage_of(members.size(), 99);
        for (std::uint32_t stage = 0; stage < stages.size(); ++stage) {
            REQUIRE(std::is_sorted(stages[stage].begin(), stages[stage].end()));
            for (const std::uint32_t member : stages[stage]) stage_of[member] = stage;
        }
        for (std::uint32_t later = 0; later < members.size(); ++later) {
            std::uint32_t expected = 0;
            for (std::uint32_t earlier = 0; earlier < later; ++earlier) {
                const bool is_behind =
                    is_conflict(members[earlier], members[later]) ||
                    std::find(declared.begin(), declared.end(), Pair{earlier, later}) != declared.end();
                if (is_behind) expected = std::max(expected, stage_of[earlier] + 1);
            }
            REQUIRE(stage_of[later] == expected);
        }
    }
}

TEST_CASE("filters count as reading, and two writers conflict") {
    SystemDesc desc;
    desc.query.terms = {{ComponentId{1}, Access::write}};
    desc.query.changed = {ComponentId{2}};
    desc.query.without = {ComponentId{3}};
    desc.query.any = {ComponentId{4}, ComponentId{5}};
    const StageMember member = stage_member(desc, few_components());
    CHECK(member.writes == std::vector<ComponentId>{ComponentId{1}});
    CHECK(member.reads.size() == 4);
    CHECK(is_conflict(member, member));
    SystemDesc writer;
    writer.access.write = {ComponentId{3}};
    CHECK(is_conflict(member, stage_member(writer, few_components())));
    writer.access.write = {ComponentId{6}};
    CHECK_FALSE(is_conflict(member, stage_member(writer, few_components())));
}

TEST_CASE(
    "a native system without declarations runs alone; a script system without declarations accesses "
    "nothing") {
    SystemDesc desc;
    CHECK(stage_member(desc, few_components()).is_alone);
    desc.is_native = false;
    CHECK_FALSE(stage_member(desc, few_components()).is_alone);
    desc.is_alone = true;
    CHECK(stage_member(desc, few_components()).is_alone);
}

TEST_CASE("two writers are unordered unless a chain of declarations orders them") {
    std::vector<StageMember> members(4);
    for (StageMember& member : members) member.writes = {ComponentId{7}};
    const std::vector<Pair> chain{{0, 1}, {1, 3}};
    const std::vector<UnorderedPair> pairs = unordered_writes(members, chain);
    REQUIRE(pairs.size() == 3);
    CHECK((pairs[0].first == 0 && pairs[0].second == 2));
    CHECK((pairs[1].first == 1 && pairs[1].second == 2));
    CHECK((pairs[2].first == 2 && pairs[2].second == 3));
    CHECK(pairs[0].component == ComponentId{7});
}

}  // namespace
}  // namespace perigee::internal
