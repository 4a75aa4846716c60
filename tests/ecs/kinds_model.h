// A world of all kinds of components beside a naive model, a map of maps, and random operations on both.
//
//     KindsTwins twins(tiny_chunks(), 7);
//     twins.step();    // one operation, on both
//     twins.check();   // they agree
#pragma once

#include "ecs/inspect/world_stats.h"
#include "ecs/prefab/make_prefab.h"
#include "ecs/schema/internal/row_hasher.h"
#include "ecs/storage/buffer.h"
#include "ecs/storage/buffer_pool.h"
#include "ecs/storage/object_store.h"
#include "ecs/world/bulk.h"
#include "ecs/world/objects.h"
#include "ecs/world/prefab.h"
#include "ecs/world/world.h"
#include "ecs/world/world_config.h"
#include "tests/ecs/check_world.h"
#include "tests/support/agree.h"
#include "tests/support/kind_components.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstring>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace perigee {
namespace kinds_model {

using Bytes = std::vector<std::byte>;

struct Cell {
    Bytes value;  ///< of buffers all elements; empty where the kind has none, and for chunk components
    bool is_enabled = true;
};
using Components = std::map<ComponentId, Cell>;

// The expected content of the world, as a naive model.
struct Model {
    std::map<Entity, Components> alive;
    std::map<Entity, Components> destroyed;  ///< with the components that are left
    std::vector<Entity> gone;
};

class KindsTwins {
public:
    KindsTwins(const WorldConfig& config, std::uint32_t seed) : world(config), random(seed) {
        declare_test_components(world);
        declare_kind_components(world);
        destroyed = world.registry().find("Destroyed").value();
        for (std::uint16_t i = 0; i < world.registry().size(); ++i) {
            if (ComponentId{i} != destroyed) ids.push_back(ComponentId{i});
        }
        add_prefabs();
    }

    void step() {
        using Operation = void (KindsTwins::*)();
        constexpr Operation kOperations[] = {
            &KindsTwins::spawn,
            &KindsTwins::spawn_typed,
            &KindsTwins::spawn_many,
            &KindsTwins::spawn_prefab,
            &KindsTwins::destroy,
            &KindsTwins::destroy,
            &KindsTwins::destroy,
            &KindsTwins::clone,
            &KindsTwins::add,
            &KindsTwins::add,
            &KindsTwins::add,
            &KindsTwins::remove,
            &KindsTwins::remove,
            &KindsTwins::remove_from_destroyed,
            &KindsTwins::remove_from_destroyed,
            &KindsTwins::remove_from_destroyed,
            &KindsTwins::set,
            &KindsTwins::set,
            &KindsTwins::change,
            &KindsTwins::enable,
            &KindsTwins::enable,
            &KindsTwins::by_query,
            &KindsTwins::use_stale,
            &KindsTwins::edit_buffer,
            &KindsTwins::edit_buffer,
            &KindsTwins::set_object,
        };
        (this->*kOperations[pick(std::size(kOperations))])();
        if (model.alive.size() > 600) destroy_many();
    }

    void check() {
        AGREE(world.entity_count() == model.alive.size());
        for (const auto& [entity, components] : model.alive) {
            AGREE(world.is_alive(entity));
            AGREE(!world.has(entity, destroyed));
            check_components(entity, components);
        }
        for (const auto& [entity, components] : model.destroyed) {
            AGREE(!world.is_alive(entity));
            AGREE(world.awaits_cleanup(entity));
            AGREE(world.has(entity, destroyed));
            check_components(entity, components);
        }
        for (const Entity entity : model.gone) {
            AGREE(!world.is_alive(entity));
            AGREE(!world.awaits_cleanup(entity));
        }
        check_world(world, 0);
        AGREE(world.entities().used_count() == model.alive.size() + model.destroyed.size());
        check_shared_values();
        check_memory();
    }

    World world;

protected:
    // ---- comparing

    void check_components(Entity entity, const Components& components) {
        for (const ComponentId id : ids) {
            const auto expected = components.find(id);
            AGREE(world.has(entity, id) == (expected != components.end()));
            if (expected == components.end()) continue;
            AGREE(world.is_enabled(entity, id) == expected->second.is_enabled);
            if (kind(id) == ComponentKind::buffer) {
                AGREE(elements_of(entity) == expected->second.value);
            } else if (kind(id) == ComponentKind::object) {
                AGREE(object_of(entity) == expected->second.value);
            } else if (!expected->second.value.empty()) {
                AGREE(is_equal(id, world.get(entity, id), expected->second.value));
            }
        }
    }

