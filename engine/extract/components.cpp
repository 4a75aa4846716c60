// The schemas, field by field, with the words that tools show.
#include "engine/extract/components.h"

#include "ecs/schema/schema.h"
#include "ecs/world/world.h"
#include "engine/draw/draw_item.h"
#include "engine/draw/shapes/point.h"

#include <span>
#include <utility>

namespace perigee {

namespace {

Field number_field(std::string name, FieldType type, double default_value, std::string unit,
                   std::string doc) {
    Field field;
    field.name = std::move(name);
    field.type = type;
    field.default_value.data = default_value;
    field.unit = std::move(unit);
    field.doc = std::move(doc);
    return field;
}

Field plain_field(std::string name, FieldType type, std::string doc) {
    Field field;
    field.name = std::move(name);
    field.type = type;
    field.doc = std::move(doc);
    return field;
}

Field color_field(std::string doc) {
    Field field = plain_field("color", FieldType::color, std::move(doc));
    field.default_value.data = FieldValueList{{255.0}, {255.0}, {255.0}, {255.0}};
    return field;
}

// A colour that is black at first.
Field dark_field(std::string name, double opacity) {
    Field field = plain_field(std::move(name), FieldType::color, "");
    field.default_value.data = FieldValueList{{0.0}, {0.0}, {0.0}, {opacity}};
    return field;
}

Field label_field(std::string name, std::span<const std::string_view> labels, std::string doc) {
    Field field = plain_field(std::move(name), FieldType::enumeration, std::move(doc));
    field.labels.assign(labels.begin(), labels.end());
    return field;
}

void add_layer_field(Schema& schema) {
    schema.fields.push_back(number_field("layer", FieldType::i16, 0, "", "higher is nearer"));
}

void add_blend_field(Schema& schema) {
    schema.fields.push_back(label_field("blend", kBlendNames, "how it mixes with what is behind it"));
}

void add_order_field(Schema& schema) {
    schema.fields.push_back(
        number_field("order", FieldType::i16, 0, "", "higher is nearer, in a layer with sort = \"order\""));
}

Schema sprite_schema() {
    Schema schema;
    schema.name = kSpriteName;
    schema.doc = "A picture at the entity's Position.";
    schema.fields.push_back(plain_field("image", FieldType::asset, "PNG file; none draws nothing"));
    schema.fields.push_back(color_field("multiplies the image"));
    schema.fields.push_back(number_field("rotation", FieldType::f32, 0, "rad", "clockwise"));
    schema.fields.push_back(number_field("scale_x", FieldType::f32, 1, "", "negative flips"));
    schema.fields.push_back(number_field("scale_y", FieldType::f32, 1, "", "negative flips"));
    schema.fields.push_back(
        number_field("origin_x", FieldType::f32, 0.5, "", "0 = left edge at Position, 1 = right"));
    schema.fields.push_back(
        number_field("origin_y", FieldType::f32, 0.5, "", "0 = top edge at Position, 1 = bottom"));
    schema.fields.push_back(number_field("frame", FieldType::u16, 0, "", "of the image's sheet, from 0"));
    add_layer_field(schema);
    add_blend_field(schema);
    add_order_field(schema);
    return schema;
}

Schema shape_schema() {
    Schema schema;
    schema.name = kShapeName;
    schema.doc = "A shape at the entity's Position.";
    schema.fields.push_back(color_field(""));
    schema.fields.push_back(number_field("width", FieldType::f32, 16, "px", "of its box; a line's length"));
    schema.fields.push_back(
        number_field("height", FieldType::f32, 16, "px", "of its box; a line's thickness"));
    schema.fields.push_back(number_field("rotation", FieldType::f32, 0, "rad", "clockwise"));
    schema.fields.push_back(
        number_field("origin_x", FieldType::f32, 0.5, "", "0 = left edge at Position, 1 = right"));
    schema.fields.push_back(
        number_field("origin_y", FieldType::f32, 0.5, "", "0 = top edge at Position, 1 = bottom"));
    schema.fields.push_back(number_field("stroke", FieldType::f32, 0, "px", "of the outline; 0 fills"));
    schema.fields.push_back(number_field("corners", FieldType::f32, 0, "px", "radius, of a rectangle"));
    schema.fields.push_back(number_field("from", FieldType::f32, 0, "rad", "where a pie or arc begins"));
    schema.fields.push_back(
        number_field("to", FieldType::f32, kFullTurn<double>, "rad", "where it ends, clockwise"));
    add_layer_field(schema);
    schema.fields.push_back(label_field("kind", kShapeKindNames, ""));
    add_blend_field(schema);
    add_order_field(schema);
    return schema;
}

Schema animation_schema() {
    Schema schema;
    schema.name = kAnimationName;
    schema.doc = "A clip of frames that the entity's gfx.Sprite shows.";
    schema.fields.push_back(plain_field("clip", FieldType::text, "its name, as gfx.clip returns it"));
    schema.fields.push_back(
        number_field("speed", FieldType::f32, 1, "", "0 pauses, negative plays backwards"));
    schema.fields.push_back(number_field("time", FieldType::f32, 0, "s", "since the start of the clip"));
    schema.fields.push_back(
        plain_field("playing", FieldType::u32, "set by the engine: the clip of the last step"));
    schema.fields.push_back(
        plain_field("position", FieldType::u16, "set by the engine: the frame's number in the clip, from 0"));
    schema.fields.push_back(plain_field("finished", FieldType::boolean,
                                        "set by the engine: a clip that plays once is at its end"));
    return schema;
}

Schema animation_event_schema() {
    Schema schema;
    schema.name = kAnimationEventName;
    schema.kind = ComponentKind::event;
    schema.doc = "An animation entered a frame with an event, or ended.";
    schema.fields.push_back(plain_field("entity", FieldType::entity, ""));
    schema.fields.push_back(plain_field("clip", FieldType::text, ""));
    schema.fields.push_back(plain_field("name", FieldType::text, "as the clip says, or \"end\""));
    schema.fields.push_back(plain_field("frame", FieldType::u16, "of the image"));
    return schema;
}

Schema emitter_schema() {
    Schema schema;
    schema.name = kEmitterName;
    schema.doc = "Emits particles at the entity's Position.";
    schema.fields.push_back(plain_field("preset", FieldType::text, "its name, as gfx.particles returns it"));
    schema.fields.push_back(number_field("rate", FieldType::f32, 1, "", "multiplies the preset's"));
    schema.fields.push_back(
        number_field("rotation", FieldType::f32, 0, "rad", "added to the preset's direction"));
    Field active = plain_field("active", FieldType::boolean, "false emits no more");
    active.default_value.data = true;
    schema.fields.push_back(std::move(active));
    return schema;
}

Schema text_schema() {
    Schema schema;
    schema.name = kTextName;
    schema.doc = "A text at the entity's Position.";
    schema.fields.push_back(plain_field("text", FieldType::text, ""));
    schema.fields.push_back(color_field(""));
    schema.fields.push_back(plain_field("font", FieldType::asset, "none: the default font"));
    schema.fields.push_back(number_field("size", FieldType::f32, 16, "px", "of the font"));
    schema.fields.push_back(number_field("width", FieldType::f32, 0, "px", "wraps lines; 0 does not"));
    schema.fields.push_back(
        number_field("origin_x", FieldType::f32, 0.5, "", "0 = left edge at Position, 1 = right"));
    schema.fields.push_back(
        number_field("origin_y", FieldType::f32, 0.5, "", "0 = top edge at Position, 1 = bottom"));
    schema.fields.push_back(
        number_field("reveal", FieldType::f32, -1, "characters", "that are shown; below 0: all"));
    schema.fields.push_back(number_field("outline", FieldType::f32, 0, "px", "around the letters"));
    schema.fields.push_back(number_field("shadow_x", FieldType::f32, 0, "px", "where the shadow is"));
    schema.fields.push_back(number_field("shadow_y", FieldType::f32, 0, "px", "0 and 0: there is none"));
    schema.fields.push_back(dark_field("outline_color", 255));
    schema.fields.push_back(dark_field("shadow_color", 160));
    add_layer_field(schema);
    schema.fields.push_back(label_field("align", kTextAlignNames, "of its lines"));
    add_blend_field(schema);
    schema.fields.push_back(
        plain_field("markup", FieldType::boolean, "{red}…{/} and {icon:name} mean colours and icons"));
    add_order_field(schema);
    return schema;
}

Schema trail_schema() {
    Schema schema;
    schema.name = kTrailName;
    schema.doc = "A ribbon behind the entity.";
    schema.fields.push_back(color_field("at the entity"));
    Field end_color =
        plain_field("end_color", FieldType::color, "alpha 0: fades out in the colour that it has");
    end_color.default_value.data = FieldValueList{{255.0}, {255.0}, {255.0}, {0.0}};
    schema.fields.push_back(std::move(end_color));
    schema.fields.push_back(number_field("width", FieldType::f32, 8, "px", "at the entity"));
    schema.fields.push_back(number_field("end_width", FieldType::f32, 0, "px", ""));
    schema.fields.push_back(number_field("length", FieldType::u16, 16, "steps", "at most 64"));
    add_layer_field(schema);
    add_blend_field(schema);
    add_order_field(schema);
    return schema;
}

Schema view_schema() {
    Schema schema;
    schema.name = kViewName;
    schema.doc = "A camera at the entity's Position, and where the screen shows what it sees.";
    schema.fields.push_back(plain_field("canvas", FieldType::text, "its name; \"\" is the screen"));
    schema.fields.push_back(
        plain_field("layers", FieldType::text, "which it shows, \"5 10..20\"; \"\" shows all"));
    Field background = plain_field("background", FieldType::color, "behind everything; alpha 0: none");
    background.default_value.data = FieldValueList{{0.0}, {0.0}, {0.0}, {0.0}};
    schema.fields.push_back(std::move(background));
    schema.fields.push_back(number_field("left", FieldType::f32, 0, "", "of the screen: 0 to 1"));
    schema.fields.push_back(number_field("top", FieldType::f32, 0, "", "of the screen: 0 to 1"));
    schema.fields.push_back(number_field("width", FieldType::f32, 1, "", "of the screen: 0 to 1"));
    schema.fields.push_back(number_field("height", FieldType::f32, 1, "", "of the screen: 0 to 1"));
    schema.fields.push_back(number_field("zoom", FieldType::f32, 1, "", "2 shows everything twice as large"));
    schema.fields.push_back(number_field("rotation", FieldType::f32, 0, "rad", "of the camera, clockwise"));
    schema.fields.push_back(number_field("order", FieldType::i16, 0, "", "a higher one covers a lower one"));
    return schema;
}

Schema follow_schema() {
    Schema schema;
    schema.name = kFollowName;
    schema.doc = "Moves a camera after another entity.";
    schema.fields.push_back(plain_field("target", FieldType::entity, "the entity to follow"));
    schema.fields.push_back(
        number_field("offset_x", FieldType::f32, 0, "px", "where it looks, from the target"));
    schema.fields.push_back(number_field("offset_y", FieldType::f32, 0, "px", ""));
    schema.fields.push_back(
        number_field("dead_width", FieldType::f32, 0, "px", "of the box in which the target moves freely"));
    schema.fields.push_back(number_field("dead_height", FieldType::f32, 0, "px", ""));
    schema.fields.push_back(number_field("lag", FieldType::f32, 0.15, "s",
                                         "until it has gone two thirds of the way; 0: at once"));
    schema.fields.push_back(
        number_field("bounds_left", FieldType::f32, 0, "px", "of the world: it shows nothing outside"));
    schema.fields.push_back(number_field("bounds_top", FieldType::f32, 0, "px", ""));
    schema.fields.push_back(
        number_field("bounds_right", FieldType::f32, 0, "px", "0 with a left of 0: none"));
    schema.fields.push_back(number_field("bounds_bottom", FieldType::f32, 0, "px", ""));
    schema.fields.push_back(plain_field("arrived", FieldType::boolean,
                                        "set by the engine; write false, and it jumps to its target"));
    return schema;
}

Schema shake_schema() {
    Schema schema;
    schema.name = kShakeName;
    schema.doc = "Shakes what a gfx.View shows.";
    schema.fields.push_back(number_field("trauma", FieldType::f32, 0, "", "0 to 1; add to it at each hit"));
    schema.fields.push_back(number_field("decay", FieldType::f32, 1.2, "1/s", "of the trauma"));
    schema.fields.push_back(number_field("distance", FieldType::f32, 24, "px", "of the screen, at most"));
    schema.fields.push_back(number_field("angle", FieldType::f32, 0.04, "rad", "at most"));
    schema.fields.push_back(number_field("frequency", FieldType::f32, 12, "1/s", "how fast it shakes"));
    return schema;
}

Schema light_schema() {
    Schema schema;
    schema.name = kLightName;
    schema.doc = "Brightens what is around the entity, if gfx.Lighting makes the world dark.";
    schema.fields.push_back(color_field(""));
    schema.fields.push_back(number_field("radius", FieldType::f32, 200, "px", "where it ends"));
    schema.fields.push_back(number_field("intensity", FieldType::f32, 1, "", "multiplies the colour"));
    schema.fields.push_back(number_field("softness", FieldType::f32, 0, "px",
                                         "of its source: how soft the edges of shadows are"));
    schema.fields.push_back(
        number_field("rotation", FieldType::f32, 0, "rad", "where a cone points, clockwise from the right"));
    schema.fields.push_back(number_field("cone", FieldType::f32, kFullTurn<double>, "rad", "of its opening"));
    Field shadows = plain_field("shadows", FieldType::boolean, "false: it shines through what casts shadows");
    shadows.default_value.data = true;
    schema.fields.push_back(std::move(shadows));
    return schema;
}

Schema shadow_caster_schema() {
    Schema schema;
    schema.name = kShadowCasterName;
    schema.doc = "Keeps light from what is behind it: a box around the entity's Position, or a disc.";
    schema.fields.push_back(number_field("width", FieldType::f32, 32, "px", "of the box"));
    schema.fields.push_back(number_field("height", FieldType::f32, 32, "px", "of the box"));
    schema.fields.push_back(number_field("radius", FieldType::f32, 0, "px", "above 0: a disc"));
    schema.fields.push_back(number_field("rotation", FieldType::f32, 0, "rad", "of the box, clockwise"));
    return schema;
}

Schema lighting_schema() {
    Schema schema;
    schema.name = kLightingName;
    schema.kind = ComponentKind::resource;
    schema.doc = "How dark the world is.";
    Field ambient = color_field("brightness and colour of unlit areas; white: there are no lights");
    ambient.name = "ambient";
    schema.fields.push_back(std::move(ambient));
    schema.fields.push_back(number_field("layer", FieldType::i16, 0, "", "the last one that is lit"));
    return schema;
}

Schema camera_schema(float screen_width, float screen_height) {
    Schema schema;
    schema.name = kCameraName;
    schema.kind = ComponentKind::resource;
    schema.doc = "What the picture shows.";
    schema.fields.push_back(
        number_field("x", FieldType::f32, screen_width / 2, "px", "world point in the middle"));
    schema.fields.push_back(
        number_field("y", FieldType::f32, screen_height / 2, "px", "world point in the middle"));
    schema.fields.push_back(number_field("zoom", FieldType::f32, 1, "", "2 shows everything twice as large"));
    schema.fields.push_back(number_field("rotation", FieldType::f32, 0, "rad", "of the camera, clockwise"));
    schema.fields.push_back(
        plain_field("y_sort", FieldType::boolean, "within a layer, lower on the screen is nearer"));
    return schema;
}

}  // namespace

Result<EngineComponents> declare_engine_components(World& world, float screen_width, float screen_height) {
    EngineComponents components;
    const std::pair<Schema, ComponentId*> all[] = {
        {sprite_schema(), &components.sprite},
        {shape_schema(), &components.shape},
        {animation_schema(), &components.animation},
        {animation_event_schema(), &components.animation_event},
        {emitter_schema(), &components.emitter},
        {text_schema(), &components.text},
        {trail_schema(), &components.trail},
        {view_schema(), &components.view},
        {follow_schema(), &components.follow},
        {shake_schema(), &components.shake},
        {light_schema(), &components.light},
        {shadow_caster_schema(), &components.shadow_caster},
        {lighting_schema(), &components.lighting},
        {camera_schema(screen_width, screen_height), &components.camera},
    };
    for (const auto& [schema, id] : all) {
        const Result<ComponentId> declared = world.declare(schema);
        if (!declared) return declared.error();
        *id = declared.value();
    }
    return components;
}

}  // namespace perigee
