// Random schema changes in random worlds over all kinds that have values agree with a naive
// conversion, field by field and by name.
#include "ecs/inspect/world_hash.h"
#include "ecs/migrate/schema_change.h"
#include "ecs/prefab/make_prefab.h"
#include "ecs/schema/text_pool.h"
#include "ecs/storage/buffer.h"
#include "ecs/storage/resource_store.h"
#include "ecs/world/internal/stored_values.h"
#include "ecs/world/objects.h"
#include "ecs/world/prefab.h"
#include "ecs/world/world.h"
#include "tests/ecs/check_world.h"
#include "tests/support/agree.h"
#include "tests/support/test_components.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace perigee {
namespace {

// ---- a value in a naive form ----

using Labels = std::set<std::string>;
using Simple =
    std::variant<long double, std::string, Labels>;  ///< its 64 bits of mantissa represent every number
struct Item {
    FieldType type = FieldType::f32;
    std::vector<std::string> labels = {};
    Simple value;
};
using Items = std::map<std::string, Item>;  ///< by path

template <typename T> long double number_in(const std::byte* at) {
    T number;
    std::memcpy(&number, at, sizeof number);
    return static_cast<long double>(number);
}

long double number_of(FieldType type, const std::byte* at) {
    switch (type) {
        case FieldType::i8:
            return number_in<std::int8_t>(at);
        case FieldType::i16:
            return number_in<std::int16_t>(at);
        case FieldType::u16:
            return number_in<std::uint16_t>(at);
        case FieldType::i32:
            return number_in<std::int32_t>(at);
        case FieldType::u32:
            return number_in<std::uint32_t>(at);
        case FieldType::i64:
            return number_in<std::int64_t>(at);
        case FieldType::u64:
        case FieldType::entity:
            return number_in<std::uint64_t>(at);
        case FieldType::f32:
            return number_in<float>(at);
        case FieldType::f64:
            return number_in<double>(at);
        default:
            return number_in<std::uint8_t>(at);
    }
}

Items items_of(const World& world, const ComponentInfo& info, const std::byte* value) {
    Items items;
    for (const Leaf& leaf : info.leaves) {
        Item item{leaf.type, leaf.field->labels, {}};
        const std::byte* const at = value + leaf.offset;
        if (leaf.type == FieldType::string) {
            const auto* const text = reinterpret_cast<const char*>(at);
            item.value = std::string(text, ::strnlen(text, leaf.size));
        } else if (leaf.type == FieldType::text) {
            item.value =
                std::string(world.texts().text({static_cast<std::uint32_t>(number_in<std::uint32_t>(at))}));
        } else if (leaf.type == FieldType::enumeration) {
            item.value = item.labels.at(static_cast<std::size_t>(number_in<std::uint8_t>(at)));
        } else if (leaf.type == FieldType::flags) {
            const auto bits = static_cast<std::uint32_t>(number_in<std::uint8_t>(at));
            Labels set;
            for (std::size_t i = 0; i < item.labels.size(); ++i) {
                if (((bits >> i) & 1) != 0) set.insert(item.labels[i]);
            }
            item.value = set;
        } else {
            item.value = number_of(leaf.type, at);
        }
        items[leaf.path] = std::move(item);
    }
    return items;
}

bool is_number(FieldType type) { return type <= FieldType::f64; }
bool is_word(FieldType type) { return type == FieldType::string || type == FieldType::text; }

long double clamped(long double number, long double low, long double high) {
    return std::min(std::max(std::trunc(number), low), high);
}

template <typename T> long double clamped_to(long double number) {
    return clamped(number, static_cast<long double>(std::numeric_limits<T>::min()),
                   static_cast<long double>(std::numeric_limits<T>::max()));
}

long double number_as(FieldType type, long double number) {
    switch (type) {
        case FieldType::boolean:
            return clamped(number, 0, 1);
        case FieldType::i8:
            return clamped_to<std::int8_t>(number);
        case FieldType::u8:
            return clamped_to<std::uint8_t>(number);
        case FieldType::i16:
            return clamped_to<std::int16_t>(number);
        case FieldType::u16:
            return clamped_to<std::uint16_t>(number);
        case FieldType::i32:
            return clamped_to<std::int32_t>(number);
        case FieldType::u32:
            return clamped_to<std::uint32_t>(number);
        case FieldType::i64:
            return clamped_to<std::int64_t>(number);
        case FieldType::u64:
            return clamped_to<std::uint64_t>(number);
        case FieldType::f32:
            return static_cast<long double>(static_cast<float>(static_cast<double>(number)));
        default:
            return static_cast<long double>(static_cast<double>(number));
    }
}

// The expected new value, given the new defaults; false when part of `before` is lost. Types
// without a conversion count as a removed field and a new one.
bool convert(const Items& before, const Items& before_defaults, const ComponentInfo& to, Items& now) {
    bool is_whole = true;
    std::map<std::string, std::uint32_t> sizes;
    for (const Leaf& leaf : to.leaves) sizes[leaf.path] = leaf.size;
    for (const auto& [path, old] : before) {
        const auto place = now.find(path);
        const bool is_default = old.value == before_defaults.at(path).value;
        if (place == now.end()) {
            is_whole = is_whole && is_default;
            continue;
        }
        Item& made = place->second;
        if (is_number(old.type) && is_number(made.type)) {
            const auto number = std::get<long double>(old.value);
            const long double kept = number_as(made.type, number);
            made.value = kept;
            const bool is_rounded_real = (old.type == FieldType::f32 || old.type == FieldType::f64) &&
                                         (made.type == FieldType::f32 || made.type == FieldType::f64);
            is_whole = is_whole && (kept == number || is_rounded_real);
        } else if (is_word(old.type) && is_word(made.type)) {
            const auto& text = std::get<std::string>(old.value);
            const std::string kept = made.type == FieldType::string ? text.substr(0, sizes.at(path)) : text;
            made.value = kept;
            is_whole = is_whole && kept == text;
        } else if (old.type == FieldType::enumeration && made.type == old.type) {
            const auto& label = std::get<std::string>(old.value);
            const bool is_known =
                std::find(made.labels.begin(), made.labels.end(), label) != made.labels.end();
            if (is_known) made.value = label;
            is_whole = is_whole && is_known;
        } else if (old.type == FieldType::flags && made.type == old.type) {
            const auto& set = std::get<Labels>(old.value);
            Labels kept;
            for (const std::string& label : set) {
                if (std::find(made.labels.begin(), made.labels.end(), label) != made.labels.end())
                    kept.insert(label);
            }
            made.value = kept;
            is_whole = is_whole && kept == set;
        } else if (old.type == made.type) {
            made.value = old.value;
        } else {
            is_whole = is_whole && is_default;
        }
    }
    return is_whole;
}

// ---- random schemas and worlds ----

constexpr ComponentKind kKinds[] = {
    ComponentKind::component,  ComponentKind::component,      ComponentKind::shared,
    ComponentKind::cleanup,    ComponentKind::buffer,         ComponentKind::chunk,
    ComponentKind::enableable, ComponentKind::shared_cleanup, ComponentKind::resource,
};

class Trial {
public:
    explicit Trial(std::uint32_t seed) : random(seed), world(tiny_chunks(2 + seed % 5)) {
        for (const ComponentKind kind : kKinds) {
            Schema schema = random_schema("Type" + std::to_string(schemas.size()), kind);
            schemas.push_back(schema);
            ids.push_back(world.declare(schema).value());
        }
        brain = world.declare<Frozen>("Frozen").value();
        Schema object;
        object.name = "Brain";
        object.kind = ComponentKind::object;
        brain = world.declare(object).value();
        add_prefab();
        for (std::size_t i = 0; i < ids.size(); ++i) add_query(i);
        for (int i = 0; i < 40; ++i) add_entity();
    }

