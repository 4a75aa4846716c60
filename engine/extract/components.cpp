// The two schemas, field by field, with the words that tools show.
#include "engine/extract/components.h"

#include "ecs/schema/schema.h"
#include "ecs/world/world.h"
#include "engine/draw/draw_item.h"

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

Schema sprite_schema() {
    Schema schema;
    schema.name = kSpriteName;
    schema.doc = "A picture at the entity's Position.";
    schema.fields.push_back(plain_field("image", FieldType::asset, "PNG file; none draws nothing"));
    Field color = plain_field("color", FieldType::color, "multiplies the image");
    color.default_value.data = FieldValueList{{255.0}, {255.0}, {255.0}, {255.0}};
    schema.fields.push_back(std::move(color));
    schema.fields.push_back(number_field("rotation", FieldType::f32, 0, "rad", "clockwise"));
    schema.fields.push_back(number_field("scale_x", FieldType::f32, 1, "", "negative flips"));
    schema.fields.push_back(number_field("scale_y", FieldType::f32, 1, "", "negative flips"));
    schema.fields.push_back(
        number_field("origin_x", FieldType::f32, 0.5, "", "0 = left edge at Position, 1 = right"));
    schema.fields.push_back(
        number_field("origin_y", FieldType::f32, 0.5, "", "0 = top edge at Position, 1 = bottom"));
    schema.fields.push_back(number_field("frame", FieldType::u16, 0, "", "of the image's sheet, from 0"));
    schema.fields.push_back(number_field("layer", FieldType::i16, 0, "", "higher is nearer"));
    Field blend = plain_field("blend", FieldType::enumeration, "how it mixes with what is behind it");
    blend.labels.assign(kBlendNames.begin(), kBlendNames.end());
    schema.fields.push_back(std::move(blend));
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
    schema.fields.push_back(
        plain_field("y_sort", FieldType::boolean, "within a layer, lower on the screen is nearer"));
    return schema;
}

}  // namespace

Result<EngineComponents> declare_engine_components(World& world, float screen_width, float screen_height) {
    const Result<ComponentId> sprite = world.declare(sprite_schema());
    if (!sprite) return sprite.error();
    const Result<ComponentId> camera = world.declare(camera_schema(screen_width, screen_height));
    if (!camera) return camera.error();
    return EngineComponents{sprite.value(), camera.value()};
}

}  // namespace perigee
