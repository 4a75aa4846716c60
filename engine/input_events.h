// What the player did in a step, event by event, for games that need the order: text fields, fast taps,
// clicks at their places.
//
// Invariant: events come out in the order in which they came in, each in exactly one step, and at most
// kMostStepEvents in one; the others wait for the next steps. A control that went up went down before: beyond
// kMostWaitingEvents a press is left out together with its repeats and its release. Text is valid UTF-8
// without control characters. It knows no actions (engine/input.h).
#pragma once

#include "engine/input_code.h"

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace perigee {

inline constexpr std::size_t kMostStepEvents = 64;
inline constexpr std::size_t kMostStepTextBytes = 255;
inline constexpr std::size_t kMostWaitingEvents = 1024;

/// Units: logical pixels in 1/8.
struct InputPlace {
    std::int16_t x = 0;
    std::int16_t y = 0;
    friend bool operator==(const InputPlace&, const InputPlace&) = default;
};

struct InputEvent {
    enum class Kind : std::uint8_t { down, repeat, up, text, wheel };
    static constexpr std::size_t kKinds = 5;

    Kind kind = Kind::down;
    InputCode code = InputCode::count;  ///< of down, repeat and up; a stick is down from half way
    InputPlace mouse{};                 ///< of mouse buttons and the wheel: where it was
    std::int16_t notches = 0;           ///< of the wheel, positive = away from the player
    std::uint8_t text_bytes = 0;        ///< how much of the step's text this event is
    friend bool operator==(const InputEvent&, const InputEvent&) = default;

    bool is_of_control() const noexcept { return kind <= Kind::up; }
    bool has_place() const noexcept;
};

/// The first bytes of `text` that end with a whole character, at most `most` of them.
std::size_t whole_characters(std::string_view text, std::size_t most) noexcept;

class InputEventQueue {
public:
    /// Nothing when the control is shown in this state already.
    void set_control(InputCode code, bool is_down, InputPlace mouse);
    /// Nothing when the control is not shown as down.
    void repeat_control(InputCode code);
    /// Bytes that are no UTF-8 and control characters are left out.
    void type(std::string_view text);
    void turn_wheel(int notches, InputPlace mouse);

    /// The events of the next step, and the text that they refer to.
    void take_step(std::vector<InputEvent>& events, std::string& text);

    /// Drops what no step has seen, but for the release of what a step saw go down and is not `held` any
    /// more.
    void forget(const std::bitset<kInputCodeCount>& held);
    /// Drops everything; all controls count as up.
    void reset();

private:
    struct Waiting {
        InputEvent event;
        std::string text{};
    };
    bool is_full() const noexcept { return waiting_.size() >= kMostWaitingEvents; }

    std::deque<Waiting> waiting_;
    std::bitset<kInputCodeCount> down_;       // after all that waits
    std::bitset<kInputCodeCount> seen_down_;  // after all that steps have taken
};

}  // namespace perigee
