// From runs to batches, from batches to draw calls.
#include "engine/sdl/gl/gl_renderer.h"

#include "engine/draw/color.h"
#include "engine/sdl/gl/internal/blending.h"
#include "engine/sdl/gl/internal/clearing.h"
#include "engine/sdl/gl/shaders.h"
#include "engine/sdl/surfaces/canvas_requests.h"
#include "engine/sdl/window/error_codes.h"
#include "engine/sdl/window/window.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace perigee::gl {

namespace {

constexpr GLsizei kInstanceBytes = 32;
static_assert(sizeof(DrawItem) == kInstanceBytes && sizeof(GlyphItem) == kInstanceBytes);

const void* buffer_offset(std::size_t bytes) noexcept { return reinterpret_cast<const void*>(bytes); }

}  // namespace

const Pass& GlRenderer::Passes::made(std::optional<Pass>& pass, Source vertex, Source fragment) {
    if (!pass) {
        pass.emplace(vertex(), change_(fragment()));
        if (error_.empty()) error_ = pass->program.error();
    }
    return *pass;
}

const Pass& GlRenderer::Passes::of(DrawKind kind) {
    switch (kind) {
        case DrawKind::sprite:
            return made(sprites_, sprite_vertex_source, image_fragment_source);
        case DrawKind::text:
            return made(texts_, glyph_vertex_source, glyph_fragment_source);
        case DrawKind::mesh:
            return made(meshes_, mesh_vertex_source, mesh_fragment_source);
        case DrawKind::rectangle:
        case DrawKind::circle:
        case DrawKind::line:
        case DrawKind::arc:
            break;
    }
    return made(shapes_, shape_vertex_source, shape_fragment_source);
}

const Pass& GlRenderer::Passes::of_particles(DrawKind kind) {
    if (kind == DrawKind::sprite)
        return made(
            sprite_particles_, [] { return particle_source(sprite_vertex_source()); }, image_fragment_source);
    return made(
        shape_particles_, [] { return particle_source(shape_vertex_source()); }, shape_fragment_source);
}

const std::string& GlRenderer::Passes::make_all() {
    for (const DrawKind kind : {DrawKind::sprite, DrawKind::text, DrawKind::mesh, DrawKind::rectangle})
        static_cast<void>(of(kind));
    return error_;
}

GlRenderer::GlRenderer(const Window& window, const std::string& font_file, Decoder& decoder)
    : window_(window),
      passes_([](const std::string& source) { return source; }),
      images_(decoder),
      glyphs_(glyph_texture_, font_file),
      item_array_(VertexArray::make()),
      point_array_(VertexArray::make()),
      particle_array_(VertexArray::make()) {
    const auto prepare = [](const VertexArray& array, GLuint attributes) {
        glBindVertexArray(array.name());
        for (GLuint attribute = 0; attribute < attributes; ++attribute) {
            glEnableVertexAttribArray(attribute);
            glVertexAttribDivisor(attribute, 1);
        }
    };
    prepare(item_array_, 3);
    prepare(particle_array_, 2);
    glBindVertexArray(point_array_.name());
    for (const GLuint attribute : {0U, 1U, 2U}) glEnableVertexAttribArray(attribute);
    if (epoxy_has_gl_extension("GL_ARB_robustness"))
        robustness_ = Robustness::arb;
    else if (epoxy_has_gl_extension("GL_KHR_robustness"))
        robustness_ = Robustness::khr;
}

GlRenderer::~GlRenderer() { window_.make_current(); }

std::unique_ptr<GlRenderer> GlRenderer::create(const Window& window, const std::string& font_file,
                                               Decoder& decoder) {
    window.make_current();
    return std::unique_ptr<GlRenderer>{new GlRenderer(window, font_file, decoder)};
}

Result<void> GlRenderer::make_shaders() {
    window_.make_current();
    if (const std::string& error = passes_.make_all(); !error.empty())
        return Error{fmt::format(sdl_errors::kNoShader, error)};
    return {};
}