    void run() {
        check_world(world, 0, queries);
        const Snapshot before = snapshot();
        std::vector<Schema> changed = schemas;
        for (Schema& schema : changed) {
            if (pick(4) != 0) mutate(schema);
        }
        const std::uint64_t hash = world_hash(world);
        const std::uint64_t structure = world.structure_version();
        const Result<SchemaChanges> strict = change_schemas(world, edits_of(changed));
        if (!strict) {
            AGREE(world_hash(world) == hash);
            AGREE(world.structure_version() == structure);
            check_world(world, 0, queries);
            AGREE(snapshot().values == before.values);
            for (Schema& schema : changed) schema.version += 1;
            const Result<SchemaChanges> done = change_schemas(world, edits_of(changed));
            INFO((done ? "" : done.error().message));
            REQUIRE(done.ok());
        }
        check_world(world, 0, queries);
        const bool is_whole = compare(before, snapshot());
        INFO((strict ? "" : strict.error().message));
        AGREE(is_whole == strict.ok());
        go_on();
    }

private:
    struct Key {
        Entity entity;
        ComponentId id;
        std::size_t element;
        auto operator<=>(const Key&) const = default;
    };
    struct Snapshot {
        std::map<Key, std::vector<std::pair<std::string, Simple>>> values;
        std::map<Key, Items> items;
        std::map<Entity, std::string> states;
        std::map<ComponentId, Items> defaults;
    };

