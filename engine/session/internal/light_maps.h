// LightMaps: how bright each part of a frame is, as a canvas that multiplies the picture after the lit
// layers.
//
// Invariant: a map is as large as half of the part of the screen, or of the canvas, that it lights, and shows
// what the camera of that part sees. While no light can be seen there are no maps, and nothing is drawn. Not
// here: what lights reach (engine/extract/lights.h).
#pragma once

#include "engine/draw/draw_list.h"
#include "engine/extract/components.h"
#include "engine/extract/views.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace perigee {

class EntityExtractor;
class GameFiles;
class SessionLog;
struct SharedByMods;

class LightMaps {
public:
    /// Lifetime: all must outlive it.
    LightMaps(EntityExtractor& extractor, GameFiles& files, SharedByMods& shared, SessionLog& log);

    /// Before the canvases of views are used, since a map is drawn before what it lights. `has_screen`: the
    /// screen shows the world without a view.
    void begin_frame(float alpha, const std::vector<ShownView>& views, bool has_screen);
    /// When the lists are complete: draws the maps, and adds them to the lists.
    void end_frame(const std::vector<ShownView>& views, DrawList& screen);

private:
    struct Map {
        std::uint32_t canvas = 0;
        std::uint16_t width = 0;
        std::uint16_t height = 0;
    };
    void begin_map(std::size_t number, float width, float height);
    void add_map(const Map& map, const DrawCamera& camera, DrawList& list);
    bool has_falloff();
    void report_once(const char* message);

    EntityExtractor& extractor_;
    GameFiles& files_;
    SharedByMods& shared_;
    SessionLog& log_;
    std::optional<Lighting> lighting_;  // of the frame
    std::vector<Map> maps_;             // of the views, then of the screen
    std::uint32_t falloff_ = 0;         // pixels
    const char* reported_ = nullptr;
    bool has_screen_ = false;
};

}  // namespace perigee
