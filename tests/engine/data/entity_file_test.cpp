// Data files: the whole format, all errors at once, round trips of random worlds, and damaged files.
#include "engine/data/entity_file.h"

#include "ecs/inspect/world_hash.h"
#include "ecs/relations/hierarchy.h"
#include "ecs/relations/names.h"
#include "ecs/schema/registry.h"
#include "ecs/schema/text_pool.h"
#include "ecs/storage/buffer.h"
#include "ecs/storage/buffer_pool.h"
#include "ecs/storage/resource_store.h"
#include "ecs/world/prefab.h"
#include "ecs/world/world.h"
#include "ecs/world/world_config.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <random>
#include <string>
#include <vector>

using namespace perigee;
using Catch::Matchers::Contains;

namespace {

Field make_field(std::string name, FieldType type, std::uint32_t array = 0) {
    Field field;
    field.name = std::move(name);
    field.type = type;
    field.array_length = array;
    return field;
}

ComponentId declare(World& world, std::string name, ComponentKind kind, std::vector<Field> fields) {
    Schema schema;
    schema.name = std::move(name);
    schema.kind = kind;
    schema.fields = std::move(fields);
    if (kind == ComponentKind::buffer) schema.buffer_capacity = 2;
    return world.declare(schema).value();
}

/// Every type of field, every kind of component that a file can have.
std::vector<Field> all_fields() {
    using enum FieldType;
    std::vector<Field> fields{
        make_field("on", boolean),    make_field("small", i8),       make_field("big", i64),
        make_field("huge", u64),      make_field("real", f32),       make_field("fine", f64),
        make_field("at", vec2),       make_field("deep", vec4),      make_field("tint", color),
        make_field("friend", entity), make_field("tale", text),      make_field("image", asset),
        make_field("cells", i16, 3),  make_field("pals", entity, 2), make_field("turn", quat),
        make_field("place", mat4)};
    fields.push_back(make_field("tag", string));
    fields.back().string_capacity = 6;
    fields.push_back(make_field("mood", enumeration));
    fields.back().labels = {"calm", "angry"};
    fields.push_back(make_field("traits", flags));
    fields.back().labels = {"fast", "loud", "rare"};
    fields.push_back(make_field("body", structure, 2));
    fields.back().nested = {make_field("mass", f32), make_field("owner", entity)};
    return fields;
}

struct Stage {
    World world;
    EntityFileContext context;
    ComponentId all, health, frozen, team, shield, path, wave, brain;

