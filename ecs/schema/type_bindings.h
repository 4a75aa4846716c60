// Maps C++ types to the components of one world, and says what typed code may do with each.
//
// Invariant: an entry is added once and never changes: a type is bound to one component, whose kind and
// layout are fixed from then on. The allowed uses follow from the kind alone, as bits that the test for a
// binding reads anyway, so a checked look-up costs no more than an unchecked one. bind.h compares layouts.
#pragma once

#include "ecs/schema/bind.h"
#include "ecs/schema/component.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <vector>

namespace perigee {

class ComponentRegistry;

/// How typed code uses a component.
enum class TypedUse : std::uint8_t {
    any,          ///< its id
    presence,     ///< has, add, remove
    read,         ///< get, Lookup<const T>
    edit,         ///< edit, Lookup<T>
    set,          ///< set
    give,         ///< add and spawn with a value
    row,          ///< T as a parameter of a query
    column,       ///< ChunkView::column
    shared,       ///< Shared<T>
    chunk_value,  ///< PerChunk<T>
    buffer,       ///< buffer, elements, Buffer<T>
    enabled,      ///< set_enabled
    resource,
    event,
    blob,
};

/// A struct or number, whose size is meaningful; not raw bytes.
template <typename T>
inline constexpr bool kIsValue = !std::is_void_v<T> && !std::is_same_v<std::remove_cv_t<T>, std::byte>;

class TypeBindings {
public:
    /// `registry`: the registry of the components, for messages.
    explicit TypeBindings(const ComponentRegistry& registry) noexcept : registry_(registry) {}
    TypeBindings(const TypeBindings&) = delete;
    TypeBindings& operator=(const TypeBindings&) = delete;

    /// The id that T is bound to. Expects: T is bound to a component that allows `use`; a contract violation
    /// names both and says what to write instead.
    template <typename T> ComponentId id(TypedUse use = TypedUse::any) const {
        const std::uint32_t number = type_number<std::remove_cv_t<T>>();
        if (!allows(number, use)) [[unlikely]]
            refuse(number, type_name<std::remove_cv_t<T>>(), use);
        return entries_[number].id;
    }
    /// Expects: the same, and T is bound to `component`.
    template <typename T> void expect(ComponentId component, TypedUse use) const {
        if (id<T>(use) != component) [[unlikely]]
            refuse_component(type_name<std::remove_cv_t<T>>(), entry(type_number<std::remove_cv_t<T>>()).id,
                             component);
    }
    /// Expects: T is what World::add and World::set take for the component: it is bound to it, or is unbound
    /// and has the size of its values.
    template <typename T> void expect_value(ComponentId component) const {
        expect_value(component, type_number<T>(), type_name<T>(), std::is_empty_v<T> ? 0 : sizeof(T));
    }
    void expect_value(ComponentId component, std::uint32_t type, std::string_view type_name,
                      std::size_t bytes) const;

    bool is_bound(std::uint32_t type) const noexcept { return entry(type).id.is_valid(); }
    /// True if a C++ type is bound to the component.
    bool is_bound(ComponentId component) const noexcept;
    bool allows(std::uint32_t type, TypedUse use) const noexcept {
        return (entry(type).uses >> static_cast<unsigned>(use) & 1) != 0;
    }
    /// True if the type is bound to this component and the component allows `use`.
    bool fits(std::uint32_t type, ComponentId component, TypedUse use) const noexcept {
        return allows(type, use) && entries_[type].id == component;
    }
    /// Not valid when the type is not bound.
    ComponentId find(std::uint32_t type) const noexcept { return entry(type).id; }

    /// Throws std::bad_alloc; afterwards `bind` of the type cannot fail.
    void reserve(std::uint32_t type);
    /// Expects: reserved; the type is unbound, or bound to this component.
    void bind(std::uint32_t type, ComponentId component) noexcept;

    // ---- contract violations, for callers that do the check themselves

    [[noreturn, gnu::cold, gnu::noinline]] void refuse(std::uint32_t type, std::string_view type_name,
                                                       TypedUse use) const;
    [[noreturn, gnu::cold, gnu::noinline]] void refuse_component(std::string_view type_name,
                                                                 ComponentId bound, ComponentId wanted) const;
    [[noreturn, gnu::cold, gnu::noinline]] void refuse_writing(std::string_view type_name,
                                                               ComponentId component) const;

private:
    struct Entry {
        ComponentId id;
        std::uint16_t uses = 0;  ///< a bit per TypedUse
    };

    Entry entry(std::uint32_t type) const noexcept {
        return type < entries_.size() ? entries_[type] : Entry{};
    }

    const ComponentRegistry& registry_;
    std::vector<Entry> entries_;  ///< by type_number
};

}  // namespace perigee
