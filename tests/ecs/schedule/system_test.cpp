// The access that a declaration describes.
#include "ecs/schedule/system.h"

#include <catch2/catch.hpp>

namespace perigee {
namespace {

TEST_CASE(
    "[Q2] a system declares the components of its query and access lists, and writing includes reading") {
    const ComponentId read{1}, written{2}, besides{3}, besides_written{4}, filtered{5};
    SystemDesc system;
    system.query.terms = {{read, Access::read}, {written, Access::write, true}};
    system.query.without = {filtered};
    system.access.read = {besides};
    system.access.write = {besides_written};
    for (const ComponentId id : {read, written, besides, besides_written}) {
        CHECK(declares(system, id, Access::read));
        CHECK(declares(system, id, Access::write) == (id == written || id == besides_written));
    }
    CHECK_FALSE(declares(system, filtered, Access::read));
}

}  // namespace
}  // namespace perigee
