// TextLook: what a text item has besides its 32 bytes: a font, markup, an outline, a shadow, a part to show.
//
// Invariant: lengths are in em, so a look holds for any size, and scales with the matrix of the text. Most
// texts have none: their bytes are in the draw list, and the default font is used.
#pragma once

#include "engine/draw/color.h"
#include "engine/draw/shaped_text.h"

#include <cstdint>
#include <limits>
#include <memory>

namespace perigee {

struct TextLook {
    std::shared_ptr<const ShapedText> text;  ///< null: the plain text of the item, in the default font
    float outline = 0.0F;                    ///< width around the glyphs; 0: none
    float shadow_x = 0.0F;
    float shadow_y = 0.0F;
    PackedColor outline_color = pack_color(0, 0, 0);
    PackedColor shadow_color = 0;  ///< with an opacity of 0: none
    /// Characters that are drawn, from the first one; the others take their room.
    std::uint32_t revealed = std::numeric_limits<std::uint32_t>::max();

    bool has_outline() const noexcept { return outline > 0.0F; }
    bool has_shadow() const noexcept { return shadow_color >> 24U != 0; }
    /// What a glyph costs, in plain glyphs: a shadow is drawn once more, and an outline has to be made, too.
    unsigned cost() const noexcept { return 1U + (has_outline() ? 4U : 0U) + (has_shadow() ? 1U : 0U); }

    friend bool operator==(const TextLook&, const TextLook&) = default;
};

}  // namespace perigee
