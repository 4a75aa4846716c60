// ViewLists: the draw lists of the views of a frame, from entities with gfx:View to views of the list of the
// screen or of a canvas.
//
// Invariant: while a view is on the screen, the views show the world, and the list of the screen only what is
// fixed on the screen; else that list shows what the resource gfx:Camera sees. What is drawn for the world by
// calls is in each view; what is drawn for one view covers it. Not here: what entities look like
// (engine/extract), scripts (engine/modules/gfx_views.h).
#pragma once

#include "engine/draw/layer_look.h"
#include "engine/draw/layers/layer_set.h"
#include "engine/draw/painter.h"
#include "engine/extract/extract.h"
#include "engine/session/internal/light_maps.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace perigee {

class GameFiles;
class Particles;
class SessionLog;
struct SharedByMods;
struct TickTime;

class ViewLists {
public:
    /// Lifetime: all must outlive it.
    ViewLists(const World& world, EntityExtractor& extractor, GameFiles& files, SharedByMods& shared,
              SessionLog& log);

    /// Called when the world has changed: scripts see its cameras.
    void update();

    /// Before anything is drawn: adds the views to the list of the screen and to those of canvases.
    void begin_frame(const TickTime& time, DrawList& screen);
    /// What shows the world in this frame, on the screen or on canvases. Lifetime: until begin_frame.
    std::span<const PaintedView> painted() const noexcept { return painted_; }
    /// Adds what entities look like. `dt`: of a step.
    void extract(float alpha, DrawList& screen, Particles& particles, float dt);
    /// When everything is drawn: the views get what was drawn for the world, and the picture has its effect
    /// if it `has_effect`.
    void end_frame(DrawList& screen, bool has_effect);

private:
    void begin_layers(DrawList& screen);
    void show(const std::vector<EntityView>& views, std::vector<ShownView>& shown);
    const LayerSet& layers_of(TextHandle text);
    std::uint32_t canvas_of(TextHandle name);
    void report_once(std::string message);

    const World& world_;
    EntityExtractor& extractor_;
    GameFiles& files_;
    SharedByMods& shared_;
    SessionLog& log_;
    LightMaps light_maps_;
    std::vector<EntityView> views_;                       // scratch
    std::unordered_map<std::uint64_t, LayerSet> layers_;  // by the hash of their text
    std::vector<const LayerSet*> layers_of_view_;         // of the frame, by view
    std::vector<LayerLook> looks_;                        // of the frame
    std::uint64_t layers_version_ = 0;                    // of looks_ and layers_
    std::unordered_set<std::string> reported_;
    std::vector<PaintedView> painted_;
    bool is_on_screen_ = false;  // a view of the frame
};

}  // namespace perigee
