// From runs to SDL_RenderGeometryRaw.
#include "engine/sdl/draw/renderer.h"

#include "engine/draw/draw_budget.h"
#include "engine/sdl/draw/text_setter.h"
#include "engine/sdl/window/error_codes.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace perigee {

namespace {

// SDL's software renderer has four modes. The others become the nearest of these that is as light or as dark.
SDL_BlendMode sdl_blend(BlendMode blend) noexcept {
    switch (blend) {
        case BlendMode::add:
        case BlendMode::screen:
        case BlendMode::lighten:
            return SDL_BLENDMODE_ADD;
        case BlendMode::multiply:
        case BlendMode::subtract:
        case BlendMode::darken:
            return SDL_BLENDMODE_MUL;
        case BlendMode::replace:
            return SDL_BLENDMODE_NONE;
        case BlendMode::alpha:
            break;
    }
    return SDL_BLENDMODE_BLEND;
}

bool is_opaque(std::uint32_t color) noexcept { return color >> 24U == 255; }

bool is_thin_and_slanting(const WindowLine& line) noexcept {
    constexpr float kThin = 1.5F;
    constexpr float kLevel = 2.0F;  // a nearly horizontal or vertical line is about as large as its bounding
                                    // box
    return line.width < kThin &&
           std::min(std::fabs(line.x1 - line.x0), std::fabs(line.y1 - line.y0)) > kLevel;
}

TextureHandle white_texture(SDL_Renderer& target) {
    TextureHandle texture{SDL_CreateTexture(&target, SDL_PIXELFORMAT_RGBA32, SDL_TEXTUREACCESS_STATIC, 1, 1)};
    constexpr std::uint32_t kWhitePixel = 0xFFFF'FFFF;
    if (texture) SDL_UpdateTexture(texture.get(), nullptr, &kWhitePixel, sizeof kWhitePixel);
    return texture;
}

}  // namespace

Renderer::Renderer(SDL_Renderer& target, const std::string& font_file, Decoder& decoder)
    : target_(target),
      white_(white_texture(target)),
      textures_(target, decoder),
      glyph_texture_(target),
      glyphs_(glyph_texture_, font_file) {
    SDL_RendererInfo info{};
    is_software_ = SDL_GetRendererInfo(&target, &info) == 0 && (info.flags & SDL_RENDERER_SOFTWARE) != 0;
    if (!glyphs_.has_font()) reports_.emplace_back(sdl_errors::kNoFont);
}

void Renderer::begin_frame(PixelSize logical, std::uint32_t background) {
    PixelSize size;
    SDL_GetRendererOutputSize(&target_, &size.width, &size.height);
    logical_ = logical;
    box_ = letterbox_of(logical, size);
    call_count_ = 0;
    uploaded_bytes_ = 0;

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
        run.screen ? screen_transform(box_) : world_transform(box_, logical_, list.state_of(run).camera);
    const auto items = list.items().subspan(run.first, run.count);
    mesh_.clear();
    switch (run.kind) {
        case DrawKind::sprite:
            for (const DrawItem& item : items) mesh_.add_sprite(item, images, view);
            submit(textures_.texture_of(run.image, assets), sdl_blend(run.blend));
            break;
        case DrawKind::text: {
            const auto make_room = [&] {
                submit(glyph_texture_.get(), sdl_blend(run.blend));
                mesh_.clear();
                glyphs_.clear();
            };
            for (const DrawItem& item : items)
                set_text(item, list.text(item), view, box_, glyphs_, mesh_, make_room);
            submit(glyph_texture_.get(), sdl_blend(run.blend));
            break;
        }
        case DrawKind::rectangle:
        case DrawKind::circle:
        case DrawKind::line:
        case DrawKind::arc:
        case DrawKind::mesh:
            draw_shapes(items, view, run.blend);
            break;
    }
}

