// The table has a line for each group and system, in running order.
#include "engine/profile/run_stats.h"

#include "ecs/schedule/schedule.h"
#include "ecs/world/world.h"
#include "tests/support/test_components.h"

#include <catch2/catch.hpp>

#include <sstream>
#include <vector>

namespace perigee {
namespace {

SystemDesc system_of(std::string name, std::string group, QueryDesc query = {}) {
    SystemDesc desc;
    desc.name = std::move(name);
    desc.group = std::move(group);
    desc.query = std::move(query);
    desc.run = [](SystemContext& context) -> Result<void> {
        if (context.system->name == "z bad") return Error{"ouch"};
        return {};
    };
    return desc;
}

TEST_CASE("the table of times lists groups and systems in order, with runs, rows, chunks and shares") {
    World world(tiny_chunks(4));
    declare_test_components(world);
    Schedule schedule(world);
    QueryDesc query;
    query.terms.push_back({world.id<Position>(), Access::write});
    schedule.add_group({.name = "inner", .group = "simulation"}).value();
    schedule.add(system_of("move", "inner", query)).value();
    schedule.add(system_of("z bad", "simulation")).value();
    for (int i = 0; i < 10; ++i) world.spawn(Position{});
    for (TickTime time; time.tick < 5; ++time.tick) schedule.run_group(kSimulation, time).value();

    std::istringstream lines(run_stats(schedule));
    std::vector<std::vector<std::string>> words;
    for (std::string line; std::getline(lines, line);) {
        std::istringstream in(line);
        words.emplace_back();
        for (std::string word; in >> word;) words.back().push_back(word);
    }
    REQUIRE(words.size() >= 5);
    CHECK(words[0] ==
          std::vector<std::string>{"runs", "median", "ms", "worst", "ms", "rows", "chunks", "share"});
    std::vector<std::string> names;
    std::vector<std::string> move;
    for (const auto& line : words) {
        names.push_back(line[0]);
        if (line[0] == "move") move = line;
    }
    const auto at = [&](const std::string& name) {
        return std::find(names.begin(), names.end(), name) - names.begin();
    };
    CHECK(at("initialization") < at("simulation"));
    CHECK(at("simulation") + 1 == at("inner"));
    CHECK(at("inner") + 1 == at("move"));
    CHECK(at("move") + 1 == at("z"));
    REQUIRE(move.size() == 8);
    CHECK(move[1] == "5");
    CHECK(move[4] == "10");
    CHECK(move[5] == "3");
    CHECK(std::stod(move[6]) <= 100);
    CHECK(words[static_cast<std::size_t>(at("z"))].back() == "failed");
}

TEST_CASE("[C5] the table of times marks exclusive systems, and those that are off") {
    World world(tiny_chunks(4));
    Schedule schedule(world);
    SystemDesc exclusive = system_of("level", "simulation");
    exclusive.is_exclusive = true;
    schedule.add(exclusive).value();
    schedule.leave_out(schedule.add(system_of("broken", "simulation")).value(), true);
    const std::string table = run_stats(schedule);
    const auto line_of = [&](const std::string& name) {
        const std::size_t start = table.find("  " + name + " ");
        return table.substr(start, table.find('\n', start) - start);
    };
    CHECK_THAT(line_of("level"), Catch::Matchers::EndsWith("  sync point"));
    CHECK_THAT(line_of("broken"), Catch::Matchers::EndsWith("  off"));
}

}  // namespace
}  // namespace perigee
