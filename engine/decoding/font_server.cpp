// The libraries are told as little as possible: no files, no hinting of widths, no state between requests
// but the size. Nothing is freed: the process ends with its font.
#include "engine/decoding/font_server.h"

#include "engine/assets/font_process.h"
#include "engine/assets/internal/font_protocol.h"

#include <fribidi.h>
#include <ft2build.h>
#include <hb-ot.h>
#include <hb.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>
#include FT_FREETYPE_H
#include FT_ADVANCES_H
#include FT_OUTLINE_H

namespace perigee::decoding {

namespace {

using Positioned = FontProcess::PositionedGlyph;

bool read_all(int socket, void* bytes, std::size_t count) {
    auto* at = static_cast<char*>(bytes);
    while (count > 0) {
        const ssize_t got = ::read(socket, at, count);
        if (got <= 0) return false;
        at += got;
        count -= static_cast<std::size_t>(got);
    }
    return true;
}

bool send_all(int socket, const void* bytes, std::size_t count) {
    const auto* at = static_cast<const char*>(bytes);
    while (count > 0) {
        const ssize_t written = ::write(socket, at, count);
        if (written <= 0) return false;
        at += written;
        count -= static_cast<std::size_t>(written);
    }
    return true;
}

class FontServer {
public:
    explicit FontServer(std::string_view file) {
        FT_Library library = nullptr;
        if (FT_Init_FreeType(&library) != 0) return;
        const auto* bytes = reinterpret_cast<const FT_Byte*>(file.data());
        if (FT_New_Memory_Face(library, bytes, static_cast<FT_Long>(file.size()), 0, &face_) != 0 ||
            !FT_IS_SCALABLE(face_) || face_->units_per_EM == 0) {
            face_ = nullptr;
            return;
        }
        FT_Select_Charmap(face_, FT_ENCODING_UNICODE);
        hb_blob_t* const blob = hb_blob_create(file.data(), static_cast<unsigned>(file.size()),
                                               HB_MEMORY_MODE_READONLY, nullptr, nullptr);
        shape_face_ = hb_face_create(blob, 0);
        shape_font_ = hb_font_create(shape_face_);  // its scale is the units of the font
        buffer_ = hb_buffer_create();
    }

    bool is_good() const noexcept { return face_ != nullptr; }

    FontHead head() const noexcept {
        FontHead head;
        if (!is_good()) return head;
        head.units_per_em = face_->units_per_EM;
        head.ascent = face_->ascender;
        head.descent = -face_->descender;
        head.line_gap = std::max(0, face_->height - face_->ascender + face_->descender);
        return head;
    }

    std::vector<FontCharacter> characters() const {
        std::vector<FontCharacter> all;
        FT_UInt glyph = 0;
        for (FT_ULong code = FT_Get_First_Char(face_, &glyph); glyph != 0;
             code = FT_Get_Next_Char(face_, code, &glyph)) {
            if (code >= kMaxCharacters || (!all.empty() && code <= all.back().code)) break;
            FT_Fixed advance = 0;
            FT_Get_Advance(face_, glyph, FT_LOAD_NO_SCALE, &advance);
            all.push_back({static_cast<std::uint32_t>(code), glyph, static_cast<std::int32_t>(advance)});
        }
        return all;
    }

    // One text with all pairs: a text for each would take twenty times as long.
    std::vector<std::int16_t> kerning() {
        if (!hb_ot_layout_has_positioning(shape_face_) && !has_table(HB_TAG('k', 'e', 'r', 'n'))) return {};
        std::vector<char32_t> known;
        for (char32_t code = 0x20; code <= 0xFF; ++code)
            if (kerned_number(code) < kKernedCharacters && FT_Get_Char_Index(face_, code) != 0)
                known.push_back(code);
        std::vector<std::uint32_t> text;
        for (const char32_t left : known)
            for (const char32_t right : known) {
                text.push_back(left);
                text.push_back(right);
            }
        if (text.empty()) return {};
        hb_buffer_reset(buffer_);
        hb_buffer_add_utf32(buffer_, text.data(), static_cast<int>(text.size()), 0,
                            static_cast<int>(text.size()));
        hb_buffer_set_direction(buffer_, HB_DIRECTION_LTR);
        hb_buffer_set_script(buffer_, HB_SCRIPT_LATIN);
        hb_buffer_set_language(buffer_, language_);
        // Each letter stays a glyph of its own.
        std::vector<hb_feature_t> off;
        for (const hb_tag_t tag : {HB_TAG('l', 'i', 'g', 'a'), HB_TAG('c', 'l', 'i', 'g'),
                                   HB_TAG('c', 'a', 'l', 't'), HB_TAG('c', 'c', 'm', 'p')})
            off.push_back({tag, 0, 0, HB_FEATURE_GLOBAL_END});
        hb_shape(shape_font_, buffer_, off.data(), static_cast<unsigned>(off.size()));
        unsigned count = 0;
        const hb_glyph_position_t* const places = hb_buffer_get_glyph_positions(buffer_, &count);
        if (count != text.size()) return {};
        std::vector<std::int16_t> pairs(std::size_t{kKernedCharacters} * kKernedCharacters);
        bool has_any = false;
        for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
            FT_Fixed advance = 0;
            FT_Get_Advance(face_, FT_Get_Char_Index(face_, text[i]), FT_LOAD_NO_SCALE, &advance);
            const std::int64_t more = std::int64_t{places[i].x_advance} - advance;
            pairs[kerned_number(text[i]) * kKernedCharacters + kerned_number(text[i + 1])] =
                static_cast<std::int16_t>(std::clamp<std::int64_t>(more, -32768, 32767));
            has_any = has_any || more != 0;
        }
        return has_any ? pairs : std::vector<std::int16_t>{};
    }

