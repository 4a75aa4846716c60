// Level glyphs are boxes on whole pixels, which SDL copies; others are quads.
#include "engine/sdl/draw/text_setter.h"

#include "engine/sdl/draw/glyph_layout.h"

namespace perigee {

void set_text(const DrawItem& item, std::string_view utf8, const TextLook* look, PixelForm form,
              const View& view, const PixelBox& visible, GlyphAtlas& atlas, Mesh& mesh,
              const std::function<void()>& make_room) {
    if (TextFrame::is_too_small(item, view)) return;
    const TextFrame frame{item, view, visible};
    const auto add = [&](const TextAxes& axes, float x, float y, const Glyph& glyph, PackedColor color) {
        if (form == PixelForm::premultiplied) color = premultiplied(color);
        // Between pixels, filtering shows the edge of a glyph in the clear border around it.
        const int border = axes.is_level ? 0 : 1;
        const auto pixels = [&axes](int number) { return static_cast<float>(number) * axes.magnified; };
        const float left = pixels(glyph.left - border);
        const float top = pixels(glyph.top - border);
        const float right = left + pixels(glyph.width + 2 * border);
        const float bottom = top + pixels(glyph.height + 2 * border);
        if (axes.is_level) {
            mesh.add_box({x + left, y + top, x + right, y + bottom}, color, glyph.box);
            return;
        }
        const float texel = (glyph.box.right - glyph.box.left) / static_cast<float>(glyph.width);
        const TextureBox box{glyph.box.left - texel, glyph.box.top - texel, glyph.box.right + texel,
                             glyph.box.bottom + texel};
        const auto corner = [&](float along, float below) {
            return WindowPoint{x + axes.right_x * along + axes.down_x * below,
                               y + axes.right_y * along + axes.down_y * below};
        };
        mesh.add_textured_quad(
            {corner(left, top), corner(right, top), corner(right, bottom), corner(left, bottom)}, color, box);
    };
    if (look != nullptr)
        each_glyph(item, *look, utf8, frame, atlas, make_room, add);
    else
        each_glyph(item, utf8, frame, atlas, make_room, add);
}

}  // namespace perigee
