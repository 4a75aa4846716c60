// The typed interface of the world: what World does by id and bytes, for the C++ struct bound to the
// component.
//
// Invariant: each function first checks that the type is bound and that the kind of its component allows the
// call (type_bindings.h); a contract violation names type and component. So a value is never written over the
// header of a buffer or into the chunks of another component. World is the only class that derives from this
// one and implements the functions.
#pragma once

#include "ecs/base/entity.h"
#include "ecs/base/result.h"
#include "ecs/query/typed_query.h"
#include "ecs/schema/bind.h"
#include "ecs/schema/component.h"
#include "ecs/schema/type_bindings.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace perigee {

class Archetype;
template <typename T> class BufferView;
struct BufferType;
class World;
template <typename T> class Lookup;

class TypedWorld {
public:
    // ---- types

    /// Binds struct T to the type declared as `name`, in Lua or C++:
    ///     world.bind<Position>("Position", field("x", &Position::x), field("y", &Position::y));
    /// Errors: unknown name (with a suggestion); a layout that differs, with both printed; T is already bound
    /// to another component. Two components with the same members need two types, see bind.h.
    template <typename T, typename... Fields>
    Result<ComponentId> bind(std::string_view name, Fields... fields) {
        return bind_type(name, type_number<T>(), type_name<T>(), bound_type<T>(std::move(fields)...));
    }

    /// Declares a component from its C++ description and binds it. Equivalent to a schema file with the same
    /// content; the defaults are those of a default-constructed T. Without fields it is a tag.
    template <typename T, typename... Fields>
    Result<ComponentId> declare(std::string_view name, Fields... fields) {
        return declare<T>(name, sizeof...(Fields) == 0 ? ComponentKind::tag : ComponentKind::component,
                          std::move(fields)...);
    }
    /// The same for any kind of component: world.declare<Team>("Team", ComponentKind::shared, field(…)).
    template <typename T, typename... Fields>
    Result<ComponentId> declare(std::string_view name, ComponentKind kind, Fields... fields) {
        return declare<T>(name, TypeOptions{.kind = kind}, std::move(fields)...);
    }
    /// The same, with all options of a schema: capacity, owner, requirements:
    ///     world.declare<Waypoint>("Waypoint", {.kind = ComponentKind::buffer, .buffer_capacity = 4},
    ///     field(…))
    template <typename T, typename... Fields>
    Result<ComponentId> declare(std::string_view name, const TypeOptions& options, Fields... fields) {
        return declare_type(name, type_number<T>(), type_name<T>(), options,
                            bound_type<T>(std::move(fields)...));
    }
    /// The same for a resource, and for an event; see system_events.h.
    template <typename T, typename... Fields>
    Result<ComponentId> declare_resource(std::string_view name, Fields... fields) {
        return declare<T>(name, ComponentKind::resource, std::move(fields)...);
    }
    template <typename T, typename... Fields>
    Result<ComponentId> declare_event(std::string_view name, Fields... fields) {
        return declare<T>(name, ComponentKind::event, std::move(fields)...);
    }

    /// The id that T is bound to. Expects: T is bound in this world.
    template <typename T> ComponentId id() const { return types().id<T>(); }
    /// True if T is bound to a type of this world.
    template <typename T> bool is_bound() const noexcept {
        return types().is_bound(type_number<std::remove_cv_t<T>>());
    }
    const TypeBindings& types() const noexcept { return *types_; }

    // ---- entities

    /// Creates an entity with these component values: world.spawn(Position{1, 2}, Velocity{}). The value of a
    /// chunk component is used only if the entity starts a new chunk; an existing chunk keeps its value. Null
    /// when the world is full. Expects: no buffers, which have no single value; see the next overload.
    template <typename... Components>
    requires(sizeof...(Components) > 0) Entity spawn(const Components&... values);
    /// Creates an entity with these components and the defaults of their schemas: world.spawn<Position,
    /// Waypoint>().
    template <typename... Components>
    requires(sizeof...(Components) > 0) Entity spawn();
    /// The archetype with these components and all that they require.
    template <typename... Components> Archetype& archetype();