    std::uint32_t pick(std::uint32_t count) { return random() % count; }

    std::vector<std::string> random_labels() {
        std::vector<std::string> labels{"a", "b", "c", "d", "e"};
        std::shuffle(labels.begin(), labels.end(), random);
        labels.resize(2 + pick(4));
        return labels;
    }

    Field random_field(const std::string& name) {
        constexpr FieldType kTypes[] = {
            FieldType::boolean, FieldType::i8,     FieldType::u8,        FieldType::i16,
            FieldType::u16,     FieldType::i32,    FieldType::u32,       FieldType::i64,
            FieldType::u64,     FieldType::f32,    FieldType::f64,       FieldType::vec2,
            FieldType::color,   FieldType::entity, FieldType::string,    FieldType::enumeration,
            FieldType::flags,   FieldType::text,   FieldType::structure, FieldType::quat};
        Field field;
        field.name = name;
        field.type = kTypes[pick(std::size(kTypes))];
        if (pick(5) == 0) field.array_length = 1 + pick(3);
        if (field.type == FieldType::string) field.string_capacity = 1 + pick(9);
        if (field.type == FieldType::enumeration || field.type == FieldType::flags)
            field.labels = random_labels();
        if (field.type == FieldType::structure) {
            Field inner;
            inner.name = "x";
            inner.type = pick(2) == 0 ? FieldType::f32 : FieldType::u16;
            field.nested = {inner};
        }
        if (is_number(field.type) && field.type != FieldType::boolean && field.array_length == 0 &&
            pick(3) == 0)
            field.default_value.data = static_cast<double>(pick(100));
        return field;
    }

    Schema random_schema(std::string name, ComponentKind kind) {
        Schema schema;
        schema.name = std::move(name);
        schema.kind = kind;
        if (schema.kind == ComponentKind::buffer) schema.buffer_capacity = pick(4);
        for (const char* field : {"a", "b", "c", "d", "e"}) {
            if (pick(2) == 0) schema.fields.push_back(random_field(field));
        }
        if (schema.fields.empty() && kind != ComponentKind::enableable)
            schema.fields.push_back(random_field("a"));
        return schema;
    }

    void mutate(Schema& schema) {
        const Schema other = random_schema(schema.name, schema.kind);
        schema.buffer_capacity = other.buffer_capacity;
        if (pick(2) == 0) {  // some fields only
            for (const Field& field : other.fields) {
                if (schema.field(field.name) == nullptr) schema.fields.push_back(field);
            }
            std::shuffle(schema.fields.begin(), schema.fields.end(), random);
        } else {
            schema.fields = other.fields;
        }
    }

    static std::vector<SchemaEdit> edits_of(const std::vector<Schema>& schemas) {
        std::vector<SchemaEdit> edits;
        for (const Schema& schema : schemas) edits.push_back({schema});
        return edits;
    }

    // Only values that a type can hold: labels that exist, texts that are interned.
    void fill(const ComponentInfo& info, std::byte* value) {
        for (const Leaf& leaf : info.leaves) {
            if (pick(3) == 0) continue;
            std::byte* const at = value + leaf.offset;
            std::uint64_t bits = pick(2) == 0 ? pick(4) : (std::uint64_t{random()} << 32 | random());
            if (leaf.type == FieldType::boolean) bits &= 1;
            if (leaf.type == FieldType::enumeration)
                bits = pick(static_cast<std::uint32_t>(leaf.field->labels.size()));
            if (leaf.type == FieldType::flags) bits &= (1u << leaf.field->labels.size()) - 1;
            if (leaf.type == FieldType::entity && bits > Entity::kMaxBits) bits = 0;
            if (leaf.type == FieldType::text)
                bits = world.texts()
                           .intern(std::string(pick(12), static_cast<char>('a' + pick(3))))
                           .value()
                           .index;
            if (leaf.type == FieldType::f32) {
                const float number =
                    pick(2) == 0 ? static_cast<float>(pick(300)) : static_cast<float>(pick(9)) / 4;
                std::memcpy(at, &number, 4);
            } else if (leaf.type == FieldType::f64) {
                const double number =
                    pick(2) == 0 ? -static_cast<double>(pick(70000)) : static_cast<double>(pick(9)) / 4;
                std::memcpy(at, &number, 8);
            } else if (leaf.type == FieldType::string) {
                std::memset(at, 0, leaf.size);
                std::memset(at, 'x', pick(leaf.size + 1));
            } else {
                std::memcpy(at, &bits, leaf.size);
            }
        }
    }

