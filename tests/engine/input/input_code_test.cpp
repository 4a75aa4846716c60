// Names of controls in both directions, and suggestions for mistyped ones.
#include "engine/input/input_code.h"

#include <catch2/catch.hpp>

#include <string>

using namespace perigee;

TEST_CASE("every control is found by its name") {
    for (std::size_t i = 0; i < kInputCodeCount; ++i) {
        const auto code = static_cast<InputCode>(i);
        INFO(input_code_name(code));
        CHECK(input_code_from_name(input_code_device(code), input_code_name(code)) == code);
    }
}

TEST_CASE("the lists of enumerators and names agree") {
    CHECK(input_code_name(InputCode::key_z) == "z");
    CHECK(input_code_name(InputCode::key_9) == "9");
    CHECK(input_code_name(InputCode::key_f12) == "f12");
    CHECK(input_code_name(InputCode::key_down) == "down");
    CHECK(input_code_name(InputCode::key_capslock) == "capslock");
    CHECK(input_code_name(InputCode::key_slash) == "slash");
    CHECK(input_code_name(InputCode::key_kp_period) == "kp_period");
    CHECK(input_code_name(InputCode::mouse_left) == "left");
    CHECK(input_code_name(InputCode::pad_a) == "a");
    CHECK(input_code_name(InputCode::pad_right_trigger) == "right_trigger");
}

TEST_CASE("a name can mean a key, a mouse button, and nothing on a gamepad") {
    CHECK(input_code_from_name(InputDevice::keyboard, "left") == InputCode::key_left);
    CHECK(input_code_from_name(InputDevice::mouse, "left") == InputCode::mouse_left);
    CHECK_FALSE(input_code_from_name(InputDevice::gamepad, "left"));
    CHECK_FALSE(input_code_from_name(InputDevice::mouse, "esc"));
}

TEST_CASE("keys are also found by their short names and their printed signs") {
    CHECK(input_code_from_name(InputDevice::keyboard, "esc") == InputCode::key_escape);
    CHECK(input_code_from_name(InputDevice::keyboard, "enter") == InputCode::key_return);
    CHECK(input_code_from_name(InputDevice::keyboard, "[") == InputCode::key_leftbracket);
}

TEST_CASE("a mistyped control suggests the nearest name, and nonsense suggests none") {
    CHECK(nearest_input_code_name(InputDevice::keyboard, "spcae") == "space");
    CHECK(nearest_input_code_name(InputDevice::gamepad, "dpad-left") == "dpad_left");
    CHECK(nearest_input_code_name(InputDevice::mouse, "qqqqqqqqqqqqqqqqq").empty());
    CHECK(nearest_input_code_name(InputDevice::mouse, std::string(100'000, 'a')).empty());
}
