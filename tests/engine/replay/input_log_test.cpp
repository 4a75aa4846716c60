// Round trips of random sessions; truncated, damaged and foreign files are refused with the right message.
#include "engine/replay/input_log.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>
#include <vector>

using namespace perigee;

namespace {

const LogHeader kHeader{"swarm", 18446744073709551615ULL, 60};

// One recorded session: its bytes, and what happened in it.
struct Session {
    std::string bytes;
    std::vector<StepInput> steps;
    std::vector<std::size_t> restarts;  // before which step
    std::size_t limits = 0;
    std::size_t limit_step = 0;  // of the first
    struct World {
        std::size_t steps;
        std::string bytes;
    };
    std::vector<World> worlds;
    ActionMap map;  // as at the end
};

void randomise(std::mt19937& random, StepInput& input, bool is_busy) {
    for (ActionState& state : input.actions) {
        const bool was_down = state.down;
        if (is_busy && random() % 4 == 0) {
            state.down = random() % 2 == 0;
            state.level = random() % 2 == 0 ? (state.down ? 255 : 0) : static_cast<std::uint8_t>(random());
        }
        state.pressed = state.down && (!was_down || random() % 20 == 0);
        state.released = was_down && !state.down;
    }
    input.wheel = is_busy && random() % 10 == 0 ? static_cast<std::int16_t>(random()) : std::int16_t{0};
    if (is_busy && random() % 3 == 0) input.mouse_x = static_cast<std::int16_t>(random());
    if (is_busy && random() % 3 == 0) input.mouse_y = static_cast<std::int16_t>(input.mouse_y / 2 + 1);
    input.text.clear();
    input.events.clear();
    for (unsigned count = is_busy && random() % 3 == 0 ? random() % 5 : 0; count > 0; --count) {
        InputEvent event{.kind = static_cast<InputEvent::Kind>(random() % InputEvent::kKinds)};
        if (event.is_of_control()) event.code = static_cast<InputCode>(random() % kInputCodeCount);
        if (event.kind == InputEvent::Kind::text)
            event.text_bytes = static_cast<std::uint8_t>(1 + random() % 60);
        if (event.kind == InputEvent::Kind::wheel) event.notches = static_cast<std::int16_t>(random());
        if (event.has_place())
            event.mouse = {static_cast<std::int16_t>(random()), static_cast<std::int16_t>(random())};
        input.text += std::string(event.text_bytes, 'x');
        input.events.push_back(event);
    }
}

Session random_session(std::mt19937& random, std::size_t steps, bool stores_worlds = false) {
    Session session;
    InputLogWriter writer{kHeader, stores_worlds};
    StepInput input;
    bool is_busy = true;
    for (std::size_t step = 0; step < steps; ++step) {
        if (random() % 100 == 0) {
            if (session.limits++ == 0) session.limit_step = step;
            writer.mark_not_replayable(std::string(random() % 300, 'l'));
        }
        if (random() % 60 == 0) {
            writer.restart();
            session.restarts.push_back(step);
            input = {};
            session.map.clear();
        }
        if (random() % 20 == 0) {
            const auto id = session.map.declare("action" + std::to_string(random() % 30), {});
            REQUIRE(id);
        }
        if (random() % 30 == 0) is_busy = !is_busy;
        input.actions.resize(session.map.size());
        randomise(random, input, is_busy);
        writer.step(session.map, input);
        session.steps.push_back(input);
        if (stores_worlds && random() % 20 == 0) {
            session.worlds.push_back({step + 1, std::string(random() % 1000, 'w')});
            writer.store_world(step + 1000, session.worlds.back().bytes);
        }
        if (random() % 50 == 0) session.bytes += writer.take_bytes();
    }
    writer.finish(0xFEED);
    session.bytes += writer.take_bytes();
    return session;
}

std::string error_of(std::string bytes) {
    const Result<InputLog> log = InputLog::parse(std::move(bytes));
    return log ? "no error" : log.error().message;
}

}  // namespace

