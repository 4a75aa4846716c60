// Records of changes agree with lists.
#include "ecs/world/observers.h"

#include "ecs/schema/text_pool.h"
#include "ecs/world/bulk.h"
#include "ecs/world/content_sweep.h"
#include "ecs/world/observe.h"
#include "ecs/world/world.h"
#include "tests/support/broken_contract.h"
#include "tests/support/failing_memory.h"
#include "tests/support/kind_components.h"
#include "tests/support/test_events.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <tuple>
#include <vector>

namespace perigee {
namespace {

using Kind = Trigger::Kind;
using Entities = std::vector<Entity>;

struct Fixture {
    Fixture() : world(tiny_chunks(4)) {
        declare_test_components(world);
        declare_kind_components(world);
        declare_test_events(world);
    }
    template <typename T> void observe(Kind kind) { start_observing(world, {kind, world.id<T>()}).value(); }
    template <typename T> Entities seen(Kind kind) {
        const ObservedBatch batch = world.observers().batch({kind, world.id<T>()});
        return {batch.entities.begin(), batch.entities.end()};
    }
    template <typename T> std::vector<T> values(Kind kind) {
        const ObservedBatch batch = world.observers().batch({kind, world.id<T>()});
        const T* const first = reinterpret_cast<const T*>(batch.values);
        return first == nullptr ? std::vector<T>{} : std::vector<T>(first, first + batch.entities.size());
    }

