// Lights: how bright the world is around entities with gfx:Light, as triangles that are added to a light map.
//
// Invariant: a light reaches what its source sees past the casters of shadows around it. A caster is lit
// itself: its far side stops the light. A caster around a light does not stop it. What is added depends on
// the world, the positions one step ago and alpha alone. Not here: the map, which multiplies the picture
// (engine/session/internal/light_maps.h).
#pragma once

#include "engine/draw/draw_list.h"
#include "engine/draw/shapes/visible_area.h"
#include "engine/extract/components.h"
#include "engine/extract/internal/extract_frame.h"
#include "engine/extract/interpolation.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace perigee {

class Query;
class World;

/// The side of the image that lights are drawn with, in pixels. It is white in the middle and black from its
/// edge on.
inline constexpr std::uint16_t kFalloffSide = 128;
/// The brightness of its pixels, row by row.
std::vector<PackedColor> falloff_pixels();

class Lights {
public:
    static constexpr std::size_t kMaxLights = 512;
    static constexpr std::size_t kMaxCasters = 8192;
    /// The edges of a soft shadow are made of this many hard ones.
    static constexpr std::size_t kSoftSteps = 6;

    Lights(World& world, const EngineComponents& components, const PositionColumn& position);

    /// Nothing while the ambient light is white, which no light makes brighter.
    std::optional<Lighting> lighting() const;
    /// Finds the lights and casters of a frame. Beyond kMaxLights and kMaxCasters they are left out.
    void collect(const PreviousPositions& previous, float alpha);
    /// The last collect() left some out.
    bool has_left_out() const noexcept { return has_left_out_; }
    /// Adds what this camera sees of them to a map that is `ambient` so far. `falloff`: the image. Cost:
    /// about 2 us a light, and 5 us for ten casters around it; times kSoftSteps where shadows are soft.
    void draw(const DrawCamera& camera, float width, float height, const Color& ambient,
              std::uint32_t falloff, DrawList& map);

private:
    struct Lamp {
        Light light;
        Point at;
    };
    struct Caster {
        ShadowCaster shape;
        Point at;
        float reach = 0.0F;  // from its middle
    };
    void find_casters(const Lamp& lamp);
    void add_walls(Point eye);
    void add_fan(const Lamp& lamp, Point eye, float cone, PackedColor color);

    World& world_;
    EngineComponents components_;
    PositionColumn position_;
    Query* lights_query_ = nullptr;
    Query* casters_query_ = nullptr;
    std::vector<Lamp> lamps_;
    std::vector<Caster> casters_;
    bool has_left_out_ = false;
    // Scratch of draw().
    std::vector<const Caster*> near_;
    std::vector<Wall> walls_;
    std::vector<Point> rim_;
    std::vector<MeshPoint> mesh_;
    VisibleAreaScratch scratch_;
};

}  // namespace perigee
