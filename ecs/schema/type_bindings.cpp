// The uses allowed for each kind of component, and the messages for other uses.
#include "ecs/schema/type_bindings.h"

#include "ecs/base/contract.h"
#include "ecs/base/error_codes.h"
#include "ecs/schema/registry.h"

#include <algorithm>
#include <initializer_list>
#include <string>

namespace perigee {

namespace {

std::uint16_t bits(std::initializer_list<TypedUse> uses) {
    unsigned all = 1u << static_cast<unsigned>(TypedUse::any);
    for (const TypedUse use : uses) all |= 1u << static_cast<unsigned>(use);
    return static_cast<std::uint16_t>(all);
}

std::uint16_t uses_of(const Schema& schema) {
    using enum TypedUse;
    switch (schema.kind) {
        case ComponentKind::component:
        case ComponentKind::cleanup:
            return bits({presence, read, edit, set, give, row, column});
        case ComponentKind::tag:
        case ComponentKind::object:
            return bits({presence, give, row});
        case ComponentKind::enableable:
            return schema.size == 0 ? bits({presence, give, row, enabled})
                                    : bits({presence, read, edit, set, give, row, column, enabled});
        case ComponentKind::shared:
        case ComponentKind::shared_cleanup:
            return bits({presence, read, set, give, shared});
        case ComponentKind::chunk:
            return bits({presence, read, edit, set, give, chunk_value});
        case ComponentKind::buffer:
            return bits({presence, buffer});
        case ComponentKind::resource:
            return bits({resource});
        case ComponentKind::event:
            return bits({event});
        case ComponentKind::blob:
            return bits({blob});
    }
    return bits({});
}

std::string_view what_was_asked(TypedUse use) {
    switch (use) {
        case TypedUse::any:
            return "an id";
        case TypedUse::presence:
            return "has, add and remove, which are for components of entities";
        case TypedUse::read:
            return "get or Lookup, which read one value of an entity";
        case TypedUse::edit:
            return "edit or Lookup, which change one value of an entity in place";
        case TypedUse::set:
            return "set, which writes one value of an entity";
        case TypedUse::give:
            return "add or spawn with a value of its own";
        case TypedUse::row:
            return "a plain parameter of a query, which is one value per row";
        case TypedUse::column:
            return "column, which shows one value per row";
        case TypedUse::shared:
            return "Shared<T> or shared, which are for shared components";
        case TypedUse::chunk_value:
            return "PerChunk<T> or chunk_value, which are for chunk components";
        case TypedUse::buffer:
            return "buffer, elements or Buffer<T>, which are for buffers";
        case TypedUse::enabled:
            return "set_enabled, which is for enableable components";
        case TypedUse::resource:
            return "resource, which is for resources";
        case TypedUse::event:
            return "sending or reading of events";
        case TypedUse::blob:
            return "rows of a blob";
    }
    return "";
}

std::string_view what_to_use(const Schema& schema) {
    switch (schema.kind) {
        case ComponentKind::component:
        case ComponentKind::cleanup:
            return "get, edit, set, add, spawn, and T in queries";
        case ComponentKind::tag:
            return "has, add and remove: a tag has no value";
        case ComponentKind::object:
            return "object_of and set_object with its id: the C++ type only says that it is present";
        case ComponentKind::enableable:
            return schema.size == 0 ? "has, add, remove and set_enabled: without fields it has no value"
                                    : "get, edit, set, set_enabled, and T in queries";
        case ComponentKind::shared:
        case ComponentKind::shared_cleanup:
            return "get to read, set to change, and Shared<T> in queries";
        case ComponentKind::chunk:
            return "get, edit and set, and PerChunk<T> in queries";
        case ComponentKind::buffer:
            return "add without a value, buffer to change, elements to read, and Buffer<T> in queries and "
                   "look-ups";
        case ComponentKind::resource:
            return "World::resource";
        case ComponentKind::event:
            return "send and read of SystemEvents";
        case ComponentKind::blob:
            return "BlobStore::build and BlobStore::rows";
    }
    return "";
}

[[noreturn]] void fail(const std::string& message) {
    contract_detail::fail("expectation", "typed access", __FILE__, __LINE__, {}, {message});
}

}  // namespace

bool TypeBindings::is_bound(ComponentId component) const noexcept {
    return std::any_of(entries_.begin(), entries_.end(),
                       [component](const Entry& entry) { return entry.id == component; });
}

void TypeBindings::reserve(std::uint32_t type) {
    if (type >= entries_.size()) entries_.resize(std::size_t{type} + 1);
}

void TypeBindings::bind(std::uint32_t type, ComponentId component) noexcept {
    ECS_INVARIANT(!entries_[type].id.is_valid() || entries_[type].id == component, component.index);
    entries_[type] = Entry{component, uses_of(registry_.info(component).schema)};
}

void TypeBindings::expect_value(ComponentId component, std::uint32_t type, std::string_view type_name,
                                std::size_t size) const {
    const ComponentId bound = find(type);
    const ComponentInfo& info = registry_.info(component);
    if (bound.is_valid() && bound != component) refuse_component(type_name, bound, component);
    if (size != registry_.value_bytes(component)) {
        fail(errors::value_of_type(type_name, size, kind_name(info.kind()), info.schema.name,
                                   registry_.value_bytes(component), what_to_use(info.schema)));
    }
}

void TypeBindings::refuse(std::uint32_t type, std::string_view type_name, TypedUse use) const {
    const ComponentId bound = find(type);
    if (!bound.is_valid()) fail(errors::unbound_type(type_name));
    const ComponentInfo& info = registry_.info(bound);
    fail(errors::typed_use(type_name, kind_name(info.kind()), info.schema.name, what_was_asked(use),
                           what_to_use(info.schema)));
}

void TypeBindings::refuse_component(std::string_view type_name, ComponentId bound, ComponentId wanted) const {
    fail(errors::type_of_another(type_name, registry_.info(bound).schema.name,
                                 registry_.info(wanted).schema.name));
}

void TypeBindings::refuse_writing(std::string_view type_name, ComponentId component) const {
    fail(errors::read_only_term(type_name, registry_.info(component).schema.name));
}

}  // namespace perigee
