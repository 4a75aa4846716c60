// The declared side of the world: types, bindings, queries, prefabs, figures.
#include "ecs/contract.h"
#include "ecs/error_codes.h"
#include "ecs/world.h"

#include <algorithm>

namespace perigee {

Result<ComponentId> World::declare(Schema schema) {
    Result<ComponentId> id = registry_.declare(std::move(schema));
    if (!id) return id;
    const ComponentInfo& info = registry_.info(id.value());
    if (info.schema.kind == ComponentKind::resource && !resources_.has(id.value())) {
        resources_.create(id.value(), info.schema);
    }
    return id;
}

Result<ComponentId> World::bind_type(std::string_view name, std::uint32_t type, const BoundType& layout) {
    Result<ComponentId> id = registry_.require(name);
    if (!id) return id;
    if (const Result<void> checked = check_binding(registry_.info(id.value()).schema, layout); !checked) {
        return checked.error();
    }
    if (type >= bound_.size()) bound_.resize(std::size_t{type} + 1);
    bound_[type] = id.value();
    // What was found under an earlier binding of the type.
    typed_queries_.clear();
    typed_archetypes_.clear();
    return id;
}

Result<ComponentId> World::declare_type(std::string_view name, std::uint32_t type, ComponentKind kind,
                                        const BoundType& layout) {
    Schema schema = schema_from_type(name, layout);
    schema.kind = kind;
    if (Result<ComponentId> id = declare(std::move(schema)); !id) return id;
    return bind_type(name, type, layout);
}

Result<Query*> World::query(const QueryDesc& desc) {
    for (const std::unique_ptr<Query>& known : queries_) {
        if (known->desc() == desc) return known.get();
    }
    std::vector<ComponentId> named;
    for (const QueryTerm& term : desc.terms) named.push_back(term.component);
    named.insert(named.end(), desc.any.begin(), desc.any.end());
    named.insert(named.end(), desc.without.begin(), desc.without.end());
    for (const ComponentId id : named) {
        ECS_EXPECTS(id.index < registry_.size(), id.index);
        const Schema& schema = registry_.info(id).schema;
        if (!is_component_kind(schema.kind)) {
            return Error{errors::query_of_kind(schema.name, kind_name(schema.kind))};
        }
    }
    std::sort(named.begin(), named.end());
    if (const auto twice = std::adjacent_find(named.begin(), named.end()); twice != named.end()) {
        return Error{errors::query_names_twice(registry_.info(*twice).schema.name)};
    }
    queries_.push_back(std::make_unique<Query>(desc));
    for (std::size_t i = 0; i < graph_.size(); ++i) {
        queries_.back()->consider(graph_.at(static_cast<std::uint32_t>(i)));
    }
    return queries_.back().get();
}

Result<PrefabId> World::add_prefab(Prefab prefab) {
    std::vector<ComponentId> components;
    for (const PrefabComponent& part : prefab.components) {
        ECS_EXPECTS(part.component.index < registry_.size(), part.component.index);
        const Schema& schema = registry_.info(part.component).schema;
        if (!is_component_kind(schema.kind) || is_cleanup_kind(schema.kind)) {
            return Error{errors::prefab_of_kind(prefab.name, schema.name, kind_name(schema.kind))};
        }
        const std::uint32_t expected = registry_.value_bytes(part.component);
        if (!part.value.empty() && part.value.size() != expected) {
            return Error{errors::prefab_value_size(prefab.name, schema.name, expected, part.value.size())};
        }
        components.push_back(part.component);
    }
    std::vector<ComponentId> sorted = components;
    std::sort(sorted.begin(), sorted.end());
    if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end()) {
        return Error{errors::prefab_names_twice(prefab.name, registry_.info(*twice).schema.name)};
    }
    Result<Archetype*> archetype = graph_.require(components);
    if (!archetype) return archetype.error();
    Result<PrefabId> id = prefabs_.add(std::move(prefab));
    if (!id) return id;
    resolve_prefab(prefabs_.get(id.value()), *archetype.value());
    return id;
}

// The image of a row: the archetype's defaults with the prefab's values over them.
void World::resolve_prefab(Prefab& prefab, Archetype& archetype) {
    prefab.archetype = &archetype;
    prefab.image.assign(archetype.default_image(), archetype.default_image() + archetype.image_bytes());
    for (const PrefabComponent& part : prefab.components) {
        const int column = archetype.column_of(part.component);
        if (column < 0 || part.value.empty()) continue;
        std::copy(part.value.begin(), part.value.end(),
                  prefab.image.begin() + archetype.image_offset(static_cast<std::size_t>(column)));
    }
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
