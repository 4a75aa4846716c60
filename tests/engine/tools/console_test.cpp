// The console as a player uses it: keys in, lines out, without an effect on the game.
#include "engine/tools/console.h"

#include "engine/base/error_codes.h"
#include "engine/mods/mod_manifest.h"
#include "engine/session/game_session.h"
#include "tests/engine/game_folder.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <memory>
#include <string>

using namespace perigee;

namespace {

using namespace perigee::test;

struct KeptText final : Clipboard {
    std::string read() override { return text; }
    void write(const std::string& written) override { text = written; }
    std::string text;
};

struct Stage {
    Stage()
        : game(R"(local ecs, input = require "ecs", require "input"
input.action("jump", { keys = { "left" } })
jumps = 0
ecs.system("move", { run = function() if input.pressed("jump") then jumps = jumps + 1 end end })
)") {
        engine = game.play();
        console.set_open(true);
    }
    void feed(RawInput raw) {
        console.feed(raw, engine->session(), clipboard);
        REQUIRE(raw.events.size() == 1);
        CHECK(raw.events.front().kind == RawInput::Kind::release_all);
    }
    void type(std::string_view text, std::initializer_list<InputCode> keys = {}) {
        RawInput raw;
        raw.type(text);
        for (const InputCode key : keys) raw.events.push_back({key, 1.0F});
        feed(raw);
    }
    void paste(std::string text) {
        clipboard.text = std::move(text);
        RawInput raw;
        raw.add(RawInput::Kind::paste);
        feed(raw);
    }
    std::string last() const { return console.output().empty() ? "" : console.output().back().text; }

    GameFolder game;
    std::unique_ptr<Engine> engine;
    Console console;
    KeptText clipboard;
};

using enum InputCode;

}  // namespace

TEST_CASE(
    "a typed line shows its value, and marks the run as not replayable if it can change the game [N9]") {
    Stage stage;
    stage.type("1 + 2", {key_return});
    using enum ConsoleLine::Kind;
    CHECK(stage.console.output() == std::deque<ConsoleLine>{{input, "> 1 + 2"}, {answer, "3"}});
    CHECK(stage.console.line().empty());
    stage.type("world:entity_count()", {key_return});
    CHECK(stage.last() == "0");
    stage.type("jumps = = 7", {key_return});
    CHECK(stage.engine->session().not_replayable().empty());
    stage.type("jumps = 7", {key_return});
    CHECK(stage.engine->session().not_replayable() == engine_errors::kConsoleUsed);
    stage.type("jumps", {key_kp_enter});
    CHECK(stage.last() == "7");
    stage.type("error('no')", {key_return});
    CHECK(stage.last().find("no") != std::string::npos);
    CHECK(stage.console.output().back().kind == error);
    stage.game.log.clear();
    stage.type("print('seen', 1)", {key_return});
    CHECK(stage.last() == "seen\t1");
    CHECK(stage.game.log.empty());
}

TEST_CASE("keys edit the line by whole characters") {
    Stage stage;
    stage.type("aöb", {key_left, key_left, key_delete});
    CHECK(stage.console.line() == "ab");
    stage.type("ü", {key_home, key_right, key_backspace});
    CHECK(stage.console.line() == "üb");
    stage.type("", {key_end, key_backspace, key_backspace, key_backspace});
    CHECK(stage.console.line().empty());
    stage.type(std::string(Console::kMaxLineBytes + 1, 'x'));
    CHECK(stage.console.line().empty());
}

TEST_CASE("up and down walk through the history") {
    Stage stage;
    stage.type("1", {key_return});
    stage.type("2", {key_return});
    stage.type("", {key_up});
    CHECK(stage.console.line() == "2");
    stage.type("", {key_up, key_up});
    CHECK(stage.console.line() == "1");
    stage.type("", {key_down, key_down, key_down});
    CHECK(stage.console.line().empty());
}

