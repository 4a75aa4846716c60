// From runs to SDL_RenderGeometryRaw.
#include "engine/sdl/renderer.h"

#include "engine/sdl/error_codes.h"
#include "engine/sdl/text_setter.h"

#include <utility>

namespace perigee {

namespace {

SDL_BlendMode sdl_blend(BlendMode blend) noexcept {
    switch (blend) {
        case BlendMode::add:
            return SDL_BLENDMODE_ADD;
        case BlendMode::multiply:
            return SDL_BLENDMODE_MUL;
        case BlendMode::alpha:
            break;
    }
    return SDL_BLENDMODE_BLEND;
}

TextureHandle white_texture(SDL_Renderer& target) {
    TextureHandle texture{SDL_CreateTexture(&target, SDL_PIXELFORMAT_RGBA32, SDL_TEXTUREACCESS_STATIC, 1, 1)};
    constexpr std::uint32_t kWhitePixel = 0xFFFF'FFFF;
    if (texture) SDL_UpdateTexture(texture.get(), nullptr, &kWhitePixel, sizeof kWhitePixel);
    return texture;
}

}  // namespace

Renderer::Renderer(SDL_Renderer& target, const std::string& font_file, Decoder& decoder)
    : target_(target), white_(white_texture(target)), textures_(target, decoder), glyphs_(target, font_file) {
    if (!glyphs_.has_font()) reports_.emplace_back(sdl_errors::kNoFont);
}

void Renderer::begin_picture(PixelSize logical, std::uint32_t background) {
    PixelSize size;
    SDL_GetRendererOutputSize(&target_, &size.width, &size.height);
    logical_ = logical;
    box_ = letterbox_of(logical, size);
    call_count_ = 0;

    SDL_RenderSetClipRect(&target_, nullptr);
    SDL_SetRenderDrawColor(&target_, 0, 0, 0, 255);
    SDL_RenderClear(&target_);
    const SDL_Rect picture{box_.x, box_.y, box_.width, box_.height};
    SDL_RenderSetClipRect(&target_, &picture);
    SDL_SetRenderDrawBlendMode(&target_, SDL_BLENDMODE_NONE);
    const auto channel = [background](unsigned shift) {
        return static_cast<std::uint8_t>(background >> shift);
    };
    SDL_SetRenderDrawColor(&target_, channel(0), channel(8), channel(16), 255);
    SDL_RenderFillRect(&target_, &picture);
}

void Renderer::draw(const DrawList& list, const ImageTable& images, const AssetStore& assets) {
    for (const DrawRun& run : list.runs()) draw_run(list, run, images, assets);
}

void Renderer::draw_run(const DrawList& list, const DrawRun& run, const ImageTable& images,
                        const AssetStore& assets) {
    const ViewTransform view =
        run.screen ? screen_transform(box_) : world_transform(box_, logical_, list.camera);
    const auto items = list.items().subspan(run.first, run.count);
    mesh_.clear();
    switch (run.kind) {
        case DrawKind::sprite:
            for (const DrawItem& item : items) mesh_.add_sprite(item, images, view);
            submit(textures_.texture_of(run.image, assets), run.blend);
            break;
        case DrawKind::text: {
            const auto make_room = [&] {
                submit(glyphs_.texture(), run.blend);
                mesh_.clear();
                glyphs_.clear();
            };
            for (const DrawItem& item : items)
                set_text(item, list.text(item), view, box_, glyphs_, mesh_, make_room);
            submit(glyphs_.texture(), run.blend);
            break;
        }
        case DrawKind::rectangle:
        case DrawKind::circle:
        case DrawKind::line:
            for (const DrawItem& item : items) mesh_.add_shape(item, view);
            // SDL's software renderer knows one blend mode for rectangles without a texture: alpha.
            submit(run.blend == BlendMode::alpha ? nullptr : white_.get(), run.blend);
            break;
    }
}

void Renderer::submit(SDL_Texture* texture, BlendMode blend) {
    if (mesh_.is_empty()) return;
    if (texture != nullptr)
        SDL_SetTextureBlendMode(texture, sdl_blend(blend));
    else
        SDL_SetRenderDrawBlendMode(&target_, sdl_blend(blend));

    constexpr int kStride = sizeof(MeshVertex);
    const MeshVertex& first = mesh_.vertices().front();
    // SDL_Color is r, g, b, a bytes, which is what a packed colour is in memory.
    static_assert(sizeof(SDL_Color) == sizeof(first.color));
    SDL_RenderGeometryRaw(&target_, texture, &first.x, kStride,
                          reinterpret_cast<const SDL_Color*>(&first.color), kStride, &first.u, kStride,
                          static_cast<int>(mesh_.vertices().size()), mesh_.indices().data(),
                          static_cast<int>(mesh_.indices().size()), sizeof(int));
    ++call_count_;
}

std::vector<std::string> Renderer::take_reports() {
    std::vector<std::string> reports = std::exchange(reports_, {});
    for (std::string& report : textures_.take_reports()) reports.push_back(std::move(report));
    return reports;
}

}  // namespace perigee
