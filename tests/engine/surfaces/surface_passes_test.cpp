// The passes of a frame: when a canvas has another one, when its content moves to a hidden canvas, and the
// limits of both.
#include "engine/surfaces/canvas_drawing.h"
#include "engine/surfaces/surface_table.h"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

using namespace perigee;

namespace {

// A frame with a painter and three canvases.
class Frames {
public:
    explicit Frames(SurfaceDesc desc = {8, 8}) : desc_(desc) {
        for (std::uint32_t& canvas : canvases) canvas = surfaces.make_canvas(desc, images);
        begin();
    }
    ~Frames() {
        if (painter.is_open()) painter.end_frame();
    }
    void begin() {
        list.clear();
        surfaces.begin_frame(images);
        painter.begin_frame(list, images);
    }
    Result<std::uint32_t> draw(int canvas) {
        Result<std::uint32_t> drawn = drawing().draw_into(canvases[canvas], 0);
        if (drawn) painter.rectangle(true, 1, 1, 2, 2);
        return drawn;
    }
    void screen() { drawing().leave(); }
    Result<CanvasDrawing::Shown> show(int canvas) {
        Result<CanvasDrawing::Shown> shown = drawing().show(canvases[canvas]);
        if (shown) painter.image(images.frame_of(shown.value().image, 0), 0, 0);
        return shown;
    }
    void clear(int canvas, PackedColor color = 0) { REQUIRE(drawing().clear(canvases[canvas], color)); }
    // The passes as names of what they draw into: canvases a, b and c, and hidden ones; "a>h" begins as a
    // copy of a.
    std::string passes() {
        painter.end_frame();
        surfaces.end_frame(images);
        std::string all;
        for (const CanvasPass& pass : surfaces.take_passes()) {
            if (!all.empty()) all += ' ';
            if (pass.copied != nullptr) all += name(*pass.copied) + '>';
            all += name(*pass.target);
            if (pass.clear_color) all += '!';
        }
        return all;
    }
    CanvasDrawing drawing() { return {painter, surfaces, images}; }

    ImageTable images;
    SurfaceTable surfaces;
    Painter painter;
    DrawList list;
    std::uint32_t canvases[3]{};

private:
    std::string name(const Surface& surface) const {
        const auto number = surface.image - canvases[0];
        return number < 3 ? std::string(1, static_cast<char>('a' + number))
                          : std::string(1, static_cast<char>('h' + number - 3));
    }
    SurfaceDesc desc_;
};

}  // namespace

TEST_CASE("a canvas that is drawn before it is shown has one pass, however often drawing goes into it") {
    Frames frame;
    frame.draw(0).value();
    frame.draw(1).value();
    CHECK(frame.draw(0).value() == 0);
    frame.draw(1).value();
    CHECK(frame.show(0).value().image == frame.canvases[0]);
    frame.screen();
    CHECK(frame.show(1).value().image == frame.canvases[1]);
    CHECK(frame.show(0).value().pixels == 0);
    CHECK(frame.passes() == "a b");
    CHECK(frame.surfaces.count() == 3);
}

TEST_CASE("two canvases take turns by passes of their own, without hidden canvases") {
    Frames frame;
    frame.draw(0).value();
    frame.draw(1).value();
    CHECK(frame.show(0).value().pixels == 0);
    CHECK(frame.draw(0).value() == 64);
    CHECK(frame.show(1).value().image == frame.canvases[1]);
    CHECK(frame.draw(1).value() == 64);
    frame.show(0).value();
    frame.screen();
    frame.show(1).value();
    CHECK(frame.passes() == "a b a b");
    CHECK(frame.surfaces.count() == 3);
}

TEST_CASE("a canvas that shows one which was drawn later goes on in a new pass") {
    Frames frame;
    frame.draw(0).value();
    frame.draw(1).value();
    frame.draw(0).value();
    CHECK(frame.show(1).value().pixels == 64);
    CHECK(frame.passes() == "a b a");
}

TEST_CASE("a pass without drawing moves to where it is needed") {
    Frames frame;
    REQUIRE(frame.drawing().draw_into(frame.canvases[0], 0));
    frame.clear(0, 7);
    frame.draw(1).value();
    REQUIRE(frame.drawing().draw_into(frame.canvases[0], 0));
    CHECK(frame.show(1).value().pixels == 0);
    CHECK(frame.passes() == "b a!");
}