void GlRenderer::begin_frame(const ScreenDesc& screen, std::uint32_t background) {
    window_.make_current();
    stream_.begin_frame();
    kept_.begin_frame();
    kept_texts_.begin_frame();
    if (std::exchange(drops_glyphs_, false)) glyphs_.clear();
    kept_meshes_.begin_frame();
    layers_.begin_frame();
    size_ = window_size_ = window_.pixel_size();
    const ScreenLayout layout = layout_of(screen, size_);
    logical_ = layout.logical;
    box_ = window_box_ = layout.box;
    call_count_ = 0;

    glDisable(GL_DEPTH_TEST);
    glDisable(GL_CULL_FACE);
    glDisable(GL_DITHER);
    glEnable(GL_BLEND);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDisable(GL_SCISSOR_TEST);
    glClearColor(0, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    is_pixel_picture_ = screen.is_pixel_art && pixel_picture_.fit(logical_);
    if (is_pixel_picture_) {
        size_ = logical_;
        box_ = {1.0F, 1.0F, 0, 0, size_.width, size_.height};
    }
    bind_frame();
    glEnable(GL_SCISSOR_TEST);
    glScissor(box_.x, size_.height - box_.y - box_.height, box_.width, box_.height);
    clear_to(background | 0xFF00'0000U);
}

void GlRenderer::bind_frame() {
    glBindFramebuffer(GL_FRAMEBUFFER, is_pixel_picture_ ? pixel_picture_.framebuffer() : 0);
    glViewport(0, 0, size_.width, size_.height);
}

void GlRenderer::bind_target() {
    if (layers_.is_open())
        glBindFramebuffer(GL_FRAMEBUFFER, layers_.framebuffer());
    else if (canvas_ != nullptr)
        surfaces_.bind_canvas(canvas_->image);
    else
        bind_frame();
}

void GlRenderer::end_picture() {
    if (!std::exchange(is_pixel_picture_, false)) return;
    size_ = window_size_;
    box_ = window_box_;
    bind_frame();
    pixel_picture_.show(box_, size_);
    ++call_count_;
}

void GlRenderer::draw_surfaces(SurfaceTable& surfaces, const ImageTable& images, const AssetStore& assets) {
    surfaces_.update(surfaces, images);
    bind_frame();
    if (!surfaces.has_canvases()) return;
    const PixelSize size = size_, logical = logical_;
    const Letterbox box = box_;
    for (const CanvasPass& pass : surfaces.take_passes()) draw_canvas(pass, images, assets);
    surfaces_.end_canvases(surfaces);
    answer_requests(
        surfaces, [this](const Surface& canvas) { return surfaces_.read(canvas); }, reports_);
    size_ = size;
    logical_ = logical;
    box_ = box;
    bind_frame();
}

void GlRenderer::draw_canvas(const CanvasPass& pass, const ImageTable& images, const AssetStore& assets) {
    const Surface& canvas = *pass.target;
    if (!surfaces_.bind_canvas(canvas.image)) return;
    size_ = logical_ = {canvas.desc.width, canvas.desc.height};
    box_ = {1.0F, 1.0F, 0, 0, size_.width, size_.height};
    glViewport(0, 0, size_.width, size_.height);
    if (pass.copied != nullptr) surfaces_.copy_canvas(*pass.copied, canvas);
    if (pass.clear_color) {
        glDisable(GL_SCISSOR_TEST);
        clear_to(*pass.clear_color);
        glEnable(GL_SCISSOR_TEST);
    }
    canvas_ = &canvas;
    draw(*pass.list, images, assets);
    canvas_ = nullptr;
    surfaces_.finish_canvas(canvas);
}

// A view is a picture of its own in a part of this one.
void GlRenderer::draw_view(const DrawList& view, const ImageTable& images, const AssetStore& assets) {
    const PixelSize logical = std::exchange(
        logical_, {static_cast<int>(view.viewport.width), static_cast<int>(view.viewport.height)});
    const Letterbox box = std::exchange(box_, part_of(box_, view.viewport));
    if (view.clear_color && box_.width > 0 && box_.height > 0) {
        glScissor(box_.x, size_.height - box_.y - box_.height, box_.width, box_.height);
        clear_to(*view.clear_color);
    }
    draw(view, images, assets);
    logical_ = logical;
    box_ = box;
}

void GlRenderer::draw(const DrawList& list, const ImageTable& images, const AssetStore& assets) {
    const bool has_effect = list.picture_effect() != 0 && begin_layer(list.background | 0xFF00'0000U);
    for (const auto& view : list.views()) draw_view(*view, images, assets);
    kept_.begin_list(list);
    second_images_.load(list, images, assets);
    items_ = places_ = {};
    std::vector<bool> has_picture;  // of the layers that are being drawn
    for (const DrawPart& part : list.parts()) {
        switch (part.step) {
            case DrawPart::Step::begin:
                has_picture.push_back(begin_layer(part.background));
                break;
            case DrawPart::Step::end:
                if (has_picture.back()) end_layer(list, part, images);
                has_picture.pop_back();
                break;
            case DrawPart::Step::runs:
                draw_runs(list, list.runs_of(part), images, assets);
                if (list.mask_count() != 0) set_mask(list, 0, images, assets);
                break;
        }
    }
    if (has_effect) end_layer(list, {.step = DrawPart::Step::end, .shader = list.picture_effect()}, images);
}

void GlRenderer::draw_runs(const DrawList& list, std::span<const DrawRun> runs, const ImageTable& images,
                           const AssetStore& assets) {
    forget_batches();
    std::uint32_t mask = 0;
    for (const DrawRun& run : runs) {
        const std::uint32_t wanted = list.mask_count() != 0 ? list.state_of(run).mask : 0;
        if (wanted != mask) {
            draw_batches(list, images);
            forget_batches();
            set_mask(list, wanted, images, assets);
            mask = wanted;
        }
        add_run(list, run, images, assets);
    }
    draw_batches(list, images);
}

void GlRenderer::forget_batches() noexcept {
    batches_.clear();
    glyph_items_.clear();
    points_.clear();
}

// ---- batches ----------------------------------------------------------------------------------------------

void GlRenderer::add_run(const DrawList& list, const DrawRun& run, const ImageTable& images,
                         const AssetStore& assets) {
    const DrawState state = list.state_of(run);
    Batch batch{.kind = run.kind,
                .blend = run.blend,
                .view = view_of(state, run.screen, box_, logical_),
                .clip = clip_of(state, box_),
                .texture = 0,
                .stream = Stream::items,
                .first = run.first,
                .count = run.count,
                .shader = state.shader};
    if (batch.clip.width == 0 || batch.clip.height == 0) return;
    switch (run.kind) {
        case DrawKind::text:
            add_texts(list, run, batch, images);
            return;
        case DrawKind::mesh:
            add_meshes(list, run, batch, images, assets);
            return;
        case DrawKind::sprite:
            use_image(batch, run.image, images, assets);
            if (run.kept != nullptr) {
                batch.stream = run.places != 0 ? Stream::moved : Stream::kept;
                batch.first += kept_.place_of(*run.kept);
                if (run.places != 0) batch.places = run.places - 1;
            }
            break;
        case DrawKind::rectangle:
        case DrawKind::circle:
        case DrawKind::line:
        case DrawKind::arc:
            break;
    }
    if (run.looks != 0) {
        batch.stream = Stream::particles;
        batch.looks = &list.looks_of(run);
    }
    add_batch(batch);
}

ImagePlace GlRenderer::use_image(Batch& batch, std::uint32_t image, const ImageTable& images,
                                 const AssetStore& assets) {
    const ImageSampling sampling = images.sampling_of(image);
    batch.wraps = sampling.wraps();
    if (is_surface(image)) {
        batch.texture = surfaces_.texture_of(image);
        batch.is_premultiplied = is_canvas(image);
        return ImagePages::place_of_surface(image);
    }
    const ImagePlace& place = images_.place_of(image, assets, sampling);
    batch.texture = images_.page(place.page);
    batch.is_premultiplied = place.is_premultiplied;
    return place;
}

void GlRenderer::add_batch(const Batch& batch) {
    if (batch.count == 0) return;
    if (!batches_.empty()) {
        Batch& last = batches_.back();
        if (last.kind == batch.kind && last.blend == batch.blend && last.texture == batch.texture &&
            last.stream == batch.stream && last.shader == batch.shader && last.stream != Stream::mesh &&
            last.looks == batch.looks && last.place == batch.place && last.text_part == batch.text_part &&
            last.color == batch.color && last.first + last.count == batch.first && last.clip == batch.clip &&
            last.view == batch.view && last.buffer == batch.buffer &&
            (batch.stream != Stream::moved || last.places + last.count == batch.places)) {
            last.count += batch.count;
            return;
        }
    }
    batches_.push_back(batch);
}

void GlRenderer::add_meshes(const DrawList& list, const DrawRun& run, Batch batch, const ImageTable& images,
                            const AssetStore& assets) {
    if (run.image != 0) batch.place = use_image(batch, run.image, images, assets);
    batch.stream = Stream::points;
    const auto finish = [&] {
        batch.count = points_.size() - batch.first;
        add_batch(batch);
        batch.first = points_.size();
    };
    batch.first = points_.size();
    for (const DrawItem& item : list.items_of(run)) {
        if (const auto& kept = list.vertex_mesh(item); kept != nullptr) {
            finish();
            Batch own = batch;
            own.stream = Stream::mesh;
            own.mesh = &kept;
            own.count = kept->indices().size();
            own.color = item.color;
            own.view = placed(batch.view, item);
            add_batch(own);
            continue;
        }
        if (batch.shader != 0 && run.image == 0) {
            finish();
            batch.color = item.color;
            add_with_places(list.mesh(item), points_);
            finish();
            batch.color = 0xFFFF'FFFF;
            continue;
        }
        for (MeshPoint point : list.mesh(item)) {
            point.color = multiplied(point.color, item.color);
            points_.push_back(point);
        }
    }
    finish();
}

void GlRenderer::draw_batches(const DrawList& list, const ImageTable& images) {
    if (batches_.empty()) return;
    images_.update_frames(images);
    const auto has = [this](Stream stream) {
        return std::ranges::any_of(batches_, [=](const Batch& batch) { return batch.stream == stream; });
    };
    // All writes come first: a write may replace the buffer.
    const auto items = list.items();
    std::size_t glyphs_offset = 0;
    std::size_t points_offset = 0;
    std::size_t particles_offset = 0;
    const auto write_all = [&] {
        const GLuint buffer = stream_.name();
        if (has(Stream::items) && !items_.are_in(buffer))
            items_.offset = stream_.write(items.data(), items.size_bytes());
        if (has(Stream::moved) && !places_.are_in(buffer))
            places_.offset = stream_.write(list.places().data(), list.places().size_bytes());
        if (has(Stream::glyphs))
            glyphs_offset = stream_.write(glyph_items_.data(), glyph_items_.size() * sizeof(GlyphItem));
        if (has(Stream::points))
            points_offset = stream_.write(points_.data(), points_.size() * sizeof(MeshPoint));
        if (has(Stream::particles))
            particles_offset = stream_.write(list.particles().data(), list.particles().size_bytes());
        return stream_.name() == buffer;
    };
    if (!write_all()) {
        items_.are_written = places_.are_written = false;
        // Twice as large now, so everything fits into one buffer.
        while (!write_all()) {
        }
    }
    if (has(Stream::items)) items_ = {true, items_.offset, stream_.name()};
    if (has(Stream::moved)) places_ = {true, places_.offset, stream_.name()};

    glActiveTexture(GL_TEXTURE0 + kFramesUnit);
    glBindTexture(GL_TEXTURE_2D, images_.frames());
    glActiveTexture(GL_TEXTURE0 + kImageUnit);
    for (const Batch& batch : batches_) {
        std::size_t offset = items_.offset;
        if (batch.stream == Stream::glyphs) offset = glyphs_offset;
        if (batch.stream == Stream::points) offset = points_offset;
        if (batch.stream == Stream::kept || batch.stream == Stream::moved ||
            batch.stream == Stream::kept_glyphs)
            offset = 0;
        if (batch.stream == Stream::particles) offset = particles_offset;
        draw_batch(list, batch, images, offset);
    }
}

void GlRenderer::draw_batch(const DrawList& list, const Batch& batch, const ImageTable& images,
                            std::size_t offset) {
    const ShaderUse* const use = list.shader(batch.shader);
    Passes& passes = is_drawing_mask_ ? *mask_passes_ : passes_;
    const EffectProgram* const effect =
        use != nullptr ? effects_.find(use->source, effect_kind(batch.kind)) : nullptr;
    const Pass& pass = effect != nullptr        ? effect->pass
                       : batch.looks != nullptr ? passes.of_particles(batch.kind)
                                                : passes.of(batch.kind);
    if (!pass.program.error().empty()) return;
    const View& view = batch.view;
    const BlendSetting setting = setting_of(batch.blend);
    pass.program.use();
    glUniform4f(pass.linear, view.xx, view.xy, view.yx, view.yy);
    glUniform2f(pass.offset, view.x0, view.y0);
    glUniform1f(pass.scale, view.scale);
    glUniform2f(pass.target, static_cast<float>(size_.width), static_cast<float>(size_.height));
    glUniform1i(pass.upright, view.is_upright ? 1 : 0);
    glUniform1f(pass.base, setting.base);
    if (pass.is_hard >= 0) glUniform1i(pass.is_hard, batch.blend == BlendMode::replace ? 1 : 0);
    if (pass.similar >= 0) glUniform1i(pass.similar, view.is_similar ? 1 : 0);
    if (pass.has_image >= 0) glUniform1i(pass.has_image, batch.texture != 0 ? 1 : 0);
    if (pass.premultiplied >= 0) glUniform1i(pass.premultiplied, batch.is_premultiplied ? 1 : 0);
    if (batch.kind == DrawKind::mesh) {
        glUniform4f(pass.part, batch.place.left, batch.place.top, batch.place.right, batch.place.bottom);
        glUniform1i(pass.wraps, batch.wraps ? 1 : 0);
        const auto channel = [&batch](unsigned shift) {
            return static_cast<float>(batch.color >> shift & 0xFFU) / 255.0F;
        };
        glUniform4f(pass.color, channel(0), channel(8), channel(16), channel(24));
    }
    if (pass.texel >= 0) {
        const float texel = 1.0F / static_cast<float>(std::max(glyph_texture_.side(), 1));
        glUniform2f(pass.texel, texel, texel);
    }
    if (effect != nullptr) {
        const bool shows_image =
            batch.kind == DrawKind::sprite || (batch.kind == DrawKind::mesh && batch.texture != 0);
        effect->set(list, *use, box_, logical_, shows_image, batch.wraps, is_drawing_mask_);
        second_images_.bind(*effect, *use, images, canvas_ != nullptr ? canvas_->image : 0);
        if (effect->part_x >= 0) glUniform3fv(effect->part_x, 1, batch.text_part.x.data());
        if (effect->part_y >= 0) glUniform3fv(effect->part_y, 1, batch.text_part.y.data());
    }
    set_blending(setting);
    glScissor(batch.clip.x, size_.height - batch.clip.y - batch.clip.height, batch.clip.width,
              batch.clip.height);
    glBindTexture(GL_TEXTURE_2D, batch.texture);
    glBindBuffer(GL_ARRAY_BUFFER, batch.stream == Stream::kept          ? kept_.buffer()
                                  : batch.stream == Stream::kept_glyphs ? batch.buffer
                                                                        : stream_.name());
    if (batch.stream == Stream::mesh) {
        kept_meshes_.draw(*batch.mesh);
    } else if (batch.stream == Stream::points) {
        constexpr GLsizei kStride = sizeof(MeshPoint);
        const std::size_t first = offset + batch.first * kStride;
        glBindVertexArray(point_array_.name());
        glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, kStride, buffer_offset(first));
        glVertexAttribPointer(1, 2, GL_FLOAT, GL_FALSE, kStride,
                              buffer_offset(first + offsetof(MeshPoint, u)));
        glVertexAttribPointer(2, 4, GL_UNSIGNED_BYTE, GL_TRUE, kStride,
                              buffer_offset(first + offsetof(MeshPoint, color)));
        glDrawArrays(GL_TRIANGLES, 0, static_cast<GLsizei>(batch.count));
    } else if (batch.stream == Stream::particles) {
        constexpr GLsizei kStride = sizeof(ParticleItem);
        const std::size_t first = offset + batch.first * kStride;
        pass.set_looks(*batch.looks);
        glBindVertexArray(particle_array_.name());
        glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, kStride, buffer_offset(first));
        glVertexAttribIPointer(1, 1, GL_UNSIGNED_INT, kStride,
                               buffer_offset(first + offsetof(ParticleItem, step)));
        glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(batch.count));
    } else {
        const std::size_t first = offset + batch.first * kInstanceBytes;
        glBindVertexArray(item_array_.name());
        if (batch.stream == Stream::moved) {
            constexpr GLsizei kStride = sizeof(ItemPlace);
            glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, kStride,
                                  buffer_offset(places_.offset + batch.places * kStride));
            glBindBuffer(GL_ARRAY_BUFFER, kept_.buffer());
        } else {
            glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, kInstanceBytes, buffer_offset(first));
        }
        glVertexAttribPointer(2, 2, GL_FLOAT, GL_FALSE, kInstanceBytes,
                              buffer_offset(first + offsetof(DrawItem, w)));
        glVertexAttribIPointer(1, 4, GL_UNSIGNED_INT, kInstanceBytes,
                               buffer_offset(first + offsetof(DrawItem, color)));
        glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(batch.count));
    }
    ++call_count_;
}

