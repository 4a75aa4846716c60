// Overlay: what the program shows above the game: the figures of a frame, the console,
// and the bar that goes back in time.
//
// Invariant: nothing of it reaches screenshots or the game's own picture. Not here: the error card, which is
// part of that picture (engine/draw/overlay/error_card.h).
#pragma once

#include "engine/sdl/draw/stats_card.h"
#include "engine/tools/console.h"
#include "game/loop/rewind_bar.h"

namespace perigee {

class Backend;
class Engine;
class FrameTimer;
struct HostRequests;
struct RawInput;

class Overlay {
public:
    explicit Overlay(bool shows_figures) { stats_card_.is_shown = shows_figures; }

    /// Handles keys that are for the program. Input that the console or the bar uses is removed from
    /// `input`.
    void feed(const HostRequests& host, RawInput& input, Engine& engine, Backend& backend,
              const LogSink& log);
    /// True if the player ended the run in the console.
    bool wants_quit() const { return console_.wants_quit(); }
    const RewindBar& rewind_bar() const { return rewind_bar_; }

    /// Expects: between draw_picture and Backend::flush.
    void draw(const Engine& engine, Backend& backend);
    /// Adds a frame to the figures.
    void add(const FrameStats& frame) { stats_card_.add(frame); }

private:
    StatsCard stats_card_;
    Console console_;
    RewindBar rewind_bar_;
};

/// The figures of the frame whose picture was just drawn, without the times at its end.
FrameStats frame_stats(Engine& engine, const Backend& backend, const FrameTimer& timer);

}  // namespace perigee
