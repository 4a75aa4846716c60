// FontFace: one font file of a game: which characters it has, how wide they are, and what they look like.
//
// Invariant: widths come from the file alone, so a text takes the same room with a window and without.
// Lengths are in em. The glyphs of a bitmap font are parts of images, those of other fonts are drawn by the
// process of the font, at any size. Not here: which file that is (font_table.h).
#pragma once

#include "engine/assets/font_process.h"
#include "engine/draw/shaped_text.h"
#include "engine/draw/text/pixel_font.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace perigee {

struct BitmapFont;

class FontFace {
public:
    struct Character {
        char32_t code = 0;
        std::uint32_t glyph = 0;  ///< of a bitmap font: its picture
        float advance = 0.0F;
    };
    /// A glyph of a shaped part of a text.
    struct Placed {
        std::uint32_t glyph = 0;
        std::uint32_t cluster = 0;  ///< index of its first character in the text
        float advance = 0.0F;
        float dx = 0.0F;
        float dy = 0.0F;
    };

    explicit FontFace(FontProcess process);
    /// `frames`: of its glyphs, in their order.
    FontFace(const BitmapFont& font, std::span<const FrameId> frames);
    FontFace(const FontFace&) = delete;
    FontFace& operator=(const FontFace&) = delete;

    bool is_bitmap() const noexcept { return !process_; }
    /// The size in pixels at which a bitmap font is as its picture is; 0 for other fonts.
    float own_size() const noexcept { return own_size_; }
    float ascent() const noexcept { return ascent_; }
    float line_height() const noexcept { return line_height_; }
    /// False: the process of the font has ended.
    bool is_answering() const noexcept { return !process_ || !process_->is_broken(); }

    /// Null: it does not have this character.
    const Character* find(char32_t code) const noexcept;
    /// The distance by which the second character is moved.
    float kerning(char32_t left, char32_t right) const noexcept;
    /// Expects: is_bitmap(), the glyph of a character.
    const TextPicture& picture(std::uint32_t glyph) const noexcept { return pictures_[glyph]; }

    /// Cropped to its ink. Expects: !is_bitmap(), pixel_size > 0.
    GlyphBitmap rasterise(std::uint32_t glyph, int pixel_size);
    /// See FontProcess. Expects: !is_bitmap().
    bool levels(std::span<const char32_t> text, std::vector<std::uint8_t>& levels) {
        return process_->levels(text, levels);
    }
    bool shape(std::span<const char32_t> text, std::size_t first, std::size_t count, bool is_right_to_left,
               std::vector<Placed>& glyphs);

private:
    static constexpr std::size_t kQuickCharacters = 128;
    struct Pair {
        char32_t left = 0;
        char32_t right = 0;
        float more = 0.0F;
    };
    void index();

    std::optional<FontProcess> process_;
    float units_ = 1.0F;  // per em
    float ascent_ = 0.0F;
    float line_height_ = 0.0F;
    float own_size_ = 0.0F;
    std::vector<Character> characters_;                     // by rising code
    std::array<std::uint32_t, kQuickCharacters> quick_{};   // 1 + index of a character; 0: missing
    std::vector<TextPicture> pictures_;                     // of a bitmap font
    std::vector<Pair> pairs_;                               // of a bitmap font
    std::vector<FontProcess::PositionedGlyph> positioned_;  // of the last part that was shaped
};

}  // namespace perigee
