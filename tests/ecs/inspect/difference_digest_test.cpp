// The values that the difference of two digests identifies, however many differ.
#include "ecs/inspect/difference_digest.h"

#include <catch2/catch.hpp>

#include <map>
#include <random>
#include <set>

namespace perigee {
namespace {

using Values = std::map<ValueKey, std::uint64_t>;

class RandomValues {
public:
    explicit RandomValues(std::uint64_t seed) : random_(seed) {}

    ValueKey key() {
        const auto number = [this](std::uint64_t below) { return random_() % below; };
        // Keys of small and large worlds, with every bit in use.
        const std::uint64_t max_index = number(4) == 0 ? 0xFFFFFFFFull : 2000;
        return {static_cast<std::uint16_t>(number(number(4) == 0 ? 0xFFFF : 20)),
                entity_from_parts(static_cast<std::uint32_t>(number(max_index)),
                                  1 + static_cast<std::uint32_t>(number(Entity::kMaxGeneration))),
                static_cast<std::uint16_t>(number(number(4) == 0 ? 0xFFFF : 6))};
    }
    std::uint64_t hash() { return random_(); }
    Values values(std::size_t count) {
        Values made;
        while (made.size() < count) made[key()] = hash();
        return made;
    }
    /// Changes, adds and removes `count` values.
    std::set<ValueKey> differ(Values& values, std::size_t count) {
        std::set<ValueKey> changed;
        auto at = values.begin();
        while (changed.size() < count) {
            const auto next = std::next(at);
            switch (random_() % 3) {
                case 0:
                    changed.insert(at->first);
                    at->second = hash();
                    break;
                case 1:
                    changed.insert(at->first);
                    values.erase(at);
                    break;
                default:
                    if (const auto [added, is_new] = values.emplace(key(), hash()); is_new)
                        changed.insert(added->first);
            }
            at = next == values.end() ? values.begin() : next;
        }
        return changed;
    }

private:
    std::mt19937_64 random_;
};

DifferenceDigest digest_of(const Values& values) {
    DifferenceDigest digest;
    for (const auto& [key, hash] : values) digest.add(key, hash);
    return digest;
}

TEST_CASE("each value that a difference identifies differs, and it nearly always identifies one") {
    RandomValues random(1);
    for (const std::size_t count : {1u, 2u, 3u, 5u, 20u, 100u, 1000u, 5000u}) {
        constexpr int kTries = 60;
        int named = 0;
        for (int attempt = 0; attempt < kTries; ++attempt) {
            Values left = random.values(count < 1000 ? 300 : 6000);
            Values right = left;
            const std::set<ValueKey> changed = random.differ(right, count);
            DifferenceDigest difference = digest_of(left);
            difference -= digest_of(right);
            const std::vector<DigestedValue> found = lone_values(difference);
            for (const DigestedValue& value : found) {
                REQUIRE(changed.count(value.key) == 1);
                const std::uint64_t before = left.count(value.key) != 0 ? left[value.key] : 0;
                const std::uint64_t after = right.count(value.key) != 0 ? right[value.key] : 0;
                REQUIRE(value.hash == before - after);
            }
            named += found.empty() ? 0 : 1;
        }
        CAPTURE(count, named);
        CHECK(named >= (count == 1 ? kTries - 1 : kTries * 9 / 10));
    }
}

TEST_CASE("equal values give equal digests in any order, and their difference is empty") {
    RandomValues random(2);
    const Values values = random.values(500);
    DifferenceDigest backwards;
    for (auto it = values.rbegin(); it != values.rend(); ++it) backwards.add(it->first, it->second);
    CHECK(backwards == digest_of(values));
    backwards -= digest_of(values);
    CHECK(backwards == DifferenceDigest{});
    CHECK(lone_values(backwards).empty());
}

TEST_CASE("the sum of changes equals the digest of all changes") {
    RandomValues random(3);
    Values values = random.values(200);
    const DifferenceDigest first = digest_of(values);
    DifferenceDigest sum = first;
    for (int step = 0; step < 20; ++step) {
        DifferenceDigest change = digest_of(values);
        DifferenceDigest before = change;
        random.differ(values, 7);
        change = digest_of(values);
        change -= before;
        sum += change;
    }
    CHECK(sum == digest_of(values));
}

}  // namespace
}  // namespace perigee
