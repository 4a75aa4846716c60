// Most texts need no shaping, and are put together here from the widths of their characters. Paragraphs that
// need it are divided into runs of one face and one direction, which the process of the face shapes. Runs in
// the default font and in bitmap fonts have no shaper: their letters of Arabic are drawn in the forms that
// Unicode has.
#include "engine/fonts/text_shaper.h"

#include "engine/draw/text/text_metrics.h"
#include "engine/fonts/text_direction.h"
#include "engine/fonts/writing.h"

#include <algorithm>

namespace perigee::internal {

namespace {

constexpr std::size_t kMaxFaces = 16;

ShapedGlyph glyph_of(const TextUnit& unit, std::size_t number, std::uint8_t level) noexcept {
    ShapedGlyph glyph;
    glyph.number = static_cast<std::uint32_t>(number);
    glyph.level = level;
    if (unit.has_color) {
        glyph.color = unit.color;
        glyph.flags = kGlyphColored;
    }
    if (unit.code == U' ') glyph.flags |= kGlyphSpace;
    return glyph;
}

// A tab has the width of spaces of the first face.
float advance_without_face(char32_t code, const ShapedText& text) {
    const auto* const space = code == U'\t' && !text.faces.empty() ? text.faces[0]->find(U' ') : nullptr;
    return space != nullptr ? kTabSpaces * space->advance : glyph_advance(code, 1.0F);
}

bool is_blank(char32_t code) noexcept { return code == U' ' || code == 0xA0 || code == 0x3000; }

}  // namespace

void TextShaper::shape(std::span<const TextUnit> units, const FaceAt& face_at, const IconAt& icon_at,
                       float line_height, ShapedText& text) {
    text.glyphs.reserve(units.size());
    text.length = static_cast<std::uint32_t>(units.size());
    const std::shared_ptr<FontFace> first = face_at(0);
    text.ascent = first ? first->ascent() : kTextAscent;
    text.line_height = line_height * (first ? first->line_height() : perigee::line_height(1.0F));
    choose_faces(units, face_at, text);
    levels_.assign(units.size(), 0);
    forms_.resize(units.size());
    std::ranges::transform(units, forms_.begin(), &TextUnit::code);
    for (std::size_t begin = 0; begin < units.size();) {
        std::size_t end = begin;
        bool needs_shapes = false;
        for (; end < units.size() && units[end].code != U'\n'; ++end)
            needs_shapes = needs_shapes || needs_shaping(units[end].code);
        if (needs_shapes && end - begin <= FontProcess::kMaxTextLength)
            add_paragraph(units, begin, end, icon_at, text);
        else
            add_simply(units, begin, end, icon_at, text);
        if (end < units.size()) {
            ShapedGlyph line_end;
            line_end.number = static_cast<std::uint32_t>(end);
            line_end.flags = kGlyphNewLine;
            text.glyphs.push_back(line_end);
        }
        begin = end + 1;
    }
    for (ShapedGlyph& glyph : text.glyphs) {
        text.has_right_to_left = text.has_right_to_left || glyph.level % 2 != 0;
        text.has_glyphs =
            text.has_glyphs || glyph.kind == GlyphKind::character || glyph.kind == GlyphKind::glyph;
    }
    for (std::size_t i = 1; i < text.glyphs.size(); ++i) {
        ShapedGlyph& glyph = text.glyphs[i];
        const std::uint32_t before = text.glyphs[i - 1].number;
        if (glyph.number != before && may_wrap_between(units[before].code, units[glyph.number].code))
            glyph.flags |= kGlyphMayWrap;
    }
}

void TextShaper::choose_faces(std::span<const TextUnit> units, const FaceAt& face_at, ShapedText& text) {
    faces_.assign(units.size(), kNoFace);
    bool are_all_known = false;
    const auto has = [&](std::size_t face, char32_t code) { return text.faces[face]->find(code) != nullptr; };
    for (std::size_t i = 0; i < units.size(); ++i) {
        const char32_t code = units[i].code;
        if (units[i].icon >= 0 || !is_drawn(code)) continue;
        if (i > 0 && faces_[i - 1] != kNoFace && joins_previous(code) && units[i - 1].icon < 0) {
            faces_[i] = faces_[i - 1];
            continue;
        }
        for (std::size_t face = 0;; ++face) {
            if (face == text.faces.size()) {
                std::shared_ptr<FontFace> next = are_all_known || face >= kMaxFaces ? nullptr : face_at(face);
                if (!next) {
                    are_all_known = true;
                    break;
                }
                text.faces.push_back(std::move(next));
            }
            if (has(face, code)) {
                faces_[i] = static_cast<std::uint8_t>(face);
                break;
            }
        }
    }
}

void TextShaper::add_simply(std::span<const TextUnit> units, std::size_t first, std::size_t end,
                            const IconAt& icon_at, ShapedText& text) {
    for (std::size_t i = first; i < end; ++i) {
        const TextUnit& unit = units[i];
        ShapedGlyph glyph = glyph_of(unit, i, levels_[i]);
        if (unit.icon >= 0) {
            const IconPicture icon =
                icon_at(static_cast<std::uint32_t>(unit.icon), text.ascent, text.line_height);
            glyph.kind = GlyphKind::picture;
            glyph.glyph = static_cast<std::uint32_t>(text.pictures.size());
            glyph.advance = icon.advance;
            text.pictures.push_back(icon.picture);
        } else if (faces_[i] == kNoFace) {
            const char32_t code = has_picture(forms_[i]) ? forms_[i] : unit.code;
            glyph.glyph = code;
            if (code != kMergedLetter) glyph.advance = advance_without_face(code, text);
            if (code != kMergedLetter && is_drawn(code) && !is_blank(code)) glyph.kind = GlyphKind::character;
        } else {
            const FontFace& face = *text.faces[faces_[i]];
            const FontFace::Character* character = face.is_bitmap() ? face.find(forms_[i]) : nullptr;
            if (character == nullptr) character = face.find(unit.code);
            glyph.face = faces_[i];
            if (character != nullptr) {
                glyph.advance = character->advance;
                glyph.glyph = character->glyph;
                if (!face.is_bitmap() && !is_blank(unit.code)) glyph.kind = GlyphKind::glyph;
                if (face.is_bitmap() && face.picture(character->glyph).width > 0.0F) {
                    glyph.kind = GlyphKind::picture;
                    glyph.glyph = static_cast<std::uint32_t>(text.pictures.size());
                    text.pictures.push_back(face.picture(character->glyph));
                }
            }
            const bool is_beside = i > first && faces_[i - 1] == faces_[i] && levels_[i] % 2 == 0;
            if (is_beside) text.glyphs.back().advance += face.kerning(units[i - 1].code, unit.code);
        }
        text.glyphs.push_back(glyph);
    }
}

void TextShaper::add_paragraph(std::span<const TextUnit> units, std::size_t first, std::size_t end,
                               const IconAt& icon_at, ShapedText& text) {
    codes_.clear();
    bool has_right_to_left = false;
    for (std::size_t i = first; i < end; ++i) {
        codes_.push_back(units[i].code);
        has_right_to_left = has_right_to_left || may_run_right_to_left(units[i].code);
    }
    if (has_right_to_left) find_directions(first, text);
    // Spaces stay in the run that they are in: words are joined across them in some writing systems.
    for (std::size_t i = first + 1; i < end; ++i)
        if (units[i].code == U' ' && faces_[i - 1] != kNoFace && text.faces[faces_[i - 1]]->find(U' '))
            faces_[i] = faces_[i - 1];
    for (std::size_t begin = first; begin < end;) {
        std::size_t run_end = begin + 1;
        while (run_end < end && faces_[run_end] == faces_[begin] && levels_[run_end] == levels_[begin] &&
               (units[run_end].icon >= 0) == (units[begin].icon >= 0))
            ++run_end;
        add_run(units, first, begin, run_end, icon_at, text);
        begin = run_end;
    }
}

// Of the paragraph in codes_, whose first unit is given.
void TextShaper::find_directions(std::size_t first, const ShapedText& text) {
    // The process of a face knows all of the algorithm.
    const bool is_answered = std::ranges::any_of(text.faces, [this](const std::shared_ptr<FontFace>& face) {
        return !face->is_bitmap() && face->levels(codes_, paragraph_levels_);
    });
    if (!is_answered) find_levels(codes_, paragraph_levels_);
    std::ranges::copy(paragraph_levels_, levels_.begin() + static_cast<std::ptrdiff_t>(first));
    join_letters(std::span{forms_}.subspan(first, codes_.size()), paragraph_levels_);
}

void TextShaper::add_run(std::span<const TextUnit> units, std::size_t paragraph, std::size_t first,
                         std::size_t end, const IconAt& icon_at, ShapedText& text) {
    const bool is_shaped = faces_[first] != kNoFace && !text.faces[faces_[first]]->is_bitmap();
    if (!is_shaped || !add_shaped(units, paragraph, first, end, text))
        add_simply(units, first, end, icon_at, text);
}

bool TextShaper::add_shaped(std::span<const TextUnit> units, std::size_t paragraph, std::size_t first,
                            std::size_t end, ShapedText& text) {
    const bool is_right_to_left = levels_[first] % 2 != 0;
    if (!text.faces[faces_[first]]->shape(codes_, first - paragraph, end - first, is_right_to_left, placed_))
        return false;
    const auto add_cluster = [&](std::size_t begin, std::size_t last) {
        for (std::size_t i = begin; i < last; ++i) {
            const std::size_t number = paragraph + placed_[i].cluster;
            ShapedGlyph glyph = glyph_of(units[number], number, levels_[first]);
            glyph.face = faces_[first];
            glyph.advance = placed_[i].advance;
            glyph.dx = placed_[i].dx;
            glyph.dy = placed_[i].dy;
            glyph.glyph = placed_[i].glyph;
            if (!is_blank(units[number].code)) glyph.kind = GlyphKind::glyph;
            text.glyphs.push_back(glyph);
        }
    };
    // Shaped glyphs come from left to right; the text is kept in the order in which it is read.
    if (!is_right_to_left) {
        add_cluster(0, placed_.size());
        return true;
    }
    for (std::size_t last = placed_.size(); last > 0;) {
        std::size_t begin = last - 1;
        while (begin > 0 && placed_[begin - 1].cluster == placed_[last - 1].cluster) --begin;
        add_cluster(begin, last);
        last = begin;
    }
    return true;
}

}  // namespace perigee::internal
