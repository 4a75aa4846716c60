// Each text is stored once, handles in use stay valid, and sweeps free the rest.
#include "ecs/schema/text_pool.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace perigee {
namespace {

using Catch::Matchers::Contains;

TextHandle put(TextPool& pool, std::string_view text) { return pool.intern(text).value(); }

TEST_CASE("equal texts have one handle, and handle 0 is the empty text") {
    TextPool pool;
    CHECK(put(pool, "").index == 0);
    CHECK(pool.text(TextHandle{}).empty());
    const TextHandle anna = put(pool, "Anna");
    CHECK(anna.index != 0);
    CHECK(put(pool, std::string("An") + "na") == anna);
    CHECK(put(pool, "anna") != anna);
    CHECK(put(pool, std::string_view("Anna\0", 5)) != anna);
    CHECK(pool.text(anna) == "Anna");
    CHECK(pool.stats().texts == 3);
    CHECK(pool.text(TextHandle{77777}).empty());
    CHECK(pool.content_hash(TextHandle{77777}) == 0);
}

TEST_CASE("the content hash is the same in every pool") {
    TextPool first, second;
    put(second, "something else first");
    CHECK(first.content_hash(put(first, "Anna")) == second.content_hash(put(second, "Anna")));
    CHECK(first.content_hash(put(first, "Anna")) != first.content_hash(put(first, "Bert")));
}

TEST_CASE("a text without a mark survives one sweep and not two") {
    TextPool pool;
    const TextHandle kept = put(pool, "kept"), young = put(pool, "young");
    const auto sweep = [&] {
        pool.begin_marking();
        pool.mark(kept);
        pool.mark(kept);
        return pool.sweep();
    };
    CHECK(sweep() == 0);
    CHECK(pool.stats().uses == 2);
    CHECK(put(pool, "young") == young);  // returned again, so it survives the next sweep
    CHECK(sweep() == 0);
    CHECK(sweep() == 1);
    CHECK_FALSE(pool.has(young));
    CHECK(pool.text(kept) == "kept");
    CHECK(pool.stats().texts == 1);
}

TEST_CASE("a root is called at each sweep until it is removed") {
    TextPool pool;
    const TextHandle kept = put(pool, "kept by a script");
    const auto sweep = [&] {
        pool.begin_marking();
        return pool.sweep();
    };
    const std::size_t root = pool.add_root([kept](TextPool& asked) { asked.mark(kept); });
    CHECK(sweep() == 0);
    CHECK(sweep() == 0);
    pool.remove_root(root);
    CHECK(sweep() == 1);
}

TEST_CASE("a pool at its limit refuses texts, keeps what it has and wants a sweep") {
    TextPool pool(1 << 20);
    const auto fill = [&] {
        std::size_t count = 0;
        for (;; ++count) {
            const Result<TextHandle> made = pool.intern(std::to_string(count) + std::string(10000, 'x'));
            if (made) continue;
            CHECK_THAT(made.error().message, Contains("have used up their 1 MiB of memory"));
            return count;
        }
    };
    CHECK_FALSE(pool.wants_sweep());
    const std::size_t count = fill();
    CHECK(count > 90);
    CHECK(pool.stats().bytes <= 1 << 20);
    CHECK(pool.text(put(pool, "0" + std::string(10000, 'x'))).size() == 10001);
    CHECK(pool.wants_sweep());
    for (int i = 0; i < 2; ++i) {
        pool.begin_marking();
        pool.sweep();
    }
    CHECK(pool.stats().texts == 0);
    CHECK(pool.stats().bytes == 0);
    CHECK_FALSE(pool.wants_sweep());
    CHECK(fill() == count);

    const Result<TextHandle> huge = pool.intern(std::string(TextPool::kMaxTextBytes + 1, 'x'));
    REQUIRE_FALSE(huge.ok());
    CHECK(huge.error().message == "a text has 65537 bytes, the longest may have 65536");
}

TEST_CASE("random interning and sweeping agrees with a map") {
    TextPool pool;
    std::map<std::string, TextHandle> live;  // texts that are in use
    std::map<std::string, int> age;          // sweeps since it was last interned
    std::mt19937 random(5);
    for (int step = 0; step < 20000; ++step) {
        const std::string text = "text " + std::to_string(random() % 300);
        const unsigned choice = random() % 100;
        if (choice < 70) {
            const TextHandle handle = put(pool, text);
            if (live.contains(text)) REQUIRE(live[text] == handle);
            live[text] = handle;
            age[text] = 0;
        } else if (choice < 98) {
            live.erase(text);
        } else {
            pool.begin_marking();
            for (const auto& [content, handle] : live) pool.mark(handle);
            pool.sweep();
            for (auto& [content, sweeps] : age) ++sweeps;
            std::erase_if(age,
                          [&](const auto& entry) { return entry.second > 1 && !live.contains(entry.first); });
            REQUIRE(pool.stats().uses == live.size());
            REQUIRE(pool.stats().texts == age.size());
        }
        for (int i = 0; i < 3 && !live.empty(); ++i) {
            auto some = live.begin();
            std::advance(some, random() % live.size());
            REQUIRE(pool.text(some->second) == some->first);
        }
    }
}

TEST_CASE("texts interned by several threads are stored once and can be read at the same time") {
    TextPool pool;
    constexpr int kThreads = 4, kTexts = 3000;
    std::vector<std::vector<TextHandle>> handles(kThreads);
    std::vector<int> wrong(kThreads, 0);
    std::vector<std::thread> threads;
    for (int thread = 0; thread < kThreads; ++thread) {
        threads.emplace_back([&, thread] {
            const auto me = static_cast<std::size_t>(thread);
            for (int i = 0; i < kTexts; ++i) {
                const std::string text = "text " + std::to_string((i * 7 + thread * 100) % kTexts);
                const TextHandle handle = pool.intern(text).value();
                handles[me].push_back(handle);
                if (pool.text(handle) != text || pool.find(text) != handle) ++wrong[me];
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(wrong == std::vector<int>(kThreads, 0));
    CHECK(pool.stats().texts == kTexts);
    for (std::vector<TextHandle>& of_thread : handles) {
        std::sort(of_thread.begin(), of_thread.end(),
                  [](TextHandle a, TextHandle b) { return a.index < b.index; });
        CHECK(of_thread == handles[0]);
    }
}

}  // namespace
}  // namespace perigee
