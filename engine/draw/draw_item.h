// DrawItem: one thing to draw, as 32 bytes of plain data that any back end can read and any test can print.
//
// Invariant: an item contains no pointer and no back-end object; `ref` refers to further data in the
// ImageTable (sprites) or in the DrawList's text (texts). Not here: the drawing order
// (draw_list.h).
//
//   byte  0    4    8   12   16      20    24     26      28        30    31
//         x    y    w    h   color   ref   angle  stroke  origin    kind  flags
//
//   what the numbers mean, by kind:
//
//   kind       x, y           w, h          angle          origin               ref
//   sprite     of the origin  size          turn           of its size          frame of the ImageTable
//   rectangle  of the origin  size          turn           of its size          corner radius, 1/1024 px
//   circle     centre         radii         turn           -                    -
//   arc        centre         radii         turn           ArcShape, LineCap    from | to << 16, of 65536
//   line       start          end           -              LineCap, 0           -
//   text       top left       box, size     turn           number of its look   number for DrawList::text()
//   mesh       of its 0, 0    scales        turn           -                    number for DrawList::mesh()
#pragma once

#include "engine/draw/shapes/line_style.h"
#include "engine/draw/shapes/point.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace perigee {

enum class DrawKind : std::uint8_t { sprite, rectangle, circle, line, text, arc, mesh };
/// The first one blends by opacity, `replace` not at all; the others are named as in other 2D libraries.
enum class BlendMode : std::uint8_t { alpha, add, multiply, screen, subtract, replace, darken, lighten };
inline constexpr std::array<std::string_view, 8> kBlendNames{"alpha",    "add",     "multiply", "screen",
                                                             "subtract", "replace", "darken",   "lighten"};
/// `justify`: lines that are wrapped are as wide as the box, by wider spaces; others begin at the left.
enum class TextAlign : std::uint8_t { left, center, right, justify };
inline constexpr std::array<std::string_view, 4> kTextAlignNames{"left", "center", "right", "justify"};
/// How the ends of an arc are joined: to the centre, not at all, or to each other.
enum class ArcShape : std::uint8_t { pie, open, closed };
inline constexpr std::array<std::string_view, 3> kArcShapeNames{"pie", "open", "closed"};

// Widths of lines: 1/16 px; from the first number on 1/4096 px, since a transform or a zoom may magnify them;
// and from the second one on 2048 px and more, in steps of 1/4 px.
inline constexpr std::uint16_t kFineStroke = 0x8000;
inline constexpr std::uint16_t kWideStroke = 0xC000;
inline constexpr float kCornerParts = 1024.0F;  ///< of a pixel, for the corners of rectangles
inline constexpr std::uint32_t kMaxCorner = 4'000'000'000U;

// Bits of DrawItem::flags; bits 6-7 are the TextAlign.
inline constexpr std::uint8_t kDrawBlend = 7;  ///< the BlendMode
inline constexpr std::uint8_t kDrawFlipX = 1U << 3U;
inline constexpr std::uint8_t kDrawFlipY = 1U << 4U;
inline constexpr std::uint8_t kDrawScreen = 1U << 5U;            ///< ignores the camera: HUD
inline constexpr unsigned kRunFlags = kDrawBlend | kDrawScreen;  ///< alike in all items that one call draws
inline constexpr unsigned kDrawAlignShift = 6;

/// Units: pixels of the world, or of the logical screen if flags has kDrawScreen.
struct DrawItem {
    float x = 0.0F;
    float y = 0.0F;
    float w = 0.0F;                     ///< text: width of its box, 0 = as wide as needed
    float h = 0.0F;                     ///< text: font size
    std::uint32_t color = 0xFFFF'FFFF;  ///< r, g, b, a in memory order; a sprite is multiplied by it
    std::uint32_t ref = 0;
    std::uint16_t angle = 0;    ///< turns in 1/65536, clockwise about x, y
    std::uint16_t stroke = 0;   ///< width of the outline or line, see quantised_stroke; 0 = filled
    std::uint8_t origin_x = 0;  ///< point of the item placed at x, in 1/128 of its width: 64 = centre; of a
                                ///< text, with origin_y, its look
    std::uint8_t origin_y = 0;
    DrawKind kind = DrawKind::rectangle;
    std::uint8_t flags = 0;

    BlendMode blend() const noexcept { return static_cast<BlendMode>(flags & kDrawBlend); }
    TextAlign align() const noexcept { return static_cast<TextAlign>(flags >> kDrawAlignShift); }
    bool is_screen() const noexcept { return (flags & kDrawScreen) != 0; }
    double angle_radians() const noexcept { return angle * (kFullTurn<double> / 65536.0); }
    float stroke_pixels() const noexcept {
        if (stroke < kFineStroke) return static_cast<float>(stroke) / 16.0F;
        if (stroke < kWideStroke) return static_cast<float>(stroke - kFineStroke) / 4096.0F;
        return 2048.0F + static_cast<float>(stroke - kWideStroke) / 4.0F;
    }
    /// The radius of a rectangle's corners.
    float corner_pixels() const noexcept { return static_cast<float>(ref) / kCornerParts; }
    /// The number of a text's look, for DrawList::look(); 0: none.
    std::uint16_t look() const noexcept { return static_cast<std::uint16_t>(origin_x | origin_y << 8U); }
    void set_look(std::uint16_t number) noexcept {
        origin_x = static_cast<std::uint8_t>(number & 255U);
        origin_y = static_cast<std::uint8_t>(number >> 8U);
    }

