// Random worlds with components of every kind that filters: each query agrees with a naive filter, entity by
// entity, whether it was created before or after the entities.
#include "ecs/query/query.h"
#include "ecs/world/world.h"
#include "tests/support/kind_components.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

namespace perigee {
namespace {

std::vector<std::byte> bytes_of(const auto& value) {
    std::vector<std::byte> bytes(sizeof(value));
    std::memcpy(bytes.data(), &value, sizeof(value));
    return bytes;
}

class Model {
public:
    explicit Model(std::uint32_t rows, std::uint32_t seed) : world(tiny_chunks(rows)), random_(seed) {
        declare_test_components(world);
        declare_kind_components(world);
        ids_ = {world.id<Position>(), world.id<Velocity>(), world.id<Frozen>(), world.id<Shield>(),
                world.id<Visible>(),  world.id<Team>(),     world.id<Voice>(),  world.id<Bounds>()};
    }

    std::uint32_t any_of(std::uint32_t count) { return static_cast<std::uint32_t>(random_()) % count; }

    QueryDesc random_desc() {
        QueryDesc desc;
        for (const ComponentId id : ids_) {
            switch (any_of(9)) {
                case 0:
                case 1:
                    desc.terms.push_back({id, any_of(2) == 0 ? Access::read : Access::write});
                    break;
                case 2:
                    desc.terms.push_back({id, Access::read, true});
                    break;
                case 3:
                    desc.without.push_back(id);
                    break;
                case 4:
                    desc.any.push_back(id);
                    break;
                default:
                    break;
            }
        }
        if (any_of(4) == 0) desc.shared.push_back({world.id<Team>(), bytes_of(team(any_of(5)))});
        desc.include_disabled = any_of(5) == 0;
        const QueryTerm position{world.id<Position>(), Access::read};
        const QueryTerm written{world.id<Position>(), Access::write};
        const bool has_position =
            std::any_of(desc.terms.begin(), desc.terms.end(),
                        [&](const QueryTerm& term) { return term == position || term == written; });
        if (has_position && any_of(2) == 0) desc.order_by = OrderBy{position.component, "x", any_of(2) == 0};
        return desc;
    }

    void change() {
        switch (any_of(8)) {
            case 0:
                entities.push_back(world.spawn());
                break;
            case 1:
                if (entities.size() > 40) world.destroy(pick());
                break;
            case 2:
            case 3:
            case 4:
                add(pick(), ids_[any_of(static_cast<std::uint32_t>(ids_.size()))]);
                break;
            case 5:
                world.remove(pick(), ids_[any_of(static_cast<std::uint32_t>(ids_.size()))]);
                break;
            case 6:
                world.set(pick(), team(any_of(4)));
                break;
            default:
                world.set_enabled(pick(), any_of(2) == 0 ? world.id<Shield>() : world.id<Visible>(),
                                  any_of(3) == 0);
        }
    }

    bool picks(const QueryDesc& desc, Entity entity) const {
        const Archetype* archetype = world.archetype_of(entity);
        if (archetype == nullptr) return false;
        const auto is_there = [&](ComponentId id) {
            const bool counts =
                !desc.include_disabled && world.registry().info(id).kind() == ComponentKind::enableable;
            return archetype->has(id) && (!counts || world.is_enabled(entity, id));
        };
        const auto is_cleanup = [&](ComponentId id) { return id == world.id<Voice>(); };
        const bool asks_for_destroyed =
            std::any_of(desc.terms.begin(), desc.terms.end(),
                        [&](const QueryTerm& term) { return is_cleanup(term.component); }) ||
            std::any_of(desc.any.begin(), desc.any.end(), is_cleanup);
        if (world.awaits_cleanup(entity) && !asks_for_destroyed) return false;
        return std::all_of(
                   desc.terms.begin(), desc.terms.end(),
                   [&](const QueryTerm& term) { return term.is_optional || is_there(term.component); }) &&
               (desc.any.empty() || std::any_of(desc.any.begin(), desc.any.end(), is_there)) &&
               std::none_of(desc.without.begin(), desc.without.end(), is_there) &&
               std::all_of(desc.shared.begin(), desc.shared.end(), [&](const SharedFilter& filter) {
                   const std::byte* value = world.get(entity, filter.component);
                   Team wanted;
                   std::memcpy(&wanted, filter.value.data(), sizeof(Team));
                   return value != nullptr && *reinterpret_cast<const Team*>(value) == wanted;
               });
    }

    World world;
    std::vector<Entity> entities;

private:
    static Team team(std::uint32_t id) { return Team{static_cast<std::uint8_t>(id), 1}; }
    Entity pick() {
        if (entities.empty()) entities.push_back(world.spawn());
        return entities[any_of(static_cast<std::uint32_t>(entities.size()))];
    }
    void add(Entity entity, ComponentId id) {
        const Position position{static_cast<float>(any_of(6)), 0};
        const Team value = team(any_of(4));
        if (id == world.id<Position>()) {
            world.add(entity, position);
        } else if (id == world.id<Team>()) {
            world.add(entity, value);
        } else {
            world.add(entity, id);
        }
    }

