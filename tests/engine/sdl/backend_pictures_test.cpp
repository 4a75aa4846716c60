// Small games in golden/, and the picture that each back end shall make of them.
//
// Back ends round differently, so each has pictures of its own. OpenGL depends on the processor at edges, so
// a few pixels may differ. PERIGEE_WRITE_GOLDENS=1 writes the pictures anew; look at them before you commit
// them.
#include "engine/draw/color.h"
#include "engine/engine.h"
#include "engine/sdl/backend.h"
#include "engine/sdl/window/internal/sdl_handle.h"
#include "tests/engine/sdl/canvas.h"
#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

using namespace perigee;
namespace fs = std::filesystem;

namespace {

constexpr int kSteps = 40;
constexpr int kLevels = 2;               // differences that do not count
constexpr double kMaxDifferent = 0.002;  // of all pixels
const fs::path kFolder = fs::path(PERIGEE_SOURCE_DIR) / "tests/engine/sdl/golden";

std::vector<fs::path> scenes() {
    std::vector<fs::path> found;
    for (const fs::directory_entry& entry : fs::directory_iterator(kFolder))
        if (entry.path().extension() == ".lua") found.push_back(entry.path());
    std::ranges::sort(found);
    return found;
}

std::string contents(const fs::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

// Plays the scene and writes its last picture.
void paint(const fs::path& scene, Backend::Drawing drawing, const fs::path& picture) {
    const test::TemporaryFolder game;
    game.write("mod.json", R"({ "id": "golden", "version": "1.0.0", "width": 240, "height": 135 })");
    game.write("main.lua", contents(scene));
    game.write(
        "assets/four.png",
        test::png_of(2, 2, {pack_color(255, 0, 0), pack_color(0, 255, 0), pack_color(0, 0, 255), kWhite}));
    EngineConfig config;
    config.game = game.path();
    std::string log;
    config.log = [&](const LogEntry& entry) { log += std::string(entry.text) + "\n"; };
    const Result<std::unique_ptr<Engine>> made = Engine::create(config);
    REQUIRE(made.ok());
    Engine& engine = *made.value();
    const auto backend =
        Backend::open({.logical = {240, 135}, .display = Backend::Display::hidden, .drawing = drawing})
            .value();
    FrameInput frame;
    frame.exact_steps = 1;
    for (int step = 0; step < kSteps; ++step) {
        engine.step(frame);
        backend->begin_frame(engine.draw_list().background);
        backend->draw_surfaces(engine.surfaces(), engine.images(), engine.assets());
        backend->draw(engine.draw_list(), engine.images(), engine.assets());
        if (step + 1 == kSteps) REQUIRE(backend->save_screenshot(picture));
        backend->present();
    }
    INFO(log);
    REQUIRE(engine.error_count() == 0);
}

SurfaceHandle loaded(const fs::path& file) {
    const SurfaceHandle any{test::loaded_png(file)};
    if (!any) return {};
    return SurfaceHandle{SDL_ConvertSurfaceFormat(any.get(), SDL_PIXELFORMAT_RGB24, 0)};
}

// The share of pixels that differ; 1 if the sizes do.
double difference(const SurfaceHandle& a, const SurfaceHandle& b) {
    if (!a || !b || a->w != b->w || a->h != b->h) return 1.0;
    int different = 0;
    for (int y = 0; y < a->h; ++y)
        for (int x = 0; x < a->w; ++x) {
            bool is_same = true;
            for (int channel = 0; channel < 3; ++channel) {
                const auto level = [&](const SurfaceHandle& of) {
                    return int{static_cast<const std::uint8_t*>(of->pixels)[y * of->pitch + x * 3 + channel]};
                };
                is_same &= std::abs(level(a) - level(b)) <= kLevels;
            }
            different += is_same ? 0 : 1;
        }
    return different / static_cast<double>(a->w * a->h);
}

void check_scenes(Backend::Drawing drawing, const std::string& back_end) {
    const test::TemporaryFolder drawn;
    const bool writes = std::getenv("PERIGEE_WRITE_GOLDENS") != nullptr;
    CHECK(scenes().size() >= 7);
    for (const fs::path& scene : scenes()) {
        const std::string name = scene.stem().string() + "-" + back_end + ".png";
        const fs::path golden = kFolder / "pictures" / name;
        const fs::path picture = writes ? golden : drawn.path() / name;
        paint(scene, drawing, picture);
        const double share = difference(loaded(picture), loaded(golden));
        INFO(name << ": " << 100 * share << " % of the pixels differ; see the header of this file");
        CHECK(share <= kMaxDifferent);
    }
}

}  // namespace

TEST_CASE("OpenGL makes of each scene the picture that it made before") {
    check_scenes(Backend::Drawing::gl, "gl");
}

TEST_CASE("the software renderer makes of each scene the picture that it made before") {
    check_scenes(Backend::Drawing::software, "software");
}
