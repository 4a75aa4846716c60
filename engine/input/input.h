// From raw controls to named actions, one StepInput per fixed step.
//
// Back ends deliver RawInput once per frame; the collector folds it into the state of the declared actions
// and hands out one StepInput per step. Invariant: every press is visible in exactly one step. A frame
// without steps keeps it for the next one, a frame with two steps shows it in the first only, and a tap
// shorter than a step is still down for one step. The same holds for events, which also keep their order
// (engine/input/input_events.h). All values are quantised here, so recorded and live frames have the same
// bytes. It does not read devices (engine/sdl does) and knows no Lua.
#pragma once

#include "ecs/base/divided_pool.h"
#include "ecs/base/result.h"
#include "engine/base/screen.h"
#include "engine/input/input_code.h"
#include "engine/input/input_events.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perigee {

/// Index of an action in its ActionMap, in order of declaration.
using ActionId = std::uint16_t;

inline constexpr std::size_t kMaxActions = 256;
inline constexpr std::size_t kMaxActionNameBytes = 64;

/// The state of one action in one step.
struct ActionState {
    std::uint8_t level = 0;  ///< analog value in 1/255: 0 at rest, 255 for a key that is down
    bool down = false;
    bool pressed = false;   ///< went down since the last step; implies down
    bool released = false;  ///< was down in the last step and is up now

    double value() const noexcept { return level / 255.0; }
    friend bool operator==(const ActionState&, const ActionState&) = default;
};

/// Everything that a simulation step knows of the outside world.
struct StepInput {
    std::vector<ActionState> actions{};  ///< by ActionId
    std::int16_t mouse_x = 0;            ///< logical pixels in 1/8, see mouse_pixels()
    std::int16_t mouse_y = 0;
    ScreenSize screen{};     ///< empty: as in mod.json
    std::int16_t wheel = 0;  ///< notches turned since the last step, positive = away from the player
    std::string text{};      ///< UTF-8 typed since the last step, at most kMaxStepTextBytes
    /// The events in order of arrival, at most kMaxStepEvents. Text events are consecutive parts of `text`.
    std::vector<InputEvent> events{};

    static double mouse_pixels(std::int16_t eighths) noexcept { return eighths / 8.0; }
    friend bool operator==(const StepInput&, const StepInput&) = default;
};

/// Maps controls to actions.
class ActionMap {
public:
    struct Action {
        std::string name;
        std::vector<InputCode> codes;
    };

    /// Declares an action, or gives a declared one other controls; the id of a name never changes. Owner 0 is
    /// the game, the others are its mods, among whom the room for kMaxActions is divided
    /// (ecs/base/divided_pool.h). Errors: empty or overlong name, no room.
    Result<ActionId> declare(std::string_view name, std::span<const InputCode> codes, std::size_t owner = 0);
    void set_owners(std::size_t count) { room_.set_members(count); }

    /// kMaxActions when no action has this name.
    std::size_t find(std::string_view name) const noexcept;

    std::size_t size() const noexcept { return actions_.size(); }
    const Action& operator[](std::size_t id) const noexcept { return actions_[id]; }
    void clear() noexcept {
        actions_.clear();
        room_.clear();
    }

private:
    std::vector<Action> actions_;
    DividedPool room_{kMaxActions};
};

/// Parses the control names of one device ("a", "left_x-"); an unknown one is an error that suggests the
/// nearest.
Result<InputCode> parse_input_code(InputDevice device, std::string_view name);

/// The raw input of a back end since the last frame.
struct RawInput {
    enum class Kind : std::uint8_t {
        control,         ///< a key, a button, or a part of a stick
        text,            ///< typed
        mouse,           ///< moved
        wheel,           ///< turned
        release_all,     ///< the window lost focus, or the console took the keyboard
        toggle_console,  ///< the console's own key
        paste,           ///< paste the clipboard, in order with typed text
    };
    struct Event {
        InputCode code = InputCode::count;  ///< of a control
        float value = 0.0F;  ///< control: 1 pressed, 0 released, between for sticks; wheel: notches
        Kind kind = Kind::control;
        bool is_repeat = false;  ///< key repeat while the key is down
        float x = 0.0F;          ///< mouse: logical pixels of the drawing area, origin top left
        float y = 0.0F;
        std::string text{};
    };
    std::vector<Event> events;  ///< in order of arrival

    void type(std::string_view text);
    /// Consecutive moves are merged into one.
    void move_mouse(float x, float y);
    /// Units: notches, positive = away from the player.
    void turn_wheel(float notches);
    void release_all();
    void add(Kind kind);
};

class InputCollector {
public:
    /// Folds a frame of raw input into the pending state. Events of unknown codes and NaN values are ignored.
    void feed(const RawInput& raw, const ActionMap& map);

    /// The input of the next step; consumes the edges, the wheel, and the text.
    /// Shape: one state per action of the map, in its order.
    StepInput take_step(const ActionMap& map);
    /// The same into an input whose memory is used again. Its screen is emptied.
    void take_step(const ActionMap& map, StepInput& input);

    /// Drops presses, wheel and text since the last step; a control that was down and released meanwhile
    /// still shows as released. For a paused game, which ignores keys pressed during the pause.
    void forget_presses();

    /// Drops everything except controls that are physically down and the mouse position: after a restart
    /// nothing is "pressed".
    void reset();

private:
    void set_control(const RawInput::Event& event, const ActionMap& map);
    void set_level(InputCode code, float value, const ActionMap& map);
    void turn_wheel(float notches, const ActionMap& map);
    void release_all(const ActionMap& map);
    bool is_down(InputCode code) const noexcept;
    bool any_down(const ActionMap::Action& action) const noexcept;
    InputPlace mouse_place() const noexcept;

    InputEventQueue events_;
    std::array<float, kInputCodeCount> levels_{};
    std::vector<bool> pending_press_;  // by ActionId: went down since the last step
    std::vector<bool> was_down_;       // by ActionId: as shown in the last step
    float mouse_x_ = 0.0F;
    float mouse_y_ = 0.0F;
    float wheel_rest_ = 0.0F;  // fraction of a notch turned so far
    int wheel_ = 0;            // notches since the last step
};

}  // namespace perigee
