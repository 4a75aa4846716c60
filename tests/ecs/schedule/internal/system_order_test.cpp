// The order of a group depends on the declarations, not on the order of declaring.
#include "ecs/schedule/internal/system_order.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <ctime>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace perigee::internal {
namespace {

using Names = std::vector<std::string>;

struct Declared {
    std::string name;
    Names before = {};
    Names after = {};
};

Result<Names> order_of(const std::vector<Declared>& declared,
                       const std::vector<ForeignSystem>& elsewhere = {}) {
    const auto related = [](const Names& names) {
        std::vector<OrderRelation> relations;
        for (const std::string& name : names) relations.push_back({name});
        return relations;
    };
    std::vector<std::array<std::vector<OrderRelation>, 2>> relations;
    for (const Declared& system : declared)
        relations.push_back({related(system.before), related(system.after)});
    std::vector<OrderedSystem> systems;
    for (std::size_t i = 0; i < declared.size(); ++i)
        systems.push_back({declared[i].name, relations[i][0], relations[i][1]});
    Result<std::vector<std::uint32_t>> order = order_systems(systems, "simulation", elsewhere);
    if (!order) return order.error();
    Names names;
    for (const std::uint32_t index : order.value()) names.push_back(declared[index].name);
    return names;
}

std::string mistake_of(const std::vector<Declared>& declared,
                       const std::vector<ForeignSystem>& elsewhere = {}) {
    const Result<Names> order = order_of(declared, elsewhere);
    return order ? "no mistake" : order.error().message;
}

// Random systems with relations that agree with one hidden order, so that there is no cycle.
std::vector<Declared> random_declarations(std::mt19937& random, std::size_t count) {
    std::vector<Declared> declared;
    for (std::size_t i = 0; i < count; ++i) declared.push_back({"s" + std::to_string(random() % 100000 + i)});
    std::sort(declared.begin(), declared.end(), [](auto& a, auto& b) { return a.name < b.name; });
    declared.erase(
        std::unique(declared.begin(), declared.end(), [](auto& a, auto& b) { return a.name == b.name; }),
        declared.end());
    std::shuffle(declared.begin(), declared.end(), random);
    for (std::size_t relation = 0; relation < count; ++relation) {
        std::size_t early = random() % declared.size();
        std::size_t late = random() % declared.size();
        if (early == late) continue;
        if (early > late) std::swap(early, late);
        if (random() % 2 == 0) {
            declared[early].before.push_back(declared[late].name);
        } else {
            declared[late].after.push_back(declared[early].name);
        }
    }
    return declared;
}

// The pairs "a runs before b" that the declarations require.
std::set<std::pair<std::string, std::string>> relations_of(const std::vector<Declared>& declared) {
    std::set<std::pair<std::string, std::string>> relations;
    for (const Declared& system : declared) {
        for (const std::string& other : system.before) relations.insert({system.name, other});
        for (const std::string& other : system.after) relations.insert({other, system.name});
    }
    return relations;
}

// The specification as code: always the smallest name that waits for no other.
Names naive_order(const std::vector<Declared>& declared) {
    const auto relations = relations_of(declared);
    std::set<std::string> left;
    for (const Declared& system : declared) left.insert(system.name);
    Names order;
    while (!left.empty()) {
        const auto next = std::find_if(left.begin(), left.end(), [&](const std::string& name) {
            return std::none_of(relations.begin(), relations.end(), [&](const auto& relation) {
                return relation.second == name && left.contains(relation.first);
            });
        });
        if (next == left.end()) return {};
        order.push_back(*next);
        left.erase(next);
    }
    return order;
}

TEST_CASE("systems without relations run by name, bytewise [Q7]") {
    CHECK(order_of({{"move"}, {"Zoom"}, {"a2"}, {"a10"}}).value() == Names{"Zoom", "a10", "a2", "move"});
    CHECK(order_of({}).value().empty());
}

TEST_CASE("before and after take precedence over names") {
    CHECK(order_of({{"a", {}, {"z"}}, {"m"}, {"z"}}).value() == Names{"m", "z", "a"});
    CHECK(order_of({{"a"}, {"m", {"a"}}, {"z", {"m"}}}).value() == Names{"z", "m", "a"});
}

TEST_CASE("a relation declared on both sides or twice counts once") {
    CHECK(order_of({{"a", {}, {"b", "b"}}, {"b", {"a"}}}).value() == Names{"b", "a"});
}

TEST_CASE("thousands of systems that each name all earlier ones are ordered quickly") {
    std::vector<Declared> declared(3000);
    for (std::size_t i = 0; i < declared.size(); ++i) {
        declared[i].name = "s" + std::to_string(100000 - i);
        for (std::size_t earlier = 0; earlier < i; ++earlier)
            declared[i].after.push_back(declared[earlier].name);
    }
    const std::clock_t start = std::clock();  // the time of this process, also on a busy machine
    const Names order = order_of(declared).value();
#if defined(__SANITIZE_THREAD__)
    constexpr int kMaxSeconds = 60;  // it takes 16
#else
    constexpr int kMaxSeconds = 10;
#endif
    CHECK((std::clock() - start) / CLOCKS_PER_SEC < kMaxSeconds);  // a slow algorithm takes minutes
    CHECK(order.front() == declared.front().name);
    CHECK(order.back() == declared.back().name);
}

TEST_CASE("of many unknown names the first ones are reported, with the number of the others") {
    Declared lost{"lost"};
    for (int i = 0; i < 5000; ++i) lost.after.push_back("nowhere " + std::to_string(i));
    const std::string mistake = mistake_of({lost});
    CHECK(std::count(mistake.begin(), mistake.end(), '\n') == 20);
    CHECK_THAT(mistake, Catch::Matchers::Contains("'nowhere 19'"));
    CHECK_THAT(mistake, Catch::Matchers::EndsWith("\nand 4980 more names that no system of the group has"));
}

TEST_CASE("each mistake in an order says which system it is about") {
    const Result<Names> unknown = order_of({{"a", {"x"}}, {"b", {}, {"y"}}});
    const std::vector<Mistake>& mistakes = unknown.error().mistakes;
    REQUIRE(mistakes.size() == 2);
    CHECK(mistakes[0].name == "a");
    CHECK(mistakes[1].name == "b");
    CHECK(unknown.error().message == mistakes[0].message + "\n" + mistakes[1].message);
    const Result<Names> loop = order_of({{"b", {}, {"a"}}, {"a", {}, {"b"}}});
    REQUIRE(loop.error().mistakes.size() == 1);
    CHECK(loop.error().mistakes[0].about == Mistake::About::system);
    CHECK(loop.error().mistakes[0].name == "a");
}

TEST_CASE("the order agrees with a naive model and does not depend on the order of declaration [Q7]") {
    std::mt19937 random(7);
    for (int round = 0; round < 60; ++round) {
        std::vector<Declared> declared = random_declarations(random, 1 + random() % 24);
        const Names expected = naive_order(declared);
        REQUIRE(expected.size() == declared.size());
        for (int permutation = 0; permutation < 6; ++permutation) {
            REQUIRE(order_of(declared).value() == expected);
            std::shuffle(declared.begin(), declared.end(), random);
            for (Declared& system : declared) {
                std::shuffle(system.before.begin(), system.before.end(), random);
                std::shuffle(system.after.begin(), system.after.end(), random);
            }
        }
    }
}

TEST_CASE("a system that ignores unknown names is ordered by the known ones") {
    const std::vector<OrderRelation> before = {{"missing"}, {"a"}};
    const std::vector<OrderRelation> after = {{"b"}, {"elsewhere"}};
    const std::vector<OrderedSystem> systems = {{"a", {}, {}}, {"b", {}, {}}, {"c", before, after, true}};
    const std::vector<OrderedSystem> strict = {{"c", before, after, false}};
    CHECK_FALSE(order_systems(strict, "simulation", {}));
    const std::vector<ForeignSystem> elsewhere = {{"elsewhere", "presentation"}};
    CHECK(order_systems(systems, "simulation", elsewhere).value() == std::vector<std::uint32_t>{1, 2, 0});
}

TEST_CASE("a cycle is printed as a loop in running order, from its smallest name") {
    CHECK(mistake_of({{"b", {}, {"a"}}, {"a", {}, {"b"}}}) == "systems wait for each other: a -> b -> a");
    CHECK(mistake_of({{"a", {"a"}}}) == "systems wait for each other: a -> a");
    CHECK(mistake_of({{"c", {"a"}}, {"a", {"b"}}, {"b", {"c"}}, {"free"}, {"late", {}, {"b"}}}) ==
          "systems wait for each other: a -> b -> c -> a");
}

TEST_CASE("a cycle is reported exactly when one exists, and each of its relations was declared") {
    std::mt19937 random(11);
    int cycles = 0;
    for (int round = 0; round < 200; ++round) {
        std::vector<Declared> declared;
        const std::size_t count = 2 + random() % 10;
        for (std::size_t i = 0; i < count; ++i)
            declared.push_back({std::string(1, static_cast<char>('a' + i))});
        for (std::size_t i = 0; i < count; ++i) {
            declared[random() % count].before.push_back(declared[random() % count].name);
        }
        const bool has_cycle = naive_order(declared).empty();
        const std::string mistake = mistake_of(declared);
        REQUIRE((mistake != "no mistake") == has_cycle);
        if (!has_cycle) continue;
        ++cycles;
        std::istringstream words(mistake.substr(mistake.find(": ") + 2));
        Names loop;
        for (std::string word; words >> word;) {
            if (word != "->") loop.push_back(word);
        }
        REQUIRE(loop.size() >= 2);
        REQUIRE(loop.front() == loop.back());
        REQUIRE(loop.front() == *std::min_element(loop.begin(), loop.end()));
        const auto relations = relations_of(declared);
        for (std::size_t i = 0; i + 1 < loop.size(); ++i) {
            REQUIRE(relations.contains({loop[i], loop[i + 1]}));
        }
        std::shuffle(declared.begin(), declared.end(), random);
        REQUIRE(mistake_of(declared) == mistake);
    }
    CHECK(cycles > 20);
    CHECK(cycles < 190);
}

TEST_CASE("all unknown names are reported, with suggestions") {
    CHECK(mistake_of({{"steer"}, {"move", {}, {"ster"}}, {"bite", {"qqqqqq"}}}) ==
          "system 'bite': before names 'qqqqqq', which is no system of its group\n"
          "system 'move': after names 'ster', which is no system of its group; did you mean 'steer'?");
}

TEST_CASE("the error for a name of another group says which group") {
    CHECK(mistake_of({{"move", {"draw"}}}, {{"draw", "presentation"}}) ==
          "system 'move': before names 'draw', which is in group 'presentation', expected a system of group "
          "'simulation'");
}

}  // namespace
}  // namespace perigee::internal