    void draw(const FontRequest& request, FontReply& reply, std::vector<std::uint8_t>& bytes) {
        if (request.pixel_size == 0 || request.pixel_size > 1024) return;
        if (request.pixel_size != pixel_size_ && FT_Set_Pixel_Sizes(face_, 0, request.pixel_size) != 0)
            return;
        pixel_size_ = request.pixel_size;
        // Widths stay: the pen moves by the units of the font, which know no hinting.
        if (FT_Load_Glyph(face_, request.glyph, FT_LOAD_TARGET_LIGHT | FT_LOAD_NO_BITMAP) != 0) return;
        const FT_GlyphSlot slot = face_->glyph;
        if (slot->format != FT_GLYPH_FORMAT_OUTLINE) return;
        FT_BBox box;
        FT_Outline_Get_CBox(&slot->outline, &box);
        constexpr FT_Pos kMaxSide = FT_Pos{kMaxGlyphSide} * 64;
        if (box.xMax - box.xMin > kMaxSide || box.yMax - box.yMin > kMaxSide || box.xMin < -kMaxSide ||
            box.xMax > kMaxSide || box.yMin < -kMaxSide || box.yMax > kMaxSide)
            return;
        if (FT_Render_Glyph(slot, FT_RENDER_MODE_NORMAL) != 0) return;
        const FT_Bitmap& bitmap = slot->bitmap;
        if (bitmap.pixel_mode != FT_PIXEL_MODE_GRAY || bitmap.width > kMaxGlyphSide ||
            bitmap.rows > kMaxGlyphSide)
            return;
        reply.width = static_cast<std::int32_t>(bitmap.width);
        reply.height = static_cast<std::int32_t>(bitmap.rows);
        reply.left = slot->bitmap_left;
        reply.top = -slot->bitmap_top;
        for (unsigned row = 0; row < bitmap.rows; ++row) {
            const std::uint8_t* const from = bitmap.buffer + static_cast<std::ptrdiff_t>(row) * bitmap.pitch;
            bytes.insert(bytes.end(), from, from + bitmap.width);
        }
    }

    static void find_levels(const std::vector<std::uint32_t>& text, std::vector<std::uint8_t>& bytes) {
        const auto length = static_cast<FriBidiStrIndex>(text.size());
        std::vector<FriBidiCharType> types(text.size());
        std::vector<FriBidiBracketType> brackets(text.size());
        std::vector<FriBidiLevel> levels(text.size());
        fribidi_get_bidi_types(text.data(), length, types.data());
        fribidi_get_bracket_types(text.data(), length, types.data(), brackets.data());
        FriBidiParType direction = FRIBIDI_PAR_ON;  // as the first letter says
        if (fribidi_get_par_embedding_levels_ex(types.data(), brackets.data(), length, &direction,
                                                levels.data()) == 0)
            std::ranges::fill(levels, FriBidiLevel{0});
        for (const FriBidiLevel level : levels) bytes.push_back(static_cast<std::uint8_t>(level));
    }

