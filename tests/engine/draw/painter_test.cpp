// The items of each call, the state it uses, and what it refuses.
#include "engine/draw/painter.h"

#include "tests/support/broken_contract.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

using namespace perigee;

namespace {

struct Scene {
    DrawList list;
    ImageTable images;
    Painter painter;

    Scene() {
        images.add(1, 32, 16);
        painter.begin_frame(list, images);
    }
    std::string picture() {
        list.sort(images);
        return list.dump(images);
    }
};

}  // namespace

TEST_CASE("calls become items in their order, with the current state") {
    Scene scene;
    Painter& painter = scene.painter;
    painter.rectangle(true, 1, 2, 30, 40);
    painter.color = pack_color(255, 0, 0);
    painter.line_width = 3;
    painter.circle(false, 5, 6, 7);
    painter.line(0, 0, 10, 20);
    painter.blend = BlendMode::add;
    painter.image(scene.images.frame_of(1, 0), 8, 9,
                  {.scale_x = -2, .rotation = 3.14159265F, .origin_x = 0.5F});
    painter.is_screen = true;
    painter.layer = 4;
    painter.text("hi", 1, 1, {.size = 20, .width = 100, .align = TextAlign::right});
    painter.text("small", 1, 1);
    CHECK(scene.picture() ==
          "camera 0,0 zoom 1\n"
          "world 0 rectangle at 1,2 size 30x40 #ffffffff\n"
          "world 0 circle at 5,6 radius 7 stroke 3 #ff0000ff\n"
          "world 0 line at 0,0 to 10,20 stroke 3 #ff0000ff\n"
          "world 0 sprite at 8,9 size 64x16 #1 [0,0 32x16] origin 0.5,0 turned 0.5 flip-x add #ff0000ff\n"
          "screen 4 text at 1,1 size 20 right \"hi\" width 100 add #ff0000ff\n"
          "screen 4 text at 1,1 size 16 left \"small\" add #ff0000ff\n");
}

TEST_CASE("each frame starts with a fresh state") {
    Scene scene;
    scene.painter.color = 0;
    scene.painter.layer = 9;
    scene.painter.end_frame();
    scene.painter.begin_frame(scene.list, scene.images);
    scene.painter.circle(true, 0, 0, 1);
    CHECK(scene.picture() == "camera 0,0 zoom 1\nworld 0 circle at 0,0 radius 1 #ffffffff\n");
}

TEST_CASE("a picture in the picture is placed and scaled, and leaves the state alone") {
    Scene scene;
    Painter& painter = scene.painter;
    painter.layer = 10;
    painter.color = pack_color(255, 0, 0);
    painter.is_screen = true;
    painter.draw_placed({100, 50, 0.5F, 200, 100}, [&] {
        painter.rectangle(true, 0, 0, 20, 10);
        painter.layer = 2;
        painter.line_width = 4;
        painter.line(10, 20, 30, 40);
        painter.circle(false, 10, 10, 6);
        painter.set_camera({0, 0, 2});  // the middle of its screen
        painter.image(scene.images.frame_of(1, 0), 10, 0);
        painter.is_screen = true;
        painter.text("hi", 10, 10, {.size = 20, .width = 100});
        painter.draw_placed({10, 10, 2, 200, 100}, [&] { painter.rectangle(true, 1, 1, 2, 2); });
    });
    painter.circle(true, 1, 2, 3);
    CHECK(scene.picture() ==
          "camera 0,0 zoom 1\n"
          "screen 10 rectangle at 100,50 size 10x5 #ffffffff\n"
          "screen 10 circle at 1,2 radius 3 #ff0000ff\n"
          "screen 12 line at 105,60 to 115,70 stroke 2 #ffffffff\n"
          "screen 12 circle at 105,55 radius 3 stroke 2 #ffffffff\n"
          "screen 12 sprite at 160,75 size 32x16 #1 [0,0 32x16] #ffffffff\n"
          "screen 12 text at 105,55 size 10 left \"hi\" width 50 #ffffffff\n"
          "screen 12 rectangle at 106,56 size 2x2 #ffffffff\n");
    scene.painter.set_camera({5, 5, 1});
    CHECK(scene.list.immediate_state().camera == DrawCamera{5, 5, 1});
}

TEST_CASE("the layers of a picture in the picture end where layers end") {
    Scene scene;
    scene.painter.layer = 32000;
    scene.painter.draw_placed({}, [&] {
        scene.painter.layer = 32000;
        scene.painter.circle(true, 0, 0, 1);
        scene.painter.draw_placed({std::numeric_limits<float>::max(), 0, 2},
                                  [&] { scene.painter.circle(true, 1e30F, 0, 1); });
    });
    CHECK(scene.picture().find("world 32767 circle") != std::string::npos);
}

