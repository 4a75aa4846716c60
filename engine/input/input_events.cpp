// A bounded queue, and the state of controls at its end and at its beginning.
#include "engine/input/input_events.h"

#include "scripting/base/shown_text.h"

#include <algorithm>
#include <utility>

namespace perigee {

namespace {

std::size_t index_of(InputCode code) noexcept { return static_cast<std::size_t>(code); }

std::string clean(std::string_view text) {
    std::string kept;
    while (!text.empty()) {
        const std::size_t bytes = shown_bytes(text);
        kept += text.substr(0, bytes);
        text.remove_prefix(std::max<std::size_t>(bytes, 1));
    }
    return kept;
}

}  // namespace

bool InputEvent::has_place() const noexcept {
    return kind == Kind::wheel || (is_of_control() && input_code_device(code) == InputDevice::mouse);
}

std::size_t whole_characters(std::string_view text, std::size_t max_bytes) noexcept {
    if (text.size() <= max_bytes) return text.size();
    while (max_bytes > 0 && (static_cast<unsigned char>(text[max_bytes]) & 0xC0U) == 0x80U) --max_bytes;
    return max_bytes;
}

void InputEventQueue::set_control(InputCode code, bool is_down, InputPlace mouse) {
    const std::size_t index = index_of(code);
    if (down_[index] == is_down || (is_down && is_full())) return;
    down_[index] = is_down;
    Waiting waiting{{.kind = is_down ? InputEvent::Kind::down : InputEvent::Kind::up, .code = code}};
    if (waiting.event.has_place()) waiting.event.mouse = mouse;
    waiting_.push_back(std::move(waiting));
}

void InputEventQueue::repeat_control(InputCode code) {
    if (!down_[index_of(code)] || is_full()) return;
    waiting_.push_back({{.kind = InputEvent::Kind::repeat, .code = code}});
}

void InputEventQueue::type(std::string_view text) {
    const std::string kept = clean(text);
    std::string_view rest = kept;
    while (!rest.empty() && !is_full()) {
        const std::size_t bytes = whole_characters(rest, kMaxStepTextBytes);
        InputEvent event{.kind = InputEvent::Kind::text};
        event.text_bytes = static_cast<std::uint8_t>(bytes);
        waiting_.push_back({event, std::string{rest.substr(0, bytes)}});
        rest.remove_prefix(bytes);
    }
}

void InputEventQueue::turn_wheel(int notches, InputPlace mouse) {
    if (notches == 0 || is_full()) return;
    InputEvent event{.kind = InputEvent::Kind::wheel, .mouse = mouse};
    event.notches = static_cast<std::int16_t>(std::clamp(notches, -1000, 1000));
    waiting_.push_back({event});
}

void InputEventQueue::take_step(std::vector<InputEvent>& events, std::string& text) {
    events.clear();
    text.clear();
    while (!waiting_.empty() && events.size() < kMaxStepEvents) {
        const Waiting& next = waiting_.front();
        if (text.size() + next.text.size() > kMaxStepTextBytes) return;
        if (next.event.is_of_control())
            seen_down_[index_of(next.event.code)] = next.event.kind != InputEvent::Kind::up;
        text += next.text;
        events.push_back(next.event);
        waiting_.pop_front();
    }
}

void InputEventQueue::forget(const std::bitset<kInputCodeCount>& still_down) {
    waiting_.clear();
    down_ = seen_down_;
    for (std::size_t code = 0; code < kInputCodeCount; ++code)
        if (down_[code] && !still_down[code]) set_control(static_cast<InputCode>(code), false, {});
}

void InputEventQueue::reset() {
    waiting_.clear();
    down_.reset();
    seen_down_.reset();
}

}  // namespace perigee
