// Screenshots that are written and read again, and names that cannot be written.
#include "engine/sdl/draw/screenshot.h"

#include "engine/sdl/window/internal/sdl_handle.h"
#include "tests/engine/sdl/canvas.h"
#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>
#include <sys/stat.h>

using namespace perigee;

namespace {

Picture small_picture() { return {{4, 4}, std::vector<std::uint8_t>(4 * 4 * 3)}; }

}  // namespace

TEST_CASE("a screenshot is the frame as a PNG") {
    const test::TemporaryFolder folder;
    Picture picture{{20, 10}, std::vector<std::uint8_t>(20 * 10 * 3, 5)};
    picture.rgb[0] = 10;
    picture.rgb[1] = 20;
    picture.rgb[2] = 30;
    const std::filesystem::path file = folder.path() / "shot";
    REQUIRE(save_screenshot(picture, file));

    const SurfaceHandle read{test::loaded_png(file)};
    REQUIRE(read);
    CHECK(read->w == 20);
    CHECK(read->h == 10);
    const auto* bytes = static_cast<const std::uint8_t*>(read->pixels);
    CHECK(bytes[0] == 10);
    CHECK(bytes[1] == 20);
    CHECK(bytes[2] == 30);
    CHECK(std::distance(std::filesystem::directory_iterator{folder.path()}, {}) == 1);
}

TEST_CASE("a screenshot that cannot be written says so and leaves nothing behind") {
    const test::TemporaryFolder folder;
    const Picture picture = small_picture();
    const Result<void> nowhere = save_screenshot(picture, folder.path() / "no" / "shot.png");
    REQUIRE_FALSE(nowhere);
    CHECK_THAT(nowhere.error().message, Catch::Matchers::StartsWith("screenshot: cannot write '") &&
                                            Catch::Matchers::EndsWith("': No such file or directory"));

    std::filesystem::create_directories(folder.path() / "taken.png" / "inside");
    CHECK_FALSE(save_screenshot(picture, folder.path() / "taken.png"));
    CHECK(std::distance(std::filesystem::directory_iterator{folder.path()}, {}) == 1);
}

TEST_CASE("a screenshot of a picture that cannot be read says why") {
    const test::TemporaryFolder folder;
    const Result<void> saved = save_screenshot(Error{"no pixels"}, folder.path() / "shot.png");
    REQUIRE_FALSE(saved);
    CHECK_THAT(saved.error().message, Catch::Matchers::EndsWith("': no pixels"));
    CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("a screenshot replaces only regular files, also under its temporary name") {
    const test::TemporaryFolder folder;
    const Picture picture = small_picture();
    const std::string pipe = (folder.path() / "shot").string(), other = (folder.path() / "other").string();
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    REQUIRE(::mkfifo((other + ".part").c_str(), 0600) == 0);
    const std::string begin = "screenshot: cannot write '", end = "': it is a pipe, not a file";
    CHECK(save_screenshot(picture, pipe).error().message == begin + pipe + end);
    CHECK(save_screenshot(picture, other).error().message == begin + other + ".part" + end);
    CHECK(save_screenshot(picture, "/dev/null").error().message ==
          begin + "/dev/null': it is a device, not a file");
    CHECK(std::filesystem::is_fifo(pipe));
    CHECK(std::filesystem::is_character_file("/dev/null"));
    CHECK(save_screenshot(picture, folder.write("old.png", "")).ok());
}

TEST_CASE("screenshots of the same second have different names") {
    const test::TemporaryFolder folder;
    const std::filesystem::path first = new_screenshot_file(folder.path() / "shots", "game");
    CHECK(first.parent_path() == folder.path() / "shots");
    CHECK_THAT(first.filename().string(), Catch::Matchers::Matches("game-[-0-9.]+\\.png"));
    folder.write("shots/" + first.filename().string(), "x");
    CHECK(new_screenshot_file(folder.path() / "shots", "game") != first);
}

TEST_CASE("the picture of a frame for a script is reported without the folders of the machine") {
    const test::TemporaryFolder folder;
    const Picture picture{{2, 1}, {255, 0, 0, 0, 0, 255}};
    const std::filesystem::path file = folder.path() / "pictures/shot.png";
    REQUIRE(save_frame(picture, file));
    const SurfaceHandle read{test::loaded_png(file)};
    REQUIRE(read);
    const SurfaceHandle rgba{SDL_ConvertSurfaceFormat(read.get(), SDL_PIXELFORMAT_RGBA32, 0)};
    const auto* const pixels = static_cast<const PackedColor*>(rgba->pixels);
    CHECK((rgba->w == 2 && rgba->h == 1));
    CHECK(pixels[0] == pack_color(255, 0, 0));
    CHECK(pixels[1] == pack_color(0, 0, 255));
    CHECK(save_frame(Error{"the driver said no"}, file).error().message ==
          "gfx.screenshot: cannot write 'shot.png': the driver said no");
}
