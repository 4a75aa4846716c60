// Hidden windows; visible ones need a display and are checked by hand.
#include "engine/sdl/window/window.h"

#include <catch2/catch.hpp>

#include <cstdlib>

using namespace perigee;

TEST_CASE("a hidden window has the requested size and the software renderer") {
    Result<std::unique_ptr<Window>> window = Window::open({.size = {640, 360}, .is_hidden = true});
    REQUIRE(window);
    CHECK(window.value()->pixel_size() == PixelSize{640, 360});
    CHECK(window.value()->pixel_density() == 1.0F);
    SDL_RendererInfo info;
    SDL_GetRendererInfo(&window.value()->renderer(), &info);
    CHECK((info.flags & SDL_RENDERER_SOFTWARE) != 0);
    window.value()->present();
    window.value()->set_title("another");
    window.value()->toggle_fullscreen();
    window.value()->set_fullscreen(true);
    CHECK_FALSE(window.value()->is_fullscreen());
    window.value()->set_size({100, 100});
    CHECK(window.value()->pixel_size() == PixelSize{640, 360});
}

TEST_CASE("a window changes between full screen and windowed, and to other sizes") {
    setenv("SDL_VIDEODRIVER", "dummy", 1);
    Result<std::unique_ptr<Window>> opened =
        Window::open({.size = {640, 360}, .drawing = WindowDrawing::software});
    REQUIRE(opened);
    Window& window = *opened.value();
    CHECK_FALSE(window.is_fullscreen());
    window.set_fullscreen(true);
    CHECK(window.is_fullscreen());
    window.set_fullscreen(true);
    CHECK(window.is_fullscreen());
    window.toggle_fullscreen();
    CHECK_FALSE(window.is_fullscreen());
    SDL_Window* const own = SDL_RenderGetWindow(&window.renderer());
    int width = 0, height = 0;
    window.set_size({200, 100});
    SDL_GetWindowSize(own, &width, &height);
    CHECK(width == 200);
    CHECK(height == 100);
}

TEST_CASE("two windows can be open, and the second outlives the first") {
    Result<std::unique_ptr<Window>> first = Window::open({.size = {64, 64}, .is_hidden = true});
    Result<std::unique_ptr<Window>> second = Window::open({.size = {32, 32}, .is_hidden = true});
    REQUIRE(first);
    REQUIRE(second);
    first.value().reset();
    CHECK(SDL_RenderClear(&second.value()->renderer()) == 0);
    second.value()->present();
}

TEST_CASE("a driver that shows nothing is not a display, and an unknown driver is an error") {
    setenv("SDL_VIDEODRIVER", "dummy", 1);
    CHECK_FALSE(Window::has_display());
    setenv("SDL_VIDEODRIVER", "no such driver", 1);
    CHECK_FALSE(Window::has_display());
    const Result<std::unique_ptr<Window>> window = Window::open({});
    REQUIRE_FALSE(window);
    CHECK_THAT(window.error().message, Catch::Matchers::StartsWith("cannot open a window: "));
    // A hidden one does not ask the environment.
    CHECK(Window::open({.is_hidden = true}));
    setenv("SDL_VIDEODRIVER", "dummy", 1);
}