    Stage() {
        using enum FieldType;
        all = declare(world, "All", ComponentKind::component, all_fields());
        health = declare(world, "Health", ComponentKind::component,
                         {make_field("current", i32), make_field("max", i32)});
        frozen = declare(world, "Frozen", ComponentKind::tag, {});
        team = declare(world, "Team", ComponentKind::shared, {make_field("id", u8)});
        shield = declare(world, "Shield", ComponentKind::enableable, {make_field("power", f32)});
        path = declare(world, "Path", ComponentKind::buffer,
                       {make_field("x", f32), make_field("next", entity), make_field("note", text)});
        wave = declare(world, "Wave", ComponentKind::resource,
                       {make_field("number", u16), make_field("boss", entity)});
        brain = declare(world, "Brain", ComponentKind::object, {});
        declare(world, "Voice", ComponentKind::cleanup, {make_field("channel", i32)});
        // The number of an asset is the last letter of its path.
        context.asset_of = [](std::string_view asset) -> Result<std::uint32_t> {
            if (!asset.starts_with("assets/")) return Error{"no asset '" + std::string(asset) + "'"};
            return static_cast<std::uint32_t>(asset.back());
        };
        context.path_of_asset = [](std::uint32_t handle) {
            return std::string("assets/") + static_cast<char>(handle);
        };
    }
    LoadedEntities load(std::string_view text) {
        Result<LoadedEntities> loaded = load_entities(world, text, "x.json", context);
        INFO((loaded ? "" : loaded.error().message));
        REQUIRE(loaded.ok());
        return std::move(loaded).value();
    }
    std::string error(std::string_view text) {
        const std::uint64_t before = world_hash(world);
        const std::size_t prefabs = world.prefabs().size(), entities = world.entity_count();
        const Result<LoadedEntities> loaded = load_entities(world, text, "x.json", context);
        CHECK(world_hash(world) == before);
        CHECK(world.prefabs().size() == prefabs);
        CHECK(world.entity_count() == entities);
        return loaded ? "" : loaded.error().message;
    }
    std::string written() const { return write_entities(world, context).value(); }
    Entity find(std::string_view name) const { return find_named(world, name); }
    const Schema& schema(ComponentId id) const { return world.registry().info(id).schema; }
    FieldValue value(Entity entity, ComponentId id, std::string_view field) const {
        const auto* at = static_cast<const std::byte*>(world.get(entity, id));
        REQUIRE(at != nullptr);
        return read_field(*schema(id).field(field), {at, schema(id).size}, &world.texts());
    }
    std::string text(Entity entity, ComponentId id, std::string_view field) const {
        return text_from_value(value(entity, id, field));
    }
    Entity reference(Entity entity, ComponentId id, std::string_view field) const {
        return entity_from_number(std::get<double>(value(entity, id, field).data));
    }
};

TEST_CASE("a file has prefabs with bases, variants and children, entities, buffers and resources [C6]") {
    Stage stage;
    const LoadedEntities loaded = stage.load(R"({
      "prefabs": [
        { "name": "Big", "base": "Ship", "without": ["Frozen"],
          "components": { "Health": { "current": 80 }, "Path": [ { "x": 9 } ] },
          "children": [ { "name": "turret", "components": { "Health": { "max": 7 } } } ] },
        { "name": "Ship", "components": { "Health": { "current": 40, "max": 40 }, "Frozen": true,
              "Path": [ { "x": 1, "note": "go" }, { "next": "turret" } ], "Shield": { "$enabled": false, "power": 2 } },
          "children": [ { "name": "turret", "components": { "Health": true, "All": { "friend": "..", "at": [3, 4] } } } ] } ],
      "entities": [
        { "name": "boss", "prefab": "Big", "components": { "Team": { "id": 3 }, "Shield": null } },
        { "name": "small", "prefab": "Ship", "components": { "All": {
            "on": true, "big": -9007199254740993, "huge": 18446744073709551615, "fine": "nan", "at": { "y": 5 },
            "tint": { "g": 9 }, "friend": "boss/turret", "pals": [ "small", null ], "tale": "once", "image": "assets/a.png",
            "cells": [ 1, 2 ], "tag": "abc", "mood": "angry", "traits": [ "rare" ], "body": [ {}, { "owner": "./turret" } ] } } },
        { "name": "flag", "parent": "small/turret" },
        { "parent": "flag", "components": { "Brain": {} } } ],
      "resources": { "Wave": { "number": 5, "boss": "boss" } }
    })");
    CHECK(loaded.prefabs.size() == 2);
    CHECK(loaded.entities.size() == 2);
    CHECK(loaded.entity_count == 6);
    const World& world = stage.world;
    const Entity boss = stage.find("boss"), small = stage.find("small"), turret = stage.find("small/turret");
    CHECK(stage.text(boss, stage.health, "current") == "80");
    CHECK(stage.text(boss, stage.health, "max") == "40");
    CHECK_FALSE(world.has(boss, stage.frozen));
    CHECK_FALSE(world.has(boss, stage.shield));
    CHECK(stage.text(boss, stage.team, "id") == "3");
    CHECK(stage.text(stage.find("boss/turret"), stage.health, "max") == "7");
    CHECK(stage.text(small, stage.all, "big") == "-9007199254740993");
    CHECK(stage.text(small, stage.all, "huge") == "18446744073709551615");
    CHECK(stage.text(small, stage.all, "tale") == "\"once\"");
    CHECK(stage.reference(small, stage.all, "friend") == stage.find("boss/turret"));
    CHECK(stage.reference(turret, stage.all, "friend") == small);
    CHECK_FALSE(world.is_enabled(small, stage.shield));
    CHECK(parent_of(world, stage.find("flag")) == turret);
    CHECK(child_count(world, stage.find("flag")) == 1);
    const auto* buffer = reinterpret_cast<const BufferHeader*>(world.get(small, stage.path));
    REQUIRE(buffer->length == 2);
    Entity next;
    std::memcpy(&next, buffer->elements() + stage.schema(stage.path).size + 8, sizeof next);
    CHECK(next == turret);
    Entity in_resource;
    std::memcpy(&in_resource, world.resources().data(stage.wave) + 8, sizeof in_resource);
    CHECK(in_resource == boss);
    const Entity again = stage.world.spawn(loaded.prefabs[0]);
    CHECK(child_count(world, again) == 1);
    CHECK(stage.text(again, stage.health, "current") == "80");
}

