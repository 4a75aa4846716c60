// The memory that C++ writes and trusted Lua reads: column views, the state of a running system, the state of
// a mod.
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

/// One column of one chunk, as Lua sees it.
struct ColumnView {
    std::uint64_t address = 0;  ///< of row 0; 0: disarmed, or absent
    std::int32_t count = 0;     ///< rows; read as 32 or 16 bits, whatever the column's type cannot alias
    std::uint32_t reserved = 0;
    std::uint64_t epoch = 0;  ///< number of the visit; 0: none. Row proxies compare it.
    std::uint64_t self = 0;   ///< own address, for proxies
};

/// What ctx, chunk.count and ctx.commands read. One per system.
struct SystemMemory {
    double dt = 0;
    double tick = 0;
    double time = 0;
    double alpha = 0;
    std::uint64_t epoch = 0;        ///< number of the run; 0: not running. Entity proxies compare it.
    std::int32_t count = 0;         ///< rows of the current chunk
    std::uint32_t may_command = 0;  ///< ctx.commands works
    void* random = nullptr;         ///< the system's Random while it may be used
    void* system = nullptr;         ///< the ScriptSystem
};

enum class ScriptPhase : std::uint32_t { schema = 1, main, idle, system, playback };

/// One per mod.
struct StateMemory {
    std::uint64_t outside_epoch = 1;  ///< limits proxies made outside of systems
    std::uint32_t phase = 0;          ///< ScriptPhase
    std::uint32_t error_row = 0;      ///< row of the last error, from 1; 0: none
    std::uint32_t is_presentation = 0;
    std::uint32_t error_length = 0;  ///< bytes of the message that error_row belongs to
};

static_assert(sizeof(ColumnView) == 32 && sizeof(SystemMemory) == 64 && sizeof(StateMemory) == 24);

/// The views of one query: the entity column, then one per term.
class ViewSet {
public:
    explicit ViewSet(std::span<const ComponentId> terms);

    /// Lends rows first .. last - 1 of a chunk until disarm(). The rows count from 1 in Lua.
    void arm(const ChunkView& chunk, std::uint32_t first, std::uint32_t last, std::uint64_t epoch) noexcept;
    /// Takes everything back: each access is an error from now on.
    void disarm() noexcept;

    ColumnView* data() const noexcept { return views_.get(); }

private:
    std::vector<ComponentId> terms_;
    std::unique_ptr<ColumnView[]> views_;
};

}  // namespace perigee
