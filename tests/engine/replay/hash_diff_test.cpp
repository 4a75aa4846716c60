// Two runs that differ in one thing, which the diff reports exactly.
#include "engine/replay/hash_diff.h"

#include "ecs/world/world.h"
#include "ecs/world/world_config.h"
#include "engine/replay/hash_recorder.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_components.h"

#include <catch2/catch.hpp>

#include <fstream>
#include <functional>
#include <iterator>
#include <random>

namespace perigee {
namespace {

using Catch::Matchers::Contains;

/// A small simulation with a hash log: `interfere` is called after each of its systems.
struct Simulation {
    using Interference = std::function<void(World&, std::uint64_t tick, std::string_view system)>;
    std::uint64_t seed = 1;
    std::uint64_t steps = 20;
    std::uint32_t entities = 300;
    WorldConfig chunks = tiny_chunks(7);
    Interference interfere;
    bool declares_more = false;
    std::uint64_t cut_bytes = 0;

    std::string log() const {
        const test::TemporaryFolder folder;
        const std::filesystem::path file = folder.path() / "run.hashes";
        World world(chunks);
        declare_test_components(world);
        if (declares_more) world.declare<Extra>("Extra", field("x", &Extra::x)).value();
        for (std::uint32_t i = 0; i < entities; ++i)
            world.spawn(Position{0, 0}, Velocity{1, static_cast<float>(i)});
        HashRecorder recorder = std::move(HashRecorder::open(file, {"game", seed, 60})).value();
        recorder.start(world);
        for (std::uint64_t tick = 0; tick < steps; ++tick) step(world, recorder, tick);
        REQUIRE(recorder.finish());
        std::ifstream stream{file, std::ios::binary};
        std::string bytes{std::istreambuf_iterator<char>{stream}, {}};
        bytes.resize(bytes.size() - cut_bytes);
        return bytes;
    }

private:
    struct Extra {
        float x = 0;
    };
    void step(World& world, HashRecorder& recorder, std::uint64_t tick) const {
        const std::vector<ComponentId> position{world.id<Position>()};
        const std::vector<ComponentId> velocity{world.id<Velocity>()};
        world.each<Velocity>([&](Entity, Velocity& value) { value.x *= 1.01F; });
        if (interfere) interfere(world, tick, "drag");
        recorder.after_system(world, "drag", velocity);
        world.each<Position, const Velocity>([&](Entity, Position& at, const Velocity& by) {
            at.x += by.x;
            at.y += by.y;
        });
        if (interfere) interfere(world, tick, "move");
        recorder.after_system(world, "move", position);
        if (tick % 3 == 0) {
            world.spawn(Health{});
            if (interfere) interfere(world, tick, "breed");
            recorder.after_commands(world, "breed");
        }
        recorder.end_step(world, tick);
    }
};

HashDifference difference(std::string first, std::string second) {
    Result<HashLogReader> left = HashLogReader::open(std::move(first));
    Result<HashLogReader> right = HashLogReader::open(std::move(second));
    REQUIRE(left);
    REQUIRE(right);
    Result<HashDifference> found = compare(left.value(), right.value());
    REQUIRE(found);
    return std::move(found).value();
}

Entity nth_entity(World& world, std::size_t n) {
    std::vector<Entity> all;
    world.each<const Velocity>([&](Entity entity, const Velocity&) { all.push_back(entity); });
    std::ranges::sort(all);
    return all.at(n);
}

TEST_CASE("runs of equal worlds do not differ, whatever their chunks") {
    const Simulation plain;
    Simulation other;
    other.chunks = tiny_chunks(2);
    const HashDifference none = difference(plain.log(), other.log());
    CHECK(none.kind == HashDifference::Kind::none);
    CHECK(none.step_count == 20);
    CHECK(text_of(none, "a", "b") == "no difference in 20 steps\n");
}

TEST_CASE("an injected change is reported with tick, system, component, entity and field") {
    const std::string plain = Simulation{}.log();
    std::mt19937 random{3};
    for (int attempt = 0; attempt < 20; ++attempt) {
        const std::uint64_t at_tick = random() % 20;
        const std::size_t who = random() % 300;
        const bool is_move = random() % 2 == 0;
        const bool is_x = random() % 2 == 0;
        Entity entity;
        Simulation changed;
        changed.interfere = [&](World& world, std::uint64_t tick, std::string_view system) {
            if (tick != at_tick || system != (is_move ? "move" : "drag")) return;
            entity = nth_entity(world, who);
            float* const pair = is_move ? &world.edit<Position>(entity)->x : &world.edit<Velocity>(entity)->x;
            pair[is_x ? 0 : 1] += 1;
        };
        const std::string log = changed.log();
        const HashDifference found = difference(plain, log);
        CHECK(found.kind == HashDifference::Kind::content);
        CHECK(found.tick == at_tick);
        CHECK(found.step_count == at_tick);
        CHECK(found.moment == HashMoment::system);
        CHECK(found.system == (is_move ? "move" : "drag"));
        CHECK(found.components == std::vector<std::string>{is_move ? "Position" : "Velocity"});
        REQUIRE(found.values.size() == 1);
        CHECK(found.values[0].entity == entity);
        CHECK(found.values[0].field == (is_x ? "x" : "y"));
        const std::string expected =
            "first difference: tick " + std::to_string(at_tick) + ", system '" + found.system +
            "'\n  component " + found.components[0] + ", entity " + std::to_string(entity.index()) + ":" +
            std::to_string(entity.generation()) + ", field " + found.values[0].field + "\n";
        CHECK(text_of(found, "a", "b") == expected);
    }
}

TEST_CASE("some of many different values are reported, and all of those differ") {
    Simulation changed;
    changed.entities = 3000;
    changed.interfere = [](World& world, std::uint64_t tick, std::string_view system) {
        if (tick == 4 && system == "move")
            world.each<Position>([](Entity, Position& at) { at.y = -at.y - 1; });
    };
    Simulation plain;
    plain.entities = 3000;
    const HashDifference found = difference(plain.log(), changed.log());
    CHECK(found.tick == 4);
    CHECK(found.system == "move");
    CHECK_FALSE(found.values.empty());
    for (const ValueDifference& value : found.values) {
        CHECK(value.component == "Position");
        CHECK(value.field == "y");
    }
}

TEST_CASE("an entity that only one run has is reported with the run") {
    Simulation changed;
    Entity extra;
    changed.interfere = [&](World& world, std::uint64_t tick, std::string_view system) {
        if (tick == 6 && system == "breed") extra = world.spawn(Position{});
    };
    const std::string plain = Simulation{}.log();
    const std::string log = changed.log();
    for (const int side : {1, 2}) {
        const HashDifference found = side == 2 ? difference(plain, log) : difference(log, plain);
        CHECK(found.tick == 6);
        CHECK(found.moment == HashMoment::commands);
        CHECK(found.system == "breed");
        CHECK(found.components == std::vector<std::string>{"(entities)", "Position"});
        REQUIRE_FALSE(found.values.empty());
        const auto whole = std::ranges::find_if(found.values, [](const auto& v) { return v.field.empty(); });
        REQUIRE(whole != found.values.end());
        CHECK(whole->entity == extra);
        CHECK(whole->only_in == side);
        CHECK_THAT(text_of(found, "a", "b"), Contains(side == 1 ? "only in a" : "only in b"));
    }
}

TEST_CASE("a change that no system made is reported as such") {
    Simulation changed;
    changed.interfere = [](World& world, std::uint64_t tick, std::string_view system) {
        if (tick == 5 && system == "move") world.edit<Velocity>(nth_entity(world, 9))->y = 0;
    };
    const HashDifference found = difference(Simulation{}.log(), changed.log());
    CHECK(found.kind == HashDifference::Kind::execution);
    CHECK(found.tick == 5);
    const std::string text = text_of(found, "a", "b");
    CHECK_THAT(text, Contains("in a: the step ended"));
    CHECK_THAT(text, Contains("in b: something outside of systems changed the world"));
    CHECK_THAT(text, Contains("component Velocity, entity 9:1, field y"));
}

TEST_CASE("games with different types or loaded worlds differ before the first step") {
    Simulation more;
    more.declares_more = true;
    const HashDifference types = difference(Simulation{}.log(), more.log());
    CHECK(types.kind == HashDifference::Kind::types);
    CHECK(types.is_before_first_step);
    CHECK(text_of(types, "a", "b") ==
          "first difference: before the first step, as the game was loaded\n"
          "  type 'Extra' only in the second\n");
    Simulation larger;
    larger.entities = 301;
    const HashDifference loaded = difference(Simulation{}.log(), larger.log());
    CHECK(loaded.is_before_first_step);
    CHECK_THAT(text_of(loaded, "a", "b"), Contains("component (entities), entity 300:1, only in b"));
}

TEST_CASE("different seeds, a shorter log and a truncated log are remarks") {
    Simulation other;
    other.seed = 2;
    other.steps = 10;
    CHECK(text_of(difference(Simulation{}.log(), other.log()), "a", "b") ==
          "the seeds differ: 1 and 2\nlog 2 ends after 10 steps, the other continues\n"
          "no difference in 10 steps\n");
    Simulation cut;
    cut.cut_bytes = 30;
    CHECK_THAT(text_of(difference(cut.log(), Simulation{}.log()), "a", "b"),
               Contains("log 1 was cut off after 19 steps"));
}

TEST_CASE("a system that ran in one log only and changed nothing is not a difference") {
    using Systems = std::vector<std::pair<std::string, std::uint64_t>>;  // name, and what it adds; 0: nothing
    const auto log = [](const Systems& systems, std::uint64_t last_hash = 1) {
        HashLogWriter writer{{"orbit", 1, 60}};
        writer.write(HashLogType{"(entities)", 0, {}});
        writer.write(HashLogState{});
        std::uint64_t sum = 0;
        for (const auto& [name, added] : systems) {
            HashLogState state;
            state.moment = name.starts_with("commands") ? HashMoment::commands : HashMoment::system;
            state.system = name;
            if (added != 0) {
                sum += added;
                state.changed.push_back({0, sum});
                state.change.add(ValueKey{}, added);
            }
            writer.write(state);
        }
        writer.write(HashLogStep{0, last_hash, {sum}});
        writer.write(HashLogEnd{true, 1});
        return writer.take_bytes();
    };
    const Systems few{{"drag", 3}, {"move", 5}};
    const std::vector<Systems> alike{
        {{"drag", 3}, {"idle", 0}, {"move", 5}},
        {{"idle", 0}, {"drag", 3}, {"move", 5}, {"idle", 0}, {"commands", 0}},
        {{"a", 0}, {"b", 0}, {"drag", 3}, {"c", 0}, {"move", 5}},
    };
    for (const Systems& more : alike) {
        CHECK(text_of(difference(log(few), log(more)), "a", "b") == "no difference in 1 step\n");
        CHECK(text_of(difference(log(more), log(few)), "a", "b") == "no difference in 1 step\n");
        for (const Systems& other : alike)
            CHECK(difference(log(more), log(other)).kind == HashDifference::Kind::none);
        CHECK(difference(log(more), log(few, 2)).kind == HashDifference::Kind::content);
    }
    // A change that it makes in one of the two runs is still reported as its change.
    const HashDifference changed = difference(log(alike[0]), log({{"drag", 3}, {"idle", 1}, {"move", 5}}));
    CHECK(changed.kind == HashDifference::Kind::content);
    CHECK(changed.system == "idle");
    const HashDifference extra = difference(log(few), log({{"drag", 3}, {"push", 1}, {"move", 5}}));
    CHECK(extra.kind == HashDifference::Kind::execution);
    CHECK_THAT(text_of(extra, "a", "b"), Contains("in b: system 'push' ran"));
}

TEST_CASE("a run that a limit changed is reported as unreliable, whether it differs or not") {
    const auto log = [](bool has_limit, std::uint64_t last_hash) {
        HashLogWriter writer{{"orbit", 1, 60}};
        writer.write(HashLogState{});
        writer.write(HashLogStep{0, 1, {}});
        if (has_limit) writer.write(HashLogLimit{"the memory limit of mod 'orbit'"});
        writer.write(HashLogStep{1, last_hash, {}});
        writer.write(HashLogEnd{true, 2});
        return writer.take_bytes();
    };
    const std::string remark =
        "log 2 is unreliable after 1 step: the memory limit of mod 'orbit' changed what happened, and "
        "another run may differ\n";
    CHECK(text_of(difference(log(false, 7), log(true, 7)), "a", "b") ==
          remark + "no difference in 2 steps\n");
    CHECK_THAT(text_of(difference(log(false, 7), log(true, 8)), "a", "b"),
               Contains(remark + "first difference: tick 1"));
}

TEST_CASE("logs of different games are a remark, and a damaged log is an error") {
    HashLogWriter orbit{{"orbit", 1, 60}}, swarm{{"swarm", 1, 30}};
    swarm.write(HashLogEnd{});
    orbit.write(HashLogEnd{});
    const HashDifference none = difference(orbit.take_bytes(), swarm.take_bytes());
    CHECK(none.remarks == std::vector<std::string>{"the logs are of different games, 'orbit' and 'swarm'",
                                                   "the steps per second differ: 60 and 30"});
    HashLogWriter one{{"orbit", 1, 60, "LuaJIT 2.1.17"}}, two{{"orbit", 1, 60, "LuaJIT 2.1.18"}},
        three{{"orbit", 1, 60}};
    for (HashLogWriter* log : {&one, &two, &three}) log->write(HashLogEnd{});
    const std::string first = one.take_bytes(), third = three.take_bytes();
    CHECK(difference(first, two.take_bytes()).remarks ==
          std::vector<std::string>{
              "the scripts ran on different LuaJITs, LuaJIT 2.1.17 and LuaJIT 2.1.18, which "
              "may be the reason for a difference"});
    CHECK(difference(first, first).remarks.empty());
    CHECK(difference(first, third).remarks.empty());
    HashLogWriter good{{"orbit", 1, 60}}, bad{{"orbit", 1, 60}};
    good.write(HashLogEnd{});
    HashLogReader left = std::move(HashLogReader::open(good.take_bytes())).value();
    HashLogReader right = std::move(HashLogReader::open(bad.take_bytes() + "\x63")).value();
    const Result<HashDifference> found = compare(left, right);
    REQUIRE_FALSE(found);
    CHECK_THAT(found.error().message, Contains("log 2: hash log: corrupt near byte"));
}

}  // namespace
}  // namespace perigee
