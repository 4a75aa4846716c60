// Prefabs are found by name and id, and their components are sorted once.
#include "ecs/world/prefab.h"

#include <catch2/catch.hpp>

namespace perigee {
namespace {

using Catch::Matchers::Contains;

TEST_CASE("a prefab is found by its name and keeps its components sorted") {
    PrefabStore store;
    Prefab zombie;
    zombie.name = "Zombie";
    zombie.components = {{ComponentId{5}, {std::byte{1}}}, {ComponentId{2}, {}}};
    const PrefabId id = store.add(zombie).value();
    CHECK(store.find("Zombie") == id);
    CHECK_FALSE(store.find("zombie").has_value());
    CHECK(store.get(id).components[0].component == ComponentId{2});
    CHECK(store.get(id).components[1].value.size() == 1);
    CHECK(store.size() == 1);
}

TEST_CASE("a prefab name that is in use is refused") {
    PrefabStore store;
    Prefab zombie;
    zombie.name = "Zombie";
    static_cast<void>(store.add(zombie).value());
    CHECK_THAT(store.add(zombie).error().message, Contains("prefab 'Zombie' exists already"));
    CHECK(store.size() == 1);
}

TEST_CASE("two prefabs swap contents and keep their names") {
    PrefabStore store;
    const auto add = [&](const char* name, std::uint16_t component) {
        Prefab prefab;
        prefab.name = name;
        prefab.components = {{ComponentId{component}, {}}};
        return store.add(std::move(prefab)).value();
    };
    const PrefabId a = add("A", 1);
    const PrefabId b = add("B", 2);
    store.swap_contents(a, b);
    CHECK(store.get(a).name == "A");
    CHECK(store.get(a).components[0].component == ComponentId{2});
    CHECK(store.get(b).components[0].component == ComponentId{1});
    CHECK(store.find("B") == b);
}

}  // namespace
}  // namespace perigee