    std::vector<std::byte> random_value(ComponentId id) {
        const ComponentInfo& info = world.registry().info(id);
        std::vector<std::byte> value = info.schema.defaults;
        fill(info, value.data());
        return value;
    }

    void add_prefab() {
        Prefab made;
        made.name = "prefab";
        for (std::size_t i = 0; i < ids.size(); ++i) {
            const ComponentKind kind = kKinds[i];
            if (!is_component_kind(kind) || is_cleanup_kind(kind) || pick(2) == 0) continue;
            std::vector<std::byte> value = random_value(ids[i]);
            if (kind == ComponentKind::buffer && pick(2) == 0)
                value.insert(value.end(), value.begin(), value.end());
            made.components.push_back({ids[i], value, kind != ComponentKind::enableable || pick(2) == 0});
        }
        prefab = perigee::add_prefab(world, made).value();
    }

    void add_query(std::size_t number) {
        if (!is_component_kind(kKinds[number])) return;
        QueryDesc desc;
        desc.terms = {QueryTerm{ids[number]}};
        desc.include_disabled = true;
        queries.push_back(world.query(desc).value());
    }

    void add_entity() {
        const Entity entity = pick(4) == 0 ? world.spawn(prefab) : world.spawn();
        entities.push_back(entity);
        for (std::size_t i = 0; i < ids.size(); ++i) {
            const ComponentKind kind = kKinds[i];
            if (!is_component_kind(kind) || pick(2) == 0) continue;
            const std::vector<std::byte> value = random_value(ids[i]);
            if (kind == ComponentKind::buffer) {
                AGREE(world.add(entity, ids[i]));
                for (std::uint32_t count = pick(7); count > 0; --count)
                    AGREE(world.buffer(entity, ids[i]).push(random_value(ids[i]).data()));
            } else {
                AGREE(world.add(entity, ids[i], value.empty() ? nullptr : value.data()));
            }
            if (kind == ComponentKind::enableable && pick(2) == 0) world.set_enabled(entity, ids[i], false);
        }
        if (pick(3) == 0) {
            AGREE(world.add(entity, brain));
            AGREE(set_object(world, entity, brain, std::make_shared<int>(7)));
        }
        if (pick(5) == 0) world.destroy(entity);
        if (pick(8) == 0) {
            const std::vector<std::byte> value = random_value(ids.back());
            std::memcpy(world.resources().data(ids.back()), value.data(), value.size());
        }
    }

    Snapshot snapshot() const {
        Snapshot taken;
        const auto take = [&](Key key, const ComponentInfo& info, const std::byte* value) {
            Items items = items_of(world, info, value);
            for (const auto& [path, item] : items) taken.values[key].emplace_back(path, item.value);
            taken.items[key] = std::move(items);
        };
        for (std::size_t i = 0; i < ids.size(); ++i) {
            const ComponentInfo& info = world.registry().info(ids[i]);
            taken.defaults[ids[i]] = items_of(world, info, info.schema.defaults.data());
            if (kKinds[i] == ComponentKind::resource)
                take({{}, ids[i], 0}, info, world.resources().data(ids[i]));
            for (const Entity entity : entities) {
                if (!is_component_kind(kKinds[i]) || !world.has(entity, ids[i])) continue;
                const std::byte* const cell = world.get(entity, ids[i]);
                if (cell == nullptr) continue;  // enableable without fields
                std::size_t element = 0;
                internal::each_value_in_cell(info, cell, [&](const std::byte* value) {
                    take({entity, ids[i], element++}, info, value);
                });
            }
        }
        for (const Entity entity : entities) {
            std::string& state = taken.states[entity];
            state = world.is_alive(entity) ? "alive" : world.awaits_cleanup(entity) ? "destroyed" : "gone";
            for (std::size_t i = 0; i < ids.size(); ++i) {
                if (!is_component_kind(kKinds[i]) || !world.has(entity, ids[i])) continue;
                state += world.is_enabled(entity, ids[i]) ? " on" : " off";
            }
            if (world.has(entity, brain)) {
                const auto object = object_of<int>(world, entity, brain);
                state += object == nullptr ? " nil" : std::to_string(*object);
            }
        }
        return taken;
    }