    friend bool operator==(const DrawItem&, const DrawItem&) = default;
};
static_assert(sizeof(DrawItem) == 32);

/// Where the first glyph of a line is, from the left of its box, and by how much a space of it is wider.
struct LineStart {
    float pen = 0.0F;
    float wider_space = 0.0F;
};

/// Of a text that is placed in a box, or at x without one. `width`: of the line, in the units of the item;
/// `spaces`: between its words, 0 if it ends a paragraph.
inline LineStart line_start(const DrawItem& text, float width, std::size_t spaces) noexcept {
    const float room = text.w - width;  // without a box, the line is centred on x or ends at x
    switch (text.align()) {
        case TextAlign::center:
            return {room / 2.0F, 0.0F};
        case TextAlign::right:
            return {room, 0.0F};
        case TextAlign::justify:
            if (spaces != 0 && room > 0.0F) return {0.0F, room / static_cast<float>(spaces)};
            break;
        case TextAlign::left:
            break;
    }
    return {};
}

/// Where an item is that is the same in all else.
struct ItemPlace {
    float x = 0.0F;
    float y = 0.0F;
};

/// A particle of thousands that look alike: 12 bytes, which a back end makes an item of.
struct ParticleItem {
    float x = 0.0F;
    float y = 0.0F;
    std::uint16_t step = 0;   ///< of its life: the number of its look
    std::uint16_t angle = 0;  ///< as of an item
};
static_assert(sizeof(ParticleItem) == 12);

/// Items for the steps of a life. They have no place and no angle, and differ in size and colour alone.
struct ParticleLooks {
    static constexpr std::size_t kSteps = 64;
    std::array<DrawItem, kSteps> items;

    DrawItem item_of(const ParticleItem& particle) const noexcept {
        DrawItem item = items[particle.step];
        item.x = particle.x;
        item.y = particle.y;
        item.angle = particle.angle;
        return item;
    }
};

/// An angle in radians as DrawItem::angle; NaN, infinity and more than 10^12 turns become 0.
inline std::uint16_t quantised_angle(float radians) noexcept {
    const double parts = static_cast<double>(radians) * (65536.0 / kFullTurn<double>);
    if (!(parts < 65536e12 && parts > -65536e12)) return 0;
    return static_cast<std::uint16_t>(static_cast<std::int64_t>(parts + std::copysign(0.5, parts)));
}

/// Pixels as DrawItem::stroke: the nearest width that it can express, from 1/4096 to 6143; NaN becomes 1.
/// Multiples of 1/16 below 2048 are exact.
inline std::uint16_t quantised_stroke(float pixels) noexcept {
    if (!(pixels > 0.0F)) return pixels == pixels ? 1 : 16;
    const float parts = pixels * 16.0F;
    if (pixels < 4.0F && parts != std::floor(parts)) {
        const int fine = static_cast<int>(pixels * 4096.0F + 0.5F);
        return static_cast<std::uint16_t>(kFineStroke + (fine < 1 ? 1 : fine < 16383 ? fine : 16383));
    }
    if (pixels < 2048.0F) {
        const int whole = static_cast<int>(parts + 0.5F);
        return static_cast<std::uint16_t>(whole < kFineStroke ? whole : kFineStroke - 1);
    }
    const float wide = (pixels - 2048.0F) * 4.0F + 0.5F;
    return static_cast<std::uint16_t>(kWideStroke + static_cast<int>(wide < 16383.0F ? wide : 16383.0F));
}

/// Pixels as DrawItem::ref of a rectangle; at least 1, so that it stays rounded. NaN becomes 1.
inline std::uint32_t quantised_corner(float pixels) noexcept {
    const float parts = pixels * kCornerParts + 0.5F;
    if (!(parts > 1.0F)) return 1;
    return parts < static_cast<float>(kMaxCorner) ? static_cast<std::uint32_t>(parts) : kMaxCorner;
}

/// A fraction of a size as DrawItem::origin_x; clamped to the representable range, 0 .. 255/128; NaN becomes
/// 0.
inline std::uint8_t quantised_origin(float fraction) noexcept {
    const float scaled = fraction * 128.0F + 0.5F;
    const float above = scaled > 0.0F ? scaled : 0.0F;
    return static_cast<std::uint8_t>(static_cast<int>(above < 255.0F ? above : 255.0F));
}

/// The origin of an image that is mirrored: the point of the image that was placed stays where it is. Beyond
/// the image it is its edge.
inline std::uint8_t mirrored_origin(std::uint8_t origin) noexcept {
    return static_cast<std::uint8_t>(origin < 128 ? 128 - origin : 0);
}

}  // namespace perigee
