// Every message is in use. Messages that no other test provokes are provoked here.
#include "ecs/base/error_codes.h"

#include "ecs/commands/command_buffer.h"
#include "ecs/prefab/make_prefab.h"
#include "ecs/prefab/prefab_desc.h"
#include "ecs/relations/names.h"
#include "ecs/schedule/schedule.h"
#include "ecs/world/prefab.h"
#include "ecs/world/world.h"
#include "tests/support/test_components.h"

#include <catch2/catch.hpp>

#include <array>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

namespace perigee {
namespace {

std::string text_of(const std::filesystem::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

TEST_CASE("every message is used by a source file of the data core") {
    const std::filesystem::path folder = std::filesystem::path(PERIGEE_SOURCE_DIR) / "ecs";
    std::string sources;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (entry.path().extension() == ".cpp" && entry.path().stem() != "error_codes")
            sources += text_of(entry);
    }
    const std::string list = text_of(folder / "base/error_codes.h");
    const std::regex declaration("std::string (\\w+)\\(");
    int count = 0;
    for (std::sregex_iterator it(list.begin(), list.end(), declaration), end; it != end; ++it, ++count) {
        INFO("errors::" << (*it)[1]);
        CHECK(sources.find("errors::" + (*it)[1].str() + "(") != std::string::npos);
    }
    CHECK(count > 40);
}

// A world with a resource beside the usual components.
struct Stage {
    World world;
    ComponentId position, wave;