void Renderer::draw_shapes(std::span<const DrawItem> items, const ViewTransform& view, BlendMode blend) {
    if (is_software_ && blend == BlendMode::alpha) {
        draw_shapes_in_software(items, view);
        return;
    }
    const float piece = is_software_ ? kLinePiece : Mesh::kWhole;
    for (const DrawItem& item : items) mesh_.add_shape(item, view, piece);
    // SDL's software renderer knows no other blend mode for rectangles without a texture.
    submit(blend == BlendMode::alpha ? nullptr : white_.get(), sdl_blend(blend));
}

// A blended triangle costs an image of its bounding box; an unblended one is painted directly, with the same
// result if it is opaque. Thin slanted lines are mostly empty bounding box.
void Renderer::draw_shapes_in_software(std::span<const DrawItem> items, const ViewTransform& view) {
    SDL_BlendMode blend = SDL_BLENDMODE_NONE;
    const auto flush = [&] {
        submit(nullptr, blend);
        mesh_.clear();
    };
    for (const DrawItem& item : items) {
        if (item.kind == DrawKind::line) {
            const auto line = line_in_window(item, view);
            if (line && is_thin_and_slanting(*line)) {
                flush();
                draw_thin_line(*line, item.color);
                continue;
            }
        }
        const SDL_BlendMode wanted = is_opaque(item.color) ? SDL_BLENDMODE_NONE : SDL_BLENDMODE_BLEND;
        if (wanted != blend) flush();
        blend = wanted;
        mesh_.add_shape(item, view, kLinePiece);
    }
    flush();
}

void Renderer::draw_thin_line(const WindowLine& line, std::uint32_t color) {
    const auto channel = [color](unsigned shift) { return static_cast<std::uint8_t>(color >> shift); };
    SDL_SetRenderDrawBlendMode(&target_, is_opaque(color) ? SDL_BLENDMODE_NONE : SDL_BLENDMODE_BLEND);
    SDL_SetRenderDrawColor(&target_, channel(0), channel(8), channel(16), channel(24));
    SDL_RenderDrawLineF(&target_, line.x0, line.y0, line.x1, line.y1);
    ++call_count_;
}

void Renderer::submit(SDL_Texture* texture, SDL_BlendMode blend) {
    if (mesh_.is_empty()) return;
    if (texture != nullptr)
        SDL_SetTextureBlendMode(texture, blend);
    else
        SDL_SetRenderDrawBlendMode(&target_, blend);

    uploaded_bytes_ += mesh_.vertices().size() * sizeof(MeshVertex) + mesh_.indices().size() * sizeof(int);
    constexpr int kStride = sizeof(MeshVertex);
    const MeshVertex& first = mesh_.vertices().front();
    // SDL_Color is r, g, b, a bytes, the memory layout of a packed colour.
    static_assert(sizeof(SDL_Color) == sizeof(first.color));
    SDL_RenderGeometryRaw(&target_, texture, &first.x, kStride,
                          reinterpret_cast<const SDL_Color*>(&first.color), kStride, &first.u, kStride,
                          static_cast<int>(mesh_.vertices().size()), mesh_.indices().data(),
                          static_cast<int>(mesh_.indices().size()), sizeof(int));
    ++call_count_;
}

Result<Picture> Renderer::read_picture() {
    Picture picture;
    SDL_GetRendererOutputSize(&target_, &picture.size.width, &picture.size.height);
    const int row = picture.size.width * 3;
    picture.rgb.resize(static_cast<std::size_t>(row) * static_cast<std::size_t>(picture.size.height));
    if (SDL_RenderReadPixels(&target_, nullptr, SDL_PIXELFORMAT_RGB24, picture.rgb.data(), row) != 0)
        return Error{SDL_GetError()};
    return picture;
}

std::vector<std::string> Renderer::take_reports() {
    std::vector<std::string> reports = std::exchange(reports_, {});
    for (std::string& report : textures_.take_reports()) reports.push_back(std::move(report));
    return reports;
}

}  // namespace perigee