TEST_CASE("all errors of a file are reported at once, each with its place, and nothing changes [C6]") {
    Stage stage;
    const std::string message = stage.error(R"({
      "prefab": [],
      "prefabs": [ { "base": "Nobody" }, { "name": "Loop", "base": "Loop" }, 5,
                   { "name": "P", "components": { "Healht": {}, "Voice": {}, "Wave": {}, "Path": [ 5 ] },
                     "children": [ { "prefab": "Q", "parent": "x" } ] } ],
      "entities": [
        { "name": 5, "components": { "Health": { "current": "much", "maxx": 1 }, "Frozen": { "x": 1 } } },
        { "name": "a", "parent": "b", "components": { "All": { "friend": "nobody", "pals": [ 7 ], "image": "x.png" } } },
        { "name": "b", "parent": "a", "components": [] },
        { "parent": "zed", "components": { "Health": null, "All": { "cells": [ 1, 2, 3, 4 ], "body": [ { "mas": 1 } ],
            "mood": "glad", "friend": null, "huge": -1 } } },
        { "components": { "Team": { "$enabled": true }, "Health": 5, "Path": {} } } ],
      "resources": { "Wave": 5, "Health": {}, "Storm": {} }
    })");
    INFO(message);
    for (const char* part :
         {"x.json:2: prefab: unknown key 'prefab'; did you mean 'prefabs'?",
          "x.json:3: prefabs[0]: a prefab has a name",
          "prefabs[0]: the file builds on 'Nobody', which is no prefab",
          "Loop -> Loop",
          "x.json:3: prefabs[2]: expected an object, got 5",
          "x.json:4: prefabs[3].components.Healht: unknown component 'Healht'; did you mean 'Health'?",
          "prefabs[3].components.Voice: prefab 'P'",
          "prefabs[3].components.Wave: prefab 'P'",
          "prefabs[3].components.Path[0]: expected an object of fields, got 5",
          "prefabs[3].children[0].parent: unknown key 'parent'",
          "entities[0].name: expected a text, got 5",
          "entities[0].components.Health.current: field 'current': expected i32, got string",
          "entities[0].components.Health.maxx: unknown field 'maxx'; did you mean 'max'?",
          "entities[0].components.Frozen.x: unknown field 'x'",
          "entities[1].parent: 'b' is a descendant of this entity",
          "entities[1].components.All.pals[0]: expected the path of an entity or null, got 7",
          "entities[1].components.All.image: no asset 'x.png'",
          "entities[2].components: expected an object of components",
          "entities[3].parent: unknown entity 'zed'",
          "entities[3].components.All.cells: expected a list of at most 3 elements",
          "entities[3].components.All.body[0].mas: unknown field 'mas'; did you mean 'mass'?",
          "x.json:11: entities[3].components.All.mood: field 'mood'",
          "entities[3].components.All.huge: field 'huge'",
          "entities[4].components.Team: '$enabled' is true or false",
          "entities[4].components.Health: expected an object of fields, true or null, got 5",
          "entities[4].components.Path: expected a list of elements or null",
          "resources.Wave: expected an object of fields for a resource",
          "resources.Health: expected",
          "resources.Storm: unknown component 'Storm'"})
        CHECK_THAT(message, Contains(part));
    CHECK_THAT(
        stage.error(R"({ "entities": [ { "components": { "All": { "friend": "nobody" } } } ] })"),
        Contains("x.json:1: entities[0].components.All.friend: field 'friend': there is no part '/nobody'"));
    CHECK_THAT(stage.error(R"({ "resources": { "Wave": { "boss": "nobody" } } })"),
               Contains("resources.Wave.boss") && Contains("there is no part 'nobody'"));
    CHECK_THAT(stage.error("{ \"entities\": [ }"),
               Contains("x.json:1:17: not valid JSON: expected a value, found '}'"));
    CHECK_THAT(stage.error("[]"), Contains("x.json: expected an object, got []"));
    CHECK_THAT(stage.error(std::string(kMaxEntityFileBytes + 1, ' ')),
               Contains("there are more than 16777216 bytes"));
    std::string deep = "{ \"entities\": [ {";
    for (int i = 0; i < 100; ++i) deep += "\"children\": [ {";
    for (int i = 0; i < 100; ++i) deep += "} ]";
    CHECK_THAT(stage.error(deep + "} ] }"), Contains("there are more than 64 levels of children"));
    // Also by paths, and by entities that are each the parent of the next.
    std::string path = "root";
    for (int i = 0; i < 500'000; ++i) path += "/a";
    CHECK_THAT(stage.error("{ \"entities\": [ { \"name\": \"root\" }, { \"parent\": \"" + path + "\" } ] }"),
               Contains("there are more than 64 levels of children"));
    const auto chain = [](int length) {
        std::string text = "{ \"entities\": [ { \"name\": \"e0\" }";
        for (int i = 1; i < length; ++i)
            text += ", { \"name\": \"e" + std::to_string(i) + "\", \"parent\": \"e" + std::to_string(i - 1) +
                    "\" }";
        return text + " ] }";
    };
    CHECK_THAT(stage.error(chain(5000)), Contains("there are more than 64 levels of children"));
    CHECK(load_entities(stage.world, chain(65), "chain.json", stage.context).ok());
    std::string many = "{ \"a\": 1";
    for (int i = 0; i < 80; ++i) many += ", \"key" + std::to_string(i) + "\": 1";
    CHECK_THAT(stage.error(many + "}"), Contains("x.json: and 31 more"));
    CHECK(load_prefabs(stage.world, "{ \"entities\": [] }", "x.json").error().message ==
          "x.json:1: entities: unknown key 'entities'");
    CHECK(load_entities(stage.world,
                        R"({ "entities": [ { "components": { "All": { "image": "assets/a" } } } ] })",
                        "x.json")
              .error()
              .message.find("there are no assets here") != std::string::npos);
}

