// Canvases as files, and the limits of their folder.
#include "engine/sdl/surfaces/canvas_requests.h"

#include "engine/sdl/window/internal/sdl_handle.h"
#include "tests/engine/sdl/canvas.h"
#include "tests/engine/sdl/picture_scene.h"
#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

using namespace perigee;
namespace fs = std::filesystem;

TEST_CASE("a canvas is saved with its opacity as it is at the end of the frame") {
    for (const bool is_gl : {true, false}) {
        INFO((is_gl ? "OpenGL" : "software"));
        const test::TemporaryFolder folder;
        test::PictureScene scene{{64, 48}};
        const std::uint32_t canvas = scene.surfaces.make_canvas({20, 10}, scene.images);
        const fs::path file = folder.path() / "game/pictures/map.png";
        scene.paint([&](Painter& painter) {
            scene.surfaces.save_canvas(canvas, file);
            painter.set_canvas(&scene.surfaces.use_canvas(canvas), canvas, 0);
            painter.color = pack_color(0, 255, 0, 128);
            painter.rectangle(true, 3, 2, 4, 1);
        });
        scene.surfaces.end_frame(scene.images);
        static_cast<void>(is_gl ? scene.with_gl() : scene.with_software());
        const SurfaceHandle read{test::loaded_png(file)};
        REQUIRE(read);
        REQUIRE((read->w == 20 && read->h == 10));
        const SurfaceHandle rgba{SDL_ConvertSurfaceFormat(read.get(), SDL_PIXELFORMAT_RGBA32, 0)};
        const auto at = [&](int x, int y) {
            const auto* const row = static_cast<const std::uint8_t*>(rgba->pixels) + y * rgba->pitch;
            return reinterpret_cast<const PackedColor*>(row)[x];
        };
        CHECK(at(3, 2) == pack_color(0, 255, 0, 128));
        CHECK(at(6, 2) == at(3, 2));
        CHECK(at(3, 3) == 0);
        CHECK(at(2, 2) == 0);
        // Nothing is left of how it was written.
        CHECK(std::distance(fs::directory_iterator{file.parent_path()}, {}) == 1);
    }
}

TEST_CASE("a folder takes a limited number and size of pictures, and each can be replaced") {
    const test::TemporaryFolder folder;
    const std::vector<PackedColor> pixels(4, kWhite);
    const SurfaceDesc desc{2, 2};
    const auto save = [&](const std::string& name) {
        return save_pixels(pixels, desc, folder.path() / name);
    };
    for (std::size_t i = 0; i < kMaxPictures; ++i) REQUIRE(save(std::to_string(i) + ".png"));
    CHECK(save("7.png"));
    CHECK(save("new.png").error().message ==
          "gfx.save_canvas: cannot write 'new.png': there are 100 pictures already, which is the limit");
    fs::remove(folder.path() / "7.png");
    CHECK(save("new.png"));
    fs::resize_file(folder.path() / "1.png", kMaxPictureBytes);
    CHECK(save("2.png").error().message ==
          "gfx.save_canvas: cannot write '2.png': all pictures of a game or mod together can take 64 MB");
    CHECK(save("1.png"));
    CHECK(save("2.png"));
}

TEST_CASE("a canvas that cannot be written is reported without the folders of the machine") {
    const test::TemporaryFolder folder;
    std::ofstream(folder.path() / "pictures") << "a file";
    test::PictureScene scene{{64, 48}};
    const std::uint32_t canvas = scene.surfaces.make_canvas({2, 2}, scene.images);
    scene.surfaces.save_canvas(canvas, folder.path() / "pictures/map.png");
    std::vector<std::string> reports;
    const std::vector<PackedColor> pixels(4, kWhite);
    answer_requests(
        scene.surfaces, [&](const Surface&) { return std::span<const PackedColor>{pixels}; }, reports);
    REQUIRE(reports.size() == 1);
    CHECK(reports[0].starts_with("gfx.save_canvas: cannot write 'map.png': "));
    CHECK(reports[0].find(folder.path().string()) == std::string::npos);
    CHECK(scene.surfaces.take_saves().empty());
}
