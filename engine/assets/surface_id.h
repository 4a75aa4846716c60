// Image ids of surfaces: canvases and pixels, which a game makes itself (engine/surfaces/surface_table.h).
//
// Invariant: they fit into the 16 bits that draw keys have for an image, and no asset has one of them as its
// handle. An id says what kind of surface it is. Not here: what a surface contains.
//
//   0xF000 .. 0xF7FF  canvases          0xF800 .. 0xFFFF  pixels
#pragma once

#include <cstddef>
#include <cstdint>

namespace perigee {

inline constexpr std::uint32_t kFirstSurface = 0xF000;
inline constexpr std::uint32_t kFirstPixels = 0xF800;
inline constexpr std::uint32_t kEndOfSurfaces = 0x10000;

constexpr bool is_surface(std::uint32_t image) noexcept {
    return image >= kFirstSurface && image < kEndOfSurfaces;
}
constexpr bool is_canvas(std::uint32_t image) noexcept {
    return image >= kFirstSurface && image < kFirstPixels;
}
/// Counts from 0. Expects: is_surface(image).
constexpr std::size_t surface_number(std::uint32_t image) noexcept { return image - kFirstSurface; }

}  // namespace perigee
