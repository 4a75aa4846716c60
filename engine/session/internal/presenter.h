// The picture of a frame: entities of the world, what presentation systems draw, a note, and the error card.
//
// Invariant: it changes nothing that a step reads. Not here: pixels (engine/sdl).
#pragma once

#include "engine/extract/extract.h"
#include "engine/session/frame_times.h"
#include "engine/session/internal/view_lists.h"

#include <string_view>

namespace perigee {

class DrawList;
class GameFiles;
class Schedule;
class SessionLog;
struct SharedByMods;
struct TickTime;

class Presenter {
public:
    /// Adds the system "gfx:extract", if the game has a Position. `dt`: of a step. Lifetime: all must outlive
    /// it.
    Presenter(World& world, Schedule& schedule, const EngineComponents& components, GameFiles& files,
              SharedByMods& shared, SessionLog& log, float dt);
    Presenter(const Presenter&) = delete;
    Presenter& operator=(const Presenter&) = delete;

    /// Called before each step: remembers what the picture shows moving.
    void begin_step() { extractor_.remember(); }
    /// Called after each step: pictures that change in steps do so.
    void end_step();
    /// Called when the world is another one than before: scripts see its camera, and pictures begin again.
    void begin_world();

    /// Runs the group presentation at time.alpha between the previous step and the last one, and sorts.
    /// `note` (may be empty) is shown in the middle of the screen.
    void present(const TickTime& time, std::string_view note, DrawList& list);

    /// The times of the last picture; `steps` is 0.
    const FrameTimes& times() const noexcept { return times_; }

    /// Called when files have loaded: adds the systems of what they define, such as animation clips.
    void systems_needed();

private:
    void add_extraction();
    void report_undrawn();

    Schedule& schedule_;
    EngineComponents components_;
    GameFiles& files_;
    SharedByMods& shared_;
    SessionLog& log_;
    EntityExtractor extractor_;
    ViewLists views_;
    DrawList* list_ = nullptr;  // of the frame being presented
    FrameTimes times_;
    float dt_;
    bool animates_ = false;
    bool extracts_ = false;
    bool has_reported_undrawn_ = false;
};

}  // namespace perigee
