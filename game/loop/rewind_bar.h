// RewindBar: a paused game goes back and forth in its recent steps, and goes on from any of them (F6).
//
// Invariant: while it is open the game is paused. It has a separate draw list, drawn over the game's. Not
// here: the steps themselves (engine/session/rewind.h).
#pragma once

#include "engine/draw/overlay/tool_picture.h"
#include "engine/input/input.h"
#include "scripting/base/log.h"

#include <cstdint>

namespace perigee {

class Engine;

class RewindBar {
public:
    bool is_open() const noexcept { return is_open_; }

    /// Opens or closes if `toggles`, unless the engine keeps no steps. Closing it, or ending the pause, lets
    /// the game go on from the step that is shown. While it is open, it takes its keys and clicks out of
    /// `raw`: left and right for one step, page up and down for 60, home, end, space, and the mouse on the
    /// bar. The log gets why the game cannot go to a step. Expects: between frames.
    void feed(bool toggles, RawInput& raw, Engine& engine, const LogSink& log);

    /// True if the last feed() got the key that runs one step. It drops the kept steps after the one shown.
    bool wants_step() const noexcept { return wants_step_; }

    /// Sorted. Shape: the size of the logical screen. Lifetime: until the next call. Expects: is_open().
    const DrawList& draw_list(const Engine& engine, float width, float height);

private:
    bool take(const RawInput::Event& event, Engine& engine, const LogSink& log);
    void go_to(std::int64_t step, Engine& engine, const LogSink& log) const;
    void go_to_mouse(Engine& engine, const LogSink& log) const;

    bool is_open_ = false;
    bool was_paused_ = false;  // before it was opened
    bool wants_step_ = false;
    bool is_dragging_ = false;
    float mouse_x_ = 0.0F;
    float mouse_y_ = 0.0F;
    float width_ = 0.0F;  // of the screen it was drawn on
    float height_ = 0.0F;
    ToolPicture picture_;
};

}  // namespace perigee
