// Random commands in two command buffers, compared with a naive model that carries out the same commands on a
// map of maps: entities, components, values and the counts of the reports must agree.
#include "ecs/commands/command_buffer.h"
#include "ecs/prefab/make_prefab.h"
#include "ecs/world/prefab.h"
#include "ecs/world/world.h"
#include "ecs/world/world_config.h"
#include "tests/support/test_components.h"

#include <catch2/catch.hpp>

#include <array>
#include <cstring>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <vector>

namespace perigee {
namespace {

using Bytes = std::vector<std::byte>;

// A command of the model.
struct Note {
    enum class Kind { spawn, spawn_many, destroy, add, remove, set } kind;
    Entity entity;
    ComponentId component;
    Bytes value;                                ///< empty: the defaults
    std::map<ComponentId, Bytes> components;    ///< of the prefab, for spawns
    std::shared_ptr<std::vector<Entity>> born;  ///< spawn_many: what the initialiser saw
    bool is_failing = false;
};

class Program {
public:
    Program(const WorldConfig& config, std::uint32_t seed)
        : world(config),
          shape(config.shape),
          random(seed),
          buffers{CommandBuffer(world), CommandBuffer(world)} {
        declare_test_components(world);
        for (const char* name : {"BlockA", "BlockB"}) declare_block(name);
        for (std::uint16_t i = 0; i < world.registry().size(); ++i) ids.push_back(ComponentId{i});
        add_prefab("empty", {});
        add_prefab("mover", {world.id<Position>(), world.id<Velocity>()});
        add_prefab("target", {world.id<Health>(), world.id<Frozen>(), world.id<Wide>()});
    }

    void record_one() {
        const std::size_t which = random() % 2;
        CommandBuffer& buffer = buffers[which];
        Note note = random_note();
        switch (note.kind) {
            case Note::Kind::spawn:
                spawn(buffer, note);
                break;
            case Note::Kind::spawn_many:
                spawn_many(buffer, note);
                break;
            case Note::Kind::destroy:
                buffer.destroy(note.entity);
                break;
            case Note::Kind::add:
                buffer.add(note.entity, note.component, note.value.empty() ? nullptr : note.value.data());
                break;
            case Note::Kind::remove:
                buffer.remove(note.entity, note.component);
                break;
            case Note::Kind::set:
                if (note.value.empty()) note.value = random_value(note.component);
                buffer.set(note.entity, note.component, note.value.data());
                break;
        }
        notes[which].push_back(std::move(note));
    }

    // In either order; sometimes one of them is dropped.
    void finish_both() {
        const std::size_t first = random() % 2;
        for (const std::size_t which : {first, 1 - first}) {
            if (random() % 6 == 0) {
                buffers[which].drop();
                notes[which].clear();
                continue;
            }
            std::set<Entity> reserved;  // by the other buffer: not yet born for this one
            for (const Note& note : notes[1 - which]) {
                if (note.kind == Note::Kind::spawn) reserved.insert(note.entity);
            }
            const PlaybackReport report = buffers[which].play_back();
            PlaybackReport expected;
            for (const Note& note : notes[which]) carry_out(note, reserved, expected);
            notes[which].clear();
            REQUIRE(report == expected);
            total += report;
            check();
        }
        REQUIRE(world.entities().used_count() == world.entity_count());
    }

private:
    void declare_block(const char* name) {
        Schema schema;
        schema.name = name;
        schema.fields.resize(1);
        schema.fields[0].name = "words";
        schema.fields[0].type = FieldType::u16;
        schema.fields[0].array_length = 1000;
        blocks.push_back(world.declare(std::move(schema)).value());
    }

    void add_prefab(const char* name, const std::vector<ComponentId>& components) {
        Prefab prefab;
        prefab.name = name;
        std::map<ComponentId, Bytes> image;
        for (const ComponentId id : components) {
            const bool is_default = random() % 2 == 0;
            image[id] = is_default ? defaults_of(id) : random_value(id);
            prefab.components.push_back({id, is_default ? Bytes{} : image[id]});
        }
        prefabs.push_back(perigee::add_prefab(world, std::move(prefab)).value());
        images.push_back(std::move(image));
    }

    Bytes defaults_of(ComponentId id) const { return world.registry().info(id).schema.defaults; }

    Bytes random_value(ComponentId id) {
        Bytes value(world.registry().row_bytes(id));
        for (std::byte& byte : value) byte = static_cast<std::byte>(random());
        return value;
    }

    Note random_note() {
        static constexpr std::array kKinds{Note::Kind::spawn,      Note::Kind::spawn,   Note::Kind::spawn,
                                           Note::Kind::spawn_many, Note::Kind::destroy, Note::Kind::add,
                                           Note::Kind::add,        Note::Kind::add,     Note::Kind::add,
                                           Note::Kind::remove,     Note::Kind::remove,  Note::Kind::set};
        const std::vector<ComponentId>& some = random() % 4 == 0 ? blocks : ids;
        Note note{
            kKinds[random() % kKinds.size()], Entity{}, some[random() % some.size()], {}, {}, {}, false};
        // Mostly the entity of the previous command, so that runs of commands on one entity are common.
        if (!named.empty()) {
            note.entity = random() % 2 == 0 ? named.back() : named[random() % named.size()];
            if (random() % 3 != 0) named.push_back(note.entity);
        }
        if (random() % 2 == 0) note.value = random_value(note.component);
        return note;
    }

