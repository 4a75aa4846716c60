// A hidden window, a surface, and their renderers, made when they are first asked for.
#include "tests/engine/sdl/picture_scene.h"

#include "engine/sdl/draw/renderer.h"
#include "engine/sdl/gl/gl_renderer.h"
#include "engine/sdl/glyphs/font_file.h"

#include <catch2/catch.hpp>

#include <cstdlib>

#ifdef __SANITIZE_ADDRESS__
#include <dlfcn.h>

namespace {
// A driver of Mesa that was unloaded cannot free what it kept, and looks like a leak: it stays loaded.
[[maybe_unused]] void* const g_driver =
    dlopen("/usr/lib/x86_64-linux-gnu/dri/swrast_dri.so", RTLD_LAZY | RTLD_NODELETE);
}  // namespace
#endif

namespace perigee::test {

PictureScene::PictureScene(PixelSize size) : size_(size) {
    const std::vector<PackedColor> pixels{pack_color(255, 0, 0), pack_color(0, 255, 0), pack_color(0, 0, 255),
                                          kWhite};
    folder.write("assets/four.png", png_of(2, 2, pixels));
    assets.mount("game", folder.path()).value();
    four = assets.intern(0, "assets/four.png").value();
    images.add(four, 2, 2);
}

void PictureScene::paint(const std::function<void(Painter&)>& draw) {
    list.clear();
    Painter painter;
    painter.begin_frame(list, images);
    draw(painter);
    painter.end_frame();
    list.sort(images);
}

void PictureScene::add(const std::function<void(DrawList&)>& fill) {
    list.clear();
    fill(list);
    list.sort(images);
}

void PictureScene::show(DrawTarget& target) {
    target.begin_frame(screen.value_or(ScreenDesc{size_}), list.background);
    if (draws_surfaces) target.draw_surfaces(surfaces, images, assets);
    target.draw(list, images, assets);
    target.end_picture();
}

Picture PictureScene::drawn(DrawTarget& target) {
    show(target);
    Picture picture = target.read_picture().value();
    target.flush();
    return picture;
}

void PictureScene::make_gl() { gl_ = gl::GlRenderer::create(*gl_window_, default_font_file(), decoder_); }

void PictureScene::open_gl() {
    if (gl_window_) return;
    const WindowDesc desc{.size = size_, .is_hidden = true, .drawing = WindowDrawing::gl};
    gl_window_ = Window::open(desc).value();
    make_gl();
}

Picture PictureScene::with_gl() {
    open_gl();
    return drawn(*gl_);
}

void PictureScene::show_with_gl() {
    open_gl();
    show(*gl_);
    gl_->flush();
}

Picture PictureScene::with_sdl_gles() {
    if (!gles_) {
        open_gl();  // starts a driver of SDL that has OpenGL
        SDL_GL_ResetAttributes();
        gles_window_.reset(SDL_CreateWindow("", 0, 0, size_.width, size_.height, SDL_WINDOW_HIDDEN));
        SDL_SetHintWithPriority(SDL_HINT_RENDER_DRIVER, "opengles2", SDL_HINT_OVERRIDE);
        gles_renderer_.reset(SDL_CreateRenderer(gles_window_.get(), -1, SDL_RENDERER_ACCELERATED));
        SDL_ResetHint(SDL_HINT_RENDER_DRIVER);
        REQUIRE(gles_renderer_);
        gles_ = std::make_unique<Renderer>(*gles_renderer_, default_font_file(), decoder_);
    }
    return drawn(*gles_);
}

void PictureScene::renew_gl() {
    gl_.reset();
    REQUIRE(gl_window_->renew_gl());
    make_gl();
}

Picture PictureScene::with_software() {
    if (!canvas_) {
        canvas_ = std::make_unique<Canvas>(size_.width, size_.height);
        software_ = std::make_unique<Renderer>(canvas_->renderer(), default_font_file(), decoder_);
    }
    return drawn(*software_);
}

std::uint32_t pixel(const Picture& picture, int x, int y) {
    const std::uint8_t* const rgb = &picture.rgb.at(static_cast<std::size_t>(y * picture.size.width + x) * 3);
    return static_cast<std::uint32_t>(rgb[0] << 16 | rgb[1] << 8 | rgb[2]);
}

int count_other_than(const Picture& picture, std::uint32_t color, int x0, int y0, int x1, int y1) {
    int count = 0;
    for (int y = y0; y < y1; ++y)
        for (int x = x0; x < x1; ++x) count += pixel(picture, x, y) != color ? 1 : 0;
    return count;
}

int count_different(const Picture& a, const Picture& b, int levels) {
    REQUIRE(a.size == b.size);
    int count = 0;
    for (std::size_t i = 0; i < a.rgb.size(); i += 3) {
        bool is_different = false;
        for (std::size_t c = i; c < i + 3; ++c) is_different |= std::abs(a.rgb[c] - b.rgb[c]) > levels;
        count += is_different ? 1 : 0;
    }
    return count;
}

}  // namespace perigee::test
