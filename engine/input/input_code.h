// InputCode: one physical control (a key, a mouse button, a gamepad button, one half of a gamepad axis),
// named without any window library, so that action maps, tests and back ends share the same names.
//
// Invariant: every code has exactly one (device, name) and vice versa; names are stable, since games use
// them. Not here: what a control does; that is ActionMap (engine/input/input.h).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace perigee {

enum class InputDevice : std::uint8_t { keyboard, mouse, gamepad };
inline constexpr std::size_t kInputDevices = 3;

/// The lists of controls of an action in scripts, and what stands before the name of a control, by
/// InputDevice.
inline constexpr std::array<std::string_view, kInputDevices> kInputLists{"keys", "mouse", "pad"};
inline constexpr std::array<std::string_view, kInputDevices> kInputPrefixes{"", "mouse_", "pad_"};

/// The device of "space", "mouse_left" or "pad_a". `name` keeps what follows the prefix.
InputDevice take_input_device(std::string_view& name) noexcept;

/// Keys are named by their label at that position on a US keyboard (so WASD is a shape, not four letters). An
/// axis is two codes, its negative and its positive half, each with a value of 0 .. 1.
enum class InputCode : std::uint8_t {
    // clang-format off
    key_a, key_b, key_c, key_d, key_e, key_f, key_g, key_h, key_i, key_j, key_k, key_l, key_m,
    key_n, key_o, key_p, key_q, key_r, key_s, key_t, key_u, key_v, key_w, key_x, key_y, key_z,
    key_0, key_1, key_2, key_3, key_4, key_5, key_6, key_7, key_8, key_9,
    key_f1, key_f2, key_f3, key_f4, key_f5, key_f6, key_f7, key_f8, key_f9, key_f10, key_f11, key_f12,
    key_left, key_right, key_up, key_down,
    key_space, key_return, key_escape, key_tab, key_backspace,
    key_insert, key_delete, key_home, key_end, key_pageup, key_pagedown,
    key_lshift, key_rshift, key_lctrl, key_rctrl, key_lalt, key_ralt, key_lgui, key_rgui, key_capslock,
    key_minus, key_equals, key_leftbracket, key_rightbracket, key_backslash, key_semicolon, key_apostrophe,
    key_grave, key_comma, key_period, key_slash,
    key_kp0, key_kp1, key_kp2, key_kp3, key_kp4, key_kp5, key_kp6, key_kp7, key_kp8, key_kp9,
    key_kp_plus, key_kp_minus, key_kp_multiply, key_kp_divide, key_kp_enter, key_kp_period,
    key_printscreen, key_pause, key_menu,
    mouse_left, mouse_middle, mouse_right, mouse_x1, mouse_x2, mouse_wheel_up, mouse_wheel_down,
    pad_a, pad_b, pad_x, pad_y, pad_back, pad_guide, pad_start, pad_left_stick, pad_right_stick,
    pad_left_shoulder, pad_right_shoulder, pad_dpad_up, pad_dpad_down, pad_dpad_left, pad_dpad_right,
    pad_left_x_minus, pad_left_x_plus, pad_left_y_minus, pad_left_y_plus,
    pad_right_x_minus, pad_right_x_plus, pad_right_y_minus, pad_right_y_plus,
    pad_left_trigger, pad_right_trigger,
    count
    // clang-format on
};

inline constexpr std::size_t kInputCodeCount = static_cast<std::size_t>(InputCode::count);

/// "left", "kp_enter", "x1", "left_x-": unique within its device, not across devices. Expects: a code below
/// count.
std::string_view input_code_name(InputCode code) noexcept;
InputDevice input_code_device(InputCode code) noexcept;

/// The code of a name; for keys also "enter", "esc", "ctrl", "shift", "alt", "del" and the punctuation itself
/// ("-", "[").
std::optional<InputCode> input_code_from_name(InputDevice device, std::string_view name) noexcept;

/// Why a name is not a control in scripts ("space", "mouse_left", "pad_a"), with the nearest one; empty if it
/// is one.
std::string why_no_control(std::string_view name);

/// The known name closest to a mistyped one, or "" if none is close.
std::string_view nearest_input_code_name(InputDevice device, std::string_view name);

}  // namespace perigee