    Bytes elements_of(Entity entity) {
        const std::span<const std::byte> bytes = std::as_bytes(world.buffer<Waypoint>(entity).span());
        return Bytes(bytes.begin(), bytes.end());
    }
    Bytes object_of(Entity entity) const {
        const std::shared_ptr<std::int64_t> object =
            perigee::object_of<std::int64_t>(world, entity, world.id<Brain>());
        return object == nullptr ? Bytes{} : Bytes{static_cast<std::byte>(*object)};
    }

    // Compared field by field, since pad bytes of shared values may differ.
    bool is_equal(ComponentId id, const std::byte* found, const Bytes& expected) const {
        if (found == nullptr) return false;
        for (const Leaf& leaf : world.registry().info(id).leaves) {
            if (std::memcmp(found + leaf.offset, expected.data() + leaf.offset, leaf.size) != 0) return false;
        }
        return true;
    }

    // The list of shared values agrees with a count over the entities.
    void check_shared_values() {
        for (const ComponentId id : ids) {
            if (!is_shared_kind(kind(id))) continue;
            std::map<std::vector<std::string>, std::size_t> expected, found;
            for (const auto* entities : {&model.alive, &model.destroyed}) {
                for (const auto& [entity, components] : *entities) {
                    if (const auto cell = components.find(id); cell != components.end()) {
                        ++expected[fields_of(id, cell->second.value.data())];
                    }
                }
            }
            for (const SharedValue& value : shared_values(world, id)) {
                AGREE(found.emplace(fields_of(id, value.value), value.entities).second);
                AGREE(value.chunks > 0);
            }
            AGREE(found == expected);
        }
    }

    // Memory owned by cells is freed with them.
    void check_memory() {
        std::size_t objects = 0, blocks = 0;
        for (const auto& [entity, components] : model.alive) {
            const auto brain = components.find(world.id<Brain>());
            objects += brain != components.end() && !brain->second.value.empty() ? 1 : 0;
            if (components.count(world.id<Waypoint>()) == 0) continue;
            blocks += world.buffer<Waypoint>(entity).is_on_heap() ? 1 : 0;
        }
        AGREE(world.objects().slots_in_use() == objects);
        AGREE(world.buffers().stats().blocks_in_use == blocks);
    }

    std::vector<std::string> fields_of(ComponentId id, const std::byte* value) const {
        std::vector<std::string> fields;
        for (const Leaf& leaf : world.registry().info(id).leaves) {
            fields.emplace_back(reinterpret_cast<const char*>(value) + leaf.offset, leaf.size);
        }
        return fields;
    }

    // ---- choosing

    std::size_t pick(std::size_t count) { return random() % count; }
    ComponentKind kind(ComponentId id) const { return world.registry().info(id).kind(); }
    ComponentId any_id() { return ids[pick(ids.size())]; }

    // Few different shared values, so that rows share chunks; other values are random bytes, without foreign
    // bits in NaN, which files do not keep (ecs/base/canonical.h).
    Bytes random_value(ComponentId id) {
        Bytes value(world.registry().value_bytes(id));
        for (std::byte& byte : value) byte = static_cast<std::byte>(random());
        if (value.empty()) return value;
        const Bytes bytes = value;
        for (const Leaf& leaf : world.registry().info(id).leaves) {
            std::byte* const field = value.data() + leaf.offset;
            if (is_shared_kind(kind(id))) {
                std::memset(field, 0, leaf.size);
                *field = static_cast<std::byte>(pick(3));
            } else {
                internal::copy_canonical(leaf, bytes.data() + leaf.offset, field);
            }
        }
        return value;
    }
    Components::value_type fresh(ComponentId id) {
        const bool has_value = kind(id) != ComponentKind::chunk && world.registry().value_bytes(id) != 0;
        return {id, Cell{has_value ? world.registry().info(id).schema.defaults : Bytes{}, true}};
    }
    Cell given(ComponentId id, const Bytes& value, bool is_enabled = true) const {
        return Cell{kind(id) == ComponentKind::chunk ? Bytes{} : value, is_enabled};
    }

