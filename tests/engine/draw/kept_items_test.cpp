// Lists with kept items against lists into which the same items were copied.
#include "engine/draw/kept_items.h"

#include "engine/assets/image_table.h"
#include "engine/draw/draw_list.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>
#include <set>

using namespace perigee;

namespace {

struct Sprite {
    DrawItem item;
    std::int16_t layer;
    std::uint32_t image;
    std::uint32_t entity;
    std::uint64_t key() const { return draw_key(item, {layer, 0}, image); }
};

Sprite random_sprite(std::mt19937& random, const ImageTable& images, std::uint32_t entity) {
    Sprite sprite{
        {}, static_cast<std::int16_t>(random() % 2), 1 + static_cast<std::uint32_t>(random() % 2), entity};
    sprite.item = {.x = static_cast<float>(entity),
                   .w = 16,
                   .h = 16,
                   .ref = images.frame_of(sprite.image, 0),
                   .kind = DrawKind::sprite,
                   .flags = static_cast<std::uint8_t>(random() % 2)};
    return sprite;
}

std::uint32_t count_of(const DrawList& list) {
    std::uint32_t count = 0;
    for (const DrawRun& run : list.runs()) count += run.count;
    return count;
}

// `is_moved`: the items are somewhere else, and the list gets the places of the sprites.
void add_kept(DrawList& list, std::vector<Sprite> sprites, bool is_moved = false) {
    std::ranges::sort(sprites, {}, [](const Sprite& s) { return std::pair{s.key(), s.entity}; });
    const auto kept = std::make_shared<KeptItems>();
    std::vector<KeptRange> ranges;
    for (const Sprite& sprite : sprites) {
        if (ranges.empty() || ranges.back().key != sprite.key())
            ranges.push_back({sprite.key(), static_cast<std::uint32_t>(kept->items.size()), 0});
        ++ranges.back().count;
        kept->items.push_back(sprite.item);
        kept->ties.push_back(sprite.entity);
    }
    if (!is_moved) {
        for (const KeptRange& range : ranges) list.add_kept(kept, range);
        return;
    }
    const std::span<ItemPlace> places = list.add_places(sprites.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
        places[i] = {sprites[i].item.x, sprites[i].item.y};
        kept->items[i].x = kept->items[i].y = -1;
    }
    for (const KeptRange& range : ranges) list.add_moved(kept, range, places);
}

}  // namespace

TEST_CASE("kept items are painted in the order in which copies of them would be") {
    std::mt19937 random{11};
    ImageTable images;
    for (std::uint32_t image = 1; image <= 2; ++image) images.add(image, 16, 16);
    int shown_whole = 0;
    int shown_moved = 0;
    std::vector<DrawItem> scratch;
    for (int program = 0; program < 300; ++program) {
        DrawList kept;
        DrawList copied;
        std::uint32_t entity = 1;
        // Blocks of neighbours, now and then with the entities of another one between them.
        for (unsigned block = 0; block < 1 + random() % 5; ++block) {
            std::vector<Sprite> sprites;
            for (unsigned i = 0; i < 1 + random() % 40; ++i)
                sprites.push_back(random_sprite(random, images, entity += 1 + random() % 3));
            for (const Sprite& s : sprites) copied.add(s.item, {s.layer, 0}, s.image, s.entity);
            if (random() % 3 == 0) {
                for (const Sprite& s : sprites) kept.add(s.item, {s.layer, 0}, s.image, s.entity);
            } else {
                add_kept(kept, sprites, random() % 2 == 0);
            }
            if (random() % 4 == 0) entity = 1 + random() % entity * 1000;
        }
        if (random() % 2 == 0) {
            kept.add_immediate({.w = 3, .h = 3}, 0);
            copied.add_immediate({.w = 3, .h = 3}, 0);
        }
        kept.sort(images);
        copied.sort(images);
        REQUIRE(kept.dump(images) == copied.dump(images));
        REQUIRE(kept.item_count() == copied.items().size());
        REQUIRE(count_of(kept) == copied.items().size());
        std::vector<DrawItem> painted;
        for (const DrawRun& run : kept.runs()) {
            shown_whole += run.kept != nullptr;
            shown_moved += run.places != 0;
            for (const DrawItem& item : kept.items_of(run, scratch)) {
                painted.push_back(item);
                CHECK(item.blend() == run.blend);
                if (item.kind == DrawKind::sprite) CHECK(images[item.ref].image == run.image);
            }
        }
        REQUIRE(std::ranges::equal(painted, copied.items()));
    }
    CHECK(shown_whole > 100);
    CHECK(shown_moved > 50);
}

