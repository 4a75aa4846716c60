// A hidden back end, used as a program does; its parts have their own tests.
#include "engine/sdl/backend.h"

#include "engine/draw/color.h"
#include "engine/draw/painter.h"
#include "tests/engine/sdl/canvas.h"
#include "tests/engine/sdl/pushed_events.h"
#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <string>
#include <vector>

using namespace perigee;

namespace {

std::unique_ptr<Backend> open_hidden(Backend::Drawing drawing) {
    return Backend::open({.logical = {64, 36}, .display = Backend::Display::hidden, .drawing = drawing})
        .value();
}

}  // namespace

TEST_CASE("a hidden back end draws and saves a screenshot") {
    const test::TemporaryFolder folder;
    const auto backend = open_hidden(Backend::Drawing::automatic);
    const ImageTable images;
    const AssetStore assets;
    DrawList list;
    Painter painter;
    painter.begin_frame(list, images);
    painter.is_screen = true;
    painter.color = pack_color(255, 0, 0);
    painter.rectangle(true, 0, 0, 64, 18);
    painter.end_frame();
    list.sort(images);

    for (int frame = 0; frame < 3; ++frame) {
        RawInput raw;
        CHECK(backend->poll(raw) == HostRequests{});
        backend->begin_frame(pack_color(0, 0, 255));
        backend->draw(list, images, assets);
        CHECK(backend->call_count() == 1);
        if (frame == 2) REQUIRE(backend->save_screenshot(folder.path() / "a.png"));
        backend->play({}, assets);
        backend->present();
    }
    const SurfaceHandle picture{test::loaded_png(folder.path() / "a.png")};
    REQUIRE(picture);
    REQUIRE(picture->w == 64);
    REQUIRE(picture->h == 36);
    const auto byte = [&](int x, int y, int channel) {
        return static_cast<const std::uint8_t*>(picture->pixels)[y * picture->pitch + x * 3 + channel];
    };
    CHECK(byte(10, 10, 0) == 255);
    CHECK(byte(10, 10, 2) == 0);
    CHECK(byte(10, 30, 0) == 0);
    CHECK(byte(10, 30, 2) == 255);
    CHECK(backend->take_reports().empty());
}

TEST_CASE("a screen that expands has the shape of the window, and one of another shape keeps its own") {
    const test::TemporaryFolder folder;
    const auto backend = Backend::open({.logical = {64, 36},
                                        .fit = ScreenFit::expand,
                                        .window = {160, 72},
                                        .display = Backend::Display::hidden,
                                        .drawing = Backend::Drawing::software})
                             .value();
    CHECK(backend->screen_size() == ScreenSize{80, 36});
    const auto corner_is_bar = [&](ScreenSize size) {
        backend->begin_frame(pack_color(255, 0, 0), size);
        backend->present();
        REQUIRE(backend->save_screenshot(folder.path() / "a.png"));
        const SurfaceHandle picture{test::loaded_png(folder.path() / "a.png")};
        REQUIRE((picture->w == 160 && picture->h == 72));
        return *static_cast<const std::uint8_t*>(picture->pixels) == 0;
    };
    CHECK_FALSE(corner_is_bar({}));
    CHECK_FALSE(corner_is_bar({80, 36}));
    CHECK(corner_is_bar({64, 36}));  // of a recording
    backend->apply({.fit = ScreenFit::integer, .is_pixel_art = true});
    CHECK(backend->screen_size() == ScreenSize{64, 36});
    CHECK(corner_is_bar({}));
    backend->apply({.fit = ScreenFit::stretch});
    CHECK_FALSE(corner_is_bar({}));
    const auto nothing = open_hidden(Backend::Drawing::none);
    CHECK(nothing->screen_size() == ScreenSize{64, 36});
}

TEST_CASE("a back end that draws nothing accepts every call and saves no screenshot") {
    const auto backend = open_hidden(Backend::Drawing::none);
    const AssetStore assets;
    RawInput raw;
    backend->poll(raw);
    backend->begin_frame(0);
    backend->draw({}, {}, assets);
    backend->present();
    backend->reload("title", PixelSize{320, 180});
    backend->set_sound_paused(true);
    CHECK(backend->call_count() == 0);
    const Result<void> saved = backend->save_screenshot("picture.png");
    REQUIRE_FALSE(saved);
    CHECK(saved.error().message == "screenshot: cannot write 'picture.png': nothing is drawn");
}

TEST_CASE("a run that loses the right to open the sound device has opened it before") {
    setenv("SDL_VIDEODRIVER", "dummy", 1);
    setenv("SDL_AUDIODRIVER", "no such driver", 1);
    const Result<std::unique_ptr<Backend>> opened =
        Backend::open({.logical = {64, 36}, .drawing = Backend::Drawing::software, .has_assets = false});
    REQUIRE(opened);
    Backend& backend = *opened.value();
    CHECK(backend.take_reports().empty());
    backend.open_everything();
    const std::vector<std::string> reports = backend.take_reports();
    REQUIRE(reports.size() == 1);
    CHECK_THAT(reports[0], Catch::Matchers::StartsWith("no sound: "));
    backend.present();
    backend.play({}, AssetStore{});
    CHECK(backend.take_reports().empty());
    setenv("SDL_AUDIODRIVER", "dummy", 1);
}

TEST_CASE("the sound device opens after the first picture of a game that has sounds, and for no other game") {
    const test::TemporaryFolder silent, loud;
    silent.write("assets/a.txt", "");
    loud.write("assets/a.txt", "");
    loud.write("assets/b.ogg", "");
    AssetStore without, with;
    REQUIRE(without.mount("game", silent.path()));
    REQUIRE(with.mount("game", loud.path()));
    setenv("SDL_VIDEODRIVER", "dummy", 1);
    setenv("SDL_AUDIODRIVER", "no such driver", 1);
    const auto opened =
        Backend::open({.logical = {64, 36}, .drawing = Backend::Drawing::software, .has_assets = false});
    REQUIRE(opened);
    Backend& backend = *opened.value();
    backend.play({}, with);
    CHECK(backend.take_reports().empty());
    backend.present();
    for (int frame = 0; frame < 3; ++frame) backend.play({}, without);
    CHECK(backend.take_reports().empty());
    backend.reload("title", PixelSize{64, 36});
    backend.play({}, with);
    CHECK(backend.take_reports().size() == 1);
    setenv("SDL_AUDIODRIVER", "dummy", 1);
}

TEST_CASE("a back end without a window reports a request to quit") {
    const auto backend = open_hidden(Backend::Drawing::none);
    test::push_quit();
    RawInput raw;
    CHECK(backend->poll(raw).quit);
}
