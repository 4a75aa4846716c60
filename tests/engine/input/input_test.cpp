// Presses, levels and text across steps that do not line up with frames; a random program checks the
// invariant.
#include "engine/input/input.h"

#include <catch2/catch.hpp>

#include <limits>
#include <random>

using namespace perigee;

namespace {

RawInput one_event(InputCode code, float value) {
    RawInput raw;
    raw.events.push_back({code, value});
    return raw;
}

ActionMap map_of(std::string_view name, std::vector<InputCode> codes) {
    ActionMap map;
    REQUIRE(map.declare(name, codes));
    return map;
}

}  // namespace

TEST_CASE("a press waits through frames without steps and is shown once when a frame has two") {
    const ActionMap map = map_of("fire", {InputCode::key_space});
    InputCollector collector;
    collector.feed(one_event(InputCode::key_space, 1), map);
    collector.feed({}, map);
    collector.feed({}, map);

    const ActionState first = collector.take_step(map).actions[0];
    CHECK((first.down && first.pressed && !first.released));
    const ActionState second = collector.take_step(map).actions[0];
    CHECK((second.down && !second.pressed && !second.released));
}

TEST_CASE("a tap between two steps is down for one step and released in the next") {
    const ActionMap map = map_of("fire", {InputCode::key_space});
    InputCollector collector;
    collector.feed(one_event(InputCode::key_space, 1), map);
    collector.feed(one_event(InputCode::key_space, 0), map);
    const ActionState first = collector.take_step(map).actions[0];
    CHECK((first.down && first.pressed && first.level == 255));
    const ActionState second = collector.take_step(map).actions[0];
    CHECK((!second.down && second.released && second.level == 0));
    CHECK(collector.take_step(map).actions[0] == ActionState{});
}

TEST_CASE("for any sequence of keys and any frame pacing, edges add up and agree with the levels") {
    std::mt19937 random{7};
    ActionMap map;
    REQUIRE(
        map.declare("move", std::array{InputCode::key_a, InputCode::key_left, InputCode::pad_left_x_minus}));
    REQUIRE(map.declare("jump", std::array{InputCode::key_space, InputCode::key_a}));
    const InputCode codes[] = {InputCode::key_a, InputCode::key_left, InputCode::pad_left_x_minus,
                               InputCode::key_space, InputCode::key_q};

    for (int program = 0; program < 300; ++program) {
        InputCollector collector;
        std::array<float, kInputCodeCount> levels{};
        std::vector<bool> was_down(map.size(), false);
        std::vector<bool> went_down(map.size(), false);  // the model: did it rise since the last step?
        const auto model_down = [&](std::size_t id) {
            for (const InputCode code : map[id].codes)
                if (levels[static_cast<std::size_t>(code)] >= 0.5F) return true;
            return false;
        };
        for (int frame = 0; frame < 60; ++frame) {
            RawInput raw;
            for (unsigned n = random() % 4; n > 0; --n) {
                const InputCode code = codes[random() % std::size(codes)];
                const float value = random() % 2 == 0 ? 0.0F : 1.0F;
                std::vector<bool> before(map.size());
                for (std::size_t id = 0; id < map.size(); ++id) before[id] = model_down(id);
                levels[static_cast<std::size_t>(code)] = value;
                for (std::size_t id = 0; id < map.size(); ++id)
                    if (!before[id] && model_down(id)) went_down[id] = true;
                raw.events.push_back({code, value});
            }
            collector.feed(raw, map);
            for (unsigned steps = random() % 3; steps > 0; --steps) {
                const StepInput input = collector.take_step(map);
                for (std::size_t id = 0; id < map.size(); ++id) {
                    const ActionState& state = input.actions[id];
                    REQUIRE(state.pressed == went_down[id]);
                    REQUIRE(state.down == (went_down[id] || model_down(id)));
                    REQUIRE(state.released == (was_down[id] && !state.down));
                    REQUIRE(state.level == (state.down ? 255 : 0));
                    was_down[id] = state.down;
                    went_down[id] = false;
                }
            }
        }
    }
}

TEST_CASE("a stick has a dead zone, a smooth range, and counts as pressed from halfway") {
    const ActionMap map = map_of("right", {InputCode::pad_left_x_plus, InputCode::key_d});
    InputCollector collector;
    std::uint8_t last = 0;
    for (int i = 0; i <= 100; ++i) {
        const float value = static_cast<float>(i) / 100.0F;
        collector.feed(one_event(InputCode::pad_left_x_plus, value), map);
        const ActionState state = collector.take_step(map).actions[0];
        CHECK(state.level >= last);
        CHECK((state.level == 0) == (i <= 20));
        CHECK(state.down == (i >= 50));
        last = state.level;
    }
    CHECK(last == 255);
    collector.feed(one_event(InputCode::pad_left_x_plus, 0.4F), map);
    collector.feed(one_event(InputCode::key_d, 1), map);
    CHECK(collector.take_step(map).actions[0].value() == 1.0);
}

