// When the textures of a canvas and of its hidden content change places.
#include "engine/surfaces/canvas_contents.h"

#include <catch2/catch.hpp>

#include <array>
#include <cstdint>
#include <utility>

using namespace perigee;

TEST_CASE("nothing is exchanged twice, and not with a surface that was made in between") {
    struct Entry {
        std::uint64_t serial = 0;
        int content = 0;
        void exchange_content(Entry& other) { std::swap(content, other.content); }
    };
    ImageTable images;
    SurfaceTable surfaces;
    const std::uint32_t canvas = surfaces.make_canvas({4, 4}, images);
    CanvasContents contents;
    std::array<Entry, 2> entries;
    const auto begin = [&] {
        contents.exchange_after_frame(
            surfaces, [&](std::uint32_t image) -> Entry& { return entries[surface_number(image)]; });
    };
    const auto frame = [&] {
        surfaces.begin_frame(images);
        REQUIRE_FALSE(surfaces.show_canvas(canvas, 0, true, images).value());
        REQUIRE(surfaces.draw_into(canvas, images).value());
        surfaces.end_frame(images);
        static_cast<void>(surfaces.take_passes());
        contents.remember(surfaces);
    };
    frame();
    entries = {Entry{surfaces.find(canvas)->serial, 1},
               Entry{surfaces.find(surfaces.content_of(canvas))->serial, 2}};
    begin();
    CHECK(entries[0].content == 1);  // of the same frame
    surfaces.begin_frame(images);
    begin();
    begin();
    CHECK(entries[0].content == 2);
    frame();
    entries[1].serial = 99;
    surfaces.begin_frame(images);
    begin();
    CHECK(entries[0].content == 2);
}
