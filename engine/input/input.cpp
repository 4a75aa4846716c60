// Turns events into edges and levels: quantises, folds a frame's events, and gives each press to one step.
#include "engine/input/input.h"

#include "ecs/base/contract.h"
#include "ecs/base/suggest.h"
#include "engine/base/error_codes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace perigee {

namespace {

constexpr float kDeadZone = 0.2F;       // sticks rest anywhere below this
constexpr float kDownThreshold = 0.5F;  // from here a stick or trigger counts as pressed

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

}  // namespace

Result<ActionId> ActionMap::declare(std::string_view name, std::span<const InputCode> codes,
                                    std::size_t owner) {
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
    if (!room_.take(owner, 1)) return Error{fmt::format(e::kTooManyActions, name, kMaxActions)};
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
    return Error{fmt::format(engine_errors::kUnknownControl, device_noun(device), name,
                             did_you_mean(nearest_input_code_name(device, name)))};
}

void RawInput::add(Kind kind) { events.push_back({.kind = kind}); }
void RawInput::release_all() { add(Kind::release_all); }
void RawInput::type(std::string_view text) {
    events.push_back({.kind = Kind::text, .text = std::string{text}});
}
void RawInput::turn_wheel(float notches) { events.push_back({.value = notches, .kind = Kind::wheel}); }
void RawInput::move_mouse(float x, float y) {
    if (events.empty() || events.back().kind != Kind::mouse) add(Kind::mouse);
    events.back().x = x;
    events.back().y = y;
}

bool InputCollector::is_down(InputCode code) const noexcept {
    return levels_[static_cast<std::size_t>(code)] >= kDownThreshold;
}

bool InputCollector::any_down(const ActionMap::Action& action) const noexcept {
    return std::ranges::any_of(action.codes, [this](InputCode code) { return is_down(code); });
}

InputPlace InputCollector::mouse_place() const noexcept {
    return {quantise_position(mouse_x_), quantise_position(mouse_y_)};
}

void InputCollector::set_level(InputCode code, float value, const ActionMap& map) {
    if (!is_down(code) && value >= kDownThreshold) {
        pending_press_.resize(std::max(pending_press_.size(), map.size()));
        for (std::size_t id = 0; id < map.size(); ++id)
            if (std::ranges::find(map[id].codes, code) != map[id].codes.end() && !any_down(map[id]))
                pending_press_[id] = true;
    }
    levels_[static_cast<std::size_t>(code)] = value;
}

void InputCollector::set_control(const RawInput::Event& event, const ActionMap& map) {
    if (event.code >= InputCode::count || std::isnan(event.value)) return;
    if (event.is_repeat) {
        events_.repeat_control(event.code);
        return;
    }
    set_level(event.code, std::clamp(event.value, 0.0F, 1.0F), map);
    events_.set_control(event.code, is_down(event.code), mouse_place());
}

void InputCollector::turn_wheel(float notches, const ActionMap& map) {
    if (std::isnan(notches) || notches == 0.0F) return;
    constexpr float kMax = 1000.0F;
    const float turned = std::clamp(wheel_rest_ + notches, -kMax, kMax);
    // Whole notches only; a fine wheel's rest waits.
    const float whole = std::trunc(turned);
    wheel_rest_ = turned - whole;
    wheel_ = std::clamp(wheel_ + static_cast<int>(whole), -1000, 1000);
    events_.turn_wheel(static_cast<int>(whole), mouse_place());
    // A notch cannot be kept down: it is a press and a release at once.
    const InputCode code = notches > 0.0F ? InputCode::mouse_wheel_up : InputCode::mouse_wheel_down;
    set_level(code, 1.0F, map);
    set_level(code, 0.0F, map);
}

void InputCollector::release_all(const ActionMap& map) {
    for (std::size_t code = 0; code < kInputCodeCount; ++code)
        set_control({.code = static_cast<InputCode>(code)}, map);
}

void InputCollector::feed(const RawInput& raw, const ActionMap& map) {
    for (const RawInput::Event& event : raw.events) {
        switch (event.kind) {
            case RawInput::Kind::control:
                set_control(event, map);
                break;
            case RawInput::Kind::text:
                events_.type(event.text);
                break;
            case RawInput::Kind::mouse:
                if (std::isnan(event.x) || std::isnan(event.y)) break;
                mouse_x_ = event.x;
                mouse_y_ = event.y;
                break;
            case RawInput::Kind::wheel:
                turn_wheel(event.value, map);
                break;
            case RawInput::Kind::release_all:
                release_all(map);
                break;
            case RawInput::Kind::toggle_console:
            case RawInput::Kind::paste:
                break;  // the console's
        }
    }
}

StepInput InputCollector::take_step(const ActionMap& map) {
    StepInput input;
    take_step(map, input);
    return input;
}

void InputCollector::take_step(const ActionMap& map, StepInput& input) {
    pending_press_.resize(map.size());
    was_down_.resize(map.size());

    input.actions.resize(map.size());
    for (std::size_t id = 0; id < map.size(); ++id) {
        ActionState& state = input.actions[id];
        const bool down_now = any_down(map[id]);
        // A tap that is already over again counts as fully down for this one step.
        float level = pending_press_[id] && !down_now ? 1.0F : 0.0F;
        for (const InputCode code : map[id].codes)
            level = std::max(level, levels_[static_cast<std::size_t>(code)]);
        state.level = quantise_level(level);
        state.pressed = pending_press_[id];
        state.down = state.pressed || down_now;
        state.released = was_down_[id] && !state.down;
        was_down_[id] = state.down;
    }
    pending_press_.assign(map.size(), false);

    input.mouse_x = mouse_place().x;
    input.mouse_y = mouse_place().y;
    input.screen = {};
    input.wheel = static_cast<std::int16_t>(std::exchange(wheel_, 0));
    events_.take_step(input.events, input.text);
}

void InputCollector::forget_presses() {
    pending_press_.clear();
    wheel_ = 0;
    wheel_rest_ = 0.0F;
    std::bitset<kInputCodeCount> still_down;
    for (std::size_t code = 0; code < kInputCodeCount; ++code)
        still_down[code] = is_down(static_cast<InputCode>(code));
    events_.forget(still_down);
}

void InputCollector::reset() {
    forget_presses();
    events_.reset();
    was_down_.clear();
}

}  // namespace perigee
