// Kept items on the card: the same pixels as copies of them, uploaded once.
#include "engine/sdl/gl/kept_buffer.h"

#include "tests/engine/sdl/picture_scene.h"

#include <catch2/catch.hpp>

#include <random>

using namespace perigee;
using test::count_different;
using test::PictureScene;

namespace {

std::shared_ptr<KeptItems> random_items(std::mt19937& random, const PictureScene& scene,
                                        std::uint32_t first_tie) {
    const auto kept = std::make_shared<KeptItems>();
    kept->stamp = new_stamp();
    for (std::uint32_t i = 0; i < 40; ++i) {
        kept->items.push_back({.x = static_cast<float>(random() % 160) - 32,
                               .y = static_cast<float>(random() % 160) - 32,
                               .w = 8,
                               .h = 8,
                               .ref = scene.images.frame_of(scene.four, 0),
                               .kind = DrawKind::sprite});
        kept->ties.push_back(first_tie + i);
    }
    return kept;
}

}  // namespace

TEST_CASE("kept items are drawn as copies of them are, by each renderer, among others") {
    PictureScene scene{{96, 96}};
    std::mt19937 random{3};
    const auto first = random_items(random, scene, 1);
    const auto second = random_items(random, scene, 100);
    const std::uint64_t key = draw_key(first->items[0], {}, scene.four);
    const auto fill = [&](DrawList& list, bool copies) {
        list.camera = {40, 44, 1};
        for (const auto& kept : {first, second}) {
            if (!copies) list.add_kept(kept, {key, 0, 40});
            for (std::size_t i = 0; copies && i < 40; ++i)
                list.add(kept->items[i], {}, scene.four, kept->ties[i]);
            DrawItem moving = kept->items[7];
            moving.x += 5;
            list.add(moving, {}, scene.four, kept->ties.back() + 1);
        }
        list.add_immediate({.x = 20, .y = 20, .w = 9, .h = 9}, 0);
        list.add({.x = 5, .y = 5, .w = 20, .h = 20}, {-1, 0});
    };
    for (int round = 0; round < 3; ++round) {
        scene.add([&](DrawList& list) { fill(list, false); });
        const Picture gl = scene.with_gl();
        const std::size_t calls = scene.gl_calls();
        const Picture software = scene.with_software();
        const Picture gles = scene.with_sdl_gles();
        scene.add([&](DrawList& list) { fill(list, true); });
        CHECK(count_different(gl, scene.with_gl()) == 0);
        CHECK(count_different(software, scene.with_software()) == 0);
        CHECK(count_different(gles, scene.with_sdl_gles()) == 0);
        CHECK(calls == 6);
    }
}

TEST_CASE("kept items that moved are drawn as copies of them are, by each renderer, among others") {
    PictureScene scene{{96, 96}};
    std::mt19937 random{4};
    std::vector<std::shared_ptr<KeptItems>> all;
    for (std::uint32_t i = 0; i < 3; ++i) all.push_back(random_items(random, scene, 100 * i + 1));
    const std::uint64_t key = draw_key(all[0]->items[0], {}, scene.four);
    const auto moved = [](DrawItem item) {
        item.x = 70 - item.y;
        item.y = item.x + 0.5F;
        return item;
    };
    const auto fill = [&](DrawList& list, bool copies) {
        list.camera = {40, 44, 1};
        list.add({.x = 5, .y = 5, .w = 20, .h = 20}, {-1, 0});
        for (const auto& kept : all) {
            const bool is_last = kept == all.back();
            for (std::size_t i = 0; copies && i < 40; ++i)
                list.add(is_last ? kept->items[i] : moved(kept->items[i]), {}, scene.four, kept->ties[i]);
            if (copies) continue;
            if (is_last) {
                list.add_kept(kept, {key, 0, 40});
                continue;
            }
            const std::span<ItemPlace> places = list.add_places(40);
            for (std::size_t i = 0; i < 40; ++i)
                places[i] = {moved(kept->items[i]).x, moved(kept->items[i]).y};
            for (const std::uint32_t first : {0U, 25U})
                list.add_moved(kept, {key, first, first == 0 ? 25U : 15U}, places);
        }
        list.add_immediate({.x = 20, .y = 20, .w = 9, .h = 9}, 0);
    };
    for (int round = 0; round < 3; ++round) {
        scene.add([&](DrawList& list) { fill(list, false); });
        const Picture gl = scene.with_gl();
        CHECK(scene.gl_calls() == 4);  // neighbours are one call
        const Picture software = scene.with_software();
        const Picture gles = scene.with_sdl_gles();
        scene.add([&](DrawList& list) { fill(list, true); });
        CHECK(count_different(gl, scene.with_gl()) == 0);
        CHECK(count_different(software, scene.with_software()) == 0);
        CHECK(count_different(gles, scene.with_sdl_gles()) == 0);
    }
}

TEST_CASE("what moves uploads its places alone") {
    PictureScene scene{{96, 96}};
    std::mt19937 random{6};
    const auto kept = random_items(random, scene, 1);
    for (int round = 0; round < 8; ++round) {
        scene.add([&](DrawList& list) {
            const std::span<ItemPlace> places = list.add_places(40);
            for (ItemPlace& place : places) place = {static_cast<float>(round), 3};
            list.add_moved(kept, {draw_key(kept->items[0], {}, scene.four), 0, 40}, places);
        });
        static_cast<void>(scene.with_gl());
        if (round > 4) CHECK(scene.gl_uploads() == 40 * sizeof(ItemPlace));  // the buffers are large enough
    }
}

TEST_CASE("kept items are uploaded once, and the buffer forgets what is not used any more when it is full") {
    PictureScene scene{{96, 96}};
    std::mt19937 random{5};
    std::vector<std::shared_ptr<KeptItems>> all;
    for (std::uint32_t i = 0; i < 40; ++i) all.push_back(random_items(random, scene, 100 * i + 1));
    gl::KeptBuffer buffer;
    static_cast<void>(scene.with_gl());  // its context is the current one
    const auto upload = [&](std::size_t first, std::size_t last) {
        DrawList list;
        for (std::size_t i = first; i < last; ++i)
            list.add_kept(all[i], {draw_key(all[i]->items[0], {}, scene.four), 0, 40});
        list.sort(scene.images);
        buffer.begin_frame();
        buffer.begin_list(list);
        std::size_t next = buffer.place_of(*all[first]);
        for (std::size_t i = first; i < last; ++i, next += 40) CHECK(buffer.place_of(*all[i]) == next);
        return buffer.written_bytes();
    };
    CHECK(upload(0, 20) == 20 * 40 * sizeof(DrawItem));
    CHECK(upload(0, 20) == 0);
    CHECK(upload(10, 30) == 10 * 40 * sizeof(DrawItem));
    for (int round = 0; round < 30; ++round) {
        for (auto& kept : all) {
            const auto other = std::make_shared<KeptItems>(*kept);
            other->stamp = new_stamp();
            kept = other;
        }
        CHECK(upload(0, 40) == 40 * 40 * sizeof(DrawItem));
        CHECK(upload(0, 40) == 0);
    }
}
