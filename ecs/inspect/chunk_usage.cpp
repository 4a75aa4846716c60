// Counts rows and bytes.
#include "ecs/inspect/chunk_usage.h"

#include "ecs/base/counted.h"
#include "ecs/base/error_codes.h"
#include "ecs/inspect/composition.h"
#include "ecs/inspect/world_stats.h"
#include "ecs/schema/registry.h"

#include <fmt/format.h>

namespace perigee {

namespace {

// Warns if chunks are less than a quarter full and at least this many more than needed.
constexpr std::size_t kFragmentedChunks = 16;

ArchetypeUsage usage_of(const World& world, const Archetype& archetype, std::size_t bytes_per_chunk) {
    ArchetypeUsage usage;
    usage.archetype = archetype.index();
    usage.hash = composition_hash(world, archetype);
    for (const ComponentId id : archetype.components()) {
        usage.components.push_back(world.registry().info(id).schema.name);
    }
    usage.rows = archetype.entity_count();
    usage.chunks = archetype.chunk_count();
    usage.rows_per_chunk = archetype.capacity();
    usage.row_bytes = archetype.layout().row_bytes;
    usage.chunk_bytes = usage.chunks * bytes_per_chunk;
    usage.wasted_bytes = usage.chunk_bytes - usage.rows * usage.row_bytes;
    for (const Column& column : archetype.layout().columns) {
        const bool is_entity = usage.columns.empty();
        usage.columns.push_back(
            {is_entity ? "" : world.registry().info(column.component).schema.name, column.size});
    }
    for (std::uint32_t i = 0; i < archetype.chunk_count(); ++i)
        usage.chunk_rows.push_back(archetype.chunks()[i].row_count);
    return usage;
}

SharedUsage shared_usage(const World& world, const ComponentInfo& info) {
    SharedUsage usage;
    usage.component = info.schema.name;
    usage.values = shared_values(world, info.id).size();
    for (std::uint32_t i = 0; i < world.archetypes().size(); ++i) {
        const Archetype& archetype = world.archetypes().at(i);
        if (archetype.shared_of(info.id) < 0) continue;
        usage.rows += archetype.entity_count();
        usage.chunks += archetype.chunk_count();
        usage.chunks_needed += (archetype.entity_count() + archetype.capacity() - 1) / archetype.capacity();
    }
    return usage;
}

}  // namespace

ChunkUsage chunk_usage(const World& world) {
    ChunkUsage usage;
    usage.total = stats_of(world);
    for (std::uint32_t i = 0; i < world.archetypes().size(); ++i) {
        const Archetype& archetype = world.archetypes().at(i);
        if (archetype.chunk_count() == 0) continue;
        usage.archetypes.push_back(
            usage_of(world, archetype, archetype.layout().unit_count * world.store().pool().unit_stride()));
    }
    for (const ComponentId id : world.registry().ids_by_name()) {
        const ComponentInfo& info = world.registry().info(id);
        if (info.schema.presentation) usage.presentation_data.push_back(info.schema.name);
        if (!is_shared_kind(info.kind())) continue;
        const SharedUsage shared = shared_usage(world, info);
        if (shared.chunks >= shared.chunks_needed * 4 && shared.chunks >= kFragmentedChunks) {
            usage.warnings.push_back(errors::fragmented_by_shared(
                shared.component, shared.values, shared.rows, shared.chunks, shared.chunks_needed));
        }
        usage.shared.push_back(shared);
    }
    return usage;
}

std::string text_of(const ChunkUsage& usage) {
    const auto percent = [](std::size_t part, std::size_t whole) {
        return whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
    };
    const WorldStats& total = usage.total;
    std::string text =
        fmt::format("{}, {}, {}, {} bytes in chunks, {} of them unused ({:.1f} %)\n",
                    counted(total.entities, "entity", "entities"), counted(total.archetypes, "archetype"),
                    counted(total.chunks, "chunk"), total.chunk_bytes, total.unused_bytes,
                    percent(total.unused_bytes, total.chunk_bytes));
    text += fmt::format("{:>9} {:>16} {:>8} {:>8} {:>10} {:>9} {:>7}  {}\n", "archetype", "hash", "rows",
                        "chunks", "rows/chunk", "row bytes", "filled", "components");
    for (const ArchetypeUsage& one : usage.archetypes) {
        text +=
            fmt::format("{:>9} {:>16} {:>8} {:>8} {:>10} {:>9} {:>6.1f}%  {}\n", one.archetype,
                        composition_text(one.hash), one.rows, one.chunks, one.rows_per_chunk, one.row_bytes,
                        percent(one.rows, one.chunks * one.rows_per_chunk), fmt::join(one.components, ", "));
    }
    for (const SharedUsage& one : usage.shared) {
        text += fmt::format("shared {}: {}, {} in {}, {} without it\n", one.component,
                            counted(one.values, "value"), counted(one.rows, "row"),
                            counted(one.chunks, "chunk"), one.chunks_needed);
    }
    if (!usage.presentation_data.empty()) {
        text += fmt::format("presentation data, in no hash and no saved world: {}\n",
                            fmt::join(usage.presentation_data, ", "));
    }
    for (const std::string& warning : usage.warnings) text += "warning: " + warning + "\n";
    return text;
}

}  // namespace perigee
