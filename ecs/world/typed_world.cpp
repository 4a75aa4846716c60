// Binding types, and finding the archetypes of C++ component lists.
#include "ecs/world/typed_world.h"

#include "ecs/base/contract.h"
#include "ecs/base/error_codes.h"
#include "ecs/schema/registry.h"
#include "ecs/storage/resource_store.h"
#include "ecs/world/internal/query_list.h"
#include "ecs/world/world.h"

#include <new>
#include <string>
#include <utility>
#include <vector>

namespace perigee {

Result<ComponentId> TypedWorld::bind_type(std::string_view name, std::uint32_t type,
                                          std::string_view type_name, const BoundType& layout) {
    World& self = world();
    Result<ComponentId> id = self.store().registry().require(name);
    if (!id) return id;
    if (const Result<void> checked = check_binding(self.store().registry().info(id.value()).schema, layout);
        !checked) {
        return checked.error();
    }
    TypeBindings& all = self.store().registry().types();
    if (const ComponentId bound = all.find(type); bound.is_valid() && bound != id.value())
        return Error{errors::bound_twice(type_name, self.store().registry().info(bound).schema.name, name)};
    all.reserve(type);
    all.bind(type, id.value());
    return id;
}

Result<ComponentId> TypedWorld::declare_type(std::string_view name, std::uint32_t type,
                                             std::string_view type_name, const TypeOptions& options,
                                             const BoundType& layout) {
    World& self = world();
    TypeBindings& all = self.store().registry().types();
    if (const ComponentId bound = all.find(type); bound.is_valid()) {
        const std::string& other = self.store().registry().info(bound).schema.name;
        if (other != name) return Error{errors::bound_twice(type_name, other, name)};
    }
    Schema schema = schema_from_type(name, layout);
    if (options.kind != ComponentKind::component || !layout.fields.empty()) schema.kind = options.kind;
    schema.buffer_capacity = options.buffer_capacity;
    schema.owner = options.owner;
    schema.required = options.required;
    schema.doc = options.doc;
    schema.index = options.index;
    schema.on_target_destroyed = options.on_target_destroyed;
    schema.presentation = options.presentation;
    all.reserve(type);
    if (Result<ComponentId> id = self.declare(std::move(schema)); !id) return id;
    return bind_type(name, type, type_name, layout);
}

// Throws std::bad_alloc; then nothing changed. Expects: the components fit into a chunk.
Archetype& TypedWorld::find_typed_archetype(std::uint32_t number, std::span<const ComponentId> components) {
    internal::EntityStore& store = world().store();
    std::vector<Archetype*>& known = store.typed_archetypes();
    if (number >= known.size()) known.resize(std::size_t{number} + 1, nullptr);
    std::vector<ComponentId> ids(components.begin(), components.end());
    for (const ComponentId id : components) {
        const std::vector<ComponentId>& required = store.registry().info(id).required;
        ids.insert(ids.end(), required.begin(), required.end());
    }
    Result<Archetype*> found = store.graph().require(ids);
    ECS_EXPECTS(found.ok(), found.error().message);
    known[number] = found.value();
    return *found.value();
}

// The same; false instead of throwing.
bool TypedWorld::knows_typed_archetype(std::uint32_t number, std::span<const ComponentId> components) {
    try {
        static_cast<void>(find_typed_archetype(number, components));
        return true;
    } catch (const std::bad_alloc&) {
        return false;
    }
}

Query& TypedWorld::typed_query(std::uint32_t number,
                               std::vector<QueryTerm> (*describe)(const TypeBindings&)) {
    internal::QueryList& queries = world().store().queries();
    const auto lock = queries.lock();
    std::vector<Query*>& known = queries.typed();
    if (number >= known.size()) known.resize(std::size_t{number} + 1, nullptr);
    if (known[number] == nullptr) {
        QueryDesc desc;
        desc.terms = describe(types());
        Result<Query*> found = world().query(desc);
        ECS_EXPECTS(found.ok(), found.error().message);
        known[number] = found.value();
    }
    return *known[number];
}

std::byte* TypedWorld::resource_bytes(ComponentId component) noexcept {
    return world().resources().data(component);
}

BufferType TypedWorld::type_of_buffer(ComponentId component) const noexcept {
    return buffer_type(world().registry().info(component));
}

}  // namespace perigee
