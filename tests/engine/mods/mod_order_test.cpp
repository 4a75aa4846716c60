// Each problem separately, and random mods compared with a model that tries all orders.
#include "engine/mods/mod_order.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <random>
#include <set>

using namespace perigee;

namespace {

ModCandidate mod(std::string_view json) {
    ParsedManifest parsed = parse_manifest(json, "mod");
    return {parsed.manifest, "mods/" + parsed.manifest.id, parsed.mistakes};
}

ModManifest game() { return parse_manifest(R"({"id": "swarm", "version": "1.5.0"})", "").manifest; }

ModOrder order(std::vector<std::string> jsons) {
    std::vector<ModCandidate> mods;
    for (const std::string& json : jsons) mods.push_back(mod(json));
    return order_mods(game(), mods);
}

std::vector<std::string> problems(const std::vector<std::string>& jsons) {
    std::vector<std::string> texts;
    for (const ModProblem& problem : order(jsons).problems)
        texts.push_back(problem.mod + ": " + problem.text);
    return texts;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("mods load after the mods that they name, each with its reason, and otherwise by name") {
    const ModOrder found = order({
        R"({"id": "zebra"})",
        R"({"id": "base"})",
        R"({"id": "alpha", "depends": {"base": "*", "swarm": "^1.4"}, "load_after": ["zebra", "nobody"]})",
        R"({"id": "early", "load_before": ["base"]})",
        R"({"id": "art", "optional": {"base": ">=0", "gone": "1"}})",
    });
    CHECK(found.problems.empty());
    REQUIRE(found.places.size() == 5);
    Texts lines;
    const Texts ids = {"zebra", "base", "alpha", "early", "art"};
    for (const ModPlace& place : found.places) lines.push_back(ids[place.mod] + " " + place.reason);
    CHECK(lines == Texts{"early by name", "base after early: early says load_before",
                         "art after base: optional base >=0", "zebra by name",
                         "alpha after base: depends on base *; after zebra: load_after"});
}

TEST_CASE("all problems of a load order are reported at once, and the other mods load") {
    const ModOrder found =
        order({R"({"id": "bad", "version": 1})", R"({"id": "lost", "depends": {"gone": "1"}})",
               R"({"id": "fine"})", R"({"id": "sad", "depends": {"lost": "*"}})"});
    REQUIRE(found.places.size() == 1);
    CHECK(found.places[0].mod == 2);
    REQUIRE(found.problems.size() == 3);
    CHECK(found.problems[0].mod == "bad");
    CHECK(found.problems[1].text == "it needs gone 1, which is not installed");
    CHECK(found.problems[2].text == "it needs lost, which is left out");
}

TEST_CASE("a mod that is left out has its reason") {
    CHECK(problems({R"({"id": "a", "api": "^9"})"}) ==
          Texts{"a: it is made for scripting interface ^9, and this program has 1.0.0"});
    CHECK(problems({R"({"id": "a", "native": ["x"]})"}) ==
          Texts{"a: mod.json: 'native': only the game itself may bring native code"});
    CHECK(problems({R"({"id": "gfx"})"}) ==
          Texts{"gfx: the engine's own names begin with this id; it needs another one"});
    CHECK(problems({R"({"id": "swarm"})"}) ==
          Texts{"swarm: this is the id of the game; a mod needs its own"});
    CHECK(problems({R"({"id": "a"})", R"({"id": "a", "version": "2"})"}) ==
          Texts{"a: there are two mods of this id; 'mods/a' is left out, 'mods/a' is used"});
    CHECK(problems({R"({"id": "a", "depends": {"b": "^2"}})", R"({"id": "b", "version": "1.9.0"})"}) ==
          Texts{"a: it needs b ^2, but 1.9.0 is installed"});
    CHECK(problems({R"({"id": "a", "depends": {"swarm": "^2"}})"}) ==
          Texts{"a: it needs swarm ^2, but 1.5.0 is installed"});
    CHECK(problems(
              {R"({"id": "a", "optional": {"b": "^2", "c": "1"}})", R"({"id": "b", "version": "1.9.0"})"}) ==
          Texts{"a: it supports b ^2, but 1.9.0 is installed"});
    CHECK(problems({R"({"id": "a", "conflicts": {"b": "<2"}})", R"({"id": "b", "version": "1.9.0"})"}) ==
          Texts{"a: it conflicts with b 1.9.0"});
    CHECK(problems({R"({"id": "a", "conflicts": {"b": "<1"}})", R"({"id": "b", "version": "1.9.0"})"}) ==
          Texts{});
    CHECK(problems({R"({"id": "a", "depends": {"b": "*"}})", R"({"id": "b", "load_after": ["c"]})",
                    R"({"id": "c", "load_after": ["a"]})", R"({"id": "d", "depends": {"a": "*"}})",
                    R"({"id": "e", "depends": {"e": "*"}})"}) ==
          Texts{"a: the load order has a cycle: a -> b -> c -> a",
                "b: the load order has a cycle: b -> c -> a -> b",
                "c: the load order has a cycle: c -> a -> b -> c", "d: it needs a, which is left out",
                "e: the load order has a cycle: e -> e"});
}

TEST_CASE("a thousand mods that name all others are ordered quickly, with and without a cycle") {
    std::vector<ModCandidate> mods(1000);
    for (std::size_t i = 0; i < mods.size(); ++i) {
        mods[i].manifest.id = "m" + std::to_string(10000 - i);
        for (std::size_t earlier = 0; earlier < i; ++earlier)
            mods[i].manifest.load_after.push_back(mods[earlier].manifest.id);
    }
    const auto start = std::chrono::steady_clock::now();
    const ModOrder chain = order_mods(game(), mods);
    REQUIRE(chain.places.size() == mods.size());
    CHECK(chain.places.front().mod == 0);
    CHECK(chain.places[20].reason.ends_with("; and 10 more"));

    mods.front().manifest.load_after.push_back(mods.back().manifest.id);
    mods.push_back({});
    mods.back().manifest.id = "sad";
    mods.back().manifest.depends.push_back({mods.front().manifest.id, VersionRange::parse("*").value()});
    const ModOrder cycle = order_mods(game(), mods);
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(10));  // it was many minutes
    CHECK(cycle.places.empty());
    REQUIRE(cycle.problems.size() == 1001);
    CHECK(cycle.problems[0].text.starts_with("the load order has a cycle: m10000 -> "));
    CHECK(cycle.problems[60].text == "it is part of a cycle in the load order");
    CHECK(cycle.problems[1000].text == "it needs m10000, which is left out");
}

// ---- against a model --------------------------------------------------------------------------------------

namespace {

// Everything about the mods as relations between ids, worked out by brute force.
struct Model {
    std::map<std::string, const ModManifest*> known;  // the first of each id
    std::set<std::string> out;
    std::set<std::pair<std::string, std::string>> before;  // direct

