// The output of a console for a line, and its completions.
#include "scripting/tools/console.h"

#include "tests/scripting/script_world.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>
#include <vector>

using namespace perigee;

namespace {

using Lines = std::vector<std::string>;

struct Console {
    Console() {
        REQUIRE(world.load(R"(local ecs = require "ecs"
ecs.component("Health", { { "current", "f32", 10 } })
ecs.component("Heart", { { "beats", "u32" } })
)",
                           R"(config = { lives = 3, names = { "Ada", "Bo" } }
function greet(name) return "hello " .. name end
trap = setmetatable({}, { __index = function() error("asked") end, __tostring = function() error("shown") end })
)") == "");
    }
    Lines shown(std::string_view line) {
        const ConsoleAnswer answer = evaluate(*world.runtime, "game", line);
        INFO(line);
        CHECK(answer.errors == Lines{});
        return answer.lines;
    }
    std::string error(std::string_view line) {
        const ConsoleAnswer answer = evaluate(*world.runtime, "game", line);
        CHECK(answer.lines == Lines{});
        return answer.errors.empty() ? "" : answer.errors.front();
    }
    Lines words(std::string_view line) { return complete(*world.runtime, "game", line).words; }

    ScriptWorld world;
};

bool has(const Lines& words, const std::string& word) {
    return std::ranges::find(words, word) != words.end();
}

}  // namespace

TEST_CASE("a console shows the values of an expression") {
    Console console;
    CHECK(console.shown("1 + 1") == Lines{"2"});
    CHECK(console.shown("greet('you'), nil, true") == Lines{"\"hello you\"", "nil", "true"});
    CHECK(console.shown("config") == Lines{"{ lives = 3, names = { \"Ada\", \"Bo\" } }"});
    CHECK(console.shown("'two\\nlines\\1'") == Lines{R"("two\nlines\1")"});
    CHECK(console.shown("world:entity_count()") == Lines{"0"});
}

TEST_CASE("values of components, proxies and opaque tables are shown with their contents") {
    Console console;
    CHECK(console.shown("C.Health { current = 4 }") == Lines{"value of component Health { current = 4 }"});
    console.shown("hero = world:spawn(C.Health { current = 7 })");
    CHECK(console.shown("world:get(hero, C.Health)") == Lines{"value in component 'Health' { current = 7 }"});
    CHECK(console.shown("C.Health") == Lines{"component Health"});
    CHECK(console.shown("C") == Lines{"{ Health, Heart }"});
    CHECK_THAT(console.shown("world").front(), Catch::Contains("  entity_count\n"));
    CHECK(console.shown("5LL") == Lines{"5LL"});
    console.shown("kept = world:get(hero, C.Health) world:destroy(hero)");
    CHECK(console.shown("kept") == Lines{"value in component 'Health'"});
}

TEST_CASE("the output of a line comes before its values, even if it fails") {
    Console console;
    CHECK(console.shown("print(1, 'a')") == Lines{"1\ta"});
    CHECK(console.shown("(function() print('first') return 'then' end)()") == Lines{"first", "\"then\""});
    const ConsoleAnswer failed = evaluate(*console.world.runtime, "game", "print('so far') error('no')");
    CHECK(failed.lines == Lines{"so far"});
    REQUIRE(failed.errors.size() == 1);
    const Lines many = console.shown("for i = 1, 1000 do print(i) end");
    REQUIRE(many.size() == 201);
    CHECK(many.back() == "...");
}

TEST_CASE("a statement changes the mod's globals and shows nothing") {
    Console console;
    CHECK(console.shown("score = 5") == Lines{});
    CHECK(console.shown("local a = score * 2 score = a") == Lines{});
    CHECK(console.shown("score") == Lines{"10"});
}

TEST_CASE("large, deep and circular tables are shown in part") {
    Console console;
    console.shown("loop = {} loop.me = loop");
    CHECK(console.shown("loop") == Lines{"{ me = { itself } }"});
    console.shown("deep = {} local t = deep for i = 1, 50 do t.a = {} t = t.a end");
    CHECK(console.shown("deep") == Lines{"{ a = { a = { a = { a = { ... } } } } }"});
    console.shown("long = {} for i = 1, 1000 do long[i] = i end");
    CHECK_THAT(console.shown("long").front(), Catch::Contains("... 960 more"));
}

TEST_CASE("showing and completing run no code of the mod") {
    Console console;
    CHECK(console.shown("trap") == Lines{"table"});
    CHECK(console.shown("{ trap }") == Lines{"{ table }"});
    CHECK(console.words("trap.x") == Lines{});
}

TEST_CASE("an error in a line is reported with the console as its file") {
    Console console;
    CHECK_THAT(console.error("1 +"), Catch::Contains("console:1:"));
    CHECK_THAT(console.error("nothing.at_all"), Catch::Contains("global 'nothing'"));
    CHECK_THAT(console.error("C.Helth"), Catch::Contains("did you mean 'Health'"));
    const ConsoleAnswer answer = evaluate(*console.world.runtime, "other", "1");
    REQUIRE(answer.errors.size() == 1);
    CHECK_THAT(answer.errors.front(), Catch::Contains("other"));
}

TEST_CASE("names are completed as the mod sees them") {
    Console console;
    CHECK(console.words("conf") == Lines{"config"});
    CHECK(console.words("print(config.na") == Lines{"names"});
    CHECK(console.words("C.He") == Lines{"Health", "Heart"});
    CHECK(console.words("ecs.components.Hea") == Lines{"Health", "Heart"});
    CHECK(has(console.words("world:"), "entity_count"));
    CHECK(has(console.words("ecs."), "system"));
    CHECK(has(console.words("string.f"), "format"));
    CHECK(has(console.words("w"), "while"));
    CHECK(console.words("unknown.thing") == Lines{});
    CHECK(has(console.words(""), "greet"));
}

TEST_CASE("a line is extended by the common prefix of all completions") {
    Console console;
    const Completion one = complete(*console.world.runtime, "game", "x = conf");
    CHECK(one.extend("x = conf") == "x = config");
    const Completion two = complete(*console.world.runtime, "game", "C.H");
    CHECK(two.extend("C.H") == "C.Hea");
    CHECK(Completion{}.extend("abc") == "abc");
}