    // Fails the test unless every value was carried over as expected.
    bool compare(const Snapshot& before, const Snapshot& after) {
        AGREE(before.states == after.states);
        bool is_whole = true;
        std::size_t compared = 0;
        for (const auto& [key, old] : before.items) {
            const ComponentInfo& to = world.registry().info(key.id);
            Items expected = after.defaults.at(key.id);
            is_whole = convert(old, before.defaults.at(key.id), to, expected) && is_whole;
            const auto place = after.items.find(key);
            if (expected.empty()) continue;
            AGREE(place != after.items.end());
            ++compared;
            for (const auto& [path, item] : expected) {
                INFO(to.schema.name << "." << path << " of " << key.entity.bits);
                if (!(place->second.at(path).value == item.value)) FAIL("differs");
            }
        }
        // Types that just got fields have the fields' defaults.
        for (const auto& [key, now] : after.items) {
            if (before.items.contains(key)) continue;
            for (const auto& [path, item] : now)
                AGREE(item.value == after.defaults.at(key.id).at(path).value);
            ++compared;
        }
        AGREE(compared == after.items.size());
        // Values that no row has count too: those of the prefab, and the defaults of shared components.
        return is_whole && are_unseen_whole(before);
    }

    bool are_unseen_whole(const Snapshot& before) {
        bool is_whole = true;
        for (const auto& [id, items, defaults] : unseen) {
            Items expected =
                items_of(world, world.registry().info(id), world.registry().info(id).schema.defaults.data());
            is_whole = convert(items, defaults, world.registry().info(id), expected) && is_whole;
        }
        static_cast<void>(before);
        return is_whole;
    }

public:
    // Before the change.
    void note_unseen() {
        for (std::size_t i = 0; i < ids.size(); ++i) {
            const ComponentInfo& info = world.registry().info(ids[i]);
            const Items defaults = items_of(world, info, info.schema.defaults.data());
            internal::each_shared_value(world, info, [&](SharedIndex, const std::byte* value) {
                unseen.push_back({ids[i], items_of(world, info, value), defaults});
            });
            for (const PrefabComponent& part : world.prefabs().get(prefab).components) {
                if (part.component != ids[i]) continue;
                for (std::size_t at = 0; at < part.value.size(); at += info.schema.size)
                    unseen.push_back({ids[i], items_of(world, info, &part.value[at]), defaults});
            }
            internal::each_cell(world, info, [&](Entity, const std::byte* cell) {
                internal::each_value_in_cell(info, cell, [&](const std::byte* value) {
                    if (info.schema.size != 0)
                        unseen.push_back({ids[i], items_of(world, info, value), defaults});
                });
            });
        }
    }

private:
    // The world still works: rows can be added and removed, and prefabs have the right values.
    void go_on() {
        for (int i = 0; i < 20; ++i) add_entity();
        for (const Entity entity : std::vector<Entity>(entities)) {
            const ComponentId id = ids[pick(static_cast<std::uint32_t>(ids.size()))];
            if (!is_component_kind(world.registry().info(id).kind())) continue;
            if (pick(3) == 0) world.remove(entity, id);
            if (pick(6) == 0 && world.is_alive(entity)) entities.push_back(world.clone(entity));
            if (pick(9) == 0) world.destroy(entity);
        }
        check_world(world, 0, queries);
        const Entity made = world.spawn(prefab);
        for (const PrefabComponent& part : world.prefabs().get(prefab).components) {
            const ComponentInfo& info = world.registry().info(part.component);
            if (part.value.empty() || info.kind() == ComponentKind::chunk) continue;
            std::size_t at = 0;
            internal::each_value_in_cell(info, world.get(made, part.component), [&](const std::byte* value) {
                const Items is = items_of(world, info, value),
                            should = items_of(world, info, &part.value[at]);
                for (const auto& [path, item] : should) AGREE(is.at(path).value == item.value);
                at += info.schema.size;
            });
            AGREE(at == part.value.size());
        }
        world.clear();
        check_world(world, 0, queries);
    }

    struct Unseen {
        ComponentId id;
        Items items, defaults;
    };

    std::mt19937 random;
    World world;
    std::vector<Schema> schemas;
    std::vector<ComponentId> ids;
    ComponentId brain;
    PrefabId prefab;
    std::vector<const Query*> queries;
    std::vector<Entity> entities;
    std::vector<Unseen> unseen;
};

TEST_CASE("random schema changes give the values of a naive conversion by name") {
    for (std::uint32_t seed = 0; seed < 400; ++seed) {
        INFO("seed " << seed);
        Trial trial(seed);
        trial.note_unseen();
        trial.run();
    }
}

}  // namespace
}  // namespace perigee
