// The screen that a game draws on: its size in logical pixels, and how a window of another shape shows it.
//
// Invariant: plain data. Not here: the arithmetic (engine/sdl/window/letterbox.h), and the size that a game
// asks for (engine/mods/mod_manifest.h).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace perigee {

/// Units: logical pixels.
struct ScreenSize {
    std::uint16_t width = 0;
    std::uint16_t height = 0;

    bool is_empty() const noexcept { return width == 0 || height == 0; }
    friend bool operator==(const ScreenSize&, const ScreenSize&) = default;
};

/// The smallest and the largest side that a screen can have, also one that grows.
inline constexpr std::uint16_t kMinScreenSide = 16;
inline constexpr std::uint16_t kMaxScreenSide = 8192;
/// The largest side that a window can be asked to have.
inline constexpr std::uint16_t kMaxWindowSide = 16384;

/// What happens in a window whose shape differs from the screen's.
enum class ScreenFit : std::uint8_t {
    letterbox,  ///< the largest size that fits, with bars; a half step below it if that costs little
    integer,    ///< whole multiples, with bars; smaller than the screen: the largest that fits
    stretch,    ///< the whole window, so circles become ellipses
    expand,     ///< the whole window: the screen grows and shows more
};
/// The names of ScreenFit, in its order.
inline constexpr std::array<std::string_view, 4> kScreenFitNames{"letterbox", "integer", "stretch", "expand"};

}  // namespace perigee
