// Blocks of random sizes, taken and given back in any order.
#include "ecs/save/internal/image_pool.h"

#include <catch2/catch.hpp>

#include <cstdint>
#include <cstring>
#include <random>
#include <utility>
#include <vector>

namespace perigee::internal {

TEST_CASE("blocks of an image pool are aligned, never overlap and are all given back") {
    struct Block {
        std::byte* data;
        std::size_t bytes;
        std::byte mark;
    };
    std::mt19937 random(3);
    ImagePool pool;
    std::vector<Block> blocks;
    const auto is_whole = [](const Block& block) {
        for (std::size_t i = 0; i < block.bytes; ++i) {
            if (block.data[i] != block.mark) return false;
        }
        return true;
    };
    bool all_whole = true, all_aligned = true;
    std::size_t payload = 0;
    for (int i = 0; i < 4000; ++i) {
        if (blocks.empty() || random() % 5 < 3) {
            const std::size_t bytes = 1 + random() % (std::size_t{1} << (random() % 17));
            std::byte* const data = pool.take(bytes);
            all_aligned = all_aligned && reinterpret_cast<std::uintptr_t>(data) % 64 == 0;
            blocks.push_back({data, bytes, static_cast<std::byte>(random())});
            std::memset(data, static_cast<int>(blocks.back().mark), bytes);
            payload += bytes;
        } else {
            std::swap(blocks[random() % blocks.size()], blocks.back());
            all_whole = all_whole && is_whole(blocks.back());
            pool.give_back(blocks.back().data, blocks.back().bytes);
            payload -= blocks.back().bytes;
            blocks.pop_back();
        }
        all_whole = all_whole && pool.bytes_in_use() >= payload;
    }
    CHECK(all_aligned);
    CHECK(all_whole);
    for (const Block& block : blocks) pool.give_back(block.data, block.bytes);
    CHECK(pool.bytes_in_use() == 0);
}

TEST_CASE("a block of an image pool is at most half as large again, and a line or three") {
    ImagePool pool;
    for (std::size_t bytes = 128; bytes <= 70'000; bytes += 97) {
        std::byte* const data = pool.take(bytes);
        CHECK(pool.bytes_in_use() >= bytes + 64);
        CHECK(pool.bytes_in_use() <= bytes + bytes / 2 + 192);
        pool.give_back(data, bytes);
    }
    CHECK_THROWS_AS(pool.take(std::size_t{1} << 60), std::bad_alloc);
}

}  // namespace perigee::internal
