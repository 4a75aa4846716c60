// Memory that C++ writes and trusted Lua reads: column views, chunk data, the state of a running system, the
// state of a mod.
//
// Invariant: it lives as long as the Lua state that sees it, at one address, so a reference that a mod keeps
// always points to a view. Arming and disarming here decide what such a reference can access. Not here: the
// fields (lua_memory.h).
#pragma once

#include "ecs/base/random.h"
#include "ecs/query/query.h"
#include "scripting/views/lua_memory.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace perigee {

class QueryVisit;

/// The types of lua_memory.h, which says what each field is. All begin with zeros.
struct ColumnView : perigee_view {
    ColumnView() noexcept : perigee_view{} {}
};
struct ChunkMemory : perigee_chunk {
    ChunkMemory() noexcept : perigee_chunk{} {}
};
struct SystemMemory : perigee_system {
    SystemMemory() noexcept : perigee_system{} {}
};
struct StateMemory : perigee_state {
    StateMemory() noexcept : perigee_state{} { outside_epoch = 1; }
};
/// As these types store addresses.
inline std::uint64_t address_of(const void* memory) noexcept {
    return reinterpret_cast<std::uint64_t>(memory);
}

/// Which part of a mod's code is running; scripts/runtime/phase.lua says what it may do.
enum class ScriptPhase : std::uint32_t {
    schema = 1,
    main,
    idle,
    system,
    playback,
    service,
    hash,
    migrate,
    exclusive
};
/// From ScriptPhase::schema on.
inline constexpr std::array<std::string_view, 9> kScriptPhaseNames{
    "schema", "main", "idle", "system", "playback", "service", "hash", "migrate", "exclusive"};
static_assert(kScriptPhaseNames.size() == static_cast<std::size_t>(ScriptPhase::exclusive));

/// The views of one query: the entity column, one per term, and the data of the whole chunk.
///
/// `slot` is the number under which it is armed: 0, or from 1 that of a named query. At most one set of a
/// slot is armed at a time. Lifetime: `state` must outlive it.
class ViewSet {
public:
    ViewSet(std::span<const ComponentId> terms, StateMemory& state, std::size_t slot = 0);
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
    /// From now on the armed chunks are those of this visit, for changed(). Lifetime: that of the set.
    void show(QueryVisit& visit) noexcept { visit_ = &visit; }
    /// QueryVisit::changed of the armed chunk; kRows: QueryVisit::rows_changed. Numbers for Lua.
    enum class Changed : std::int32_t { no, yes, not_visited = -1, in_order = -2 };
    static constexpr std::uint32_t kRows = 0xFFFFFFFF;
    Changed changed(std::uint32_t component) const noexcept;
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
    std::uint64_t& lent_rows_;  ///< of the state
    QueryVisit* visit_ = nullptr;
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
