// Freeing and cloning cells that own memory.
#include "ecs/storage/internal/owned_cells.h"

#include "ecs/storage/buffer.h"
#include "ecs/storage/object_store.h"

#include <catch2/catch.hpp>

#include <cstring>
#include <vector>

namespace perigee {
namespace {

using internal::clone_cell;
using internal::release_cell;

struct Stage {
    ComponentRegistry registry;
    BufferPool pool;
    ObjectStore objects;
    std::uint64_t version = 0;
    const ComponentInfo* path = nullptr;
    const ComponentInfo* brain = nullptr;

    explicit Stage(std::size_t limit = SIZE_MAX) : pool(limit) {
        Schema list;
        list.name = "Path";
        list.kind = ComponentKind::buffer;
        list.buffer_capacity = 4;
        list.fields.resize(1);
        list.fields[0].name = "at";
        list.fields[0].type = FieldType::i32;
        path = &registry.info(registry.declare(list).value());
        Schema object;
        object.name = "Brain";
        object.kind = ComponentKind::object;
        brain = &registry.info(registry.declare(object).value());
    }
    // A cell with the numbers 0 .. length - 1.
    std::vector<std::uint64_t> list(int length) {
        std::vector<std::uint64_t> cell(path->cell_bytes / 8);
        BufferView<int> numbers = view(cell);
        REQUIRE(numbers.reserve(static_cast<std::uint32_t>(length)));
        for (int i = 0; i < length; ++i) REQUIRE(numbers.push(i));
        return cell;
    }
    BufferView<int> view(std::vector<std::uint64_t>& cell) {
        return BufferView<int>(DynamicBuffer(bytes(cell), *path, pool, version));
    }
    static std::byte* bytes(std::vector<std::uint64_t>& cell) {
        return reinterpret_cast<std::byte*>(cell.data());
    }
};

TEST_CASE("[K6] a cloned buffer has its own copy of the elements") {
    Stage stage;
    for (const int length : {0, 3, 4, 5, 1000}) {
        std::vector<std::uint64_t> cell = stage.list(length);
        if (length == 3) REQUIRE(stage.view(cell).reserve(100));  // on the heap, though it is short
        std::vector<std::uint64_t> copy(cell.size(), ~std::uint64_t{0});
        REQUIRE(clone_cell(*stage.path, Stage::bytes(cell), Stage::bytes(copy), stage.pool, stage.objects));
        release_cell(*stage.path, Stage::bytes(cell), stage.pool, stage.objects);
        CHECK(stage.view(cell).length() == 0);
        BufferView<int> numbers = stage.view(copy);
        REQUIRE(numbers.length() == static_cast<std::uint32_t>(length));
        CHECK(numbers.is_on_heap() == (length > 4));
        for (std::uint32_t i = 0; i < numbers.length(); ++i) REQUIRE(numbers[i] == static_cast<int>(i));
        REQUIRE(numbers.push(5));
        release_cell(*stage.path, Stage::bytes(copy), stage.pool, stage.objects);
    }
    CHECK(stage.pool.stats().bytes_in_use == 0);
}

TEST_CASE("[K6] cloning a buffer without memory gives an empty buffer") {
    Stage stage(128);
    std::vector<std::uint64_t> cell = stage.list(20);
    std::vector<std::uint64_t> copy(cell.size(), ~std::uint64_t{0});
    CHECK_FALSE(clone_cell(*stage.path, Stage::bytes(cell), Stage::bytes(copy), stage.pool, stage.objects));
    CHECK(stage.view(copy).length() == 0);
    CHECK(stage.view(cell).length() == 20);
    release_cell(*stage.path, Stage::bytes(cell), stage.pool, stage.objects);
}

TEST_CASE("[K3] a cloned object is shared, and freed with the last row") {
    Stage stage;
    auto object = std::make_shared<int>(7);
    ObjectSlot slot = 0;
    stage.objects.assign(slot, object);
    ObjectSlot copy = 99;
    auto* const from = reinterpret_cast<std::byte*>(&slot);
    auto* const to = reinterpret_cast<std::byte*>(&copy);
    REQUIRE(clone_cell(*stage.brain, from, to, stage.pool, stage.objects));
    CHECK(copy != slot);
    CHECK(stage.objects.get(copy) == object);
    release_cell(*stage.brain, from, stage.pool, stage.objects);
    CHECK(slot == 0);
    CHECK(object.use_count() == 2);
    release_cell(*stage.brain, to, stage.pool, stage.objects);
    release_cell(*stage.brain, to, stage.pool, stage.objects);  // nil: nothing to do
    CHECK(object.use_count() == 1);
    CHECK(stage.objects.slots_in_use() == 0);
}

}  // namespace
}  // namespace perigee
