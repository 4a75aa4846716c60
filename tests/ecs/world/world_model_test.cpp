// A random program drives the world and a naive model, a map of maps, and everything must agree, in chunks of
// two rows as in chunks of normal size.
#include "ecs/inspect/world_stats.h"
#include "ecs/schema/registry.h"
#include "ecs/world/bulk.h"
#include "ecs/world/world.h"
#include "ecs/world/world_config.h"
#include "tests/support/test_components.h"

#include <catch2/catch.hpp>

#include <cstring>
#include <map>
#include <random>
#include <vector>

namespace perigee {
namespace {

using Bytes = std::vector<std::byte>;

// The expected content of the world, as a naive model.
struct Model {
    std::map<Entity, std::map<ComponentId, Bytes>> entities;
};

class Twins {
public:
    Twins(const WorldConfig& config, std::uint32_t seed) : world(config), random(seed) {
        declare_test_components(world);
        for (std::uint16_t i = 0; i < world.registry().size(); ++i) ids.push_back(ComponentId{i});
    }

    void step() {
        switch (random() % 12) {
            case 0:
                spawn();
                break;
            case 1:
                spawn_with_values();
                break;
            case 2:
                spawn_many();
                break;
            case 3:
                destroy();
                break;
            case 4:
                destroy_all();
                break;
            case 5:
            case 6:
                add();
                break;
            case 7:
                add_with_value();
                break;
            case 8:
            case 9:
                remove();
                break;
            case 10:
                set();
                break;
            default:
                use_stale_handle();
                break;
        }
    }

    void check() {
        REQUIRE(world.entity_count() == model.entities.size());
        for (const auto& [entity, components] : model.entities) {
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
        check_storage();
        for (const Entity entity : dead) REQUIRE_FALSE(world.is_alive(entity));
    }

    World world;

private:
    // Every row of every chunk belongs to exactly the entity whose record points there.
    void check_storage() {
        std::size_t rows = 0;
        for (std::uint32_t i = 0; i < world.archetypes().size(); ++i) {
            const Archetype& archetype = world.archetypes().at(i);
            for (std::uint32_t chunk = 0; chunk < archetype.chunk_count(); ++chunk) {
                const ChunkSlot& slot = archetype.chunks()[chunk];
                REQUIRE(slot.row_count > 0);
                for (std::uint32_t row = 0; row < slot.row_count; ++row, ++rows) {
                    Location location{};
                    REQUIRE(world.entities().find(Archetype::entities(slot)[row], location));
                    REQUIRE(location.unit() == slot.unit);
                    REQUIRE(location.row() == row);
                }
            }
        }
        REQUIRE(rows == model.entities.size());
    }

    Bytes default_value(ComponentId id) const { return world.registry().info(id).schema.defaults; }
    Bytes random_value(ComponentId id) {
        Bytes value(world.registry().info(id).schema.size);
        for (std::byte& byte : value) byte = static_cast<std::byte>(random());
        return value;
    }
    ComponentId any_id() { return ids[random() % ids.size()]; }
    std::map<Entity, std::map<ComponentId, Bytes>>::iterator any_entity() {
        const auto start =
            model.entities.lower_bound(entity_from_parts(static_cast<std::uint32_t>(random() % 3000), 0));
        return start == model.entities.end() ? model.entities.begin() : start;
    }

    void spawn() {
        const Entity entity = world.spawn();
        REQUIRE(model.entities.emplace(entity, std::map<ComponentId, Bytes>{}).second);
    }
    void spawn_with_values() {
        const Position position{static_cast<float>(random() % 100), 2};
        const Entity entity = world.spawn(position, Frozen{});
        auto& components = model.entities[entity];
        components[world.id<Position>()].resize(sizeof position);
        std::memcpy(components[world.id<Position>()].data(), &position, sizeof position);
        components[world.id<Frozen>()] = {};
    }
    void spawn_many() {
        Archetype& archetype =
            (random() & 1) != 0 ? world.archetype<Position, Health>() : world.archetype<Wide, Poisoned>();
        std::vector<Entity> made(random() % 40);
        REQUIRE(perigee::spawn_many(world, archetype, made.size(), {}, made.data()) == made.size());
        for (const Entity entity : made) {
            auto& components = model.entities[entity];
            REQUIRE(components.empty());
            for (const ComponentId id : archetype.components()) components[id] = default_value(id);
        }
    }
    void destroy() {
        if (model.entities.empty()) return;
        const auto victim = any_entity();
        REQUIRE(world.destroy(victim->first));
        bury(victim->first);
        model.entities.erase(victim);
    }
    void destroy_all() {
        if (random() % 8 != 0) return;
        const ComponentId id = any_id();
        const std::size_t destroyed =
            perigee::destroy_all(world, *world.query({{{id}}, {}, {ids[0] == id ? ids[1] : ids[0]}}).value());
        const ComponentId without = ids[0] == id ? ids[1] : ids[0];
        const std::size_t expected = std::erase_if(model.entities, [&](const auto& entry) {
            const bool is_match = entry.second.count(id) != 0 && entry.second.count(without) == 0;
            if (is_match) bury(entry.first);
            return is_match;
        });
        REQUIRE(destroyed == expected);
    }
    void add() {
        if (model.entities.empty()) return;
        const auto entry = any_entity();
        const ComponentId id = any_id();
        REQUIRE(world.add(entry->first, id));
        entry->second.emplace(id, default_value(id));
    }
    void add_with_value() {
        if (model.entities.empty()) return;
        const auto entry = any_entity();
        const ComponentId id = any_id();
        const Bytes value = random_value(id);
        REQUIRE(world.add(entry->first, id, value.empty() ? nullptr : value.data()));
        entry->second[id] = value;
    }
    void remove() {
        if (model.entities.empty()) return;
        const auto entry = any_entity();
        const ComponentId id = any_id();
        REQUIRE(world.remove(entry->first, id));
        entry->second.erase(id);
    }
    void set() {
        if (model.entities.empty()) return;
        const auto entry = any_entity();
        const ComponentId id = any_id();
        const Bytes value = random_value(id);
        const bool has_column = entry->second.count(id) != 0 && !value.empty();
        REQUIRE(world.set(entry->first, id, value.data()) == has_column);
        if (has_column) entry->second[id] = value;
    }
    void use_stale_handle() {
        if (dead.empty()) return;
        const Entity entity = dead[random() % dead.size()];
        REQUIRE_FALSE(world.destroy(entity));
        REQUIRE_FALSE(world.add(entity, any_id()));
        REQUIRE_FALSE(world.remove(entity, any_id()));
        REQUIRE(world.get(entity, any_id()) == nullptr);
    }
    void bury(Entity entity) {
        if (dead.size() < 2000) dead.push_back(entity);
    }

    Model model;
    std::mt19937 random;
    std::vector<ComponentId> ids;
    std::vector<Entity> dead;
};

TEST_CASE("random operations agree with a map of maps") {
    const std::uint32_t seed = GENERATE(range(1u, 7u));
    const bool is_tiny = seed % 2 == 0;
    Twins twins(is_tiny ? tiny_chunks(2 + seed) : WorldConfig{}, seed);
    for (int step = 1; step <= 20000; ++step) {
        twins.step();
        if (step % 2000 == 0 || step < 50) twins.check();
    }
    twins.world.clear();
    CHECK(stats_of(twins.world).chunks == 0);
}

}  // namespace
}  // namespace perigee
