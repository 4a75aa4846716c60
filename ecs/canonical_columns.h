// Columns whose floats a script may read as they are.
//
// A script reads floats of chunks without a look at their bits, because that look would cost more than the
// loop around it. So it happens before a chunk is lent, and only where other code may have written since
// the last time: each column remembers the version at which it was found canonical (Archetype::is_canonical).
//
// Invariant: scripts write canonical floats only, so what they wrote is noted as canonical and not looked at.
// Everything else that writes to a column, of whatever layer, marks a newer version, and that is all it must
// do. Not here: values outside of columns (resources, events, buffers, shared values, …), which scripts test
// at each access (scripts/runtime/codec.lua).
#pragma once

#include "ecs/component.h"

#include <cstdint>
#include <mutex>
#include <span>

namespace perigee {

class ChunkView;
class ComponentRegistry;
class Query;

/// Makes the floats canonical in all columns that the query shows, of every chunk that it may visit.
/// `turn` is held while a chunk is looked at, so that of two systems that read it one waits for the other.
/// Expects: called by a system that declares the query's terms.
/// Cost: two loads for each chunk and term that has floats; one pass over what was written since.
void make_canonical(const Query& query, const ComponentRegistry& registry, std::mutex& turn);

/// The same for rows that were not looked at yet: first .. last - 1 of the chunk. `components` are the view's terms.
void make_rows_canonical(const ChunkView& chunk, std::uint32_t first, std::uint32_t last,
                         const ComponentRegistry& registry, std::span<const ComponentId> components) noexcept;

}  // namespace perigee
