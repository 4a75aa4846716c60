// Events in order and in one step each: examples, and random sequences compared with a plain list.
#include "engine/input/input_events.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <random>

using namespace perigee;

namespace {

using Kind = InputEvent::Kind;

// "down a", "text xy", "wheel 2", one after the other.
std::string words(const std::vector<InputEvent>& events, std::string_view text) {
    constexpr const char* kWords[] = {"down", "repeat", "up", "text", "wheel"};
    std::string said;
    for (const InputEvent& event : events) {
        if (!said.empty()) said += ", ";
        said += std::string{kWords[static_cast<std::size_t>(event.kind)]} + " ";
        if (event.is_of_control()) said += input_code_name(event.code);
        if (event.kind == Kind::wheel) said += std::to_string(event.notches);
        said += text.substr(0, event.text_bytes);
        text.remove_prefix(event.text_bytes);
    }
    CHECK(text.empty());
    return said;
}

std::string next_step(InputEventQueue& queue) {
    std::vector<InputEvent> events;
    std::string text;
    queue.take_step(events, text);
    return words(events, text);
}

}  // namespace

TEST_CASE("each event is taken once, in the order of arrival") {
    InputEventQueue queue;
    queue.set_control(InputCode::key_a, true, {});
    queue.type("a");
    queue.repeat_control(InputCode::key_a);
    queue.type("a");
    queue.set_control(InputCode::key_a, false, {});
    queue.turn_wheel(-2, {8, 16});
    CHECK(next_step(queue) == "down a, text a, repeat a, text a, up a, wheel -2");
    CHECK(next_step(queue).empty());
}

TEST_CASE("mouse buttons and the wheel have the mouse position, and other events have none") {
    InputEventQueue queue;
    queue.set_control(InputCode::mouse_left, true, {8, 16});
    queue.set_control(InputCode::key_a, true, {8, 16});
    queue.turn_wheel(1, {80, 160});
    std::vector<InputEvent> events;
    std::string text;
    queue.take_step(events, text);
    REQUIRE(events.size() == 3);
    CHECK(events[0].mouse == InputPlace{8, 16});
    CHECK(events[1].mouse == InputPlace{});
    CHECK(events[2].mouse == InputPlace{80, 160});
}

TEST_CASE("a control that is down cannot go down, and one that is up cannot repeat or go up") {
    InputEventQueue queue;
    queue.repeat_control(InputCode::key_a);
    queue.set_control(InputCode::key_a, false, {});
    queue.set_control(InputCode::key_a, true, {});
    queue.set_control(InputCode::key_a, true, {});
    CHECK(next_step(queue) == "down a");
}

TEST_CASE("text events have only valid characters, and long texts are split between characters") {
    InputEventQueue queue;
    queue.type("a\x1b[31m\n\xff\xc3\xc3\xa9\x7f");
    CHECK(next_step(queue) == "text a[31m\xc3\xa9");
    queue.type("\x07");
    CHECK(next_step(queue).empty());
    std::string typed;
    for (int i = 0; i < 200; ++i) typed += "\xc3\xa9";
    queue.type(typed);
    queue.type("b");
    const std::string first = next_step(queue);
    CHECK(first.size() == 254 + 5);
    CHECK(next_step(queue) == "text " + typed.substr(254) + ", text b");
}

TEST_CASE("events beyond the limit of a step wait for the next steps") {
    InputEventQueue queue;
    for (int i = 0; i < 100; ++i) queue.turn_wheel(i + 1, {});
    std::vector<InputEvent> events;
    std::string text;
    queue.take_step(events, text);
    CHECK(events.size() == kMaxStepEvents);
    queue.take_step(events, text);
    CHECK(events.size() == 100 - kMaxStepEvents);
    CHECK(events.front().notches == kMaxStepEvents + 1);
}

