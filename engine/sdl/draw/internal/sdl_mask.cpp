// Pixels are read as r, g, b, a in memory order.
#include "engine/sdl/draw/internal/sdl_mask.h"

#include <algorithm>

namespace perigee {

namespace {

constexpr int kBytesPerPixel = 4;

std::size_t area_of(const PixelBox& box) noexcept {
    return static_cast<std::size_t>(box.width) * static_cast<std::size_t>(box.height);
}
SDL_Rect rectangle(const PixelBox& box) noexcept { return {box.x, box.y, box.width, box.height}; }
bool is_half_opaque(std::uint32_t pixel) noexcept { return pixel >> 24U >= 128; }

}  // namespace

bool SdlMask::fit(PixelSize size) {
    if (size == size_ && coverage_ && patch_) return true;
    size_ = size;
    coverage_.reset(SDL_CreateTexture(&renderer_, SDL_PIXELFORMAT_ARGB8888, SDL_TEXTUREACCESS_TARGET,
                                      size.width, size.height));
    patch_.reset(SDL_CreateTexture(&renderer_, SDL_PIXELFORMAT_RGBA32, SDL_TEXTUREACCESS_STATIC, size.width,
                                   size.height));
    if (patch_) SDL_SetTextureBlendMode(patch_.get(), SDL_BLENDMODE_NONE);
    return coverage_ && patch_;
}

bool SdlMask::read(const PixelBox& box, std::vector<std::uint32_t>& pixels) {
    pixels.resize(area_of(box));
    const SDL_Rect place = rectangle(box);
    return SDL_RenderReadPixels(&renderer_, &place, SDL_PIXELFORMAT_RGBA32, pixels.data(),
                                box.width * kBytesPerPixel) == 0;
}

bool SdlMask::begin(const DrawList& list, std::uint32_t mask, const PixelBox& within,
                    const std::function<void(const DrawList& mask)>& draw) {
    PixelSize size;
    if (SDL_GetRendererOutputSize(&renderer_, &size.width, &size.height) != 0 || !fit(size)) return false;
    SDL_Texture* const target = SDL_GetRenderTarget(&renderer_);
    inside_.assign(area_of(within), 1);
    bool is_drawn = true;
    for (; mask != 0 && is_drawn; mask = list.mask(mask).outer) {
        is_drawn = SDL_SetRenderTarget(&renderer_, coverage_.get()) == 0;
        if (!is_drawn) break;
        SDL_RenderSetClipRect(&renderer_, nullptr);
        SDL_SetRenderDrawColor(&renderer_, 0, 0, 0, 0);
        SDL_RenderClear(&renderer_);
        draw(*list.mask(mask).list);
        SDL_RenderSetClipRect(&renderer_, nullptr);
        is_drawn = read(within, pixels_);
        const bool is_inverted = list.mask(mask).is_inverted;
        for (std::size_t i = 0; i < inside_.size(); ++i)
            if (is_half_opaque(pixels_[i]) == is_inverted) inside_[i] = 0;
    }
    SDL_SetRenderTarget(&renderer_, target);
    if (!is_drawn) return false;
    find_box(within);
    SDL_RenderSetClipRect(&renderer_, nullptr);
    if (box_.width > 0 && !read(box_, before_)) return false;
    is_begun_ = true;
    return true;
}

// The box of what is inside, of which inside_ is all that is left.
void SdlMask::find_box(const PixelBox& within) {
    int left = within.width, right = 0, top = within.height, bottom = 0;
    const auto row_of = [&](int y) {
        return inside_.begin() + static_cast<std::ptrdiff_t>(y) * within.width;
    };
    for (int y = 0; y < within.height; ++y) {
        const auto row = row_of(y), end = row + within.width;
        const auto first = std::find(row, end, std::uint8_t{1});
        if (first == end) continue;
        auto last = end - 1;
        while (*last == 0) --last;
        left = std::min(left, static_cast<int>(first - row));
        right = std::max(right, static_cast<int>(last - row) + 1);
        top = std::min(top, y);
        bottom = y + 1;
    }
    if (right <= left) left = right = top = bottom = 0;
    auto to = inside_.begin();
    for (int y = top; y < bottom; ++y) to = std::copy(row_of(y) + left, row_of(y) + right, to);
    inside_.erase(to, inside_.end());
    box_ = {within.x + left, within.y + top, right - left, bottom - top};
}

void SdlMask::end() {
    is_begun_ = false;
    SDL_RenderSetClipRect(&renderer_, nullptr);
    if (box_.width == 0 || !read(box_, pixels_)) return;
    bool is_spilt = false;
    for (std::size_t i = 0; i < inside_.size(); ++i) {
        if (inside_[i] != 0 || pixels_[i] == before_[i]) continue;
        pixels_[i] = before_[i];
        is_spilt = true;
    }
    if (!is_spilt) return;
    const SDL_Rect place = rectangle(box_);
    SDL_UpdateTexture(patch_.get(), &place, pixels_.data(), box_.width * kBytesPerPixel);
    SDL_RenderCopy(&renderer_, patch_.get(), &place, &place);
}

}  // namespace perigee
