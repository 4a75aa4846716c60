// Glyphs in the atlas: cached, separate, and refused when the atlas is full.
#include "engine/sdl/draw/glyph_atlas.h"

#include "engine/assets/decoder.h"
#include "engine/sdl/draw/sdl_atlas_texture.h"
#include "engine/sdl/glyphs/font_file.h"
#include "tests/engine/sdl/canvas.h"
#include "tests/support/font_files.h"

#include <catch2/catch.hpp>

#include <vector>

using namespace perigee;

TEST_CASE("glyphs in the atlas do not touch each other") {
    test::Canvas canvas{8, 8};
    SdlAtlasTexture texture{canvas.renderer()};
    GlyphAtlas atlas{texture, default_font_file()};
    REQUIRE(atlas.has_font());
    std::vector<Glyph> glyphs;
    for (const int size : {9, 12, 16, 24, 31})
        for (char32_t character = 33; character < 127; ++character) {
            const Glyph* glyph = atlas.place(character, size);
            REQUIRE(glyph != nullptr);
            CHECK(glyph->width > 0);
            glyphs.push_back(*glyph);
        }
    for (std::size_t a = 0; a < glyphs.size(); ++a) {
        const TextureBox& left = glyphs[a].box;
        REQUIRE((left.left >= 0 && left.top >= 0 && left.right <= 1 && left.bottom <= 1));
        for (std::size_t b = a + 1; b < glyphs.size(); ++b) {
            const TextureBox& right = glyphs[b].box;
            const bool apart = left.right < right.left || right.right < left.left ||
                               left.bottom < right.top || right.bottom < left.top;
            REQUIRE(apart);
        }
    }
}

TEST_CASE("a glyph of a face is separate from that of another, and an outline is wider") {
    test::Canvas canvas{8, 8};
    SdlAtlasTexture texture{canvas.renderer()};
    GlyphAtlas atlas{texture, default_font_file()};
    Decoder decoder;
    const auto face = [&](const char* file) {
        return std::make_shared<FontFace>(decoder.font(test::font_file(file)).value());
    };
    std::shared_ptr<FontFace> serif = face("DejaVuSerif.ttf");
    const std::shared_ptr<FontFace> mono = face("DejaVuSansMono.ttf");
    const std::uint16_t first = atlas.number_of(serif);
    CHECK(atlas.number_of(serif) == first);
    const std::uint32_t glyph = serif->find('H')->glyph;
    const Glyph* const plain = atlas.place({glyph, first, 0}, 32);
    CHECK(atlas.place({glyph, first, 0}, 32) == plain);
    CHECK(atlas.place({mono->find('H')->glyph, atlas.number_of(mono), 0}, 32) != plain);
    CHECK(atlas.place({U'H', 0, 0}, 32) == atlas.place(U'H', 32));
    const Glyph* const outline = atlas.place({glyph, first, 8}, 32);
    CHECK(outline->width == plain->width + 6);  // two pixels and a soft one on each side
    CHECK(outline->left == plain->left - 3);
    const std::weak_ptr<FontFace> kept = serif;
    serif.reset();
    CHECK_FALSE(kept.expired());
    atlas.clear();
    CHECK(kept.expired());
}

TEST_CASE("a glyph is rasterised once and placed on the base line") {
    test::Canvas canvas{8, 8};
    SdlAtlasTexture texture{canvas.renderer()};
    GlyphAtlas atlas{texture, default_font_file()};
    const Glyph* first = atlas.place(U'H', 32);
    CHECK(atlas.place(U'H', 32) == first);
    CHECK(atlas.place(U'H', 16) != first);
    // The capital height of DejaVu Sans is 1493 / 2048 em.
    CHECK(first->top == Approx(-23).margin(1));
    CHECK(first->top + first->height == Approx(0).margin(1));
    CHECK(atlas.place(U'p', 32)->top + atlas.place(U'p', 32)->height > 4);
    CHECK(atlas.place(U' ', 32)->width == 0);
}

TEST_CASE("a full atlas refuses glyphs until it is cleared, and then has more room") {
    test::Canvas canvas{8, 8};
    SdlAtlasTexture texture{canvas.renderer()};
    GlyphAtlas atlas{texture, default_font_file()};
    const auto fill = [&atlas] {
        char32_t character = U'A';
        while (character < 0x3000 && atlas.place(character, 200) != nullptr) ++character;
        REQUIRE(character < 0x3000);
        CHECK(atlas.place(character, 200) == nullptr);
        return character - U'A';
    };
    const char32_t before = fill();
    atlas.clear();
    CHECK(atlas.place(U'A', GlyphAtlas::kMaxPixelSize) != nullptr);
    atlas.clear();
    const char32_t after = fill();
    CHECK(after > 3 * before);
    atlas.clear();
    CHECK(fill() == after);
}

TEST_CASE("without a font the atlas uses the pixel font") {
    test::Canvas canvas{8, 8};
    for (const char* file : {"", "/nowhere/font.ttf"}) {
        SdlAtlasTexture texture{canvas.renderer()};
        GlyphAtlas atlas{texture, file};
        CHECK_FALSE(atlas.has_font());
        REQUIRE(atlas.place(U'H', 16) != nullptr);
        CHECK(atlas.place(U'H', 16)->width == pixel_font_glyph(U'H', 16).width);
    }
}