TEST_CASE("a wheel notch presses its action for one step and fine turns add up to notches") {
    const ActionMap map = map_of("zoom_in", {InputCode::mouse_wheel_up});
    InputCollector collector;
    RawInput raw;
    raw.turn_wheel(0.5F);
    collector.feed(raw, map);
    StepInput input = collector.take_step(map);
    CHECK(input.actions[0].pressed);
    CHECK(input.wheel == 0);
    collector.feed(raw, map);
    CHECK(collector.take_step(map).wheel == 1);
    input = collector.take_step(map);
    CHECK(input.wheel == 0);
    CHECK_FALSE(input.actions[0].down);
}

TEST_CASE("losing the focus releases everything") {
    const ActionMap map = map_of("up", {InputCode::key_w});
    InputCollector collector;
    collector.feed(one_event(InputCode::key_w, 1), map);
    CHECK(collector.take_step(map).actions[0].down);
    RawInput raw;
    raw.release_all();
    collector.feed(raw, map);
    CHECK(collector.take_step(map).actions[0].released);
}

TEST_CASE(
    "a step gets at most 255 bytes of typed text, in whole characters, and the next steps get the rest") {
    InputCollector collector;
    std::string typed;
    for (int i = 0; i < 200; ++i) typed += "é";
    RawInput raw;
    raw.type(typed);
    collector.feed(raw, {});
    std::string text = collector.take_step({}).text;
    CHECK(text.size() == 254);
    text += collector.take_step({}).text;
    CHECK(text == typed);
    CHECK(collector.take_step({}).text.empty());
}

TEST_CASE("events wait through frames without steps, and the first step of a frame gets them") {
    const ActionMap map = map_of("fire", {InputCode::key_space});
    InputCollector collector;
    RawInput first;
    first.events.push_back({InputCode::key_a, 1});
    first.type("a");
    collector.feed(first, map);
    collector.feed({}, map);
    RawInput second;
    second.events.push_back({.code = InputCode::key_a, .value = 1, .is_repeat = true});
    second.type("a");
    second.events.push_back({InputCode::key_backspace, 1});
    second.move_mouse(10, 20);
    second.events.push_back({InputCode::mouse_left, 1});
    second.move_mouse(30, 40);
    second.turn_wheel(-1);
    collector.feed(second, map);

    const StepInput input = collector.take_step(map);
    CHECK(input.text == "aa");
    InputEvent text{.kind = InputEvent::Kind::text};
    text.text_bytes = 1;
    InputEvent wheel{.kind = InputEvent::Kind::wheel, .mouse = {240, 320}};
    wheel.notches = -1;
    CHECK(input.events == std::vector<InputEvent>{
                              {.code = InputCode::key_a},
                              text,
                              {.kind = InputEvent::Kind::repeat, .code = InputCode::key_a},
                              text,
                              {.code = InputCode::key_backspace},
                              {.code = InputCode::mouse_left, .mouse = {80, 160}},
                              wheel,
                          });
    CHECK(collector.take_step(map) == StepInput{.actions = {{}}, .mouse_x = 240, .mouse_y = 320});
}

TEST_CASE("a key repeat is not a press, and a repeat of a key that is up is ignored") {
    const ActionMap map = map_of("up", {InputCode::key_w});
    InputCollector collector;
    RawInput repeat;
    repeat.events.push_back({.code = InputCode::key_w, .value = 1, .is_repeat = true});
    collector.feed(repeat, map);
    CHECK(collector.take_step(map) == StepInput{.actions = {{}}});
    collector.feed(one_event(InputCode::key_w, 1), map);
    collector.take_step(map);
    collector.feed(repeat, map);
    const StepInput input = collector.take_step(map);
    CHECK_FALSE(input.actions[0].pressed);
    CHECK(input.events.size() == 1);
}

TEST_CASE("a stick is pressed and released halfway, and losing the focus releases everything") {
    InputCollector collector;
    for (const float value : {0.3F, 0.6F, 0.9F, 0.55F})
        collector.feed(one_event(InputCode::pad_left_x_plus, value), {});
    collector.feed(one_event(InputCode::key_a, 1), {});
    RawInput lost;
    lost.release_all();
    collector.feed(lost, {});
    using Kind = InputEvent::Kind;
    CHECK(collector.take_step({}).events ==
          std::vector<InputEvent>{{.code = InputCode::pad_left_x_plus},
                                  {.code = InputCode::key_a},
                                  {.kind = Kind::up, .code = InputCode::key_a},
                                  {.kind = Kind::up, .code = InputCode::pad_left_x_plus}});
}

