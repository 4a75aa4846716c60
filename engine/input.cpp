// How events become edges and levels: quantising, folding a frame's events, and giving each press to one
// step.
#include "engine/input.h"

#include "ecs/contract.h"
#include "engine/error_codes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace perigee {

namespace {

constexpr float kDeadZone = 0.2F;       // sticks rest anywhere below this
constexpr float kDownThreshold = 0.5F;  // from here a stick or trigger counts as pressed
constexpr std::size_t kMaxTextBytes = 255;

constexpr const char* device_noun(InputDevice device) {
    switch (device) {
        case InputDevice::keyboard:
            return "key";
        case InputDevice::mouse:
            return "mouse button";
        case InputDevice::gamepad:
            break;
    }
    return "gamepad control";
}

std::uint8_t quantise_level(float value) {
    if (value <= kDeadZone) return 0;
    return static_cast<std::uint8_t>(std::lround((value - kDeadZone) / (1.0F - kDeadZone) * 255.0F));
}

std::int16_t quantise_position(float pixels) {
    return static_cast<std::int16_t>(std::lround(std::clamp(pixels * 8.0F, -32768.0F, 32767.0F)));
}

// Cuts at a character boundary, never inside a UTF-8 sequence.
void append_text(std::string& text, std::string_view more) {
    std::size_t room = kMaxTextBytes - text.size();
    if (more.size() > room) {
        while (room > 0 && (static_cast<unsigned char>(more[room]) & 0xC0U) == 0x80U) --room;
        more = more.substr(0, room);
    }
    text += more;
}

}  // namespace

Result<ActionId> ActionMap::declare(std::string_view name, std::span<const InputCode> codes) {
    namespace e = engine_errors;
    if (name.empty()) return Error{e::kActionNameEmpty};
    if (name.size() > kMaxActionNameBytes)
        return Error{
            fmt::format(e::kActionNameTooLong, name.substr(0, 16), kMaxActionNameBytes, name.size())};
    const std::size_t known = find(name);
    if (known < actions_.size()) {
        actions_[known].codes.assign(codes.begin(), codes.end());
        return static_cast<ActionId>(known);
    }
    if (actions_.size() == kMaxActions) return Error{fmt::format(e::kTooManyActions, name, kMaxActions)};
    actions_.push_back({std::string{name}, {codes.begin(), codes.end()}});
    return static_cast<ActionId>(actions_.size() - 1);
}

std::size_t ActionMap::find(std::string_view name) const noexcept {
    for (std::size_t id = 0; id < actions_.size(); ++id)
        if (actions_[id].name == name) return id;
    return kMaxActions;
}

Result<InputCode> parse_input_code(InputDevice device, std::string_view name) {
    if (const auto code = input_code_from_name(device, name)) return *code;
    const std::string_view nearest = nearest_input_code_name(device, name);
    if (nearest.empty()) return Error{fmt::format(engine_errors::kUnknownControl, device_noun(device), name)};
    return Error{fmt::format(engine_errors::kUnknownControlDidYouMean, device_noun(device), name, nearest)};
}

void RawInput::clear() {
    events.clear();
    text.clear();
    mouse_moved = false;
    release_all = false;
    wheel = 0.0F;
}

bool InputCollector::any_down(const ActionMap::Action& action) const noexcept {
    return std::ranges::any_of(action.codes, [this](InputCode code) {
        return levels_[static_cast<std::size_t>(code)] >= kDownThreshold;
    });
}

void InputCollector::set_code(InputCode code, float value, const ActionMap& map) {
    if (code >= InputCode::count || std::isnan(value)) return;
    float& level = levels_[static_cast<std::size_t>(code)];
    const float clamped = std::clamp(value, 0.0F, 1.0F);
    const bool goes_down = level < kDownThreshold && clamped >= kDownThreshold;
    if (goes_down) {
        pending_press_.resize(std::max(pending_press_.size(), map.size()));
        for (std::size_t id = 0; id < map.size(); ++id)
            if (std::ranges::find(map[id].codes, code) != map[id].codes.end() && !any_down(map[id]))
                pending_press_[id] = true;
    }
    level = clamped;
}

void InputCollector::feed(const RawInput& raw, const ActionMap& map) {
    for (const RawInput::Event& event : raw.events) set_code(event.code, event.value, map);
    if (raw.release_all) levels_.fill(0.0F);
    if (raw.mouse_moved && !std::isnan(raw.mouse_x) && !std::isnan(raw.mouse_y)) {
        mouse_x_ = raw.mouse_x;
        mouse_y_ = raw.mouse_y;
    }
    if (!std::isnan(raw.wheel) && raw.wheel != 0.0F) {
        wheel_ = std::clamp(wheel_ + raw.wheel, -1000.0F, 1000.0F);
        // A notch has no "held": it is a press and a release at once.
        const InputCode code = raw.wheel > 0.0F ? InputCode::mouse_wheel_up : InputCode::mouse_wheel_down;
        set_code(code, 1.0F, map);
        set_code(code, 0.0F, map);
    }
    append_text(text_, raw.text);
}

InputFrame InputCollector::take_step(const ActionMap& map) {
    pending_press_.resize(map.size());
    was_down_.resize(map.size());

    InputFrame frame;
    frame.actions.resize(map.size());
    for (std::size_t id = 0; id < map.size(); ++id) {
        ActionState& state = frame.actions[id];
        const bool held = any_down(map[id]);
        // A tap that is already over again counts as fully down for this one step.
        float level = pending_press_[id] && !held ? 1.0F : 0.0F;
        for (const InputCode code : map[id].codes)
            level = std::max(level, levels_[static_cast<std::size_t>(code)]);
        state.level = quantise_level(level);
        state.pressed = pending_press_[id];
        state.down = state.pressed || held;
        state.released = was_down_[id] && !state.down;
        was_down_[id] = state.down;
    }
    pending_press_.assign(map.size(), false);

    frame.mouse_x = quantise_position(mouse_x_);
    frame.mouse_y = quantise_position(mouse_y_);
    // Whole notches only; a fine wheel's rest waits for the next step.
    const float notches = std::trunc(wheel_);
    frame.wheel = static_cast<std::int16_t>(notches);
    wheel_ -= notches;
    frame.text = std::exchange(text_, {});
    return frame;
}

void InputCollector::forget_presses() {
    pending_press_.clear();
    wheel_ = 0.0F;
    text_.clear();
}

void InputCollector::reset() {
    forget_presses();
    was_down_.clear();
}

}  // namespace perigee
