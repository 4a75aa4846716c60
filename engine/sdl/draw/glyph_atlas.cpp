// Finding room, and pixels with a clear border.
#include "engine/sdl/draw/glyph_atlas.h"

#include "ecs/base/contract.h"

#include <algorithm>

namespace perigee {

namespace {

constexpr std::uint64_t glyph_key(char32_t character, int pixel_size) {
    return static_cast<std::uint64_t>(pixel_size) << 32U | character;
}

constexpr int kBorder = 1;  // so that filtering finds no neighbour of a glyph

// White, with the border. Shape: (width + 2) * (height + 2).
void fill(const GlyphBitmap& bitmap, std::vector<std::uint32_t>& pixels) {
    constexpr std::uint32_t kClear = 0x00FF'FFFFU;
    const auto width = static_cast<std::size_t>(bitmap.width + 2 * kBorder);
    pixels.assign(width * static_cast<std::size_t>(bitmap.height + 2 * kBorder), kClear);
    const std::uint8_t* coverage = bitmap.coverage.data();
    for (std::size_t y = kBorder; y < static_cast<std::size_t>(bitmap.height + kBorder); ++y)
        for (std::size_t x = kBorder; x < static_cast<std::size_t>(bitmap.width + kBorder); ++x)
            pixels[y * width + x] = kClear | static_cast<std::uint32_t>(*coverage++) << 24U;
}

}  // namespace

GlyphAtlas::GlyphAtlas(SDL_Renderer& renderer, const std::string& font_file)
    : renderer_(renderer), source_(font_file) {
    make_texture();
}

void GlyphAtlas::make_texture() {
    texture_.reset(
        SDL_CreateTexture(&renderer_, SDL_PIXELFORMAT_ARGB8888, SDL_TEXTUREACCESS_STATIC, side_, side_));
    if (texture_) SDL_SetTextureScaleMode(texture_.get(), SDL_ScaleModeLinear);
}

void GlyphAtlas::clear() {
    glyphs_.clear();
    shelves_.clear();
    const int before = side_;
    if (was_full_) side_ = kSide;
    // A new texture instead of overwriting: the old one may still be part of queued drawing.
    make_texture();
    if (texture_ || side_ == before) return;
    side_ = before;  // as large as the display can
    make_texture();
}

bool GlyphAtlas::find_room(int width, int height, int& x, int& y) {
    int bottom = 0;
    for (Shelf& shelf : shelves_) {
        bottom = shelf.top + shelf.height;
        if (height > shelf.height || height * 3 < shelf.height * 2 || width > side_ - shelf.used) continue;
        x = shelf.used;
        y = shelf.top;
        shelf.used += width;
        return true;
    }
    if (height > side_ - bottom || width > side_) return false;
    shelves_.push_back({bottom, height, width});
    x = 0;
    y = bottom;
    return true;
}

const Glyph* GlyphAtlas::place(char32_t character, int pixel_size) {
    ECS_EXPECTS(pixel_size >= 1 && pixel_size <= kMaxPixelSize, pixel_size);
    const std::uint64_t key = glyph_key(character, pixel_size);
    if (const auto known = glyphs_.find(key); known != glyphs_.end()) return &known->second;

    Glyph glyph;
    const GlyphBitmap bitmap = texture_ ? source_.rasterise(character, pixel_size) : GlyphBitmap{};
    if (bitmap.width > 0) {
        int x = 0;
        int y = 0;
        const int width = bitmap.width + 2 * kBorder;
        const int height = bitmap.height + 2 * kBorder;
        if (!find_room(width, height, x, y)) {
            was_full_ = true;
            return nullptr;
        }
        fill(bitmap, pixels_);
        const SDL_Rect target{x, y, width, height};
        SDL_UpdateTexture(texture_.get(), &target, pixels_.data(), width * 4);
        const auto fraction = [this](int pixel) {
            return static_cast<float>(pixel) / static_cast<float>(side_);
        };
        glyph.box = {fraction(x + kBorder), fraction(y + kBorder), fraction(x + width - kBorder),
                     fraction(y + height - kBorder)};
        glyph.width = bitmap.width;
        glyph.height = bitmap.height;
        glyph.left = bitmap.left;
        glyph.top = bitmap.top;
    }
    return &glyphs_.emplace(key, glyph).first->second;
}

}  // namespace perigee
