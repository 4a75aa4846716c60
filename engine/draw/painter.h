// Painter: immediate drawing into a DrawList, as used by `function draw()` and presentation systems.
//
// Invariant: later drawing covers earlier drawing in the same layer; the state (colour, layer, …) starts from
// the same defaults in every frame. Between frames the painter is closed and refuses to draw, because drawing
// during a simulation step would depend on the display's frame rate.
#pragma once

#include "engine/assets/image_table.h"
#include "engine/draw/color.h"
#include "engine/draw/draw_budget.h"
#include "engine/draw/draw_list.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

namespace perigee {

/// Text layout; 0 means "the painter's" or "none".
struct TextStyle {
    float size = 0.0F;   ///< font size in px
    float width = 0.0F;  ///< box: lines are wrapped and aligned in it
    TextAlign align = TextAlign::left;
};

/// Placement of a frame of an image.
struct ImageStyle {
    float scale_x = 1.0F;  ///< negative flips
    float scale_y = 1.0F;
    float rotation = 0.0F;  ///< radians, clockwise, about the origin
    float origin_x = 0.0F;  ///< point of the image placed at x, y; 0 .. 1 of its size
    float origin_y = 0.0F;
};

class Painter {
public:
    static constexpr float kDefaultFontSize = 16.0F;

    /// Opens the painter on a list, with default state. Lifetime: both until end_frame.
    void begin_frame(DrawList& list, const ImageTable& images) noexcept;
    void end_frame() noexcept { list_ = nullptr; }
    bool is_open() const noexcept { return list_ != nullptr; }

    /// From now on items are charged to this budget; null: none. Lifetime: until the next call. `surface`:
    /// its zoom is ignored in favour of the camera's.
    void use_budget(DrawBudget* budget, const DrawSurface& surface) noexcept {
        budget_ = budget;
        surface_ = surface;
        is_refused_ = false;
    }
    /// True if an item was refused since then.
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
    /// Sets the camera for world drawing from now on; sprites of entities keep the camera of the list. A
    /// camera that is not finite or has no zoom is ignored.
    void set_camera(const DrawCamera& camera);

    /// Where a picture in the picture is: its point 0, 0, its scale, and the size of the screen for which it
    /// is drawn.
    struct Place {
        float x = 0.0F;
        float y = 0.0F;
        float scale = 1.0F;
        float width = 0.0F;
        float height = 0.0F;
    };
    /// Calls `draw` with the default state of a frame. What it draws, for the world and for the screen, goes
    /// there, into the current layer plus its own, in the world or on the screen as the state is now. It is
    /// not clipped. Afterwards the state is as before. May nest. Expects: is_open().
    void draw_placed(const Place& place, const std::function<void()>& draw);

private:
    struct Placed {
        Place place;
        DrawCamera camera;
        std::int16_t layer = 0;
        bool is_screen = false;
    };
    void put_in_place(DrawItem& item) const noexcept;
    std::int16_t layer_in_place() const noexcept;
    void add(DrawItem item, std::uint32_t image = 0, std::size_t text_length = 0);
    bool may_draw(const DrawItem& item, std::size_t text_length) noexcept;

    DrawList* list_ = nullptr;
    const ImageTable* images_ = nullptr;
    DrawBudget* budget_ = nullptr;
    DrawSurface surface_;
    bool is_refused_ = false;
    std::optional<Placed> placed_;  ///< by draw_placed
};

}  // namespace perigee
