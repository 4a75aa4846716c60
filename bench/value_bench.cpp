// Changes and look-ups in place: enabled bits, elements of buffers, single values.
// Baseline: the same with plain arrays and records; nothing checked.
#include "bench/support/populated.h"
#include "ecs/schedule/lookup.h"
#include "ecs/storage/buffer.h"
#include "ecs/world/bulk.h"

#include <cstring>
#include <memory>
#include <numeric>
#include <vector>

namespace perigee::bench {
namespace {

// ---- enabling a row ----

struct Shield {
    float power = 1;
};

std::vector<std::uint32_t> in_order(std::size_t n) {
    std::vector<std::uint32_t> order(n);
    std::iota(order.begin(), order.end(), 0u);
    return order;
}

struct Shields {
    std::unique_ptr<World> world = make_world();
    ComponentId shield =
        world->declare<Shield>("Shield", ComponentKind::enableable, field("power", &Shield::power)).value();
    std::vector<Entity> entities;

    explicit Shields(const std::vector<std::uint32_t>& order) : entities(order.size()) {
        std::vector<Entity> made(order.size());
        spawn_many(*world, world->archetype<Position, Velocity, Shield>(), made.size(), {}, made.data());
        for (std::size_t i = 0; i < order.size(); ++i) entities[i] = made[order[i]];
    }
};

Sample enable(const std::vector<std::uint32_t>& order) {
    auto state = std::make_shared<Shields>(order);
    return [state, is_on = true](const Effort& effort) mutable {
        return time_loop(effort, state->entities.size(), [&] {
            is_on = !is_on;
            World& world = *state->world;
            for (const Entity entity : state->entities) world.set_enabled(entity, state->shield, is_on);
        });
    };
}

[[gnu::noinline]] bool least_enable(const LeastRecord* records, std::uint64_t* bits, std::uint64_t id,
                                    bool is_on) {
    const LeastRecord record = records[id >> 32];
    if (record.generation_and_table != static_cast<std::uint32_t>(id)) return false;
    const std::uint64_t bit = std::uint64_t{1} << (record.row % 64);
    bits[record.row / 64] = is_on ? bits[record.row / 64] | bit : bits[record.row / 64] & ~bit;
    return true;
}

Sample plain_enable(const std::vector<std::uint32_t>& order) {
    const std::size_t n = order.size();
    auto records = std::make_shared<BigArray<LeastRecord>>(n);
    auto bits = std::make_shared<BigArray<std::uint64_t>>(n / 64 + 1);
    auto ids = std::make_shared<std::vector<std::uint64_t>>();
    for (std::uint32_t i = 0; i < n; ++i) (*records)[i] = LeastRecord{i, 0};
    for (const std::uint32_t i : order) ids->push_back(std::uint64_t{i} << 32);
    return [records, bits, ids, is_on = true](const Effort& effort) mutable {
        return time_loop(effort, ids->size(), [&] {
            is_on = !is_on;
            for (const std::uint64_t id : *ids) least_enable(records->data(), bits->data(), id, is_on);
        });
    };
}

// ---- elements of buffers ----

struct Point {
    float x = 0, y = 0;
};
constexpr std::uint32_t kPoints = 8;
constexpr std::size_t kPaths = 10'000;

struct Paths {
    std::unique_ptr<World> world = make_world();
    std::vector<Entity> entities = std::vector<Entity>(kPaths);
    const Query* query = nullptr;

