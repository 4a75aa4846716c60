// Views keep their place, and show nothing outside of a run.
#include "scripting/views/event_views.h"

#include <catch2/catch.hpp>

#include <array>

namespace perigee {
namespace {

TEST_CASE("the views of a type stay where they are, however many types there are") {
    EventViews views;
    EventViews::Pair& first = views.of(ComponentId{7});
    CHECK(first.reading.self == reinterpret_cast<std::uint64_t>(&first.reading));
    CHECK(first.writing.self == reinterpret_cast<std::uint64_t>(&first.writing));
    for (std::uint16_t i = 0; i < 100; ++i) views.of(ComponentId{i});
    CHECK(&views.of(ComponentId{7}) == &first);
}

TEST_CASE("lent rows are taken back") {
    EventViews views;
    std::array<std::byte, 64> rows{};
    EventViews::Pair& pair = views.of(ComponentId{1});
    EventViews::lend(pair.reading, rows.data(), 4, 9);
    EventViews::lend(pair.writing, rows.data(), 2, 10);
    CHECK(pair.reading.address == reinterpret_cast<std::uint64_t>(rows.data()));
    CHECK(pair.reading.count == 4);
    CHECK(pair.reading.epoch == 9);
    CHECK(pair.writing.count == 2);
    views.disarm();
    for (const ColumnView* view : {&pair.reading, &pair.writing}) {
        CHECK(view->address == 0);
        CHECK(view->count == 0);
        CHECK(view->epoch == 0);
        CHECK(view->self == reinterpret_cast<std::uint64_t>(view));
    }
}

}  // namespace
}  // namespace perigee