TEST_CASE("a mistake in an entity of a file names the entity, and no prefab") {
    Stage stage;
    const std::string message = stage.error(R"({ "entities": [
        { "name": "boss", "components": { "Voice": {} }, "children": [ { "name": "gun", "components": { "Wave": {} } } ] },
        { "components": { "Voice": {} } },
        { "name": "ghost", "prefab": "Nothing" } ] })");
    INFO(message);
    for (const char* part : {"entity 'boss': expected components and tags, 'Voice' is a cleanup",
                             "entity 'boss/gun': expected components and tags, 'Wave' is a resource",
                             "an entity without a name: expected components and tags, 'Voice' is a cleanup",
                             "entity 'ghost' builds on 'Nothing', which is no prefab"})
        CHECK_THAT(message, Contains(part));
    CHECK_THAT(message, !Contains("prefab '"));
}

TEST_CASE(
    "a quat and a mat4 are written by part or as a list, and a variant keeps the other parts [C6] [T2]") {
    Stage stage;
    stage.load(R"({
      "prefabs": [ { "name": "Arm", "components": { "All": { "turn": { "y": 1, "w": 0.5 }, "place": { "wx": 3 } } } },
                   { "name": "Bent", "base": "Arm", "components": { "All": { "turn": { "w": 0 }, "place": { "wy": 4 } } } } ],
      "entities": [ { "name": "bent", "prefab": "Bent" },
                    { "name": "bare", "components": { "All": {} } },
                    { "name": "list", "components": { "All": { "turn": [ 1, 2, 3, 4 ],
                        "place": [ 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, "inf" ] } } } ] })");
    const Entity bent = stage.find("bent"), bare = stage.find("bare"), list = stage.find("list");
    CHECK(stage.text(bent, stage.all, "turn") == "{x = 0, y = 1, z = 0, w = 0}");
    CHECK_THAT(stage.text(bent, stage.all, "place"),
               Contains("xx = 1") && Contains("wx = 3, wy = 4, wz = 0, ww = 1"));
    CHECK(stage.text(bare, stage.all, "turn") == "{x = 0, y = 0, z = 0, w = 1}");
    CHECK(stage.text(list, stage.all, "turn") == "{x = 1, y = 2, z = 3, w = 4}");
    CHECK_THAT(stage.text(list, stage.all, "place"),
               Contains("xw = 4, yx = 5") && Contains("wz = 15, ww = inf"));
    CHECK_THAT(stage.error(R"({ "entities": [ { "components": { "All": { "turn": [ 1 ] } } } ] })"),
               Contains("entities[0].components.All.turn: field 'turn': expected 4 values, got 1"));
    CHECK_THAT(stage.error(R"({ "entities": [ { "components": { "All": { "place": { "xq": 1 } } } } ] })"),
               Contains("field 'place': unknown member 'xq'"));
}