TEST_CASE("beyond the limit of waiting events a press is dropped with its release, and no key stays down") {
    InputEventQueue queue;
    queue.set_control(InputCode::key_a, true, {});
    for (std::size_t i = 0; i < 2 * kMaxWaitingEvents; ++i) queue.type("x");
    queue.set_control(InputCode::key_b, true, {});
    queue.repeat_control(InputCode::key_a);
    queue.turn_wheel(1, {});
    queue.set_control(InputCode::key_b, false, {});
    queue.set_control(InputCode::key_a, false, {});
    std::vector<InputEvent> all, events;
    std::string text;
    for (queue.take_step(events, text); !events.empty(); queue.take_step(events, text))
        all.insert(all.end(), events.begin(), events.end());
    CHECK(all.size() == kMaxWaitingEvents + 1);
    CHECK(all.front() == InputEvent{.kind = Kind::down, .code = InputCode::key_a});
    CHECK(all.back() == InputEvent{.kind = Kind::up, .code = InputCode::key_a});
    CHECK(std::ranges::count(all, Kind::text, &InputEvent::kind) == kMaxWaitingEvents - 1);
}

TEST_CASE("forget() keeps releases of presses that a step saw, and reset() drops them too") {
    InputEventQueue queue;
    queue.set_control(InputCode::key_a, true, {});
    queue.set_control(InputCode::key_b, true, {});
    next_step(queue);
    queue.set_control(InputCode::key_a, false, {});
    queue.set_control(InputCode::key_c, true, {});
    queue.type("c");
    std::bitset<kInputCodeCount> still_down;
    still_down.set(static_cast<std::size_t>(InputCode::key_b));
    still_down.set(static_cast<std::size_t>(InputCode::key_c));
    queue.forget(still_down);
    queue.set_control(InputCode::key_c, false, {});
    queue.forget(still_down);  // once per frame of a pause
    CHECK(next_step(queue) == "up a");
    queue.set_control(InputCode::key_b, false, {});
    CHECK(next_step(queue) == "up b");

    queue.set_control(InputCode::key_a, true, {});
    next_step(queue);
    queue.reset();
    queue.set_control(InputCode::key_a, false, {});
    CHECK(next_step(queue).empty());
}

TEST_CASE("for any sequence, no event is lost or repeated, and presses and releases alternate") {
    std::mt19937 random{11};
    for (int program = 0; program < 200; ++program) {
        InputEventQueue queue;
        std::vector<std::string> expected, got;
        std::map<InputCode, bool> is_down;
        std::map<InputCode, bool> was_down;
        const auto take = [&] {
            std::vector<InputEvent> events;
            std::string text;
            queue.take_step(events, text);
            REQUIRE(events.size() <= kMaxStepEvents);
            REQUIRE(text.size() <= kMaxStepTextBytes);
            std::string_view rest = text;
            for (const InputEvent& event : events) {
                if (event.is_of_control()) {
                    REQUIRE(was_down[event.code] == (event.kind != Kind::down));
                    was_down[event.code] = event.kind != Kind::up;
                }
                got.push_back(words({event}, rest.substr(0, event.text_bytes)));
                rest.remove_prefix(event.text_bytes);
            }
            return !events.empty();
        };
        for (int i = 0; i < 900; ++i) {
            const auto code = static_cast<InputCode>(random() % 6);
            const std::string name{input_code_name(code)};
            switch (random() % 6) {
                case 0:
                case 1:
                    queue.set_control(code, !is_down[code], {});
                    expected.push_back((is_down[code] ? "up " : "down ") + name);
                    is_down[code] = !is_down[code];
                    break;
                case 2:
                    queue.repeat_control(code);
                    if (is_down[code]) expected.push_back("repeat " + name);
                    break;
                case 3: {
                    const std::string text(1 + random() % 100, static_cast<char>('a' + random() % 26));
                    queue.type(text);
                    expected.push_back("text " + text);
                    break;
                }
                case 4:
                    queue.turn_wheel(1, {});
                    expected.push_back("wheel 1");
                    break;
                default:
                    if (random() % 20 == 0) take();
            }
        }
        while (take()) {
        }
        REQUIRE(got == expected);
    }
}
