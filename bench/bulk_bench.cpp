// Changing all entities of a query at once, and other bulk changes.
//
// Each state has been through the change and back once: archetypes, edges and memory exist, as in any frame
// but the first. Baseline: the least memory work, or the bulk add in the same world; each row says which.
#include "bench/support/populated.h"
#include "ecs/prefab/make_prefab.h"
#include "ecs/world/bulk.h"
#include "ecs/world/prefab.h"

#include <array>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace perigee::bench {
namespace {

// ---- our side ----

struct Frozen {};
struct Team {
    std::uint32_t id = 0;
};

// The query: all moving entities.
struct Crowd : Populated {
    explicit Crowd(std::size_t n) : Populated(n) {
        world->declare<Frozen>("Frozen").value();
        world->declare<Team>("Team", ComponentKind::shared, field("id", &Team::id)).value();
    }
    const Query& all() { return world->query<const Position>().query(); }
    void add_mass() { add_all(*world, all(), world->id<Mass>()); }
    void remove_mass() { remove_all(*world, all(), world->id<Mass>()); }
    void freeze() { add_all(*world, all(), world->id<Frozen>()); }
    void thaw() { remove_all(*world, all(), world->id<Frozen>()); }
    void join(std::uint32_t id) {
        const Team team{id};
        set_all(*world, all(), world->id<Team>(), &team);
    }
};
using CrowdPtr = std::unique_ptr<Crowd>;

CrowdPtr without_mass() {
    auto state = std::make_unique<Crowd>(kMillion);
    state->add_mass();
    state->remove_mass();
    return state;
}
CrowdPtr with_mass() {
    CrowdPtr state = without_mass();
    state->add_mass();
    return state;
}
CrowdPtr thawed() {
    auto state = std::make_unique<Crowd>(kMillion);
    state->freeze();
    state->thaw();
    return state;
}
CrowdPtr frozen() {
    CrowdPtr state = thawed();
    state->freeze();
    return state;
}
// One team of a million, whose number was changed before.
CrowdPtr one_team() {
    auto state = std::make_unique<Crowd>(kMillion);
    add_all(*state->world, state->all(), state->world->id<Team>());
    state->join(1);
    state->join(0);
    return state;
}
// A thousand teams of a thousand: chunks that are partly full, so that rows are copied.
CrowdPtr many_teams() {
    auto state = std::make_unique<Crowd>(0);
    World& world = *state->world;
    constexpr std::uint32_t kTeams = 1000;
    for (std::uint32_t id = 1; id <= kTeams; ++id) {
        std::vector<std::byte> value(sizeof id);
        std::memcpy(value.data(), &id, sizeof id);
        Prefab member;
        member.name = "member of " + std::to_string(id);
        member.components = {
            {world.id<Position>(), {}}, {world.id<Velocity>(), {}}, {world.id<Team>(), value}};
        const PrefabId prefab = add_prefab(world, std::move(member)).value();
        spawn_many(world, prefab, kMillion / kTeams);
    }
    return state;
}

void add_bulk(const CrowdPtr& state) { state->add_mass(); }
void remove_bulk(const CrowdPtr& state) { state->remove_mass(); }
void add_tag_bulk(const CrowdPtr& state) { state->freeze(); }
void remove_tag_bulk(const CrowdPtr& state) { state->thaw(); }
void join_bulk(const CrowdPtr& state) { state->join(7); }

CrowdPtr one_to_clone() {
    auto state = std::make_unique<Crowd>(kMillion);
    destroy_all(*state->world, state->all());
    state->entities.resize(1);
    state->entities[0] = state->world->spawn(Position{1, 2}, Velocity{3, 4});
    return state;
}
void clone_bulk(const CrowdPtr& state) { clone_many(*state->world, state->entities[0], kMillion); }

// ---- two components of one entity in one move ----

CrowdPtr exchanged_before() {
    auto state = std::make_unique<Crowd>(kHundredThousand);
    const std::array velocity{state->world->id<Velocity>()}, mass{state->world->id<Mass>()};
    const std::array to{ComponentValue{mass[0]}}, back{ComponentValue{velocity[0]}};
    for (const Entity entity : state->entities) state->world->change(entity, to, velocity);
    for (const Entity entity : state->entities) state->world->change(entity, back, mass);
    return state;
}
void exchange_at_once(const CrowdPtr& state) {
    const std::array velocity{state->world->id<Velocity>()};
    const std::array mass{ComponentValue{state->world->id<Mass>()}};
    for (const Entity entity : state->entities) state->world->change(entity, mass, velocity);
}
void exchange_one_by_one(const CrowdPtr& state) {
    const ComponentId velocity = state->world->id<Velocity>(), mass = state->world->id<Mass>();
    for (const Entity entity : state->entities) {
        state->world->add(entity, mass);
        state->world->remove(entity, velocity);
    }
}

// ---- the least work ----

LeastPtr least_without_mass() {
    LeastPtr store = least(kMillion, kMillion)();
    store->add_mass_to_all();
    store->remove_mass_from_all();
    return store;
}
LeastPtr least_with_mass() {
    LeastPtr store = least_without_mass();
    store->add_mass_to_all();
    return store;
}
LeastPtr least_emptied() {
    LeastPtr store = least(kMillion, kMillion)();
    store->destroy_all();
    return store;
}
void least_add(const LeastPtr& store) { store->add_mass_to_all(); }
void least_remove(const LeastPtr& store) { store->remove_mass_from_all(); }
void least_clone(const LeastPtr& store) { store->create_many(kMillion); }
void least_exchange(const LeastPtr& store) {
    for (std::uint32_t id = 0; id < kHundredThousand; ++id) store->velocity_for_mass(id);
}

}  // namespace

std::vector<Case> bulk_cases() {
    constexpr std::size_t kM = kMillion, kH = kHundredThousand;
    std::vector<Case> cases;
    const auto add = [&](const char* row, std::size_t n, auto set_up, auto body, const char* baseline,
                         auto other_set_up, auto other_body) {
        cases.push_back(Case{row, n, "c++", baseline, [=] {
                                 return Sides{once(n, set_up, body), once(n, other_set_up, other_body)};
                             }});
    };
    constexpr const char* kBulkAdd = "bulk add of a component of 8 bytes, ours";
    add("bulk add by query", kM, without_mass, add_bulk, kLeastWork, least_without_mass, least_add);
    add("bulk remove by query", kM, with_mass, remove_bulk, kLeastWork, least_with_mass, least_remove);
    add("bulk add of a tag by query", kM, thawed, add_tag_bulk, kBulkAdd, without_mass, add_bulk);
    add("bulk remove of a tag by query", kM, frozen, remove_tag_bulk, kBulkAdd, without_mass, add_bulk);
    add("set a shared value in bulk, from one value", kM, one_team, join_bulk, kBulkAdd, without_mass,
        add_bulk);
    add("set a shared value in bulk, from 1000 values", kM, many_teams, join_bulk, kBulkAdd, without_mass,
        add_bulk);
    add("clone bulk, warm pool", kM, one_to_clone, clone_bulk, kLeastWork, least_emptied, least_clone);
    add("exchange two components, one change", kH, exchanged_before, exchange_at_once, kLeastWork,
        least_without_mass, least_exchange);
    add("exchange two components, one change", kH, exchanged_before, exchange_at_once, "add and remove, ours",
        exchanged_before, exchange_one_by_one);
    return cases;
}

}  // namespace perigee::bench