TEST_CASE("tab completes a name, and lists several candidates") {
    Stage stage;
    stage.type("jum", {key_tab});
    CHECK(stage.console.line() == "jumps");
    stage.type("", {key_home});
    stage.type("string.for", {key_tab});
    CHECK(stage.console.line() == "string.formatjumps");
    Stage other;
    other.type("string.r", {key_tab});
    CHECK(other.console.line() == "string.re");
    other.type("", {key_tab});
    CHECK(other.last() == "rep  reverse");
}

TEST_CASE("lines that begin with a colon are console commands") {
    Stage stage;
    stage.type(":help", {key_return});
    CHECK(std::ranges::any_of(stage.console.output(), [](const ConsoleLine& line) {
        return line.text.find(":mods") != std::string::npos;
    }));
    stage.type(":mods", {key_return});
    CHECK(stage.last() == stage.engine->manifest().id);
    stage.type(":mod nobody", {key_return});
    CHECK(stage.last() == "no mod 'nobody' has loaded; :mods lists them");
    stage.type(":mod " + stage.engine->manifest().id, {key_return});
    CHECK(stage.console.mod() == stage.engine->manifest().id);
    stage.type(":dance", {key_return});
    CHECK(stage.last() == "no command ':dance'; :help lists them");
    CHECK(stage.engine->session().not_replayable().empty());
    stage.type(":clear", {key_return});
    CHECK(stage.console.output().empty());
    CHECK_FALSE(stage.console.wants_quit());
    stage.type(":quit", {key_return});
    CHECK(stage.console.wants_quit());
}

TEST_CASE(":why says what wrote the entity under the mouse, another one, or a resource") {
    Stage stage;
    stage.type(":why", {key_return});
    CHECK(stage.last() == "why: start the game with --provenance to record writes");
    GameFolder game{R"(
local ecs = require "ecs"
local C = ecs.components
ecs.world:spawn(C.Position { x = 100, y = 50 })
ecs.system("fall", {
  query = { write = { C.Position } }, access = { write = { C.Match } }, run = function(chunk, ctx)
  for i = 1, chunk.count do chunk.Position.y[i] = chunk.Position.y[i] + 1 end
  ctx:resource(C.Match).coins = 3
end })
)",
                    "local ecs = require 'ecs'\n"
                    "ecs.component('Position', { { 'x', 'f32' }, { 'y', 'f32' } })\n"
                    "ecs.resource('Match', { { 'coins', 'u32' } })\n"};
    EngineConfig config = game.config();
    config.provenance = WatchedValues{};
    stage.engine = GameFolder::play(config);
    run(*stage.engine, 2);
    stage.console.use(stage.engine->provenance());
    const auto says = [&](std::string_view text) {
        return std::ranges::any_of(stage.console.output(), [&](const ConsoleLine& line) {
            return line.text.find(text) != std::string::npos;
        });
    };
    stage.type(":why", {key_return});
    CHECK(stage.last() == "why: there is no entity with a Position under the mouse; name one: :why 1234");
    RawInput move;
    move.move_mouse(110, 60);
    stage.console.feed(move, stage.engine->session(), stage.clipboard);
    stage.type(":why", {key_return});
    CHECK(says("Position.y"));
    stage.type(":clear", {key_return});
    stage.type(":why Position.y", {key_return});
    CHECK(says("Position.y of entity 0:1 is 52 after step 2."));
    CHECK(stage.last() == "     2      51     52  'fall'  game/main.lua:6");
    stage.type(":why 0 Position.x", {key_return});
    CHECK(stage.last() == "Nothing has written it since the game began.");
    stage.type(":why Match.coins", {key_return});
    CHECK(says("Match.coins is 3 after step 2."));
    stage.type(":why 7 Position", {key_return});
    CHECK(stage.last() == "why: there was no entity 7 up to step 2");
    CHECK(stage.engine->session().not_replayable().empty());
}

