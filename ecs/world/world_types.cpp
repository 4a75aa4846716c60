// The declared side of the world: types, bindings, queries, prefabs, figures.
#include "ecs/base/contract.h"
#include "ecs/base/error_codes.h"
#include "ecs/base/internal/plain_name.h"
#include "ecs/base/memory_quota.h"
#include "ecs/world/world.h"

#include <algorithm>
#include <cstring>
#include <new>

namespace perigee {

namespace {

// The value into a cell of an image. False when it does not fit: a buffer that begins on the heap.
bool write_to_cell(const Schema& schema, std::span<const std::byte> value, std::byte* cell) {
    if (schema.kind == ComponentKind::buffer) {
        const BufferHeader header{0, static_cast<std::uint32_t>(value.size() / schema.size), 0};
        if (header.length > schema.buffer_capacity) return false;
        std::memcpy(cell, &header, sizeof header);
        cell += sizeof header;
    }
    std::copy(value.begin(), value.end(), cell);
    return true;
}

}  // namespace

Result<ComponentId> World::declare(Schema schema) {
    const std::size_t before = registry_.size();
    const auto undo = [&] {
        while (registry_.size() > before) registry_.retract_last();
    };
    try {
        Result<ComponentId> id = registry_.declare(std::move(schema));
        if (!id) return id;
        Result<void> complete = complete_type(registry_.info(id.value()));
        if (complete) return id;
        undo();
        return complete.error();
    } catch (...) {
        undo();
        throw;
    }
}

// The data of a type besides its entry: the value of a resource, the queue of an event, the tag of held
// entities.
Result<void> World::complete_type(const ComponentInfo& info) {
    if (info.kind() == ComponentKind::resource && !resources_.has(info.id)) {
        resources_.create(info.id, info.schema);
    }
    if (info.kind() == ComponentKind::event && !events_.has(info.id)) {
        events_.create(info.id, info.schema.size);
    }
    if (!is_cleanup_kind(info.kind()) || graph_.destroyed_tag().is_valid()) return {};
    Schema tag;
    tag.name = std::string(kDestroyedName);
    tag.kind = ComponentKind::tag;
    tag.doc = "On entities that were destroyed and still have cleanup components.";
    Result<ComponentId> destroyed = registry_.declare(std::move(tag));
    if (!destroyed) return destroyed.error();
    graph_.set_destroyed_tag(destroyed.value());
    return {};
}

Result<ComponentId> TypedWorld::bind_type(std::string_view name, std::uint32_t type,
                                          std::string_view type_name, const BoundType& layout) {
    World& self = world();
    Result<ComponentId> id = self.registry_.require(name);
    if (!id) return id;
    if (const Result<void> checked = check_binding(self.registry_.info(id.value()).schema, layout);
        !checked) {
        return checked.error();
    }
    TypeBindings& all = self.registry_.types();
    if (const ComponentId bound = all.find(type); bound.is_valid() && bound != id.value())
        return Error{errors::bound_twice(type_name, self.registry_.info(bound).schema.name, name)};
    all.reserve(type);
    all.bind(type, id.value());
    return id;
}

Result<ComponentId> TypedWorld::declare_type(std::string_view name, std::uint32_t type,
                                             std::string_view type_name, const TypeOptions& options,
                                             const BoundType& layout) {
    World& self = world();
    TypeBindings& all = self.registry_.types();
    if (const ComponentId bound = all.find(type); bound.is_valid()) {
        const std::string& other = self.registry_.info(bound).schema.name;
        if (other != name) return Error{errors::bound_twice(type_name, other, name)};
    }
    Schema schema = schema_from_type(name, layout);
    if (options.kind != ComponentKind::component || !layout.fields.empty()) schema.kind = options.kind;
    schema.buffer_capacity = options.buffer_capacity;
    schema.owner = options.owner;
    schema.required = options.required;
    schema.doc = options.doc;
    all.reserve(type);
    if (Result<ComponentId> id = self.declare(std::move(schema)); !id) return id;
    return bind_type(name, type, type_name, layout);
}

// Throws std::bad_alloc; then nothing changed. Expects: the components fit into a chunk.
Archetype& World::find_typed_archetype(std::uint32_t number, std::span<const ComponentId> components) {
    if (number >= typed_archetypes_.size()) typed_archetypes_.resize(std::size_t{number} + 1, nullptr);
    std::vector<ComponentId> ids(components.begin(), components.end());
    for (const ComponentId id : components) {
        const std::vector<ComponentId>& required = registry_.info(id).required;
        ids.insert(ids.end(), required.begin(), required.end());
    }
    Result<Archetype*> found = graph_.require(ids);
    ECS_EXPECTS(found.ok(), found.error().message);
    typed_archetypes_[number] = found.value();
    return *found.value();
}

// The same; false instead of throwing.
bool World::knows_typed_archetype(std::uint32_t number, std::span<const ComponentId> components) {
    try {
        static_cast<void>(find_typed_archetype(number, components));
        return true;
    } catch (const std::bad_alloc&) {
        return false;
    }
}

Result<Query*> World::query(const QueryDesc& desc) {
    const auto lock = lock_queries();
    for (const std::unique_ptr<Query>& known : queries_) {
        if (known->desc() == desc) return known.get();
    }
    if (Result<void> checked = check_query(desc, registry_); !checked) return checked.error();
    auto made = std::make_unique<Query>(desc, registry_, shared_);
    for (std::size_t i = 0; i < graph_.size(); ++i) {
        made->consider(graph_.at(static_cast<std::uint32_t>(i)));
    }
    const std::size_t bytes = made->bytes();
    if (!internal::may_take(MemoryKind::queries, bytes))
        return Error{errors::memory_refused(MemoryKind::queries)};
    queries_.push_back(std::move(made));
    query_bytes_ += bytes;
    return queries_.back().get();
}

Result<PrefabId> World::add_prefab(Prefab prefab) {
    if (internal::has_control_character(prefab.name)) {
        return Error{errors::control_character("prefab", prefab.name)};
    }
    std::vector<ComponentId> components;
    for (const PrefabComponent& part : prefab.components) {
        ECS_EXPECTS(part.component.index < registry_.size(), part.component.index);
        const Schema& schema = registry_.info(part.component).schema;
        if (!is_component_kind(schema.kind) || is_cleanup_kind(schema.kind)) {
            return Error{errors::prefab_of_kind(prefab.name, schema.name, kind_name(schema.kind))};
        }
        if (!is_prefab_value(schema, part.value.size())) {
            return Error{wrong_prefab_value(prefab.name, schema, part.value.size())};
        }
        components.push_back(part.component);
    }
    std::vector<ComponentId> sorted = components;
    std::sort(sorted.begin(), sorted.end());
    if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end()) {
        return Error{errors::prefab_names_twice(prefab.name, registry_.info(*twice).schema.name)};
    }
    for (const PrefabComponent& part : prefab.components) {
        const std::vector<ComponentId>& required = registry_.info(part.component).required;
        components.insert(components.end(), required.begin(), required.end());
    }
    Result<Archetype*> archetype = graph_.require(components);
    if (!archetype) return archetype.error();
    const std::span<const ComponentId> shared = archetype.value()->shared_components();
    const auto undo = [&] {
        for (std::size_t i = 0; i < prefab.shared.size(); ++i) shared_.release(shared[i], prefab.shared[i]);
    };
    try {
        resolve_prefab(prefab, *archetype.value());
        Result<PrefabId> id = prefabs_.add(prefab);
        if (!id) undo();
        return id;
    } catch (...) {
        undo();
        throw;
    }
}

