// Making and releasing surfaces, and the room that a game and its mods have for them.
#include "engine/surfaces/surface_table.h"

#include <catch2/catch.hpp>

#include <vector>

using namespace perigee;

namespace {

SurfaceDesc square(std::uint16_t side, std::size_t owner = 0) { return {side, side, owner}; }

}  // namespace

TEST_CASE("pixels are an image with one frame until they are released and the frame ends") {
    ImageTable images;
    SurfaceTable surfaces;
    const std::uint32_t image = surfaces.make_pixels({30, 20, 0}, images);
    REQUIRE(is_surface(image));
    CHECK_FALSE(is_canvas(image));
    const FrameId frame = images.frame_of(image, 0);
    CHECK(images[frame] == ImageFrame{image, 0, 0, 30, 20});
    const FrameId part = images.add_rectangle(image, 25, 0, 10, 10);
    CHECK(images[part] == ImageFrame{image, 25, 0, 5, 10});

    surfaces.release(image);
    surfaces.release(image);
    CHECK(images[frame].width == 30);
    CHECK(surfaces.count() == 1);
    surfaces.begin_frame(images);
    CHECK(surfaces.count() == 0);
    CHECK(surfaces.find(image) == nullptr);
    CHECK_FALSE(images.knows(image));
    CHECK(images[frame].image == 0);
    CHECK(images[part].image == 0);

    const std::size_t frames = images.frames().size();
    const std::uint32_t next = surfaces.make_pixels(square(8), images);
    CHECK(next == image);
    CHECK(images.add_rectangle(next, 25, 0, 10, 10) == 0);
    CHECK(images[images.frame_of(next, 0)] == ImageFrame{next, 0, 0, 8, 8});
    CHECK(images.frames().size() == frames);
}

TEST_CASE("a mod that takes all the room it can leaves the game its share") {
    ImageTable images;
    SurfaceTable surfaces;
    surfaces.set_owners(3);
    std::size_t of_mod = 0;
    while (surfaces.make_pixels(square(1024, 1), images) != 0) ++of_mod;
    CHECK(of_mod == 24);  // 64 million pixels: an eighth, and the common quarter
    std::size_t of_game = 0;
    while (surfaces.make_pixels(square(1024), images) != 0) ++of_game;
    CHECK(of_game == 32);
    CHECK(surfaces.make_pixels(square(1024, 2), images) != 0);
}

TEST_CASE("there is a limit of small surfaces, too") {
    ImageTable images;
    SurfaceTable surfaces;
    std::size_t count = 0;
    while (surfaces.make_pixels(square(1), images) != 0) ++count;
    CHECK(count == 2048);
}

TEST_CASE("dropping surfaces in one frame makes room, but not for any amount of memory") {
    ImageTable images;
    SurfaceTable surfaces;
    std::size_t made = 0;
    for (std::uint32_t image = 0; (image = surfaces.make_pixels(square(2048), images)) != 0; ++made)
        surfaces.release(image);
    CHECK(made == 17);
    surfaces.begin_frame(images);
    CHECK(surfaces.make_pixels(square(2048), images) != 0);
}

TEST_CASE("surfaces that are made and dropped for hours leave nothing behind") {
    ImageTable images;
    SurfaceTable surfaces;
    std::vector<std::uint32_t> live;
    for (int frame = 0; frame < 3000; ++frame) {
        surfaces.begin_frame(images);
        const std::uint32_t image = surfaces.make_pixels(square(64), images);
        REQUIRE(image != 0);
        REQUIRE(images.add_rectangle(image, 1, 1, 5, 5) != 0);
        live.push_back(image);
        if (live.size() > 10) {
            surfaces.release(live.front());
            live.erase(live.begin());
        }
    }
    CHECK(surfaces.count() <= 12);
    CHECK(images.frames().size() < 40);
}

TEST_CASE("a canvas that is cleared between frames has its colour when the frame draws or shows it") {
    ImageTable images;
    SurfaceTable surfaces;
    const std::uint32_t drawn = surfaces.make_canvas(square(8), images);
    const std::uint32_t shown = surfaces.make_canvas(square(8), images);
    const std::uint32_t dropped = surfaces.make_canvas(square(8), images);
    surfaces.clear_canvas_before_frame(drawn, 1);
    surfaces.clear_canvas_before_frame(drawn, 2);
    surfaces.clear_canvas_before_frame(shown, 3);
    surfaces.clear_canvas_before_frame(dropped, 4);
    surfaces.release(dropped);
    surfaces.begin_frame(images);
    surfaces.use_canvas(drawn);
    CHECK_FALSE(surfaces.show_canvas(shown, drawn, false, images).value());
    surfaces.end_frame(images);
    std::vector<CanvasPass> passes = surfaces.take_passes();
    REQUIRE(passes.size() == 2);
    CHECK(passes[0].target == surfaces.find(shown));
    CHECK(passes[0].clear_color == PackedColor{3});
    CHECK(passes[1].target == surfaces.find(drawn));
    CHECK(passes[1].clear_color == PackedColor{2});
    surfaces.begin_frame(images);
    surfaces.use_canvas(drawn);
    surfaces.end_frame(images);
    passes = surfaces.take_passes();
    REQUIRE(passes.size() == 1);
    CHECK(passes[0].target == surfaces.find(drawn));
    CHECK_FALSE(passes[0].clear_color);
}
