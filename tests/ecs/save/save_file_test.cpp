// What a file contains, and every error of saving and loading but damage and migration, which have tests of
// their own (save_file_damage_test.cpp, save_file_migration_test.cpp).
#include "ecs/save/save_file.h"

#include "ecs/inspect/world_hash.h"
#include "ecs/relations/hierarchy.h"
#include "ecs/relations/names.h"
#include "ecs/relations/sources.h"
#include "ecs/save/internal/packed_file.h"
#include "ecs/schedule/schedule.h"
#include "ecs/schema/blob_store.h"
#include "ecs/schema/text_pool.h"
#include "ecs/storage/buffer.h"
#include "ecs/storage/event_store.h"
#include "ecs/storage/resource_store.h"
#include "ecs/world/objects.h"
#include "ecs/world/observe.h"
#include "ecs/world/observers.h"
#include "tests/ecs/check_world.h"
#include "tests/ecs/save/saved_game.h"
#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <typeinfo>
#include <vector>

namespace perigee {
namespace {

namespace fs = std::filesystem;
using Catch::Matchers::Contains;

std::string message_of(const Result<void>& result) {
    REQUIRE_FALSE(result.ok());
    return result.error().message;
}

std::uint64_t row_order(World& world) {
    std::uint64_t hash = 1;
    for (const Entity entity : world.query<const Position>().query().entities())
        hash = hash * 31 + entity.bits;
    return hash;
}

std::vector<Entity> next_ids(World& world) {
    std::vector<Entity> ids;
    for (int i = 0; i < 8; ++i) ids.push_back(world.spawn(Position{}));
    return ids;
}

}  // namespace

TEST_CASE("a world from a file is the one that was saved, and goes on as it would have") {
    World saved(tiny_chunks());
    declare_saved_game(saved);
    fill_saved_game(saved);
    const std::string bytes = world_to_bytes(saved).value();

    World world(tiny_chunks());
    SECTION("in a fresh world") { declare_saved_game(world); }
    SECTION("in a world that declares its types in another order") {
        world.declare<Wide>("Wide", field("a", &Wide::a), field("b", &Wide::b), field("c", &Wide::c)).value();
        world.declare<Squad>("Squad", ComponentKind::shared_cleanup, field("number", &Squad::number)).value();
        declare_saved_game(world);
    }
    SECTION("in a world with contents and texts of its own") {
        declare_saved_game(world);
        for (int i = 0; i < 30; ++i)
            static_cast<void>(world.texts().intern("own text " + std::to_string(i)).value());
        fill_saved_game(world);
        world.spawn(Position{}, Velocity{}, Wide{});
    }
    REQUIRE(world_from_bytes(world, bytes).ok());
    check_world(world, 0);
    CHECK(world_hash(world) == world_hash(saved));
    CHECK(row_order(world) == row_order(saved));
    CHECK(world.change_version() == saved.change_version());
    CHECK(world.entity_count() == saved.entity_count());
    const Entity named = find_named(world, "entity 3");
    CHECK(named == find_named(saved, "entity 3"));
    CHECK(world.texts().text(world.get<Label>(named)->text) == "label 3");
    CHECK(world.blobs().row_count(world.get<Curve>(named)->points) == 3);
    CHECK(sources_of<Likes>(world, named) == sources_of<Likes>(saved, named));
    CHECK(next_ids(world) == next_ids(saved));
    set_parent(world, find_named(world, "entity 7"), find_named(world, "entity 1")).value();
    set_parent(saved, find_named(saved, "entity 7"), find_named(saved, "entity 1")).value();
    world.destroy(find_named(world, "entity 5"));
    saved.destroy(find_named(saved, "entity 5"));
    CHECK(world_hash(world) == world_hash(saved));
    CHECK(row_order(world) == row_order(saved));
    check_world(world, 0);
}

TEST_CASE("an empty world can be saved and loaded") {
    World saved, world;
    declare_test_components(world);
    const std::uint64_t hash = world_hash(world);
    world.spawn(Position{});
    REQUIRE(world_from_bytes(world, world_to_bytes(saved).value()).ok());
    CHECK(world.entity_count() == 0);
    CHECK(world_hash(world) == hash);
    check_world(world, 0);
}

TEST_CASE("names and parents are declared by loading them") {
    World saved, world;
    set_name(saved, saved.spawn(), "root").value();
    set_parent(saved, saved.spawn(), find_named(saved, "root")).value();
    REQUIRE(world_from_bytes(world, world_to_bytes(saved).value()).ok());
    CHECK(child_count(world, find_named(world, "root")) == 1);
    check_world(world, 0);
}

TEST_CASE("a file says which changes a filter has not seen") {
    World saved(tiny_chunks()), world(tiny_chunks());
    declare_test_components(saved);
    declare_test_components(world);
    const Entity first = saved.spawn(Position{}), second = saved.spawn(Health{});
    const ChangeVersion before = saved.advance_change_version();
    saved.advance_change_version();
    saved.set(second, Health{1, 2});
    REQUIRE(world_from_bytes(world, world_to_bytes(saved).value()).ok());
    const auto changed = [&](ComponentId component, Entity entity) {
        QueryDesc desc;
        desc.terms = {{component, Access::read, false}};
        desc.changed = {component};
        std::size_t rows = 0;
        world.each_chunk_since(*world.query(desc).value(), before,
                               [&](const ChunkView& chunk) { rows += chunk.row_count(); });
        return rows == 1 && world.is_alive(entity);
    };
    CHECK_FALSE(changed(world.id<Position>(), first));
    CHECK(changed(world.id<Health>(), second));
}

TEST_CASE("floats that a script must not see are made plain by loading") {
    World saved, world;
    declare_test_components(saved);
    declare_test_components(world);
    const std::uint64_t forged = 0xFFF8'1234'5678'9ABC;
    double payload;
    std::memcpy(&payload, &forged, sizeof payload);
    const Entity entity = saved.spawn(Wide{payload, -0.0, std::numeric_limits<double>::infinity()});
    REQUIRE(world_from_bytes(world, world_to_bytes(saved).value()).ok());
    const Wide* const wide = world.get<Wide>(entity);
    std::uint64_t bits;
    std::memcpy(&bits, &wide->a, sizeof bits);
    CHECK((bits & 0x7FFF'FFFF'FFFF'FFFF) == 0x7FF8'0000'0000'0000);
    CHECK(std::signbit(wide->b));
    CHECK(std::isinf(wide->c));
}

TEST_CASE("records of observers are in the file") {
    World saved, world;
    for (World* const each : {&saved, &world}) {
        declare_test_components(*each);
        start_observing(*each, {Trigger::Kind::changed, each->id<Health>()}, nullptr).value();
        start_observing(*each, {Trigger::Kind::removed, each->id<Position>()}, nullptr).value();
    }
    const Entity entity = saved.spawn(Health{1, 1}, Position{4, 5});
    saved.observers().publish(saved);
    saved.advance_change_version();
    saved.set(entity, Health{2, 2});
    saved.remove<Position>(entity);
    REQUIRE(world_from_bytes(world, world_to_bytes(saved).value()).ok());
    world.observers().publish(world);
    const ObservedBatch changed = world.observers().batch({Trigger::Kind::changed, world.id<Health>()});
    REQUIRE(changed.entities.size() == 1);
    Health before;
    std::memcpy(&before, changed.values, sizeof before);
    CHECK(before == Health{1, 1});
    const ObservedBatch removed = world.observers().batch({Trigger::Kind::removed, world.id<Position>()});
    REQUIRE(removed.entities.size() == 1);
    Position lost;
    std::memcpy(&lost, removed.values, sizeof lost);
    CHECK(lost == Position{4, 5});
    stop_observing(world, {Trigger::Kind::removed, world.id<Position>()}, nullptr);
    stop_observing(world, {Trigger::Kind::changed, world.id<Health>()}, nullptr);
    stop_observing(saved, {Trigger::Kind::removed, saved.id<Position>()}, nullptr);
    stop_observing(saved, {Trigger::Kind::changed, saved.id<Health>()}, nullptr);
}

// ---- systems ----

TEST_CASE("systems continue from the file: random numbers, intervals and events that they have read") {
    ScheduledGame first, second;
    for (int i = 0; i < 23; ++i) first.step();
    const std::string bytes = world_to_bytes(first.world, {.schedule = &first.schedule}).value();
    for (int i = 0; i < 5; ++i) second.step();
    REQUIRE(world_from_bytes(second.world, bytes, {.schedule = &second.schedule}).ok());
    second.tick = second.schedule.last_time().tick + 1;
    CHECK(second.tick == first.tick);
    for (int i = 0; i < 30; ++i) REQUIRE(first.step() == second.step());
    // Without a schedule only the world is loaded.
    ScheduledGame third;
    REQUIRE(world_from_bytes(third.world, bytes).ok());
    CHECK(third.schedule.last_time().tick == 0);
}

// ---- assets ----

TEST_CASE("an asset is found by its name, where the host has names") {
    struct Picture {
        std::uint32_t image;
    };
    World saved, world;
    for (World* const each : {&saved, &world}) {
        Schema schema;
        schema.name = "Picture";
        schema.fields.resize(1);
        schema.fields[0].name = "image";
        schema.fields[0].type = FieldType::asset;
        static_cast<void>(each->declare(schema).value());
    }
    const ComponentId picture = saved.registry().find("Picture").value();
    const Entity entity = saved.spawn(), empty = saved.spawn();
    const Picture seven{7};
    saved.add(entity, picture, &seven);
    saved.add(empty, picture);
    const auto image = [&](Entity of) {
        Picture value;
        std::memcpy(&value, world.get(of, picture), sizeof value);
        return value.image;
    };
    REQUIRE(world_from_bytes(world, world_to_bytes(saved).value()).ok());
    CHECK(image(entity) == 7);

    SaveOptions save;
    save.assets.name_of = [](std::uint32_t handle) { return "assets/" + std::to_string(handle) + ".png"; };
    const std::string bytes = world_to_bytes(saved, save).value();
    LoadOptions load;
    load.assets.handle_of = [](std::string_view name) -> Result<std::uint32_t> {
        if (name == "assets/7.png") return 9u;
        return Error{"no asset '" + std::string(name) + "'"};
    };
    REQUIRE(world_from_bytes(world, bytes, load).ok());
    CHECK(image(entity) == 9);
    CHECK(image(empty) == 0);
    load.assets.handle_of = [](std::string_view) -> Result<std::uint32_t> { return Error{"no such asset"}; };
    CHECK(message_of(world_from_bytes(world, bytes, load)) == "no such asset");
    CHECK(image(entity) == 9);
}

// ---- errors ----

namespace {

// Numbers whose copies are numbers too; -1 cannot be in a file.
ObjectCopies number_copies() {
    ObjectCopies copies;
    copies.keep = copies.restore = [](const std::shared_ptr<void>& object) -> Result<std::shared_ptr<void>> {
        return std::shared_ptr<void>(
            std::make_shared<std::int64_t>(*static_cast<const std::int64_t*>(object.get())));
    };
    copies.write = [](const std::shared_ptr<void>& kept) {
        return std::to_string(*static_cast<const std::int64_t*>(kept.get()));
    };
    copies.read = [](std::string_view bytes) -> Result<KeptObject> {
        if (bytes.empty() || bytes.size() > 9 || bytes.find_first_not_of("0123456789") != std::string::npos)
            return Error{"no number"};
        return KeptObject{std::make_shared<std::int64_t>(std::stoi(std::string(bytes))),
                          &typeid(std::int64_t), 5};
    };
    return copies;
}

struct Plan {};

// With two object components; `is_other`: declared in another order.
void declare_objects(World& world, bool is_other) {
    if (is_other) world.declare<Plan>("Plan", ComponentKind::object).value();
    declare_saved_game(world);
    if (!is_other) world.declare<Plan>("Plan", ComponentKind::object).value();
    Schema mood;
    mood.name = "Mood";
    mood.fields.resize(1);
    mood.fields[0].name = "of";
    static_cast<void>(world.declare(std::move(mood)).value());
    for (const ComponentId id : {world.id<Brain>(), world.id<Plan>()})
        world.objects().set_copies(id, number_copies());
}

std::vector<Entity> fill_objects(World& world) {
    std::vector<Entity> entities;
    for (std::int64_t i = 0; i < 200; ++i) {
        const Entity entity = world.spawn(Position{});
        entities.push_back(entity);
        world.add(entity, world.id<Brain>());
        if (i % 2 == 0) world.add(entity, world.id<Plan>());
        if (i % 7 == 0) world.add(entity, world.registry().find("Mood").value());
        if (i % 3 != 0) set_object(world, entity, world.id<Brain>(), std::make_shared<std::int64_t>(i));
        if (i % 5 != 0) set_object(world, entity, world.id<Plan>(), std::make_shared<std::int64_t>(i + 1000));
    }
    entities.push_back(world.clone(entities[2]));
    return entities;
}

}  // namespace

TEST_CASE("objects with functions for files are saved and loaded, and rows that share one still do") {
    World saved(tiny_chunks()), world(tiny_chunks());
    declare_objects(saved, false);
    declare_objects(world, GENERATE(false, true));
    const std::vector<Entity> entities = fill_objects(saved);
    const std::string bytes = world_to_bytes(saved).value();
    CHECK(bytes[14] == 2);
    const bool is_older = GENERATE(false, true);
    if (is_older) {  // another type has changed since
        Schema wide = world.registry().info(world.registry().find("Mood").value()).schema;
        wide.fields.push_back(wide.fields.back());
        wide.fields.back().name = "more";
        change_schemas(world, {{wide}}).value();
    }
    REQUIRE(world_from_bytes(world, bytes).ok());
    for (std::size_t i = 0; i < entities.size(); ++i) {
        for (const bool is_brain : {true, false}) {
            const ComponentId from = is_brain ? saved.id<Brain>() : saved.id<Plan>();
            const ComponentId to = is_brain ? world.id<Brain>() : world.id<Plan>();
            REQUIRE(world.has(entities[i], to) == saved.has(entities[i], from));
            if (!world.has(entities[i], to)) continue;
            const auto before = object_of<std::int64_t>(saved, entities[i], from);
            const auto after = object_of<std::int64_t>(world, entities[i], to);
            REQUIRE((before == nullptr) == (after == nullptr));
            if (before == nullptr) continue;
            CHECK(*before == *after);
            CHECK(world.objects().owner(object_slot(world, entities[i], to)) == 5);
        }
    }
    CHECK(object_of<std::int64_t>(world, entities[2], world.id<Brain>()) ==
          object_of<std::int64_t>(world, entities.back(), world.id<Brain>()));
    const auto unpacked = [](const std::string& file) {
        return internal::unpack(file, 1 << 24).value().size();
    };
    if (!is_older) CHECK(unpacked(world_to_bytes(world).value()) == unpacked(bytes));

    world.objects().set_copies(world.id<Brain>(), {});
    CHECK(message_of(world_from_bytes(world, bytes)) ==
          "component 'Brain': the saved world has objects of it, and no function reads them");
    CHECK(*object_of<std::int64_t>(world, entities[2], world.id<Brain>()) == 2);
}

TEST_CASE("objects in a file that are damaged anywhere are loaded or refused, and the world stays whole") {
    World saved(tiny_chunks()), world(tiny_chunks());
    declare_objects(saved, false);
    declare_objects(world, false);
    fill_objects(saved);
    const std::string contents = internal::unpack(world_to_bytes(saved).value(), 1 << 24).value();
    std::mt19937 random{3};
    for (int i = 0; i < 4000; ++i) {
        std::string other = contents;
        // The objects are at the end.
        const std::size_t at = other.size() - 1 - random() % std::min<std::size_t>(other.size(), 6000);
        other[at] = static_cast<char>(random());
        static_cast<void>(world_from_bytes(world, internal::pack(other, true)));
    }
    REQUIRE(world_from_bytes(world, internal::pack(contents, true)).ok());
    CHECK(world_hash(world) == world_hash(saved));
}

TEST_CASE("what a file cannot hold or a world cannot take is an error, and nothing has changed") {
    World saved(tiny_chunks()), world(tiny_chunks());
    declare_saved_game(saved);
    declare_saved_game(world);
    fill_saved_game(saved);
    fill_saved_game(world);
    world.destroy(find_named(world, "entity 2"));
    const std::uint64_t hash = world_hash(world), order = row_order(world);
    const std::size_t archetypes = world.archetypes().size();
    const std::string bytes = world_to_bytes(saved).value();

    SECTION("an object") {
        const Entity entity = saved.spawn();
        saved.add(entity, saved.id<Brain>());
        CHECK(world_to_bytes(saved).ok());  // nil
        const auto copy = [](const std::shared_ptr<void>& object) -> Result<std::shared_ptr<void>> {
            return object;
        };
        saved.objects().set_copies(saved.id<Brain>(), {copy, copy});
        set_object(saved, entity, saved.id<Brain>(), std::make_shared<std::int64_t>(7));
        CHECK(world_to_bytes(saved).error().message ==
              "component 'Brain', entity " + std::to_string(entity.bits) +
                  ": the world cannot be saved with this object, which is outside of it");
        return;
    }
    SECTION("no saved world") {
        CHECK(message_of(world_from_bytes(world, "")) == "this is not a saved world");
        CHECK(message_of(world_from_bytes(world, "perigee save 1\n")) == "this is not a saved world");
    }
    SECTION("a later format") {
        std::string later = bytes;
        later[14] = 9;
        CHECK(message_of(world_from_bytes(world, later)) ==
              "the saved world has format 9; this program reads format 2");
    }
    SECTION("a wrong checksum, and an early end") {
        std::string other = bytes;
        other.back() = static_cast<char>(other.back() ^ 1);
        CHECK(message_of(world_from_bytes(world, other)) ==
              "the saved world is damaged: its checksum is wrong");
        CHECK(message_of(world_from_bytes(world, bytes.substr(0, 20))) ==
              "the saved world is damaged: it ends too early");
    }
    SECTION("more bytes than allowed") {
        CHECK_THAT(message_of(world_from_bytes(world, bytes, {.max_bytes = 100})),
                   Contains("the saved world takes ") && Contains(" bytes; the limit is 100"));
        // Its rows take more memory than its bytes.
        const std::size_t contents = internal::unpack(bytes, std::size_t{1} << 30).value().size();
        CHECK_THAT(message_of(world_from_bytes(world, bytes, {.max_bytes = contents})),
                   Contains("the limit is " + std::to_string(contents)));
    }
    SECTION("other chunks") {
        World wide;
        declare_saved_game(wide);
        CHECK(message_of(world_from_bytes(wide, bytes)) ==
              "the saved world has chunks of another size than this one (WorldConfig::shape)");
    }
    SECTION("more entities or rows than the world may have") {
        WorldConfig config = tiny_chunks();
        config.max_entities = 8;
        World few(config);
        declare_saved_game(few);
        CHECK(message_of(world_from_bytes(few, bytes)) ==
              "the saved world does not fit into this one: too many entities");
        config = tiny_chunks();
        config.reserved_chunk_bytes = 4096;
        World small(config);
        declare_saved_game(small);
        CHECK(message_of(world_from_bytes(small, bytes)) ==
              "the saved world does not fit into this one: too many rows");
        CHECK(small.spawn());
        check_world(small, 0);
    }
    SECTION("a type that is not declared, if it has values") {
        World other(tiny_chunks());
        declare_test_components(other);
        CHECK_THAT(
            message_of(world_from_bytes(other, bytes)),
            Contains("the saved world does not fit this version of the game:\n") &&
                Contains("component 'Label': the saved world has values of it, but it is not declared"));
        CHECK(other.entity_count() == 0);
    }
    CHECK(world_hash(world) == hash);
    CHECK(row_order(world) == order);
    CHECK(world.archetypes().size() == archetypes);
    check_world(world, 0);
}

TEST_CASE("a file is written whole or not at all") {
    const test::TemporaryFolder folder;
    const fs::path file = folder.path() / "slot.world";
    World saved, world;
    declare_saved_game(saved);
    declare_saved_game(world);
    fill_saved_game(saved);
    REQUIRE(save_world(saved, file).ok());
    REQUIRE(save_world(saved, file).ok());  // replaces it
    REQUIRE(load_world(world, file).ok());
    CHECK(world_hash(world) == world_hash(saved));
    CHECK(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()) == 1);

    const std::string missing = (folder.path() / "none" / "slot.world").string();
    CHECK(message_of(save_world(saved, missing)) ==
          "cannot write '" + missing + "': No such file or directory");
    CHECK(message_of(load_world(world, missing)) == "the saved world '" + missing + "' does not exist");
    CHECK(load_world(world, missing).error().kind == ErrorKind::not_found);
    const std::string own = folder.path().string();
    CHECK(message_of(save_world(saved, own)) == "cannot write '" + own + "': it is a directory, not a file");
    CHECK(message_of(load_world(world, own)) == "the saved world '" + own + "' is a directory, not a file");
    CHECK_THAT(message_of(load_world(world, file, {.max_bytes = 10})), Contains("the limit is 10"));
    const std::string other = (folder.path() / "other").string();
    std::ofstream(other) << "something else";
    CHECK(message_of(load_world(world, other)) == "'" + other + "': this is not a saved world");
}

}  // namespace perigee
