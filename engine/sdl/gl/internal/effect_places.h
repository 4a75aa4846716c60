// The places that an effect sees in what has none of its own: from 0, 0 at the top left of a text or a
// polygon to 1, 1 at its bottom right.
//
// Invariant: they depend on the item and the view alone, not on what of it is visible. Shapes get theirs in
// the vertex shader (shaders.cpp), images and meshes with an image have them.
#pragma once

#include "engine/draw/draw_item.h"
#include "engine/draw/draw_list.h"
#include "engine/draw/text_look.h"
#include "engine/sdl/gl/shaders.h"
#include "engine/sdl/mesh/view.h"

#include <array>
#include <span>
#include <string_view>
#include <vector>

namespace perigee::gl {

EffectKind effect_kind(DrawKind kind) noexcept;

/// From a pixel of the target to the place in a text: x = dot((pixel, 1), x). The text is as large as
/// gfx.text_size says, or as wide as its box.
struct TextPart {
    std::array<float, 3> x{};
    std::array<float, 3> y{};
    friend bool operator==(const TextPart&, const TextPart&) = default;
};

/// `look` null: it has none.
TextPart text_part_of(const DrawItem& item, std::string_view utf8, const TextLook* look, const View& view);

/// Adds the points of a polygon with their places in the smallest rectangle around it.
void add_with_places(std::span<const MeshPoint> mesh, std::vector<MeshPoint>& points);

}  // namespace perigee::gl
