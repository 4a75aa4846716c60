// Lists with batches of particles against lists into which their items were added.
#include "engine/assets/image_table.h"
#include "engine/draw/draw_list.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <vector>

using namespace perigee;

namespace {

ParticleLooks looks_of(const DrawItem& like) {
    ParticleLooks looks;
    for (std::size_t step = 0; step < looks.items.size(); ++step) {
        looks.items[step] = like;
        looks.items[step].w = looks.items[step].h = static_cast<float>(step);
        looks.items[step].color = 0xFF000000U | static_cast<std::uint32_t>(step);
    }
    return looks;
}

ParticleItem particle(std::size_t i) {
    const auto number = static_cast<float>(i);
    return {30 * std::sin(number), 30 * std::cos(number), static_cast<std::uint16_t>(i * 7 % 64),
            static_cast<std::uint16_t>(i * 911)};
}

// `written`: of `count` for which there is room.
void add(DrawList& list, const ParticleLooks& looks, DrawOrder order, std::size_t count, std::size_t written,
         bool copies) {
    if (copies) {
        for (std::size_t i = 0; i < written; ++i) list.add(looks.item_of(particle(i)), order, 0, 9);
        return;
    }
    const std::span<ParticleItem> batch = list.begin_particles(count);
    for (std::size_t i = 0; i < written; ++i) batch[i] = particle(i);
    list.end_particles(batch, written, looks, draw_key(looks.items[0], order, 0), 9);
}

std::size_t count_of(const DrawList& list) {
    std::size_t count = 0;
    for (const DrawRun& run : list.runs()) count += run.count;
    return count;
}

}  // namespace

TEST_CASE("particles are painted in the order in which their items would be") {
    const ImageTable images;
    const ParticleLooks round = looks_of({.kind = DrawKind::circle});
    const ParticleLooks square = looks_of({.origin_x = 64, .origin_y = 64, .flags = 1});
    DrawList lists[2];
    for (DrawList& list : lists) {
        const bool copies = &list == &lists[1];
        for (int frame = 0; frame < 2; ++frame) {
            list.clear();
            add(list, square, {3, 5}, 40, 30, copies);
            list.add({.x = 1}, {3, 5});
            add(list, round, {-2, 0}, 50, 50, copies);
            add(list, round, {7, 0}, 10, 0, copies);
            list.add({.x = 2}, {-2, 1});
            add(list, round, {3, 5}, 20, 20, copies);
            list.add_immediate({.x = 3}, 0);
            list.sort(images);
        }
    }
    CHECK(lists[0].dump(images) == lists[1].dump(images));
    CHECK(lists[0].item_count() == 103);
    CHECK(count_of(lists[0]) == 103);
    std::vector<DrawItem> scratch, all;
    for (const DrawRun& run : lists[0].runs()) {
        const auto items = lists[0].items_of(run, scratch);
        CHECK(items.size() == run.count);
        CHECK((run.looks == 0 || &lists[0].looks_of(run) != nullptr));
        all.insert(all.end(), items.begin(), items.end());
    }
    CHECK(std::ranges::equal(all, lists[1].items()));
    lists[0].drop_world();
    lists[0].sort(images);
    CHECK(lists[0].runs().empty());
    lists[0].clear();
    CHECK(lists[0].item_count() == 0);
}

TEST_CASE("a list has room for as many particles as for items, and counts those that are left out") {
    DrawList list;
    const auto batch = list.begin_particles(DrawList::kMaxItems + 10);
    CHECK(batch.size() == DrawList::kMaxItems);
    CHECK(list.dropped() == 10);
    list.end_particles(batch, batch.size(), looks_of({}), 0, 0);
    const auto more = list.begin_particles(5);
    CHECK(more.empty());
    list.end_particles(more, 0, looks_of({}), 0, 0);
    CHECK(list.dropped() == 15);
    CHECK(list.item_count() == DrawList::kMaxItems);
}
