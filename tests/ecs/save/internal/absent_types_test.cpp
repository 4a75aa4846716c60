// A saved world keeps the values of types that the loading world does not have.
#include "ecs/save/internal/absent_types.h"

#include "ecs/inspect/world_hash.h"
#include "ecs/save/save_file.h"
#include "ecs/world/objects.h"
#include "tests/ecs/check_world.h"
#include "tests/support/blob_trees.h"
#include "tests/support/test_components.h"

#include <catch2/catch.hpp>

#include <memory>
#include <random>
#include <string>
#include <vector>

namespace perigee {
namespace {

struct Holder {
    BlobHandle tree;
};

void declare_holder(World& world) {
    declare_tree(world);
    Field field;
    field.name = "tree";
    field.type = FieldType::blob;
    field.labels = {"Tree"};
    Schema schema;
    schema.name = "Holder";
    schema.fields = {field};
    static_cast<void>(world.declare(std::move(schema)).value());
}

ComponentId named(const World& world, const char* name) { return world.registry().find(name).value(); }

LoadOptions keep_absent(std::vector<std::string>& names) {
    LoadOptions options;
    options.keep_absent = [&names](const Schema& absent) {
        names.push_back(absent.name);
        return absent.name != "Refused";
    };
    return options;
}

ObjectCopies text_copies() {
    const auto same = [](const std::shared_ptr<void>& object) -> Result<std::shared_ptr<void>> {
        return object;
    };
    ObjectCopies copies{same, same};
    copies.write = [](const std::shared_ptr<void>& kept) {
        return "<" + *static_cast<const std::string*>(kept.get()) + ">";
    };
    copies.read = [](std::string_view bytes) -> Result<KeptObject> {
        if (bytes.size() < 2) return Error{"no text"};
        return KeptObject{std::make_shared<std::string>(bytes.substr(1, bytes.size() - 2)),
                          &typeid(std::string)};
    };
    return copies;
}

}  // namespace

TEST_CASE("values of a type that is gone stay in the world, and are there when it comes back") {
    World saved(tiny_chunks()), without(tiny_chunks()), with(tiny_chunks());
    for (World* world : {&saved, &with}) declare_holder(*world);
    std::mt19937 random{7};
    const Tree tree = random_tree(random, 4);
    const TreeType type = declare_tree(saved);
    const Holder holder{build_tree(saved, type, tree).value()};
    const Entity entity = saved.spawn();
    saved.add(entity, named(saved, "Holder"), &holder);
    const std::string bytes = world_to_bytes(saved).value();

    std::vector<std::string> names;
    REQUIRE(world_from_bytes(without, bytes, keep_absent(names)).ok());
    CHECK(std::ranges::count(names, "Holder") == 1);
    CHECK(world_hash(without) == world_hash(saved));
    CHECK(without.spawn() == saved.spawn());

    const std::string again = world_to_bytes(without).value();
    REQUIRE(world_from_bytes(with, again).ok());
    Holder loaded;
    std::memcpy(&loaded, with.get(entity, named(with, "Holder")), sizeof loaded);
    CHECK(tree_at(with, loaded.tree) == tree);

    // The type is known now.
    names.clear();
    REQUIRE(world_from_bytes(without, bytes, keep_absent(names)).ok());
    CHECK(names.empty());
}

TEST_CASE("a type without values is not declared, and one with values is an error unless it is kept") {
    World saved(tiny_chunks()), world(tiny_chunks());
    for (const char* name : {"Used", "Unused"}) {
        Schema schema;
        schema.name = name;
        schema.kind = ComponentKind::tag;
        static_cast<void>(saved.declare(std::move(schema)).value());
    }
    saved.add(saved.spawn(), named(saved, "Used"));
    const std::string bytes = world_to_bytes(saved).value();
    const Result<void> refused = world_from_bytes(world, bytes);
    REQUIRE_FALSE(refused.ok());
    CHECK_THAT(refused.error().message,
               Catch::Contains("'Used': the saved world has values of it, but it is not declared"));
    CHECK_FALSE(world.registry().find("Used").has_value());

    std::vector<std::string> names;
    REQUIRE(world_from_bytes(world, bytes, keep_absent(names)).ok());
    CHECK(names == std::vector<std::string>{"Used"});
    CHECK_FALSE(world.registry().find("Unused").has_value());

    Schema schema;
    schema.name = "Refused";
    schema.kind = ComponentKind::tag;
    saved.add(saved.spawn(), saved.declare(schema).value());
    const std::uint64_t hash = world_hash(world);
    CHECK_FALSE(world_from_bytes(world, world_to_bytes(saved).value(), keep_absent(names)).ok());
    CHECK(world_hash(world) == hash);
}

TEST_CASE("a type that cannot be declared is an error, and the world is as it was") {
    World saved(tiny_chunks()), world(tiny_chunks());
    Schema needed;
    needed.name = "Needed";
    needed.kind = ComponentKind::tag;
    Schema other = needed;
    other.kind = ComponentKind::resource;
    other.fields.resize(1);
    other.fields[0].name = "x";
    Schema schema = needed;
    schema.name = "Needs";
    schema.required = {"Needed"};
    static_cast<void>(saved.declare(needed).value());
    static_cast<void>(world.declare(other).value());
    saved.add(saved.spawn(), saved.declare(schema).value());
    std::vector<std::string> names;
    const std::uint64_t hash = world_hash(world);
    const Result<void> refused = world_from_bytes(world, world_to_bytes(saved).value(), keep_absent(names));
    REQUIRE_FALSE(refused.ok());
    CHECK_THAT(refused.error().message, Catch::Contains("tag 'Needs'") && Catch::Contains("'Needed'"));
    CHECK(world_hash(world) == hash);
}

TEST_CASE("objects of a type that is gone are kept as they are in the file") {
    World saved(tiny_chunks()), without(tiny_chunks()), with(tiny_chunks());
    Schema brain;
    brain.name = "Brain";
    brain.kind = ComponentKind::object;
    for (World* world : {&saved, &with})
        world->objects().set_copies(world->declare(brain).value(), text_copies());
    std::vector<Entity> entities;
    for (int i = 0; i < 50; ++i) {
        const Entity entity = saved.spawn();
        saved.add(entity, named(saved, "Brain"));
        if (i % 3 != 0)
            set_object(saved, entity, named(saved, "Brain"),
                       std::make_shared<std::string>(std::to_string(i)));
        entities.push_back(entity);
    }
    std::vector<std::string> names;
    REQUIRE(world_from_bytes(without, world_to_bytes(saved).value(), keep_absent(names)).ok());
    CHECK(names == std::vector<std::string>{"Brain"});
    REQUIRE(world_from_bytes(with, world_to_bytes(without).value()).ok());
    for (std::size_t i = 0; i < entities.size(); ++i) {
        const auto text = object_of<std::string>(with, entities[i], named(with, "Brain"));
        REQUIRE((text != nullptr) == (i % 3 != 0));
        if (text != nullptr) CHECK(*text == std::to_string(i));
    }
}

}  // namespace perigee
