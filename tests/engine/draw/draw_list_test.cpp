// Order, runs and limits of random lists, and the dump of a list.
#include "engine/draw/draw_list.h"

#include "engine/assets/image_table.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>

using namespace perigee;

namespace {

ImageTable three_images() {
    ImageTable images;
    for (std::uint32_t image = 1; image <= 3; ++image) images.add(image, 16, 16);
    return images;
}

DrawItem sprite(const ImageTable& images, std::uint32_t image, float x = 0) {
    DrawItem item;
    item.kind = DrawKind::sprite;
    item.ref = images.frame_of(image, 0);
    item.x = x;
    item.w = item.h = 16;
    return item;
}

DrawItem random_item(std::mt19937& random, const ImageTable& images, DrawList& list, std::uint32_t& image) {
    image = 1 + random() % 3;
    DrawItem item = sprite(images, image, static_cast<float>(random() % 1000));
    if (random() % 3 == 0) {
        item.kind = static_cast<DrawKind>(random() % 7);
        image = item.kind == DrawKind::sprite ? image : 0;
        item.ref = item.kind == DrawKind::sprite ? item.ref : 0;
        if (item.kind == DrawKind::text) item.ref = list.add_text("text");
        if (item.kind == DrawKind::mesh) {
            image = random() % 3;
            item.ref = list.add_mesh(std::vector<MeshPoint>(3 * (1 + random() % 2)), image);
        }
    }
    item.flags = static_cast<std::uint8_t>(random() % 8 | (random() % 4 == 0 ? kDrawScreen : 0));
    return item;
}

}  // namespace

TEST_CASE("the drawing order does not depend on the order of addition if each item has an entity") {
    std::mt19937 random{4};
    const ImageTable images = three_images();
    for (int program = 0; program < 50; ++program) {
        struct Addition {
            DrawItem item;
            DrawOrder order;
            std::uint32_t image;
            std::uint32_t entity;
        };
        std::vector<Addition> additions;
        for (std::uint32_t entity = 0; entity < 200; ++entity) {
            const std::uint32_t image = 1 + random() % 3;
            additions.push_back({sprite(images, image, static_cast<float>(entity)),
                                 {static_cast<std::int16_t>(random() % 3 - 1), 0},
                                 image,
                                 entity});
        }
        std::vector<DrawItem> first;
        for (int shuffle = 0; shuffle < 3; ++shuffle) {
            std::ranges::shuffle(additions, random);
            DrawList list;
            for (const Addition& a : additions) list.add(a.item, a.order, a.image, a.entity);
            list.sort(images);
            const std::vector<DrawItem> sorted{list.items().begin(), list.items().end()};
            if (shuffle == 0) first = sorted;
            CHECK(sorted == first);
        }
    }
}

TEST_CASE("runs are maximal, cover every item once, and name the state of all their items") {
    std::mt19937 random{8};
    const ImageTable images = three_images();
    for (int program = 0; program < 100; ++program) {
        DrawList list;
        const std::size_t count = random() % 150;
        for (std::size_t i = 0; i < count; ++i) {
            std::uint32_t image = 0;
            const DrawItem item = random_item(random, images, list, image);
            const auto layer = static_cast<std::int16_t>(random() % 2);
            if (random() % 2 == 0)
                list.add(item, {layer, 0}, image, static_cast<std::uint32_t>(i));
            else
                list.add_immediate(item, layer, image);
        }
        list.sort(images);
        std::uint32_t next = 0;
        const DrawRun* previous = nullptr;
        for (const DrawRun& run : list.runs()) {
            REQUIRE(run.first == next);
            REQUIRE(run.count > 0);
            for (std::uint32_t i = run.first; i < run.first + run.count; ++i) {
                const DrawItem& item = list.items()[i];
                CHECK(item.blend() == run.blend);
                CHECK(((item.flags & kDrawScreen) != 0) == run.screen);
                CHECK((item.kind == DrawKind::sprite) == (run.kind == DrawKind::sprite));
                CHECK((item.kind == DrawKind::text) == (run.kind == DrawKind::text));
                if (item.kind == DrawKind::sprite) CHECK(run.image == images[item.ref].image);
                CHECK((item.kind == DrawKind::mesh) == (run.kind == DrawKind::mesh));
                CHECK(list.mesh(item).empty() == (item.kind != DrawKind::mesh));
            }
            if (previous != nullptr) {
                DrawRun same_place = *previous;
                same_place.first = run.first;
                same_place.count = run.count;
                CHECK_FALSE(same_place == run);
            }
            previous = &run;
            next += run.count;
        }
        CHECK(next == count);
    }
}

