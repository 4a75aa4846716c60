// What mods may add to prefabs of others: entities and bytes, of one mod and of all together.
#include "tests/scripting/script_world.h"

#include <catch2/catch.hpp>

#include <string>
#include <utility>
#include <vector>

namespace perigee {
namespace {

using Catch::Matchers::Contains;

constexpr const char* kSchema =
    "local ecs = require 'ecs'\n"
    "ecs.component('Dot', { { 'x', 'f32' } })\n"
    "ecs.component('Path', { kind = 'buffer', capacity = 2, { 'x', 'f32' } })\n"
    "ecs.component('Wide', { { 'a', ecs.array('f64', 256) }, { 'b', ecs.array('f64', 256) } })\n"
    "ecs.component('Wider', { { 'a', ecs.array('f64', 256) }, { 'b', ecs.array('f64', 256) } })\n";

const std::string kGame =
    "local ecs = require 'ecs'\nlocal C = ecs.components\n"
    "local Bullet = ecs.prefab('Bullet', { C.Dot })\n"
    "function shoot() return ecs.world:spawn(Bullet) end\n";

std::string with_children(int count) {
    return "local ecs = require 'ecs'\nlocal C = ecs.components\n"
           "local K = ecs.prefab('K', { C.Dot })\nlocal kids = {}\n"
           "for i = 1, " +
           std::to_string(count) +
           " do kids[i] = { K } end\n"
           "ecs.patch_prefab('game:Bullet', { children = kids })\n";
}

std::string patching(const std::string& changes) {
    return "local ecs = require 'ecs'\nlocal C = ecs.components\n"
           "ecs.patch_prefab('game:Bullet', { " +
           changes + " })\n";
}

struct Patched : ScriptWorld {
    std::string load_mods(const std::vector<std::string>& mods) {
        MemorySource::Files files{{"main.lua", kGame}, {"schema.lua", kSchema}};
        std::vector<ModConfig> configs(1);
        sources.push_back(std::make_unique<MemorySource>(std::move(files)));
        configs[0].name = "game";
        configs[0].files = sources.back().get();
        for (const std::string& mod : mods) {
            sources.push_back(std::make_unique<MemorySource>(MemorySource::Files{{"main.lua", mod}}));
            ModConfig& config = configs.emplace_back();
            config.name = std::string(1, static_cast<char>('a' + configs.size() - 2));
            config.files = sources.back().get();
        }
        return text_of(runtime->load(std::move(configs)));
    }
    std::size_t entities_of_a_shot() {
        const std::size_t before = world.entity_count();
        CHECK(run("shoot()") == "");
        return world.entity_count() - before;
    }
};

}  // namespace

TEST_CASE("a mod may add 32 entities to a prefab of the game, and then spawning it costs the game no more") {
    Patched fine;
    REQUIRE(fine.load_mods({with_children(32)}) == "");
    CHECK(fine.entities_of_a_shot() == 33);
    for (const int count : {33, 4000}) {
        Patched game;
        CHECK_THAT(
            game.load_mods({with_children(count)}),
            Contains("ecs.patch_prefab: prefab 'game:Bullet' would get " + std::to_string(count) +
                     " more entities from the patches of mod 'a'; one mod may add at most 32 to a prefab of "
                     "the game or of another mod"));
        CHECK(game.entities_of_a_shot() == 1);
    }
}

TEST_CASE("the descendants of a child that a patch adds also count") {
    Patched game;
    CHECK_THAT(
        game.load_mods({"local ecs = require 'ecs'\nlocal C = ecs.components\n"
                        "local K = ecs.prefab('K', { C.Dot })\nlocal kids = {}\n"
                        "for i = 1, 40 do kids[i] = { K } end\n"
                        "local Tree = ecs.prefab('Tree', { C.Dot, children = kids })\n"
                        "ecs.patch_prefab('game:Bullet', { children = { { Tree, name = 'tree' } } })"}),
        Contains("41 more entities"));
    CHECK(game.entities_of_a_shot() == 1);
}

TEST_CASE("all mods together may add 64 entities to a prefab") {
    Patched game;
    const std::string errors = game.load_mods({with_children(30), with_children(30), with_children(30)});
    CHECK_THAT(errors,
               Contains("with this patch of mod 'c', prefab 'game:Bullet' would get 90 more entities from "
                        "patches of mods; all mods together may add at most 64 to a prefab"));
    CHECK(game.runtime->has_loaded("b"));
    CHECK_FALSE(game.runtime->has_loaded("c"));
    CHECK(game.entities_of_a_shot() == 61);
}

TEST_CASE("what a failed mod had added to a prefab is available to another mod") {
    Patched game;
    CHECK_THAT(game.load_mods({with_children(30), with_children(30) + "error('late')", with_children(30)}),
               Contains("late"));
    CHECK(game.runtime->has_loaded("c"));
    CHECK(game.entities_of_a_shot() == 61);
}

TEST_CASE("patches may make a copy of a prefab larger by 8 KB each, and by 16 KB together") {
    Patched one;
    CHECK_THAT(one.load_mods({patching("C.Wide, C.Wider")}),
               Contains("prefab 'game:Bullet' would get 8192 more bytes") || Catch::Equals(""));
    const std::string elements = "local list = {} for i = 1, 3000 do list[i] = { x = i } end\n";
    Patched buffer;
    CHECK_THAT(buffer.load_mods({elements + patching("C.Path(list)")}),
               Contains("more bytes from the patches of mod 'a'; one mod may add at most 8192 to a prefab"));
    CHECK(buffer.entities_of_a_shot() == 1);
    Patched all;
    const std::string kid =
        "local ecs = require 'ecs'\nlocal C = ecs.components\nlocal W = ecs.prefab('W', { C.Wide })\n"
        "ecs.patch_prefab('game:Bullet', { children = { { W } } })\n";
    CHECK_THAT(all.load_mods({kid, kid, kid, kid}),
               Contains("more bytes from patches of mods; all mods together may add at most 16384"));
    CHECK(all.entities_of_a_shot() == 4);
}

TEST_CASE("a mod may patch prefabs a thousand times") {
    Patched game;
    CHECK_THAT(game.load_mods({"local ecs = require 'ecs'\nfor i = 1, 1001 do\n"
                               "  ecs.patch_prefab('game:Bullet', {})\nend"}),
               Contains("a mod may have 1000 patches of prefabs; this one would have more"));
}

TEST_CASE("a mod patches its own prefabs without these limits") {
    Patched game;
    CHECK(game.load_mods({"local ecs = require 'ecs'\nlocal C = ecs.components\n"
                          "local K = ecs.prefab('K', { C.Dot })\nlocal kids = {}\n"
                          "for i = 1, 100 do kids[i] = { K } end\n"
                          "ecs.prefab('Own', { C.Dot })\necs.patch_prefab('a:Own', { children = kids })"}) ==
          "");
}

}  // namespace perigee