    explicit Model(const std::vector<ModCandidate>& mods) {
        for (const ModCandidate& mod : mods) known.emplace(mod.manifest.id, &mod.manifest);
        std::set<std::string> unsound;
        for (const auto& [id, manifest] : known)
            if (!manifest->native.empty()) unsound.insert(id);
        const auto there = [&](const std::string& id) { return known.contains(id) && !unsound.contains(id); };
        const auto fits = [&](const ModReference& other) {
            return there(other.id) && other.range.contains(known.at(other.id)->version);
        };
        out = unsound;
        for (const auto& [id, manifest] : known) {
            if (unsound.contains(id)) continue;
            for (const ModReference& other : manifest->depends) {
                if (!fits(other)) out.insert(id);
                if (there(other.id)) before.emplace(other.id, id);
            }
            for (const ModReference& other : manifest->conflicts)
                if (other.id != id && fits(other)) out.insert(id);
            for (const ModReference& other : manifest->optional) {
                if (there(other.id) && !fits(other)) out.insert(id);
                if (there(other.id)) before.emplace(other.id, id);
            }
            for (const std::string& other : manifest->load_after)
                if (there(other)) before.emplace(other, id);
            for (const std::string& other : manifest->load_before)
                if (there(other)) before.emplace(id, other);
        }
        std::set<std::pair<std::string, std::string>> reach = before;  // transitive closure
        for (const auto& [k, unused_k] : known)
            for (const auto& [a, unused_a] : known)
                for (const auto& [b, unused_b] : known)
                    if (reach.contains({a, k}) && reach.contains({k, b})) reach.emplace(a, b);
        for (const auto& [id, manifest] : known)
            if (reach.contains({id, id})) out.insert(id);
        for (std::size_t size = 0; size != out.size();) {
            size = out.size();
            for (const auto& [id, manifest] : known)
                for (const ModReference& other : manifest->depends)
                    if (out.contains(other.id)) out.insert(id);
        }
    }

