// The structs compared with the schemas.
#include "engine/extract/components.h"

#include "ecs/schema/registry.h"
#include "ecs/schema/schema.h"
#include "ecs/storage/resource_store.h"
#include "ecs/world/world.h"

#include <catch2/catch.hpp>

#include <cstring>

using namespace perigee;

namespace {

// Offset and size that the schema gives a field.
std::pair<std::size_t, std::size_t> place_of(const Schema& schema, std::string_view name) {
    const Field* field = schema.field(name);
    REQUIRE(field != nullptr);
    return {field->offset, field->size};
}

// Rows have no padding at their end alone, so whole structs can be compared.
template <typename T> bool has_defaults_of(const Schema& schema, const T& value) {
    return schema.defaults.size() == sizeof(T) && std::memcmp(schema.defaults.data(), &value, sizeof(T)) == 0;
}

#define CHECK_PLACE(schema, Struct, member) \
    CHECK(place_of(schema, #member) == std::pair{offsetof(Struct, member), sizeof(Struct::member)})

}  // namespace

TEST_CASE("the C++ components have the layout and the defaults of their schemas") {
    World world;
    const Result<EngineComponents> ids = declare_engine_components(world, 320, 180);
    REQUIRE(ids);
    const Schema& sprite = world.registry().info(ids.value().sprite).schema;
    CHECK(sprite.fields.size() == 11);
    CHECK(sprite.size == sizeof(Sprite));
    CHECK_PLACE(sprite, Sprite, image);
    CHECK_PLACE(sprite, Sprite, color);
    CHECK_PLACE(sprite, Sprite, rotation);
    CHECK_PLACE(sprite, Sprite, scale_x);
    CHECK_PLACE(sprite, Sprite, scale_y);
    CHECK_PLACE(sprite, Sprite, origin_x);
    CHECK_PLACE(sprite, Sprite, origin_y);
    CHECK_PLACE(sprite, Sprite, frame);
    CHECK_PLACE(sprite, Sprite, layer);
    CHECK_PLACE(sprite, Sprite, blend);
    CHECK_PLACE(sprite, Sprite, order);
    CHECK(sizeof(Sprite) == 36);  // in what was padding
    Sprite made;
    std::memcpy(&made, sprite.defaults.data(), sizeof made);
    CHECK(made.color == Color{});
    CHECK(made.scale_x == 1);
    CHECK(made.origin_y == 0.5F);

    const Schema& shape = world.registry().info(ids.value().shape).schema;
    CHECK(shape.fields.size() == 14);
    CHECK(shape.size == sizeof(Shape));
    CHECK_PLACE(shape, Shape, color);
    CHECK_PLACE(shape, Shape, width);
    CHECK_PLACE(shape, Shape, height);
    CHECK_PLACE(shape, Shape, rotation);
    CHECK_PLACE(shape, Shape, origin_x);
    CHECK_PLACE(shape, Shape, origin_y);
    CHECK_PLACE(shape, Shape, stroke);
    CHECK_PLACE(shape, Shape, corners);
    CHECK_PLACE(shape, Shape, from);
    CHECK_PLACE(shape, Shape, to);
    CHECK_PLACE(shape, Shape, layer);
    CHECK_PLACE(shape, Shape, kind);
    CHECK_PLACE(shape, Shape, blend);
    CHECK_PLACE(shape, Shape, order);
    static const Shape kDefaultShape;  // with zeros after its last field
    CHECK(has_defaults_of(shape, kDefaultShape));

    const Schema& animation = world.registry().info(ids.value().animation).schema;
    CHECK(animation.fields.size() == 6);
    CHECK(animation.size == sizeof(Animation));
    CHECK_PLACE(animation, Animation, clip);
    CHECK_PLACE(animation, Animation, speed);
    CHECK_PLACE(animation, Animation, time);
    CHECK_PLACE(animation, Animation, playing);
    CHECK_PLACE(animation, Animation, position);
    CHECK_PLACE(animation, Animation, finished);
    const Schema& event = world.registry().info(ids.value().animation_event).schema;
    CHECK(event.fields.size() == 4);
    CHECK(event.size == sizeof(AnimationEvent));
    CHECK_PLACE(event, AnimationEvent, entity);
    CHECK_PLACE(event, AnimationEvent, clip);
    CHECK_PLACE(event, AnimationEvent, name);
    CHECK_PLACE(event, AnimationEvent, frame);

    const Schema& emitter = world.registry().info(ids.value().emitter).schema;
    CHECK(emitter.fields.size() == 4);
    CHECK(emitter.size == sizeof(Emitter));
    CHECK_PLACE(emitter, Emitter, preset);
    CHECK_PLACE(emitter, Emitter, rate);
    CHECK_PLACE(emitter, Emitter, rotation);
    CHECK_PLACE(emitter, Emitter, active);
    const Schema& text = world.registry().info(ids.value().text).schema;
    CHECK(text.fields.size() == 18);
    CHECK(text.size == sizeof(Text));
    CHECK_PLACE(text, Text, text);
    CHECK_PLACE(text, Text, color);
    CHECK_PLACE(text, Text, size);
    CHECK_PLACE(text, Text, width);
    CHECK_PLACE(text, Text, origin_x);
    CHECK_PLACE(text, Text, origin_y);
    CHECK_PLACE(text, Text, layer);
    CHECK_PLACE(text, Text, align);
    CHECK_PLACE(text, Text, blend);
    CHECK_PLACE(text, Text, font);
    CHECK_PLACE(text, Text, reveal);
    CHECK_PLACE(text, Text, outline);
    CHECK_PLACE(text, Text, shadow_x);
    CHECK_PLACE(text, Text, shadow_y);
    CHECK_PLACE(text, Text, outline_color);
    CHECK_PLACE(text, Text, shadow_color);
    CHECK_PLACE(text, Text, markup);
    CHECK_PLACE(text, Text, order);
    static const Text kDefaultText;  // with zeros after its last field
    CHECK(has_defaults_of(text, kDefaultText));

    const Schema& trail = world.registry().info(ids.value().trail).schema;
    CHECK(trail.fields.size() == 8);
    CHECK(trail.size == sizeof(Trail));
    CHECK_PLACE(trail, Trail, color);
    CHECK_PLACE(trail, Trail, end_color);
    CHECK_PLACE(trail, Trail, width);
    CHECK_PLACE(trail, Trail, end_width);
    CHECK_PLACE(trail, Trail, length);
    CHECK_PLACE(trail, Trail, layer);
    CHECK_PLACE(trail, Trail, blend);
    CHECK_PLACE(trail, Trail, order);

    const Schema& view = world.registry().info(ids.value().view).schema;
    CHECK(view.fields.size() == 10);
    CHECK(view.size == sizeof(CameraView));
    CHECK_PLACE(view, CameraView, canvas);
    CHECK_PLACE(view, CameraView, layers);
    CHECK_PLACE(view, CameraView, background);
    CHECK_PLACE(view, CameraView, left);
    CHECK_PLACE(view, CameraView, top);
    CHECK_PLACE(view, CameraView, width);
    CHECK_PLACE(view, CameraView, height);
    CHECK_PLACE(view, CameraView, zoom);
    CHECK_PLACE(view, CameraView, rotation);
    CHECK_PLACE(view, CameraView, order);
    CHECK(has_defaults_of(view, CameraView{}));

    const Schema& follow = world.registry().info(ids.value().follow).schema;
    CHECK(follow.fields.size() == 11);
    CHECK(follow.size == sizeof(Follow));
    CHECK_PLACE(follow, Follow, target);
    CHECK_PLACE(follow, Follow, offset_x);
    CHECK_PLACE(follow, Follow, offset_y);
    CHECK_PLACE(follow, Follow, dead_width);
    CHECK_PLACE(follow, Follow, dead_height);
    CHECK_PLACE(follow, Follow, lag);
    CHECK_PLACE(follow, Follow, bounds_left);
    CHECK_PLACE(follow, Follow, bounds_top);
    CHECK_PLACE(follow, Follow, bounds_right);
    CHECK_PLACE(follow, Follow, bounds_bottom);
    CHECK_PLACE(follow, Follow, arrived);

    const Schema& shake = world.registry().info(ids.value().shake).schema;
    CHECK(shake.fields.size() == 5);
    CHECK(shake.size == sizeof(Shake));
    CHECK_PLACE(shake, Shake, trauma);
    CHECK_PLACE(shake, Shake, decay);
    CHECK_PLACE(shake, Shake, distance);
    CHECK_PLACE(shake, Shake, angle);
    CHECK_PLACE(shake, Shake, frequency);
    CHECK(has_defaults_of(shake, Shake{}));

    const Schema& camera = world.registry().info(ids.value().camera).schema;
    CHECK(camera.fields.size() == 5);
    CHECK(camera.size == sizeof(Camera));
    CHECK_PLACE(camera, Camera, x);
    CHECK_PLACE(camera, Camera, y);
    CHECK_PLACE(camera, Camera, zoom);
    CHECK_PLACE(camera, Camera, rotation);
    CHECK_PLACE(camera, Camera, y_sort);
    Camera value;
    std::memcpy(&value, world.resources().data(ids.value().camera), sizeof value);
    CHECK(value.x == 160);
    CHECK(value.y == 90);
    CHECK(value.zoom == 1);
}

TEST_CASE("a type of the same name and another shape is an error") {
    World world;
    Schema other;
    other.name = kSpriteName;
    other.kind = ComponentKind::tag;
    REQUIRE(world.declare(other));
    CHECK_FALSE(declare_engine_components(world, 320, 180));
}
