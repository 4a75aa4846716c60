// Lua objects of blobs: they last while the blob does, and fail afterwards.
#include "scripting/views/blob_views.h"

#include "ecs/inspect/world_hash.h"
#include "ecs/save/world_snapshot.h"
#include "ecs/schema/blob_store.h"
#include "ecs/world/content_sweep.h"
#include "tests/scripting/edited_files.h"
#include "tests/scripting/script_world.h"
#include "tests/support/blob_trees.h"

#include <catch2/catch.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace perigee {
namespace {

using Catch::Matchers::Contains;

constexpr const char* kSchema = R"lua(local ecs = require "ecs"
ecs.blob("Tree", { root = true, { "value", "f32" }, { "children", "list(blob(Tree))"
}
, { "weights", "list(f32)" }
})
ecs.blob("Path", { { "x", "f32" } })
ecs.component("Plant", { { "tree", "blob(Tree)" }, { "path", "blob(Path)" } })
)lua";

void sweep_blobs(World& world) {
    collect_blobs(world);
    collect_blobs(world);
}

TEST_CASE("[K8] a view is armed for a blob, and disarmed when the blob is freed") {
    World world;
    const TreeType type = declare_tree(world);
    BlobViews& views = BlobViews::of(world);
    CHECK(&BlobViews::of(world) == &views);
    CHECK(views.view(world, BlobHandle{}) == nullptr);
    CHECK(views.view(world, BlobHandle{3}) == nullptr);
    const BlobHandle tree = build_tree(world, type, Tree{}).value();
    const perigee_view* const view = views.view(world, tree);
    REQUIRE(view != nullptr);
    CHECK(view->count == 1);
    CHECK(view->address == reinterpret_cast<std::uintptr_t>(world.blobs().bytes(tree).data()));
    const std::uint64_t epoch = view->epoch;
    CHECK(views.view(world, tree)->epoch == epoch);
    sweep_blobs(world);
    CHECK(view->epoch == 0);
    CHECK(view->count == 0);
    CHECK(view->address == 0);
    CHECK(views.view(world, tree) == nullptr);
    for (float value = 1; value < 3; ++value) {
        Tree next;
        next.value = value;
        build_tree(world, type, next).value();
    }
    REQUIRE(world.blobs().has(tree));
    CHECK(views.view(world, tree) == view);
    CHECK(view->epoch > epoch);
}