/// A world of random subtrees whose values, lists and references are random too.
struct RandomWorld : Stage {
    explicit RandomWorld(std::uint32_t seed) : random(seed) {
        std::vector<Entity> entities;
        const int count = 1 + number(25);
        for (int i = 0; i < count; ++i) entities.push_back(world.spawn());
        for (const Entity entity : entities) {
            for (const ComponentId id : {all, health, frozen, team, shield, path, brain}) {
                if (number(2) == 0) REQUIRE(world.add(entity, id));
            }
            if (number(3) == 0) static_cast<void>(set_name(world, entity, name()).ok());
            if (const Entity parent = pick(entities); number(2) == 0 && parent.index() < entity.index())
                REQUIRE(set_parent(world, entity, parent).ok());
        }
        for (const Entity entity : entities) fill(entity, entities);
        for (int i = number(5); i > 0; --i) world.destroy(pick(entities));
    }

    int number(int below) { return static_cast<int>(random() % static_cast<unsigned>(below)); }
    Entity pick(const std::vector<Entity>& from) { return from[random() % from.size()]; }
    std::string name() { return std::vector<std::string>{"a", "b", "ü b", "#1", "..", "."}[random() % 6]; }

    void fill(Entity entity, const std::vector<Entity>& others) {
        for (const ComponentId id : {all, health, team, shield}) {
            if (!world.has(entity, id)) continue;
            std::vector<std::byte> row = schema(id).defaults;
            fill(schema(id).fields, row.data(), others);
            REQUIRE(world.set(entity, id, row.data()));
        }
        if (world.has(entity, shield) && number(2) == 0) world.set_enabled(entity, shield, false);
        if (!world.has(entity, path)) return;
        DynamicBuffer buffer = world.buffer(entity, path);
        for (int i = number(5); i > 0; --i) {
            REQUIRE(buffer.push());
            fill(schema(path).fields, buffer.at(buffer.length() - 1), others);
        }
    }
    void fill(const std::vector<Field>& fields, std::byte* at, const std::vector<Entity>& others) {
        for (const Field& field : fields) {
            Field one = field;
            one.array_length = 0;
            one.offset = 0;
            one.size = one.element_size;
            for (std::uint32_t i = 0; i < std::max(1u, field.array_length); ++i) {
                std::byte* to = at + field.offset + i * field.element_size;
                if (field.type == FieldType::structure) {
                    fill(field.nested, to, others);
                } else if (const FieldValue value = random_value(field, others); value.is_set()) {
                    REQUIRE(write_field(one, value, {to, field.element_size}, world.field_context()).ok());
                }
            }
        }
    }
    FieldValue random_value(const Field& field, const std::vector<Entity>& others) {
        switch (field.type) {
            case FieldType::boolean:
                return {number(2) == 0};
            case FieldType::entity:
                return {number(2) == 0 ? 0.0 : number_from_entity(pick(others))};
            case FieldType::text:
            case FieldType::string:
                return {std::vector<std::string>{"", "\"q\"", "ü\n", "abc"}[random() % 4]};
            case FieldType::asset:
                return {static_cast<double>(context.asset_of("assets/" + std::to_string(number(9))).value())};
            case FieldType::enumeration:
                return {field.labels[random() % field.labels.size()]};
            case FieldType::flags:
                return {FieldValueList{{field.labels[random() % field.labels.size()]}}};
            case FieldType::i64:
                return {static_cast<std::int64_t>(wide())};
            case FieldType::u64:
                return {wide()};
            case FieldType::f64:
            case FieldType::f32:
                return {std::vector<double>{0.1, -0.0, 1e30, HUGE_VAL, std::nan(""), 5}[random() % 6]};
            case FieldType::vec2:
                return {FieldValueList{{0.1 * number(9)}, {-HUGE_VAL}}};
            case FieldType::color:
                return {static_cast<double>(random())};
            case FieldType::quat:
                return {FieldValueMap{{"y", {0.5}}, {"w", {0.1 * number(9)}}}};
            case FieldType::mat4: {
                FieldValueList parts;
                while (parts.size() < 16) parts.push_back({0.1 * number(9)});
                return {parts};
            }
            case FieldType::vec3:
            case FieldType::vec4:
                return {};
            default:
                return {static_cast<double>(number(100))};
        }
    }
    std::uint64_t wide() { return std::uint64_t{random()} << 32 | random(); }

    std::mt19937 random;
};

TEST_CASE("random worlds are the same after a round trip through a file [C6]") {
    for (std::uint32_t seed = 0; seed < 300; ++seed) {
        INFO("seed " << seed);
        const RandomWorld original(seed);
        const std::string text = original.written();
        Stage first, second;
        first.load(text);
        CHECK(first.world.entity_count() == original.world.entity_count());
        REQUIRE(first.written() == text);
        second.load(first.written());
        // Ids are not part of a file, but a world created in the order of its subtrees gets the same ones.
        REQUIRE(world_hash(second.world) == world_hash(first.world));
    }
}