    using Entry = std::map<Entity, Components>::iterator;
    Entry any_of(std::map<Entity, Components>& entities) {
        const auto start = entities.lower_bound(entity_from_parts(static_cast<std::uint32_t>(pick(900)), 0));
        return start == entities.end() ? entities.begin() : start;
    }

    // ---- the same in the model

    void add_fresh(Components& components, ComponentId id) {
        if (components.count(id) != 0) return;
        for (const ComponentId required : world.registry().info(id).required) {
            components.insert(fresh(required));
        }
        components.insert(fresh(id));
    }
    void bury(Entry entry) {
        Components left;
        for (const auto& [id, cell] : entry->second) {
            if (is_cleanup_kind(kind(id))) left[id] = cell;
        }
        if (left.empty()) {
            model.gone.push_back(entry->first);
            if (model.gone.size() > 300) model.gone.erase(model.gone.begin(), model.gone.begin() + 100);
        } else {
            model.destroyed[entry->first] = left;
        }
        model.alive.erase(entry);
    }

    // ---- operations on single entities

    void spawn() { AGREE(model.alive.emplace(world.spawn(), Components{}).second); }

    void spawn_typed() {
        const Team team{static_cast<std::uint8_t>(pick(3)), 0};
        const Voice voice{static_cast<std::int32_t>(random())};
        const Entity entity = world.spawn(team, voice, Shield{2}, Armed{3});
        Components& components = model.alive[entity];
        AGREE(components.empty());
        const auto put = [&]<typename T>(const T& value) {
            add_fresh(components, world.id<T>());
            std::memcpy(components[world.id<T>()].value.data(), &value, sizeof(T));
        };
        put(team);
        put(voice);
        put(Shield{2});
        put(Armed{3});
    }
    void spawn_many() {
        Archetype& archetype = pick(2) != 0 ? world.archetype<Position, Layer, Visible>()
                                            : world.archetype<Wide, Poisoned, Bounds, Squad>();
        std::vector<Entity> made(pick(20));
        AGREE(perigee::spawn_many(world, archetype, made.size(), {}, made.data()) == made.size());
        for (const Entity entity : made) {
            Components& components = model.alive[entity];
            AGREE(components.empty());
            for (const ComponentId id : archetype.components()) components.insert(fresh(id));
        }
    }
    void add_prefabs() {
        for (int i = 0; i < 3; ++i) {
            Prefab prefab;
            prefab.name = std::to_string(i);
            const Team team{static_cast<std::uint8_t>(i), 0};
            Components components;
            for (const ComponentId id : {world.id<Team>(), world.id<Armed>(), world.id<Shield>()}) {
                Bytes value = world.registry().info(id).schema.defaults;
                if (id == world.id<Team>()) std::memcpy(value.data(), &team, sizeof team);
                prefab.components.push_back({id, value});
                add_fresh(components, id);
                components[id].value = value;
            }
            prefabs.emplace_back(add_prefab(world, std::move(prefab)).value(), components);
        }
    }
    void spawn_prefab() {
        const auto& [prefab, components] = prefabs[pick(prefabs.size())];
        std::vector<Entity> made(pick(5));
        AGREE(perigee::spawn_many(world, prefab, made.size(), {}, made.data()) == made.size());
        made.push_back(world.spawn(prefab));
        for (const Entity entity : made) AGREE(model.alive.emplace(entity, components).second);
    }
    void destroy() {
        if (model.alive.empty()) return;
        const Entry victim = any_of(model.alive);
        AGREE(world.destroy(victim->first));
        AGREE(!world.destroy(victim->first));
        bury(victim);
    }
    void destroy_many() {
        while (model.alive.size() > 200) destroy();
    }
    void clone() {
        if (model.alive.empty()) return;
        const Entry original = any_of(model.alive);
        Components components;
        for (const auto& [id, cell] : original->second) {
            if (!is_cleanup_kind(kind(id))) components[id] = cell;
        }
        std::vector<Entity> made(1 + pick(4));
        AGREE(clone_many(world, original->first, made.size(), made.data()) == made.size());
        for (const Entity entity : made) AGREE(model.alive.emplace(entity, components).second);
    }
    void add() {
        if (model.alive.empty()) return;
        const Entry entry = any_of(model.alive);
        const ComponentId id = any_id();
        if (pick(2) != 0) {
            AGREE(world.add(entry->first, id));
            add_fresh(entry->second, id);
            return;
        }
        const Bytes value = random_value(id);
        AGREE(world.add(entry->first, id, value.data()));
        const bool was_enabled = entry->second.count(id) == 0 || entry->second[id].is_enabled;
        add_fresh(entry->second, id);
        if (!value.empty()) entry->second[id] = given(id, value, was_enabled);
        // An existing chunk keeps its value.
        if (!value.empty() && kind(id) != ComponentKind::chunk)
            AGREE(is_equal(id, world.get(entry->first, id), value));
    }
    void remove() {
        if (model.alive.empty()) return;
        const Entry entry = any_of(model.alive);
        const ComponentId id = any_id();
        AGREE(world.remove(entry->first, id));
        entry->second.erase(id);
    }
    void remove_from_destroyed() {
        if (model.destroyed.empty()) return;
        const Entry entry = any_of(model.destroyed);
        const ComponentId id = any_id();
        AGREE(!world.add(entry->first, id));
        AGREE(!world.clone(entry->first));
        AGREE(world.remove(entry->first, id));
        entry->second.erase(id);
        if (!entry->second.empty()) return;
        model.gone.push_back(entry->first);
        model.destroyed.erase(entry);
    }
    void set() {
        auto& entities = pick(4) == 0 ? model.destroyed : model.alive;
        if (entities.empty()) return;
        const Entry entry = any_of(entities);
        const ComponentId id = any_id();
        const Bytes value = random_value(id);
        const auto cell = entry->second.find(id);
        const bool can_be_set = cell != entry->second.end() && !value.empty();
        AGREE(world.set(entry->first, id, value.data()) == can_be_set);
        if (!can_be_set) return;
        AGREE(is_equal(id, world.get(entry->first, id), value));
        cell->second = given(id, value, cell->second.is_enabled);
    }
    void enable() {
        if (model.alive.empty()) return;
        const Entry entry = any_of(model.alive);
        const ComponentId id = pick(2) != 0 ? world.id<Shield>() : world.id<Visible>();
        const bool is_enabled = pick(2) != 0;
        AGREE(world.set_enabled(entry->first, id, is_enabled) == (entry->second.count(id) != 0));
        if (entry->second.count(id) != 0) entry->second[id].is_enabled = is_enabled;
    }
    void edit_buffer() {
        if (model.alive.empty()) return;
        const Entry entry = any_of(model.alive);
        const auto cell = entry->second.find(world.id<Waypoint>());
        BufferView<Waypoint> path = world.buffer<Waypoint>(entry->first);
        AGREE(static_cast<bool>(path) == (cell != entry->second.end()));
        if (!path) return;
        Bytes& expected = cell->second.value;
        const auto length = static_cast<std::uint32_t>(expected.size() / sizeof(Waypoint));
        AGREE(path.length() == length);
        const Waypoint point{static_cast<float>(pick(100)), 1};
        const auto* bytes = reinterpret_cast<const std::byte*>(&point);
        const auto at = static_cast<std::uint32_t>(pick(length + 1));
        const auto place = expected.begin() + static_cast<std::ptrdiff_t>(at * sizeof(Waypoint));
        switch (pick(5)) {
            case 0:
                AGREE(path.push(point));
                expected.insert(expected.end(), bytes, bytes + sizeof point);
                break;
            case 1:
                AGREE(path.insert(at, point));
                expected.insert(place, bytes, bytes + sizeof point);
                break;
            case 2:
                if (at == length) return;
                path.remove(at);
                expected.erase(place, place + sizeof(Waypoint));
                break;
            case 3:
                AGREE(path.resize(at));
                expected.resize(at * sizeof(Waypoint));
                break;
            default:
                AGREE(path.trim());
                break;
        }
    }
    void set_object() {
        if (model.alive.empty()) return;
        const Entry entry = any_of(model.alive);
        const auto cell = entry->second.find(world.id<Brain>());
        const auto number = static_cast<std::int64_t>(pick(100));
        const bool is_set = perigee::set_object(world, entry->first, world.id<Brain>(),
                                                std::make_shared<std::int64_t>(number));
        AGREE(is_set == (cell != entry->second.end()));
        if (is_set) cell->second.value = {static_cast<std::byte>(number)};
    }
    void change() {
        if (model.alive.empty()) return;
        const Entry entry = any_of(model.alive);
        std::map<ComponentId, Bytes> values;
        std::vector<ComponentValue> added;
        std::vector<ComponentId> removed;
        for (std::size_t i = pick(4); i > 0; --i) values[any_id()];
        for (auto& [id, value] : values) {
            if (pick(2) != 0) value = random_value(id);
            added.push_back({id, value.empty() ? nullptr : value.data()});
        }
        for (std::size_t i = pick(3); i > 0; --i) removed.push_back(any_id());
        AGREE(world.change(entry->first, added, removed));
        Components& components = entry->second;
        for (const ComponentId id : removed) components.erase(id);
        for (const auto& [id, value] : values) {
            if (std::find(removed.begin(), removed.end(), id) != removed.end()) continue;
            const bool was_enabled = components.count(id) == 0 || components[id].is_enabled;
            add_fresh(components, id);
            if (!value.empty()) components[id] = given(id, value, was_enabled);
        }
        for (const ComponentId id : removed) components.erase(id);
    }
    void use_stale() {
        if (model.gone.empty()) return;
        const Entity entity = model.gone[pick(model.gone.size())];
        const ComponentId id = any_id();
        const Bytes value = random_value(id);
        AGREE(!world.add(entity, id, value.data()));
        AGREE(!world.remove(entity, id));
        AGREE(!world.set(entity, id, value.data()));
        AGREE(!world.set_enabled(entity, id, true));
        AGREE(world.get(entity, id) == nullptr);
        AGREE(!world.change(entity, {}, {}));
    }

