// Every typed function with a component of every kind: it works, or is refused with a message that names
// the C++ type and the component, and other data stays unchanged.
#include "ecs/schema/type_bindings.h"

#include "ecs/commands/command_buffer.h"
#include "ecs/events/system_events.h"
#include "ecs/inspect/world_hash.h"
#include "ecs/prefab/make_prefab.h"
#include "ecs/schedule/lookup.h"
#include "ecs/schedule/typed_system.h"
#include "ecs/storage/buffer.h"
#include "ecs/storage/event_store.h"
#include "ecs/world/bulk.h"
#include "ecs/world/prefab.h"
#include "tests/ecs/check_world.h"
#include "tests/support/broken_contract.h"
#include "tests/support/typed_stage.h"

#include <catch2/catch.hpp>

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace perigee {
namespace {

using Catch::Matchers::Contains;
using Stage = TypedStage;

struct Operation {
    std::string name;
    std::function<void(Stage&)> run;
};

template <typename Parameter> void visit(Stage& stage) {
    const TypedQuery<Parameter> query = stage.world.query<Parameter>();
    query.each([](const auto&) {});
    query.each_chunk([](const ChunkView&, const auto&) {});
}

// Where a mistake is an Error, what the contract would say besides.
template <typename T> std::string typed_message(const std::string& message) {
    return message + " (typed access, " + std::string(type_name<T>()) + ")";
}

// All chunks that have T, as a query by id shows them; the component is a term that is written.
template <typename T, typename Function> void show(Stage& stage, Function function) {
    QueryDesc desc;
    desc.terms = {{stage.world.id<T>(), Access::write}};
    Result<Query*> query = stage.world.query(desc);
    if (!query) throw BrokenContract(typed_message<T>(query.error().message));
    stage.world.each_chunk(*query.value(), function);
}

template <typename T> Entity spawn_of(Stage& stage, PrefabComponent component) {
    Prefab prefab;
    prefab.name = "one";
    prefab.components = {std::move(component)};
    const Result<PrefabId> added = add_prefab(stage.world, prefab);
    if (!added) throw BrokenContract(typed_message<T>(added.error().message));
    const Entity made = stage.world.spawn(added.value());
    REQUIRE(made);
    return made;
}

// What is asked for first, so that a broken contract gets out.
void need(bool is_done) { REQUIRE(is_done); }
void need(Entity made) { REQUIRE(made); }

template <typename T> std::vector<Operation> operations() {
    std::vector<Operation> all = {
        {"has", [](Stage& s) { s.world.has<T>(s.entity); }},
        {"add", [](Stage& s) { need(s.world.add<T>(s.entity)); }},
        {"add to another", [](Stage& s) { need(s.world.add<T>(s.bare)); }},
        {"add value", [](Stage& s) { need(s.world.add(s.entity, T{})); }},
        {"remove", [](Stage& s) { need(s.world.remove<T>(s.entity)); }},
        {"get", [](Stage& s) { need(s.world.get<T>(s.entity) != nullptr); }},
        {"get by id", [](Stage& s) { need(s.world.get<T>(s.entity, s.world.id<T>()) != nullptr); }},
        {"edit", [](Stage& s) { *s.world.edit<T>(s.entity) = T{}; }},
        {"set", [](Stage& s) { need(s.world.set(s.entity, T{})); }},
        {"set_enabled", [](Stage& s) { need(s.world.set_enabled<T>(s.entity, false)); }},
        {"is_enabled", [](Stage& s) { need(s.world.is_enabled<T>(s.entity)); }},
        {"spawn value", [](Stage& s) { need(s.world.spawn(Wide{}, T{})); }},
        {"spawn", [](Stage& s) { need(s.world.has<T>(s.world.spawn<Wide, T>())); }},
        {"archetype", [](Stage& s) { s.world.archetype<T>(); }},
        {"buffer", [](Stage& s) { s.world.buffer<T>(s.entity).push(T{}); }},
        {"elements", [](Stage& s) { need(s.world.elements<T>(s.entity).size() == 5); }},
        {"resource", [](Stage& s) { s.world.resource<T>() = T{}; }},
        {"query T", [](Stage& s) { visit<T>(s); }},
        {"query const T", [](Stage& s) { visit<const T>(s); }},
        {"query Optional", [](Stage& s) { visit<Optional<T>>(s); }},
        {"query Shared", [](Stage& s) { visit<Shared<T>>(s); }},
        {"query Optional Shared", [](Stage& s) { visit<Optional<Shared<T>>>(s); }},
        {"query PerChunk", [](Stage& s) { visit<PerChunk<T>>(s); }},
        {"query PerChunk const", [](Stage& s) { visit<PerChunk<const T>>(s); }},
        {"query Buffer", [](Stage& s) { visit<Buffer<T>>(s); }},
        {"query Buffer const", [](Stage& s) { visit<Buffer<const T>>(s); }},
        {"query Optional Buffer", [](Stage& s) { visit<Optional<Buffer<T>>>(s); }},
        {"query over another's",
         [](Stage& s) { TypedQuery<T>(s.world, s.world.query<const Wide>().query()); }},
        {"without", [](Stage& s) { s.world.query<const Wide>().template without<T>().build(); }},
        {"shared", [](Stage& s) { s.world.query<const Wide>().shared(T{}).build(); }},
        {"look up to write", [](Stage& s) { *Lookup<T>(s.world).get(s.entity) = T{}; }},
        {"look up", [](Stage& s) { need(Lookup<const T>(s.world).get(s.entity) != nullptr); }},
        {"look up a buffer", [](Stage& s) { Lookup<Buffer<T>>(s.world)[s.entity].push(T{}); }},
        {"look up elements", [](Stage& s) { need(Lookup<Buffer<const T>>(s.world)[s.entity].size() == 5); }},
        {"column", [](Stage& s) { show<T>(s, [](ChunkView& v) { v.column<T>(0)[0] = T{}; }); }},
        {"column const",
         [](Stage& s) { show<T>(s, [](ChunkView& v) { static_cast<void>(v.column<const T>(0)[0]); }); }},
        {"buffers", [](Stage& s) { show<T>(s, [](ChunkView& v) { v.buffers<T>(0)[0].push(T{}); }); }},
        {"shared of a chunk", [](Stage& s) { show<T>(s, [](ChunkView& v) { v.shared<T>(0); }); }},
        {"chunk_value", [](Stage& s) { show<T>(s, [](ChunkView& v) { v.chunk_value<T>(0) = T{}; }); }},
        {"add_all", [](Stage& s) { add_all<T>(s.world, s.world.query<const Position>().query()); }},
        {"add_all value", [](Stage& s) { add_all(s.world, s.world.query<const Wide>().query(), T{}); }},
        {"set_all", [](Stage& s) { set_all(s.world, s.world.query<const Wide>().query(), T{}); }},
        {"remove_all", [](Stage& s) { remove_all<T>(s.world, s.world.query<const Wide>().query()); }},
        {"set_enabled_all",
         [](Stage& s) { set_enabled_all<T>(s.world, s.world.query<const Wide>().query(), true); }},
        {"prefab_value", [](Stage& s) { spawn_of<T>(s, prefab_value(s.world, T{})); }},
        {"prefab_default", [](Stage& s) { prefab_default<T>(s.world); }},
        {"prefab_elements",
         [](Stage& s) {
             const T elements[5] = {};
             const Entity made = spawn_of<T>(s, prefab_elements(s.world, std::span<const T>(elements)));
             need(s.world.elements<T>(made).size() == 5);
         }},
        {"send", [](Stage& s) { EventWriter(s.world).send(T{}); }},
        {"send_many", [](Stage& s) { EventWriter(s.world).send_many<T>(2); }},
        {"read", [](Stage& s) { SystemEvents(s.world).template read<T>(); }},
        {"as",
         [](Stage& s) {
             const ComponentId event = s.world.id<T>();
             if (s.world.events().has(event)) s.world.events().kept(event).template as<T>();
             s.world.events().kept(s.world.id<GameOver>()).as<GameOver>();
             s.world.types().expect<T>(event, TypedUse::event);
         }},
    };
    const auto command = [&all](std::string name, auto record) {
        all.push_back({std::move(name), [record](Stage& s) {
                           CommandBuffer commands(s.world);
                           record(commands, s.entity);
                           const PlaybackReport report = commands.play_back();
                           need(report.failed + report.dropped == 0);
                       }});
    };
    command("command add", [](CommandBuffer& c, Entity e) { c.add<T>(e); });
    command("command add value", [](CommandBuffer& c, Entity e) { c.add(e, T{}); });
    command("command set", [](CommandBuffer& c, Entity e) { c.set(e, T{}); });
    command("command remove", [](CommandBuffer& c, Entity e) { c.remove<T>(e); });
    command("command set_enabled", [](CommandBuffer& c, Entity e) { c.set_enabled<T>(e, false); });
    command("command spawn", [](CommandBuffer& c, Entity) { c.spawn(Wide{}, T{}); });
    command("command add_buffer", [](CommandBuffer& c, Entity e) { c.add_buffer<T>(e).push(T{}); });
    command("command set_buffer", [](CommandBuffer& c, Entity e) { c.set_buffer<T>(e).push(T{}); });
    return all;
}

const std::set<std::string> kPresence = {"has",        "add",        "add to another", "remove",
                                         "is_enabled", "spawn",      "archetype",      "without",
                                         "add_all",    "remove_all", "prefab_default"};
const std::set<std::string> kPresenceCommands = {"command add", "command remove"};
const std::set<std::string> kGiven = {"add value", "spawn value", "add_all value", "prefab_value"};
const std::set<std::string> kGivenCommands = {"command add value", "command spawn"};
const std::set<std::string> kRows = {"query T", "query const T", "query Optional"};
const std::set<std::string> kValue = {"get", "get by id", "set", "set_all", "look up"};
const std::set<std::string> kInPlace = {"edit", "look up to write"};
const std::set<std::string> kColumn = {"column", "column const"};
const std::set<std::string> kEnabled = {"set_enabled", "set_enabled_all", "command set_enabled"};

std::set<std::string> sum(std::initializer_list<std::set<std::string>> sets) {
    std::set<std::string> all;
    for (const std::set<std::string>& set : sets) all.insert(set.begin(), set.end());
    return all;
}

template <typename T> void check_kind(const std::string& component, const std::set<std::string>& allowed) {
    const ContractWatch watch;
    std::set<std::string> seen;
    for (const Operation& operation : operations<T>()) {
        INFO(component << ", " << operation.name);
        Stage stage;
        const std::uint64_t before = world_hash(stage.world);
        std::string refusal;
        try {
            operation.run(stage);
            seen.insert(operation.name);
        } catch (const BrokenContract& broken) {
            refusal = broken.what();
        }
        CHECK(allowed.contains(operation.name) == refusal.empty());
        if (!refusal.empty()) {
            CHECK_THAT(refusal, Contains("'" + component + "'"));
            if (!component.empty() && refusal.find("by a command") == std::string::npos)
                CHECK_THAT(refusal, Contains(std::string(type_name<T>())) && Contains("typed access"));
            CHECK(world_hash(stage.world) == before);
        }
        CHECK(stage.is_neighbour_whole());
        check_world(stage.world, 0);
    }
    for (const std::string& name : allowed) CHECK(seen.contains(name));  // no name is misspelt
}

TEST_CASE("typed functions over plain components") {
    check_kind<Position>("Position", sum({kPresence,
                                          kPresenceCommands,
                                          kGiven,
                                          kGivenCommands,
                                          kRows,
                                          kValue,
                                          kInPlace,
                                          kColumn,
                                          {"command set"}}));
    const std::set<std::string> voice = sum({kPresence,
                                             kPresenceCommands,
                                             kGiven,
                                             kGivenCommands,
                                             kRows,
                                             kValue,
                                             kInPlace,
                                             kColumn,
                                             {"command set"}});
    std::set<std::string> cleanup = voice;
    cleanup.erase("prefab_value");
    check_kind<Voice>("Voice", cleanup);
}

TEST_CASE("typed functions over tags and objects, which have no value") {
    const std::set<std::string> all = sum({kPresence, kPresenceCommands, kGiven, kGivenCommands, kRows});
    check_kind<Frozen>("Frozen", all);
    check_kind<Brain>("Brain", all);
}

TEST_CASE("typed functions over enableable components") {
    check_kind<Shield>("Shield", sum({kPresence,
                                      kPresenceCommands,
                                      kGiven,
                                      kGivenCommands,
                                      kRows,
                                      kValue,
                                      kInPlace,
                                      kColumn,
                                      kEnabled,
                                      {"command set"}}));
    check_kind<Visible>("Visible",
                        sum({kPresence, kPresenceCommands, kGiven, kGivenCommands, kRows, kEnabled}));
}

TEST_CASE("typed functions over shared components") {
    const std::set<std::string> all =
        sum({kPresence,
             kPresenceCommands,
             kGiven,
             kGivenCommands,
             kValue,
             {"query Shared", "query Optional Shared", "shared", "shared of a chunk", "command set"}});
    check_kind<Team>("Team", all);
    std::set<std::string> cleanup = all;
    cleanup.erase("prefab_value");
    check_kind<Squad>("Squad", cleanup);
}

TEST_CASE("typed functions over chunk components") {
    check_kind<Bounds>("Bounds", sum({kPresence,
                                      kGiven,
                                      kValue,
                                      kInPlace,
                                      {"query PerChunk", "query PerChunk const", "chunk_value"}}));
}

TEST_CASE("typed functions over buffers") {
    check_kind<Waypoint>(
        "Waypoint", sum({kPresence,
                         kPresenceCommands,
                         {"buffer", "elements", "query Buffer", "query Buffer const", "query Optional Buffer",
                          "look up a buffer", "look up elements", "buffers", "prefab_elements",
                          "command add_buffer", "command set_buffer"}}));
}

TEST_CASE("typed functions over resources, events and blobs") {
    check_kind<Wave>("Wave", {"resource"});
    check_kind<Damage>("Damage", {"send", "send_many", "read", "as"});
    check_kind<GameOver>("GameOver", {"send", "send_many", "read", "as"});
    check_kind<Key>("Key", {});
}

TEST_CASE("every typed function names an unbound type") {
    const ContractWatch watch;
    for (const Operation& operation : operations<Stranger>()) {
        INFO(operation.name);
        Stage stage;
        CHECK_THROWS_WITH(operation.run(stage),
                          Contains("Stranger' is bound to no component") && Contains("World::bind"));
        CHECK(stage.is_neighbour_whole());
    }
}

}  // namespace
}  // namespace perigee