TEST_CASE("entities are written with their descendants and without references to others [C6]") {
    Stage stage;
    stage.load(R"({ "entities": [
      { "name": "a", "children": [ { "name": "b", "components": { "All": { "friend": "c", "pals": [ "a", "a/b" ] } } } ] },
      { "name": "c" } ] })");
    const std::vector<Entity> roots{stage.find("a"), stage.find("b")};
    const std::string text = write_entities(stage.world, roots, stage.context).value();
    Stage other;
    CHECK(other.load(text).entity_count == 2);
    CHECK(other.reference(other.find("b"), other.all, "friend") == Entity{});
    CHECK_THAT(text, Contains("\"a/b\""));
    std::vector<std::byte> row = stage.schema(stage.all).defaults;
    REQUIRE(write_field(*stage.schema(stage.all).field("tale"), {std::string("\xff")}, row,
                        stage.world.field_context())
                .ok());
    stage.world.set(stage.find("b"), stage.all, row.data());
    CHECK_THAT(write_entities(stage.world, stage.context).error().message,
               Contains("cannot be written to JSON"));
}

using Words = std::vector<std::string>;

/// The structure: another value on a line, a line twice, or none.
void change_line(std::string& text, std::mt19937& random, const Words& words) {
    const std::size_t begin = text.rfind('\n', random() % text.size()) + 1;
    const std::size_t end = std::min(text.find('\n', begin), text.size() - 1);
    std::string line = text.substr(begin, end + 1 - begin);
    const std::size_t value = line.find(": ");
    if (random() % 4 == 0) {
        line += line;
    } else if (random() % 8 == 0) {
        line.clear();
    } else if (value != line.npos && line.find_first_of("[{") == line.npos) {
        const bool has_comma = line.find(',') != line.npos;
        line = line.substr(0, value + 2) + words[random() % 9] + (has_comma ? ",\n" : "\n");
    }
    text.replace(begin, end + 1 - begin, line);
}

void change_bytes(std::string& text, std::mt19937& random, const Words& words) {
    const std::size_t at = random() % text.size();
    if (random() % 3 == 0) {
        text[at] = static_cast<char>(random());
    } else if (random() % 2 == 0) {
        text.replace(at, random() % 12, words[random() % words.size()]);
    } else {
        text.insert(random() % text.size(), text.substr(at, 1 + random() % 200));
    }
}

TEST_CASE("randomly changed files never crash and never load partly [C6]") {
    const Words words{"null",
                      "5",
                      "-1e999",
                      "\"x\"",
                      "[]",
                      "{}",
                      "true",
                      "\"..\"",
                      "\"#1\"",
                      "{",
                      "[",
                      "]",
                      "}",
                      "\"name\":",
                      ",",
                      ":",
                      "\"\"",
                      "\"/\"",
                      "\"parent\": \"a\",",
                      "\"prefab\": \"a\",",
                      "1e400"};
    int loaded = 0;
    for (std::uint32_t seed = 0; seed < 3000; ++seed) {
        std::mt19937 random(seed);
        std::string text = RandomWorld(seed % 20).written();
        for (std::uint32_t change = 1 + random() % 3; change > 0; --change) {
            if (random() % 3 != 0) {
                change_line(text, random, words);
            } else {
                change_bytes(text, random, words);
            }
        }
        Stage stage;
        const std::uint64_t before = world_hash(stage.world);
        const Result<LoadedEntities> result = load_entities(stage.world, text, "x.json", stage.context);
        if (result) {
            ++loaded;
        } else {
            CHECK(world_hash(stage.world) == before);
            CHECK(stage.world.entity_count() == 0);
            CHECK(stage.world.buffers().stats().blocks_in_use == 0);
        }
    }
    CHECK(loaded > 300);
    CHECK(loaded < 2900);
}

TEST_CASE("a world without room for a file stays unchanged [C6]") {
    WorldConfig config;
    config.max_entities = 8;
    World world(config);
    declare(world, "Frozen", ComponentKind::tag, {});
    std::string text = R"({ "prefabs": [ { "name": "P" } ], "entities": [ {})";
    for (int i = 0; i < 20; ++i) text += ", {}";
    CHECK_THAT(load_entities(world, text + "] }", "x.json").error().message,
               Contains("no room for all entities"));
    CHECK(world.entity_count() == 0);
    CHECK(world.prefabs().size() == 0);
}

}  // namespace
