// A step is some nanoseconds, see ScriptLimits::fuel_per_run.
#include "scripting/mods/internal/query_work.h"

#include "ecs/archetype/archetype.h"
#include "ecs/query/query.h"
#include "ecs/world/world.h"

namespace perigee::internal {

namespace {

constexpr double kStepsPerChunk = 4;           // whose filters are checked
constexpr double kStepsPerReachedRow = 2;      // changed, or written to a list
constexpr double kStepsPerSortedRow = 5;       // about 50 ns: SortedRows::collect
constexpr double kStepsPerReadRow = 1.0 / 64;  // most look-ups read no row again
constexpr double kStepsPerComparedRow = 0.5, kComparedBytesPerStep = 64;

}  // namespace

double steps_of(const Query& query, QueryWork work) noexcept {
    double steps = static_cast<double>(query.matches().size()), rows = 0;
    for (const QueryMatch& match : query.matches()) {
        rows += static_cast<double>(match.archetype->entity_count());
        if (!query.is_plain()) steps += kStepsPerChunk * match.archetype->chunk_count();
    }
    const bool sorts = work == QueryWork::count_chunks || work == QueryWork::visit;
    if (sorts && query.desc().order_by) steps += kStepsPerSortedRow * rows;
    if (!query.desc().related.empty()) steps += kStepsPerReadRow * rows;
    if (work == QueryWork::reach_rows) steps += kStepsPerReachedRow * rows;
    return steps;
}

double steps_to_find_sources(const World& world, ComponentId relation) noexcept {
    double steps = 10;
    for (std::uint32_t i = 0; i < world.archetypes().size(); ++i) {
        const Archetype& archetype = world.archetypes().at(i);
        if (!archetype.has(relation)) continue;
        steps += archetype.chunk_count() + kStepsPerReadRow * static_cast<double>(archetype.entity_count());
    }
    return steps;
}

double steps_to_compare(std::uint32_t rows, std::uint32_t row_bytes) noexcept {
    return rows * (kStepsPerComparedRow + row_bytes / kComparedBytesPerStep);
}

}  // namespace perigee::internal
