// Views: what entities with gfx:View show in a frame, and how points of the screen and of the world belong
// together.
//
// Invariant: a view is drawn between what it was one step ago and what it is now, like all that moves; one
// that jumps or turns far is not. A shake moves the picture alone: no script sees it, so it may be turned
// off. Not here: what is drawn (extract.h), lists and canvases (engine/session/internal/view_lists.h).
#pragma once

#include "ecs/base/entity.h"
#include "engine/draw/draw_state.h"
#include "engine/extract/components.h"
#include "engine/extract/internal/extract_frame.h"
#include "engine/extract/interpolation.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace perigee {

class DrawList;
class Query;
class World;

/// A component gfx:View in a frame.
struct EntityView {
    Entity entity;
    DrawCamera camera;
    CameraView look;  ///< as it is; camera has the zoom and the rotation of the frame
};

/// A view and where it is shown.
struct ShownView {
    Entity entity;
    DrawCamera camera;
    DrawClip viewport;         ///< in whole pixels of the logical screen, or of the canvas
    std::uint32_t canvas = 0;  ///< 0: the screen
    DrawList* list = nullptr;  ///< of the frame

    bool shows(double x, double y) const noexcept {
        return x >= viewport.x && y >= viewport.y && x < viewport.x + viewport.width &&
               y < viewport.y + viewport.height;
    }
};

/// The views of the game, from below.
struct ViewTable {
    std::vector<ShownView> after_step;  ///< as the last step left them: what scripts see
    std::vector<ShownView> of_frame;    ///< as the frame shows them
    float shake = 1.0F;                 ///< multiplies all shakes; the player's, not the game's

    /// Null if there is none.
    static const ShownView* find(const std::vector<ShownView>& views, Entity entity) noexcept;
    /// The highest one on the screen that shows this point of it; null if none does.
    const ShownView* at(double x, double y) const noexcept;
    /// The lowest one on the screen; null if there is none.
    const ShownView* first() const noexcept;
};

struct ViewPoint {
    double x = 0;
    double y = 0;
};
/// The point of the world under a point of the screen, and back. The camera fills `viewport`.
ViewPoint to_world(const DrawCamera& camera, const DrawClip& viewport, ViewPoint screen) noexcept;
ViewPoint to_screen(const DrawCamera& camera, const DrawClip& viewport, ViewPoint world) noexcept;

/// The part of a screen of this size that a view covers, in whole pixels; empty if it has none.
DrawClip viewport_of(const CameraView& view, float width, float height) noexcept;

/// Clamps a number from a script to one that a camera can have.
DrawCamera usable_camera(float x, float y, float zoom, float rotation) noexcept;

/// A turn of a camera in a step that is a cut, not a motion.
inline constexpr float kMaxCameraTurn = 1.0F;

class Views {
public:
    static constexpr std::size_t kMax = 16;

    Views(World& world, const EngineComponents& components, const PositionColumn& position);

    /// Called before each step.
    void remember();
    /// Without a shake: as they are now. From the lowest, at most kMax.
    void collect(std::vector<EntityView>& views) const;
    /// The views as a frame shows them. `seconds`: the time of the game, for the shake; `shake`: its
    /// strength.
    void collect_between(const PreviousPositions& previous, float alpha, double seconds, float shake,
                         std::vector<EntityView>& views) const;

private:
    struct Before {
        Entity entity;
        float zoom = 1.0F;
        float rotation = 0.0F;
    };
    World& world_;
    EngineComponents components_;
    PositionColumn position_;
    Query* query_ = nullptr;
    std::vector<Before> before_;
};

}  // namespace perigee
