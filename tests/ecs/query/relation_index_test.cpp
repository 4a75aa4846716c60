// A random program writes relations in every way that a world has, and look-ups must agree with a naive
// model.
#include "ecs/query/relation_index.h"

#include "ecs/commands/command_buffer.h"
#include "ecs/relations/hierarchy.h"
#include "ecs/relations/sources.h"
#include "ecs/world/bulk.h"
#include "ecs/world/internal/follow_up_work.h"
#include "tests/ecs/check_world.h"
#include "tests/support/agree.h"
#include "tests/support/test_components.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <vector>

namespace perigee {
namespace {

struct Likes {
    float strength = 0;
    Entity target;
};
struct Guards {
    Entity target;
};
struct Aims {
    Entity target;
};

struct One {
    std::optional<Entity> likes, guards, aims;
    bool aims_enabled = true;
    Entity parent;
};

class Twins {
public:
    Twins(const WorldConfig& config, std::uint32_t seed) : world_(config), commands_(world_), random_(seed) {
        declare_test_components(world_);
        world_
            .declare<Likes>("Likes", {.index = true}, field("strength", &Likes::strength),
                            field("target", &Likes::target))
            .value();
        world_
            .declare<Guards>("Guards", {.index = true, .on_target_destroyed = OnTargetDestroyed::destroy},
                             field("target", &Guards::target))
            .value();
        world_
            .declare<Aims>("Aims", {.kind = ComponentKind::enableable, .index = true},
                           field("target", &Aims::target))
            .value();
        declare_hierarchy(world_).value();
    }

    void step() {
        using Operation = void (Twins::*)();
        constexpr Operation kOperations[] = {
            &Twins::spawn,   &Twins::spawn,   &Twins::spawn,      &Twins::clone,     &Twins::destroy,
            &Twins::destroy, &Twins::add,     &Twins::add,        &Twins::set,       &Twins::set,
            &Twins::remove,  &Twins::edit,    &Twins::edit,       &Twins::move,      &Twins::enable,
            &Twins::adopt,   &Twins::visit,   &Twins::write_dead, &Twins::play_back, &Twins::by_query,
            &Twins::look_up, &Twins::look_up, &Twins::look_up,    &Twins::match,
        };
        (this->*kOperations[pick(std::size(kOperations))])();
    }

    void check() {
        AGREE(world_.entity_count() == alive_.size());
        for (const auto& [entity, one] : alive_) {
            const auto target = [entity = entity, this]<typename T>(std::type_identity<T>) {
                const T* const value = world_.get<T>(entity);
                return value == nullptr ? std::nullopt : std::optional(value->target);
            };
            AGREE(target(std::type_identity<Likes>()) == one.likes);
            AGREE(target(std::type_identity<Guards>()) == one.guards);
            AGREE(target(std::type_identity<Aims>()) == one.aims);
            AGREE(parent_of(world_, entity) == one.parent);
            check_sources(entity);
        }
        for (const Entity entity : dead_) {
            AGREE(!world_.is_alive(entity));
            check_sources(entity);
        }
        check_world(world_, 0);
    }

private:
    std::size_t pick(std::size_t count) { return random_() % count; }
    Entity any() {
        if (alive_.empty()) return Entity{};
        auto at = alive_.begin();
        std::advance(at, static_cast<std::ptrdiff_t>(pick(alive_.size())));
        return at->first;
    }
    // A few entities have many sources.
    Entity some_target() {
        if (alive_.empty() || pick(8) == 0) return Entity{};
        if (pick(2) == 0) return alive_.begin()->first;
        return any();
    }

    // ---- the model

    bool is_dead(const std::optional<Entity>& target) const {
        return target && *target && !alive_.contains(*target);
    }
    void bury(Entity entity) {
        std::vector<Entity> dying{entity};
        for (std::size_t i = 0; i < dying.size(); ++i) {
            for (const auto& [child, one] : alive_) {
                if (one.parent == dying[i]) dying.push_back(child);
            }
        }
        for (const Entity one : dying) {
            alive_.erase(one);
            dead_.push_back(one);
        }
    }
    void settle() {
        for (bool has_changed = true; has_changed;) {
            has_changed = false;
            std::vector<Entity> lost;
            for (auto& [entity, one] : alive_) {
                if (is_dead(one.likes)) one.likes = Entity{};
                if (is_dead(one.aims)) one.aims = Entity{};
                if (is_dead(one.guards)) lost.push_back(entity);
            }
            for (const Entity entity : lost) {
                if (alive_.contains(entity)) bury(entity);
                has_changed = true;
            }
        }
        if (dead_.size() > 50) dead_.erase(dead_.begin(), dead_.end() - 50);
    }

    // ---- comparing

