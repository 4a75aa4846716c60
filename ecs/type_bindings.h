// Which C++ type stands for which component of one world, and what typed code may ask of it.
//
// Invariant: an entry is made once and never changes: a type stands for one component, whose kind and layout
// are fixed from then on. What may be asked follows from the kind alone, as bits that the test "is it bound?"
// reads anyway, so a checked look-up costs what an unchecked one would. Layouts are compared by bind.h.
#pragma once

#include "ecs/bind.h"
#include "ecs/component.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <vector>

namespace perigee {

class ComponentRegistry;

/// What typed code wants of a component.
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

/// Not bytes, but a struct or number, whose size says something.
template <typename T>
inline constexpr bool kIsValue = !std::is_void_v<T> && !std::is_same_v<std::remove_cv_t<T>, std::byte>;

class TypeBindings {
public:
    /// `registry` is that of the components, for messages.
    explicit TypeBindings(const ComponentRegistry& registry) noexcept : registry_(registry) {}
    TypeBindings(const TypeBindings&) = delete;
    TypeBindings& operator=(const TypeBindings&) = delete;

    /// The id that T is bound to. Expects: T is bound, to a component of which `use` may be asked; a broken
    /// contract names both, and what to write instead.
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
    /// Expects: a T is what World::add and World::set take for the component: it is bound to it, or has no
    /// binding and the size of its values.
    template <typename T> void expect_value(ComponentId component) const {
        expect_value(component, type_number<T>(), type_name<T>(), std::is_empty_v<T> ? 0 : sizeof(T));
    }
    void expect_value(ComponentId component, std::uint32_t type, std::string_view type_name,
                      std::size_t bytes) const;

    bool is_bound(std::uint32_t type) const noexcept { return entry(type).id.is_valid(); }
    /// Is it what some C++ type stands for?
    bool is_bound(ComponentId component) const noexcept;
    bool allows(std::uint32_t type, TypedUse use) const noexcept {
        return (entry(type).uses >> static_cast<unsigned>(use) & 1) != 0;
    }
    /// Is it bound to this component, of which `use` may be asked?
    bool fits(std::uint32_t type, ComponentId component, TypedUse use) const noexcept {
        return allows(type, use) && entries_[type].id == component;
    }
    /// Not valid when the type is not bound.
    ComponentId find(std::uint32_t type) const noexcept { return entry(type).id; }

    /// Throws std::bad_alloc; afterwards `bind` of the type cannot fail.
    void reserve(std::uint32_t type);
    /// Expects: reserved; the type is not bound, or to this very component.
    void bind(std::uint32_t type, ComponentId component) noexcept;

    // ---- broken contracts, for those that checked by themselves

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