    // ---- operations on all that match

    void by_query() {
        QueryDesc desc;
        const ComponentId with = any_id(), without = any_id(), id = any_id();
        if (is_cleanup_kind(kind(with)) || with == without)
            return;  // destroyed entities have a test of their own
        desc.terms = {{with, Access::read, false}};
        desc.without = {without};
        const Query& query = *world.query(desc).value();
        std::vector<Entry> matching;
        for (Entry entry = model.alive.begin(); entry != model.alive.end(); ++entry) {
            const auto counts = [&](ComponentId component) {
                const auto found = entry->second.find(component);
                return found != entry->second.end() && found->second.is_enabled;
            };
            if (counts(with) && !counts(without)) matching.push_back(entry);
        }
        const Bytes value = random_value(id);
        const bool has_value = pick(2) != 0 && !value.empty();
        std::size_t having = 0;
        for (const Entry entry : matching) having += entry->second.count(id);
        switch (pick(12)) {
            case 0:
            case 1:
            case 2:
            case 3:
                AGREE(add_all(world, query, id, has_value ? value.data() : nullptr) == matching.size());
                for (const Entry entry : matching)
                    add_matching(entry->second, id, has_value ? value : Bytes{});
                break;
            case 4:
            case 5:
            case 6:
            case 7:
                AGREE(remove_all(world, query, id) == matching.size());
                for (const Entry entry : matching) entry->second.erase(id);
                break;
            case 8:
            case 9:
                if (value.empty()) return;
                AGREE(set_all(world, query, id, value.data()) == having);
                for (const Entry entry : matching) {
                    if (entry->second.count(id) == 0) continue;
                    entry->second[id] = given(id, value, entry->second[id].is_enabled);
                }
                break;
            case 10:
                if (kind(id) != ComponentKind::enableable) return;
                AGREE(set_enabled_all(world, query, id, has_value) == having);
                for (const Entry entry : matching) {
                    if (entry->second.count(id) != 0) entry->second[id].is_enabled = has_value;
                }
                break;
            default:
                if (pick(4) != 0) return;
                AGREE(destroy_all(world, query) == matching.size());
                for (const Entry entry : matching) bury(entry);
                break;
        }
    }
    void add_matching(Components& components, ComponentId id, const Bytes& value) {
        const bool was_enabled = components.count(id) == 0 || components[id].is_enabled;
        add_fresh(components, id);
        if (!value.empty()) components[id] = given(id, value, was_enabled);
    }

    std::mt19937 random;
    Model model;
    ComponentId destroyed;
    std::vector<ComponentId> ids;
    std::vector<std::pair<PrefabId, Components>> prefabs;
};

}  // namespace kinds_model
}  // namespace perigee