Result<Picture> GlRenderer::read_picture() {
    Picture picture{size_, {}};
    const auto width = static_cast<std::size_t>(size_.width);
    const auto height = static_cast<std::size_t>(size_.height);
    std::vector<std::uint8_t> rgba(width * height * 4);
    while (glGetError() != GL_NO_ERROR) {
    }  // of before
    glReadPixels(0, 0, size_.width, size_.height, GL_RGBA, GL_UNSIGNED_BYTE, rgba.data());
    if (const GLenum error = glGetError(); error != GL_NO_ERROR)
        return Error{fmt::format(sdl_errors::kGlError, error)};
    picture.rgb.reserve(width * height * 3);
    for (std::size_t y = height; y-- > 0;)  // from the bottom
        for (std::size_t x = 0; x < width; ++x) {
            const std::uint8_t* const pixel = &rgba[(y * width + x) * 4];
            picture.rgb.insert(picture.rgb.end(), pixel, pixel + 3);
        }
    return picture;
}

bool GlRenderer::is_lost() const noexcept {
    switch (robustness_) {
        case Robustness::arb:
            return glGetGraphicsResetStatusARB() != GL_NO_ERROR;
        case Robustness::khr:
            return glGetGraphicsResetStatus() != GL_NO_ERROR;
        case Robustness::none:
            break;
    }
    return false;
}

std::vector<std::string> GlRenderer::take_reports() {
    std::vector<std::string> reports = std::exchange(reports_, {});
    if (glyphs_.lacks_font() && !std::exchange(has_reported_font_, true))
        reports.emplace_back(sdl_errors::kNoFont);
    for (std::string& report : images_.take_reports()) reports.push_back(std::move(report));
    for (std::string& report : effects_.take_reports()) reports.push_back(std::move(report));
    return reports;
}

}  // namespace perigee::gl