    Paths() {
        Schema schema;
        schema.name = "Path";
        schema.kind = ComponentKind::buffer;
        schema.buffer_capacity = kPoints;
        schema.fields.resize(2);
        schema.fields[0].name = "x";
        schema.fields[1].name = "y";
        for (Field& field : schema.fields) field.type = FieldType::f32;
        world->declare(std::move(schema)).value();
        const ComponentId id =
            world->bind<Point>("Path", field("x", &Point::x), field("y", &Point::y)).value();
        spawn_many(*world, world->archetype<Point>(), kPaths, {}, entities.data());
        QueryDesc desc;
        desc.terms = {QueryTerm{id, Access::write, false}};
        query = world->query(desc).value();
    }
};

// Empties every buffer and fills it to its capacity.
Sample push_by_chunk() {
    auto paths = std::make_shared<Paths>();
    return [=](const Effort& effort) {
        const float x = opaque(1.0f);
        return time_loop(effort, kPaths * kPoints, [&] {
            paths->world->each_chunk(*paths->query, [x](ChunkView& chunk) {
                const BufferColumn<Point> column = chunk.buffers<Point>(0);
                for (std::uint32_t row = 0; row < column.size(); ++row) {
                    BufferView<Point> path = column[row];
                    path.clear();
                    for (std::uint32_t i = 0; i < kPoints; ++i) path.push(Point{x, static_cast<float>(i)});
                }
            });
        });
    };
}

Sample push_by_entity() {
    auto paths = std::make_shared<Paths>();
    return [=](const Effort& effort) {
        const float x = opaque(1.0f);
        return time_loop(effort, kPaths * kPoints, [&] {
            for (const Entity entity : paths->entities) {
                BufferView<Point> path = paths->world->buffer<Point>(entity);
                path.clear();
                for (std::uint32_t i = 0; i < kPoints; ++i) path.push(Point{x, static_cast<float>(i)});
            }
        });
    };
}

struct PlainPath {
    std::uint64_t length;
    Point points[kPoints];
};

[[gnu::noinline]] void push_plain(PlainPath* paths, std::size_t n, float x) {
    for (std::size_t row = 0; row < n; ++row) {
        PlainPath& path = paths[row];
        path.length = 0;
        for (std::uint32_t i = 0; i < kPoints; ++i) {
            if (path.length == kPoints) continue;
            path.points[path.length++] = Point{x, static_cast<float>(i)};
            keep(path.length);  // each push is one of its own
        }
    }
}

Sample plain_push() {
    auto paths = std::make_shared<BigArray<PlainPath>>(kPaths);
    return [=](const Effort& effort) {
        const float x = opaque(1.0f);
        return time_loop(effort, kPaths * kPoints, [&] { push_plain(paths->data(), kPaths, x); });
    };
}

// ---- look-ups ----

Sample lookup_get(std::size_t n) {
    std::shared_ptr<Populated> state = populated(n)();
    auto entities = std::make_shared<std::vector<Entity>>();
    for (const std::uint32_t i : shuffled(n)) entities->push_back(state->entities[i]);
    return [=](const Effort& effort) {
        const Lookup<const Position> positions(*state->world);
        return time_loop(effort, n, [&] {
            float sum = 0;
            for (const Entity entity : *entities) sum += positions[entity].x;
            keep(float{sum});  // of a copy: the sum itself stays in a register
        });
    };
}

// A sparse set of pages, as libraries without archetypes have: place by id, then the value; nothing checked.
Sample sparse_get(std::size_t n) {
    constexpr std::size_t kSparsePage = 4096, kValuePage = 1024;
    struct Storage {
        std::vector<std::vector<std::uint32_t>> places;
        std::vector<std::vector<Position>> values;
        std::vector<std::uint32_t> ids;
    };
    auto storage = std::make_shared<Storage>();
    storage->places.assign(n / kSparsePage + 1, std::vector<std::uint32_t>(kSparsePage));
    storage->values.assign(n / kValuePage + 1, std::vector<Position>(kValuePage));
    for (std::uint32_t id = 0; id < n; ++id) storage->places[id / kSparsePage][id % kSparsePage] = id;
    storage->ids = shuffled(n);
    return [=](const Effort& effort) {
        return time_loop(effort, n, [&] {
            float sum = 0;
            for (const std::uint32_t id : storage->ids) {
                const std::uint32_t place = storage->places[id / kSparsePage][id % kSparsePage];
                sum += storage->values[place / kValuePage][place % kValuePage].x;
            }
            keep(float{sum});  // of a copy: the sum itself stays in a register
        });
    };
}

}  // namespace

std::vector<Case> value_cases() {
    std::vector<Case> cases;
    const auto add = [&](const char* row, std::size_t n, const char* baseline, auto ours, auto other) {
        cases.push_back(Case{row, n, "c++", baseline, [=] { return Sides{ours(), other()}; }});
    };
    constexpr const char* kPlainBits = "record and bit of plain arrays";
    for (const std::size_t n : {kHundredThousand, kMillion}) {
        add(
            "enable a row, in order", n, kPlainBits, [n] { return enable(in_order(n)); },
            [n] { return plain_enable(in_order(n)); });
    }
    for (const std::size_t n : {kHundredThousand, kMillion}) {
        add(
            "enable a row, in random order", n, kPlainBits, [n] { return enable(shuffled(n)); },
            [n] { return plain_enable(shuffled(n)); });
    }
    constexpr const char* kPlainPaths = "push to plain arrays of a fixed size";
    add("buffer push, chunk by chunk", kPaths * kPoints, kPlainPaths, push_by_chunk, plain_push);
    add("buffer push, by entity, 8 each", kPaths * kPoints, kPlainPaths, push_by_entity, plain_push);
    for (const std::size_t n : {kHundredThousand, kMillion}) {
        add(
            "random look-up", n, "sparse set of pages, unchecked", [n] { return lookup_get(n); },
            [n] { return sparse_get(n); });
    }
    return cases;
}

}  // namespace perigee::bench
