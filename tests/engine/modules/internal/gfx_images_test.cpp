// gfx.set_filter, gfx.set_default_filter and gfx.set_wrap in scripts: what the image table has then, and the
// message of each error.
#include "engine/modules/internal/gfx_images.h"

#include "engine/session/game_session.h"
#include "scripting/mods/runtime.h"
#include "tests/engine/game_folder.h"

#include <string>

using namespace perigee;
using namespace perigee::test;

namespace {

// An engine after one frame of a game with the image assets/hero.png, 64 x 32.
struct Played {
    explicit Played(const std::string& main) : game{main} {
        game.write("assets/hero.png", png_head(64, 32));
        engine = game.play();
        run(*engine, 1);
        INFO(game.log);
        CHECK(engine->error_count() == 0);
    }
    ImageSampling sampling(std::string_view path, std::uint32_t mount = 0) const {
        const auto& assets = engine->assets();
        for (AssetHandle handle = 1; handle <= assets.handle_count(); ++handle)
            if (assets[handle].path == path && assets[handle].mount == mount)
                return engine->images().sampling_of(handle);
        FAIL("no such asset");
        return {};
    }

    GameFolder game;
    std::unique_ptr<Engine> engine;
};

std::string failure(const std::string& line) {
    GameFolder game{"function draw()\n" + line + "\nend"};
    const auto engine = game.play();
    run(*engine, 1);
    const auto& errors = engine->session().scripts().recent_errors();
    return errors.empty() ? "no error" : errors.back().message;
}

constexpr ImageSampling kSmooth{ImageFilter::linear, ImageWrap::clamp};

}  // namespace

TEST_CASE("a script sets the filter and the wrap of images while it loads and while it draws") {
    const Played loading{R"(
        gfx.set_filter("assets/hero.png", "linear")
        gfx.set_wrap("assets/hero.png", "mirror")
        gfx.set_filter("assets/missing.png", "linear"))"};
    CHECK(loading.sampling("assets/hero.png") == ImageSampling{ImageFilter::linear, ImageWrap::mirror});
    const Played drawing{R"(
        gfx.set_default_filter("linear", "linear")
        gfx.set_filter("assets/hero.png", "nearest")
        function draw() gfx.set_filter("assets/hero.png") end)"};
    CHECK(drawing.sampling("assets/hero.png") == kSmooth);
}

TEST_CASE("canvases and pixels have filters and wraps too") {
    const Played played{R"(
        gfx.set_default_filter "linear"
        smooth, sharp = gfx.canvas(8, 8), gfx.canvas(8, 8, { filter = "nearest", wrap = "repeat" })
        pixels = gfx.pixels(8, 8)
        gfx.set_wrap(pixels, "mirror")
        function draw()
          gfx.set_canvas(sharp)
          gfx.set_filter(sharp, "nearest")      -- where it could not be drawn
        end)"};
    const ImageTable& images = played.engine->images();
    CHECK(images.sampling_of(kFirstSurface) == kSmooth);
    CHECK(images.sampling_of(kFirstSurface + 1) == ImageSampling{ImageFilter::nearest, ImageWrap::repeat});
    CHECK(images.sampling_of(kFirstPixels) == ImageSampling{ImageFilter::linear, ImageWrap::mirror});
}

TEST_CASE("the default filter of the game holds for mods, unless they set their own") {
    GameFolder game{"gfx.set_default_filter 'linear'"};
    for (const std::string mod : {"plain", "sharp"}) {
        game.write("mods/" + mod + "/mod.json", R"({ "id": ")" + mod + "\" }");
        game.write("mods/" + mod + "/assets/a.png", png_head(4, 4));
        game.write("mods/" + mod + "/main.lua", mod == "sharp" ? "gfx.set_default_filter 'nearest'" : "");
    }
    const auto engine = game.play();
    run(*engine, 1);
    for (AssetHandle handle = 1; handle <= engine->assets().handle_count(); ++handle) {
        const bool is_sharp = engine->assets().name_of(handle) == "sharp:assets/a.png";
        if (!engine->assets()[handle].path.empty())
            CHECK((engine->images().sampling_of(handle).filter == ImageFilter::nearest) == is_sharp);
    }
}

TEST_CASE("a quad of an image that wraps begins anywhere and ends anywhere") {
    GameFolder game{R"(
        gfx.set_wrap("assets/hero.png", "repeat")
        function draw()
          gfx.image("assets/hero.png", 0, 0, { quad = { -10, 70, 640, 480 } })
        end)"};
    game.write("assets/hero.png", png_head(64, 32));
    const auto engine = game.play();
    run(*engine, 1);
    CHECK(contains(picture(*engine), "size 640x480 assets/hero.png [54,6 640x480]"));
}

TEST_CASE("wrong filters and wraps are errors that name the right ones") {
    CHECK(failure("gfx.set_filter('a.png', 'smooth')") ==
          "bad argument #2 to 'gfx.set_filter': expected \"nearest\" or \"linear\", got 'smooth'");
    CHECK(failure("gfx.set_default_filter('linaer')") ==
          "bad argument #1 to 'gfx.set_default_filter': expected \"nearest\" or \"linear\", got 'linaer'; "
          "did you mean 'linear'?");
    CHECK(failure("gfx.set_default_filter()") ==
          "bad argument #1 to 'gfx.set_default_filter': expected \"nearest\" or \"linear\", got nil");
    CHECK(failure("gfx.set_default_filter('linear', 'nearest')") ==
          "gfx.set_default_filter: an image has one filter, for smaller and for larger sizes");
    CHECK(failure("gfx.set_wrap('a.png', 'tile')") ==
          "bad argument #2 to 'gfx.set_wrap': expected \"clamp\", \"repeat\" or \"mirror\", got 'tile'");
    CHECK(failure("gfx.set_wrap(5, 'repeat')") ==
          "bad argument #1 to 'gfx.set_wrap': expected the path of an image, got 5");
    CHECK(failure("gfx.canvas(4, 4, { wrap = 'tile' })") ==
          "gfx.canvas: option 'wrap': expected \"clamp\", \"repeat\" or \"mirror\", got 'tile'");
}