    World world;
};

TEST_CASE("added, removed and destroyed components are recorded in order, with the last value") {
    Fixture f;
    for (const Kind kind : {Kind::added, Kind::removed, Kind::destroyed}) f.observe<Health>(kind);
    const Entity a = f.world.spawn(Health{1, 9});
    const Entity b = f.world.spawn(Position{}, Health{2, 9});
    const Entity c = f.world.spawn(Position{});
    const Entity d = f.world.spawn();
    f.world.add(c, f.world.id<Health>());
    CHECK(f.seen<Health>(Kind::added).empty());
    REQUIRE(f.world.observers().publish(f.world));
    CHECK(f.seen<Health>(Kind::added) == Entities{a, b, c});
    CHECK(f.world.observers().batch({Kind::added, f.world.id<Health>()}).values == nullptr);

    const Health last{-5, 9};
    f.world.set(b, f.world.id<Health>(), &last);
    f.world.remove(b, f.world.id<Health>());
    f.world.destroy(a);
    f.world.destroy(d);
    f.world.add(a, f.world.id<Health>());
    REQUIRE(f.world.observers().publish(f.world));
    CHECK(f.seen<Health>(Kind::added).empty());
    CHECK(f.seen<Health>(Kind::removed) == Entities{b});
    CHECK(f.values<Health>(Kind::removed) == std::vector<Health>{last});
    CHECK(f.seen<Health>(Kind::destroyed) == Entities{a});
    CHECK(f.values<Health>(Kind::destroyed) == std::vector<Health>{Health{1, 9}});
    CHECK_FALSE(f.world.observers().publish(f.world));
    CHECK(f.seen<Health>(Kind::destroyed).empty());
}

TEST_CASE("a component added and removed at once gives both records") {
    Fixture f;
    f.observe<Frozen>(Kind::added);
    f.observe<Frozen>(Kind::destroyed);
    const Entity gone = f.world.spawn(Frozen{});
    f.world.destroy(gone);
    REQUIRE(f.world.observers().publish(f.world));
    CHECK(f.seen<Frozen>(Kind::added) == Entities{gone});
    CHECK(f.seen<Frozen>(Kind::destroyed) == Entities{gone});
    CHECK(f.world.observers().batch({Kind::destroyed, f.world.id<Frozen>()}).values == nullptr);
}

TEST_CASE("existing rows when observing begins and changes after its end are not recorded") {
    Fixture f;
    const Entity old = f.world.spawn(Health{});
    f.observe<Health>(Kind::added);
    f.observe<Health>(Kind::added);
    const Entity fresh = f.world.spawn(Health{});
    f.world.remove(old, f.world.id<Health>());
    f.world.add(old, f.world.id<Health>());
    f.world.observers().publish(f.world);
    CHECK(f.seen<Health>(Kind::added) == Entities{fresh, old});
    stop_observing(f.world, {Kind::added, f.world.id<Health>()});
    f.world.spawn(Health{});
    CHECK(f.world.observers().publish(f.world));
    stop_observing(f.world, {Kind::added, f.world.id<Health>()});
    CHECK(f.world.observers().is_empty());
    CHECK(f.world.archetype<Health>().is_plain());
    f.world.spawn(Health{});
    CHECK_FALSE(f.world.observers().publish(f.world));
    const ContractWatch watch;
    CHECK_THROWS_AS(stop_observing(f.world, {Kind::added, f.world.id<Health>()}), BrokenContract);
}

TEST_CASE("components without observers keep the fast path") {
    Fixture f;
    const Entity entity = f.world.spawn(Position{}, Velocity{});
    f.observe<Health>(Kind::removed);
    CHECK(f.world.archetype<Position, Velocity>().is_plain());
    CHECK_FALSE(f.world.archetype<Position, Health>().is_plain());
    f.world.add(entity, f.world.id<Health>());
    f.world.add(entity, f.world.id<Frozen>());
    CHECK_FALSE(f.world.archetype<Position, Velocity, Health, Frozen>().is_plain());
    CHECK_FALSE(f.world.observers().publish(f.world));
}

TEST_CASE("changes of shared, cleanup and enableable components are recorded like others") {
    Fixture f;
    for (const Kind kind : {Kind::added, Kind::removed, Kind::destroyed}) {
        f.observe<Layer>(kind);
        f.observe<Voice>(kind);
        f.observe<Shield>(kind);
        f.observe<Visible>(kind);
        f.observe<Waypoint>(kind);
    }
    const Entity e = f.world.spawn(Layer{7}, Voice{3}, Shield{2}, Visible{});
    f.world.add(e, f.world.id<Waypoint>());
    f.world.observers().publish(f.world);
    CHECK(f.seen<Layer>(Kind::added) == Entities{e});
    CHECK(f.seen<Waypoint>(Kind::added) == Entities{e});
    const Layer other{8};
    f.world.set(e, f.world.id<Layer>(), &other);
    f.world.set_enabled(e, f.world.id<Shield>(), false);
    CHECK_FALSE(f.world.observers().publish(f.world));
    f.world.remove(e, f.world.id<Visible>());
    f.world.destroy(e);  // awaits the removal of Voice
    f.world.observers().publish(f.world);
    CHECK(f.seen<Visible>(Kind::removed) == Entities{e});
    CHECK(f.values<Layer>(Kind::destroyed) == std::vector<Layer>{{8}});
    CHECK(f.values<Voice>(Kind::destroyed) == std::vector<Voice>{{3}});
    CHECK(f.values<Shield>(Kind::destroyed) == std::vector<Shield>{{2}});
    CHECK(f.seen<Waypoint>(Kind::destroyed) == Entities{e});
    CHECK(f.world.observers().batch({Kind::destroyed, f.world.id<Waypoint>()}).values == nullptr);
    CHECK(f.seen<Voice>(Kind::removed).empty());
    f.world.remove(e, f.world.id<Voice>());
    f.world.observers().publish(f.world);
    CHECK(f.values<Voice>(Kind::removed) == std::vector<Voice>{{3}});
    CHECK(f.seen<Voice>(Kind::destroyed).empty());
}

TEST_CASE("changed reports rows whose value differs from that at the last publish, with the earlier value") {
    Fixture f;
    const Entity a = f.world.spawn(Health{1, 9}), b = f.world.spawn(Health{2, 9}, Position{});
    f.observe<Health>(Kind::changed);
    CHECK_FALSE(f.world.observers().publish(f.world));
    const Health next{5, 9}, back{1, 9};
    f.world.set(a, f.world.id<Health>(), &next);
    f.world.set(b, f.world.id<Health>(), &next);
    f.world.set(a, f.world.id<Health>(), &back);
    f.world.add(b, f.world.id<Velocity>());  // moves it
    REQUIRE(f.world.observers().publish(f.world));
    CHECK(f.seen<Health>(Kind::changed) == Entities{b});
    CHECK(f.values<Health>(Kind::changed) == std::vector<Health>{{2, 9}});
    CHECK_FALSE(f.world.observers().publish(f.world));

    const Entity fresh = f.world.spawn(Health{3, 9});
    f.world.set(fresh, f.world.id<Health>(), &next);
    f.world.remove(b, f.world.id<Health>());
    f.world.add(b, f.world.id<Health>(), &back);
    CHECK_FALSE(f.world.observers().publish(f.world));
    f.world.destroy(a);
    CHECK_FALSE(f.world.observers().publish(f.world));
    f.world.set(fresh, f.world.id<Health>(), &back);
    f.world.observers().publish(f.world);
    CHECK(f.seen<Health>(Kind::changed) == Entities{fresh});
    CHECK(f.values<Health>(Kind::changed) == std::vector<Health>{next});
}

TEST_CASE("a difference in pad bytes does not count as changed") {
    Fixture f;
    struct Gap {
        std::uint8_t small = 0;
        double large = 0;
    };
    const ComponentId id =
        f.world.declare<Gap>("Gap", field("small", &Gap::small), field("large", &Gap::large)).value();
    const Entity entity = f.world.spawn(Gap{});
    f.observe<Gap>(Kind::changed);
    f.world.edit(entity, id)[3] = std::byte{77};
    CHECK_FALSE(f.world.observers().publish(f.world));
    f.world.edit(entity, id)[0] = std::byte{77};
    CHECK(f.world.observers().publish(f.world));
}

TEST_CASE("a batch whose initialiser fails gives no records") {
    Fixture f;
    f.observe<Health>(Kind::added);
    f.observe<Health>(Kind::destroyed);
    const SpawnInitializer fails = [](const ChunkView&, std::uint32_t, std::uint32_t) { return false; };
    CHECK(spawn_many(f.world, f.world.archetype<Health>(), 10, fails) == 0);
    CHECK_FALSE(f.world.observers().publish(f.world));
    const SpawnInitializer works = [](const ChunkView&, std::uint32_t, std::uint32_t) { return true; };
    CHECK(spawn_many(f.world, f.world.archetype<Health>(), 10, works) == 10);
    CHECK(f.world.observers().publish(f.world));
    CHECK(f.seen<Health>(Kind::added).size() == 10);
    f.world.clear();
    CHECK(f.world.observers().publish(f.world));
    CHECK(f.seen<Health>(Kind::destroyed).size() == 10);
}

TEST_CASE("kinds that cannot be observed are refused with the reason") {
    Fixture f;
    const auto refused = [&](Kind kind, ComponentId id) {
        return start_observing(f.world, {kind, id}).error().message;
    };
    CHECK(refused(Kind::added, f.world.id<Bounds>()) ==
          "no system can react to 'added' of 'Bounds', which is a chunk: it belongs to a chunk and not to an "
          "entity");
    CHECK_THAT(refused(Kind::changed, f.world.id<Team>()), Catch::Contains("its value belongs to many rows"));
    for (const ComponentId id :
         {f.world.id<Frozen>(), f.world.id<Waypoint>(), f.world.id<Brain>(), f.world.id<Visible>()}) {
        CHECK_THAT(refused(Kind::changed, id), Catch::Contains("it has no value in its row"));
    }
    CHECK_THAT(refused(Kind::removed, f.world.id<Damage>()), Catch::Contains("react to the event itself"));
    CHECK_THAT(refused(Kind::event, f.world.id<Health>()), Catch::Contains("expected an event"));
    Schema wave;
    wave.name = "Wave";
    wave.kind = ComponentKind::resource;
    wave.fields.resize(1);
    wave.fields[0].name = "number";
    CHECK_THAT(refused(Kind::changed, f.world.declare(wave).value()),
               Catch::Contains("it belongs to no entity"));
}

TEST_CASE("texts in recorded values are not swept, and records without memory are counted as lost") {
    Fixture f;
    Schema said;
    said.name = "Said";
    said.fields.resize(1);
    said.fields[0].name = "what";
    said.fields[0].type = FieldType::text;
    const ComponentId id = f.world.declare(said).value();
    start_observing(f.world, {Kind::removed, id}).value();
    const TextHandle text = f.world.texts().intern("last words of a row that is gone").value();
    const Entity entity = f.world.spawn();
    f.world.add(entity, id, &text);
    f.world.remove(entity, id);
    collect_texts(f.world);
    CHECK(f.world.texts().text(text) == "last words of a row that is gone");
    f.world.observers().publish(f.world);
    f.world.observers().publish(f.world);
    CHECK(collect_texts(f.world) == 1);

    QueryDesc desc;
    desc.terms = {{id, Access::read}};
    const Query& query = *f.world.query(desc).value();
    spawn_many(f.world, *f.world.archetype(std::vector{id}).value(), 100);
    std::size_t removed = 0;
    for (const Entity each : query.entities()) {
        const RefusedMemory none(0);
        removed += f.world.remove(each, id) ? 1 : 0;
    }
    f.world.observers().publish(f.world);
    const std::size_t noted = f.world.observers().batch({Kind::removed, id}).entities.size();
    CHECK(f.world.observers().lost_count() > 0);
    CHECK(noted + f.world.observers().lost_count() == removed);
}

// ---- a random program against lists ----

struct Note {
    Kind kind;
    int component;
    std::uint64_t entity;
    int value;
    auto operator<=>(const Note&) const = default;
};

class Model {
public:
    using Row = std::map<int, int>;  // component -> value
    explicit Model(std::uint32_t seed) : random_(seed), world_(tiny_chunks(4)) {
        declare_test_components(world_);
        declare_kind_components(world_);
        ids_ = {world_.id<Health>(), world_.id<Frozen>(), world_.id<Layer>(), world_.id<Voice>(),
                world_.id<Shield>()};
        for (int component = 0; component < 5; ++component) {
            for (const Kind kind : {Kind::added, Kind::removed, Kind::destroyed, Kind::changed}) {
                if (kind == Kind::changed && (component == 1 || component == 2)) continue;
                if (random_() % 4 != 0) {
                    start_observing(world_, {kind, ids_[static_cast<std::size_t>(component)]}).value();
                    observed_.insert({kind, component});
                }
            }
        }
    }

