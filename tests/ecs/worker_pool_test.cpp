// Every task once, on whichever thread, and the same outcome however many workers there are.
#include "ecs/worker_pool.h"

#include "tests/support/broken_contract.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <atomic>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace perigee {
namespace {

constexpr std::uint32_t kWorkerCounts[] = {0, 1, 2, 8};

TEST_CASE("[Q9] every task runs exactly once, and no two at a time have the same worker index") {
    for (const std::uint32_t workers : kWorkerCounts) {
        WorkerPool pool(workers);
        CHECK(pool.worker_count() <= workers);
        CHECK(pool.lane_count() == pool.worker_count() + 1);
        std::vector<std::atomic<int>> busy(pool.lane_count());
        std::atomic<int> overlaps = 0;
        std::mt19937 random(workers);
        for (int round = 0; round < 200; ++round) {
            std::vector<int> runs(random() % 100, 0);
            pool.run(static_cast<std::uint32_t>(runs.size()),
                     [&](std::uint32_t task_index, std::uint32_t worker_index) {
                         overlaps += busy.at(worker_index).exchange(1);
                         ++runs.at(task_index);
                         busy.at(worker_index) = 0;
                     });
            REQUIRE(std::all_of(runs.begin(), runs.end(), [](int count) { return count == 1; }));
        }
        CHECK(overlaps == 0);
    }
}

TEST_CASE("short runs back to back lose no task and see the data of their own run") {
    for (const std::uint32_t workers : kWorkerCounts) {
        WorkerPool pool(workers);
        std::vector<std::uint32_t> results(8);
        std::uint64_t wrong = 0;
        for (std::uint32_t round = 0; round < 5000; ++round) {
            const auto count = static_cast<std::uint32_t>(1 + round % results.size());
            pool.run(count, [&results, round](std::uint32_t task, std::uint32_t) { results[task] = round; });
            wrong += static_cast<std::uint64_t>(
                std::count_if(results.begin(), results.begin() + count,
                              [round](std::uint32_t result) { return result != round; }));
        }
        CHECK(wrong == 0);
    }
}

TEST_CASE("a worker that hangs in its task keeps the caller from no other task") {
    WorkerPool pool(1);
    constexpr std::uint32_t kTasks = 50;
    for (int round = 0; round < 50; ++round) {
        std::atomic<std::uint32_t> others = 0;
        std::atomic<bool> is_hanging = false;
        pool.run(kTasks, [&](std::uint32_t, std::uint32_t worker_index) {
            if (worker_index == 0 || is_hanging.exchange(true)) {
                // Gives the worker some time to come in at all.
                for (int i = 0; i < 200 && others == 0 && !is_hanging; ++i) std::this_thread::yield();
                ++others;
                return;
            }
            while (others < kTasks - 1) std::this_thread::yield();
        });
        REQUIRE(others >= kTasks - 1);
    }
}

TEST_CASE("when tasks throw, all others still run and the exception of the lowest index comes out") {
    for (const std::uint32_t workers : kWorkerCounts) {
        WorkerPool pool(workers);
        for (int round = 0; round < 20; ++round) {
            std::atomic<int> finished = 0;
            std::string caught;
            try {
                pool.run(64, [&](std::uint32_t task, std::uint32_t) {
                    if (task % 10 == 7) throw std::runtime_error(std::to_string(task));
                    ++finished;
                });
            } catch (const std::runtime_error& error) {
                caught = error.what();
            }
            REQUIRE(caught == "7");
            REQUIRE(finished == 64 - 6);
        }
        int runs = 0;
        pool.run(1, [&](std::uint32_t, std::uint32_t) { ++runs; });
        CHECK(runs == 1);
    }
}

TEST_CASE("a run inside a run breaks the contract, and the failure reaches the caller") {
    const ContractWatch watch;
    for (const std::uint32_t workers : kWorkerCounts) {
        WorkerPool pool(workers);
        const auto nest = [&](std::uint32_t, std::uint32_t) {
            pool.run(1, [](std::uint32_t, std::uint32_t) {});
        };
        CHECK_THROWS_AS(pool.run(4, nest), BrokenContract);
        int runs = 0;
        pool.run(0, [&](std::uint32_t, std::uint32_t) { ++runs; });
        CHECK(runs == 0);
    }
}

}  // namespace
}  // namespace perigee