TEST_CASE("what the screen shows of a canvas stays when the canvas is drawn into again") {
    Frames frame;
    frame.draw(0).value();
    frame.screen();
    CHECK(frame.show(0).value().image == frame.canvases[0]);
    frame.draw(0).value();
    frame.screen();
    const std::uint32_t second = frame.show(0).value().image;
    CHECK(second != frame.canvases[0]);
    frame.clear(0);
    frame.draw(0).value();
    frame.screen();
    const std::uint32_t third = frame.show(0).value().image;
    CHECK(third != second);
    CHECK(frame.surfaces.content_of(frame.canvases[0]) == third);
    CHECK(frame.passes() == "a a>h i!");
    std::vector<std::uint32_t> changed;
    frame.surfaces.each_new_content([&](const Surface& canvas, const Surface& content) {
        changed = {canvas.image, content.image};
    });
    CHECK(changed == std::vector<std::uint32_t>{frame.canvases[0], third});
    frame.begin();
    CHECK(frame.surfaces.content_of(frame.canvases[0]) == frame.canvases[0]);
}

TEST_CASE("a canvas that is shown before it is drawn shows the end of the frame before") {
    Frames frame;
    CHECK(frame.show(0).value().image == frame.canvases[0]);
    CHECK(frame.draw(0).value() == 64);
    frame.screen();
    CHECK(frame.show(0).value().image != frame.canvases[0]);
    CHECK(frame.passes() == "a>h");
}

TEST_CASE("hidden canvases are used again in later frames, and released when they are not needed") {
    Frames frame;
    for (int i = 0; i < 20; ++i) {
        for (const int canvas : {0, 1}) {
            frame.draw(canvas).value();
            frame.screen();
            frame.show(canvas).value();
            frame.draw(canvas).value();
            frame.screen();
        }
        CHECK(frame.passes() == "a a>h b b>i");
        CHECK(frame.surfaces.count() == 5);
        frame.begin();
    }
    for (std::uint64_t i = 0; i <= SurfaceTable::kHiddenFrames; ++i) {
        frame.passes();
        frame.begin();
    }
    CHECK(frame.surfaces.count() == 3);
}

TEST_CASE("hidden canvases that are idle make room for others") {
    const SurfaceDesc large{4096, 4096};
    Frames frame{{4, 4}};
    const std::uint32_t canvas = frame.surfaces.make_canvas(large, frame.images);
    const auto shown_twice = [&] {
        REQUIRE(frame.drawing().draw_into(canvas, 0));
        frame.screen();
        REQUIRE(frame.drawing().show(canvas));
        REQUIRE(frame.drawing().draw_into(canvas, 0));
        frame.passes();
        frame.begin();
    };
    shown_twice();
    CHECK(frame.surfaces.make_canvas(large, frame.images) != 0);
    CHECK(frame.surfaces.make_canvas(large, frame.images) != 0);
    CHECK(frame.surfaces.make_canvas(large, frame.images) == 0);
    frame.passes();
    frame.begin();
    REQUIRE(frame.drawing().show(canvas));
    const Result<std::uint32_t> refused = frame.drawing().draw_into(canvas, 0);
    CHECK(
        refused.error().message ==
        "the screen shows this canvas as it was, so drawing into it again takes the room of one more canvas "
        "of "
        "4096 x 4096, and this mod has none: all canvases and pixels together can have 67 million pixels, "
        "with "
        "a share for the game and each mod; draw all that goes into a canvas before you show it, or make it "
        "smaller");
}