TEST_CASE("kept items are copied if another entity's sprite lies between two of them, and only then") {
    ImageTable images;
    images.add(1, 16, 16);
    std::mt19937 random{1};
    const auto sprite = [&](std::uint32_t entity) {
        Sprite s = random_sprite(random, images, entity);
        s.layer = 0;
        s.image = 1;
        s.item.ref = images.frame_of(1, 0);
        s.item.flags = 0;
        return s;
    };
    const auto is_kept = [&](std::uint32_t other) {
        DrawList list;
        add_kept(list, {sprite(10), sprite(20), sprite(30)});
        const Sprite moving = sprite(other);
        list.add(moving.item, {0, 0}, 1, other);
        list.sort(images);
        return std::ranges::any_of(list.runs(), [](const DrawRun& run) { return run.kept != nullptr; });
    };
    CHECK(is_kept(9));
    CHECK(is_kept(31));
    CHECK_FALSE(is_kept(11));
    CHECK_FALSE(is_kept(29));
}

TEST_CASE("a few sprites between many kept ones cut them into few pieces") {
    ImageTable images;
    images.add(1, 16, 16);
    std::mt19937 random{2};
    for (const bool is_moved : {false, true})
        for (const unsigned count : {1U, 5U, 400U}) {
            DrawList kept, copied;
            const auto sprite = [&](std::uint32_t entity) {
                Sprite s{{.x = static_cast<float>(entity),
                          .w = 16,
                          .h = 16,
                          .ref = images.frame_of(1, 0),
                          .kind = DrawKind::sprite},
                         0,
                         1,
                         entity};
                copied.add(s.item, {s.layer, 0}, s.image, s.entity);
                return s;
            };
            std::vector<Sprite> others;
            for (std::uint32_t chunk = 0; chunk < 10; ++chunk) {
                std::vector<Sprite> sprites;
                for (std::uint32_t i = 0; i < 300; ++i) sprites.push_back(sprite(chunk * 1000 + 2 * i));
                add_kept(kept, sprites, is_moved);
            }
            std::set<std::uint32_t> between;
            while (between.size() < count)
                between.insert(static_cast<std::uint32_t>(random() % 5000) * 2 + 1);
            for (const std::uint32_t entity : between) others.push_back(sprite(entity));
            add_kept(kept, others, is_moved);
            kept.sort(images);
            copied.sort(images);
            REQUIRE(kept.dump(images) == copied.dump(images));
            REQUIRE(kept.item_count() == 3000 + count);
            const auto pieces =
                std::ranges::count_if(kept.runs(), [](const DrawRun& run) { return run.kept != nullptr; });
            if (count < 10) CHECK(pieces >= 10);
            if (count < 10) CHECK(kept.items().size() < count * 129);
            if (count == 400) CHECK(pieces == 0);
        }
}

TEST_CASE("places that nothing needs are given back") {
    DrawList list;
    list.drop_places(list.add_places(10));
    CHECK(list.places().empty());
    const std::span<ItemPlace> first = list.add_places(2);
    first[0] = {1, 2};
    list.drop_places(list.add_places(3));
    CHECK(list.places().size() == 2);
    CHECK(list.places()[0].y == 2);
    list.clear();
    CHECK(list.places().empty());
}

TEST_CASE("a list keeps the items alive until it is cleared, and stamps are unique") {
    ImageTable images;
    images.add(1, 16, 16);
    const auto kept = std::make_shared<KeptItems>();
    kept->items.resize(1);
    kept->ties = {1};
    DrawList list;
    list.add_kept(kept, {draw_key({.kind = DrawKind::sprite}, {}, 1), 0, 1});
    CHECK(kept.use_count() == 2);
    list.clear();
    CHECK(kept.use_count() == 1);
    CHECK(list.item_count() == 0);

    std::set<std::uint64_t> stamps;
    for (int i = 0; i < 100; ++i) stamps.insert(new_stamp());
    CHECK(stamps.size() == 100);
}