    Stage() : world(tiny_chunks()) {
        declare_test_components(world);
        Schema schema;
        schema.name = "Wave";
        schema.kind = ComponentKind::resource;
        schema.fields.resize(1);
        schema.fields[0].name = "number";
        wave = world.declare(schema).value();
        position = world.id<Position>();
    }
    Prefab prefab(std::vector<PrefabComponent> components) const {
        Prefab prefab;
        prefab.name = "Zombie";
        prefab.components = std::move(components);
        return prefab;
    }
};

TEST_CASE("binding to an unknown name or to another layout is refused with the full reason") {
    Stage stage;
    CHECK(stage.world.bind<Position>("Positon", field("x", &Position::x)).error().message ==
          "unknown component 'Positon'; did you mean 'Position'?");
    CHECK(stage.world.bind<Position>("Elephant", field("x", &Position::x)).error().message ==
          "unknown component 'Elephant'");
    CHECK(stage.world.bind<Velocity>("Position", field("x", &Velocity::x)).error().message ==
          "the C++ struct bound to 'Position' differs from its schema: the struct does not name field 'y'\n"
          "  schema:\n"
          "    x                f32          offset    0, 4 bytes\n"
          "    y                f32          offset    4, 4 bytes\n"
          "    component, 8 bytes, aligned to 4\n"
          "  struct:\n"
          "    x                f32          offset    0, 4 bytes\n"
          "    8 bytes, aligned to 4\n");
}

TEST_CASE("a query for a type without rows, or for the same component twice, is refused") {
    Stage stage;
    QueryDesc desc;
    desc.terms.push_back(QueryTerm{stage.wave});
    CHECK(stage.world.query(desc).error().message ==
          "a query names components and tags, 'Wave' is a resource");
    desc.terms = {QueryTerm{stage.position}};
    desc.without = {stage.position};
    CHECK(stage.world.query(desc).error().message == "a query names 'Position' twice");
}

TEST_CASE("an order by something other than a number of a required term is refused") {
    Stage stage;
    const ComponentId frozen = stage.world.id<Frozen>();
    const auto message = [&](QueryTerm term, ComponentId component, std::string field) {
        QueryDesc desc;
        desc.terms = {term};
        desc.order_by = OrderBy{component, std::move(field)};
        return stage.world.query(desc).error().message;
    };
    const std::string_view expects_term =
        "order by 'Position': expected a component that the query reads or writes, and not optionally";
    CHECK(message({frozen}, stage.position, "x") == expects_term);
    CHECK(message({stage.position, Access::read, true}, stage.position, "x") == expects_term);
    CHECK(message({frozen}, frozen, "x") ==
          "order by 'Frozen': expected a component with a value per row, got a tag");
    CHECK(message({stage.position}, stage.position, "X") ==
          "order by 'Position': expected a number of the component, got 'X'; did you mean 'x'?");
}

TEST_CASE("a prefab with a type without rows, a duplicate component or a wrong size is refused") {
    Stage stage;
    const auto message = [&](std::vector<PrefabComponent> components) {
        return add_prefab(stage.world, stage.prefab(std::move(components))).error().message;
    };
    CHECK(message({{stage.wave, {}}}) ==
          "prefab 'Zombie': expected components and tags, 'Wave' is a resource");
    CHECK(message({{stage.position, {}}, {stage.position, {}}}) == "prefab 'Zombie' names 'Position' twice");
    CHECK(message({{stage.position, std::vector<std::byte>(5)}}) ==
          "prefab 'Zombie': a value of 'Position' has 8 bytes, got 5");
    REQUIRE(add_prefab(stage.world, stage.prefab({{stage.position, {}}})).ok());
    CHECK(message({{stage.position, {}}}) == "prefab 'Zombie' exists already");
}

TEST_CASE("a row wider than the largest chunk is refused") {
    Stage stage;
    Schema wide;
    wide.name = "Huge";
    wide.fields.resize(1);
    wide.fields[0].name = "bytes";
    wide.fields[0].type = FieldType::u64;
    wide.fields[0].array_length = 1000;
    const ComponentId huge = stage.world.declare(wide).value();
    CHECK(stage.world.archetype(std::vector{huge}).error().message ==
          "a row of 8008 bytes does not fit into the largest chunk of 4096 bytes");
    const Entity entity = stage.world.spawn(Position{1, 2});
    CHECK_FALSE(stage.world.add(entity, huge));
    CHECK(*stage.world.get<Position>(entity) == Position{1, 2});
}

TEST_CASE("a type beyond the maximum number of types is refused") {
    ComponentRegistry registry;
    Schema tag;
    tag.kind = ComponentKind::tag;
    for (std::size_t i = 0; i < kMaxComponents; ++i) {
        tag.name = std::to_string(i);
        REQUIRE(registry.declare(tag).ok());
    }
    CHECK(registry.declare(tag).value().index == kMaxComponents - 1);
    tag.name = "one more";
    CHECK(registry.declare(tag).error().message == "at most 65535 types can be declared in one world");
    CHECK_FALSE(registry.find("one more").has_value());
}

TEST_CASE("a required component must be declared earlier and be of a kind that new rows can have") {
    ComponentRegistry registry;
    Schema wave;
    wave.name = "Wave";
    wave.kind = ComponentKind::resource;
    wave.fields.resize(1);
    wave.fields[0].name = "number";
    REQUIRE(registry.declare(wave).ok());
    Schema ship;
    ship.name = "Ship";
    ship.kind = ComponentKind::tag;
    ship.required = {"Wake", "Wave"};
    CHECK(registry.declare(ship).error().message ==
          "tag 'Ship': requires 'Wake', which is not declared before it; did you mean 'Wave'?\n"
          "tag 'Ship': requires 'Wave', which is a resource; expected a component that a new row can have");
    CHECK_FALSE(registry.find("Ship").has_value());
}

TEST_CASE("names with control characters are refused and escaped in the message") {
    using Catch::Matchers::Contains;
    Stage stage;
    const std::string bad = "a\nb";
    const std::string shown = "'a\\10b': expected a name without control characters";
    CHECK_THAT(set_name(stage.world, stage.world.spawn(), bad).error().message,
               Contains("set_name " + shown));
    CommandBuffer commands(stage.world);
    CHECK_THAT(commands.set_name(stage.world.spawn(), "a\x7F").error().message, Contains("'a\\127'"));
    Prefab prefab = stage.prefab({});
    prefab.name = bad;
    CHECK_THAT(add_prefab(stage.world, prefab).error().message, Contains("prefab " + shown));
    const std::array<PrefabDesc, 2> prefabs{PrefabDesc{"Child", "", {}, {}},
                                            PrefabDesc{"Ship", "", {}, {{"Child", bad, {}}}}};
    CHECK_THAT(add_prefabs(stage.world, prefabs).error().message, Contains(shown));
    Schedule schedule(stage.world);
    SystemDesc desc;
    desc.name = bad;
    desc.run = [](SystemContext&) -> Result<void> { return {}; };
    CHECK_THAT(schedule.add(std::move(desc)).error().message, Contains("system " + shown));
    Schema schema;
    schema.name = "Mood";
    schema.fields.resize(1);
    schema.fields[0].name = "mood";
    schema.fields[0].type = FieldType::enumeration;
    schema.fields[0].labels = {"calm", bad};
    CHECK_THAT(stage.world.declare(schema).error().message, Contains("label " + shown));
    CHECK(set_name(stage.world, stage.world.spawn(), "Zürich 7").ok());
}

}  // namespace
}  // namespace perigee