    void check_sources(Entity target) {
        if (!target) {
            AGREE(sources_of<Likes>(world_, target).empty());
            return;
        }
        std::vector<Entity> likes, guards, aims;
        for (const auto& [entity, one] : alive_) {
            if (one.likes == target) likes.push_back(entity);
            if (one.guards == target) guards.push_back(entity);
            if (one.aims == target) aims.push_back(entity);
        }
        for (std::vector<Entity>* list : {&likes, &guards, &aims})
            std::sort(list->begin(), list->end(), [](Entity a, Entity b) { return a.index() < b.index(); });
        AGREE(sources_of<Likes>(world_, target) == likes);
        AGREE(sources_of<Guards>(world_, target) == guards);
        AGREE(sources_of<Aims>(world_, target) == aims);
        AGREE(source_count<Likes>(world_, target) == likes.size());
    }
    void look_up() { check_sources(some_target()); }

    // A query with filters by relation, with and without others.
    void match() {
        const Entity liked = some_target(), aimed = some_target();
        QueryDesc desc;
        desc.terms = {{world_.id<Likes>()}};
        desc.related = {{world_.id<Likes>(), liked}};
        const bool has_both = pick(2) == 0;
        if (has_both) {
            desc.related.push_back({world_.id<Aims>(), aimed});
            desc.terms.push_back({world_.id<Aims>()});
        }
        desc.include_disabled = pick(2) == 0;
        REQUIRE(check_query(desc, world_.registry()).ok());
        Query query(desc, world_.registry(), world_.shared(), world_.store().relations());
        for (std::uint32_t i = 0; i < world_.archetypes().size(); ++i)
            query.add_archetype(world_.store().graph().at(i));
        std::set<Entity> expected;
        for (const auto& [entity, one] : alive_) {
            if (!liked || one.likes != liked) continue;
            if (has_both && (!aimed || one.aims != aimed)) continue;
            if (has_both && !desc.include_disabled && !one.aims_enabled) continue;
            expected.insert(entity);
        }
        const std::vector<Entity> found = query.entities();
        AGREE(std::set<Entity>(found.begin(), found.end()) == expected);
        AGREE(query.entity_count() == expected.size());
    }

    // ---- operations

    void spawn() {
        One one;
        const Entity likes = some_target(), guards = some_target(), aims = some_target();
        Entity entity = pick(2) == 0 ? world_.spawn() : world_.spawn(Position{});
        if (pick(2) == 0) {
            world_.add(entity, Likes{1, likes});
            one.likes = likes;
        }
        if (pick(4) == 0 && guards) {
            world_.add(entity, Guards{guards});
            one.guards = guards;
        }
        if (pick(3) == 0) {
            world_.add(entity, Aims{aims});
            one.aims = aims;
        }
        alive_.emplace(entity, one);
        if (alive_.size() > 150) {
            destroy();
            destroy();
        }
    }
    void clone() {
        if (alive_.empty()) return;
        const Entity original = any();
        One one = alive_.at(original);
        one.parent = Entity{};
        alive_.emplace(world_.clone(original), one);
    }
    void destroy() {
        if (alive_.empty()) return;
        const Entity entity = any();
        AGREE(world_.destroy(entity));
        bury(entity);
        settle();
    }
    void add() {
        if (alive_.empty()) return;
        const Entity entity = any(), target = some_target();
        One& one = alive_.at(entity);
        if (pick(2) == 0) {
            AGREE(world_.add(entity, Likes{2, target}));
            one.likes = target;
        } else {
            AGREE(world_.add(entity, Guards{target}));
            one.guards = target;
        }
    }
    void set() {
        if (alive_.empty()) return;
        const Entity entity = any(), target = some_target();
        One& one = alive_.at(entity);
        AGREE(world_.set(entity, Likes{3, target}) == one.likes.has_value());
        if (one.likes) one.likes = target;
    }
    void remove() {
        if (alive_.empty()) return;
        const Entity entity = any();
        AGREE(world_.remove<Likes>(entity));
        alive_.at(entity).likes.reset();
        if (pick(2) == 0) {
            AGREE(world_.remove<Guards>(entity));
            alive_.at(entity).guards.reset();
        }
    }
    void edit() {
        if (alive_.empty()) return;
        const Entity entity = any(), target = some_target();
        One& one = alive_.at(entity);
        if (Aims* const aims = world_.edit<Aims>(entity)) aims->target = target;
        if (one.aims) one.aims = target;
    }
    // To another archetype and back, past the relation.
    void move() {
        if (alive_.empty()) return;
        const Entity entity = any();
        pick(2) == 0 ? world_.add(entity, Velocity{}) : world_.remove<Velocity>(entity);
    }
    void enable() {
        if (alive_.empty()) return;
        const Entity entity = any();
        One& one = alive_.at(entity);
        const bool is_on = pick(2) == 0;
        AGREE(world_.set_enabled<Aims>(entity, is_on) == one.aims.has_value());
        if (one.aims) one.aims_enabled = is_on;
    }
    void adopt() {
        if (alive_.empty()) return;
        const Entity child = any(), parent = pick(2) == 0 ? Entity{} : any();
        if (set_parent(world_, child, parent)) alive_.at(child).parent = parent;
    }
    void visit() {
        world_.each<Likes>([this](Entity entity, Likes& likes) {
            if (pick(8) != 0) return;
            likes.target = some_target();
            alive_.at(entity).likes = likes.target;
            if (pick(8) == 0) look_up();
        });
    }
    void write_dead() {
        if (alive_.empty() || dead_.empty()) return;
        const Entity entity = any(), target = dead_[pick(dead_.size())];
        One& one = alive_.at(entity);
        if (!world_.set(entity, Likes{4, target})) return;
        one.likes = target;
        check_sources(target);
        world_.store().settle_relations();
        settle();
    }
    void play_back() {
        for (int i = 0; i < 6 && !alive_.empty(); ++i) record();
        // Ids that were reserved are alive now, and dead targets are followed up.
        const PlaybackReport report = commands_.play_back();
        AGREE(report.failed == 0);
        for (const auto& change : changes_) change();
        changes_.clear();
        settle();
    }
    void record() {
        const Entity entity = any(), target = some_target();
        switch (pick(4)) {
            case 0:
                commands_.destroy(entity);
                changes_.push_back([this, entity] {
                    if (alive_.contains(entity)) bury(entity);
                });
                break;
            case 1:
                commands_.add(entity, Guards{target});
                changes_.push_back([this, entity, target] {
                    if (alive_.contains(entity)) alive_.at(entity).guards = target;
                });
                break;
            case 2: {
                const Entity made = commands_.spawn();  // a target before it lives
                changes_.push_back([this, made] { alive_.emplace(made, One{}); });
                if (Aims* const aims = world_.edit<Aims>(entity)) {
                    aims->target = made;
                    alive_.at(entity).aims = made;
                }
                check_sources(made);
                break;
            }
            default: {
                const Entity made = commands_.spawn(Likes{5, target});
                changes_.push_back([this, made, target] {
                    One one;
                    one.likes = target;
                    alive_.emplace(made, one);
                });
                break;
            }
        }
    }
    void by_query() {
        const Query& query = world_.query<const Position>().without<Velocity>().query();
        const std::vector<Entity> matching = query.entities();
        const Entity target = some_target();
        switch (pick(8)) {
            case 0:
                destroy_all(world_, query);
                for (const Entity entity : matching) {
                    if (alive_.contains(entity)) bury(entity);
                }
                settle();
                break;
            case 1:
            case 2:
                remove_all<Likes>(world_, query);
                for (const Entity entity : matching) alive_.at(entity).likes.reset();
                break;
            case 3:
            case 4:
                set_all(world_, query, Likes{6, target});
                for (const Entity entity : matching) {
                    if (alive_.at(entity).likes) alive_.at(entity).likes = target;
                }
                break;
            default:
                add_all(world_, query, Aims{target});
                for (const Entity entity : matching) {
                    One& one = alive_.at(entity);
                    if (!one.aims) one.aims_enabled = true;
                    one.aims = target;
                }
                break;
        }
    }

