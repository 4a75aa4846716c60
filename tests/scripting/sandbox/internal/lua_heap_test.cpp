// The heap against a model: contents survive, blocks never overlap, every byte is counted.
#include "scripting/sandbox/internal/lua_heap.h"

#include "scripting/base/internal/shared_limit.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <utility>
#include <vector>

namespace perigee::internal {
namespace {

struct Block {
    unsigned char* bytes;
    std::size_t size;
    unsigned char fill;
};

bool holds(const Block& block, std::size_t size) {
    return std::all_of(block.bytes, block.bytes + size,
                       [&](unsigned char byte) { return byte == block.fill; });
}

TEST_CASE("random allocations keep their contents and never overlap, trimmed or not") {
    const bool is_trimmed = GENERATE(false, true);
    std::mt19937 random(7);
    LuaHeap heap;
    std::vector<Block> blocks;
    std::size_t expected_bytes = 0;
    for (int step = 0; step < 6000; ++step) {
        const std::size_t size = random() % (std::size_t{1} << (random() % 20)) + 1;
        if (blocks.size() < 40) {
            blocks.push_back({static_cast<unsigned char*>(heap.reallocate(nullptr, random() % 9, size)), size,
                              static_cast<unsigned char>(step)});
            REQUIRE(blocks.back().bytes != nullptr);
            expected_bytes += size;
        } else {
            std::swap(blocks[random() % blocks.size()], blocks.back());
            Block& block = blocks.back();
            REQUIRE(holds(block, block.size));
            const std::size_t new_size = random() % 3 == 0 ? 0 : size;
            block.bytes = static_cast<unsigned char*>(heap.reallocate(block.bytes, block.size, new_size));
            expected_bytes += new_size - block.size;
            if (new_size == 0) {
                blocks.pop_back();
                continue;
            }
            REQUIRE(holds(block, std::min(new_size, block.size)));
            block.size = new_size;
        }
        std::memset(blocks.back().bytes, blocks.back().fill, blocks.back().size);
        REQUIRE(heap.used_bytes() == expected_bytes);
        if (is_trimmed && step % 50 == 0) heap.trim();
    }
    for (const Block& block : blocks) CHECK(holds(block, block.size));
}

TEST_CASE("blocks are aligned to sixteen bytes and are below 2^47") {
    LuaHeap heap;
    for (std::size_t size = 1; size < 600'000; size += size / 7 + 1) {
        const auto address = reinterpret_cast<std::uintptr_t>(heap.reallocate(nullptr, 0, size));
        CHECK(address % 16 == 0);
        CHECK(address < (std::uintptr_t{1} << 47));
    }
}

TEST_CASE("blocks that were freed side by side serve requests of other sizes once they are trimmed") {
    LuaHeap heap;
    std::vector<void*> blocks;
    for (int i = 0; i < 1000; ++i) blocks.push_back(heap.reallocate(nullptr, 0, 100));
    const std::size_t carved = heap.carved_bytes();
    for (void* block : blocks) heap.reallocate(block, 100, 0);
    heap.trim();
    std::vector<unsigned char*> others;
    for (std::size_t size = 16, total = 0; total + size < 100'000; total += size, size = size * 9 / 8 + 3) {
        others.push_back(static_cast<unsigned char*>(heap.reallocate(nullptr, 0, size)));
        std::memset(others.back(), 0xA5, size);
    }
    CHECK(heap.carved_bytes() == carved);
    CHECK(std::ranges::all_of(others, [](const unsigned char* bytes) { return *bytes == 0xA5; }));
}

TEST_CASE("a small range joins its free blocks before it grows") {
    LuaHeap heap;
    const auto use_and_free = [&](std::size_t size) {
        std::vector<void*> blocks;
        for (std::size_t used = 0; used < 200'000; used += size)
            blocks.push_back(heap.reallocate(nullptr, 0, size));
        for (void* block : blocks) heap.reallocate(block, size, 0);
    };
    use_and_free(48);
    const std::size_t carved = heap.carved_bytes();
    for (const std::size_t size : {64U, 160U, 1000U, 3000U, 32U}) use_and_free(size);
    CHECK(heap.carved_bytes() < carved + carved / 2);  // 5 times as much if it did not
}

TEST_CASE("the limit refuses growth and never shrinking") {
    LuaHeap heap(1'000'000);
    void* block = heap.reallocate(nullptr, 0, 900'000);
    REQUIRE(block != nullptr);
    CHECK_FALSE(heap.has_refused());
    CHECK(heap.reallocate(nullptr, 0, 200'000) == nullptr);
    CHECK(heap.has_refused());
    CHECK(heap.reallocate(block, 900'000, 1'100'000) == nullptr);
    heap.set_limit_bytes(10);
    block = heap.reallocate(block, 900'000, 500);
    CHECK(block != nullptr);
    CHECK(heap.used_bytes() == 500);
    CHECK(heap.peak_bytes() == 900'000);
}

TEST_CASE("a heap counts its resident bytes, and notifies when there are too many") {
    LuaHeap heap;
    int calls = 0;
    heap.watch(
        4'000'000, 6'000'000, std::size_t{4} << 30,
        [](void* counter) noexcept { ++*static_cast<int*>(counter); }, &calls);
    // More than what a small heap joins again.
    std::vector<void*> blocks(3000);
    for (std::size_t size = 64; calls == 0 && size < 900; size += 16) {
        for (void*& block : blocks) block = heap.reallocate(nullptr, 0, size);
        for (void* block : blocks) heap.reallocate(block, size, 0);
    }
    CHECK(calls == 1);
    CHECK(heap.used_bytes() == 0);
    CHECK(heap.resident_bytes() > 6'000'000);
    CHECK(heap.large_bytes() == 0);
    void* large = heap.reallocate(nullptr, 0, 500'000);
    CHECK(heap.large_bytes() >= 500'000);
    large = heap.reallocate(large, 500'000, 5'000'000);
    CHECK(heap.large_bytes() >= 5'000'000);
    heap.reallocate(large, 5'000'000, 0);
    CHECK(heap.large_bytes() == 0);
}

TEST_CASE("a heap counts its resident bytes in a shared limit, without returned ones") {
    perigee::internal::SharedLimit all{64'000'000};
    all.divide(2);
    {
        LuaHeap heap;
        heap.share(&all);
        void* large = heap.reallocate(nullptr, 0, 8'000'000);
        CHECK(all.used() >= 8'000'000);
        large = heap.reallocate(large, 8'000'000, 12'000'000);
        CHECK(all.used() >= 12'000'000);
        heap.reallocate(large, 12'000'000, 0);
        CHECK(all.used() < 1'000'000);

        std::vector<void*> blocks(100'000);
        for (void*& block : blocks) block = heap.reallocate(nullptr, 0, 100);
        CHECK(all.used() >= 10'000'000);
        for (void* block : blocks) heap.reallocate(block, 100, 0);
        CHECK(all.used() >= 10'000'000);
        heap.trim();
        CHECK(heap.resident_bytes() < 1'000'000);
        CHECK(all.used() < 1'000'000);
        for (void*& block : blocks) block = heap.reallocate(nullptr, 0, 100);
        CHECK(heap.resident_bytes() >= 10'000'000);
        CHECK(all.used() + LuaHeap::kCountStep >= heap.resident_bytes());
        heap.start_over();
        CHECK(heap.resident_bytes() == 0);
        CHECK(all.used() == 0);
        CHECK(heap.reallocate(nullptr, 0, 100) != nullptr);
        CHECK(all.used() > 0);
    }
    CHECK(all.used() == 0);
}

TEST_CASE("a heap that outgrows the shared limit notifies once, until it is checked") {
    perigee::internal::SharedLimit all{8'000'000};
    all.divide(2);
    LuaHeap greedy, modest;
    greedy.share(&all);
    modest.share(&all);
    int calls = 0;
    const auto watch = [&](LuaHeap& heap) {
        heap.watch(
            SIZE_MAX, SIZE_MAX, SIZE_MAX, [](void* count) noexcept { ++*static_cast<int*>(count); }, &calls);
    };
    greedy.reallocate(nullptr, 0, 16);
    watch(greedy);
    void* const block = greedy.reallocate(nullptr, 0, 7'000'000);
    CHECK(calls == 1);
    CHECK(greedy.has_outgrown_all());
    CHECK(greedy.is_above_all());
    watch(modest);
    CHECK(modest.reallocate(nullptr, 0, 1'500'000) != nullptr);
    CHECK(calls == 1);
    CHECK_FALSE(modest.has_outgrown_all());
    greedy.forget_growth();
    watch(greedy);
    greedy.reallocate(nullptr, 0, 16);  // it grows no further
    CHECK(calls == 1);
    greedy.reallocate(block, 7'000'000, 0);
    CHECK_FALSE(greedy.is_above_all());
}

TEST_CASE("a watched heap notifies once when it passes a limit of used or allocated bytes") {
    LuaHeap heap;
    int calls = 0;
    const auto count = [](void* counter) noexcept { ++*static_cast<int*>(counter); };
    heap.watch(1000, 1'000'000, 1'000'000, count, &calls);
    void* small = heap.reallocate(nullptr, 0, 900);
    CHECK(calls == 0);
    void* other = heap.reallocate(nullptr, 0, 900);
    CHECK(calls == 1);
    heap.reallocate(nullptr, 0, 900);
    CHECK(calls == 1);
    heap.reallocate(small, 900, 0);
    heap.reallocate(other, 900, 0);

    heap.restart_allocated();
    heap.watch(1'000'000, 1'000'000, 10'000, count, &calls);
    for (int i = 0; i < 10; ++i) heap.reallocate(heap.reallocate(nullptr, 0, 1000), 1000, 0);
    CHECK(calls == 1);
    CHECK(heap.allocated_bytes() == 10'000);
    heap.reallocate(heap.reallocate(nullptr, 0, 1000), 1000, 0);
    CHECK(calls == 2);
    heap.watch(0, 0, 0, count, &calls);
    heap.unwatch();
    heap.reallocate(nullptr, 0, 1000);
    CHECK(calls == 2);
}

}  // namespace
}  // namespace perigee::internal