    void spawn(CommandBuffer& buffer, Note& note) {
        if (random() % 2 == 0) {
            note.entity = buffer.spawn();
        } else {
            const std::size_t prefab = random() % prefabs.size();
            note.entity = buffer.spawn(prefabs[prefab]);
            note.components = images[prefab];
        }
        REQUIRE(note.entity);
        named.push_back(note.entity);
    }

    void spawn_many(CommandBuffer& buffer, Note& note) {
        const std::size_t prefab = random() % prefabs.size();
        note.components = images[prefab];
        note.born = std::make_shared<std::vector<Entity>>();
        note.is_failing = random() % 3 == 0;
        buffer.spawn_many(prefabs[prefab], random() % 7,
                          [born = note.born, is_failing = note.is_failing](
                              ChunkView& chunk, std::uint32_t first, std::uint32_t last) {
                              for (std::uint32_t row = first; row < last; ++row) {
                                  born->push_back(chunk.entities()[row]);
                              }
                              return !is_failing;
                          });
    }

    void carry_out(const Note& note, const std::set<Entity>& reserved, PlaybackReport& report) {
        const auto found = model.find(note.entity);
        const bool is_alive = found != model.end();
        switch (note.kind) {
            case Note::Kind::spawn:
                model[note.entity] = note.components;
                ++report.applied;
                return;
            case Note::Kind::spawn_many:
                if (note.is_failing && !note.born->empty()) {
                    ++report.failed_batches;
                    return;
                }
                for (const Entity entity : *note.born) model[entity] = note.components;
                named.insert(named.end(), note.born->begin(), note.born->end());
                ++report.applied;
                return;
            case Note::Kind::destroy:
                if (is_alive) model.erase(found);
                !is_alive&& reserved.contains(note.entity) ? ++report.dropped : ++report.applied;
                return;
            case Note::Kind::add:
                if (!is_alive) {
                    ++report.dropped;
                } else if (is_too_wide(found->second, note.component)) {
                    ++report.failed;
                } else {
                    if (!note.value.empty()) {
                        found->second[note.component] = note.value;
                    } else {
                        found->second.emplace(note.component, defaults_of(note.component));
                    }
                    ++report.applied;
                }
                return;
            case Note::Kind::remove:
                if (is_alive) found->second.erase(note.component);
                is_alive ? ++report.applied : ++report.dropped;
                return;
            case Note::Kind::set:
                if (!is_alive || !found->second.contains(note.component)) {
                    ++report.dropped;
                } else {
                    found->second[note.component] = note.value;
                    ++report.applied;
                }
                return;
        }
    }

    // The two blocks do not fit together into 4 units of 1 KiB.
    bool is_too_wide(const std::map<ComponentId, Bytes>& components, ComponentId added) const {
        if (components.contains(added)) return false;
        std::vector<ComponentId> all{added};
        for (const auto& [id, value] : components) all.push_back(id);
        std::vector<ColumnRequest> columns;
        for (const ComponentId id : all) {
            if (world.registry().info(id).has_column())
                columns.push_back({id, world.registry().row_bytes(id)});
        }
        return !layout_chunk(columns, shape).ok();
    }

    void check() {
        REQUIRE(world.entity_count() == model.size());
        for (const auto& [entity, components] : model) {
            REQUIRE(world.is_alive(entity));
            for (const ComponentId id : ids) {
                const auto expected = components.find(id);
                REQUIRE(world.has(entity, id) == (expected != components.end()));
                if (expected == components.end() || expected->second.empty()) continue;
                const std::byte* found = world.get(entity, id);
                REQUIRE(found != nullptr);
                REQUIRE(std::memcmp(found, expected->second.data(), expected->second.size()) == 0);
            }
        }
    }

public:
    World world;
    ChunkShape shape;
    std::mt19937 random;
    std::array<CommandBuffer, 2> buffers;
    std::array<std::vector<Note>, 2> notes;
    std::map<Entity, std::map<ComponentId, Bytes>> model;
    std::vector<Entity> named;  ///< all ids ever seen, dead ones too
    std::vector<ComponentId> ids, blocks;
    std::vector<PrefabId> prefabs;
    std::vector<std::map<ComponentId, Bytes>> images;
    PlaybackReport total;
};

TEST_CASE("random sequences of commands agree with a naive model") {
    const std::uint32_t rows = GENERATE(2u, 16u, 512u);
    const std::uint32_t seed = GENERATE(1u, 2u, 3u, 4u);
    Program program(tiny_chunks(rows), seed);
    for (int round = 0; round < 60; ++round) {
        const std::uint32_t count = program.random() % 60;
        for (std::uint32_t i = 0; i < count; ++i) program.record_one();
        program.finish_both();
    }
    // The random program covered every case.
    CHECK(program.total.applied > 500);
    CHECK(program.total.dropped > 50);
    CHECK(program.total.failed > 5);
    CHECK(program.total.failed_batches > 5);
}

TEST_CASE("the same sequence of commands gives the same ids") {
    const auto ids_of = [] {
        Program program(tiny_chunks(4), 9);
        for (int round = 0; round < 20; ++round) {
            for (int i = 0; i < 40; ++i) program.record_one();
            program.finish_both();
        }
        return program.named;
    };
    CHECK(ids_of() == ids_of());
}

}  // namespace
}  // namespace perigee