void World::withdraw_prefabs(std::size_t count) noexcept {
    while (prefabs_.size() > count) {
        const Prefab& last = prefabs_.get(PrefabId{static_cast<std::uint32_t>(prefabs_.size() - 1)});
        const std::span<const ComponentId> shared = last.archetype->shared_components();
        for (std::size_t i = 0; i < shared.size(); ++i) shared_.release(shared[i], last.shared[i]);
        prefabs_.remove_last();
    }
}

// The image of a row: the archetype's defaults with the prefab's values over them. Its references to shared
// values are recorded in the prefab, even if it throws.
void World::resolve_prefab(Prefab& prefab, Archetype& archetype) {
    prefab.archetype = &archetype;
    prefab.image.assign(archetype.default_image(), archetype.default_image() + archetype.image_bytes());
    std::sort(prefab.components.begin(), prefab.components.end(),
              [](const PrefabComponent& a, const PrefabComponent& b) { return a.component < b.component; });
    for (std::size_t i = 0; i < prefab.components.size(); ++i) {
        const PrefabComponent& part = prefab.components[i];
        const int column = archetype.column_of(part.component);
        bool is_extra = !part.is_enabled || archetype.chunk_value_of(part.component) >= 0;
        if (column >= 0 && !part.value.empty()) {
            std::byte* cell = prefab.image.data() + archetype.image_offset(static_cast<std::size_t>(column));
            is_extra = !write_to_cell(registry_.info(part.component).schema, part.value, cell) || is_extra;
        }
        if (is_extra) prefab.extras.push_back(static_cast<std::uint32_t>(i));
    }
    prefab.shared.reserve(archetype.shared_components().size());
    for (const ComponentId component : archetype.shared_components()) {
        const ComponentInfo& info = registry_.info(component);
        const auto part =
            std::find_if(prefab.components.begin(), prefab.components.end(),
                         [&](const PrefabComponent& own) { return own.component == component; });
        const bool has_value = part != prefab.components.end() && !part->value.empty();
        prefab.shared.push_back(
            shared_.intern(info, has_value ? part->value.data() : info.schema.defaults.data()));
    }
}

