// Finding and making archetypes, edges and their copy plans.
#include "ecs/archetype_graph.h"

#include "ecs/contract.h"

#include <algorithm>
#include <utility>

namespace perigee {

namespace {

// What to copy and what to default when a row moves. Both column lists are sorted by component.
std::unique_ptr<ArchetypeTransition> plan_transition(const Archetype& from, Archetype& to) {
    auto transition = std::make_unique<ArchetypeTransition>();
    transition->target = &to;
    const std::vector<Column>& columns = to.layout().columns;
    for (std::size_t i = 1; i < columns.size(); ++i) {
        const Column& column = columns[i];
        const int source = from.column_of(column.component);
        if (source < 0) {
            ECS_INVARIANT(transition->added.size == 0);
            transition->added = {to.image_offset(i), column.offset, column.size};
        } else {
            const Column& old = from.layout().columns[static_cast<std::size_t>(source)];
            transition->copies.add({old.offset, column.offset, column.size});
        }
    }
    return transition;
}

}  // namespace

ArchetypeGraph::ArchetypeGraph(const ComponentRegistry& registry, ChunkPool& pool, UnitTable& units,
                               ChunkShape shape)
    : registry_(registry), pool_(pool), units_(units), shape_(shape) {
    Result<Archetype*> made = require({});
    ECS_INVARIANT(made.ok());
}

ArchetypeGraph::~ArchetypeGraph() = default;

Result<Archetype*> ArchetypeGraph::require(std::span<const ComponentId> components) {
    std::vector<ComponentId> key(components.begin(), components.end());
    std::sort(key.begin(), key.end());
    key.erase(std::unique(key.begin(), key.end()), key.end());
    if (const auto found = by_components_.find(key); found != by_components_.end()) return found->second;

    std::vector<ColumnRequest> columns;
    std::vector<std::byte> default_image;
    for (const ComponentId id : key) {
        const ComponentInfo& info = registry_.info(id);
        if (!info.has_column()) continue;
        columns.push_back(ColumnRequest{id, info.schema.size});
        default_image.insert(default_image.end(), info.schema.defaults.begin(), info.schema.defaults.end());
    }
    Result<ChunkLayout> layout = layout_chunk(columns, shape_);
    if (!layout) return layout.error();

    const auto index = static_cast<std::uint32_t>(archetypes_.size());
    archetypes_.push_back(std::make_unique<Archetype>(index, key, std::move(layout).value(),
                                                      std::move(default_image), pool_, units_));
    Archetype& made = *archetypes_.back();
    by_components_.emplace(std::move(key), &made);
    write_places(made);
    if (on_created_) on_created_(made);
    return &made;
}

ArchetypeTransition* ArchetypeGraph::find_edge(Archetype& from, ComponentId component, bool is_adding) {
    std::vector<ComponentId> components(from.components().begin(), from.components().end());
    if (is_adding) {
        components.push_back(component);
    } else {
        std::erase(components, component);
    }
    Result<Archetype*> to = require(components);
    if (!to) return nullptr;

    std::vector<ArchetypeTransition*>& edges = is_adding ? from.add_edges : from.remove_edges;
    if (edges.size() <= component.index) edges.resize(std::size_t{component.index} + 1, nullptr);
    transitions_.push_back(plan_transition(from, *to.value()));
    edges[component.index] = transitions_.back().get();
    return edges[component.index];
}

// Keeps places_ a dense matrix: archetypes by components, the stride a power of two.
void ArchetypeGraph::write_places(const Archetype& archetype) {
    const std::size_t components = registry_.size();
    if (components > place_stride_) {
        std::size_t stride = std::max<std::size_t>(place_stride_, 16);
        while (stride < components) stride *= 2;
        std::vector<ColumnPlace> wider(archetypes_.size() * stride);
        for (std::size_t row = 0; row + 1 < archetypes_.size(); ++row) {
            std::copy_n(places_.begin() + static_cast<std::ptrdiff_t>(row * place_stride_), place_stride_,
                        wider.begin() + static_cast<std::ptrdiff_t>(row * stride));
        }
        places_ = std::move(wider);
        place_stride_ = stride;
    }
    places_.resize(archetypes_.size() * place_stride_);
    ColumnPlace* row = places_.data() + std::size_t{archetype.index()} * place_stride_;
    for (const ComponentId id : archetype.components()) row[id.index].line = ColumnPlace::kTag;
    for (std::size_t i = 1; i < archetype.layout().columns.size(); ++i) {
        const Column& column = archetype.layout().columns[i];
        row[column.component.index] = ColumnPlace{static_cast<std::uint16_t>(column.offset / kCacheLine),
                                                  static_cast<std::uint16_t>(i), column.size};
    }
}

}  // namespace perigee