    void step() {
        const auto component = static_cast<int>(random_() % 5);
        const ComponentId id = ids_[static_cast<std::size_t>(component)];
        switch (random_() % 12) {
            case 0:
            case 1:
                spawn();
                break;
            case 2:
            case 3:
            case 4:
                change(pick(), component, true);
                break;
            case 5:
            case 6:
                change(pick(), component, false);
                break;
            case 7:
                destroy(pick());
                break;
            case 8:
                set(pick(), component);
                break;
            case 9:
                by_query(component, id);
                break;
            case 10:
                clone(pick());
                break;
            default:
                if (random_() % 4 == 0) turn();
        }
    }
    void turn() {
        std::vector<Note> found;
        world_.observers().publish(world_);
        for (const auto& [kind, component] : observed_) {
            const ComponentId id = ids_[static_cast<std::size_t>(component)];
            const ObservedBatch batch = world_.observers().batch({kind, id});
            const std::uint32_t bytes = world_.registry().value_bytes(id);
            REQUIRE((batch.values != nullptr) ==
                    (!batch.entities.empty() && bytes != 0 && kind != Kind::added));
            for (std::size_t i = 0; i < batch.entities.size(); ++i) {
                const std::byte* value = batch.values == nullptr ? nullptr : batch.values + i * bytes;
                found.push_back({kind, component, batch.entities[i].bits, number(component, value)});
            }
        }
        for (auto& [entity, row] : rows_) {
            for (const auto& [component, value] : row) {
                const auto before = copies_.find({entity, component});
                if (before != copies_.end() && before->second != value)
                    expect({Kind::changed, component, entity, before->second});
            }
        }
        copies_.clear();
        for (auto& [entity, row] : rows_) {
            for (const auto& [component, value] : row) copies_[{entity, component}] = value;
        }
        std::sort(found.begin(), found.end());
        std::sort(expected_.begin(), expected_.end());
        REQUIRE(found == expected_);
        total_ += found.size();
        expected_.clear();
    }
    std::size_t total() const { return total_; }

private:
    static int number(int component, const std::byte* value) {
        if (value == nullptr) return 0;
        if (component == 4) return static_cast<int>(reinterpret_cast<const Shield*>(value)->power);
        return *reinterpret_cast<const std::int32_t*>(value);
    }
    // The value of a component made from one number; the bytes are valid until the next call.
    const void* value_of(int component, int number) {
        health_ = Health{number, 9};
        shield_ = Shield{static_cast<float>(number)};
        number_ = number;
        return component == 0   ? static_cast<const void*>(&health_)
               : component == 4 ? static_cast<const void*>(&shield_)
                                : &number_;
    }
    void expect(const Note& note) {
        if (observed_.contains({note.kind, note.component})) expected_.push_back(note);
    }
    Entity pick() {
        if (rows_.empty()) return Entity{};
        auto place = rows_.begin();
        std::advance(place, random_() % rows_.size());
        return Entity{place->first};
    }
    bool awaits_cleanup(Entity entity) const { return destroyed_.contains(entity.bits); }

