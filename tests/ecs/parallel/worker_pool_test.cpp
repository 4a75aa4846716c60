// Every task runs once, on any thread, with the same result for any number of workers.
#include "ecs/parallel/worker_pool.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
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
            pool.run(
                static_cast<std::uint32_t>(runs.size()),
                [&](std::uint32_t task_index, std::uint32_t worker_index) {
                    overlaps += busy.at(worker_index).exchange(1);
                    ++runs.at(task_index);
                    busy.at(worker_index) = 0;
                },
                Wake::when_worth_it, round % 2 == 0 ? TaskOrder::in_order : TaskOrder::from_both_ends);
            REQUIRE(std::all_of(runs.begin(), runs.end(), [](int count) { return count == 1; }));
        }
        CHECK(overlaps == 0);
    }
}

TEST_CASE("with from_both_ends the caller takes the first tasks and the workers the last ones") {
    for (const std::uint32_t workers : kWorkerCounts) {
        WorkerPool pool(workers);
        constexpr std::uint32_t kTasks = 64;
        for (int round = 0; round < 50; ++round) {
            std::vector<std::uint32_t> lanes(kTasks);
            const auto note = [&](std::uint32_t task, std::uint32_t lane) {
                lanes.at(task) = lane;
                const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(3);
                while (std::chrono::steady_clock::now() < end) {
                }
            };
            pool.run(kTasks, note, Wake::at_once, TaskOrder::from_both_ends);
            const auto first_of_others =
                std::find_if(lanes.begin(), lanes.end(), [](std::uint32_t lane) { return lane != 0; });
            REQUIRE(std::find(first_of_others, lanes.end(), 0u) == lanes.end());
        }
    }
}

TEST_CASE("short consecutive runs lose no task, and each task sees the data of its run") {
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

TEST_CASE("a worker that is busy with one task does not keep the caller from the others") {
    WorkerPool pool(1);
    constexpr std::uint32_t kTasks = 50;
    for (int round = 0; round < 50; ++round) {
        std::atomic<std::uint32_t> others = 0;
        std::atomic<bool> is_hanging = false;
        pool.run(kTasks, [&](std::uint32_t, std::uint32_t worker_index) {
            if (worker_index == 0 || is_hanging.exchange(true)) {
                // Gives the worker time to take a task.
                for (int i = 0; i < 200 && others == 0 && !is_hanging; ++i) std::this_thread::yield();
                ++others;
                return;
            }
            while (others < kTasks - 1) std::this_thread::yield();
        });
        REQUIRE(others >= kTasks - 1);
    }
}

TEST_CASE("when tasks throw, all others still run, and run rethrows the exception of the lowest index") {
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

TEST_CASE("tasks may start nested runs to any depth, and each task runs once") {
    for (const std::uint32_t workers : kWorkerCounts) {
        WorkerPool pool(workers);
        for (int round = 0; round < 20; ++round) {
            std::atomic<int> leaves = 0;
            std::atomic<int> strangers = 0;
            pool.run(4, [&](std::uint32_t outer, std::uint32_t) {
                pool.run(outer * 3, [&](std::uint32_t, std::uint32_t lane) {
                    strangers += lane != pool.lane();
                    pool.run(
                        2, [&](std::uint32_t, std::uint32_t) { ++leaves; }, Wake::at_once);
                });
            });
            REQUIRE(leaves == (0 + 1 + 2 + 3) * 3 * 2);
            REQUIRE(strangers == 0);
        }
    }
}

TEST_CASE("runs nested deeper than the number of slots are executed by their callers") {
    WorkerPool pool(2);
    std::atomic<int> depth_reached = 0;
    const std::function<void(int)> descend = [&](int depth) {
        if (depth == 0) {
            ++depth_reached;
            return;
        }
        pool.run(2, [&](std::uint32_t task, std::uint32_t) {
            if (task == 0) descend(depth - 1);
        });
    };
    for (int round = 0; round < 20; ++round) descend(100);
    CHECK(depth_reached == 20);
}

TEST_CASE("an exception of an inner run propagates through the outer one, and the pool stays usable") {
    for (const std::uint32_t workers : kWorkerCounts) {
        WorkerPool pool(workers);
        const auto nest = [&](std::uint32_t outer, std::uint32_t) {
            pool.run(4, [outer](std::uint32_t inner, std::uint32_t) {
                if (inner >= 2) throw std::runtime_error(std::to_string(outer * 10 + inner));
            });
        };
        CHECK_THROWS_WITH(pool.run(4, nest), "2");
        std::atomic<int> runs = 0;
        pool.run(0, [&](std::uint32_t, std::uint32_t) { ++runs; });
        CHECK(runs == 0);
        pool.run(9, [&](std::uint32_t, std::uint32_t) { ++runs; });
        CHECK(runs == 9);
    }
}

TEST_CASE("sleeping threads are woken for long tasks, or at once on request") {
    WorkerPool pool(1);
    for (const Wake wake : {Wake::when_worth_it, Wake::at_once}) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        std::atomic<bool> has_helped = false;
        const auto wait_for_help = [&](std::uint32_t, std::uint32_t lane) {
            if (lane != 0) has_helped = true;
            // The first task shows that tasks are long; then a worker must help, unless the machine is very
            // busy.
            const auto end =
                std::chrono::steady_clock::now() + std::chrono::milliseconds(has_helped ? 0 : 20);
            while (!has_helped && std::chrono::steady_clock::now() < end) std::this_thread::yield();
        };
        for (int attempt = 0; attempt < 50 && !has_helped; ++attempt) pool.run(4, wait_for_help, wake);
        CHECK(has_helped);
    }
}

TEST_CASE("a started run proceeds by itself, and finish does the rest") {
    for (const std::uint32_t workers : kWorkerCounts) {
        WorkerPool pool(workers);
        std::vector<WorkerPool::Started> runs;
        std::atomic<int> count{0};
        auto task = [&](std::uint32_t index, std::uint32_t) {
            ++count;
            if (index == 2) throw std::runtime_error("task two");
        };
        auto fine = [&](std::uint32_t, std::uint32_t) { ++count; };
        for (int i = 0; i < 40; ++i) {
            if (const WorkerPool::Started run = pool.start(5, fine)) runs.push_back(run);
        }
        CHECK(runs.size() == (workers == 0 ? 0 : 32));  // there are no more slots
        pool.run(10, fine);
        for (const WorkerPool::Started& run : runs) {
            if (!pool.finish_if_done(run)) pool.finish(run);
        }
        CHECK(count == static_cast<int>(runs.size()) * 5 + 10);
        if (const WorkerPool::Started run = pool.start(4, task))
            CHECK_THROWS_WITH(pool.finish(run), "task two");
        CHECK_FALSE(pool.start(0, fine));
    }
}

}  // namespace
}  // namespace perigee