TEST_CASE("[K8] a freed blob cannot be read, compared with its successor, or assigned") {
    ScriptWorld game;
    REQUIRE(game.load(kSchema, R"(local ecs = require "ecs"
local C = ecs.components
kept = {}
constant = ecs.build_blob(C.Tree, { value = 7, children = { {} } })
constant_value = C.Plant { tree = constant }
ecs.system("build", { run = function(_, ctx)
  if kept.tree then return end
  kept.tree = ecs.build_blob(C.Tree, { value = 1, children = { { value = 2 } }, weights = { 1, 2 } })
  kept.children, kept.weights = kept.tree.children, kept.tree.weights
  kept.path = ecs.build_blob(C.Path, { { x = 1 }, { x = 2 } })
  kept.column, kept.row = kept.path.x, kept.path[2]
  kept.value = C.Plant { tree = kept.tree }
  kept.held = ecs.build_blob(C.Tree, { value = 3 })
  ctx.commands:spawn(C.Plant { tree = kept.held })
end }))") == "");
    REQUIRE(game.step() == "");
    REQUIRE(game.run("assert(kept.tree.value == 1 and #kept.children == 1 and kept.column[2] == 2)") == "");
    sweep_blobs(game.world);
    for (const char* code :
         {"return kept.tree.value", "return kept.tree.children", "return #kept.children",
          "return kept.children[1]", "return kept.weights[1]", "return kept.path[1]",
          "return kept.path.count", "return kept.column[1]", "return kept.row.x",
          "C.Plant { tree = kept.tree }", "ecs.build_blob(C.Tree, { children = { kept.tree } })",
          "ecs.world:spawn(kept.value)"}) {
        INFO(code);
        CHECK_THAT(game.run("local ecs = require 'ecs' local C = ecs.components " + std::string(code)),
                   Contains("this blob was freed, since no field of the world referred to it any more; keep "
                            "it in a component or a resource"));
    }
    // What the world refers to, and what main.lua built, is there.
    CHECK(game.run("assert(kept.held.value == 3 and constant.value == 7 and #constant.children == 1)") == "");
    CHECK(game.run("assert(require('ecs').world:spawn(constant_value))") == "");
    // The numbers of freed blobs are used again, by blobs that equal none of the old objects.
    CHECK(game.run(R"(local ecs = require "ecs"
        local C = ecs.components
        for i = 1, 20 do
          local new = ecs.build_blob(C.Path, { { x = i }, { x = i } })
          assert(new ~= kept.path and new.x[2] == i)
          local node = ecs.build_blob(C.Tree, { value = -i })
          assert(node ~= kept.tree and node.value == -i)
        end
        assert(not pcall(function() return kept.tree.value end))
        assert(not pcall(function() return kept.column[1] end)))") == "");
}

TEST_CASE("[K8] blobs of a mod's code are freed when other code takes its place") {
    ScriptWorld game;
    const std::string main = R"(local ecs = require "ecs"
local tree = ecs.build_blob("Tree", { value = )";
    EditedFiles files;
    files["schema.lua"] = kSchema;
    files["main.lua"] = main + "1 })";
    ModConfig config;
    config.files = &files;
    REQUIRE(ScriptWorld::text_of(game.runtime->load(std::move(config))) == "");
    const auto save = [&](const std::string& text) {
        files["main.lua"] = text;
        return ScriptWorld::text_of(game.runtime->reload("game").errors);
    };
    sweep_blobs(game.world);
    const std::size_t one = game.world.blobs().size();
    CHECK(one > 0);
    for (int i = 2; i < 5; ++i) {
        INFO(i);
        REQUIRE(save(main + std::to_string(i) + " })") == "");
        sweep_blobs(game.world);
        CHECK(game.world.blobs().size() == one);
    }
    CHECK_THAT(save(main + "5 }) error 'stop'"), Contains("stop"));
    sweep_blobs(game.world);
    CHECK(game.world.blobs().size() == one);
}

TEST_CASE("[K8] a changed declaration converts the blobs of a running game") {
    ScriptWorld game;
    const std::string head = "local ecs = require 'ecs' local C = ecs.components\n";
    const std::string trees = R"lua(
        ecs.blob("Tree", { root = true, { "value", "f32" }, { "children", "list(blob(Tree))" } }))lua";
    EditedFiles files;
    files["main.lua"] = head + "seen = {}\n" + R"lua(
        ecs.world:spawn(C.Plant { size = 2, tree = ecs.build_blob(C.Tree, { value = 3, children = { { value = 4 } } }) })
    )lua";
    files["schema.lua"] =
        head + trees + "ecs.component('Plant', { { 'size', 'f32' }, { 'tree', 'blob(Tree)' } })";
    ModConfig config;
    config.files = &files;
    REQUIRE(ScriptWorld::text_of(game.runtime->load(std::move(config))) == "");
    const auto save = [&](const std::string& schema, const std::string& main) {
        files["schema.lua"] = head + schema;
        files["main.lua"] = head + main;
        return ScriptWorld::text_of(game.runtime->reload("game").errors);
    };
    const std::string show = R"lua(
        ecs.system("show", { query = { read = { C.Plant } }, run = function(chunk)
          for i = 1, chunk.count do
            local tree = chunk.Plant.tree[i]
            print(tree.value, tree.name, #tree.weights, #tree.children, tree.children[1].value, tree.children[1].name)
          end
        end }))lua";
    const std::string wide = R"lua(
        ecs.blob("Tree", { root = true, { "name", "text", "oak" }, { "weights", "list(f32)" }, { "value", "f64" },
          { "children", "list(blob(Tree))" } }))lua";
    // The function that migrates a component looks at a blob while its type changes.
    REQUIRE(save(wide + R"lua(
        ecs.component("Plant", { version = 2, { "tree", "blob(Tree)" }, { "sum", "f32" }, migrate = {
          function(old) return { sum = old.size + (old.tree and #old.tree.children or 10) } end } }))lua",
                 show) == "");
    REQUIRE(game.step() == "");
    CHECK(game.log.back() == "3\toak\t0\t1\t4\toak");

    // A loss is refused, and the old declaration and its blobs stay in use.
    const std::string bare = R"lua(
        ecs.blob("Tree", { root = true, { "name", "text", "oak" }, { "weights", "list(f32)" },
          { "children", "list(blob(Tree))" } })
        ecs.component("Plant", { version = 2, { "tree", "blob(Tree)" }, { "sum", "f32" } }))lua";
    CHECK_THAT(save(bare, show), Contains("field 'value' (f64) goes"));
    game.log.clear();
    REQUIRE(game.step() == "");
    CHECK(game.log.back() == "3\toak\t0\t1\t4\toak");
    CHECK_THAT(save(R"lua(
        ecs.blob("Tree", { { "name", "text", "oak" }, { "weights", "list(f32)" }, { "value", "f64" },
          { "children", "list(blob(Tree))" } })
        ecs.component("Plant", { version = 2, { "tree", "blob(Tree)" }, { "sum", "f32" } }))lua",
                    show),
               Contains("blob 'Tree': 2 blobs of it exist, so 'root' cannot change"));
}

TEST_CASE("[K8] a game that builds blobs without end runs on, and does the same with snapshots") {
    const auto run = [](bool takes_snapshots) {
        ScriptWorld game;
        REQUIRE(game.load(kSchema, R"(local ecs = require "ecs"
local C = ecs.components
ecs.world:spawn(C.Plant)
local last, misses = nil, 0
ecs.system("grows", { query = { write = { C.Plant } }, run = function(chunk, ctx)
  local weights = {}
  for i = 1, 500 do weights[i] = ctx.tick * 500 + i end
  if last and not pcall(function() return last.value end) then misses = misses + 1 last = nil end
  for i = 1, 10 do
    weights[1] = i
    last = last or ecs.build_blob(C.Tree, { value = -ctx.tick })
    chunk.Plant.tree[1] = ecs.build_blob(C.Tree, { value = misses, weights = weights })
  end
  print(misses)
end }))") == "");
        std::string log;
        std::optional<WorldSnapshot> snapshot;
        for (int i = 0; i < 300; ++i) {
            REQUIRE(game.step() == "");
            if (takes_snapshots && i % 7 == 0) snapshot = take_snapshot(game.world).value();
        }
        CHECK(game.world.blobs().byte_count() < (std::size_t{3} << 20));
        for (const std::string& line : game.log) log += line + "\n";
        return log + std::to_string(world_hash(game.world));
    };
    const std::string plain = run(false);
    CHECK_THAT(plain, Contains("2\n"));  // freed at least twice
    CHECK(run(true) == plain);
}

TEST_CASE("[K8] blobs are not built in schema.lua and in presentation systems") {
    ScriptWorld game;
    CHECK_THAT(game.load(std::string(kSchema) + "ecs.build_blob('Path', {})", ""),
               Contains("ecs.build_blob: there is no world yet in schema.lua"));
    ScriptWorld shown;
    REQUIRE(shown.load(kSchema, R"(local ecs = require "ecs"
ecs.system("draw", { group = "presentation", run = function() ecs.build_blob("Path", {}) end }))") == "");
    CHECK_THAT(shown.step(),
               Contains("blobs belong to the world, and a presentation system cannot create any"));
}

TEST_CASE("[K8] a mod that builds blobs without end is refused more, and the game goes on") {
    ScriptWorld game;
    REQUIRE(game.load(kSchema, "") == "");
    game.limits.memory_soft = std::size_t{1} << 20;  // and 4 of the world
    REQUIRE(game.load("", R"(local ecs = require "ecs"
ecs.system("hoard", { run = function(_, ctx)
  for i = 1, 100 do
    local x = {}
    for k = 1, 1000 do x[k] = { x = ctx.tick * 100 + i } end
    ctx.commands:spawn(ecs.components["game:Plant"] { path = ecs.build_blob("game:Path", x) })
  end
end }))",
                      "mod") == "");
    std::string said;
    for (int i = 0; i < 40 && said.empty(); ++i) said = game.step();
    CHECK_THAT(said, Contains("blobs"));
    CHECK(game.world.blobs().byte_count() < (std::size_t{6} << 20));
}

}  // namespace
}  // namespace perigee