    World world_;
    CommandBuffer commands_;
    std::mt19937 random_;
    std::map<Entity, One> alive_;
    std::vector<Entity> dead_;
    std::vector<std::function<void()>> changes_;  ///< of the model, at the next playback
};

TEST_CASE("look-ups of sources agree with a naive model through 200,000 random operations") {
    for (const std::uint32_t rows : {2u, 7u, 64u, 0u}) {
        Twins twins(rows == 0 ? WorldConfig{} : tiny_chunks(rows), 11 + rows);
        for (int i = 1; i <= 50'000; ++i) {
            twins.step();
            if (i % 500 == 0 || i < 200) twins.check();
        }
    }
}

TEST_CASE("a look-up reads only chunks that changed since the last one") {
    World world(tiny_chunks(64));
    world.declare<Guards>("Guards", {.index = true}, field("target", &Guards::target)).value();
    const Entity post = world.spawn();
    std::vector<Entity> guards;
    for (int i = 0; i < 500; ++i) guards.push_back(world.spawn(Guards{post}));
    CHECK(source_count<Guards>(world, post) == 500);
    // A write through an address from before a look-up marks nothing, so it is not noticed …
    Guards* const kept = world.edit<Guards>(guards[0]);
    CHECK(source_count<Guards>(world, post) == 500);
    kept->target = guards[1];
    CHECK(sources_of<Guards>(world, guards[1]).empty());
    CHECK(source_count<Guards>(world, post) == 499);  // … but no look-up returns what is wrong
    // … until its chunk is written again.
    static_cast<void>(world.edit<Guards>(guards[0]));
    CHECK(sources_of<Guards>(world, guards[1]) == std::vector{guards[0]});
}

TEST_CASE("ids that no slot has yet are targets like all others") {
    World world(tiny_chunks(4));
    world.declare<Guards>("Guards", {.index = true}, field("target", &Guards::target)).value();
    const Entity guard = world.spawn(Guards{});
    const Entity future = entity_from_parts(40, 1);
    world.edit<Guards>(guard)->target = future;
    CHECK(sources_of<Guards>(world, future) == std::vector{guard});
    std::vector<Entity> made;
    while (made.size() < 50) made.push_back(world.spawn());
    REQUIRE(world.is_alive(future));
    CHECK(sources_of<Guards>(world, future) == std::vector{guard});
    CHECK(world.destroy(future));
    CHECK(world.get<Guards>(guard)->target == Entity{});
    CHECK(sources_of<Guards>(world, future).empty());
}

}  // namespace
}  // namespace perigee