std::vector<SharedValue> World::shared_values(ComponentId component) const {
    std::map<SharedIndex, SharedValue> values;
    for (std::size_t i = 0; i < graph_.size(); ++i) {
        const Archetype& archetype = graph_.at(static_cast<std::uint32_t>(i));
        const int shared = archetype.shared_of(component);
        if (shared < 0) continue;
        for (std::uint32_t chunk = 0; chunk < archetype.chunk_count(); ++chunk) {
            const ChunkSlot& slot = archetype.chunks()[chunk];
            const SharedIndex index =
                archetype.shared_value(slot.partition, static_cast<std::size_t>(shared));
            SharedValue& value =
                values.try_emplace(index, SharedValue{index, shared_.value(component, index), 0, 0})
                    .first->second;
            value.entities += slot.row_count;
            ++value.chunks;
        }
    }
    std::vector<SharedValue> list;
    for (const auto& [index, value] : values) list.push_back(value);
    return list;
}

bool World::warm(const Archetype& archetype, std::size_t entity_count) {
    const std::size_t chunks = (entity_count + archetype.capacity() - 1) / archetype.capacity();
    return pool_.warm(chunks * archetype.layout().unit_count);
}

WorldStats World::stats() const noexcept {
    WorldStats stats;
    stats.entities = entity_count_;
    stats.archetypes = graph_.size();
    for (std::size_t i = 0; i < graph_.size(); ++i) {
        const Archetype& archetype = graph_.at(static_cast<std::uint32_t>(i));
        const std::size_t bytes = archetype.layout().unit_count * pool_.unit_stride();
        stats.chunks += archetype.chunk_count();
        const std::size_t held = archetype.chunk_count() + (archetype.has_spare() ? 1 : 0);
        stats.chunk_bytes += held * bytes;
        stats.unused_bytes += held * bytes - archetype.entity_count() * archetype.layout().row_bytes;
    }
    return stats;
}

}  // namespace perigee
