// Component identity and kind: the two words that every other file of the data core shares.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace perigee {

/// What a schema declares. `component`, `tag` and `resource` live here now; the other kinds have their names
/// reserved.
enum class ComponentKind : std::uint8_t {
    component,  ///< plain data, one value per row
    tag,        ///< no data, only filters; costs no row bytes
    resource,   ///< one value per world
    shared,
    cleanup,
    buffer,
    chunk,
    object,
    enableable,
    event,
    blob,
};

std::string_view kind_name(ComponentKind kind) noexcept;

/// Dense number of a declared type within one world: 0 .. registry size - 1, in order of declaration.
struct ComponentId {
    std::uint16_t index = 0xFFFF;

    constexpr bool is_valid() const noexcept { return index != 0xFFFF; }
    constexpr auto operator<=>(const ComponentId&) const noexcept = default;
};

inline constexpr std::size_t kMaxComponents = 0xFFFF;

}  // namespace perigee
