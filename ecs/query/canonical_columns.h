// Columns whose floats a script may read unchecked.
//
// A script reads floats of chunks without checking their bits, because the check would cost more than the
// loop around it. The check happens before a chunk is lent, and only where other code may have written since
// the last check: each column remembers the version at which it was found canonical
// (Archetype::is_canonical).
//
// Invariant: scripts write canonical floats only, so their writes are marked as canonical and not checked.
// All other code that writes to a column, in any layer, only has to mark a newer version, or forget_canonical
// if it writes with the version of a script, as jobs of a script's system do. Not here: values outside
// columns (resources, events, buffers, shared values, …), which scripts test at each access
// (scripts/runtime/data/codec.lua).
#pragma once

#include "ecs/schema/component.h"

#include <cstdint>
#include <mutex>
#include <span>

namespace perigee {

class ChunkView;
class ComponentRegistry;
class Query;

/// Makes the floats canonical in all columns that the query shows, of every chunk that it may visit. `turn`
/// is locked while a chunk is checked, so two systems that read the chunk do not check it at once. Expects:
/// called by a system that declares the query's terms.
/// Cost: two loads for each chunk and term with floats; one pass over columns written since.
void make_canonical(const Query& query, const ComponentRegistry& registry, std::mutex& turn);

/// From now on other code may write to the columns of the query. Expects: called by a system that declares
/// the query's terms as written.
void forget_canonical(const Query& query) noexcept;

/// make_canonical for rows that were not checked yet: first .. last - 1 of the chunk. `components` are the
/// view's terms.
void make_rows_canonical(const ChunkView& chunk, std::uint32_t first, std::uint32_t last,
                         const ComponentRegistry& registry, std::span<const ComponentId> components) noexcept;

}  // namespace perigee