TEST_CASE("the screen is above the world, layers decide within each, and later calls cover earlier ones") {
    const ImageTable images = three_images();
    DrawList list;
    const auto rectangle = [](float x, std::uint8_t flags = 0) {
        DrawItem item;
        item.x = x;
        item.flags = flags;
        return item;
    };
    list.add_immediate(rectangle(5, kDrawScreen), -100);
    list.add_immediate(rectangle(4), 1);
    list.add_immediate(rectangle(2), 0);
    list.add_immediate(rectangle(3), 0);
    list.add(sprite(images, 2, 1), {0, 0}, 2, 77);
    list.add(sprite(images, 3, 0), {-32768, 0}, 3, 78);
    list.sort(images);
    std::vector<float> order;
    for (const DrawItem& item : list.items()) order.push_back(item.x);
    CHECK(order == std::vector<float>{0, 1, 2, 3, 4, 5});
}

TEST_CASE("a partly filled batch is drawn with the other items") {
    const ImageTable images = three_images();
    DrawList list;
    const DrawList::Batch batch = list.begin_batch(100);
    REQUIRE(batch.count == 100);
    for (std::uint32_t i = 0; i < 3; ++i) {
        batch.items[i] = sprite(images, 1, static_cast<float>(i));
        batch.entries[i] = {draw_key(batch.items[i], {}, 1), 3 - i, batch.first_item + i};
    }
    list.end_batch(batch, 3);
    list.sort(images);
    REQUIRE(list.items().size() == 3);
    CHECK(list.items()[0].x == 2);
    CHECK(list.runs().size() == 1);
}

TEST_CASE("texts keep their bytes until the list is cleared") {
    DrawList list;
    DrawItem item;
    item.kind = DrawKind::text;
    item.ref = list.add_text("one");
    DrawItem other = item;
    other.ref = list.add_text("two");
    CHECK(list.text(item) == "one");
    CHECK(list.text(other) == "two");
    CHECK(list.add_text("") == 0);
    CHECK(list.text(DrawItem{.kind = DrawKind::text}).empty());
    list.clear();
    CHECK(list.text(item).empty());
}

TEST_CASE("a full list drops and counts instead of growing without end") {
    DrawList list;
    CHECK(list.begin_batch(DrawList::kMaxItems + 5).count == DrawList::kMaxItems);
    list.add({}, {});
    CHECK(list.dropped() == 6);
    CHECK(list.add_text(std::string(DrawList::kMaxTextBytes + 1, 'x')) == 0);
    list.clear();
    CHECK(list.dropped() == 0);
}

TEST_CASE("immediate items have the state that was set before them, and equal states do not split runs") {
    const ImageTable images = three_images();
    DrawList list;
    list.camera = {1, 2, 3};
    const DrawState zoomed{.camera = {0, 0, 2}, .matrix = {}, .clip = {}};
    const DrawState clipped{.camera = {0, 0, 2}, .matrix = {}, .clip = {1, 2, 3, 4}};
    list.add({}, {});
    list.add_immediate({}, 0);
    list.set_state(zoomed);
    list.set_state(clipped);  // replaces the one before, which nothing was drawn with
    list.add_immediate({}, 0);
    list.set_state(zoomed);
    list.set_state(clipped);
    list.add_immediate({}, 0);
    list.set_state(zoomed);
    list.add_immediate({}, 0);
    list.sort(images);
    REQUIRE(list.runs().size() == 3);
    CHECK(list.runs()[0].count == 2);
    CHECK(list.state_of(list.runs()[0]) == DrawState{.camera = {1, 2, 3}, .matrix = {}, .clip = {}});
    CHECK(list.runs()[1].count == 2);
    CHECK(list.state_of(list.runs()[1]) == clipped);
    CHECK(list.state_of(list.runs()[2]) == zoomed);
}

TEST_CASE("items of the screen are one run, whatever the camera") {
    const ImageTable images = three_images();
    DrawList list;
    for (int i = 0; i < 3; ++i) {
        list.set_state({.camera = {0, 0, static_cast<float>(i + 1)}, .matrix = {}, .clip = {}});
        list.add_immediate(DrawItem{.flags = kDrawScreen}, 0);
    }
    list.sort(images);
    CHECK(list.runs().size() == 1);
}

