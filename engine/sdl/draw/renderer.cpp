// From runs to states, and from states to calls of SDL.
#include "engine/sdl/draw/renderer.h"

#include "engine/draw/color.h"
#include "engine/sdl/draw/text_setter.h"
#include "engine/sdl/surfaces/canvas_requests.h"
#include "engine/sdl/window/error_codes.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

namespace perigee {

namespace {

bool is_opaque(std::uint32_t color) noexcept { return color >> 24U == 255; }

bool is_thin_and_slanting(const WindowLine& line) noexcept {
    constexpr float kThin = 1.5F;
    constexpr float kLevel = 2.0F;  // a nearly horizontal or vertical line is about as large as its bounding
                                    // box
    return line.width < kThin &&
           std::min(std::fabs(line.x1 - line.x0), std::fabs(line.y1 - line.y0)) > kLevel;
}

// Kept items come whole, whatever part of them the camera sees.
bool may_be_seen(const DrawItem& item, const View& view, const PixelBox& clip) noexcept {
    const WindowPoint at = view.placed(item.x, item.y);
    const float reach = 2.0F * (item.w + item.h) * view.scale;
    const auto overlaps = [reach](float middle, int start, int size) {
        return middle + reach >= static_cast<float>(start) &&
               middle - reach <= static_cast<float>(start + size);
    };
    return overlaps(at.x, clip.x, clip.width) && overlaps(at.y, clip.y, clip.height);
}

DrawItem in_form(DrawItem item, PixelForm form) noexcept {
    if (form == PixelForm::premultiplied) item.color = premultiplied(item.color);
    return item;
}

}  // namespace

Renderer::Renderer(SDL_Renderer& target, const std::string& font_file, Decoder& decoder)
    : target_(target),
      font_file_(font_file),
      blends_(target),
      textures_(target, decoder),
      surfaces_(target),
      glyphs_(target, PixelForm::straight, font_file),
      mask_(target),
      layers_(target) {
    SDL_RendererInfo info{};
    is_software_ = SDL_GetRendererInfo(&target, &info) == 0 && (info.flags & SDL_RENDERER_SOFTWARE) != 0;
    mesh_.rounds_corners = is_software_;
}

bool Renderer::begin_pixel_picture(PixelSize size) {
    if (!pixel_picture_ || size != pixel_size_) {
        pixel_picture_.reset(SDL_CreateTexture(&target_, SDL_PIXELFORMAT_ARGB8888, SDL_TEXTUREACCESS_TARGET,
                                               size.width, size.height));
        pixel_size_ = size;
        if (pixel_picture_) SDL_SetTextureBlendMode(pixel_picture_.get(), SDL_BLENDMODE_NONE);
    }
    return pixel_picture_ && SDL_SetRenderTarget(&target_, pixel_picture_.get()) == 0;
}

void Renderer::begin_frame(const ScreenDesc& screen, std::uint32_t background) {
    SDL_SetRenderTarget(&target_, nullptr);
    frame_ = nullptr;
    PixelSize size;
    SDL_GetRendererOutputSize(&target_, &size.width, &size.height);
    if (std::exchange(drops_glyphs_, false)) {
        glyphs_.atlas.clear();
        premultiplied_glyphs_.reset();
    }
    const ScreenLayout layout = layout_of(screen, size);
    logical_ = layout.logical;
    box_ = window_box_ = layout.box;
    call_count_ = 0;
    uploaded_bytes_ = 0;
    layers_.begin_frame();

    SDL_RenderSetClipRect(&target_, nullptr);
    SDL_SetRenderDrawColor(&target_, 0, 0, 0, 255);
    SDL_RenderClear(&target_);
    if (screen.is_pixel_art && begin_pixel_picture(logical_)) {
        frame_ = pixel_picture_.get();
        box_ = {1.0F, 1.0F, 0, 0, logical_.width, logical_.height};
    }
    const SDL_Rect picture{box_.x, box_.y, box_.width, box_.height};
    SDL_RenderSetClipRect(&target_, &picture);
    clip_ = {box_.x, box_.y, box_.width, box_.height};
    SDL_SetRenderDrawBlendMode(&target_, SDL_BLENDMODE_NONE);
    const auto channel = [background](unsigned shift) {
        return static_cast<std::uint8_t>(background >> shift);
    };
    SDL_SetRenderDrawColor(&target_, channel(0), channel(8), channel(16), 255);
    SDL_RenderFillRect(&target_, &picture);
}

void Renderer::end_picture() {
    if (frame_ == nullptr) return;
    SDL_SetRenderTarget(&target_, nullptr);
    SDL_RenderSetClipRect(&target_, nullptr);
    box_ = window_box_;
    const SDL_Rect place{box_.x, box_.y, box_.width, box_.height};
    SDL_RenderCopy(&target_, std::exchange(frame_, nullptr), nullptr, &place);
    ++call_count_;
    forget_clip();
}

void Renderer::draw_surfaces(SurfaceTable& surfaces, const ImageTable& images, const AssetStore& assets) {
    surfaces_.update(surfaces, images);
    SDL_SetRenderTarget(&target_, frame_);
    if (!surfaces.has_canvases()) return;
    const PixelSize logical = logical_;
    const Letterbox box = box_;
    for (const CanvasPass& pass : surfaces.take_passes()) draw_canvas(pass, images, assets);
    surfaces_.end_canvases(surfaces);
    answer_requests(
        surfaces, [this](const Surface& canvas) { return surfaces_.read(canvas); }, reports_);
    logical_ = logical;
    box_ = box;
    SDL_SetRenderTarget(&target_, frame_);
    const SDL_Rect picture{box_.x, box_.y, box_.width, box_.height};
    SDL_RenderSetClipRect(&target_, &picture);
    clip_ = {box_.x, box_.y, box_.width, box_.height};
}

void Renderer::draw_canvas(const CanvasPass& pass, const ImageTable& images, const AssetStore& assets) {
    const Surface& canvas = *pass.target;
    if (!surfaces_.bind_canvas(canvas.image)) return;
    logical_ = {canvas.desc.width, canvas.desc.height};
    box_ = {1.0F, 1.0F, 0, 0, logical_.width, logical_.height};
    clip_ = {0, 0, box_.width, box_.height};
    SDL_RenderSetClipRect(&target_, nullptr);
    if (pass.copied != nullptr) surfaces_.copy_canvas(*pass.copied);
    if (pass.clear_color) {
        const PackedColor color = premultiplied(*pass.clear_color);
        const auto channel = [color](unsigned shift) { return static_cast<std::uint8_t>(color >> shift); };
        SDL_SetRenderDrawColor(&target_, channel(0), channel(8), channel(16), channel(24));
        SDL_RenderClear(&target_);
    }
    draw(*pass.list, images, assets);
    surfaces_.finish_canvas(canvas);
}

// A view is a picture of its own in a part of this one.
void Renderer::draw_view(const DrawList& view, const ImageTable& images, const AssetStore& assets) {
    const PixelSize logical = std::exchange(
        logical_, {static_cast<int>(view.viewport.width), static_cast<int>(view.viewport.height)});
    const Letterbox box = std::exchange(box_, part_of(box_, view.viewport));
    if (view.clear_color && box_.width > 0 && box_.height > 0) {
        set_clip({box_.x, box_.y, box_.width, box_.height});
        const PackedColor color = premultiplied(*view.clear_color);
        const auto channel = [color](unsigned shift) { return static_cast<std::uint8_t>(color >> shift); };
        const SDL_Rect part{box_.x, box_.y, box_.width, box_.height};
        SDL_SetRenderDrawBlendMode(&target_, SDL_BLENDMODE_NONE);
        SDL_SetRenderDrawColor(&target_, channel(0), channel(8), channel(16), channel(24));
        SDL_RenderFillRect(&target_, &part);
    }
    draw(view, images, assets);
    logical_ = logical;
    box_ = box;
}

void Renderer::draw(const DrawList& list, const ImageTable& images, const AssetStore& assets) {
    for (const auto& view : list.views()) draw_view(*view, images, assets);
    std::vector<bool> has_picture;  // of the layers that are being drawn
    for (const DrawPart& part : list.parts()) {
        switch (part.step) {
            case DrawPart::Step::begin:
                // There are no effects, so a layer that has nothing else is drawn as it is.
                has_picture.push_back((part.blend != BlendMode::alpha || part.background != 0) &&
                                      begin_layer(part.background));
                break;
            case DrawPart::Step::end:
                if (has_picture.back()) end_layer(part.blend);
                has_picture.pop_back();
                break;
            case DrawPart::Step::runs:
                draw_runs(list, list.runs_of(part), images, assets);
                break;
        }
    }
    if (list.has_shaders() && !std::exchange(has_reported_shaders_, true))
        reports_.emplace_back(sdl_errors::kNoShaders);
}

// A layer for which there is no picture is drawn like others.
bool Renderer::begin_layer(PackedColor background) {
    const bool has_picture = layers_.begin(background);
    if (!has_picture && !std::exchange(has_reported_layers_, true))
        reports_.emplace_back(sdl_errors::kNoLayers);
    forget_clip();
    return has_picture;
}

void Renderer::end_layer(BlendMode blend) {
    layers_.end({box_.x, box_.y, box_.width, box_.height}, blends_[blend]);
    ++call_count_;
    forget_clip();
}

void Renderer::draw_runs(const DrawList& list, std::span<const DrawRun> runs, const ImageTable& images,
                         const AssetStore& assets) {
    std::uint32_t mask = 0;
    for (const DrawRun& run : runs) {
        const std::uint32_t wanted = list.mask_count() != 0 ? list.state_of(run).mask : 0;
        if (wanted != mask) {
            end_mask();
            begin_mask(list, wanted, images, assets);
            mask = wanted;
        }
        draw_run(list, run, images, assets);
    }
    submit();
    if (mask != 0) end_mask();
}

void Renderer::begin_mask(const DrawList& list, std::uint32_t mask, const ImageTable& images,
                          const AssetStore& assets) {
    submit();
    if (mask == 0) return;
    const auto draw = [&](const DrawList& one) {
        forget_clip();
        is_drawing_mask_ = true;
        draw_runs(one, one.runs(), images, assets);
        is_drawing_mask_ = false;
    };
    if (!mask_.begin(list, mask, {box_.x, box_.y, box_.width, box_.height}, draw) &&
        !std::exchange(has_reported_masks_, true))
        reports_.emplace_back(sdl_errors::kNoMasks);
    forget_clip();
}

void Renderer::end_mask() {
    if (!mask_.is_begun()) return;
    submit();
    mask_.end();
    forget_clip();
}

void Renderer::draw_run(const DrawList& list, const DrawRun& run, const ImageTable& images,
                        const AssetStore& assets) {
    const DrawState state = list.state_of(run);
    const View view = view_of(state, run.screen, box_, logical_);
    PixelBox clip = clip_of(state, box_);
    if (mask_.is_begun() && !is_drawing_mask_) clip = intersection(clip, mask_.box());
    if (clip.width == 0 || clip.height == 0) return;
    set_clip(clip);
    mesh_.visible = clip;
    const SdlBlend& blend = blends_[is_drawing_mask_ ? BlendMode::alpha : run.blend];
    const auto items = list.items_of(run, scratch_);
    switch (run.kind) {
        case DrawKind::sprite:
            add_sprites(items, run, view, blend, images, assets);
            break;
        case DrawKind::text:
            add_texts(list, run, view, blend);
            break;
        case DrawKind::mesh:
            add_meshes(list, run, view, blend, images, assets);
            break;
        case DrawKind::rectangle:
        case DrawKind::circle:
        case DrawKind::line:
        case DrawKind::arc:
            add_shapes(items, view, blend);
            break;
    }
}

void Renderer::add_sprites(std::span<const DrawItem> items, const DrawRun& run, const View& view,
                           const SdlBlend& blend, const ImageTable& images, const AssetStore& assets) {
    std::optional<bool> was_copied;
    SDL_Texture* texture = nullptr;
    for (const DrawItem& item : items) {
        if (run.kept != nullptr && !may_be_seen(item, view, clip_)) continue;
        const bool is_copied = item.angle == 0 && view.is_upright;
        if (was_copied != is_copied) texture = texture_of(run, images, assets, blend, is_copied);
        was_copied = is_copied;
        use({.texture = texture, .blend = blend.mode});
        mesh_.add_sprite(in_form(item, blend.form), images, view);
    }
}

void Renderer::add_meshes(const DrawList& list, const DrawRun& run, const View& view, const SdlBlend& blend,
                          const ImageTable& images, const AssetStore& assets) {
    SDL_Texture* const texture = run.image != 0 ? texture_of(run, images, assets, blend, false) : nullptr;
    use({.texture = texture, .blend = blend.mode});
    const bool is_premultiplied = blend.form == PixelForm::premultiplied;
    mesh_.image_wrap = run.image != 0 ? images.sampling_of(run.image).wrap : ImageWrap::clamp;
    for (const DrawItem& item : list.items_of(run)) {
        const std::uint32_t color = in_form(item, blend.form).color;
        if (const auto& kept = list.vertex_mesh(item); kept != nullptr)
            mesh_.add_triangles(*kept, color, placed(view, item), is_premultiplied);
        else
            mesh_.add_triangles(list.mesh(item), color, view, is_premultiplied);
    }
}

SDL_Texture* Renderer::texture_of(const DrawRun& run, const ImageTable& images, const AssetStore& assets,
                                  const SdlBlend& blend, bool is_copied) {
    if (is_surface(run.image)) {
        SDL_Texture* const texture = surfaces_.texture_of(run.image, blend.form == PixelForm::premultiplied);
        return texture != nullptr ? texture : textures_.texture_of(0, assets);
    }
    const bool is_cut = is_software_ && !is_copied;
    return textures_.texture_of(run.image, assets, blend.form, is_cut ? PixelSteps::fine : PixelSteps::whole,
                                images.sampling_of(run.image).filter);
}

void Renderer::add_texts(const DrawList& list, const DrawRun& run, const View& view, const SdlBlend& blend) {
    Glyphs& glyphs = glyphs_of(blend.form);
    const auto use_glyphs = [&] { use({.texture = glyphs.texture.get(), .blend = blend.mode}); };
    const std::function<void()> make_room = [&] {
        submit();
        glyphs.atlas.clear();
        use_glyphs();
    };
    glyphs.atlas.create_texture();
    use_glyphs();
    for (const DrawItem& item : list.items_of(run))
        set_text(item, list.text(item), list.look(item), blend.form, view, clip_, glyphs.atlas, mesh_,
                 make_room);
}

void Renderer::add_shapes(std::span<const DrawItem> items, const View& view, const SdlBlend& blend) {
    if (!is_software_) use({.blend = blend.mode});
    for (const DrawItem& item : items) {
        const DrawItem shown = in_form(item, blend.form);
        if (is_software_)
            add_shape_in_software(shown, view, blend.mode);
        else
            mesh_.add_shape(shown, view);
    }
}

void Renderer::add_shape_in_software(const DrawItem& item, const View& view, SDL_BlendMode blend) {
    if (item.kind == DrawKind::line && blend == SDL_BLENDMODE_BLEND) {
        if (const auto line = line_in_window(item, view); line && is_thin_and_slanting(*line)) {
            submit();
            draw_thin_line(*line, item.color);
            return;
        }
    }
    // Unblended pixels cost less, with the same result.
    if (blend == SDL_BLENDMODE_BLEND && is_opaque(item.color)) blend = SDL_BLENDMODE_NONE;
    use({.blend = blend, .is_spans = true, .color = item.color});
    outline_.set(item, view);
    spans_.add(outline_, clip_);
}

void Renderer::draw_thin_line(const WindowLine& line, std::uint32_t color) {
    const auto channel = [color](unsigned shift) { return static_cast<std::uint8_t>(color >> shift); };
    SDL_SetRenderDrawBlendMode(&target_, is_opaque(color) ? SDL_BLENDMODE_NONE : SDL_BLENDMODE_BLEND);
    SDL_SetRenderDrawColor(&target_, channel(0), channel(8), channel(16), channel(24));
    SDL_RenderDrawLineF(&target_, line.x0, line.y0, line.x1, line.y1);
    ++call_count_;
}

Renderer::Glyphs& Renderer::glyphs_of(PixelForm form) {
    if (form == PixelForm::straight) return glyphs_;
    if (!premultiplied_glyphs_) premultiplied_glyphs_ = std::make_unique<Glyphs>(target_, form, font_file_);
    return *premultiplied_glyphs_;
}

void Renderer::set_clip(const PixelBox& clip) {
    if (clip == clip_) return;
    submit();
    clip_ = clip;
    const SDL_Rect rectangle{clip.x, clip.y, clip.width, clip.height};
    SDL_RenderSetClipRect(&target_, &rectangle);
}

void Renderer::use(const State& state) {
    if (state == state_) return;
    submit();
    state_ = state;
    PixelSize& size = mesh_.texture_size = {};
    if (is_software_ && state.texture != nullptr)
        SDL_QueryTexture(state.texture, nullptr, nullptr, &size.width, &size.height);
}

void Renderer::submit() {
    const State state = std::exchange(state_, {});
    if (state.texture != nullptr)
        SDL_SetTextureBlendMode(state.texture, state.blend);
    else
        SDL_SetRenderDrawBlendMode(&target_, state.blend);

    if (state.is_spans && state.blend == SDL_BLENDMODE_NONE) spans_.divide();
    if (const auto boxes = spans_.boxes(); !boxes.empty()) {
        static_assert(sizeof(PixelBox) == sizeof(SDL_Rect) &&
                      offsetof(PixelBox, width) == offsetof(SDL_Rect, w));
        const auto channel = [&state](unsigned shift) {
            return static_cast<std::uint8_t>(state.color >> shift);
        };
        SDL_SetRenderDrawColor(&target_, channel(0), channel(8), channel(16), channel(24));
        SDL_RenderFillRects(&target_, reinterpret_cast<const SDL_Rect*>(boxes.data()),
                            static_cast<int>(boxes.size()));
        uploaded_bytes_ += boxes.size_bytes();
        ++call_count_;
        spans_.clear();
    }
    if (!mesh_.is_empty()) {
        uploaded_bytes_ +=
            mesh_.vertices().size() * sizeof(MeshVertex) + mesh_.indices().size() * sizeof(int);
        constexpr int kStride = sizeof(MeshVertex);
        const MeshVertex& first = mesh_.vertices().front();
        // SDL_Color is r, g, b, a bytes, the memory layout of a packed colour.
        static_assert(sizeof(SDL_Color) == sizeof(first.color));
        SDL_RenderGeometryRaw(&target_, state.texture, &first.x, kStride,
                              reinterpret_cast<const SDL_Color*>(&first.color), kStride, &first.u, kStride,
                              static_cast<int>(mesh_.vertices().size()), mesh_.indices().data(),
                              static_cast<int>(mesh_.indices().size()), sizeof(int));
        ++call_count_;
        mesh_.clear();
    }
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
    if (glyphs_.atlas.lacks_font() && !std::exchange(has_reported_font_, true))
        reports.emplace_back(sdl_errors::kNoFont);
    for (std::string& report : textures_.take_reports()) reports.push_back(std::move(report));
    return reports;
}

}  // namespace perigee
