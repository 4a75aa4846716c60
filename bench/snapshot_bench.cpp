// Snapshots of a world in memory. Baseline: a memcpy of the live chunks, into memory that is warm, or another
// row of ours.
//
// 100,000 entities in rows of 64 bytes, the entity included. A snapshot also copies the record of each
// entity, 8 bytes more. Memory of the snapshot before the last one is used again, as in a ring of recent
// steps.
#include "bench/support/bench_world.h"
#include "bench/support/harness.h"
#include "bench/support/populated.h"
#include "ecs/save/world_snapshot.h"
#include "ecs/world/bulk.h"

#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <optional>
#include <vector>

namespace perigee::bench {
namespace {

struct Kept {
    std::unique_ptr<World> world = make_world();
    std::vector<Entity> first;  ///< of each chunk
    std::vector<std::byte> copy, older_copy;
    std::optional<WorldSnapshot> last;

    Kept() {
        const std::array components{world->id<Position>(), world->id<Velocity>(), world->id<Mass>(),
                                    declare_floats(*world, "Rest", 8)};
        Archetype& archetype = *world->archetype(components).value();
        spawn_many(*world, archetype, kHundredThousand);
        for (std::uint32_t i = 0; i < archetype.chunk_count(); ++i)
            first.push_back(Archetype::entities(archetype.chunks()[i])[0]);
        copy.resize(kHundredThousand * archetype.layout().row_bytes);
        older_copy.resize(copy.size());
        copy_chunks();
        copy_chunks();
        world->advance_change_version();
        last = take_snapshot(*world).value();
    }

    // Calls fn(address, bytes) for each column with its live rows.
    template <typename Function> void each_column(Function&& fn) {
        for (std::uint32_t i = 0; i < world->archetypes().size(); ++i) {
            const Archetype& archetype = world->archetypes().at(i);
            for (std::uint32_t chunk = 0; chunk < archetype.chunk_count(); ++chunk) {
                const ChunkSlot& slot = archetype.chunks()[chunk];
                for (const Column& column : archetype.layout().columns)
                    fn(slot.data + column.offset, std::size_t{slot.row_count} * column.size);
            }
        }
    }
    // Into the older of two copies, since the newer one is still in use.
    void copy_chunks() {
        copy.swap(older_copy);
        std::byte* to = copy.data();
        each_column([&](const std::byte* from, std::size_t bytes) {
            std::memcpy(to, from, bytes);
            to += bytes;
        });
        keep(to);
    }
    void copy_back() {
        const std::byte* from = copy.data();
        each_column([&](std::byte* to, std::size_t bytes) {
            std::memcpy(to, from, bytes);
            from += bytes;
        });
        keep(from);
    }
    void write_some(std::size_t every) {
        world->advance_change_version();
        for (std::size_t i = 0; i < first.size(); i += every) world->edit<Position>(first[i])->x += 1;
    }
    void take_full() { last = take_snapshot(*world).value(); }
    void take_next() { last = take_snapshot(*world, &*last).value(); }
};

template <typename Body> Sample loop(Body body) {
    const auto kept = std::make_shared<Kept>();
    return [=](const Effort& effort) { return time_loop(effort, kHundredThousand, [&] { body(*kept); }); };
}

}  // namespace

std::vector<Case> snapshot_cases() {
    constexpr const char* kCopy = "memcpy of the live chunks";
    constexpr const char* kFull = "a full snapshot, ours";
    const auto copy = [](Kept& kept) { kept.copy_chunks(); };
    const auto copy_back = [](Kept& kept) { kept.copy_back(); };
    const auto full = [](Kept& kept) { kept.take_full(); };
    const auto tenth = [](Kept& kept) {
        kept.write_some(10);
        kept.take_next();
    };
    const auto none = [](Kept& kept) {
        kept.world->advance_change_version();
        kept.take_next();
    };
    const auto restore = [](Kept& kept) { restore_snapshot(*kept.world, *kept.last).value(); };
    std::vector<Case> cases;
    const auto add = [&](const char* row, auto ours, const char* baseline, auto other) {
        cases.push_back(Case{row, kHundredThousand, "c++", baseline, [=] {
                                 return Sides{loop(ours), loop(other)};
                             }});
    };
    add("snapshot in memory", full, kCopy, copy);
    add("snapshot, a tenth of the chunks changed", tenth, kFull, full);
    add("snapshot, nothing changed", none, kFull, full);
    add("restore a snapshot", restore, kCopy, copy_back);
    return cases;
}

}  // namespace perigee::bench