TEST_CASE("a mesh keeps whole triangles, and a full list has no room for more") {
    DrawList list;
    DrawItem item{.kind = DrawKind::mesh};
    item.ref = list.add_mesh(std::vector<MeshPoint>(5, MeshPoint{.x = 7}));
    CHECK(list.mesh(item).size() == 3);
    item.ref = list.add_mesh(std::vector<MeshPoint>(6, MeshPoint{.x = 8}), 2);
    REQUIRE(list.mesh(item).size() == 6);
    CHECK(list.mesh(item)[0].x == 8);
    CHECK(list.add_mesh(std::vector<MeshPoint>(2)) == 0);
    CHECK(list.add_mesh(std::vector<MeshPoint>(DrawList::kMaxMeshPoints)) == 0);
    CHECK(list.mesh(DrawItem{.ref = 1}).empty());
    list.clear();
    CHECK(list.mesh(item).empty());
}

TEST_CASE("a list prints matrices, clips, arcs, ellipses and meshes") {
    const ImageTable images = three_images();
    DrawList list;
    list.set_state({.camera = {}, .matrix = {2, 0, 5, 0, 1, 0}, .clip = {1, 2, 3, 4}});
    list.add_immediate({.w = 3, .h = 4, .kind = DrawKind::circle}, 0);
    list.set_state({});
    list.add_immediate({.w = 3, .h = 3, .ref = 0x8000'4000, .origin_x = 1, .kind = DrawKind::arc}, 0);
    list.add_immediate({.w = 3, .h = 3, .ref = 1536}, 0);
    list.add_immediate({.w = 3, .h = 3, .stroke = 16, .origin_x = 1, .kind = DrawKind::line}, 0);
    list.add_immediate({.ref = list.add_mesh(std::vector<MeshPoint>(6)), .kind = DrawKind::mesh}, 0);
    list.sort(images);
    CHECK(list.dump(images) ==
          "camera 0,0 zoom 1\n"
          "matrix 2 0 5 / 0 1 0\n"
          "clip 1,2 3x4\n"
          "world 0 circle at 0,0 radius 3x4 #ffffffff\n"
          "matrix 1 0 0 / 0 1 0\n"
          "clip nothing\n"
          "world 0 arc at 0,0 radius 3 from 0.25 to 0.5 open #ffffffff\n"
          "world 0 rectangle at 0,0 size 3x3 corners 1.5 #ffffffff\n"
          "world 0 line at 0,0 to 3,3 round stroke 1 #ffffffff\n"
          "world 0 mesh at 0,0 of 2 triangles #ffffffff\n");
}

TEST_CASE("a list prints itself line by line") {
    const ImageTable images = three_images();
    DrawList list;
    DrawItem item = sprite(images, 2, 1.5F);
    item.angle = 16384;
    item.origin_x = item.origin_y = 64;
    item.flags = kDrawFlipX | static_cast<std::uint8_t>(BlendMode::add);
    list.add(item, {-3, 0}, 2, 1);
    DrawItem text;
    text.kind = DrawKind::text;
    text.ref = list.add_text("Score 10");
    text.h = 20;
    text.flags = kDrawScreen | static_cast<unsigned>(TextAlign::center) << kDrawAlignShift;
    list.add_immediate(text, 0);
    DrawItem line;
    line.kind = DrawKind::line;
    line.w = 3;
    line.h = 4;
    line.stroke = 32;
    line.color = 0x8000'00FF;
    list.add_immediate(line, 2);
    list.add(DrawItem{.kind = DrawKind::sprite}, {-4, 0});
    list.sort(images);
    CHECK(list.dump(images, [](std::uint32_t image) { return "image" + std::to_string(image); }) ==
          "camera 0,0 zoom 1\n"
          "world -4 sprite at 0,0 size 0x0 missing [0,0 16x16] #ffffffff\n"
          "world -3 sprite at 1.5,0 size 16x16 image2 [0,0 16x16] origin 0.5,0.5 turned 0.25 flip-x add "
          "#ffffffff\n"
          "world 2 line at 0,0 to 3,4 stroke 2 #ff000080\n"
          "screen 0 text at 0,0 size 20 center \"Score 10\" #ffffffff\n");
}

TEST_CASE("a text has the look that its item names, and equal looks in a row are one") {
    DrawList list;
    TextLook wide;
    wide.outline = 0.5F;
    CHECK(list.add_look({}) == 1);
    CHECK(list.add_look({}) == 1);
    CHECK(list.add_look(wide) == 2);
    DrawItem item{.kind = DrawKind::text};
    CHECK(list.look(item) == nullptr);
    item.set_look(2);
    CHECK(*list.look(item) == wide);
    item.set_look(40'000);
    CHECK(item.look() == 40'000);
    CHECK(list.look(item) == nullptr);
    for (std::uint32_t i = 0; i < DrawList::kMaxLooks - 2; ++i) {
        wide.revealed = i;
        CHECK(list.add_look(wide) == i + 3);
    }
    wide.outline = 0.25F;
    CHECK(list.add_look(wide) == 0);  // the list is full: the text is plain
    list.clear();
    CHECK(list.add_look(wide) == 1);
}

TEST_CASE("a view is a list of its own, printed before the items around it [P11]") {
    const ImageTable images = three_images();
    DrawList list;
    for (int frame = 0; frame < 2; ++frame) {
        list.clear();
        DrawList& left = list.add_view({0, 0, 50, 100}, {1, 2, 3});
        left.clear_color = 0xFF00'00FF;
        DrawList& right = list.add_view({50, 0, 50, 100}, {4, 5, 6, 0.5F});
        left.add({.w = 1, .h = 1}, {1, 0});
        right.add({.w = 2, .h = 2}, {0, 0});
        list.add_immediate({.w = 3, .h = 3, .flags = kDrawScreen}, 0);
        list.sort(images);
        CHECK(list.item_count() == 3);
        CHECK(list.dump(images) ==
              "view 0,0 50x100 #ff0000ff\n"
              "camera 1,2 zoom 3\n"
              "world 1 rectangle at 0,0 size 1x1 #ffffffff\n"
              "view 50,0 50x100\n"
              "camera 4,5 zoom 6 turned 0.5\n"
              "world 0 rectangle at 0,0 size 2x2 #ffffffff\n"
              "over the views\n"
              "camera 0,0 zoom 1\n"
              "screen 0 rectangle at 0,0 size 3x3 #ffffffff\n");
    }
    list.clear();
    CHECK(list.views().empty());
}

TEST_CASE("a view gets what another list has by calls for the world, below its own calls") {
    const ImageTable images = three_images();
    DrawList list;
    list.camera = {7, 7, 7};
    DrawList& view = list.add_view({0, 0, 10, 10}, {1, 1, 1});
    view.add({.w = 9, .h = 9}, {0, 0}, 0, 5);
    view.add_immediate({.h = 1, .ref = view.add_text("own"), .kind = DrawKind::text}, 0);
    view.set_state({.camera = view.camera, .matrix = {}, .clip = {0, 0, 1, 1}});
    view.add_immediate({.w = 8, .h = 8}, 0);

    list.add({.w = 7, .h = 7}, {0, 0}, 0, 6);  // of an entity: each view has its own
    list.add_immediate({.h = 1, .ref = list.add_text("all"), .kind = DrawKind::text}, 0);
    list.set_state({.camera = {5, 5, 5}, .matrix = {}, .clip = {}});
    list.add_immediate({.ref = list.add_mesh(std::vector<MeshPoint>(3), 2), .kind = DrawKind::mesh}, 0, 2);
    list.add_immediate({.w = 6, .h = 6, .flags = kDrawScreen}, 0);
    list.set_state({.camera = list.camera, .matrix = {2, 0, 0, 0, 2, 0}, .clip = {}});
    list.add_immediate(sprite(images, 1), 0, 1);
    list.add_immediate(sprite(images, 3), 0, 3);

    view.add_world_of(list, 3);
    list.drop_world();
    list.sort(images);
    CHECK(list.dump(images) ==
          "view 0,0 10x10\n"
          "camera 1,1 zoom 1\n"
          "world 0 rectangle at 0,0 size 9x9 #ffffffff\n"
          "world 0 text at 0,0 size 1 left \"all\" #ffffffff\n"
          "camera 5,5 zoom 5\n"
          "world 0 mesh at 0,0 of 1 triangles #ffffffff\n"
          "camera 1,1 zoom 1\n"
          "matrix 2 0 0 / 0 2 0\n"
          "world 0 sprite at 0,0 size 16x16 #1 [0,0 16x16] #ffffffff\n"
          "matrix 1 0 0 / 0 1 0\n"
          "world 0 text at 0,0 size 1 left \"own\" #ffffffff\n"
          "clip 0,0 1x1\n"
          "world 0 rectangle at 0,0 size 8x8 #ffffffff\n"
          "over the views\n"
          "camera 7,7 zoom 7\n"
          "screen 0 rectangle at 0,0 size 6x6 #ffffffff\n");
}

TEST_CASE("a list keeps the layers of a set") {
    const ImageTable images = three_images();
    DrawList list;
    for (const std::int16_t layer : {-2, 0, 4, 9})
        list.add({.w = static_cast<float>(layer), .h = 1}, {layer, 0});
    list.keep_layers([](std::int16_t layer) { return layer >= 0 && layer <= 4; });
    list.sort(images);
    REQUIRE(list.items().size() == 2);
    CHECK(list.items()[0].w == 0);
    CHECK(list.items()[1].w == 4);
}