TEST_CASE("items with numbers that are not finite are not drawn") {
    Scene scene;
    for (const float bad :
         {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
        scene.painter.rectangle(true, bad, 0, 1, 1);
        scene.painter.circle(true, 0, 0, bad);
        scene.painter.line(0, 0, 0, -bad);
        scene.painter.text("x", 0, bad);
        scene.painter.image(0, 0, 0, {.scale_x = bad});
        scene.painter.set_camera({bad, 0, 1});
    }
    scene.painter.set_camera({0, 0, 0});
    CHECK(scene.picture() == "camera 0,0 zoom 1\n");
    CHECK(scene.list.immediate_state().camera == DrawCamera{});
}

TEST_CASE("[N11] a camera applies to later items, and setting the same camera does not split runs") {
    Scene scene;
    Painter& painter = scene.painter;
    painter.circle(true, 1, 1, 1);
    painter.set_camera({1, 2, 3});
    painter.circle(true, 2, 2, 2);
    painter.circle(true, 3, 3, 3);
    painter.is_screen = true;
    painter.circle(true, 4, 4, 4);
    painter.set_camera({9, 9, 9});  // nothing is painted through it
    painter.set_camera({5, 6, 7});
    painter.is_screen = false;
    painter.circle(true, 5, 5, 5);
    painter.set_camera({0, 0, 1});
    painter.layer = -1;
    painter.circle(true, 6, 6, 6);
    CHECK(scene.picture() ==
          "camera 0,0 zoom 1\n"
          "world -1 circle at 6,6 radius 6 #ffffffff\n"
          "world 0 circle at 1,1 radius 1 #ffffffff\n"
          "camera 1,2 zoom 3\n"
          "world 0 circle at 2,2 radius 2 #ffffffff\n"
          "world 0 circle at 3,3 radius 3 #ffffffff\n"
          "camera 5,6 zoom 7\n"
          "world 0 circle at 5,5 radius 5 #ffffffff\n"
          "screen 0 circle at 4,4 radius 4 #ffffffff\n");
    const auto runs = scene.list.runs();
    REQUIRE(runs.size() == 4);
    CHECK(scene.list.state_of(runs[0]).camera == DrawCamera{});
    CHECK(runs[0].count == 2);
    CHECK(scene.list.state_of(runs[1]).camera == DrawCamera{1, 2, 3});
    CHECK(runs[1].count == 2);
    CHECK(scene.list.state_of(runs[2]).camera == DrawCamera{5, 6, 7});
    CHECK(runs[3].screen);
    scene.list.clear();
    CHECK(scene.list.immediate_state().camera == DrawCamera{});
}

TEST_CASE("drawing with a closed painter violates its contract") {
    Scene scene;
    scene.painter.end_frame();
    CHECK_FALSE(scene.painter.is_open());
    const ContractWatch watch;
    CHECK_THROWS_AS(scene.painter.circle(true, 0, 0, 1), BrokenContract);
}

TEST_CASE(
    "a picture in the picture that is drawn while a canvas is set goes into the canvas, and only there") {
    DrawList screen, canvas, other;
    const ImageTable images;
    Painter painter;
    painter.begin_frame(screen, images);
    painter.set_canvas(&canvas, 7, 1);
    painter.draw_placed({10, 20, 2, 100, 100}, [&] {
        CHECK(painter.canvas() == 7);
        painter.circle(true, 1, 1, 1);
        painter.set_canvas(&other, 8, 1);  // not placed: it has its own coordinates
        painter.circle(true, 2, 2, 1);
        painter.set_canvas(nullptr, 0, 1);
        CHECK(painter.canvas() == 7);
    });
    CHECK(painter.canvas() == 7);
    painter.draw_for(2);
    CHECK(painter.canvas() == 0);
    painter.circle(true, 3, 3, 1);
    painter.end_frame();
    REQUIRE(canvas.items().size() == 1);
    CHECK(canvas.items()[0].x == 12);
    REQUIRE(other.items().size() == 1);
    CHECK(other.items()[0].x == 2);
    REQUIRE(screen.items().size() == 1);
    CHECK(screen.items()[0].x == 3);
}

TEST_CASE("a canvas is left out of what is drawn into it") {
    DrawList screen, canvas;
    ImageTable images;
    images.add(7, 8, 8);
    Painter painter;
    painter.begin_frame(screen, images);
    painter.set_canvas(&canvas, 7, 1);
    painter.image(images.frame_of(7, 0), 1, 1);
    painter.open_block(1, nullptr, {});
    perigee_draw_item& item = painter.block().items[0];
    item = {};
    item.w = item.h = 1.0F;
    item.ref = 7;
    item.kind = kImageKind;
    painter.block().count = 1;
    painter.set_canvas(nullptr, 0, 1);
    painter.image(images.frame_of(7, 0), 1, 1);
    painter.end_frame();
    CHECK(canvas.items().empty());
    CHECK(screen.items().size() == 1);
}

namespace {

// Calls as Lua and C++ make them: the first writes items into the block, the second is the model.
class Calls {
public:
    explicit Calls(unsigned seed) : random_(seed) {}

    void prepare(Painter& painter) {
        const float angle = below(2) == 0 ? 0.0F : static_cast<float>(below(7));
        const float x = below(4) == 0 ? -2.0F : 1.0F, y = below(4) == 0 ? 0.5F : std::fabs(x);
        const float cosine = std::cos(angle), sine = std::sin(angle);
        if (below(4) != 0) painter.transform({x * cosine, -y * sine, 10, x * sine, y * cosine, -20});
        painter.line_width = static_cast<float>(1 + below(3));
        painter.layer = static_cast<std::int16_t>(below(4));  // 3: on the screen
        painter.is_screen = below(4) == 0;
    }

    struct Call {
        int kind = 0;
        bool is_filled = false;
        BlendMode blend = BlendMode::alpha;
        float x = 0, y = 0, w = 0, h = 0;
        std::uint32_t image = 0, frame = 0;
    };
    Call next() {
        if (below(4) != 0)
            return {last_.kind, below(2) == 0, last_.blend, coordinate(), coordinate(),
                    size(),     size(),        last_.image, below(4)};
        last_ = {
            static_cast<int>(below(3)), true, static_cast<BlendMode>(below(2)), 0, 0, 0, 0, 1 + below(2), 0};
        return last_;
    }
    unsigned below(unsigned count) { return static_cast<unsigned>(random_() % count); }

private:
    float coordinate() {
        if (below(30) == 0) return std::numeric_limits<float>::quiet_NaN();
        if (below(30) == 0) return -std::numeric_limits<float>::infinity();
        return below(30) == 0 ? 3e38F : static_cast<float>(below(200)) - 100.0F;
    }
    float size() { return static_cast<float>(below(40)) / 4.0F - 2.0F; }

    std::mt19937 random_;
    Call last_;
};

void write(const Calls::Call& call, Painter& painter) {
    perigee_draw_block& block = painter.block();
    perigee_draw_item& item = block.items[block.count++];
    item = {};
    item.x = call.x;
    item.y = call.y;
    item.w = call.w;
    item.h = call.h;
    item.color = painter.color;
    item.flags = static_cast<std::uint8_t>(static_cast<unsigned>(call.blend) |
                                           (painter.is_screen ? unsigned{kDrawScreen} : 0U));
    if (call.kind == 2) {
        item.kind = kImageKind;
        item.ref = call.image | call.frame << 16U;
        return;
    }
    item.kind = static_cast<std::uint8_t>(call.kind == 0 ? DrawKind::rectangle : DrawKind::circle);
    if (call.kind == 1) item.h = item.w;
    if (!call.is_filled) item.stroke = quantised_stroke(painter.line_width);
}

void draw(const Calls::Call& call, Painter& painter, const ImageTable& images) {
    painter.blend = call.blend;
    if (call.kind == 0) painter.rectangle(call.is_filled, call.x, call.y, call.w, call.h);
    if (call.kind == 1) painter.circle(call.is_filled, call.x, call.y, call.w);
    if (call.kind == 2)
        painter.image(images.frame_of(call.image, call.frame), call.x, call.y,
                      {.scale_x = call.w, .scale_y = call.h});
}

}  // namespace

TEST_CASE("items that Lua writes, up to 256 at once, are drawn as calls of C++ draw them") {
    ImageTable images;
    images.add(1, 32, 16);
    images.add(2, 8, 8);
    images.set_grid(1, 8, 8);
    std::size_t drawn = 0, refused = 0;
    for (unsigned seed = 1; seed <= 300; ++seed) {
        DrawList written_list, called_list;
        DrawBudget written_budget(kDrawAllowanceOfMod), called_budget(kDrawAllowanceOfMod);
        const DrawSurface surface{.width = 100, .height = 100};
        Painter written, called;
        for (DrawList* list : {&written_list, &called_list}) {
            LayerLook fixed;
            fixed.layer = fixed.first = 3;
            fixed.is_screen = true;
            list->set_layers({&fixed, 1});
        }
        const auto paint = [&](Painter& painter, DrawList& list, DrawBudget& budget, bool is_written) {
            Calls calls(seed);
            painter.begin_frame(list, images);
            const auto blocks = [&] {
                for (int block = 0; block < 4; ++block) {
                    painter.push(true);
                    calls.prepare(painter);
                    painter.use_budget(&budget, surface);
                    if (is_written) painter.open_block(1, &budget, surface);
                    for (unsigned left = calls.below(257); left > 0; --left) {
                        const Calls::Call call = calls.next();
                        if (is_written)
                            write(call, painter);
                        else
                            draw(call, painter, images);
                    }
                    painter.close_block();
                    painter.pop();
                }
            };
            if (seed % 4 == 0)
                painter.draw_placed({10, 20, 0.5F, 200, 100}, blocks);
            else
                blocks();
            painter.end_frame();
            list.sort(images);
        };
        paint(written, written_list, written_budget, true);
        paint(called, called_list, called_budget, false);
        CAPTURE(seed);
        REQUIRE(written_list.dump(images) == called_list.dump(images));
        REQUIRE(std::ranges::equal(written_list.runs(), called_list.runs()));
        REQUIRE(written_budget.is_used_up() == called_budget.is_used_up());
        drawn += written_list.items().size();
        refused += written_budget.is_used_up() ? 1 : 0;
    }
    CHECK(drawn > 10'000);
    CHECK(refused > 10);
}