    void spawn() {
        const Entity entity = world_.spawn(Position{});
        rows_[entity.bits];
        if (random_() % 2 == 0) change(entity, static_cast<int>(random_() % 5), true);
    }
    void added(std::uint64_t entity, int component, int value) {
        rows_[entity][component] = value;
        copies_.erase({entity, component});
        expect({Kind::added, component, entity, 0});
    }
    void change(Entity entity, int component, bool is_adding) {
        if (!entity || (is_adding && awaits_cleanup(entity))) return;
        Row& row = rows_[entity.bits];
        const ComponentId id = ids_[static_cast<std::size_t>(component)];
        const int value = component == 1 ? 0 : static_cast<int>(random_() % 3);
        if (is_adding) {
            world_.add(entity, id, value_of(component, value));
            if (row.contains(component)) {
                row[component] = value;
            } else {
                added(entity.bits, component, value);
            }
            return;
        }
        world_.remove(entity, id);
        if (!row.contains(component)) return;
        expect({Kind::removed, component, entity.bits, row[component]});
        row.erase(component);
        copies_.erase({entity.bits, component});
        if (awaits_cleanup(entity) && row.empty()) {
            destroyed_.erase(entity.bits);
            rows_.erase(entity.bits);
        }
    }
    void set(Entity entity, int component) {
        if (!entity || component == 1 || !rows_[entity.bits].contains(component)) return;
        const int value = static_cast<int>(random_() % 3);
        if (world_.set(entity, ids_[static_cast<std::size_t>(component)], value_of(component, value)))
            rows_[entity.bits][component] = value;
    }
    void destroyed(std::uint64_t entity) {
        Row& row = rows_[entity];
        for (const auto& [component, value] : row) expect({Kind::destroyed, component, entity, value});
        const bool stays = row.contains(3);
        for (int component = 0; component < 5; ++component) {
            if (component == 3) continue;
            row.erase(component);
            copies_.erase({entity, component});
        }
        if (stays) {
            destroyed_.insert(entity);
        } else {
            rows_.erase(entity);
        }
    }
    void destroy(Entity entity) {
        if (!entity || awaits_cleanup(entity)) return;
        world_.destroy(entity);
        destroyed(entity.bits);
    }
    void clone(Entity entity) {
        if (!entity || awaits_cleanup(entity)) return;
        const Entity made = world_.clone(entity);
        const Row row = rows_[entity.bits];
        rows_[made.bits];
        for (const auto& [component, value] : row) {
            if (component != 3) added(made.bits, component, value);
        }
    }
    void by_query(int component, ComponentId id) {
        QueryDesc desc;
        desc.terms = {{world_.id<Position>(), Access::read}};
        if (random_() % 2 == 0) desc.without = {world_.id<Frozen>()};
        const Query& query = *world_.query(desc).value();
        const std::vector<Entity> entities = query.entities();
        switch (random_() % 6) {
            case 0:
            case 1: {
                const int value = component == 1 ? 0 : static_cast<int>(random_() % 3);
                add_all(world_, query, id, value_of(component, value));
                for (const Entity entity : entities) {
                    Row& row = rows_[entity.bits];
                    if (row.contains(component)) {
                        row[component] = value;
                    } else {
                        added(entity.bits, component, value);
                    }
                }
                break;
            }
            case 2:
            case 3:
                remove_all(world_, query, id);
                for (const Entity entity : entities) {
                    Row& row = rows_[entity.bits];
                    if (!row.contains(component)) continue;
                    expect({Kind::removed, component, entity.bits, row[component]});
                    row.erase(component);
                    copies_.erase({entity.bits, component});
                }
                break;
            case 4:
                if (random_() % 4 != 0) break;
                destroy_all(world_, query);
                for (const Entity entity : entities) destroyed(entity.bits);
                break;
            default: {
                std::vector<Entity> made(1 + random_() % 9);
                made.resize(spawn_many(world_, world_.archetype<Position, Health, Frozen>(), made.size(), {},
                                       made.data()));
                for (const Entity entity : made) {
                    added(entity.bits, 0, 100);
                    added(entity.bits, 1, 0);
                }
            }
        }
    }

    std::mt19937 random_;
    World world_;
    std::vector<ComponentId> ids_;
    std::set<std::pair<Kind, int>> observed_;
    std::map<std::uint64_t, Row> rows_;
    std::set<std::uint64_t> destroyed_;
    std::map<std::pair<std::uint64_t, int>, int> copies_;
    std::vector<Note> expected_;
    std::size_t total_ = 0;
    Health health_;
    Shield shield_;
    std::int32_t number_ = 0;
};

TEST_CASE("the records of random changes agree with a model of lists") {
    std::size_t total = 0;
    for (std::uint32_t seed = 0; seed < 60; ++seed) {
        INFO("seed " << seed);
        Model model(seed);
        for (int i = 0; i < 600; ++i) model.step();
        model.turn();
        total += model.total();
    }
    CHECK(total > 10000);
}

}  // namespace
}  // namespace perigee