TEST_CASE("the mouse position is in eighths of a pixel, clamped to its range") {
    InputCollector collector;
    RawInput raw;
    raw.move_mouse(100.125F, -1e9F);
    collector.feed(raw, {});
    StepInput input = collector.take_step({});
    CHECK(StepInput::mouse_pixels(input.mouse_x) == 100.125);
    CHECK(StepInput::mouse_pixels(input.mouse_y) == -4096.0);
    raw.move_mouse(std::numeric_limits<float>::quiet_NaN(), 1);
    collector.feed(raw, {});
    CHECK(StepInput::mouse_pixels(collector.take_step({}).mouse_x) == 100.125);
}

TEST_CASE("invalid events are ignored") {
    const ActionMap map = map_of("up", {InputCode::key_w});
    InputCollector collector;
    collector.feed(one_event(InputCode::count, 1), map);
    collector.feed(one_event(InputCode::key_w, std::numeric_limits<float>::quiet_NaN()), map);
    CHECK(collector.take_step(map).actions[0] == ActionState{});
    collector.feed(one_event(InputCode::key_w, 1e9F), map);
    CHECK(collector.take_step(map).actions[0].level == 255);
}

TEST_CASE("an action declared while its key is down is down, but not pressed") {
    ActionMap map = map_of("a", {InputCode::key_a});
    InputCollector collector;
    collector.feed(one_event(InputCode::key_b, 1), map);
    REQUIRE(map.declare("b", std::array{InputCode::key_b}));
    const ActionState state = collector.take_step(map).actions[1];
    CHECK((state.down && !state.pressed));
}

TEST_CASE("a pause drops presses, but a key released during it is released") {
    ActionMap map = map_of("up", {InputCode::key_w});
    REQUIRE(map.declare("fire", std::array{InputCode::key_space}));
    InputCollector collector;
    collector.feed(one_event(InputCode::key_w, 1), map);
    CHECK(collector.take_step(map).actions[0].pressed);
    collector.feed(one_event(InputCode::key_w, 0), map);
    collector.feed(one_event(InputCode::key_space, 1), map);
    collector.feed(one_event(InputCode::key_space, 0), map);
    collector.forget_presses();
    const StepInput input = collector.take_step(map);
    CHECK(input.actions[0].released);
    CHECK(input.actions[1] == ActionState{});
}

TEST_CASE("a reset keeps the keys that are down and drops the edges") {
    const ActionMap map = map_of("up", {InputCode::key_w});
    InputCollector collector;
    collector.feed(one_event(InputCode::key_w, 1), map);
    collector.reset();
    const ActionState state = collector.take_step(map).actions[0];
    CHECK((state.down && !state.pressed));
}

TEST_CASE("declaring an action again replaces its keys and keeps its number") {
    ActionMap map = map_of("up", {InputCode::key_w});
    REQUIRE(map.declare("down", std::array{InputCode::key_s}).value() == 1);
    REQUIRE(map.declare("up", std::array{InputCode::key_up}).value() == 0);
    CHECK(map[0].codes == std::vector{InputCode::key_up});
    CHECK(map.find("down") == 1);
    CHECK(map.find("left") == kMaxActions);
}

TEST_CASE("empty and overlong action names are refused") {
    ActionMap map;
    CHECK(map.declare("", {}).error().message == "input action: expected a name, got an empty string");
    CHECK(map.declare(std::string(65, 'x'), {}).error().message ==
          "input action 'xxxxxxxxxxxxxxxx…': a name has at most 64 bytes, this one has 65");
    for (std::size_t i = 0; i < kMaxActions; ++i) REQUIRE(map.declare("a" + std::to_string(i), {}));
    CHECK(map.declare("one more", {}).error().message ==
          "input action 'one more': there is no room for it; a game and its mods have at most 256 actions "
          "together");
    CHECK(map.declare("a0", {}));
}

TEST_CASE("mods that declare too many actions leave half of the room to the game, and a part to each other") {
    ActionMap map;
    map.set_owners(3);
    const auto take_all = [&](std::size_t owner) {
        std::size_t count = 0;
        while (map.declare(std::to_string(owner) + "." + std::to_string(count), {}, owner)) ++count;
        return count;
    };
    const std::size_t first = take_all(1), second = take_all(2);
    CHECK(first > second);
    CHECK(second >= kMaxActions / 8);
    CHECK(take_all(0) >= kMaxActions / 2);
    CHECK(map.size() == kMaxActions);
    map.clear();
    CHECK(map.declare("again", {}, 1));
}

TEST_CASE("an unknown control is named with its device and the nearest known one") {
    CHECK(parse_input_code(InputDevice::keyboard, "esc").value() == InputCode::key_escape);
    CHECK(parse_input_code(InputDevice::gamepad, "left_x").error().message ==
          "unknown gamepad control 'left_x'; did you mean 'left_x-'?");
    CHECK(parse_input_code(InputDevice::keyboard, "spaec").error().message ==
          "unknown key 'spaec'; did you mean 'space'?");
    CHECK(parse_input_code(InputDevice::mouse, "?").error().message == "unknown mouse button '?'");
}
