// Two nested loops, over chunks and over the terms that have floats.
#include "ecs/query/canonical_columns.h"

#include "ecs/query/query.h"
#include "ecs/schema/float_runs.h"
#include "ecs/schema/registry.h"

namespace perigee {

namespace {

// Cells of buffers and objects are not rows of the schema.
std::span<const FloatRun> floats_of(const ComponentRegistry& registry, ComponentId component) noexcept {
    const ComponentInfo& info = registry.info(component);
    if (!info.has_column() || info.owns_memory()) return {};
    return info.floats;
}

void make_canonical(Archetype& archetype, const TermPlace& place, std::span<const FloatRun> floats,
                    std::mutex& turn) {
    for (std::uint32_t chunk = 0; chunk < archetype.chunk_count(); ++chunk) {
        if (archetype.is_canonical(chunk, place.version_slot)) continue;
        const std::lock_guard lock(turn);
        if (archetype.is_canonical(chunk, place.version_slot)) continue;
        const ChunkSlot& slot = archetype.chunks()[chunk];
        make_canonical(floats, slot.data + place.offset, place.size, slot.row_count);
        archetype.mark_canonical(chunk, place.version_slot);
    }
}

}  // namespace

void make_canonical(const Query& query, const ComponentRegistry& registry, std::mutex& turn) {
    const std::vector<QueryTerm>& terms = query.desc().terms;
    for (std::size_t term = 0; term < terms.size(); ++term) {
        const std::span<const FloatRun> floats = floats_of(registry, terms[term].component);
        if (floats.empty()) continue;
        for (const QueryMatch& match : query.matches()) {
            const TermPlace& place = match.terms[term];
            if (place.offset != kNoColumn) make_canonical(*match.archetype, place, floats, turn);
        }
    }
}

void forget_canonical(const Query& query) noexcept {
    for (const QueryMatch& match : query.matches()) {
        for (std::size_t term = 0; term < query.desc().terms.size(); ++term) {
            const TermPlace& place = match.terms[term];
            if (place.offset == kNoColumn) continue;
            for (std::uint32_t chunk = 0; chunk < match.archetype->chunk_count(); ++chunk)
                match.archetype->forget_canonical(chunk, place.version_slot);
        }
    }
}

void make_rows_canonical(const ChunkView& chunk, std::uint32_t first, std::uint32_t last,
                         const ComponentRegistry& registry,
                         std::span<const ComponentId> components) noexcept {
    for (std::size_t term = 0; term < components.size(); ++term) {
        const std::span<const FloatRun> floats = floats_of(registry, components[term]);
        std::byte* const column = chunk.column_data(term);
        if (floats.empty() || column == nullptr) continue;
        const std::uint32_t bytes = chunk.row_bytes(term);
        make_canonical(floats, column + std::size_t{first} * bytes, bytes, last - first);
    }
}

}  // namespace perigee