    // ---- components of one entity; see the functions of World with the same names

    /// Adds a component with the schema's defaults, and the components that it requires. Does nothing if the
    /// entity has it already. For components of every kind.
    template <typename T> bool add(Entity entity);
    /// The same with a value; if the entity has the component already, sets the value. The value of a chunk
    /// component is used only if the entity starts a new chunk; `set` changes an existing one.
    template <typename T> bool add(Entity entity, const T& value);
    template <typename T> bool remove(Entity entity);
    template <typename T> bool has(Entity entity) const;
    /// The entity's value; null when it is dead or lacks the component. Lifetime: until the next structural
    /// change. Expects: a kind with one value per row, per chunk, or shared.
    template <typename T> const T* get(Entity entity) const { return value<T>(entity, read_id<T>()); }
    /// The same for code that stores the id. Expects: T is bound to `component`.
    template <typename T> const T* get(Entity entity, ComponentId component) const {
        types().expect<T>(component, TypedUse::read);
        return value<T>(entity, component);
    }
    /// The same for writing; marks the value as changed. Expects: also not a shared component.
    template <typename T> T* edit(Entity entity);
    template <typename T> bool set(Entity entity, const T& value);
    /// For enableable components.
    template <typename T> bool set_enabled(Entity entity, bool is_enabled);
    template <typename T> bool is_enabled(Entity entity) const;

    /// A handle to the entity's buffer, marked as changed. Empty when the entity is dead or lacks it.
    template <typename T> BufferView<T> buffer(Entity entity);
    /// The elements of the entity's buffer, read-only; none when the entity is dead or lacks it.
    template <typename T> std::span<const T> elements(Entity entity) const;

    /// By id, for code that knows the component only at run time and its value as a struct.
    /// Expects: T is bound to the component, or is unbound and has the size of its values.
    template <typename T>
    requires(kIsValue<T>) bool add(Entity entity, ComponentId component, const T* value);
    template <typename T>
    requires(kIsValue<T>) bool set(Entity entity, ComponentId component, const T* value);

    // ---- queries, resources

    /// The query of a parameter list: Position writes, const Velocity reads; see typed_query.h.
    template <typename... Parameters> TypedQuery<Parameters...> query();
    /// Calls fn(Position&, const Velocity&) or fn(Entity, …) for each matching row: world.each<Position,
    /// const Velocity>(fn).
    template <typename... Parameters, typename Function> void each(Function&& fn);

    /// The world's one value of resource T. Inside a system that only declared to read it, use `const T`.
    template <typename T> T& resource();

protected:
    /// `types`: of the registry of the world.
    explicit TypedWorld(const TypeBindings& types) noexcept : types_(&types) {}
    ~TypedWorld() = default;

private:
    template <typename T> friend class Lookup;

    World& world() noexcept;
    const World& world() const noexcept;
    template <typename T> ComponentId read_id() const { return types().id<T>(TypedUse::read); }
    template <typename T> const T* value(Entity entity, ComponentId component) const;
    template <typename T> BufferView<T> buffer_of(Entity entity, ComponentId component);
    template <typename T> std::span<const T> elements_of(Entity entity, ComponentId component) const;

    Result<ComponentId> bind_type(std::string_view name, std::uint32_t type, std::string_view type_name,
                                  const BoundType& layout);
    Result<ComponentId> declare_type(std::string_view name, std::uint32_t type, std::string_view type_name,
                                     const TypeOptions& options, const BoundType& layout);
    /// The query of a parameter list, created on first use.
    Query& typed_query(std::uint32_t number, std::vector<QueryTerm> (*describe)(const TypeBindings&));
    std::byte* resource_bytes(ComponentId component) noexcept;
    BufferType type_of_buffer(ComponentId component) const noexcept;
    Archetype& find_typed_archetype(std::uint32_t number, std::span<const ComponentId> components);
    bool knows_typed_archetype(std::uint32_t number, std::span<const ComponentId> components);

    const TypeBindings* types_;
};

}  // namespace perigee
