// A frame like the one before needs no memory of the heap.
#include "engine/sdl/gl/gl_renderer.h"
#include "tests/engine/sdl/picture_scene.h"
#include "tests/support/failing_memory.h"

#include <catch2/catch.hpp>

using namespace perigee;
using test::PictureScene;

namespace {

// The requests of this thread while OpenGL draws the list a few times more.
std::uint64_t requests_of(PictureScene& scene) {
    for (int frame = 0; frame < 5; ++frame) scene.show_with_gl();
    {
        const RefusedMemory none(RefusedMemory::kNever);
        for (int frame = 0; frame < 3; ++frame) scene.show_with_gl();
    }
    return RefusedMemory::requests();
}

}  // namespace

TEST_CASE("OpenGL draws a frame like the one before without a request for memory, whatever is in it") {
    PictureScene scene{{96, 96}};
    const FrameId frame = scene.images.frame_of(scene.four, 0);
    const std::vector<std::pair<const char*, std::function<void(Painter&)>>> contents{
        {"nothing", [](Painter&) {}},
        {"shapes",
         [](Painter& painter) {
             painter.rectangle(true, 1, 2, 30, 20);
             painter.circle(false, 50, 50, 20);
             painter.line(0, 0, 90, 90);
         }},
        {"images", [&](Painter& painter) { painter.image(frame, 10, 10, {}); }},
        {"texts", [](Painter& painter) { painter.text("a text", 5, 5, {}); }},
        {"a polygon",
         [](Painter& painter) {
             const Point corners[] = {{5, 5}, {60, 10}, {20, 70}};
             painter.polygon(true, corners);
         }},
        {"all under a matrix",
         [&](Painter& painter) {
             painter.matrix = {2, 0.5F, 3, 0, 1, 4};
             painter.rectangle(true, 1, 2, 30, 20);
             painter.image(frame, 10, 10, {});
             painter.text("a text", 5, 5, {});
             painter.clip = {5, 5, 50, 50};
             painter.circle(true, 20, 20, 15);
         }},
    };
    for (const auto& [name, content] : contents) {
        INFO(name);
        scene.paint(content);
        CHECK(requests_of(scene) == 0);
    }
}
