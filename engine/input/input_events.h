// The player's input in a step as ordered events, for games that need the order: text fields, fast taps,
// click positions.
//
// Invariant: events keep their order, each appears in exactly one step, and a step has at most
// kMaxStepEvents; the others wait for the next steps. Every release has a press before it: beyond
// kMaxWaitingEvents a press is dropped together with its repeats and its release. Text is valid UTF-8
// without control characters. It knows no actions (engine/input/input.h).
#pragma once

#include "engine/input/input_code.h"

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace perigee {

inline constexpr std::size_t kMaxStepEvents = 64;
inline constexpr std::size_t kMaxStepTextBytes = 255;
inline constexpr std::size_t kMaxWaitingEvents = 1024;

/// Units: logical pixels in 1/8.
struct InputPlace {
    std::int16_t x = 0;
    std::int16_t y = 0;
    friend bool operator==(const InputPlace&, const InputPlace&) = default;
};

struct InputEvent {
    enum class Kind : std::uint8_t { down, repeat, up, text, wheel };
    static constexpr std::size_t kKinds = 5;
    static constexpr std::array<std::string_view, kKinds> kKindNames{"down", "repeat", "up", "text", "wheel"};

    Kind kind = Kind::down;
    InputCode code = InputCode::count;  ///< for down, repeat and up; a stick is down from halfway
    InputPlace mouse{};                 ///< for mouse buttons and the wheel: the mouse position
    std::int16_t notches = 0;           ///< of the wheel, positive = away from the player
    std::uint8_t text_bytes = 0;        ///< bytes of the step's text in this event
    friend bool operator==(const InputEvent&, const InputEvent&) = default;

    bool is_of_control() const noexcept { return kind <= Kind::up; }
    bool has_place() const noexcept;
};

/// Length of the longest prefix of `text` with whole characters and at most `max_bytes` bytes.
std::size_t whole_characters(std::string_view text, std::size_t max_bytes) noexcept;

class InputEventQueue {
public:
    /// Does nothing when the control is in this state already.
    void set_control(InputCode code, bool is_down, InputPlace mouse);
    /// Does nothing when the control is not down.
    void repeat_control(InputCode code);
    /// Invalid UTF-8 and control characters are dropped.
    void type(std::string_view text);
    void turn_wheel(int notches, InputPlace mouse);

    /// The events of the next step, and the text that they refer to.
    void take_step(std::vector<InputEvent>& events, std::string& text);

    /// Drops events that no step has seen, except releases of controls that a step saw go down and that are
    /// no longer in `still_down`.
    void forget(const std::bitset<kInputCodeCount>& still_down);
    /// Drops everything; all controls count as up.
    void reset();

private:
    struct Waiting {
        InputEvent event;
        std::string text{};
    };
    bool is_full() const noexcept { return waiting_.size() >= kMaxWaitingEvents; }

    std::deque<Waiting> waiting_;
    std::bitset<kInputCodeCount> down_;       // after all waiting events
    std::bitset<kInputCodeCount> seen_down_;  // after all events taken by steps
};

}  // namespace perigee
