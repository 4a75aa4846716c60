// The memory that C++ writes and trusted Lua reads: column views, what is known of the chunk, the state of a
// running system, the state of a mod.
//
// Invariant: it lives as long as the Lua state that sees it, at one address, so a reference that a mod keeps
// for ever still points to a view; what such a reference can reach is decided here, by arming and disarming.
// Mirrored by scripts/runtime/layout.lua, which compares every offset below when a state starts.
#pragma once

#include "ecs/query.h"
#include "ecs/random.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace perigee {

/// One column of one chunk, or the one value of a shared or chunk component, as Lua sees it.
struct ColumnView {
    std::uint64_t address = 0;    ///< of row 0; 0: disarmed, or absent
    std::int32_t count = 0;       ///< rows; read as 32 or 16 bits, whatever the column's type cannot alias.
                                  ///< What shows a chunk is tested against StateMemory::lent_rows instead.
    std::uint32_t first_row = 0;  ///< number of row 0 in the chunk: where its enabled bit stands in `mask`
    std::uint64_t epoch = 0;      ///< number of the visit; 0: none. Columns and proxies compare theirs.
    std::uint64_t self = 0;       ///< own address, for proxies
    std::uint64_t mask = 0;       ///< address of the chunk's enabled bits; 0: none
};

/// What chunk.count, chunk.index, chunk:runs() and chunk:rows() read. One per ViewSet.
struct ChunkMemory {
    std::int32_t count = 0;  ///< rows lent
    std::int32_t index = 0;  ///< number of the visit in this run, from 1
    double first_row = 0;    ///< number of the first row among all rows of this run, from 1
    std::uint64_t runs = 0;  ///< address of the table of runs, see ViewSet::runs_
    std::uint64_t rows = 0;  ///< address of the table of rows, once fill_rows made it
    void* views = nullptr;   ///< the ViewSet
    std::int32_t run_limit =
        0;  ///< rows that the table has entries for, and the one before row 1; 0: disarmed
    std::uint32_t reserved = 0;
};

/// What ctx and ctx.commands read. One per system.
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

/// What of a mod's code is running; what it may do then stands in scripts/runtime/phase.lua.
enum class ScriptPhase : std::uint32_t { schema = 1, main, idle, system, playback, service, hash, migrate };

/// One per mod.
struct StateMemory {
    std::uint64_t outside_epoch = 1;  ///< limits proxies made outside of systems
    std::uint32_t phase = 0;          ///< ScriptPhase
    std::uint32_t error_row = 0;      ///< row of the last error, from 1; 0: none
    std::uint32_t is_presentation = 0;
    std::uint32_t error_length = 0;  ///< bytes of the message that error_row belongs to
    /// Rows of every armed view of the one ViewSet that is armed; 0: none is. One number at one place for all
    /// columns, so that compiled code tests a row's number once however many columns it reads.
    std::uint64_t lent_rows = 0;
    double sorted_keys = 0;  ///< that pairs has put in order in this run
};

static_assert(sizeof(ColumnView) == 40 && sizeof(ChunkMemory) == 48 && sizeof(SystemMemory) == 64 &&
              sizeof(StateMemory) == 40);

/// The views of one query: the entity column, then one per term, and what goes with the chunk as a whole.
///
/// At most one set of a state is armed at a time. Lifetime: `state` outlives it.
class ViewSet {
public:
    ViewSet(std::span<const ComponentId> terms, StateMemory& state);
    ViewSet(const ViewSet&) = delete;
    ViewSet& operator=(const ViewSet&) = delete;

    /// Lends rows first .. last - 1 of a chunk until disarm(). The rows count from 1 in Lua, and
    /// chunk:runs() gives them as one run.
    void arm(const ChunkView& chunk, std::uint32_t first, std::uint32_t last, std::uint64_t epoch) noexcept;
    /// Lends all rows of a chunk; chunk:runs() gives those that pass.
    void arm_runs(const ChunkView& chunk, std::uint64_t epoch);
    /// Lends a list of entities, and of one value each for the first term (null: there are none), which need
    /// not come from a chunk.
    void arm_list(std::span<const Entity> entities, const std::byte* values, std::uint64_t epoch) noexcept;
    /// Makes the table that chunk:rows() walks, from the runs of the chunk. False when memory is exhausted.
    bool fill_rows() noexcept;
    /// Takes everything back: each access is an error from now on.
    void disarm() noexcept;

    /// Before the first chunk of a run: the count of chunks and rows starts over.
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

    /// Entry 2 r: first row of the run behind the one that begins with row r, 0 when it was the last; entry
    /// 2 r + 1: last row of that run. r is 0 for the first run. Other entries mean nothing.
    std::vector<std::uint16_t> runs_;
    /// Entry r: the row behind row r, 0 when it was the last; entry 0 is the first row.
    std::vector<std::uint16_t> next_;
    std::int32_t visits_ = 0;
    double rows_seen_ = 0;
};

}  // namespace perigee