TEST_CASE("any session is read as it was written, step by step, with its restarts") {
    std::mt19937 random{21};
    for (int program = 0; program < 60; ++program) {
        const Session session = random_session(random, random() % 400);
        Result<InputLog> parsed = InputLog::parse(session.bytes);
        REQUIRE(parsed);
        InputLog& log = parsed.value();
        CHECK(log.header() == kHeader);
        CHECK(log.step_count() == session.steps.size());
        CHECK(log.world_hash() == 0xFEED);
        CHECK(log.limit().has_value() == (session.limits > 0));
        if (log.limit()) CHECK(log.limit()->step_count == session.limit_step);

        ActionMap map;  // the game declares everything at once, in another order than the log
        for (int i = 29; i >= 0; --i) REQUIRE(map.declare("action" + std::to_string(i), {}));
        std::vector<std::size_t> restarts;
        for (std::size_t step = 0; !log.is_finished(); ++step) {
            while (log.is_restart_next()) {
                restarts.push_back(step);
                log.take_restart();
            }
            const StepInput& recorded = session.steps[step];
            const StepInput played = log.take_step(map);
            REQUIRE(played.mouse_x == recorded.mouse_x);
            REQUIRE(played.mouse_y == recorded.mouse_y);
            REQUIRE(played.wheel == recorded.wheel);
            REQUIRE(played.text == recorded.text);
            REQUIRE(played.events == recorded.events);
            std::size_t active = 0;
            for (const ActionState& state : played.actions) active += state == ActionState{} ? 0 : 1;
            std::size_t recorded_active = 0;
            for (const ActionState& state : recorded.actions)
                recorded_active += state == ActionState{} ? 0 : 1;
            REQUIRE(active == recorded_active);
        }
        CHECK(restarts == session.restarts);
    }
}

TEST_CASE("a session continues after any of the worlds that it stores") {
    std::mt19937 random{22};
    for (int program = 0; program < 40; ++program) {
        const Session session = random_session(random, 1 + random() % 300, true);
        CHECK(session.bytes.starts_with("perigee input log 4\n"));
        InputLog log = std::move(InputLog::parse(session.bytes)).value();
        const std::size_t wanted = random() % (session.steps.size() + 10);
        const Session::World* expected = nullptr;
        for (const Session::World& world : session.worlds)
            if (world.steps <= wanted) expected = &world;
        const std::optional<StoredWorld> world = log.go_to_world(wanted);
        REQUIRE(world.has_value() == (expected != nullptr));
        if (world) {
            CHECK(world->step_count == expected->steps);
            CHECK(world->hash == expected->steps + 999);
            CHECK(world->bytes == expected->bytes);
        }
        REQUIRE(log.steps_played() == (world ? world->step_count : 0));
        ActionMap map;
        for (int i = 0; i < 30; ++i) REQUIRE(map.declare("action" + std::to_string(i), {}));
        for (std::size_t step = log.steps_played(); !log.is_finished(); ++step) {
            while (log.is_restart_next()) log.take_restart();
            const StepInput played = log.take_step(map);
            REQUIRE(played.mouse_x == session.steps[step].mouse_x);
            REQUIRE(played.text == session.steps[step].text);
            REQUIRE(played.events == session.steps[step].events);
            const bool is_stored = std::ranges::any_of(
                session.worlds, [&](const Session::World& stored) { return stored.steps == step + 1; });
            REQUIRE(log.stored_hash().has_value() == is_stored);
        }
    }
}

TEST_CASE("a log with worlds that is cut or damaged anywhere is refused, and plays as far as it goes") {
    std::mt19937 random{23};
    const Session session = random_session(random, 100, true);
    REQUIRE(session.worlds.size() > 2);
    for (std::size_t at = 0; at < session.bytes.size(); ++at) {
        std::string damaged = session.bytes;
        damaged[at] = static_cast<char>(damaged[at] ^ (1U << random() % 8));
        REQUIRE_FALSE(InputLog::parse(damaged));
        const std::string cut = session.bytes.substr(0, at);
        REQUIRE_FALSE(InputLog::parse(cut));
        Result<InputLog> prefix = InputLog::parse(cut, true);
        if (!prefix) continue;
        const std::optional<StoredWorld> world = prefix.value().go_to_world(1000);
        CHECK((!world || world->step_count <= prefix.value().step_count()));
    }
    // Logs without worlds keep their version, and have none.
    InputLogWriter plain{kHeader};
    plain.step({}, {});
    std::string bytes = plain.take_bytes();
    CHECK(bytes.starts_with("perigee input log 3\n"));
    bytes += std::string("\x43\0\0\0\0\0\0\0\0\0", 10);
    CHECK_THAT(error_of(bytes), Catch::Matchers::Contains("corrupt near byte"));
}

