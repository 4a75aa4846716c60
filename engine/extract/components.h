// The engine's own component types, declared through the same schemas as a game's: what entities look like,
// and the camera.
//
// Invariant: the C++ structs below have the layout of the schemas that declare_engine_components makes, which
// a test compares field by field. Not here: the position of a sprite. Position is the game's component, any
// component of that name with f32 fields x and y.
#pragma once

#include "ecs/base/entity.h"
#include "ecs/base/result.h"
#include "ecs/schema/bind.h"
#include "ecs/schema/component.h"
#include "ecs/schema/field_type.h"
#include "engine/draw/shapes/point.h"

#include <array>
#include <cstdint>
#include <string_view>

namespace perigee {

class World;

inline constexpr char kSpriteName[] = "gfx:Sprite";
inline constexpr char kShapeName[] = "gfx:Shape";
inline constexpr char kAnimationName[] = "gfx:Animation";
inline constexpr char kAnimationEventName[] = "gfx:AnimationEvent";
inline constexpr char kEmitterName[] = "gfx:Emitter";
inline constexpr char kTextName[] = "gfx:Text";
inline constexpr char kTrailName[] = "gfx:Trail";
inline constexpr char kViewName[] = "gfx:View";
inline constexpr char kFollowName[] = "gfx:Follow";
inline constexpr char kShakeName[] = "gfx:Shake";
inline constexpr char kLightName[] = "gfx:Light";
inline constexpr char kShadowCasterName[] = "gfx:ShadowCaster";
inline constexpr char kLightingName[] = "gfx:Lighting";
inline constexpr char kCameraName[] = "gfx:Camera";
inline constexpr char kPositionName[] = "Position";

/// A picture at the entity's Position.
struct Sprite {
    std::uint32_t image = 0;  ///< asset handle; 0 draws nothing
    Color color;              ///< multiplies the image
    float rotation = 0.0F;    ///< radians, clockwise
    float scale_x = 1.0F;     ///< negative flips
    float scale_y = 1.0F;
    float origin_x = 0.5F;  ///< point of the image placed at Position, 0 .. 1
    float origin_y = 0.5F;
    std::uint16_t frame = 0;  ///< of the image's sheet; wraps at the end
    std::int16_t layer = 0;   ///< higher is nearer
    std::uint8_t blend = 0;   ///< BlendMode
    std::int16_t order = 0;   ///< in layers of LayerSort::order
};

enum class ShapeKind : std::uint8_t { rectangle, circle, pie, arc, line, capsule };
inline constexpr std::array<std::string_view, 6> kShapeKindNames{"rectangle", "circle", "pie",
                                                                 "arc",       "line",   "capsule"};

/// A shape at the entity's Position. It takes a box of this size; a line is in the middle of its box, as
/// thick as the box is high.
struct Shape {
    Color color;
    float width = 16.0F;
    float height = 16.0F;
    float rotation = 0.0F;  ///< radians, clockwise
    float origin_x = 0.5F;  ///< point of the box placed at Position, 0 .. 1
    float origin_y = 0.5F;
    float stroke = 0.0F;   ///< width of the outline; 0 fills the shape
    float corners = 0.0F;  ///< radius of a rectangle's corners
    float from = 0.0F;     ///< radians, clockwise from the right: the part that a pie or an arc shows
    float to = kFullTurn<float>;
    std::int16_t layer = 0;  ///< higher is nearer
    std::uint8_t kind = 0;   ///< ShapeKind
    std::uint8_t blend = 0;  ///< BlendMode
    std::int16_t order = 0;  ///< in layers of LayerSort::order
};

/// A clip that the entity's Sprite shows.
struct Animation {
    TextHandle clip;     ///< its name; "" leaves the sprite as it is
    float speed = 1.0F;  ///< 0 pauses, negative plays backwards
    float time = 0.0F;   ///< seconds since the start of the clip
    std::uint32_t playing =
        0;  ///< of the last step: the hash of the clip's name; another clip starts at its beginning
    std::uint16_t position = 0;  ///< of the last step: index of the frame in the clip
    bool finished = false;       ///< a clip that plays once is at its end
};

/// An animation entered a frame with an event, or ended ("end").
struct AnimationEvent {
    Entity entity;
    TextHandle clip;
    TextHandle name;
    std::uint16_t frame = 0;  ///< of the image
};

/// Emits particles at the entity's Position.
struct Emitter {
    TextHandle preset;      ///< its name; "" emits none
    float rate = 1.0F;      ///< multiplies the preset's
    float rotation = 0.0F;  ///< radians, added to the preset's direction
    bool active = true;     ///< false emits no more
};

/// A text at the entity's Position.
struct Text {
    TextHandle text;
    Color color;
    std::uint32_t font = 0;  ///< asset handle; 0 is the default font
    float size = 16.0F;      ///< of the font, in px
    float width = 0.0F;      ///< lines are wrapped at it; 0 = not
    float origin_x = 0.5F;   ///< point of the text's box placed at Position, 0 .. 1
    float origin_y = 0.5F;
    float reveal = -1.0F;   ///< characters that are shown; below 0: all
    float outline = 0.0F;   ///< width around the letters, in px
    float shadow_x = 0.0F;  ///< where the shadow is, in px; 0 and 0: there is none
    float shadow_y = 0.0F;
    Color outline_color{0, 0, 0, 255};
    Color shadow_color{0, 0, 0, 160};
    std::int16_t layer = 0;  ///< higher is nearer
    std::uint8_t align = 0;  ///< TextAlign
    std::uint8_t blend = 0;  ///< BlendMode
    bool markup = false;     ///< {red}…{/} and {icon:name} are no text
    std::int16_t order = 0;  ///< in layers of LayerSort::order
};

/// A ribbon behind the entity.
struct Trail {
    Color color;                        ///< at the entity
    Color end_color{255, 255, 255, 0};  ///< alpha 0: fades out in `color`
    float width = 8.0F;                 ///< at the entity
    float end_width = 0.0F;
    std::uint16_t length = 16;  ///< steps, at most Trails::kMaxLength
    std::int16_t layer = 0;     ///< higher is nearer
    std::uint8_t blend = 0;     ///< BlendMode
    std::int16_t order = 0;     ///< in layers of LayerSort::order
};

/// A camera at the entity's Position, and the part of the screen or of a canvas that shows what it sees.
struct CameraView {
    TextHandle canvas;  ///< its name; "" is the screen
    TextHandle layers;  ///< which it shows (layer_set.h); "": all
    Color background{0, 0, 0, 0};
    float left = 0.0F;  ///< the part, in fractions of the screen or canvas
    float top = 0.0F;
    float width = 1.0F;
    float height = 1.0F;
    float zoom = 1.0F;
    float rotation = 0.0F;   ///< radians, clockwise
    std::int16_t order = 0;  ///< a higher one covers a lower one
};

/// Moves the entity, a camera, after another one.
struct Follow {
    Entity target;          ///< none, or one that is gone: it stays
    float offset_x = 0.0F;  ///< where it looks, from the target
    float offset_y = 0.0F;
    float dead_width = 0.0F;  ///< of a box around the middle, in which the target does not move it
    float dead_height = 0.0F;
    float lag = 0.15F;         ///< seconds until it has gone two thirds of the way; 0: it is there at once
    float bounds_left = 0.0F;  ///< of the world, what a View shows; none if they have no size
    float bounds_top = 0.0F;
    float bounds_right = 0.0F;
    float bounds_bottom = 0.0F;
    bool arrived = false;  ///< false: it is at its target after the next step
};

/// Shakes what a View shows.
struct Shake {
    float trauma = 0.0F;      ///< 0 .. 1; the picture shakes by its square
    float decay = 1.2F;       ///< of the trauma, per second
    float distance = 24.0F;   ///< pixels of the screen at most
    float angle = 0.04F;      ///< radians at most
    float frequency = 12.0F;  ///< turns of direction per second
};

/// Brightens what is around the entity, if gfx:Lighting makes the world dark.
struct Light {
    Color color;
    float radius = 200.0F;          ///< where it ends, in px
    float intensity = 1.0F;         ///< multiplies the colour
    float softness = 0.0F;          ///< radius of its source, in px: how soft the edges of shadows are
    float rotation = 0.0F;          ///< radians, clockwise from the right: where a cone points
    float cone = kFullTurn<float>;  ///< radians, of its opening
    bool shadows = true;            ///< false: it shines through what casts shadows
};

/// Keeps light from what is behind it: a box around the entity's Position, or a disc.
struct ShadowCaster {
    float width = 32.0F;
    float height = 32.0F;
    float radius = 0.0F;    ///< above 0: a disc
    float rotation = 0.0F;  ///< radians, clockwise
};

/// How dark the world is.
struct Lighting {
    Color ambient;           ///< multiplies what no light reaches; white: there are no lights
    std::int16_t layer = 0;  ///< the last one that is lit; those above are drawn as they are
};

/// What the screen shows while no View does.
struct Camera {
    float x = 0.0F;  ///< world point in the middle of the screen
    float y = 0.0F;
    float zoom = 1.0F;
    float rotation = 0.0F;  ///< radians, clockwise
    bool y_sort = false;    ///< within a layer, lower on the screen is nearer
};

struct EngineComponents {
    ComponentId sprite;
    ComponentId shape;
    ComponentId animation;
    ComponentId animation_event;
    ComponentId emitter;
    ComponentId text;
    ComponentId trail;
    ComponentId view;
    ComponentId follow;
    ComponentId shake;
    ComponentId light;
    ComponentId shadow_caster;
    ComponentId lighting;
    ComponentId camera;
};

/// Declares all of them; the camera starts where world and screen coordinates agree.
/// Errors: a mod has already declared one of the names differently.
Result<EngineComponents> declare_engine_components(World& world, float screen_width, float screen_height);

}  // namespace perigee
