// Presentation data: which systems may use it, and that the simulation, its hashes and saved worlds do not
// depend on what frames write.
#include "ecs/commands/command_buffer.h"
#include "ecs/inspect/schema_json.h"
#include "ecs/inspect/world_digest.h"
#include "ecs/inspect/world_hash.h"
#include "ecs/migrate/schema_change.h"
#include "ecs/save/save_file.h"
#include "ecs/save/world_snapshot.h"
#include "ecs/schedule/schedule.h"
#include "ecs/storage/resource_store.h"
#include "tests/support/test_components.h"

#include <catch2/catch.hpp>

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace perigee {
namespace {

using Catch::Matchers::Contains;

struct Glow {
    float strength = 0.5f;
};
struct Camera {
    float shake = 2;
};

Result<void> nothing(SystemContext&) { return {}; }

struct Shown {
    explicit Shown(bool presentation = true) : schedule(world, 3) {
        declare_test_components(world);
        world.declare<Glow>("Glow", {.presentation = presentation}, field("strength", &Glow::strength))
            .value();
        world
            .declare<Camera>("Camera", {.kind = ComponentKind::resource, .presentation = presentation},
                             field("shake", &Camera::shake))
            .value();
    }
    SystemDesc system(std::string name, std::string_view group, SystemFunction run = nothing) const {
        SystemDesc desc;
        desc.name = std::move(name);
        desc.group = group;
        desc.run = std::move(run);
        return desc;
    }
    std::string refused(SystemDesc desc) {
        const Result<SystemId> added = schedule.add(std::move(desc));
        return added ? "" : added.error().message;
    }

    Camera& camera() { return *reinterpret_cast<Camera*>(world.resources().data(world.id<Camera>())); }

    World world;
    Schedule schedule;
};

TEST_CASE("[Q7] a system of the simulation may not read or write presentation data") {
    Shown shown;
    const ComponentId glow = shown.world.id<Glow>();
    const auto message = [](const std::string& use) {
        return "system 'x': 'Glow' is presentation data, whose values depend on the frame rate, but it is " +
               use +
               "; a system of the simulation may spawn, add, set and remove it with commands, and systems of "
               "'presentation' read and write it";
    };
    const auto with = [&](const std::function<void(SystemDesc&)>& change) {
        SystemDesc desc = shown.system("x", kSimulation);
        change(desc);
        return shown.refused(std::move(desc));
    };
    CHECK(with([&](SystemDesc& desc) {
              desc.query.terms = {{glow, Access::read, true}};
          }) == message("declared as read"));
    CHECK(with([&](SystemDesc& desc) {
              desc.query.terms = {{glow, Access::write}};
          }) == message("declared as written"));
    CHECK(with([&](SystemDesc& desc) { desc.access.read = {glow}; }) == message("declared as read"));
    CHECK(with([&](SystemDesc& desc) { desc.access.write = {glow}; }) == message("declared as written"));
    CHECK(with([&](SystemDesc& desc) {
              desc.query.terms = {{shown.world.id<Position>(), Access::read}};
              desc.query.changed = {glow};
          }) == message("named in 'changed'"));
    // Who has it is the simulation's.
    CHECK(with([&](SystemDesc& desc) {
              desc.query.terms = {{shown.world.id<Position>(), Access::read}};
              desc.query.without = {glow};
          }) == "");
    const SystemId x = *shown.schedule.find("x");
    SystemDesc other = shown.system("x", kSimulation);
    other.access.read = {glow};
    CHECK(shown.schedule.renew(x, other).error().message == message("declared as read"));
    CHECK(shown.schedule.replace(x, other).error().message == message("declared as read"));
}

TEST_CASE("[Q7] a presentation system writes presentation data, and nothing else") {
    Shown shown;
    SystemDesc fade = shown.system("fade", kPresentation);
    fade.query.terms = {{shown.world.id<Glow>(), Access::write}, {shown.world.id<Position>(), Access::read}};
    fade.access.write = {shown.world.id<Camera>()};
    CHECK(shown.refused(fade) == "");
    fade.name = "move";
    fade.query.terms[1].access = Access::write;
    CHECK(shown.refused(fade) ==
          "system 'move': presentation systems may only read the simulation's data, but 'Position' is "
          "declared as written; write it in simulation, or declare 'Position' with presentation = true if "
          "only the picture depends on it");
}

TEST_CASE("[Q7] reactions see presentation data only being added") {
    Shown shown;
    for (const Trigger::Kind kind :
         {Trigger::Kind::changed, Trigger::Kind::removed, Trigger::Kind::destroyed}) {
        SystemDesc desc = shown.system("r", kReactions);
        desc.reacts_to = Trigger{kind, shown.world.id<Glow>()};
        CHECK_THAT(shown.refused(std::move(desc)),
                   Contains("it is presentation data, whose values depend on the frame rate"));
    }
    SystemDesc desc = shown.system("r", kReactions);
    desc.reacts_to = Trigger{Trigger::Kind::added, shown.world.id<Glow>()};
    CHECK(shown.refused(std::move(desc)) == "");
}

// A game whose frames write, with so many frames after each step.
struct Played : Shown {
    explicit Played(int frame_count) : frames(frame_count) {
        SystemDesc spawn = system("spawn", kSimulation, [](SystemContext& context) -> Result<void> {
            const auto x = static_cast<float>(context.random.unit());
            const Entity made = context.commands.spawn(Position{x, 0}, Glow{.strength = 3});
            if (x < 0.3f) context.commands.remove<Glow>(made);
            return {};
        });
        schedule.add(std::move(spawn)).value();
        SystemDesc hit = system("hit", kSimulation, [](SystemContext& context) -> Result<void> {
            context.world.each_chunk(*context.query, [&](ChunkView& chunk) {
                for (const Entity entity : chunk.entities())
                    if (context.random.unit() < 0.1) context.commands.set(entity, Glow{.strength = 9});
            });
            return {};
        });
        hit.query.terms = {{world.id<Position>(), Access::write}};
        schedule.add(std::move(hit)).value();
        SystemDesc fade = system("fade", kPresentation, [this](SystemContext& context) -> Result<void> {
            context.world.each_chunk(*context.query, [&](ChunkView& chunk) {
                for (Glow& glow : chunk.column<Glow>(0)) glow.strength *= 0.9f;
            });
            camera().shake += 1;
            ++written;
            return {};
        });
        fade.query.terms = {{world.id<Glow>(), Access::write}};
        fade.access.write = {world.id<Camera>()};
        schedule.add(std::move(fade)).value();
    }
    std::uint64_t step() {
        schedule.run_step(time).value();
        ++time.tick;
        for (int i = 0; i < frames; ++i) schedule.run_group(kPresentation, time).value();
        return world_hash(world);
    }
    std::uint64_t digest() const {
        return digest_component(world, world.id<Glow>(), 1).sum +
               digest_component(world, world.id<Camera>(), 2).sum;
    }
    float all_glow() {
        float sum = camera().shake;
        const Query& query =
            *world.query({.terms = {{world.id<Glow>(), Access::read}}, .any = {}, .without = {}}).value();
        world.each_chunk(query, [&](ChunkView& chunk) {
            for (const Glow& glow : chunk.column<const Glow>(0)) sum += glow.strength;
        });
        return sum;
    }

    int frames;
    int written = 0;
    TickTime time;
};

TEST_CASE("[Q7] hashes are the same with 0, 1 and 3 frames after each step, and frames do write") {
    Played none(0), one(1), three(3);
    for (int step = 0; step < 60; ++step) {
        const std::uint64_t hash = none.step();
        REQUIRE(one.step() == hash);
        REQUIRE(three.step() == hash);
        REQUIRE(one.digest() == none.digest());
        REQUIRE(three.digest() == none.digest());
    }
    CHECK(none.all_glow() != one.all_glow());
    CHECK(one.all_glow() != three.all_glow());
    CHECK(three.written == 180);
    // That an entity has it does count.
    const Entity entity = one.world.spawn(Position{});
    const std::uint64_t without = world_hash(one.world);
    one.world.add(entity, one.world.id<Glow>());
    CHECK(world_hash(one.world) != without);
}

TEST_CASE("[Q7] a saved world has the defaults of presentation data, a snapshot its values") {
    Played played(2);
    for (int i = 0; i < 20; ++i) played.step();
    const std::uint64_t hash = world_hash(played.world);
    const float before = played.all_glow();
    const WorldSnapshot snapshot = take_snapshot(played.world).value();
    const std::string bytes = world_to_bytes(played.world).value();

    Played loaded(0);
    world_from_bytes(loaded.world, bytes).value();
    CHECK(world_hash(loaded.world) == hash);
    CHECK(loaded.camera().shake == 2);
    const Query& query =
        *loaded.world.query({.terms = {{loaded.world.id<Glow>(), Access::read}}, .any = {}, .without = {}})
             .value();
    std::size_t rows = 0;
    loaded.world.each_chunk(query, [&](ChunkView& chunk) {
        for (const Glow& glow : chunk.column<const Glow>(0)) CHECK(glow.strength == 0.5f);
        rows += chunk.row_count();
    });
    CHECK(rows != 0);

    for (int i = 0; i < 5; ++i) played.step();
    CHECK(played.all_glow() != before);
    restore_snapshot(played.world, snapshot).value();
    CHECK(world_hash(played.world) == hash);
    CHECK(played.all_glow() == before);
}

TEST_CASE("[Q7] presentation data that becomes data of the simulation starts with its defaults") {
    Shown shown;
    const Entity entity = shown.world.spawn(Glow{.strength = 7});
    Schema schema = shown.world.registry().info(shown.world.id<Glow>()).schema;
    schema.presentation = false;
    change_schemas(shown.world, {{schema}}).value();
    CHECK(shown.world.get<Glow>(entity)->strength == 0.5f);
    // The other way nothing changes but who may use it.
    shown.world.set(entity, Glow{.strength = 4});
    schema.presentation = true;
    change_schemas(shown.world, {{schema}}).value();
    CHECK(shown.world.get<Glow>(entity)->strength == 4);
    CHECK(shown.world.registry().info(shown.world.id<Glow>()).schema.presentation);
}

TEST_CASE("[Q7] which schemas can be presentation data") {
    const auto mistakes = [](Schema schema) {
        schema.name = "Bad";
        schema.presentation = true;
        std::string all;
        for (const std::string& mistake : layout_schema(schema)) all += mistake + "\n";
        return all;
    };
    const auto one_field = [](FieldType type) {
        Schema schema;
        schema.fields.emplace_back();
        schema.fields[0].name = "f";
        schema.fields[0].type = type;
        return schema;
    };
    CHECK(mistakes(one_field(FieldType::f32)) == "");
    for (const ComponentKind kind :
         {ComponentKind::buffer, ComponentKind::shared, ComponentKind::chunk, ComponentKind::enableable,
          ComponentKind::cleanup, ComponentKind::event}) {
        Schema schema = one_field(FieldType::f32);
        schema.kind = kind;
        CHECK_THAT(mistakes(schema),
                   Contains("presentation makes no sense for kind '" + std::string(kind_name(kind)) + "'"));
    }
    CHECK_THAT(
        mistakes(one_field(FieldType::text)),
        Contains("presentation data cannot have a field of type text, whose contents belong to the world; "
                 "use string(n)"));
    CHECK_THAT(mistakes(one_field(FieldType::blob)), Contains("cannot have a field of type blob"));
    Schema relation = one_field(FieldType::entity);
    relation.index = true;
    CHECK_THAT(mistakes(relation),
               Contains("a relation belongs to the simulation and cannot be presentation data"));
}

TEST_CASE("[Q7] the option is part of a declaration, and tools show it") {
    Shown shown, plain(false);
    CHECK_THAT(schema_json(shown.world.registry(), shown.world.id<Glow>()),
               Contains("\"presentation\":true"));
    CHECK_THAT(schema_json(plain.world.registry(), plain.world.id<Glow>()), !Contains("presentation"));
    CHECK_THAT(describe_layout(shown.world.registry().info(shown.world.id<Glow>()).schema),
               Contains("presentation data"));
    Schema schema = shown.world.registry().info(shown.world.id<Glow>()).schema;
    schema.presentation = false;
    CHECK(shown.world.declare(schema).error().message ==
          "'Glow' is already declared with presentation = true");
    schema.presentation = true;
    CHECK(plain.world.declare(schema).error().message ==
          "'Glow' is already declared without presentation = true");
}

}  // namespace
}  // namespace perigee