    std::vector<ComponentId> ids_;
    std::mt19937 random_;
};

// Checks the other data of the view's rows.
void check_view(const World& world, const ChunkView& view, const QueryDesc& desc) {
    std::uint32_t passing = 0;
    for (std::uint32_t word = 0; word * 64 < view.row_count(); ++word) {
        for (std::uint32_t bit = 0; bit < 64; ++bit) {
            const std::uint32_t row = word * 64 + bit;
            const bool is_set = (view.enabled_word(word) >> bit & 1) != 0;
            REQUIRE(is_set == (row < view.row_count() && view.is_enabled(row)));
            passing += is_set ? 1 : 0;
        }
    }
    REQUIRE(view.enabled_count() == passing);
    REQUIRE(passing > 0);
    for (std::size_t term = 0; term < desc.terms.size(); ++term) {
        const ComponentId id = desc.terms[term].component;
        for (std::uint32_t row = 0; row < view.row_count(); ++row) {
            const Entity entity = view.entities()[row];
            REQUIRE(view.has(term) == world.archetype_of(entity)->has(id));
            const std::uint64_t* bits = view.term_mask(term);
            REQUIRE((bits != nullptr) ==
                    (view.has(term) && world.registry().info(id).kind() == ComponentKind::enableable));
            if (bits != nullptr) {
                REQUIRE((bits[row / 64] >> (row % 64) & 1) == (world.is_enabled(entity, id) ? 1 : 0));
            }
            if (view.has(term) && id == world.id<Team>()) {
                REQUIRE(view.shared<Team>(term) == *world.get<Team>(entity));
            } else if (view.has(term) && id == world.id<Bounds>()) {
                REQUIRE(&view.chunk_value<const Bounds>(term) == world.get<Bounds>(entity));
            } else if (const std::byte* column = view.column_data(term)) {
                const std::size_t size = view.row_bytes(term);
                REQUIRE(std::memcmp(column + row * size, world.get(entity, id), size) == 0);
            }
        }
    }
}

void check_query(Model& model, const QueryDesc& desc, const Query& query) {
    World& world = model.world;
    std::vector<Entity> expected;
    for (const Entity entity : model.entities) {
        if (model.picks(desc, entity)) expected.push_back(entity);
    }
    std::vector<Entity> shown;
    std::uint32_t chunks = 0;
    world.each_chunk(query, [&](const ChunkView& view) {
        REQUIRE(view.index_in_query() == chunks++);
        REQUIRE(view.first_row_in_query() == shown.size());
        check_view(world, view, desc);
        view.for_each_run([&](std::uint32_t first, std::uint32_t last) {
            REQUIRE(first < last);
            for (std::uint32_t row = first; row < last; ++row) {
                REQUIRE(view.is_enabled(row));
                shown.push_back(view.entities()[row]);
            }
        });
    });
    REQUIRE(query.entity_count() == shown.size());
    REQUIRE(query.chunk_count() == chunks);
    REQUIRE(query.entities().size() == shown.size());
    if (desc.order_by) {
        const auto x = [&](Entity entity) { return world.get<Position>(entity)->x; };
        std::sort(expected.begin(), expected.end(), [&](Entity a, Entity b) {
            if (x(a) == x(b)) return a < b;
            return desc.order_by->is_descending ? x(a) > x(b) : x(a) < x(b);
        });
    } else {
        std::sort(expected.begin(), expected.end());
        std::sort(shown.begin(), shown.end());
    }
    REQUIRE(shown == expected);
}

TEST_CASE("[Q1] [Q4] [Q5] every query, created early or late, agrees with a naive filter") {
    for (const std::uint32_t rows : {2u, 5u, 128u}) {
        for (std::uint32_t seed = 0; seed < 6; ++seed) {
            Model model(rows, seed);
            std::vector<QueryDesc> descs;
            for (int i = 0; i < 40; ++i) descs.push_back(model.random_desc());
            std::vector<Query*> early;
            for (std::size_t i = 0; i < 20; ++i) early.push_back(model.world.query(descs[i]).value());
            for (int round = 0; round < 4; ++round) {
                for (int i = 0; i < 500; ++i) model.change();
                for (const QueryDesc& desc : descs)
                    check_query(model, desc, *model.world.query(desc).value());
            }
            for (std::size_t i = 0; i < early.size(); ++i) {
                CHECK(model.world.query(descs[i]).value() == early[i]);
            }
        }
    }
}

}  // namespace
}  // namespace perigee
