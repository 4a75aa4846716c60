// A C++ struct is bound only if each field has the same name, type and offset.
#include "ecs/schema/bind.h"

#include "ecs/schema/schema.h"

#include <catch2/catch.hpp>

#include <array>
#include <cstring>

namespace perigee {
namespace {

using Catch::Matchers::Contains;

struct Body {
    float speed;
    Vec2 at;
    Color tint;
    Entity target;
    std::array<std::uint16_t, 3> counts;
    std::array<char, 6> name;
    std::uint8_t mode;
};

BoundType bound_body() {
    return BoundType{sizeof(Body),
                     alignof(Body),
                     {field("speed", &Body::speed), field("at", &Body::at), field("tint", &Body::tint),
                      field("target", &Body::target), field("counts", &Body::counts),
                      field("name", &Body::name), field("mode", &Body::mode)}};
}

Schema body_schema() {
    Schema schema = schema_from_type("Body", bound_body());
    REQUIRE(layout_schema(schema).empty());
    return schema;
}

TEST_CASE("the schema of a struct describes every member, and the struct binds to it") {
    const Schema schema = body_schema();
    CHECK(schema.size == sizeof(Body));
    CHECK(schema.field("at")->type == FieldType::vec2);
    CHECK(schema.field("counts")->array_length == 3);
    CHECK(schema.field("name")->string_capacity == 6);
    CHECK(check_binding(schema, bound_body()).ok());
}

TEST_CASE("enums, flags and assets bind to unsigned numbers of their size") {
    Schema schema = body_schema();
    schema.fields[6].type = FieldType::enumeration;
    schema.fields[6].labels = {"idle", "fly"};
    REQUIRE(layout_schema(schema).empty());
    CHECK(check_binding(schema, bound_body()).ok());
    schema.fields[6].type = FieldType::flags;
    for (int i = 0; i < 10; ++i) schema.fields[6].labels.push_back("l" + std::to_string(i));
    REQUIRE(layout_schema(schema).empty());
    CHECK_FALSE(check_binding(schema, bound_body()).ok());
}

TEST_CASE("each kind of difference is named, and both layouts are printed") {
    const auto reason = [](const auto& change) {
        Schema schema = body_schema();
        BoundType type = bound_body();
        change(schema, type);
        static_cast<void>(layout_schema(schema));
        const Result<void> result = check_binding(schema, type);
        REQUIRE_FALSE(result.ok());
        CHECK_THAT(result.error().message, Contains("schema:") && Contains("struct:") && Contains("'Body'"));
        return result.error().message;
    };
    CHECK_THAT(reason([](Schema&, BoundType& type) { type.fields.pop_back(); }),
               Contains("does not name field 'mode'"));
    CHECK_THAT(reason([](Schema& schema, BoundType&) { schema.fields.pop_back(); }),
               Contains("has no field 'mode'"));
    CHECK_THAT(reason([](Schema& schema, BoundType&) { schema.fields[0].type = FieldType::i32; }),
               Contains("'speed' is i32 in the schema and f32 in the struct"));
    CHECK_THAT(reason([](Schema& schema, BoundType&) { std::swap(schema.fields[0], schema.fields[3]); }),
               Contains("offset"));
    CHECK_THAT(reason([](Schema& schema, BoundType&) { schema.fields[4].array_length = 2; }),
               Contains("2 elements in the schema and 3"));
    CHECK_THAT(reason([](Schema& schema, BoundType&) { schema.fields[5].string_capacity = 5; }),
               Contains("with 5 bytes in the schema") && Contains("with 6 in the struct"));
    CHECK_THAT(reason([](Schema&, BoundType& type) { type.fields.push_back(type.fields[0]); }),
               Contains("names field 'speed' twice"));
    CHECK_THAT(reason([](Schema&, BoundType& type) { type.alignment = 16; }),
               Contains("aligned to 8 bytes, the struct to 16"));
    CHECK_THAT(reason([](Schema&, BoundType& type) { type.size += 8; }), Contains("bytes, the struct"));
}

TEST_CASE("every C++ member type has the field type of its size") {
    const auto check = [](auto member, FieldType type) {
        struct One {
            decltype(member) value;
        };
        const BoundField bound = field("value", &One::value);
        CHECK(bound.type == type);
        CHECK(bound.size == sizeof member);
        Schema schema = schema_from_type("One", BoundType{sizeof(One), alignof(One), {bound}});
        REQUIRE(layout_schema(schema).empty());
        CHECK(check_binding(schema, BoundType{sizeof(One), alignof(One), {bound}}).ok());
    };
    enum class Mode : std::uint8_t { idle, fly };
    check(true, FieldType::boolean);
    check(std::int8_t{}, FieldType::i8);
    check(std::uint8_t{}, FieldType::u8);
    check(std::int16_t{}, FieldType::i16);
    check(std::uint16_t{}, FieldType::u16);
    check(std::int32_t{}, FieldType::i32);
    check(std::uint32_t{}, FieldType::u32);
    check(std::int64_t{}, FieldType::i64);
    check(std::uint64_t{}, FieldType::u64);
    check(float{}, FieldType::f32);
    check(double{}, FieldType::f64);
    check(Vec2{}, FieldType::vec2);
    check(Vec3{}, FieldType::vec3);
    check(Vec4{}, FieldType::vec4);
    check(Color{}, FieldType::color);
    check(Quat{}, FieldType::quat);
    check(Mat4{}, FieldType::mat4);
    check(Entity{}, FieldType::entity);
    check(Mode::fly, FieldType::u8);
    check(std::array<char, 7>{}, FieldType::string);
    check(std::array<std::array<char, 7>, 3>{}, FieldType::string);
    check(std::array<Vec3, 2>{}, FieldType::vec3);
}

TEST_CASE("a declared struct has its own defaults, also where they differ from the identity") {
    struct Arm {
        Quat turn, none{0, 0, 0, 0};
        Mat4 place;
    };
    Schema schema = schema_from_type(
        "Arm",
        bound_type<Arm>(field("turn", &Arm::turn), field("none", &Arm::none), field("place", &Arm::place)));
    REQUIRE(layout_schema(schema).empty());
    const Arm fresh;
    REQUIRE(schema.size == sizeof fresh);
    CHECK(std::memcmp(schema.defaults.data(), &fresh, sizeof fresh) == 0);
}

TEST_CASE("an enum class binds to an enum field") {
    enum class Mode : std::uint8_t { idle, fly };
    struct Ship {
        Mode mode;
    };
    Schema schema;
    schema.name = "Ship";
    schema.fields.resize(1);
    schema.fields[0].name = "mode";
    schema.fields[0].type = FieldType::enumeration;
    schema.fields[0].labels = {"idle", "fly"};
    REQUIRE(layout_schema(schema).empty());
    CHECK(check_binding(schema, BoundType{1, 1, {field("mode", &Ship::mode)}}).ok());
}

TEST_CASE("an empty struct is a tag") {
    const Schema schema = schema_from_type("Frozen", BoundType{0, 1, {}});
    CHECK(schema.kind == ComponentKind::tag);
}

TEST_CASE("each type has its own number") {
    CHECK(type_number<int>() == type_number<int>());
    CHECK(type_number<int>() != type_number<Body>());
}

}  // namespace
}  // namespace perigee
