// Blocks never overlap, are aligned and reused, and can be released by any thread.
#include "ecs/storage/buffer_pool.h"

#include <catch2/catch.hpp>

#include <cstring>
#include <random>
#include <thread>
#include <vector>

namespace perigee {
namespace {

struct Block {
    std::byte* data;
    std::size_t bytes;
    std::byte mark;
};

// Allocates and releases blocks at random and leaves none. Returns how many lost their content.
int churn(BufferPool& pool, std::uint32_t seed, int steps) {
    std::mt19937 random(seed);
    std::vector<Block> live;
    int spoilt = 0;
    const auto release = [&](std::size_t at) {
        const Block block = live[at];
        spoilt += block.data[0] != block.mark || block.data[block.bytes - 1] != block.mark;
        pool.release(block.data, block.bytes);
        live[at] = live.back();
        live.pop_back();
    };
    for (int step = 0; step < steps; ++step) {
        if (live.size() < 20 || random() % 2 == 0) {
            const std::size_t bytes = 1 + random() % (std::size_t{1} << (random() % 18));
            std::byte* const data = pool.allocate(bytes);
            if (data == nullptr || reinterpret_cast<std::uintptr_t>(data) % 64 != 0) return steps;
            const auto mark = static_cast<std::byte>(random());
            std::memset(data, static_cast<int>(mark), bytes);
            live.push_back({data, bytes, mark});
        } else {
            release(random() % live.size());
        }
    }
    while (!live.empty()) release(0);
    return spoilt;
}

TEST_CASE("[K6] random blocks are aligned, never overlap and keep their content") {
    BufferPool pool;
    CHECK(churn(pool, 3, 20000) == 0);
    CHECK(pool.stats().blocks_in_use == 0);
    CHECK(pool.stats().bytes_in_use == 0);
}

TEST_CASE("[K6] several threads allocate and release blocks at once") {
    BufferPool pool;
    std::vector<int> spoilt(4, -1);
    std::vector<std::thread> threads;
    for (std::uint32_t i = 0; i < spoilt.size(); ++i) {
        threads.emplace_back([&, i] { spoilt[i] = churn(pool, i, 3000); });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(spoilt == std::vector<int>(4, 0));
    CHECK(pool.stats().blocks_in_use == 0);
    CHECK(pool.stats().bytes_in_use == 0);
}

TEST_CASE("a released block is reused before new memory is requested") {
    BufferPool pool;
    std::byte* const first = pool.allocate(1000);
    pool.release(first, 1000);
    CHECK(pool.allocate(700) == first);  // both are blocks of 1024 bytes
    pool.release(first, 700);
    const std::size_t before = pool.stats().bytes_allocated;
    for (int i = 0; i < 1000; ++i) pool.release(pool.allocate(1024), 1024);
    CHECK(pool.stats().bytes_allocated == before);
}

TEST_CASE("blocks above the largest class have their exact size and return to the system at once") {
    CHECK(BufferPool::block_bytes(1) == 64);
    CHECK(BufferPool::block_bytes(64) == 64);
    CHECK(BufferPool::block_bytes(65) == 128);
    CHECK(BufferPool::block_bytes(64 * 1024) == 64 * 1024);
    CHECK(BufferPool::block_bytes(64 * 1024 + 1) == 64 * 1024 + 1);
    BufferPool pool;
    std::byte* const large = pool.allocate(1'000'001);
    REQUIRE(large != nullptr);
    CHECK(pool.stats().bytes_allocated == 1'000'001);
    CHECK(pool.stats().bytes_in_use == 1'000'001);
    pool.release(large, 1'000'001);
    CHECK(pool.stats().bytes_allocated == 0);
}

TEST_CASE("a pool at its limit refuses large blocks and still allocates those that fit") {
    BufferPool pool(256);
    std::byte* const block = pool.allocate(128);
    REQUIRE(block != nullptr);
    CHECK(pool.allocate(129) == nullptr);
    CHECK(pool.stats().blocks_in_use == 1);
    std::byte* const rest = pool.allocate(100);
    CHECK(rest != nullptr);
    CHECK(pool.allocate(1) == nullptr);
    pool.release(block, 128);
    pool.release(rest, 100);
    pool.release(nullptr, 1);
    CHECK(pool.stats().bytes_in_use == 0);
}

}  // namespace
}  // namespace perigee