TEST_CASE("answers of player data are read with their step, load and restart") {
    InputLogWriter writer{kHeader};
    const ActionMap map;
    const SaveAnswer loaded{"g/a", "l"}, first{"g/a", std::string(300, 'r')}, other{"g/b", ""},
        again{"g/a", "w"};
    writer.answer(loaded);
    for (int i = 0; i < 5; ++i) writer.step(map, {});
    writer.answer(first);
    writer.mark_not_replayable("x");
    writer.answer(other);
    writer.step(map, {});
    writer.restart();
    writer.answer(again);
    writer.step(map, {});
    writer.answer(loaded);
    writer.finish(0);
    const std::string bytes = writer.take_bytes();
    InputLog log = std::move(InputLog::parse(bytes)).value();
    ActionMap played;
    const auto step = [&] {
        static_cast<void>(log.take_step(played));
        return log.take_answers();
    };
    CHECK(log.take_answers() == std::vector{loaded});
    for (int i = 0; i < 4; ++i) CHECK(step().empty());
    CHECK(step() == std::vector{first, other});
    CHECK(log.take_answers().empty());
    CHECK(step().empty());
    REQUIRE(log.is_restart_next());
    log.take_restart();
    CHECK(log.take_answers() == std::vector{again});
    CHECK(step() == std::vector{loaded});
    CHECK(log.is_finished());
    // Cut or damaged anywhere, it is refused.
    for (std::size_t size = bytes.find('\x42'); size < bytes.size(); ++size)
        CHECK_FALSE(InputLog::parse(bytes.substr(0, size)).ok());
    const std::string head = bytes.substr(0, bytes.find('\x42'));
    CHECK_THAT(error_of(head + "\x42\xff\xff\x03"), Catch::Matchers::Contains("corrupt near byte"));
    CHECK_THAT(error_of(head + "\x42\x01g\xff\xff\xff\x7f"), Catch::Matchers::Contains("corrupt near byte"));
}

namespace {

// A log whose answers have contents, of which two are the same; `pieces`: whether it is taken in between.
std::string log_with_contents(bool pieces, std::vector<SaveAnswer>& answers) {
    const auto content = [](char c) { return std::make_shared<const std::string>(300, c); };
    answers = {{"g/a/worlds", "r\1\1", content('a')},
               {"g/a", "r\1\1{}"},
               {"g/a/worlds", "r\1\1", content('b')},
               {"g/a/worlds", "r\1\2", content('a')}};
    InputLogWriter writer{kHeader};
    std::string bytes;
    for (const SaveAnswer& answer : answers) {
        writer.step({}, {});
        if (pieces) bytes += writer.take_bytes();
        writer.answer(answer);
    }
    writer.restart();
    writer.answer(answers[0]);
    writer.step({}, {});
    writer.finish(7);
    CHECK(writer.has_newer_version());
    bytes += writer.take_bytes();
    return bytes.replace(InputLogWriter::kVersionAt, InputLogWriter::kNewerVersion.size(),
                         InputLogWriter::kNewerVersion);
}

}  // namespace

TEST_CASE("the size of the screen is read as it was written, and begins again after a restart") {
    InputLogWriter writer{kHeader};
    const ActionMap map;
    const auto step = [&](ScreenSize screen) {
        StepInput input;
        input.screen = screen;
        writer.step(map, input);
    };
    step({});
    step({});
    std::string bytes = writer.take_bytes();  // the header is gone before the screen grows
    CHECK_FALSE(writer.has_newer_version());
    for (int i = 0; i < 3; ++i) step({400, 180});
    step({8192, 300});
    writer.restart();
    step({});
    step({8192, 300});
    step({});
    writer.finish(7);
    bytes += writer.take_bytes();
    REQUIRE(writer.has_newer_version());
    bytes.replace(InputLogWriter::kVersionAt, InputLogWriter::kNewerVersion.size(),
                  InputLogWriter::kNewerVersion);
    Result<InputLog> parsed = InputLog::parse(bytes);
    REQUIRE(parsed);
    ActionMap played;
    std::vector<ScreenSize> seen;
    while (!parsed.value().is_finished()) {
        if (parsed.value().is_restart_next()) parsed.value().take_restart();
        seen.push_back(parsed.value().take_step(played).screen);
    }
    const ScreenSize wide{400, 180}, large{8192, 300};
    CHECK(seen == std::vector<ScreenSize>{{}, {}, wide, wide, wide, large, {}, large, {}});
    // A size that no screen has.
    const std::string head = "perigee input log 5\n" +
                             bytes.substr(bytes.find("game"), bytes.find("\n\n") + 2 - bytes.find("game"));
    CHECK_THAT(error_of(head + "\x10\x81\x40\x05"), Catch::Matchers::Contains("corrupt near byte"));
    CHECK_THAT(error_of(head + std::string("\x10\x00\x05", 3)),
               Catch::Matchers::Contains("corrupt near byte"));
}

