// Painter: immediate drawing into a DrawList, call by call, as `function draw()` and presentation systems do
// it.
//
// Invariant: what is painted later lies over what was painted before, within its layer; the state (colour,
// layer, …) starts from the same defaults in every frame. Between frames the painter is closed and refuses to
// draw, because a picture made during a simulation step would depend on how often the display asks.
#pragma once

#include "engine/color.h"
#include "engine/draw_budget.h"
#include "engine/draw_list.h"
#include "engine/image_table.h"

#include <cstdint>
#include <string_view>

namespace perigee {

/// How a text is set; 0 means "the painter's" or "none".
struct TextStyle {
    float size = 0.0F;   ///< font size in px
    float width = 0.0F;  ///< box: lines are wrapped and aligned in it
    TextAlign align = TextAlign::left;
};

/// How a frame of an image is placed.
struct ImageStyle {
    float scale_x = 1.0F;  ///< negative flips
    float scale_y = 1.0F;
    float rotation = 0.0F;  ///< radians, clockwise, about the origin
    float origin_x = 0.0F;  ///< point of the image that lies at x, y; 0 .. 1 of its size
    float origin_y = 0.0F;
};

class Painter {
public:
    static constexpr float kDefaultFontSize = 16.0F;

    /// Opens the painter on a list, with default state. Lifetime: both until end_frame.
    void begin_frame(DrawList& list, const ImageTable& images) noexcept;
    void end_frame() noexcept { list_ = nullptr; }
    bool is_open() const noexcept { return list_ != nullptr; }

    /// From now on items are taken from this budget; null: from none. Lifetime: until the next call.
    /// `surface`: without its zoom, which is the camera's.
    void use_budget(DrawBudget* budget, const DrawSurface& surface) noexcept {
        budget_ = budget;
        surface_ = surface;
        is_refused_ = false;
    }
    /// Was an item refused since then?
    bool is_refused() const noexcept { return is_refused_; }

    // State of the frame.
    PackedColor color = kWhite;
    std::int16_t layer = 0;
    bool is_screen = false;
    BlendMode blend = BlendMode::alpha;
    float line_width = 1.0F;
    float font_size = kDefaultFontSize;

    // All of these expect: is_open(). Coordinates that are not finite draw nothing.
    void rectangle(bool is_filled, float x, float y, float width, float height, float rotation = 0.0F);
    void circle(bool is_filled, float x, float y, float radius);
    void line(float x1, float y1, float x2, float y2);
    void text(std::string_view utf8, float x, float y, const TextStyle& style = {});
    void image(FrameId frame, float x, float y, const ImageStyle& style = {});
    /// For what is painted in the world from now on; sprites of entities keep the camera of the list. One
    /// that is not finite, or has no zoom, changes nothing.
    void set_camera(const DrawCamera& camera);

private:
    void add(DrawItem item, std::uint32_t image = 0, std::size_t text_length = 0);
    bool may_draw(const DrawItem& item, std::size_t text_length) noexcept;

    DrawList* list_ = nullptr;
    const ImageTable* images_ = nullptr;
    DrawBudget* budget_ = nullptr;
    DrawSurface surface_;
    bool is_refused_ = false;
};

}  // namespace perigee
