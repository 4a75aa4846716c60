// The contents of the log of a world, and errors of the disk.
#include "engine/replay/hash_recorder.h"

#include "ecs/inspect/world_hash.h"
#include "ecs/schema/registry.h"
#include "ecs/world/world.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_components.h"

#include <catch2/catch.hpp>

#include <fstream>
#include <iterator>

namespace perigee {
namespace {

using Catch::Matchers::Contains;

std::string bytes_of(const std::filesystem::path& file) {
    std::ifstream stream{file, std::ios::binary};
    return {std::istreambuf_iterator<char>{stream}, {}};
}

TEST_CASE("each moment of a hash log says which types changed since the one before") {
    const test::TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "run.hashes";
    World world;
    declare_test_components(world);
    const Entity entity = world.spawn(Position{1, 2}, Velocity{3, 4});
    {
        HashRecorder recorder = std::move(HashRecorder::open(file, {"game", 1, 60})).value();
        recorder.start(world);
        world.edit<Position>(entity)->x = 7;
        world.edit<Velocity>(entity)->x = 8;  // not declared
        const std::vector<ComponentId> written{world.id<Position>(), world.id<Position>()};
        recorder.after_system(world, "move", written);
        recorder.end_step(world, 0);
        world.spawn(Health{});
        recorder.after_commands(world, "spawn");
        recorder.end_step(world, 1);
        REQUIRE(recorder.finish());
    }
    HashLogReader reader = std::move(HashLogReader::open(bytes_of(file))).value();
    std::vector<std::string> lines;
    for (bool is_over = false; !is_over;) {
        const HashLogEntry entry = std::move(reader.next()).value();
        if (const auto* state = std::get_if<HashLogState>(&entry)) {
            std::string line = std::to_string(static_cast<int>(state->moment)) + " " + state->system + ":";
            for (const HashLogState::Sum& sum : state->changed) line += " " + reader.types()[sum.type].name;
            lines.push_back(line);
        } else if (const auto* step = std::get_if<HashLogStep>(&entry)) {
            lines.push_back("step " + std::to_string(step->tick));
            CHECK(step->types.size() == world.registry().size() + 1);
            if (step->tick == 1) {
                CHECK(step->world_hash == world_hash(world));
                CHECK(step->types[0] == entities_hash(world));
                for (std::size_t i = 1; i < step->types.size(); ++i) {
                    const ComponentId id = world.registry().find(reader.types()[i].name).value();
                    CHECK(step->types[i] == component_hash(world, id));
                }
            }
        } else if (const auto* end = std::get_if<HashLogEnd>(&entry)) {
            CHECK(end->step_count == 2);
            is_over = true;
        }
    }
    CHECK(lines == std::vector<std::string>{"0 : (entities) Position Velocity", "1 move: Position",
                                            "3 : Velocity", "step 0", "2 spawn: (entities) Health",
                                            "step 1"});
}

TEST_CASE("a hash log that cannot be written is an error") {
    const test::TemporaryFolder folder;
    const Result<HashRecorder> recorder = HashRecorder::open(folder.path() / "none" / "run", {"game", 1, 60});
    REQUIRE_FALSE(recorder);
    CHECK_THAT(recorder.error().message, Contains("hash log: cannot write"));
}

}  // namespace
}  // namespace perigee