TEST_CASE("answers with contents are read with them, and each content is in the log once") {
    std::vector<SaveAnswer> answers;
    const std::string bytes = log_with_contents(false, answers);
    CHECK(bytes == log_with_contents(true, answers));
    CHECK(bytes.starts_with("perigee input log 5\n"));
    CHECK(bytes.size() < 2 * 300 + 250);
    Result<InputLog> parsed = InputLog::parse(bytes);
    REQUIRE(parsed);
    InputLog& log = parsed.value();
    ActionMap map;
    for (const SaveAnswer& answer : answers) {
        static_cast<void>(log.take_step(map));
        CHECK(log.take_answers() == std::vector{answer});
    }
    REQUIRE(log.is_restart_next());
    log.take_restart();
    const std::vector<SaveAnswer> first = log.take_answers();
    CHECK(first == std::vector{answers[0]});
    static_cast<void>(log.take_step(map));
    CHECK(log.is_finished());
    CHECK(*first[0].content == std::string(300, 'a'));  // it outlives the step
}

TEST_CASE("a log with contents that is cut or damaged anywhere is refused, and plays as far as it goes") {
    std::mt19937 random{29};
    std::vector<SaveAnswer> answers;
    const std::string whole = log_with_contents(false, answers);
    for (std::size_t at = 0; at < whole.size(); ++at) {
        std::string damaged = whole;
        damaged[at] = static_cast<char>(damaged[at] ^ (1U << random() % 8));
        REQUIRE_FALSE(InputLog::parse(damaged));
        const std::string cut = whole.substr(0, at);
        REQUIRE_FALSE(InputLog::parse(cut));
        // Without an end mark there is no checksum, as in a forged log.
        for (std::string bytes : {cut, damaged.substr(0, damaged.size() - 25)}) {
            Result<InputLog> prefix = InputLog::parse(std::move(bytes), true);
            if (!prefix) continue;
            ActionMap map;
            while (!prefix.value().is_finished()) {
                while (prefix.value().is_restart_next()) prefix.value().take_restart();
                static_cast<void>(prefix.value().take_step(map));
                for (const SaveAnswer& answer : prefix.value().take_answers())
                    REQUIRE((answer.content == nullptr || answer.content->size() <= whole.size()));
            }
        }
    }
    // A content that is not there, too much of it, and earlier versions, which have none.
    InputLogWriter writer{kHeader};
    writer.step({}, {});
    const std::string old = writer.take_bytes();
    std::string now = old;
    now[InputLogWriter::kVersionAt] = '5';
    const std::string content("\x44\1w", 3), loaded("\x45\1g\0", 4);
    CHECK_THAT(error_of(now + content + loaded + '\0'), Catch::Matchers::Contains("is truncated"));
    CHECK_THAT(error_of(now + content + loaded + '\1'), Catch::Matchers::Contains("corrupt near byte"));
    CHECK_THAT(error_of(now + "\x44\xff\xff\xff\x7f"), Catch::Matchers::Contains("corrupt near byte"));
    CHECK_THAT(error_of(old + content), Catch::Matchers::Contains("corrupt near byte"));
    CHECK_THAT(error_of(old + loaded + '\0'), Catch::Matchers::Contains("corrupt near byte"));
}

TEST_CASE("logs of earlier versions are read") {
    for (const char* version : {"1", "2", "4"}) {
        InputLogWriter writer{kHeader};
        writer.step({}, {});
        std::string bytes = writer.take_bytes();
        bytes[std::string_view{"perigee input log "}.size()] = *version;
        CHECK(InputLog::parse(bytes, true).value().step_count() == 1);
    }
}

TEST_CASE("states are matched by the names of actions, not by their numbers") {
    ActionMap recorded;
    REQUIRE(recorded.declare("left", {}));
    REQUIRE(recorded.declare("fire", {}));
    InputLogWriter writer{kHeader};
    StepInput input;
    input.actions = {{}, {200, true, true, false}};
    writer.step(recorded, input);
    input.actions = {{}, {0, false, false, true}};
    writer.step(recorded, input);
    writer.finish(0);
    Result<InputLog> log = InputLog::parse(writer.take_bytes());
    REQUIRE(log);

    ActionMap game;
    REQUIRE(game.declare("fire", {}));
    REQUIRE(game.declare("new", {}));
    CHECK(log.value().take_step(game).actions == std::vector<ActionState>{{200, true, true, false}, {}, {}});
    CHECK(game[2].name == "left");  // the recorded game had it: it may be declared within this step
    CHECK(log.value().take_step(game).actions == std::vector<ActionState>{{0, false, false, true}, {}, {}});
    CHECK(log.value().is_finished());
}

