// Random operations of all kinds, with snapshots that are taken and restored in any order, beside a naive
// model that is copied with each snapshot.
#include "ecs/inspect/world_hash.h"
#include "ecs/relations/names.h"
#include "ecs/save/world_snapshot.h"
#include "ecs/storage/event_store.h"
#include "ecs/storage/resource_store.h"
#include "ecs/world/content_sweep.h"
#include "tests/ecs/kinds_model.h"

#include <catch2/catch.hpp>

#include <cstring>
#include <deque>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace perigee {
namespace {

struct Score {
    std::int64_t points = 0;
};
struct Shot {
    std::int32_t power = 0;
};

// What the model of kinds does not know.
struct MoreModel {
    std::map<Entity, std::string> names;
    std::int64_t points = 0;
    std::vector<std::int32_t> shots;
    std::size_t old_shots = 0;  ///< of the previous tick
};

// Everything in a world whose order or value must come back, as one list of numbers.
using Dump = std::vector<std::uint64_t>;

Dump dump_of(World& world) {
    Dump dump{world.change_version(), world.entity_count(), world.archetypes().size()};
    for (std::uint32_t i = 0; i < world.archetypes().size(); ++i) {
        const Archetype& archetype = world.archetypes().at(i);
        for (const ComponentId component : archetype.components()) dump.push_back(component.index);
        for (std::uint32_t chunk = 0; chunk < archetype.chunk_count(); ++chunk) {
            const ChunkSlot& slot = archetype.chunks()[chunk];
            dump.push_back(slot.rows_version);
            for (std::uint32_t s = 0; s < archetype.version_slots(); ++s)
                dump.push_back(archetype.version(chunk, s));
            for (const std::byte byte : archetype.chunk_value_bytes(chunk))
                dump.push_back(static_cast<std::uint64_t>(byte));
            for (std::uint32_t row = 0; row < slot.row_count; ++row)
                dump.push_back(Archetype::entities(slot)[row].bits);
        }
    }
    return dump;
}

class Rewound : public kinds_model::KindsTwins {
public:
    Rewound(const WorldConfig& config, std::uint32_t seed) : KindsTwins(config, seed), dice_(seed) {
        declare_names(world).value();
        world.declare<Score>("Score", ComponentKind::resource, field("points", &Score::points)).value();
        world.declare<Shot>("Shot", ComponentKind::event, field("power", &Shot::power)).value();
        world.objects().set_copies(world.id<Brain>(), {copy_of, copy_of});
    }

    void run(int operations) {
        for (int i = 1; i <= operations; ++i) {
            operate();
            const std::uint32_t roll = dice_() % 100;
            if (roll < 3) take();
            if (roll == 3 && !kept_.empty()) restore(kept_[dice_() % kept_.size()]);
            if (roll == 4 && !kept_.empty())
                kept_.erase(kept_.begin() + static_cast<std::ptrdiff_t>(dice_() % kept_.size()));
            if (i % 500 == 0) check_all();
        }
        check_all();
    }

    std::size_t restored = 0, replayed = 0;

private:
    static constexpr int kReplayed = 12;

    struct Kept {
        WorldSnapshot snapshot;
        kinds_model::Model model;
        MoreModel more;
        std::mt19937 random;
        Dump dump;
        std::uint64_t hash;
        Dump dump_after;  ///< after kReplayed more operations
        std::uint64_t hash_after;
    };

    static Result<std::shared_ptr<void>> copy_of(const std::shared_ptr<void>& object) {
        return std::shared_ptr<void>(
            std::make_shared<std::int64_t>(*static_cast<const std::int64_t*>(object.get())));
    }

    void operate() {
        switch (pick(12)) {
            case 0:
                name();
                break;
            case 1:
                send();
                break;
            case 2:
                more_.points += static_cast<std::int64_t>(pick(10));
                std::memcpy(world.resources().data(world.id<Score>()), &more_.points, sizeof more_.points);
                break;
            case 3:
                world.advance_change_version();
                break;
            case 4:
                bound();
                break;
            case 5:
                if (pick(8) == 0) collect_texts(world);
                break;
            default:
                step();
                break;
        }
    }

    void name() {
        if (model.alive.empty()) return;
        const Entity entity = any_of(model.alive)->first;
        const std::string name = pick(4) == 0 ? "" : "name " + std::to_string(pick(40));
        AGREE(set_name(world, entity, name).ok());
        more_.names[entity] = name;
    }

