// Positions of glyph boxes compared with the metrics that scripts get.
#include "engine/sdl/draw/text_setter.h"

#include "engine/draw/color.h"
#include "engine/draw/text/text_metrics.h"
#include "engine/sdl/draw/sdl_atlas_texture.h"
#include "engine/sdl/glyphs/font_file.h"
#include "tests/engine/sdl/canvas.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>
#include <vector>

using namespace perigee;

namespace {

constexpr PixelBox kEverything{.x = -100'000, .y = -100'000, .width = 200'000, .height = 200'000};

struct Bounds {
    float left = 1e9F;
    float top = 1e9F;
    float right = -1e9F;
    float bottom = -1e9F;
    std::size_t glyph_count = 0;
};

Bounds bounds_of(const DrawItem& item, std::string_view text, const View& view) {
    test::Canvas canvas{8, 8};
    SdlAtlasTexture texture{canvas.renderer()};
    GlyphAtlas atlas{texture, default_font_file()};
    Mesh mesh;
    set_text(item, text, nullptr, PixelForm::straight, view, kEverything, atlas, mesh,
             [&] { atlas.clear(); });
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

TEST_CASE("text takes the space that scripts measured, at any scale") {
    const std::string text = "Hamburgefonstiv 0123456789\nAVAVAV";
    for (const float size : {8.0F, 13.0F, 16.0F, 40.0F, 200.0F})
        for (const float scale : {0.5F, 1.0F, 1.5F, 3.0F}) {
            const TextSize room = text_size(text, size);
            const Bounds bounds = bounds_of(text_item(10, 20, size), text, {scale, 0, 3, 0, scale, 4, scale});
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

namespace {

// Columns and rows with ink of a text that is drawn alone, white on black.
struct Ink {
    int left = 1'000'000;
    int right = -1;
    int top = 1'000'000;
    int bottom = -1;
    std::vector<bool> columns{};
    int width() const { return right - left; }
};

Ink ink_of(std::string_view text, float size, const std::string& font) {
    const TextSize room = text_size(text, size);
    const int margin = static_cast<int>(size) + 4;
    const int width = static_cast<int>(room.width) + 2 * margin;
    const int height = static_cast<int>(room.height) + 2 * margin;
    test::Canvas canvas{width, height};
    SdlAtlasTexture texture{canvas.renderer()};
    GlyphAtlas atlas{texture, font};
    Mesh mesh;
    DrawItem item = text_item(static_cast<float>(margin), static_cast<float>(margin), size);
    item.color = kWhite;
    const auto draw = [&] {
        const MeshVertex& first = mesh.vertices().front();
        SDL_SetTextureBlendMode(texture.get(), SDL_BLENDMODE_BLEND);
        SDL_RenderGeometryRaw(&canvas.renderer(), texture.get(), &first.x, sizeof first,
                              reinterpret_cast<const SDL_Color*>(&first.color), sizeof first, &first.u,
                              sizeof first, static_cast<int>(mesh.vertices().size()), mesh.indices().data(),
                              static_cast<int>(mesh.indices().size()), sizeof(int));
    };
    set_text(item, text, nullptr, PixelForm::straight, {}, {.width = width, .height = height}, atlas, mesh,
             [&] {
                 if (!mesh.is_empty()) draw();
                 mesh.clear();
                 atlas.clear();
             });
    if (!mesh.is_empty()) draw();
    std::vector<std::uint32_t> pixels(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    SDL_RenderReadPixels(&canvas.renderer(), nullptr, SDL_PIXELFORMAT_RGBA32, pixels.data(), width * 4);
    Ink ink;
    ink.columns.resize(static_cast<std::size_t>(width));
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            if ((pixels[static_cast<std::size_t>(y * width + x)] & 0xFFU) < 64) continue;
            ink.left = std::min(ink.left, x);
            ink.right = std::max(ink.right, x + 1);
            ink.top = std::min(ink.top, y - margin);
            ink.bottom = std::max(ink.bottom, y + 1 - margin);
            ink.columns[static_cast<std::size_t>(x)] = true;
        }
    return ink;
}

constexpr const char* kTexts[] = {
    "Hamburgefonstiv 0123456789",
    "AVAVAV To Wa fi",
    "ÀÉÎõü ßæø",
    "Œ № … — „“ €",
    "ПППП ШЩЖ съешь же",
    "ΑΒΓΔ λόγος Ω",
    "Հայ ქართ",
    "e\u0301a\u0308n\u0303",
    "日本語 한국어",
    "← ↑ ∑ ∞ ■ ░ ⠿",
};

}  // namespace

TEST_CASE("[N3] drawn text is as wide as measured, in every script, at every size, with and without a font") {
    for (const std::string& font : {default_font_file(), std::string{}})
        for (const char* text : kTexts)
            for (const float size : {9.0F, 12.5F, 16.0F, 23.0F, 40.0F, 97.0F, 150.0F}) {
                CAPTURE(font, text, size);
                // From the left edge of an H to that of another is what lies between them.
                const Ink alone = ink_of("H", size, font);
                const Ink framed = ink_of("H" + std::string{text} + "H", size, font);
                const float expected = text_width("H" + std::string{text}, size);
                CHECK(static_cast<float>(framed.width() - alone.width()) == Approx(expected).margin(1.6));
                CHECK(static_cast<float>(framed.top) >= -0.15F * size - 1);
                CHECK(static_cast<float>(framed.bottom) <= line_height(size) + 0.15F * size + 1);
            }
}

TEST_CASE("[N3] letters outside of Latin do not overlap") {
    for (const char* letter : {"П", "Ш", "Щ", "Ω", "№", "日", "ქ"}) {
        std::string text;
        for (int i = 0; i < 6; ++i) text += letter;
        const Ink ink = ink_of(text, 40, default_font_file());
        int gaps = 0;
        for (int x = ink.left + 1; x < ink.right; ++x)
            gaps += ink.columns[static_cast<std::size_t>(x)] && !ink.columns[static_cast<std::size_t>(x - 1)]
                        ? 1
                        : 0;
        CAPTURE(letter);
        CHECK(gaps >= 5);
    }
}

TEST_CASE("large text is rasterised at its size and is sharp") {
    test::Canvas canvas{8, 8};
    SdlAtlasTexture texture{canvas.renderer()};
    GlyphAtlas atlas{texture, default_font_file()};
    Mesh mesh;
    const float size = 300;
    set_text(text_item(0, 0, size), "H", nullptr, PixelForm::straight, {}, kEverything, atlas, mesh, [] {});
    REQUIRE(mesh.vertices().size() == 4);
    const Glyph* glyph = atlas.place(U'H', 300);
    CHECK(mesh.vertices()[1].x - mesh.vertices()[0].x == static_cast<float>(glyph->width));
}

TEST_CASE("text outside the picture takes no room in the atlas") {
    test::Canvas canvas{8, 8};
    SdlAtlasTexture texture{canvas.renderer()};
    GlyphAtlas atlas{texture, default_font_file()};
    Mesh mesh;
    const PixelBox visible{.width = 100, .height = 100};
    const auto glyphs_at = [&](float x, float y) {
        mesh.clear();
        set_text(text_item(x, y, 16), "HHH", nullptr, PixelForm::straight, {}, visible, atlas, mesh,
                 [] { FAIL("there is room"); });
        return mesh.vertices().size() / 4;
    };
    CHECK(glyphs_at(10, 10) == 3);
    CHECK(glyphs_at(-5, 95) == 3);
    CHECK(glyphs_at(10, 200) == 0);
    CHECK(glyphs_at(10, -200) == 0);
    CHECK(glyphs_at(-300, 10) == 0);
    CHECK(glyphs_at(300, 10) == 0);
}
