// Component identity and kind: the two words that every other file of the data core shares.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace perigee {

/// What a schema declares. The kinds are those of Unity Entities, under its names where it has one.
enum class ComponentKind : std::uint8_t {
    component,       ///< plain data, one value per row
    tag,             ///< no data, only filters; costs no row bytes
    resource,        ///< one value per world
    shared,          ///< rows with equal values stand in chunks of their own; the value is stored once
    cleanup,         ///< like component, but outlives `destroy` and holds the id back until it is removed
    buffer,          ///< a growing list of elements per row; short ones lie in the chunk
    chunk,           ///< one value per chunk
    object,          ///< a reference to something outside chunk memory, such as a Lua value
    enableable,      ///< like component (or tag, without fields), and each row can be switched off in place
    event,           ///< sent from system to system, not stored in rows
    blob,            ///< immutable arrays, referenced by handle
    shared_cleanup,  ///< both
};

/// True for kinds that are part of an archetype.
constexpr bool is_component_kind(ComponentKind kind) noexcept {
    return kind != ComponentKind::resource && kind != ComponentKind::event && kind != ComponentKind::blob;
}
constexpr bool is_shared_kind(ComponentKind kind) noexcept {
    return kind == ComponentKind::shared || kind == ComponentKind::shared_cleanup;
}
constexpr bool is_cleanup_kind(ComponentKind kind) noexcept {
    return kind == ComponentKind::cleanup || kind == ComponentKind::shared_cleanup;
}

std::string_view kind_name(ComponentKind kind) noexcept;

/// The tag of entities that were destroyed and are held by cleanup components; declared with the first of
/// those.
inline constexpr std::string_view kDestroyedName = "Destroyed";

/// Dense number of a declared type within one world: 0 .. registry size - 1, in order of declaration.
struct ComponentId {
    std::uint16_t index = 0xFFFF;

    constexpr bool is_valid() const noexcept { return index != 0xFFFF; }
    constexpr auto operator<=>(const ComponentId&) const noexcept = default;
};

inline constexpr std::size_t kMaxComponents = 0xFFFF;

}  // namespace perigee
