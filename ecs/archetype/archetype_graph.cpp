// Finds and creates archetypes, edges and their copy plans.
#include "ecs/archetype/archetype_graph.h"

#include "ecs/base/contract.h"
#include "ecs/base/error_codes.h"
#include "ecs/base/internal/reserve_more.h"
#include "ecs/base/memory_quota.h"
#include "ecs/schema/registry.h"
#include "ecs/storage/shared_store.h"

#include <algorithm>
#include <new>
#include <utility>

namespace perigee {

namespace {

// True if a component that `archetype` reports is missing in the other one.
bool reports_more(const Archetype& archetype, const Archetype& other) noexcept {
    return std::any_of(archetype.reported().begin(), archetype.reported().end(),
                       [&](ComponentId component) { return !other.has(component); });
}

// Derived from the observers. The edge of destruction reports all components.
void review(ArchetypeEdge& edge) noexcept {
    const Archetype &from = *edge.source, &to = *edge.target;
    const bool is_death = to.is_destroyed() && !from.is_destroyed();
    edge.is_reported =
        reports_more(from, to) || reports_more(to, from) || (is_death && !from.reported().empty());
    edge.is_plain =
        from.has_plain_rows() && to.has_plain_rows() && edge.also_added.ops().empty() && !edge.is_reported;
}

// The columns to copy and to default when a row moves. Both column lists are sorted by component. `given` is
// the component whose value may come from the caller.
std::unique_ptr<ArchetypeEdge> plan_edge(const ArchetypeGraph& graph, const Archetype& from, Archetype& to,
                                         ComponentId given) {
    auto edge = std::make_unique<ArchetypeEdge>();
    edge->target = &to;
    const std::vector<Column>& columns = to.layout().columns;
    for (std::size_t i = 1; i < columns.size(); ++i) {
        const Column& column = columns[i];
        const int source = from.column_of(column.component);
        if (source >= 0) {
            const Column& old = from.layout().columns[static_cast<std::size_t>(source)];
            edge->copies.add({old.offset, column.offset, column.size});
        } else if (column.component == given) {
            edge->added = {to.image_offset(i), column.offset, column.size};
        } else {
            edge->also_added.add({to.image_offset(i), column.offset, column.size});
        }
    }
    for (const MaskColumn& mask : to.layout().masks) {
        const int source = from.mask_of(mask.component);
        if (source < 0) continue;
        edge->masks.push_back({from.layout().masks[static_cast<std::size_t>(source)].offset, mask.offset});
    }
    for (const OwningColumn& owning : from.owning_columns()) {
        if (!to.has(owning.info->id)) edge->released.push_back(owning);
    }
    for (const ComponentId component : to.shared_components()) {
        edge->shared_sources.push_back(from.shared_of(component));
    }
    for (const ComponentId component : from.components()) {
        if (graph.is_hooked(component) && !to.has(component)) edge->hooked.push_back(component);
    }
    edge->source = &from;
    review(*edge);
    return edge;
}

// Approximate memory of an archetype without its chunks, including its row in the table of places.
std::size_t bytes_of(const ArchetypeParts& parts, std::size_t places) noexcept {
    constexpr std::size_t kNodeBytes = 96;
    return sizeof(Archetype) + kNodeBytes + places * sizeof(ColumnPlace) +
           parts.components.size() * (2 * sizeof(ComponentId) + sizeof(Column)) +
           3 * parts.default_image.size() + 2 * parts.default_chunk_value.size();
}

std::size_t round_up_16(std::size_t bytes) { return (bytes + 15) / 16 * 16; }

}  // namespace

ArchetypeGraph::ArchetypeGraph(const ComponentRegistry& registry, ChunkPool& pool, UnitTable& units,
                               SharedStore& shared, ChunkShape shape)
    : registry_(registry), pool_(pool), units_(units), shared_(shared), shape_(shape) {
    Result<Archetype*> made = require({});
    ECS_INVARIANT(made.ok());
}

ArchetypeGraph::~ArchetypeGraph() = default;

Result<Archetype*> ArchetypeGraph::require(std::span<const ComponentId> components) {
    std::vector<ComponentId> key(components.begin(), components.end());
    std::sort(key.begin(), key.end());
    key.erase(std::unique(key.begin(), key.end()), key.end());
    if (const auto found = by_components_.find(key); found != by_components_.end()) {
        if (found->second->is_dormant()) wake(*found->second);
        return found->second;
    }

    for (const ComponentId id : key) {
        const Schema& schema = registry_.info(id).schema;
        if (!is_component_kind(schema.kind)) {
            return Error{errors::not_of_entities(schema.name, kind_name(schema.kind))};
        }
    }
    Result<ArchetypeParts> parts = parts_of(key);
    if (!parts) return parts.error();
    return &make_archetype(std::move(key), std::move(parts).value());
}

// All or nothing: when a step runs out of memory, the previous steps are undone.
Archetype& ArchetypeGraph::make_archetype(std::vector<ComponentId> key, ArchetypeParts parts) {
    const std::size_t index = archetypes_.size();
    if (index >= kMaxArchetypes) {
        internal::note_refused(MemoryKind::archetypes);
        throw std::bad_alloc();
    }
    const std::size_t bytes = bytes_of(parts, std::max(place_stride_, registry_.size()));
    if (!internal::may_take(MemoryKind::archetypes, bytes, 1)) throw std::bad_alloc();
    reserve_places(index + 1);
    internal::reserve_more(archetypes_, index + 1);
    const std::vector<ComponentId> shared = parts.shared;
    std::vector<SharedIndex> counted;
    counted.reserve(shared.size());
    auto known = by_components_.end();
    try {
        for (const ComponentId id : shared) {
            const ComponentInfo& info = registry_.info(id);
            counted.push_back(shared_.intern(info, info.schema.defaults.data()));
        }
        parts.default_shared = counted;
        archetypes_.push_back(std::make_unique<Archetype>(static_cast<std::uint32_t>(index), std::move(parts),
                                                          pool_, units_, shared_));
        Archetype& made = *archetypes_.back();
        known = by_components_.emplace(std::move(key), &made).first;
        write_places(made);
        made.dormant_in_ = this;
        wake(made);
        bytes_ += bytes;
        return made;
    } catch (...) {
        internal::gave_back(MemoryKind::archetypes, bytes, 1);
        if (known != by_components_.end()) by_components_.erase(known);
        archetypes_.resize(index);
        for (std::size_t i = 0; i < counted.size(); ++i) shared_.release(shared[i], counted[i]);
        throw;
    }
}

void ArchetypeGraph::wake(Archetype& archetype) {
    if (on_created_) on_created_(archetype);
    archetype.dormant_in_ = nullptr;
    move_to(archetype, static_cast<std::uint32_t>(awake_count_++));
}

void ArchetypeGraph::arrange(std::span<Archetype* const> awake) noexcept {
    for (const std::unique_ptr<Archetype>& archetype : archetypes_) archetype->dormant_in_ = this;
    awake_count_ = 0;
    for (Archetype* const archetype : awake) {
        archetype->dormant_in_ = nullptr;
        move_to(*archetype, static_cast<std::uint32_t>(awake_count_++));
    }
    forget_edges();
}

// Swaps places with the archetype of that index.
void ArchetypeGraph::move_to(Archetype& archetype, std::uint32_t index) noexcept {
    const std::uint32_t before = archetype.index_;
    if (before == index) return;
    archetypes_[before].swap(archetypes_[index]);
    for (const std::uint32_t i : {before, index}) {
        archetypes_[i]->index_ = i;
        write_places(*archetypes_[i]);
    }
}

bool Archetype::wake() noexcept {
    try {
        dormant_in_->wake(*this);
        return true;
    } catch (const std::bad_alloc&) {
        return false;
    }
}

// Sorts the components by storage: a column, bits, a shared value, a value per chunk.
Result<ArchetypeParts> ArchetypeGraph::parts_of(const std::vector<ComponentId>& key) const {
    ArchetypeParts parts;
    std::vector<ColumnRequest> columns;
    std::vector<ComponentId> masks;
    for (const ComponentId id : key) {
        const ComponentInfo& info = registry_.info(id);
        const std::vector<std::byte>& defaults = info.schema.defaults;
        parts.has_cleanup |= is_cleanup_kind(info.kind());
        parts.is_destroyed |= id == destroyed_tag_;
        parts.is_hooked |= is_hooked(id);
        if (info.kind() == ComponentKind::enableable) masks.push_back(id);
        if (is_shared_kind(info.kind())) parts.shared.push_back(id);
        if (info.kind() == ComponentKind::chunk) {
            const std::size_t offset = round_up_16(parts.default_chunk_value.size());
            parts.chunk_values.push_back({id, static_cast<std::uint32_t>(offset), info.schema.size});
            parts.default_chunk_value.resize(offset);
            parts.default_chunk_value.insert(parts.default_chunk_value.end(), defaults.begin(),
                                             defaults.end());
        }
        if (!info.has_column()) continue;
        columns.push_back(ColumnRequest{id, info.cell_bytes});
        if (info.owns_memory()) {
            parts.owning.push_back({&info, static_cast<std::uint32_t>(columns.size())});
            parts.default_image.resize(parts.default_image.size() + info.cell_bytes);  // zero: empty
        } else {
            parts.default_image.insert(parts.default_image.end(), defaults.begin(), defaults.end());
        }
    }
    parts.default_chunk_value.resize(round_up_16(parts.default_chunk_value.size()));
    Result<ChunkLayout> layout = layout_chunk(columns, shape_, masks);
    if (!layout) return layout.error();
    parts.layout = std::move(layout).value();
    parts.components = key;
    return parts;
}

Result<std::unique_ptr<Archetype>> ArchetypeGraph::remake(const Archetype& old,
                                                          std::span<const ComponentId> changed) {
    Result<ArchetypeParts> parts = parts_of({old.components().begin(), old.components().end()});
    if (!parts) return parts.error();
    const std::span<const SharedIndex> known = old.default_shared_values();
    parts.value().default_shared.assign(known.begin(), known.end());  // already referenced
    for (std::size_t i = 0; i < known.size(); ++i) {
        const ComponentId id = parts.value().shared[i];
        if (std::find(changed.begin(), changed.end(), id) == changed.end()) continue;
        const ComponentInfo& info = registry_.info(id);
        parts.value().default_shared[i] = shared_.intern(info, info.schema.defaults.data());
    }
    auto made = std::make_unique<Archetype>(old.index(), std::move(parts).value(), pool_, units_, shared_);
    made->buffer_source = old.buffer_source;
    made->set_reported({old.reported().begin(), old.reported().end()});
    return made;
}

void ArchetypeGraph::forget_edges() noexcept {
    for (const std::unique_ptr<Archetype>& archetype : archetypes_) {
        archetype->add_edges.clear();
        archetype->remove_edges.clear();
    }
    edges_.clear();
    between_.clear();
    last_between_ = {};
    internal::gave_back(MemoryKind::archetypes, std::exchange(edge_bytes_, 0), 0);
}

ArchetypeEdge* ArchetypeGraph::find_edge(Archetype& from, ComponentId component, bool is_adding) noexcept {
    try {
        return make_edge(from, component, is_adding);
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

// Reserves room for an edge to an archetype. Throws std::bad_alloc if the thread's quota is used up.
void ArchetypeGraph::reserve_edge(const Archetype& to, std::size_t more_bytes) {
    constexpr std::size_t kNodeBytes = 64;
    const std::size_t bytes = sizeof(ArchetypeEdge) + kNodeBytes +
                              to.layout().columns.size() * 2 * sizeof(internal::CopyPlan::Op) + more_bytes;
    if (!internal::may_take(MemoryKind::archetypes, bytes, 0)) throw std::bad_alloc();
    edge_bytes_ += bytes;
}

ArchetypeEdge* ArchetypeGraph::make_edge(Archetype& from, ComponentId component, bool is_adding) {
    std::vector<ComponentId> components(from.components().begin(), from.components().end());
    if (!is_adding) {
        std::erase(components, component);
    } else if (!from.has(component)) {
        const std::vector<ComponentId>& required = registry_.info(component).required;
        components.push_back(component);
        components.insert(components.end(), required.begin(), required.end());
    }
    Result<Archetype*> to = require(components);
    if (!to) return nullptr;

    std::vector<ArchetypeEdge*>& edges = is_adding ? from.add_edges : from.remove_edges;
    const std::size_t more =
        std::size_t{component.index} + 1 - std::min(edges.size(), std::size_t{component.index} + 1);
    reserve_edge(*to.value(), more * sizeof(ArchetypeEdge*));
    if (more != 0) edges.resize(edges.size() + more, nullptr);
    edges_.push_back(plan_edge(*this, from, *to.value(), component));
    edges[component.index] = edges_.back().get();
    return edges[component.index];
}

const ArchetypeEdge* ArchetypeGraph::between(Archetype& from, Archetype& to) noexcept {
    if (last_between_.from == &from && last_between_.to == &to) return last_between_.edge;
    try {
        const auto found = between_.find({&from, &to});
        if (found == between_.end()) reserve_edge(to, 0);
        std::unique_ptr<ArchetypeEdge>& known =
            found == between_.end() ? between_[{&from, &to}] : found->second;
        if (known == nullptr) known = plan_edge(*this, from, to, ComponentId{});
        last_between_ = {&from, &to, known.get()};
        return known.get();
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

const ArchetypeEdge* ArchetypeGraph::destroying(Archetype& from) noexcept {
    return between_part(from, destroyed_tag_,
                        [this](ComponentId id) { return is_cleanup_kind(registry_.info(id).kind()); });
}

const ArchetypeEdge* ArchetypeGraph::cloning(Archetype& from) noexcept {
    if (!from.has_cleanup() && !from.is_hooked()) return between(from, from);
    return between_part(from, ComponentId{}, [this](ComponentId id) {
        return !is_cleanup_kind(registry_.info(id).kind()) && !is_hooked(id);
    });
}

// The edge to the archetype of the components that stay and of `more`, if that is valid.
template <typename Stays>
const ArchetypeEdge* ArchetypeGraph::between_part(Archetype& from, ComponentId more,
                                                  const Stays& stays) noexcept {
    try {
        std::vector<ComponentId> left;
        if (more.is_valid()) left.push_back(more);
        for (const ComponentId id : from.components()) {
            if (stays(id)) left.push_back(id);
        }
        Result<Archetype*> target = require(left);
        ECS_INVARIANT(target.ok());  // a subset of a row that fits
        return between(from, *target.value());
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

void ArchetypeGraph::set_hooked(ComponentId component) {
    for (const std::unique_ptr<Archetype>& archetype : archetypes_) ECS_EXPECTS(!archetype->has(component));
    const auto place = std::lower_bound(hooked_.begin(), hooked_.end(), component);
    if (place == hooked_.end() || *place != component) hooked_.insert(place, component);
}

bool ArchetypeGraph::is_hooked(ComponentId component) const noexcept {
    return std::binary_search(hooked_.begin(), hooked_.end(), component);
}

void ArchetypeGraph::update_edges() noexcept {
    for (const std::unique_ptr<ArchetypeEdge>& edge : edges_) review(*edge);
    for (const auto& [ends, edge] : between_) review(*edge);
}

// Makes room in places_, a dense matrix of archetypes by components whose stride is a power of two.
void ArchetypeGraph::reserve_places(std::size_t archetypes) {
    const std::size_t components = registry_.size();
    if (components > place_stride_) {
        std::size_t stride = std::max<std::size_t>(place_stride_, 16);
        while (stride < components) stride *= 2;
        std::vector<ColumnPlace> wider(archetypes * stride);
        for (std::size_t row = 0; row < archetypes_.size(); ++row) {
            std::copy_n(places_.begin() + static_cast<std::ptrdiff_t>(row * place_stride_), place_stride_,
                        wider.begin() + static_cast<std::ptrdiff_t>(row * stride));
        }
        places_ = std::move(wider);
        place_stride_ = stride;
    }
    places_.resize(archetypes * place_stride_);
}

void ArchetypeGraph::write_places(const Archetype& archetype) noexcept {
    ColumnPlace* row = places_.data() + std::size_t{archetype.index()} * place_stride_;
    std::fill_n(row, place_stride_, ColumnPlace{});  // of an archetype that was not created
    for (const ComponentId id : archetype.components()) row[id.index].line = ColumnPlace::kTag;
    const auto narrow = [](std::size_t number) { return static_cast<std::uint16_t>(number); };
    for (std::size_t i = 1; i < archetype.layout().columns.size(); ++i) {
        const Column& column = archetype.layout().columns[i];
        row[column.component.index] =
            ColumnPlace{narrow(column.offset / kCacheLine), narrow(i), narrow(column.size), 0};
    }
    for (std::size_t i = 0; i < archetype.layout().masks.size(); ++i) {
        const MaskColumn& mask = archetype.layout().masks[i];
        ColumnPlace& place = row[mask.component.index];
        place.mask = narrow(mask.offset / sizeof(std::uint64_t));
        if (!place.has_column()) place.column = narrow(i);
    }
    for (std::size_t i = 0; i < archetype.shared_components().size(); ++i) {
        row[archetype.shared_components()[i].index] = ColumnPlace{ColumnPlace::kShared, narrow(i), 0, 0};
    }
    for (std::size_t i = 0; i < archetype.chunk_values().size(); ++i) {
        const ChunkValuePlace& place = archetype.chunk_values()[i];
        row[place.component.index] = ColumnPlace{ColumnPlace::kChunk, narrow(i), narrow(place.size), 0};
    }
}

}  // namespace perigee
