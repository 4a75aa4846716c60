// Rasterising with SDL_ttf, cropping to the ink, and finding room.
#include "engine/sdl/glyph_atlas.h"

#include "ecs/contract.h"

#include <SDL_ttf.h>

#include <algorithm>
#include <filesystem>

namespace perigee {

namespace {

constexpr std::uint64_t glyph_key(char32_t character, int pixel_size) {
    return static_cast<std::uint64_t>(pixel_size) << 32U | character;
}

// The part of a glyph's surface that has ink. SDL_ttf pads to the height of the line and to the advance.
SDL_Rect ink_of(const SDL_Surface& surface) {
    int left = surface.w;
    int right = 0;
    int top = surface.h;
    int bottom = 0;
    for (int y = 0; y < surface.h; ++y) {
        const auto* row =
            reinterpret_cast<const std::uint32_t*>(static_cast<const std::uint8_t*>(surface.pixels) +
                                                   static_cast<std::ptrdiff_t>(y) * surface.pitch);
        for (int x = 0; x < surface.w; ++x) {
            if ((row[x] & surface.format->Amask) == 0) continue;
            left = std::min(left, x);
            right = std::max(right, x + 1);
            top = std::min(top, y);
            bottom = y + 1;
        }
    }
    return {left, top, std::max(0, right - left), std::max(0, bottom - top)};
}

}  // namespace

void GlyphAtlas::FontCloser::operator()(_TTF_Font* font) const noexcept { TTF_CloseFont(font); }

GlyphAtlas::GlyphAtlas(SDL_Renderer& renderer, std::string font_file)
    : renderer_(renderer), font_file_(std::move(font_file)), is_ttf_started_(TTF_Init() == 0) {
    has_font_ = is_ttf_started_ && !font_file_.empty() && font_of(16) != nullptr;
    clear();
}

GlyphAtlas::~GlyphAtlas() {
    fonts_.clear();
    if (is_ttf_started_) TTF_Quit();
}

_TTF_Font* GlyphAtlas::font_of(int pixel_size) {
    FontHandle& font = fonts_[pixel_size];
    if (!font) {
        font.reset(TTF_OpenFont(font_file_.c_str(), pixel_size));
        // Shapes keep their widths: the pen moves by engine/text_metrics.h, which knows no hinting.
        if (font) TTF_SetFontHinting(font.get(), TTF_HINTING_LIGHT);
    }
    return font.get();
}

void GlyphAtlas::clear() {
    glyphs_.clear();
    shelves_.clear();
    // A new texture instead of overwriting: the old one may still be part of queued drawing.
    texture_.reset(
        SDL_CreateTexture(&renderer_, SDL_PIXELFORMAT_ARGB8888, SDL_TEXTUREACCESS_STATIC, kSide, kSide));
    if (!texture_) return;
    SDL_SetTextureScaleMode(texture_.get(), SDL_ScaleModeLinear);
    const std::vector<std::uint32_t> nothing(static_cast<std::size_t>(kSide) * kSide, 0x00FF'FFFFU);
    SDL_UpdateTexture(texture_.get(), nullptr, nothing.data(), kSide * 4);
}

bool GlyphAtlas::find_room(int width, int height, int& x, int& y) {
    int bottom = 0;
    for (Shelf& shelf : shelves_) {
        bottom = shelf.top + shelf.height;
        if (height > shelf.height || height * 3 < shelf.height * 2 || width > kSide - shelf.used) continue;
        x = shelf.used;
        y = shelf.top;
        shelf.used += width;
        return true;
    }
    if (height > kSide - bottom || width > kSide) return false;
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
    SurfaceHandle surface;
    _TTF_Font* font = has_font_ && texture_ ? font_of(pixel_size) : nullptr;
    if (font != nullptr) surface.reset(TTF_RenderGlyph32_Blended(font, character, {255, 255, 255, 255}));
    const SDL_Rect ink = surface ? ink_of(*surface) : SDL_Rect{};
    if (ink.w > 0) {
        int x = 0;
        int y = 0;
        if (!find_room(ink.w + 1, ink.h + 1, x, y)) return nullptr;
        const SDL_Rect target{x, y, ink.w, ink.h};
        const auto* pixels = static_cast<const std::uint8_t*>(surface->pixels) +
                             static_cast<std::ptrdiff_t>(ink.y) * surface->pitch +
                             static_cast<std::ptrdiff_t>(ink.x) * 4;
        SDL_UpdateTexture(texture_.get(), &target, pixels, surface->pitch);
        int bearing = 0;
        int above = 0;
        TTF_GlyphMetrics32(font, character, &bearing, nullptr, nullptr, &above, nullptr);
        const auto fraction = [](int pixel) { return static_cast<float>(pixel) / kSide; };
        glyph.box = {fraction(x), fraction(y), fraction(x + ink.w), fraction(y + ink.h)};
        glyph.width = ink.w;
        glyph.height = ink.h;
        glyph.left = bearing;
        glyph.top = -above;
    }
    return &glyphs_.emplace(key, glyph).first->second;
}

std::string default_font_file() {
    for (const char* file :
         {"/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", "/usr/share/fonts/TTF/DejaVuSans.ttf",
          "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf"}) {
        std::error_code ignored;
        if (std::filesystem::is_regular_file(file, ignored)) return file;
    }
    return "";
}

}  // namespace perigee
