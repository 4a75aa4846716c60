// LayerLook: how a layer is sorted, which camera sees it, and how it is composed with what is below.
//
// Invariant: plain data; numbers are finite, whatever a script said. Not here: names (layer_table.h), and the
// items of a layer (draw_list.h).
#pragma once

#include "engine/draw/color.h"
#include "engine/draw/draw_item.h"
#include "engine/draw/draw_state.h"
#include "engine/shaders/shader_table.h"

#include <array>
#include <cstdint>
#include <string_view>

namespace perigee {

/// What decides the order of entities within a layer. `camera`: the switch y_sort of gfx:Camera.
enum class LayerSort : std::uint8_t { none, y, order, camera };
/// The names that scripts can use.
inline constexpr std::array<std::string_view, 3> kLayerSortNames{"none", "y", "order"};

struct LayerLook {
    std::int16_t layer = 0;
    LayerSort sort = LayerSort::camera;
    bool has_camera = false;
    DrawCamera camera;        ///< with has_camera: instead of the camera of the list
    float parallax_x = 1.0F;  ///< how far the layer moves when the camera does
    float parallax_y = 1.0F;
    float origin_x = 0.0F;  ///< the place of the camera at which the parallax moves nothing
    float origin_y = 0.0F;
    BlendMode blend = BlendMode::alpha;  ///< of the layer as a whole
    PackedColor background = 0;          ///< what its picture is filled with first
    ShaderId effect = 0;                 ///< the same; 0: none
    std::int16_t first = 0;              ///< with the layers from this one on; at most `layer`
    bool is_screen = false;              ///< all in the layer is fixed on the screen

    /// It is seen by another camera than its list.
    bool moves() const noexcept { return has_camera || parallax_x != 1.0F || parallax_y != 1.0F; }
    /// It is drawn onto a picture of its own, which is then drawn as a whole.
    bool is_composed() const noexcept { return blend != BlendMode::alpha || effect != 0 || background != 0; }

    /// The camera that sees it, from that of its list.
    DrawCamera seen_by(const DrawCamera& of_list) const noexcept {
        if (has_camera) return camera;
        DrawCamera seen = of_list;
        if (parallax_x != 1.0F) seen.x = origin_x + (of_list.x - origin_x) * parallax_x;
        if (parallax_y != 1.0F) seen.y = origin_y + (of_list.y - origin_y) * parallax_y;
        return seen;
    }

    /// It composes this layer, too.
    bool spans(std::int16_t other) const noexcept { return first <= other && other <= layer; }

    friend bool operator==(const LayerLook&, const LayerLook&) = default;
};

}  // namespace perigee