    void shape(const FontRequest& request, const std::vector<std::uint32_t>& text,
               std::vector<std::uint8_t>& bytes) {
        const std::size_t end = std::size_t{request.first} + request.count;
        if (request.count == 0 || end > text.size()) return;
        std::vector<Positioned> glyphs;
        // Parts in one script each, in the order in which they are drawn.
        std::vector<std::pair<std::size_t, std::size_t>> parts;
        hb_script_t script = HB_SCRIPT_COMMON;
        std::size_t begin = request.first;
        for (std::size_t i = request.first; i < end; ++i) {
            const hb_script_t own = hb_unicode_script(hb_unicode_funcs_get_default(), text[i]);
            if (own == HB_SCRIPT_COMMON || own == HB_SCRIPT_INHERITED || own == HB_SCRIPT_UNKNOWN) continue;
            if (script != HB_SCRIPT_COMMON && own != script) {
                parts.emplace_back(begin, i);
                begin = i;
            }
            script = own;
        }
        parts.emplace_back(begin, end);
        if (request.is_right_to_left != 0) std::ranges::reverse(parts);
        for (const auto& [first, last] : parts)
            shape_part(text, first, last - first, request.is_right_to_left != 0, glyphs);
        const auto* const from = reinterpret_cast<const std::uint8_t*>(glyphs.data());
        bytes.assign(from, from + glyphs.size() * sizeof(Positioned));
    }

private:
    bool has_table(hb_tag_t tag) const {
        hb_blob_t* const blob = hb_face_reference_table(shape_face_, tag);
        const bool has = hb_blob_get_length(blob) != 0;
        hb_blob_destroy(blob);
        return has;
    }

    void shape_part(const std::vector<std::uint32_t>& text, std::size_t first, std::size_t count,
                    bool is_right_to_left, std::vector<Positioned>& glyphs) {
        hb_buffer_reset(buffer_);
        hb_buffer_add_utf32(buffer_, text.data(), static_cast<int>(text.size()), static_cast<unsigned>(first),
                            static_cast<int>(count));
        hb_buffer_set_direction(buffer_, is_right_to_left ? HB_DIRECTION_RTL : HB_DIRECTION_LTR);
        hb_buffer_set_language(buffer_, language_);  // not the one of the machine
        hb_buffer_guess_segment_properties(buffer_);
        hb_shape(shape_font_, buffer_, nullptr, 0);
        unsigned made = 0;
        const hb_glyph_info_t* const infos = hb_buffer_get_glyph_infos(buffer_, &made);
        const hb_glyph_position_t* const places = hb_buffer_get_glyph_positions(buffer_, &made);
        for (unsigned i = 0; i < made && glyphs.size() < 16 * FontProcess::kMaxTextLength; ++i)
            glyphs.push_back({infos[i].codepoint, infos[i].cluster, places[i].x_advance, places[i].x_offset,
                              places[i].y_offset});
    }

    FT_Face face_ = nullptr;
    hb_face_t* shape_face_ = nullptr;
    hb_font_t* shape_font_ = nullptr;
    hb_buffer_t* buffer_ = nullptr;
    hb_language_t language_ = hb_language_from_string("und", -1);
    std::uint32_t pixel_size_ = 0;
};

}  // namespace

void serve_font(std::string_view file, int socket, bool is_sandboxed) {
    FontServer font(file);
    FontHead head = font.head();
    head.is_sandboxed = is_sandboxed ? 1 : 0;
    std::vector<FontCharacter> characters;
    std::vector<std::int16_t> kerning;
    if (font.is_good()) {
        characters = font.characters();
        kerning = font.kerning();
    }
    head.character_count = static_cast<std::uint32_t>(characters.size());
    head.kerning_count = static_cast<std::uint32_t>(kerning.size());
    if (!send_all(socket, &head, sizeof head) ||
        !send_all(socket, characters.data(), characters.size() * sizeof characters[0]) ||
        !send_all(socket, kerning.data(), kerning.size() * sizeof kerning[0]) || !font.is_good())
        return;

    std::vector<std::uint32_t> text;
    std::vector<std::uint8_t> bytes;
    for (FontRequest request; read_all(socket, &request, sizeof request);) {
        if (request.magic != kFontMagic || request.text_length > FontProcess::kMaxTextLength) return;
        text.resize(request.text_length);
        if (!read_all(socket, text.data(), text.size() * sizeof text[0])) return;
        FontReply reply;
        bytes.clear();
        if (request.ask == FontAsk::glyph) font.draw(request, reply, bytes);
        if (request.ask == FontAsk::levels) FontServer::find_levels(text, bytes);
        if (request.ask == FontAsk::shape) font.shape(request, text, bytes);
        reply.bytes = static_cast<std::uint32_t>(bytes.size());
        if (!send_all(socket, &reply, sizeof reply) || !send_all(socket, bytes.data(), bytes.size())) return;
    }
}

}  // namespace perigee::decoding
