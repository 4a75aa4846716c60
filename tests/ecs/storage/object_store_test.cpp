// Objects live as long as a slot refers to them and their owner exists.
#include "ecs/storage/object_store.h"

#include "tests/support/broken_contract.h"

#include <catch2/catch.hpp>

#include <map>
#include <random>

namespace perigee {
namespace {

TEST_CASE("[K3] an object is freed with the last slot that shares it") {
    ObjectStore store;
    auto object = std::make_shared<int>(7);
    ObjectSlot slot = 0;
    store.assign(slot, object);
    REQUIRE(slot != 0);
    CHECK(*std::static_pointer_cast<int>(store.get(slot)) == 7);
    const ObjectSlot copy = store.share(slot);
    CHECK(copy != slot);
    CHECK(object.use_count() == 3);
    store.release(slot);
    CHECK(store.get(copy) == object);
    store.release(copy);
    CHECK(object.use_count() == 1);
    CHECK(store.slots_in_use() == 0);
}

TEST_CASE("[K3] setting another object keeps the slot and releases the first object") {
    ObjectStore store;
    auto first = std::make_shared<int>(1);
    auto second = std::make_shared<int>(2);
    ObjectSlot slot = 0;
    store.assign(slot, first, 3);
    const ObjectSlot before = slot;
    store.assign(slot, second, 4);
    CHECK(slot == before);
    CHECK(first.use_count() == 1);
    CHECK(store.owner(slot) == 4);
    store.assign(slot, nullptr);
    CHECK(slot == 0);
    CHECK(second.use_count() == 1);
    CHECK(store.get(0) == nullptr);
    CHECK(store.share(0) == 0);
}

TEST_CASE("[K3] when an owner is removed, its objects become nil and those of others stay") {
    ObjectStore store;
    auto theirs = std::make_shared<int>(1);
    auto ours = std::make_shared<int>(2);
    ObjectSlot first = 0, second = 0;
    store.assign(first, theirs, 8);
    store.assign(second, ours, 9);
    store.release_owner(8);
    CHECK(theirs.use_count() == 1);
    CHECK(store.get(first) == nullptr);
    CHECK(store.share(first) == 0);
    CHECK(store.get(second) == ours);
    store.assign(first, ours, 9);  // the slot still belongs to the cell
    CHECK(store.get(first) == ours);
    store.release(first);
    store.release(second);
    CHECK(store.slots_in_use() == 0);
}

TEST_CASE("[K3] random slots agree with a map of shared pointers") {
    ObjectStore store;
    std::map<ObjectSlot, std::shared_ptr<int>> model;
    std::mt19937 random(5);
    std::vector<std::shared_ptr<int>> objects;
    for (int i = 0; i < 10; ++i) objects.push_back(std::make_shared<int>(i));
    const auto any_slot = [&] {
        return std::next(model.begin(), static_cast<std::ptrdiff_t>(random() % model.size()));
    };
    for (int step = 0; step < 5000; ++step) {
        const auto& object = objects[random() % objects.size()];
        switch (model.empty() ? 0 : random() % 4) {
            case 0: {
                ObjectSlot slot = 0;
                store.assign(slot, object);
                REQUIRE(model.emplace(slot, object).second);
                break;
            }
            case 1: {
                ObjectSlot slot = any_slot()->first;
                store.assign(slot, object);
                model[slot] = object;
                break;
            }
            case 2: {
                const auto original = any_slot();
                REQUIRE(model.emplace(store.share(original->first), original->second).second);
                break;
            }
            default: {
                const auto dead = any_slot();
                store.release(dead->first);
                model.erase(dead);
                break;
            }
        }
        REQUIRE(store.slots_in_use() == model.size());
    }
    for (const auto& [slot, object] : model) REQUIRE(store.get(slot) == object);
}

TEST_CASE("[K3] a destructor of an object may use the store") {
    ObjectStore store;
    struct Chain {
        ObjectStore& store;
        ObjectSlot next;
        ~Chain() { store.release(next); }
    };
    ObjectSlot slot = 0;
    for (int i = 0; i < 100; ++i) {
        ObjectSlot head = 0;
        store.assign(head, std::make_shared<Chain>(store, slot));
        slot = head;
    }
    store.release(slot);
    CHECK(store.slots_in_use() == 0);
}

TEST_CASE("using a freed slot breaks a contract") {
    ObjectStore store;
    ObjectSlot slot = 0;
    store.assign(slot, std::make_shared<int>(1));
    ObjectSlot other = 0;
    store.assign(other, std::make_shared<int>(1));
    store.release(slot);
    ContractWatch watch;
    CHECK_THROWS_AS(store.assign(slot, std::make_shared<int>(2)), BrokenContract);
    CHECK_THROWS_AS(store.share(99), BrokenContract);
}

TEST_CASE("each component has its own hash function") {
    ObjectStore store;
    const ComponentId brain{3};
    CHECK(store.hash(brain) == nullptr);
    store.set_hash(brain, [](const std::shared_ptr<void>& object) {
        return static_cast<std::uint64_t>(*static_cast<int*>(object.get()));
    });
    REQUIRE(store.hash(brain) != nullptr);
    CHECK((*store.hash(brain))(std::make_shared<int>(5)) == 5);
    store.set_hash(brain, {});
    CHECK(store.hash(brain) == nullptr);
}

}  // namespace
}  // namespace perigee