TEST_CASE("a frame has a limited number of passes and of contents, and the next one has them again") {
    Frames frame;
    for (int round = 0; round < 2; ++round) {
        std::size_t count = 0;
        Result<std::uint32_t> drawn = 0U;
        for (; count < 1000; ++count) {
            drawn = frame.draw(static_cast<int>(count % 2));
            if (!drawn) break;
            if (count > 0) frame.show(static_cast<int>(1 - count % 2)).value();
        }
        CHECK(count == SurfaceTable::kMaxFurtherPasses + 2);
        CHECK(drawn.error().message.starts_with("canvases take turns too often: "));
        frame.passes();
        frame.begin();
        for (count = 0; count < 1000; ++count) {
            frame.screen();
            frame.show(2).value();
            drawn = frame.draw(2);
            if (!drawn) break;
        }
        CHECK(count == SurfaceTable::kMaxHidden);
        CHECK(drawn.error().message ==
              "canvases have too many contents: the screen shows a canvas as it is when gfx.image is called, "
              "so "
              "each content takes the room of one more canvas, and this mod can have 64 of them in a frame; "
              "draw "
              "all that goes into a canvas before you show it");
        frame.passes();
        frame.begin();
    }
}

TEST_CASE("a canvas of views is drawn before the first canvas that shows it, or last") {
    Frames frame;
    frame.surfaces.use_canvas_of_views(frame.canvases[2]);
    frame.draw(0).value();
    frame.draw(1).value();
    frame.show(2).value();
    CHECK(frame.passes() == "a c b");
    frame.begin();
    frame.surfaces.use_canvas_of_views(frame.canvases[2]);
    frame.draw(0).value();
    frame.screen();
    frame.show(2).value();
    CHECK(frame.passes() == "a c");
    frame.begin();
    frame.surfaces.use_canvas_of_views(frame.canvases[2]);
    frame.show(2).value();
    frame.draw(2).value();
    CHECK(frame.passes() == "c c>h");
}

TEST_CASE("masks and the camera of a canvas hold in its next pass") {
    Frames frame;
    frame.draw(1).value();
    frame.draw(0).value();
    frame.painter.set_camera({3, 4, 2});
    REQUIRE(frame.painter.begin_mask(false, false) == Painter::MaskStart::begun);
    frame.painter.rectangle(true, 0, 0, 3, 3);
    frame.painter.end_mask();
    frame.painter.rectangle(true, 0, 0, 5, 5);
    const Surface& canvas = *frame.surfaces.find(frame.canvases[0]);
    REQUIRE(frame.surfaces.show_canvas(frame.canvases[0], frame.canvases[2], false, frame.images));
    frame.drawing().go_on();
    frame.painter.rectangle(true, 0, 0, 6, 6);
    frame.painter.close_block();
    const DrawState state = canvas.picture.list->immediate_state();
    CHECK(state.mask == 1);
    CHECK(state.camera == DrawCamera{3, 4, 2});
    CHECK(canvas.picture.list->mask(1).list->item_count() == 1);
    CHECK(canvas.picture.list->item_count() == 1);
    CHECK(frame.passes() == "b a a");
}

TEST_CASE("a mask that is being drawn goes on in the next pass, and what it shows stays as it was") {
    Frames frame;
    frame.draw(0).value();
    frame.draw(1).value();
    frame.draw(0).value();
    REQUIRE(frame.painter.begin_mask(false, false) == Painter::MaskStart::begun);
    frame.painter.rectangle(true, 0, 0, 3, 3);
    CHECK(frame.show(1).value().pixels == 64);
    frame.painter.end_mask();
    frame.painter.rectangle(true, 0, 0, 6, 6);
    const Surface& canvas = *frame.surfaces.find(frame.canvases[0]);
    CHECK(canvas.picture.list->mask(1).list->item_count() == 2);
    frame.draw(1).value();
    CHECK(frame.passes() == "a b a b>h");
}

TEST_CASE("masks with very many items cannot be copied from pass to pass for ever") {
    Frames frame;
    frame.draw(0).value();
    REQUIRE(frame.painter.begin_mask(false, false) == Painter::MaskStart::begun);
    for (int i = 0; i < 100'000; ++i) frame.painter.rectangle(true, 0, 0, 3, 3);
    frame.painter.end_mask();
    int passes = 0;
    Result<std::uint32_t> drawn = 0U;
    for (; drawn && passes < 10; ++passes) {
        frame.screen();
        frame.draw(1).value();
        frame.show(0).value();
        drawn = frame.draw(0);
    }
    CHECK(passes == 3);
    CHECK(drawn.error().message ==
          "canvases take turns too often: a canvas that is drawn into after it was shown needs another pass, "
          "and "
          "this mod can have 256 of them in a frame; draw all that goes into a canvas before you show it");
}
