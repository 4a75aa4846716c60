// A resource exists from its declaration on and keeps its address.
#include "ecs/storage/resource_store.h"

#include "tests/support/broken_contract.h"

#include <catch2/catch.hpp>

#include <cstring>

namespace perigee {
namespace {

Schema counter() {
    Schema schema;
    schema.name = "Counter";
    schema.kind = ComponentKind::resource;
    schema.fields.resize(1);
    schema.fields[0].name = "count";
    schema.fields[0].type = FieldType::u32;
    schema.fields[0].default_value = {41.0};
    REQUIRE(layout_schema(schema).empty());
    return schema;
}

TEST_CASE("a resource starts with its defaults and keeps its address") {
    ResourceStore store;
    const Schema schema = counter();
    store.create(ComponentId{3}, schema);
    std::byte* bytes = store.data(ComponentId{3});
    std::uint32_t count = 0;
    std::memcpy(&count, bytes, 4);
    CHECK(count == 41);
    for (std::uint16_t i = 10; i < 100; ++i) store.create(ComponentId{i}, schema);
    CHECK(store.data(ComponentId{3}) == bytes);
    CHECK(store.ids().size() == 91);
    CHECK(store.ids()[0] == ComponentId{3});
}

TEST_CASE("a resource that was not created is not found") {
    ResourceStore store;
    CHECK(store.data(ComponentId{0}) == nullptr);
    CHECK_FALSE(store.has(ComponentId{}));
    const Schema schema = counter();
    store.create(ComponentId{1}, schema);
    const ResourceStore& read_only = store;
    CHECK(read_only.data(ComponentId{0}) == nullptr);
    CHECK(read_only.data(ComponentId{1}) != nullptr);
    const ContractWatch watch;
    CHECK_THROWS_AS(store.create(ComponentId{1}, schema), BrokenContract);
}

}  // namespace
}  // namespace perigee
