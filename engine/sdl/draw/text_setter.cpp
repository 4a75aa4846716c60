// Layout line by line, in item units; only a glyph's final place is rounded to window pixels.
#include "engine/sdl/draw/text_setter.h"

#include "engine/draw/text_metrics.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace perigee {

namespace {

// From the top of a line to its base line, in em. Source: table 'hhea' of DejaVuSans.ttf 2.37.
constexpr float kAscent = 1901.0F / 2048.0F;

float first_pen(const DrawItem& item, std::string_view line) noexcept {
    if (item.align() == TextAlign::left) return item.x;
    // Without a box, the line is centred on x or ends at x.
    const float room = item.w - text_width(line, item.h);
    return item.x + (item.align() == TextAlign::center ? room / 2.0F : room);
}

// Whether a glyph at this pen may have ink there, before its picture is made. No glyph reaches further than
// this.
bool may_be_seen(float x, float y, float size, const Letterbox& visible) noexcept {
    const auto left = static_cast<float>(visible.x);
    const auto top = static_cast<float>(visible.y);
    return x + 4 * size >= left && x - 2 * size <= left + static_cast<float>(visible.width) &&
           y + size >= top && y - 2 * size <= top + static_cast<float>(visible.height);
}

}  // namespace

void set_text(const DrawItem& item, std::string_view utf8, const ViewTransform& view,
              const Letterbox& visible, GlyphAtlas& atlas, Mesh& mesh,
              const std::function<void()>& make_room) {
    const float window_size = item.h * view.scale;
    if (!(window_size >= 1.0F)) return;
    const int raster_size =
        static_cast<int>(std::lround(std::min(window_size, static_cast<float>(GlyphAtlas::kMaxPixelSize))));
    const float magnified =
        window_size > GlyphAtlas::kMaxPixelSize ? window_size / GlyphAtlas::kMaxPixelSize : 1.0F;

    float base_line = item.y + kAscent * item.h;
    while (!utf8.empty()) {
        std::string_view line = next_line(utf8, item.h, item.w);
        float pen = first_pen(item, line);
        const float y = std::nearbyintf(base_line * view.scale + view.y);
        while (!line.empty()) {
            const char32_t character = next_character(line);
            const float at = std::exchange(pen, pen + glyph_advance(character, item.h));
            const float x = std::nearbyintf(at * view.scale + view.x);
            if (!is_drawn(character) || !may_be_seen(x, y, window_size, visible)) continue;
            const Glyph* glyph = atlas.place(character, raster_size);
            if (glyph == nullptr) {
                make_room();
                glyph = atlas.place(character, raster_size);
            }
            if (glyph != nullptr && glyph->width > 0) {
                const float left = x + static_cast<float>(glyph->left) * magnified;
                const float top = y + static_cast<float>(glyph->top) * magnified;
                mesh.add_box(left, top, left + static_cast<float>(glyph->width) * magnified,
                             top + static_cast<float>(glyph->height) * magnified, item.color, glyph->box);
            }
        }
        base_line += line_height(item.h);
    }
}

}  // namespace perigee
