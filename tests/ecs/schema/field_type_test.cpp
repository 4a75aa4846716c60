// Every field type has one name, and is found by it.
#include "ecs/schema/field_type.h"

#include <catch2/catch.hpp>

namespace perigee {
namespace {

TEST_CASE("every field type is found by its name, and no other word is a type") {
    for (std::size_t i = 0; i < kFieldTypeCount; ++i) {
        const auto type = static_cast<FieldType>(i);
        CHECK(field_type_info(type).type == type);
        CHECK(field_type_from_name(field_type_info(type).name) == type);
    }
    CHECK_FALSE(field_type_from_name("float").has_value());
    CHECK_FALSE(field_type_from_name("").has_value());
}

TEST_CASE("scalars are the types stored as one machine number") {
    for (const char* name :
         {"bool", "i8", "u64", "f32", "f64", "entity", "enum", "flags", "asset", "text", "blob"}) {
        CHECK(is_scalar(*field_type_from_name(name)));
    }
    for (const char* name : {"vec2", "vec3", "vec4", "color", "string", "struct"}) {
        CHECK_FALSE(is_scalar(*field_type_from_name(name)));
    }
}

}  // namespace
}  // namespace perigee
