// From characters to glyphs: which face has each, how far they are apart, and which part shapes which.
//
// Invariant: the result depends on the characters and the faces alone. What no face has is drawn in the
// default font, in its width. Not here: markup (markup.h), lines (engine/draw/shaped_lines.h).
#pragma once

#include "engine/draw/shaped_text.h"
#include "engine/fonts/font_face.h"
#include "engine/fonts/markup.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace perigee::internal {

/// The faces of a font in their order; null after the last one. Loads a face when it is first asked for.
using FaceAt = std::function<std::shared_ptr<FontFace>(std::size_t index)>;
/// The picture of an icon, and its advance in em.
struct IconPicture {
    TextPicture picture;
    float advance = 0.0F;
};
using IconAt = std::function<IconPicture(std::uint32_t icon, float ascent, float line_height)>;

class TextShaper {
public:
    /// `line_height`: multiplies that of the font. Without a first face everything is in the default font.
    void shape(std::span<const TextUnit> units, const FaceAt& face_at, const IconAt& icon_at,
               float line_height, ShapedText& text);

private:
    static constexpr std::uint8_t kNoFace = 255;
    void choose_faces(std::span<const TextUnit> units, const FaceAt& face_at, ShapedText& text);
    void find_directions(std::size_t first, const ShapedText& text);
    void add_simply(std::span<const TextUnit> units, std::size_t first, std::size_t end,
                    const IconAt& icon_at, ShapedText& text);
    void add_paragraph(std::span<const TextUnit> units, std::size_t first, std::size_t end,
                       const IconAt& icon_at, ShapedText& text);
    void add_run(std::span<const TextUnit> units, std::size_t paragraph, std::size_t first, std::size_t end,
                 const IconAt& icon_at, ShapedText& text);
    bool add_shaped(std::span<const TextUnit> units, std::size_t paragraph, std::size_t first,
                    std::size_t end, ShapedText& text);

    // Of the current text, by unit.
    std::vector<std::uint8_t> faces_;
    std::vector<std::uint8_t> levels_;
    std::vector<char32_t> forms_;  ///< what to draw for a unit in a font without a shaper
    std::vector<std::uint8_t> paragraph_levels_;
    std::vector<char32_t> codes_;
    std::vector<FontFace::Placed> placed_;
};

}  // namespace perigee::internal
