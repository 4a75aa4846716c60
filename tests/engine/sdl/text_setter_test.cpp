// Where glyph boxes come to stand, against the metrics that scripts are told.
#include "engine/sdl/text_setter.h"

#include "engine/text_metrics.h"
#include "tests/engine/sdl/canvas.h"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace perigee;

namespace {

struct Bounds {
    float left = 1e9F;
    float top = 1e9F;
    float right = -1e9F;
    float bottom = -1e9F;
    std::size_t glyph_count = 0;
};

Bounds bounds_of(const DrawItem& item, std::string_view text, const ViewTransform& view) {
    test::Canvas canvas{8, 8};
    GlyphAtlas atlas{canvas.renderer(), default_font_file()};
    Mesh mesh;
    set_text(item, text, view, atlas, mesh, [] { FAIL("the atlas has room"); });
    Bounds bounds;
    bounds.glyph_count = mesh.vertices().size() / 4;
    for (const MeshVertex& vertex : mesh.vertices()) {
        bounds.left = std::min(bounds.left, vertex.x);
        bounds.top = std::min(bounds.top, vertex.y);
        bounds.right = std::max(bounds.right, vertex.x);
        bounds.bottom = std::max(bounds.bottom, vertex.y);
    }
    return bounds;
}

DrawItem text_item(float x, float y, float size, float width = 0, TextAlign align = TextAlign::left) {
    DrawItem item{.x = x, .y = y, .w = width, .h = size, .kind = DrawKind::text};
    item.flags = static_cast<std::uint8_t>(static_cast<unsigned>(align) << kDrawAlignShift);
    return item;
}

}  // namespace

TEST_CASE("text takes the room that scripts were told, at any scale") {
    const std::string text = "Hamburgefonstiv 0123456789\nAVAVAV";
    for (const float size : {8.0F, 13.0F, 16.0F, 40.0F, 200.0F})
        for (const float scale : {0.5F, 1.0F, 1.5F, 3.0F}) {
            const TextSize room = text_size(text, size);
            const Bounds bounds = bounds_of(text_item(10, 20, size), text, {scale, 3, 4});
            CAPTURE(size, scale);
            // Glyphs may bear out of their advance a little; a pixel is for rounding.
            const float slack = 0.08F * size * scale + 1.5F;
            CHECK(bounds.left >= 10 * scale + 3 - slack);
            CHECK(bounds.top >= 20 * scale + 4 - 1.5F);
            CHECK(bounds.right <= (10 + room.width) * scale + 3 + slack);
            CHECK(bounds.right >= (10 + room.width) * scale + 3 - 3 * slack);
            CHECK(bounds.bottom <= (20 + room.height) * scale + 4 + 1.5F);
        }
}

TEST_CASE("a box breaks lines and aligns them") {
    const float width = text_width("several words", 16) + 4;
    const Bounds broken = bounds_of(text_item(0, 0, 16, width), "several words broken", {});
    CHECK(broken.right <= width);
    CHECK(broken.bottom > line_height(16));
    CHECK(bounds_of(text_item(0, 0, 16, 300, TextAlign::right), "end", {}).right == Approx(300).margin(2));
    const Bounds centred = bounds_of(text_item(0, 0, 16, 300, TextAlign::center), "mid", {});
    CHECK((centred.left + centred.right) / 2 == Approx(150).margin(2));
    // Without a box: centred on x, ending at x.
    const Bounds on_x = bounds_of(text_item(100, 0, 16, 0, TextAlign::center), "mid", {});
    CHECK((on_x.left + on_x.right) / 2 == Approx(100).margin(2));
}

TEST_CASE("text of no size and malformed text are drawn without harm") {
    CHECK(bounds_of(text_item(0, 0, 0), "x", {}).glyph_count == 0);
    CHECK(bounds_of(text_item(0, 0, 16), "", {}).glyph_count == 0);
    CHECK(bounds_of(text_item(0, 0, 16), "\xFF\xC3", {}).glyph_count == 2);
    CHECK(bounds_of(text_item(0, 0, 16), "a b\tc", {}).glyph_count == 3);
}
