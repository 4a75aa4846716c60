// Component identity and kind, shared by every other file of the data core.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace perigee {

/// The kind of type that a schema declares. Kinds that Unity Entities also has keep its names.
enum class ComponentKind : std::uint8_t {
    component,       ///< plain data, one value per row
    tag,             ///< no data, only filters; costs no row bytes
    resource,        ///< one value per world
    shared,          ///< rows with equal values share chunks; the value is stored once
    cleanup,         ///< like component, but survives `destroy` and keeps the id from being reused until it
                     ///< is removed
    buffer,          ///< a growing list of elements per row; short ones are stored in the chunk
    chunk,           ///< one value per chunk
    object,          ///< a reference to something outside chunk memory, such as a Lua value
    enableable,      ///< like component (or tag, without fields), and each row can be disabled in place
    event,           ///< sent between systems, not stored in rows
    blob,            ///< immutable arrays, referenced by handle
    shared_cleanup,  ///< shared and cleanup
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

inline constexpr std::size_t kComponentKindCount = 12;

/// The word used in schemas.
std::string_view kind_name(ComponentKind kind) noexcept;

/// The tag of destroyed entities that still have cleanup components. Declared with the first cleanup
/// component.
inline constexpr std::string_view kDestroyedName = "Destroyed";

/// Dense number of a declared type within one world: 0 .. registry size - 1, in order of declaration.
struct ComponentId {
    std::uint16_t index = 0xFFFF;

    constexpr bool is_valid() const noexcept { return index != 0xFFFF; }
    constexpr auto operator<=>(const ComponentId&) const noexcept = default;
};

inline constexpr std::size_t kMaxComponents = 0xFFFF;

/// Number of a value among those of one shared component.
using SharedIndex = std::uint32_t;
inline constexpr SharedIndex kNoSharedValue = 0xFFFFFFFF;

/// What happens to entities whose relation points at a destroyed entity: the field becomes null, or they are
/// destroyed too.
enum class OnTargetDestroyed : std::uint8_t { clear, destroy };

/// Elements of a buffer that are stored in the chunk, unless its schema says otherwise.
inline constexpr std::uint32_t kDefaultBufferCapacity = 8;

}  // namespace perigee
