// One function per kind of event, and the table of keys.
#include "engine/sdl/window/events.h"

#include <SDL.h>

#include <algorithm>
#include <array>
#include <optional>

namespace perigee {

namespace {

using enum InputCode;

struct KeyPair {
    SDL_Scancode scancode;
    InputCode code;
};

// Letters, digits and function keys are consecutive on both sides; these are the rest.
constexpr KeyPair kKeys[] = {
    {SDL_SCANCODE_0, key_0},
    {SDL_SCANCODE_LEFT, key_left},
    {SDL_SCANCODE_RIGHT, key_right},
    {SDL_SCANCODE_UP, key_up},
    {SDL_SCANCODE_DOWN, key_down},
    {SDL_SCANCODE_SPACE, key_space},
    {SDL_SCANCODE_RETURN, key_return},
    {SDL_SCANCODE_ESCAPE, key_escape},
    {SDL_SCANCODE_TAB, key_tab},
    {SDL_SCANCODE_BACKSPACE, key_backspace},
    {SDL_SCANCODE_INSERT, key_insert},
    {SDL_SCANCODE_DELETE, key_delete},
    {SDL_SCANCODE_HOME, key_home},
    {SDL_SCANCODE_END, key_end},
    {SDL_SCANCODE_PAGEUP, key_pageup},
    {SDL_SCANCODE_PAGEDOWN, key_pagedown},
    {SDL_SCANCODE_LSHIFT, key_lshift},
    {SDL_SCANCODE_RSHIFT, key_rshift},
    {SDL_SCANCODE_LCTRL, key_lctrl},
    {SDL_SCANCODE_RCTRL, key_rctrl},
    {SDL_SCANCODE_LALT, key_lalt},
    {SDL_SCANCODE_RALT, key_ralt},
    {SDL_SCANCODE_LGUI, key_lgui},
    {SDL_SCANCODE_RGUI, key_rgui},
    {SDL_SCANCODE_CAPSLOCK, key_capslock},
    {SDL_SCANCODE_MINUS, key_minus},
    {SDL_SCANCODE_EQUALS, key_equals},
    {SDL_SCANCODE_LEFTBRACKET, key_leftbracket},
    {SDL_SCANCODE_RIGHTBRACKET, key_rightbracket},
    {SDL_SCANCODE_BACKSLASH, key_backslash},
    {SDL_SCANCODE_NONUSHASH, key_backslash},
    {SDL_SCANCODE_SEMICOLON, key_semicolon},
    {SDL_SCANCODE_APOSTROPHE, key_apostrophe},
    {SDL_SCANCODE_GRAVE, key_grave},
    {SDL_SCANCODE_COMMA, key_comma},
    {SDL_SCANCODE_PERIOD, key_period},
    {SDL_SCANCODE_SLASH, key_slash},
    {SDL_SCANCODE_KP_0, key_kp0},
    {SDL_SCANCODE_KP_PLUS, key_kp_plus},
    {SDL_SCANCODE_KP_MINUS, key_kp_minus},
    {SDL_SCANCODE_KP_MULTIPLY, key_kp_multiply},
    {SDL_SCANCODE_KP_DIVIDE, key_kp_divide},
    {SDL_SCANCODE_KP_ENTER, key_kp_enter},
    {SDL_SCANCODE_KP_PERIOD, key_kp_period},
    {SDL_SCANCODE_PRINTSCREEN, key_printscreen},
    {SDL_SCANCODE_PAUSE, key_pause},
    {SDL_SCANCODE_APPLICATION, key_menu},
};

using KeyTable = std::array<InputCode, SDL_NUM_SCANCODES>;

constexpr KeyTable key_table() {
    KeyTable table{};
    table.fill(InputCode::count);
    const auto fill = [&table](SDL_Scancode first, SDL_Scancode last, InputCode code) {
        for (int i = 0; i <= last - first; ++i)
            table[static_cast<std::size_t>(first + i)] = static_cast<InputCode>(static_cast<int>(code) + i);
    };
    fill(SDL_SCANCODE_A, SDL_SCANCODE_Z, key_a);
    fill(SDL_SCANCODE_1, SDL_SCANCODE_9, key_1);
    fill(SDL_SCANCODE_F1, SDL_SCANCODE_F12, key_f1);
    fill(SDL_SCANCODE_KP_1, SDL_SCANCODE_KP_9, key_kp1);
    for (const KeyPair& pair : kKeys) table[pair.scancode] = pair.code;
    return table;
}

constexpr KeyTable kKeyTable = key_table();

// Ctrl+V and its equivalents on other systems. By its letter: where the keyboard says V.
bool is_paste(const SDL_Keysym& key) {
    if (key.scancode == SDL_SCANCODE_INSERT) return (key.mod & KMOD_SHIFT) != 0;
    return key.sym == SDLK_v && (key.mod & (KMOD_CTRL | KMOD_GUI)) != 0 && (key.mod & KMOD_ALT) == 0;
}

// The program request of a key with the pressed modifiers.
bool* host_key(const SDL_KeyboardEvent& key, HostRequests& host) {
    const bool ctrl = (key.keysym.mod & KMOD_CTRL) != 0;
    const bool alt = (key.keysym.mod & KMOD_LALT) != 0;
    switch (key.keysym.scancode) {
        case SDL_SCANCODE_PAUSE:
            return &host.toggle_pause;
        case SDL_SCANCODE_F3:
            return &host.toggle_stats;
        case SDL_SCANCODE_F11:
            return &host.toggle_fullscreen;
        case SDL_SCANCODE_F12:
            return &host.screenshot;
        case SDL_SCANCODE_F4:
            return alt ? &host.quit : nullptr;
        case SDL_SCANCODE_RETURN:
            return alt ? &host.toggle_fullscreen : nullptr;
        default:
            break;
    }
    // By its letter: Ctrl+R is the key labelled R.
    if (ctrl && key.keysym.sym == SDLK_c) return &host.copy_errors;
    return ctrl && key.keysym.sym == SDLK_r ? &host.restart : nullptr;
}

void translate_key(const SDL_KeyboardEvent& key, RawInput& raw, HostRequests& host) {
    const bool is_down = key.state == SDL_PRESSED;
    const bool is_repeat = key.repeat != 0;
    if (is_down && key.keysym.scancode == SDL_SCANCODE_F2) {
        // In typing order: earlier keys belong to the game, later keys to the console.
        if (!is_repeat) raw.add(RawInput::Kind::toggle_console);
        return;
    }
    if (bool* request = is_down ? host_key(key, host) : nullptr) {
        *request |= !is_repeat;
        return;
    }
    const bool is_pressed = is_down && !is_repeat;
    host.save_world |= is_pressed && key.keysym.scancode == SDL_SCANCODE_F5;
    host.toggle_rewind |= is_pressed && key.keysym.scancode == SDL_SCANCODE_F6;
    host.load_world |= is_pressed && key.keysym.scancode == SDL_SCANCODE_F9;
    const std::size_t scancode = static_cast<std::size_t>(key.keysym.scancode);
    if (scancode < kKeyTable.size() && kKeyTable[scancode] != InputCode::count)
        raw.events.push_back(
            {.code = kKeyTable[scancode], .value = is_down ? 1.0F : 0.0F, .is_repeat = is_repeat});
    if (is_down && is_paste(key.keysym)) raw.add(RawInput::Kind::paste);
}

void move_mouse(int x, int y, const PointerSpace& space, RawInput& raw) {
    raw.move_mouse(space.box.logical_x(static_cast<float>(x) * space.pixel_density),
                   space.box.logical_y(static_cast<float>(y) * space.pixel_density));
}

void translate_button(const SDL_MouseButtonEvent& button, const PointerSpace& space, RawInput& raw) {
    move_mouse(button.x, button.y, space, raw);
    constexpr InputCode kButtons[] = {mouse_left, mouse_middle, mouse_right, mouse_x1, mouse_x2};
    if (button.button >= 1 && button.button <= std::size(kButtons))
        raw.events.push_back({kButtons[button.button - 1], button.state == SDL_PRESSED ? 1.0F : 0.0F});
}

void translate_pad_button(const SDL_ControllerButtonEvent& button, RawInput& raw) {
    constexpr InputCode kButtons[] = {pad_a,
                                      pad_b,
                                      pad_x,
                                      pad_y,
                                      pad_back,
                                      pad_guide,
                                      pad_start,
                                      pad_left_stick,
                                      pad_right_stick,
                                      pad_left_shoulder,
                                      pad_right_shoulder,
                                      pad_dpad_up,
                                      pad_dpad_down,
                                      pad_dpad_left,
                                      pad_dpad_right};
    static_assert(std::size(kButtons) == SDL_CONTROLLER_BUTTON_DPAD_RIGHT + 1);
    if (button.button < std::size(kButtons))
        raw.events.push_back({kButtons[button.button], button.state == SDL_PRESSED ? 1.0F : 0.0F});
}

void translate_pad_axis(const SDL_ControllerAxisEvent& axis, RawInput& raw) {
    const float value = std::clamp(static_cast<float>(axis.value) / 32767.0F, -1.0F, 1.0F);
    // Both halves: a stick may pass through the middle between two events.
    const auto halves = [&](InputCode minus, InputCode plus) {
        raw.events.push_back({minus, std::max(0.0F, -value)});
        raw.events.push_back({plus, std::max(0.0F, value)});
    };
    switch (axis.axis) {
        case SDL_CONTROLLER_AXIS_LEFTX:
            return halves(pad_left_x_minus, pad_left_x_plus);
        case SDL_CONTROLLER_AXIS_LEFTY:
            return halves(pad_left_y_minus, pad_left_y_plus);
        case SDL_CONTROLLER_AXIS_RIGHTX:
            return halves(pad_right_x_minus, pad_right_x_plus);
        case SDL_CONTROLLER_AXIS_RIGHTY:
            return halves(pad_right_y_minus, pad_right_y_plus);
        case SDL_CONTROLLER_AXIS_TRIGGERLEFT:
            return raw.events.push_back({pad_left_trigger, std::max(0.0F, value)});
        case SDL_CONTROLLER_AXIS_TRIGGERRIGHT:
            return raw.events.push_back({pad_right_trigger, std::max(0.0F, value)});
        default:
            break;
    }
}

void translate_window(const SDL_WindowEvent& window, RawInput& raw, HostRequests& host) {
    if (window.event == SDL_WINDOWEVENT_FOCUS_LOST) {
        // Releases of keys in other windows are never reported.
        raw.release_all();
        host.lost_focus = true;
        host.gained_focus = false;
    } else if (window.event == SDL_WINDOWEVENT_FOCUS_GAINED) {
        host.gained_focus = true;
        host.lost_focus = false;
    }
}

}  // namespace

void translate_event(const SDL_Event& event, const PointerSpace& space, RawInput& raw, HostRequests& host) {
    switch (event.type) {
        case SDL_QUIT:
            host.quit = true;
            break;
        case SDL_KEYDOWN:
        case SDL_KEYUP:
            translate_key(event.key, raw, host);
            break;
        case SDL_TEXTINPUT:
            raw.type(event.text.text);
            break;
        case SDL_MOUSEMOTION:
            move_mouse(event.motion.x, event.motion.y, space, raw);
            break;
        case SDL_MOUSEBUTTONDOWN:
        case SDL_MOUSEBUTTONUP:
            translate_button(event.button, space, raw);
            break;
        case SDL_MOUSEWHEEL:
            raw.turn_wheel(event.wheel.direction == SDL_MOUSEWHEEL_FLIPPED ? -event.wheel.preciseY
                                                                           : event.wheel.preciseY);
            break;
        case SDL_CONTROLLERBUTTONDOWN:
        case SDL_CONTROLLERBUTTONUP:
            translate_pad_button(event.cbutton, raw);
            break;
        case SDL_CONTROLLERAXISMOTION:
            translate_pad_axis(event.caxis, raw);
            break;
        case SDL_WINDOWEVENT:
            translate_window(event.window, raw, host);
            break;
        default:
            break;
    }
}

}  // namespace perigee
