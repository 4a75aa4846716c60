// One font handle for all sizes: the atlas keeps drawn glyphs, so SDL_ttf need not.
#include "engine/sdl/glyphs/glyph_source.h"

#include "ecs/files/regular_file.h"
#include "engine/draw/text/text_metrics.h"
#include "engine/sdl/window/internal/sdl_handle.h"

#include <SDL_ttf.h>

#include <algorithm>
#include <string_view>

namespace perigee {

namespace {

constexpr int kAnySize = 16;
constexpr std::string_view kFamily = "DejaVu Sans";
constexpr std::string_view kStyle = "Book";
constexpr char32_t kNoCharacter = 0x10FFFF;  // the font's box is drawn instead

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

bool is_expected(_TTF_Font* font) {
    const char* family = TTF_FontFaceFamilyName(font);
    const char* style = TTF_FontFaceStyleName(font);
    return family != nullptr && style != nullptr && family == kFamily && style == kStyle;
}

}  // namespace

void GlyphSource::FontCloser::operator()(_TTF_Font* font) const noexcept { TTF_CloseFont(font); }

void GlyphSource::open() {
    is_open_ = true;
    if (file_.empty()) return;
    is_ttf_started_ = TTF_Init() == 0;
    if (!is_ttf_started_) return;
    Result<std::string> bytes = read_regular_file(file_);
    if (!bytes || bytes.value().empty()) return;
    bytes_ = std::move(bytes).value();
    SDL_RWops* stream = SDL_RWFromConstMem(bytes_.data(), static_cast<int>(bytes_.size()));
    font_.reset(TTF_OpenFontRW(stream, 1, kAnySize));
    if (font_ && !is_expected(font_.get())) font_.reset();
    // Shapes keep their widths: the pen moves by engine/draw/text/text_metrics.h, which knows no hinting.
    if (font_) TTF_SetFontHinting(font_.get(), TTF_HINTING_LIGHT);
}

GlyphSource::~GlyphSource() {
    font_.reset();
    if (is_ttf_started_) TTF_Quit();
}

bool GlyphSource::has_font() {
    if (!is_open_) open();
    return font_ != nullptr;
}

GlyphBitmap GlyphSource::rasterise(char32_t character, int pixel_size) {
    if (!has_font()) return pixel_font_glyph(character, pixel_size);
    GlyphBitmap bitmap;
    if (!is_drawn(character)) return bitmap;
    if (pixel_size_ != pixel_size && TTF_SetFontSize(font_.get(), pixel_size) != 0) return bitmap;
    pixel_size_ = pixel_size;
    const char32_t shown = has_picture(character) ? character : kNoCharacter;
    const SurfaceHandle surface{TTF_RenderGlyph32_Blended(font_.get(), shown, {255, 255, 255, 255})};
    const SDL_Rect ink = surface ? ink_of(*surface) : SDL_Rect{};
    if (ink.w == 0) return bitmap;
    int bearing = 0;
    int above = 0;
    TTF_GlyphMetrics32(font_.get(), shown, &bearing, nullptr, nullptr, &above, nullptr);
    bitmap.width = ink.w;
    bitmap.height = ink.h;
    bitmap.left = bearing;
    bitmap.top = -above;
    bitmap.coverage.reserve(static_cast<std::size_t>(ink.w) * static_cast<std::size_t>(ink.h));
    for (int y = ink.y; y < ink.y + ink.h; ++y) {
        const auto* row =
            reinterpret_cast<const std::uint32_t*>(static_cast<const std::uint8_t*>(surface->pixels) +
                                                   static_cast<std::ptrdiff_t>(y) * surface->pitch);
        for (int x = ink.x; x < ink.x + ink.w; ++x)
            bitmap.coverage.push_back(
                static_cast<std::uint8_t>((row[x] & surface->format->Amask) >> surface->format->Ashift));
    }
    return bitmap;
}

}  // namespace perigee