TEST_CASE("the game gets no keys while the console is open, and all keys while it is closed") {
    Stage stage;
    const auto frame = [&](float value) {
        FrameInput input;
        input.exact_steps = 1;
        input.raw.events.push_back({key_left, value});
        stage.console.feed(input.raw, stage.engine->session(), stage.clipboard);
        stage.engine->step(input);
    };
    frame(1);
    frame(0);
    stage.type("jumps", {key_return});
    CHECK(stage.last() == "0");
    stage.type("", {key_escape});
    CHECK_FALSE(stage.console.is_open());
    frame(1);
    stage.console.set_open(true);
    stage.type("jumps", {key_return});
    CHECK(stage.last() == "1");
}

TEST_CASE("keys and text of one frame reach the line in the order in which they were typed") {
    Stage stage;
    RawInput raw;
    for (const char* letter : {"a", "b", "c"}) raw.type(letter);
    raw.events.push_back({key_backspace, 1});
    raw.type("d");
    stage.feed(raw);
    CHECK(stage.console.line() == "abd");
}

TEST_CASE("a key repeat repeats its edit") {
    Stage stage;
    RawInput raw;
    raw.type("abcdef");
    raw.events.push_back({key_backspace, 1});
    for (int i = 0; i < 3; ++i) raw.events.push_back({.code = key_backspace, .value = 1, .is_repeat = true});
    raw.events.push_back({key_backspace, 0});
    stage.feed(raw);
    CHECK(stage.console.line() == "ab");
}

TEST_CASE("keys before the console's key reach the game, and keys after it reach the console") {
    Stage stage;
    stage.console.set_open(false);
    RawInput raw;
    raw.type("x");
    raw.add(RawInput::Kind::toggle_console);
    raw.type("1");
    raw.move_mouse(3, 4);
    raw.events.push_back({key_return, 1});
    raw.events.push_back({key_escape, 1});
    raw.type("y");
    stage.console.feed(raw, stage.engine->session(), stage.clipboard);
    CHECK(stage.last() == "1");
    CHECK_FALSE(stage.console.is_open());
    using enum RawInput::Kind;
    REQUIRE(raw.events.size() == 4);
    CHECK(raw.events[0].text == "x");
    CHECK(raw.events[1].kind == release_all);
    CHECK(raw.events[2].kind == mouse);
    CHECK(raw.events[3].text == "y");
}

TEST_CASE("pasted text is inserted at the cursor as one line of whole characters, as much as fits") {
    Stage stage;
    stage.type("[]", {key_left});
    stage.paste("a\xC3\xB6\nb\tc\r\x1B\x7F\xFF d");
    CHECK(stage.console.line() == "[a\xC3\xB6 b c d]");
    stage.paste("");
    CHECK(stage.console.line() == "[a\xC3\xB6 b c d]");
    std::string much;
    while (much.size() < 2 * Console::kMaxLineBytes) much += "\xC3\xB6";
    stage.paste(much);
    CHECK(stage.console.line().size() == Console::kMaxLineBytes - 1);
    stage.paste("x");
    CHECK(stage.console.line().size() == Console::kMaxLineBytes);
    stage.paste("x");
    CHECK(stage.console.line().size() == Console::kMaxLineBytes);
    CHECK(stage.console.line().ends_with("x]"));
}

TEST_CASE("a line that is wider than the screen scrolls to the cursor") {
    Stage stage;
    stage.type(std::string(500, 'x'));
    const auto left_of_line = [&] {
        const DrawList& list = stage.console.draw_list(640, 360);
        for (const DrawItem& item : list.items())
            if (list.text(item).starts_with("> x")) return item.x;
        return 1e9F;
    };
    CHECK(left_of_line() < -640);
    stage.type("", {key_home});
    CHECK(left_of_line() > 0);
}

TEST_CASE("the picture shows the newest lines and stays in the upper half") {
    Stage stage;
    for (int i = 0; i < 600; ++i)
        stage.console.submit("'line " + std::to_string(i) + "'", stage.engine->session());
    CHECK(stage.console.output().size() == Console::kMaxLines);
    const DrawList& list = stage.console.draw_list(640, 360);
    CHECK(list.items().size() > 5);
    CHECK(list.items().size() < 60);
}