TEST_CASE("five busy minutes with stick, mouse and buttons stay below 300 kB, a quiet hour below 2 kB") {
    std::mt19937 random{2};
    ActionMap map;
    for (const char* name : {"left", "right", "up", "down", "fire", "dash"}) REQUIRE(map.declare(name, {}));
    InputLogWriter busy{kHeader};
    StepInput input;
    input.actions.resize(map.size());
    for (int step = 0; step < 5 * 60 * 60; ++step) {
        input.actions[step / 40 % 2].level = static_cast<std::uint8_t>(random());
        input.actions[2 + step / 30 % 2].level = static_cast<std::uint8_t>(random());
        input.mouse_x = static_cast<std::int16_t>(input.mouse_x + static_cast<int>(random() % 41) - 20);
        input.mouse_y = static_cast<std::int16_t>(input.mouse_y + static_cast<int>(random() % 41) - 20);
        ActionState& fire = input.actions[4];
        fire.pressed = step % 10 == 0;
        fire.down = step % 10 < 5;
        fire.level = fire.down ? 255 : 0;
        busy.step(map, input);
    }
    CHECK(busy.take_bytes().size() < 300'000);

    InputLogWriter quiet{kHeader};
    for (int step = 0; step < 60 * 60 * 60; ++step) quiet.step(map, StepInput{.actions = input.actions});
    CHECK(quiet.take_bytes().size() < 2'000);
}

TEST_CASE("a log truncated anywhere is refused, and is played as far as it goes on request") {
    std::mt19937 random{5};
    const Session session = random_session(random, 120);
    std::uint64_t last = 0;
    ActionMap map;
    for (std::size_t length = 0; length < session.bytes.size(); ++length) {
        const std::string cut = session.bytes.substr(0, length);
        REQUIRE_FALSE(InputLog::parse(cut));
        Result<InputLog> prefix = InputLog::parse(cut, true);
        if (!prefix) continue;  // within the header or the end mark
        CHECK(prefix.value().step_count() >= last);
        last = prefix.value().step_count();
        CHECK_FALSE(prefix.value().world_hash());
        while (!prefix.value().is_finished()) {
            while (prefix.value().is_restart_next()) prefix.value().take_restart();
            prefix.value().take_step(map);
        }
    }
    CHECK(last == 120);
}

TEST_CASE("a log with any changed byte is refused") {
    std::mt19937 random{6};
    const Session session = random_session(random, 150);
    for (std::size_t at = 0; at < session.bytes.size(); ++at) {
        std::string damaged = session.bytes;
        damaged[at] = static_cast<char>(damaged[at] ^ (1U << random() % 8));
        INFO("byte " << at);
        REQUIRE_FALSE(InputLog::parse(damaged));
    }
}

TEST_CASE("a log truncated inside its end mark is played as far as it goes on request") {
    const ActionMap map;
    InputLogWriter writer{kHeader};
    for (int step = 0; step < 3; ++step) writer.step(map, {});
    writer.finish(1);
    const std::string whole = writer.take_bytes();
    for (std::size_t missing = 1; missing <= 25; ++missing) {
        const std::string cut = whole.substr(0, whole.size() - missing);
        CAPTURE(missing);
        CHECK(error_of(cut) == "replay: the log is truncated: it ends after step 3 without an end mark");
        const Result<InputLog> log = InputLog::parse(cut, true);
        REQUIRE(log);
        CHECK(log.value().step_count() == 3);
        CHECK_FALSE(log.value().world_hash().has_value());
    }
}

TEST_CASE("a log from before events is read, and its text is one event") {
    const std::string log =
        "perigee input log 2\ngame swarm\nseed 1\nrate 60\nluajit x\n\n"
        "\x10\x02hi\x82";
    Result<InputLog> parsed = InputLog::parse(log, true);
    REQUIRE(parsed);
    ActionMap map;
    const StepInput typed = parsed.value().take_step(map);
    CHECK(typed.text == "hi");
    InputEvent text{.kind = InputEvent::Kind::text};
    text.text_bytes = 2;
    CHECK(typed.events == std::vector{text});
    CHECK(parsed.value().take_step(map) == StepInput{});
    CHECK(parsed.value().take_step(map) == StepInput{});
    CHECK(parsed.value().is_finished());
}

TEST_CASE("a log with impossible events is refused") {
    const std::string head = "perigee input log 3\ngame swarm\nseed 1\nrate 60\nluajit x\n\n";
    const auto plays = [&](std::string_view step) {
        const Result<InputLog> log = InputLog::parse(head + std::string{step}, true);
        return log && log.value().step_count() == 1;
    };
    using namespace std::string_view_literals;
    CHECK(plays("\x20\x01\x00\x00\x00\x01w"sv));
    CHECK(plays("\x20\x02\x00\x00\x01\x04left\x01\x02\x02\x00\x01\x02"sv));
    CHECK(plays("\x20\x01\x03\x02\xC3\xA9"sv));
    CHECK(plays("\x20\x01\x04\x01\x02\x02"sv));
    CHECK_FALSE(plays("\x20\x00"sv));                              // none
    CHECK_FALSE(plays("\x20\x41\x00"sv));                          // too many
    CHECK_FALSE(plays("\x20\x01\x05"sv));                          // of another kind
    CHECK_FALSE(plays("\x20\x01\x00\x01"sv));                      // of a control without a name
    CHECK_FALSE(plays("\x20\x01\x00\x00\x00\x01?"sv));             // with an unknown name
    CHECK_FALSE(plays("\x20\x01\x00\x00\x03\x01w"sv));             // of an unknown device
    CHECK_FALSE(plays("\x20\x01\x03\x00"sv));                      // of no text
    CHECK_FALSE(plays("\x20\x01\x03\x01\xC3"sv));                  // of text that is none
    CHECK_FALSE(plays("\x20\x01\x03\x01\x1B"sv));                  // of a control character
    CHECK_FALSE(plays("\x20\x01\x04\x01\xFF\xFF\xFF\x0F\x00"sv));  // at no place
    CHECK_FALSE(plays("\x10\x01x"sv));                             // as before version 3
    CHECK_FALSE(plays("\x20\x02\x03\xFF\x01" + std::string(255, 'x') + "\x03\x01x"));  // too long
}

TEST_CASE("each error of a log has its message") {
    ActionMap map;
    REQUIRE(map.declare("fire", {}));
    InputLogWriter writer{kHeader};
    for (int step = 0; step < 7; ++step)
        writer.step(map, StepInput{.actions = {{}}, .mouse_x = static_cast<std::int16_t>(step)});
    const std::string open = writer.take_bytes();
    writer.finish(1);
    const std::string whole = open + writer.take_bytes();

    CHECK(error_of(whole) == "no error");
    CHECK(error_of("") == "replay: this file is not a perigee input log");
    CHECK(error_of("\x89PNG and more") == "replay: this file is not a perigee input log");
    CHECK(error_of("perigee input log 1\ngame swarm\n") ==
          "replay: the log is truncated: it ends after step 0 without an end mark");
    CHECK(error_of(open) == "replay: the log is truncated: it ends after step 7 without an end mark");
    CHECK(error_of("perigee input log 9\ngame a\nseed 1\nrate 60\n\n") ==
          "replay: the log has version 9, this program reads version 5");
    CHECK(error_of("perigee input log 1\ngame a\nseed x\nrate 60\n\n") ==
          "replay: the header of the log is damaged: expected the lines game, seed, rate");
    CHECK(error_of("perigee input log 1\ngame a\nseed 1\nrate 60\n\n") ==
          "replay: the log is truncated: it ends after step 0 without an end mark");
    CHECK(error_of(open + "\x60") ==
          "replay: the log is corrupt near byte " + std::to_string(open.size() + 1) + ", after step 7");
    std::string wrong_sum = whole;
    wrong_sum.back() = static_cast<char>(wrong_sum.back() ^ 1);
    CHECK(error_of(wrong_sum) == "replay: the log is corrupt: its checksum does not match");

    const Result<InputLog> log = InputLog::parse(whole);
    CHECK(log.value().expect_game("swarm", 60));
    CHECK(log.value().expect_game("pong", 60).error().message ==
          "replay: the log was recorded with game 'swarm', this is 'pong'");
    CHECK(log.value().expect_game("swarm", 30).error().message ==
          "replay: the log was recorded at 60 steps per second, this game runs at 30");
}
