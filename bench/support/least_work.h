// The least memory work that structural change needs: plain copies and records, nothing checked.
//
// One contiguous table per component set, two or three 8-byte columns, an 8-byte id column, and one 8-byte
// record per entity. Each operation is one call, as it is for any engine; the columns are known at compile
// time, rows are never refused, ids are never stale, and there are no defaults, chunks, versions or locks.
//
//   records:  id -> { row, generation and table }       tables:  ids | positions | velocities | masses
//   a free record holds the next free id instead of the row
#pragma once

#include "bench/support/bench_world.h"
#include "bench/support/big_array.h"

#include <cstddef>
#include <cstdint>
#include <utility>

namespace perigee::bench {

struct LeastRecord {
    std::uint32_t row;
    std::uint32_t generation_and_table;
};

struct LeastTable {
    explicit LeastTable(std::size_t capacity, Pages pages = Pages::huge)
        : ids(capacity, pages), position(capacity, pages), velocity(capacity, pages), mass(capacity, pages) {}

    BigArray<std::uint64_t> ids;
    BigArray<Position> position;
    BigArray<Velocity> velocity;
    BigArray<Mass> mass;  ///< touched only by tables whose entities have one
    std::uint32_t count = 0;
};

class LeastStore {
public:
    explicit LeastStore(std::size_t capacity, Pages pages = Pages::huge)
        : records_(capacity, pages), two_(capacity, pages), three_(capacity, pages) {}

    LeastTable& two() noexcept { return two_; }
    LeastTable& three() noexcept { return three_; }

    std::uint32_t create(Position position, Velocity velocity) noexcept;
    void create_many(std::uint32_t count) noexcept;
    void destroy(std::uint32_t id) noexcept;
    void destroy_all() noexcept;
    void add_mass(std::uint32_t id) noexcept;
    void remove_mass(std::uint32_t id) noexcept;
    void add_mass_to_all() noexcept;       ///< from the empty: three() has nothing before
    void remove_mass_from_all() noexcept;  ///< the same for two()
    void velocity_for_mass(std::uint32_t id) noexcept;

    /// Compares the generation, as a look-up of a possibly stale id must; null when it differs.
    const Position* position(std::uint32_t id, std::uint32_t generation) const noexcept {
        const LeastRecord record = records_[id];
        return record.generation_and_table == generation ? two_.position.data() + record.row : nullptr;
    }
    Position& position_of(std::uint32_t id) noexcept { return two_.position[records_[id].row]; }

private:
    std::uint32_t take_id() noexcept {
        if (first_free_ == kNone) return next_id_++;
        return std::exchange(first_free_, records_[first_free_].row);
    }
    void give_back(std::uint32_t id) noexcept {
        records_[id] = LeastRecord{std::exchange(first_free_, id), 1};
    }
    static void fill_hole(LeastTable& table, std::uint32_t row, BigArray<LeastRecord>& records) noexcept {
        const std::uint32_t last = --table.count;
        const std::uint64_t moved = table.ids[last];
        table.ids[row] = moved;
        table.position[row] = table.position[last];
        table.velocity[row] = table.velocity[last];
        records[moved].row = row;
    }

    void take_all(LeastTable& from, LeastTable& to, std::uint32_t generation_and_table) noexcept;

    BigArray<LeastRecord> records_;
    LeastTable two_;    ///< Position, Velocity
    LeastTable three_;  ///< Position, Velocity, Mass
    static constexpr std::uint32_t kNone = 0xFFFFFFFF;
    std::uint32_t next_id_ = 0;
    std::uint32_t first_free_ = kNone;
};

}  // namespace perigee::bench
