// Memory that C++ writes and trusted Lua reads: column views, chunk data, the state of a running system, the
// state of a mod.
//
// Invariant: it lives as long as the Lua state that sees it, at one address, so a reference that a mod keeps
// always points to a view. Arming and disarming here decide what such a reference can access. Mirrored by
// scripts/runtime/layout.lua, which compares every offset below when a state starts.
#pragma once

#include "ecs/base/random.h"
#include "ecs/query/query.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace perigee {

/// One column of one chunk, or the one value of a shared or chunk component, as Lua sees it.
struct ColumnView {
    std::uint64_t address = 0;    ///< of row 0; 0: disarmed, or absent
    std::int32_t count = 0;       ///< rows; read as 32 or 16 bits, whichever the column's type cannot alias.
                                  ///< Views of a chunk are checked against StateMemory::lent_rows instead.
    std::uint32_t first_row = 0;  ///< number of row 0 in the chunk: the index of its enabled bit in `mask`
    std::uint64_t epoch = 0;      ///< number of the visit; 0: none. Columns and proxies compare theirs.
    std::uint64_t self = 0;       ///< own address, for proxies
    std::uint64_t mask = 0;       ///< address of the chunk's enabled bits; 0: none
};

/// Read by chunk.count, chunk.index, chunk:runs() and chunk:rows(). One per ViewSet.
struct ChunkMemory {
    std::int32_t count = 0;  ///< rows lent
    std::int32_t index = 0;  ///< number of the visit in this run, from 1
    double first_row = 0;    ///< number of the first row among all rows of this run, from 1
    std::uint64_t runs = 0;  ///< address of the table of runs, see ViewSet::runs_
    std::uint64_t rows = 0;  ///< address of the table of rows, once fill_rows made it
    void* views = nullptr;   ///< the ViewSet
    std::int32_t run_limit =
        0;  ///< number of rows with table entries, plus the entry before row 1; 0: disarmed
    std::uint32_t reserved = 0;
};

/// Read by ctx and ctx.commands. One per system.
struct SystemMemory {
    double dt = 0;
    double tick = 0;
    double time = 0;
    double alpha = 0;
    std::uint64_t epoch = 0;  ///< number of the run; 0: not running. Entity proxies compare it.
    std::uint32_t reserved = 0;
    std::uint32_t may_command = 0;  ///< ctx.commands works
    void* random = nullptr;         ///< the system's Random while it may be used
    void* system = nullptr;         ///< the ScriptSystem
};

/// Which part of a mod's code is running; scripts/runtime/phase.lua says what it may do.
enum class ScriptPhase : std::uint32_t { schema = 1, main, idle, system, playback, service, hash, migrate };

/// One per mod.
struct StateMemory {
    std::uint64_t outside_epoch = 1;  ///< limits proxies made outside systems
    std::uint32_t phase = 0;          ///< ScriptPhase
    std::uint32_t error_row = 0;      ///< row of the last error, from 1; 0: none
    std::uint32_t is_presentation = 0;
    std::uint32_t error_length = 0;  ///< bytes of the message that error_row belongs to
    /// Row count of the armed ViewSet's views; 0: none is armed. One number in one place for all columns, so
    /// that compiled code checks a row number once, however many columns it reads.
    std::uint64_t lent_rows = 0;
    double sorted_keys = 0;  ///< table keys that pairs sorted in this run
};

static_assert(sizeof(ColumnView) == 40 && sizeof(ChunkMemory) == 48 && sizeof(SystemMemory) == 64 &&
              sizeof(StateMemory) == 40);

/// The views of one query: the entity column, one per term, and the data of the whole chunk.
///
/// At most one set of a state is armed at a time. Lifetime: `state` must outlive it.
class ViewSet {
public:
    ViewSet(std::span<const ComponentId> terms, StateMemory& state);
    ViewSet(const ViewSet&) = delete;
    ViewSet& operator=(const ViewSet&) = delete;

    /// Lends rows first .. last - 1 of a chunk until disarm(). Rows count from 1 in Lua, and chunk:runs()
    /// returns them as one run.
    void arm(const ChunkView& chunk, std::uint32_t first, std::uint32_t last, std::uint64_t epoch) noexcept;
    /// Lends all rows of a chunk; chunk:runs() returns the runs that pass.
    void arm_runs(const ChunkView& chunk, std::uint64_t epoch);
    /// Lends a list of entities, and one value each for the first term (null: none). They need not come from
    /// a chunk.
    void arm_list(std::span<const Entity> entities, const std::byte* values, std::uint64_t epoch) noexcept;
    /// Builds the table for chunk:rows() from the runs of the chunk. False when memory is exhausted.
    bool fill_rows() noexcept;
    /// Ends all access: every use is an error from now on.
    void disarm() noexcept;

    /// Called before the first chunk of a run: restarts the count of chunks and rows.
    void restart() noexcept;

    std::span<const ComponentId> terms() const noexcept { return terms_; }
    ColumnView* data() const noexcept { return views_.get(); }
    ChunkMemory* memory() const noexcept { return memory_.get(); }

private:
    void lend_rows(const ChunkView& chunk, std::uint32_t first, std::uint32_t last,
                   std::uint64_t epoch) noexcept;
    void count_visit(std::uint32_t rows, std::uint32_t rows_seen) noexcept;

    void lend_to_state(std::size_t rows) noexcept;

    std::vector<ComponentId> terms_;
    StateMemory& state_;
    std::unique_ptr<ColumnView[]> views_;
    std::unique_ptr<ChunkMemory> memory_;

    /// Entry 2 r: first row of the run after the one that begins with row r, 0 if there is none; entry 2 r +
    /// 1: last row of that run. r is 0 for the first run. Other entries are unused.
    std::vector<std::uint16_t> runs_;
    /// Entry r: the row after row r, 0 if there is none; entry 0 is the first row.
    std::vector<std::uint16_t> next_;
    std::int32_t visits_ = 0;
    double rows_seen_ = 0;
};

}  // namespace perigee
