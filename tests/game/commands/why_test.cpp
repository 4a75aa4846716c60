// The built program on a recorded run: the answer, and each of its errors.
#include "game/commands/why.h"

#include "tests/game/program.h"
#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>

#include <string>

using namespace perigee;
using Catch::Matchers::Contains;
using test::ProgramRun;
using test::run_program;

namespace {

constexpr char kSchema[] = R"(
local ecs = require "ecs"
ecs.component("Health", { { "current", "i32" } })
ecs.resource("Match", { { "coins", "u32" } })
)";

constexpr char kMain[] = R"(
local ecs = require "ecs"
local C = ecs.components
ecs.system("bite", { query = { write = { C.Health } }, run_if = function(ctx) return ctx.tick % 10 == 4 end,
  run = function(chunk)
    for i = 1, chunk.count do chunk.Health.current[i] = chunk.Health.current[i] - 5 end
  end })
ecs.system("waves", { access = { write = { C.Match } }, run = function(_, ctx)
  if ctx.tick == 9 then ctx.commands:spawn(C.Health { current = 30 }) end
  ctx:resource(C.Match).coins = ctx.tick
end })
)";

constexpr char kMod[] = R"(
local ecs = require "ecs"
local C = ecs.components
ecs.system("mend", { every = 0.5, query = { write = { C.Health } }, run = function(chunk)
  for i = 1, chunk.count do chunk.Health.current[i] = 40 end
end })
)";

}  // namespace

TEST_CASE("why says which systems of which mods wrote a value") {
    const test::TemporaryFolder folder;
    folder.write("game/schema.lua", kSchema);
    folder.write("game/main.lua", kMain);
    folder.write("game/mods/nurse/mod.json", R"({ "id": "nurse", "version": "1.0.0", "api": "1.0.0" })");
    folder.write("game/mods/nurse/main.lua", kMod);
    const std::string game = (folder.path() / "game").string(), log = (folder.path() / "a.log").string();
    const ProgramRun recorded =
        run_program("run '" + game + "' --headless --frames 60 --hash --record " + log);
    INFO(recorded.err);
    REQUIRE(recorded.status == 0);
    const std::string why = "why " + log + " '" + game + "' ";

    const ProgramRun run = run_program(why + "--entity 0 --field Health.current");
    CHECK(run.err == "");
    CHECK(run.status == 0);
    CHECK(run.out ==
          "Health.current of entity 0:1 is 40 after step 60.\n"
          "It was written 8 times since the game began: 5 by 'bite', 2 by 'nurse:mend', 1 by commands of "
          "'waves'.\n"
          "\n"
          "  step  before  after  by                            where\n"
          "    10             30  commands of 'waves', spawned  game/main.lua:8\n"
          "    15      30     25  'bite'                        game/main.lua:5\n"
          "    25      25     20  'bite'                        game/main.lua:5\n"
          "    30      20     40  'nurse:mend'                  nurse/main.lua:4\n"
          "    35      40     35  'bite'                        game/main.lua:5\n"
          "    45      35     30  'bite'                        game/main.lua:5\n"
          "    55      30     25  'bite'                        game/main.lua:5\n"
          "    60      25     40  'nurse:mend'                  nurse/main.lua:4\n");
    const ProgramRun part = run_program(why + "--entity 0:1 --field Health.current --last 1 --until 50");
    CHECK(part.out ==
          "Health.current of entity 0:1 is 30 after step 50.\n"
          "It was written 6 times since the game began: 4 by 'bite', 1 by 'nurse:mend', 1 by commands of "
          "'waves'. The last 1:\n"
          "\n"
          "  step  before  after  by      where\n"
          "    45      35     30  'bite'  game/main.lua:5\n");
    CHECK_THAT(run_program(why + "--field Match.coins").out, Contains("59 by 'waves'. The last 10:"));

    const auto refused = [&](const std::string& words, const std::string& message, int status = 1) {
        const ProgramRun refusal = run_program(why + words);
        CAPTURE(words);
        CHECK(refusal.status == status);
        CHECK(refusal.out.empty());
        CHECK_THAT(refusal.err, Contains(message));
    };
    refused("--entity 0 --field Helath", "did you mean 'Health'?");
    refused("--entity 0 --field Health.curent", "did you mean 'current'?");
    refused("--entity 77 --field Health", "why: there was no entity 77 up to step 60");
    refused("--entity 0 --field Health --until 61", "the recording ends after step 60, before step 61");
    refused("--entity x", "'x' is not an entity", 2);
    refused("", "why: name an entity, or a resource", 2);
    for (const char* const option : {"--until ", "--last "})
        refused(std::string("--entity 0 ") + option + "-1",
                "expected a whole number from 0 to 18446744073709551615, got '-1'", 2);
    CHECK(run_program("why").status == 2);
    CHECK_THAT(run_program("why " + log + ".none '" + game + "' --entity 0").err, Contains("does not exist"));
}
