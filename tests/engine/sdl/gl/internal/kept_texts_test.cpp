// Texts that stay the same: what is uploaded, and the same pixels as texts that are laid out in each frame.
#include "engine/sdl/gl/internal/kept_texts.h"

#include "tests/engine/sdl/picture_scene.h"

#include <catch2/catch.hpp>

#include <random>
#include <string>
#include <vector>

using namespace perigee;
using test::count_different;
using test::PictureScene;

namespace {

constexpr PixelSize kSize{200, 160};

struct Line {
    std::string text;
    float x = 0.0F, y = 0.0F, size = 10.0F;
    PackedColor color = kWhite;
    float outline = 0.0F;
};

void draw(Painter& painter, const std::vector<Line>& lines, float camera_x) {
    painter.set_camera({camera_x, 80, 1, 0});
    for (const Line& line : lines) {
        painter.color = line.color;
        TextLook look;
        look.outline = line.outline;
        if (line.outline > 0.0F)
            painter.text(line.text, look, line.x, line.y, {.size = line.size});
        else
            painter.text(line.text, line.x, line.y, {.size = line.size});
    }
}

// The same with a frame without texts before, so that nothing is kept.
Picture laid_out(PictureScene& scene, const std::vector<Line>& lines, float camera_x) {
    scene.paint([](Painter&) {});
    static_cast<void>(scene.with_gl());
    scene.paint([&](Painter& painter) { draw(painter, lines, camera_x); });
    return scene.with_gl();
}

std::string latin(std::mt19937& random) {
    std::string text(random() % 12, ' ');
    for (char& character : text) character = static_cast<char>(' ' + random() % 90);
    return text;
}

}  // namespace

TEST_CASE("texts that stay the same are uploaded once, and from then on nothing is") {
    PictureScene scene{kSize};
    std::vector<Line> lines;
    for (int i = 0; i < 70; ++i)
        lines.push_back(
            {"line " + std::to_string(i), static_cast<float>(i % 5 * 40), static_cast<float>(i / 5 * 11)});
    const auto frame = [&] {
        scene.paint([&](Painter& painter) { draw(painter, lines, 100); });
        return scene.with_gl();
    };
    const Picture first = frame();
    constexpr std::size_t kGlyphs = 32 * (10 * 5 + 60 * 6);  // bytes of them, without spaces
    CHECK(scene.gl_uploads() >= kGlyphs);
    for (int i = 0; i < 2; ++i) CHECK(count_different(frame(), first) == 0);
    CHECK(scene.gl_uploads() >= 2 * kGlyphs);  // for this frame and those after it
    CHECK(count_different(frame(), first) == 0);
    CHECK(scene.gl_uploads() == 0);
    CHECK(scene.gl_calls() <= 4);

    // One that changes takes its group along, and no other.
    lines[40].text = "changed";
    CHECK(count_different(frame(), first) > 0);
    CHECK(scene.gl_uploads() > 0);
    CHECK(scene.gl_uploads() < kGlyphs * 2 / 3);
}

TEST_CASE("texts look the same kept as laid out, whatever changes between frames") {
    PictureScene kept{kSize}, reference{kSize};
    std::mt19937 random{11};
    std::vector<Line> lines(80);
    float camera_x = 100;
    const auto change = [&](Line& line) {
        switch (random() % 6) {
            case 0:
                line.text = latin(random);
                break;
            case 1:
                line.x = static_cast<float>(random() % 220) - 20;
                break;
            case 2:
                line.y = static_cast<float>(random() % 180) - 20;
                break;
            case 3:
                line.size = static_cast<float>(6 + random() % 20);
                break;
            case 4:
                line.color = static_cast<PackedColor>(random()) | 0xFF00'0000U;
                break;
            case 5:
                line.outline = random() % 4 == 0 ? 0.1F : 0.0F;
                break;
        }
    };
    for (Line& line : lines) {
        line.text = latin(random);
        for (int i = 0; i < 6; ++i) change(line);
    }
    for (int frame = 0; frame < 60; ++frame) {
        INFO("frame " << frame);
        if (random() % 5 == 0) change(lines[random() % lines.size()]);
        if (random() % 12 == 0) camera_x += 3;
        if (random() % 15 == 0) lines.erase(lines.begin() + static_cast<int>(random() % lines.size()));
        if (random() % 15 == 0) lines.insert(lines.begin(), Line{latin(random)});
        kept.paint([&](Painter& painter) { draw(painter, lines, camera_x); });
        const Picture picture = kept.with_gl();
        if (frame % 4 == 3) CHECK(count_different(picture, laid_out(reference, lines, camera_x)) == 0);
    }
}

TEST_CASE("kept texts are laid out again when the atlas was full, or files were read again") {
    PictureScene kept{kSize}, reference{kSize};
    const std::vector<Line> lines{{"stays", 10, 10, 20}, {"as it is", 10, 40, 14}};
    std::vector<Line> all = lines;
    for (int i = 0; i < 40; ++i)
        all.push_back({"ABCDEFGHIJKLMNOPQRSTUVWXYZ", 0, 80, 100.0F + static_cast<float>(i)});
    const auto frame = [&](const std::vector<Line>& shown) {
        kept.paint([&](Painter& painter) { draw(painter, shown, 100); });
        return kept.with_gl();
    };
    for (int i = 0; i < 4; ++i) static_cast<void>(frame(lines));
    CHECK(kept.gl_uploads() == 0);
    CHECK(count_different(frame(all), laid_out(reference, all, 100)) == 0);
    CHECK(count_different(frame(lines), laid_out(reference, lines, 100)) == 0);
    for (int i = 0; i < 4; ++i) static_cast<void>(frame(lines));
    CHECK(kept.gl_uploads() == 0);
    kept.reload_gl();
    CHECK(count_different(frame(lines), laid_out(reference, lines, 100)) == 0);
    CHECK(kept.gl_uploads() > 0);
}