    // The value of a chunk belongs to the chunk, so only the dump knows it.
    void bound() {
        if (model.alive.empty()) return;
        const Entity entity = any_of(model.alive)->first;
        const Bounds bounds{static_cast<float>(pick(100)), 0};
        if (world.has<Bounds>(entity)) AGREE(world.set(entity, bounds));
    }

    void send() {
        EventStore& events = world.events();
        if (pick(3) == 0) {
            events.begin_tick();
            more_.shots.erase(more_.shots.begin(),
                              more_.shots.begin() + static_cast<std::ptrdiff_t>(more_.old_shots));
            more_.old_shots = more_.shots.size();
            return;
        }
        const Shot shot{static_cast<std::int32_t>(random())};
        AGREE(events.make_room(world.registry().find("Shot").value(), 1));
        events.deliver(world.registry().find("Shot").value(), reinterpret_cast<const std::byte*>(&shot), 1);
        more_.shots.push_back(shot.power);
    }

    void check_all() {
        check();
        Score score;
        std::memcpy(&score, world.resources().data(world.id<Score>()), sizeof score);
        AGREE(score.points == more_.points);
        const EventBatch kept = world.events().kept(world.registry().find("Shot").value());
        AGREE(kept.count == more_.shots.size());
        for (std::size_t i = 0; i < kept.count; ++i)
            AGREE(std::memcmp(kept.rows + i * kept.row_bytes, &more_.shots[i], sizeof(std::int32_t)) == 0);
        std::map<std::string, Entity> first;
        for (const auto& [entity, components] : model.alive) {
            const auto named = more_.names.find(entity);
            const std::string expected = named == more_.names.end() ? "" : named->second;
            AGREE(name_of(world, entity) == expected);
            if (!expected.empty()) first.emplace(expected, entity);
        }
        for (const auto& [name, entity] : first) AGREE(find_named(world, name) == entity);
    }

    void take() {
        const std::size_t before = dice_() % (kept_.size() + 1);  // any of them, or none
        Result<WorldSnapshot> taken =
            take_snapshot(world, before == kept_.size() ? nullptr : &kept_[before].snapshot);
        AGREE(taken.ok());
        Kept kept{std::move(taken).value(), model, more_, random, dump_of(world), world_hash(world), {}, 0};
        for (int i = 0; i < kReplayed; ++i) operate();
        kept.dump_after = dump_of(world);
        kept.hash_after = world_hash(world);
        if (kept_.size() == 12) kept_.pop_front();
        kept_.push_back(std::move(kept));
    }

    void restore(const Kept& kept) {
        AGREE(restore_snapshot(world, kept.snapshot).ok());
        ++restored;
        model = kept.model;
        more_ = kept.more;
        AGREE(world_hash(world) == kept.hash);
        AGREE(dump_of(world) == kept.dump);
        check_all();
        if (dice_() % 2 == 0) return;
        // The same operations lead to the same world. The check looked at buffers, which marked them as
        // changed.
        AGREE(restore_snapshot(world, kept.snapshot).ok());
        ++replayed;
        const std::mt19937 other = random;
        random = kept.random;
        for (int i = 0; i < kReplayed; ++i) operate();
        AGREE(world_hash(world) == kept.hash_after);
        AGREE(dump_of(world) == kept.dump_after);
        random = other;
    }

    std::mt19937 dice_;  ///< for snapshots, so that operations are repeatable
    MoreModel more_;
    std::deque<Kept> kept_;
};

// Each world with random numbers of its own. Worlds with all kinds collect thousands of archetypes, which
// dumps and restores go through, so many worlds are tested sooner than one that lives long.
void run_worlds(std::uint32_t worlds, int operations) {
    std::size_t restored = 0, replayed = 0;
    for (std::uint32_t world = 0; world < worlds; ++world) {
        for (const std::uint32_t rows : {2u, 7u, 64u, 0u}) {
            const std::uint32_t seed = 11 + rows + 1000 * world;
            CAPTURE(seed);
            Rewound rewound(rows == 0 ? WorldConfig{} : tiny_chunks(rows), seed);
            rewound.run(operations);
            restored += rewound.restored;
            replayed += rewound.replayed;
        }
    }
    CHECK(restored > worlds);
    CHECK(replayed > worlds);
}

}  // namespace

TEST_CASE("random operations, snapshots and rewinds agree with a naive model") { run_worlds(1, 3000); }

TEST_CASE("a million random operations, snapshots and rewinds agree with a naive model", "[.][long]") {
    run_worlds(25, 10'000);
}

}  // namespace perigee
