// From units of the file to em.
#include "engine/fonts/font_face.h"

#include "engine/assets/internal/font_protocol.h"
#include "engine/fonts/bitmap_font.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace perigee {

FontFace::FontFace(FontProcess process) : process_(std::move(process)) {
    const FontProcess::Facts& facts = process_->facts();
    units_ = static_cast<float>(facts.units_per_em);
    ascent_ = static_cast<float>(facts.ascent) / units_;
    line_height_ = static_cast<float>(facts.ascent + facts.descent + facts.line_gap) / units_;
    // A file may say anything.
    if (!(line_height_ > 0.1F && line_height_ < 10.0F)) line_height_ = 1.2F;
    if (!(ascent_ > 0.0F && ascent_ < 10.0F)) ascent_ = 0.9F;
    characters_.reserve(facts.characters.size());
    for (const FontProcess::Character& each : facts.characters)
        characters_.push_back({each.code, each.glyph, static_cast<float>(each.advance) / units_});
    index();
}

FontFace::FontFace(const BitmapFont& font, std::span<const FrameId> frames)
    : ascent_(font.base / font.size), line_height_(font.line_height / font.size), own_size_(font.size) {
    characters_.reserve(font.glyphs.size());
    for (std::size_t i = 0; i < font.glyphs.size(); ++i) {
        const BitmapFont::Glyph& glyph = font.glyphs[i];
        characters_.push_back({glyph.code, static_cast<std::uint32_t>(i), glyph.advance / font.size});
        pictures_.push_back({.frame = frames[i],
                             .left = glyph.left / font.size,
                             .top = (glyph.top - font.base) / font.size,
                             .width = glyph.width / font.size,
                             .height = glyph.height / font.size,
                             .is_tinted = true});
    }
    for (const BitmapFont::Pair& pair : font.pairs)
        pairs_.push_back({pair.left, pair.right, pair.more / font.size});
    index();
}

void FontFace::index() {
    for (std::size_t i = 0; i < characters_.size(); ++i)
        if (characters_[i].code < kQuickCharacters)
            quick_[characters_[i].code] = static_cast<std::uint32_t>(i) + 1;
}

const FontFace::Character* FontFace::find(char32_t code) const noexcept {
    if (code < kQuickCharacters) return quick_[code] != 0 ? &characters_[quick_[code] - 1] : nullptr;
    const auto found = std::ranges::lower_bound(characters_, code, {}, &Character::code);
    return found != characters_.end() && found->code == code ? &*found : nullptr;
}

float FontFace::kerning(char32_t left, char32_t right) const noexcept {
    if (process_) {
        const std::vector<std::int16_t>& all = process_->facts().kerning;
        const std::uint32_t row = decoding::kerned_number(left), column = decoding::kerned_number(right);
        if (all.empty() || row >= decoding::kKernedCharacters || column >= decoding::kKernedCharacters)
            return 0.0F;
        return static_cast<float>(all[row * decoding::kKernedCharacters + column]) / units_;
    }
    const auto before = [](const Pair& a, const Pair& b) {
        return std::tie(a.left, a.right) < std::tie(b.left, b.right);
    };
    const auto found = std::ranges::lower_bound(pairs_, Pair{left, right}, before);
    return found != pairs_.end() && found->left == left && found->right == right ? found->more : 0.0F;
}

GlyphBitmap FontFace::rasterise(std::uint32_t glyph, int pixel_size) {
    FontProcess::Picture picture = process_->draw(glyph, pixel_size);
    return {picture.width, picture.height, picture.left, picture.top, std::move(picture.coverage)};
}

bool FontFace::shape(std::span<const char32_t> text, std::size_t first, std::size_t count,
                     bool is_right_to_left, std::vector<Placed>& glyphs) {
    glyphs.clear();
    if (!process_->shape(text, first, count, is_right_to_left, positioned_)) return false;
    for (const FontProcess::PositionedGlyph& each : positioned_)
        glyphs.push_back({each.glyph, each.cluster, static_cast<float>(each.advance) / units_,
                          static_cast<float>(each.dx) / units_, -static_cast<float>(each.dy) / units_});
    return true;
}

}  // namespace perigee