    // The first order, as a dictionary would sort them, that keeps to `before`.
    std::vector<std::string> order() const {
        std::vector<std::string> ids;
        for (const auto& [id, manifest] : known)
            if (!out.contains(id)) ids.push_back(id);
        do {
            const bool is_kept = std::ranges::all_of(before, [&](const auto& pair) {
                const auto first = std::ranges::find(ids, pair.first);
                const auto second = std::ranges::find(ids, pair.second);
                return first == ids.end() || second == ids.end() || first < second;
            });
            if (is_kept) return ids;
        } while (std::ranges::next_permutation(ids).found);
        return {"no order"};
    }
};

ModCandidate random_mod(std::mt19937& random) {
    const std::vector<std::string> ids = {"a", "b", "c", "d", "e", "f"};
    const std::vector<std::string> ranges = {"*", "*", "*", "^1", ">=2", "1.2"};
    const auto any = [&](const std::vector<std::string>& list) { return list[random() % list.size()]; };
    ModCandidate made;
    made.manifest.id = any(ids);
    made.manifest.version.numbers = {static_cast<std::uint32_t>(random() % 3), 2, 0};
    const auto add = [&](std::vector<ModReference>& to, unsigned one_in) {
        while (random() % one_in == 0) to.push_back({any(ids), VersionRange::parse(any(ranges)).value()});
    };
    add(made.manifest.depends, 3);
    add(made.manifest.optional, 4);
    add(made.manifest.conflicts, 12);
    if (random() % 5 == 0) made.manifest.load_after.push_back(any(ids));
    if (random() % 6 == 0) made.manifest.load_before.push_back(any(ids));
    if (random() % 15 == 0) made.manifest.native.emplace_back("x");
    return made;
}

}  // namespace

TEST_CASE("random mods load in the order of a model that tries all orders, however they are found") {
    std::mt19937 random{5};
    std::size_t placed = 0;
    for (int round = 0; round < 3000; ++round) {
        std::vector<ModCandidate> mods;
        std::set<std::string> ids;
        for (std::size_t i = random() % 7; i > 0; --i) {
            mods.push_back(random_mod(random));
            ids.insert(mods.back().manifest.id);
        }
        const Model model{mods};
        const ModOrder found = order_mods(game(), mods);
        std::vector<std::string> loaded;
        for (const ModPlace& place : found.places) loaded.push_back(mods[place.mod].manifest.id);
        REQUIRE(loaded == model.order());
        std::set<std::string> reported;
        for (const ModProblem& problem : found.problems) reported.insert(problem.mod);
        for (const std::string& id : model.out) REQUIRE(reported.contains(id));
        placed += loaded.size();

        if (ids.size() != mods.size()) continue;
        std::ranges::shuffle(mods, random);
        const ModOrder again = order_mods(game(), mods);
        REQUIRE(again.places.size() == loaded.size());
        for (std::size_t i = 0; i < loaded.size(); ++i)
            REQUIRE(mods[again.places[i].mod].manifest.id == loaded[i]);
    }
    CHECK(placed > 3000);  // the programs are not all broken ones
}
