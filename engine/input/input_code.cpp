// The list of control names and the searches in it.
#include "engine/input/input_code.h"

#include "ecs/base/contract.h"
#include "ecs/base/suggest.h"
#include "engine/base/error_codes.h"

#include <fmt/format.h>

#include <iterator>
#include <span>
#include <utility>

namespace perigee {

namespace {

// In the order of the enumerators; the static_assert below and the round-trip test keep the two lists
// together.
constexpr std::string_view kNames[] = {
    // clang-format off
    "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m",
    "n", "o", "p", "q", "r", "s", "t", "u", "v", "w", "x", "y", "z",
    "0", "1", "2", "3", "4", "5", "6", "7", "8", "9",
    "f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9", "f10", "f11", "f12",
    "left", "right", "up", "down",
    "space", "return", "escape", "tab", "backspace",
    "insert", "delete", "home", "end", "pageup", "pagedown",
    "lshift", "rshift", "lctrl", "rctrl", "lalt", "ralt", "lgui", "rgui", "capslock",
    "minus", "equals", "leftbracket", "rightbracket", "backslash", "semicolon", "apostrophe",
    "grave", "comma", "period", "slash",
    "kp0", "kp1", "kp2", "kp3", "kp4", "kp5", "kp6", "kp7", "kp8", "kp9",
    "kp_plus", "kp_minus", "kp_multiply", "kp_divide", "kp_enter", "kp_period",
    "printscreen", "pause", "menu",
    "left", "middle", "right", "x1", "x2", "wheel_up", "wheel_down",
    "a", "b", "x", "y", "back", "guide", "start", "left_stick", "right_stick",
    "left_shoulder", "right_shoulder", "dpad_up", "dpad_down", "dpad_left", "dpad_right",
    "left_x-", "left_x+", "left_y-", "left_y+",
    "right_x-", "right_x+", "right_y-", "right_y+",
    "left_trigger", "right_trigger",
    // clang-format on
};
static_assert(std::size(kNames) == kInputCodeCount);

constexpr std::pair<std::string_view, InputCode> kKeyAliases[] = {
    {"enter", InputCode::key_return},   {"esc", InputCode::key_escape},   {"ctrl", InputCode::key_lctrl},
    {"shift", InputCode::key_lshift},   {"alt", InputCode::key_lalt},     {"del", InputCode::key_delete},
    {"-", InputCode::key_minus},        {"=", InputCode::key_equals},     {"[", InputCode::key_leftbracket},
    {"]", InputCode::key_rightbracket}, {"\\", InputCode::key_backslash}, {";", InputCode::key_semicolon},
    {"'", InputCode::key_apostrophe},   {"`", InputCode::key_grave},      {",", InputCode::key_comma},
    {".", InputCode::key_period},       {"/", InputCode::key_slash},
};

constexpr std::pair<std::size_t, std::size_t> codes_of(InputDevice device) {
    const auto at = [](InputCode code) { return static_cast<std::size_t>(code); };
    switch (device) {
        case InputDevice::keyboard:
            return {0, at(InputCode::mouse_left)};
        case InputDevice::mouse:
            return {at(InputCode::mouse_left), at(InputCode::pad_a)};
        case InputDevice::gamepad:
            break;
    }
    return {at(InputCode::pad_a), kInputCodeCount};
}

}  // namespace

std::string_view input_code_name(InputCode code) noexcept {
    ECS_EXPECTS(code < InputCode::count);
    return kNames[static_cast<std::size_t>(code)];
}

InputDevice input_code_device(InputCode code) noexcept {
    ECS_EXPECTS(code < InputCode::count);
    if (code < InputCode::mouse_left) return InputDevice::keyboard;
    return code < InputCode::pad_a ? InputDevice::mouse : InputDevice::gamepad;
}

std::optional<InputCode> input_code_from_name(InputDevice device, std::string_view name) noexcept {
    const auto [first, last] = codes_of(device);
    for (std::size_t code = first; code < last; ++code)
        if (kNames[code] == name) return static_cast<InputCode>(code);
    if (device == InputDevice::keyboard)
        for (const auto& [alias, code] : kKeyAliases)
            if (alias == name) return code;
    return std::nullopt;
}

std::string_view nearest_input_code_name(InputDevice device, std::string_view name) {
    const auto [first, last] = codes_of(device);
    return nearest_name(name, std::span{kNames}.subspan(first, last - first));
}

InputDevice take_input_device(std::string_view& name) noexcept {
    for (const InputDevice device : {InputDevice::mouse, InputDevice::gamepad}) {
        const std::string_view prefix = kInputPrefixes[static_cast<std::size_t>(device)];
        if (!name.starts_with(prefix)) continue;
        name.remove_prefix(prefix.size());
        return device;
    }
    return InputDevice::keyboard;
}

std::string why_no_control(std::string_view name) {
    std::string_view control = name;
    const InputDevice device = take_input_device(control);
    const std::string_view before = kInputPrefixes[static_cast<std::size_t>(device)];
    if (input_code_from_name(device, control)) return {};
    const std::string_view nearest = nearest_input_code_name(device, control);
    const std::string hint = nearest.empty() ? engine_errors::kNoActionHint
                                             : did_you_mean(std::string(before) + std::string(nearest));
    return fmt::format(engine_errors::kNoAction, name, hint);
}

}  // namespace perigee
