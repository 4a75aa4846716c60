// Every field type has one name, and is found by it.
#include "ecs/schema/field_type.h"

#include <catch2/catch.hpp>

#include <set>

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
    for (const char* name : {"vec2", "vec3", "vec4", "quat", "mat4", "color", "string", "struct"}) {
        CHECK_FALSE(is_scalar(*field_type_from_name(name)));
    }
}

TEST_CASE("a compound type has a name for each of its parts") {
    for (std::size_t i = 0; i < kFieldTypeCount; ++i) {
        const auto type = static_cast<FieldType>(i);
        const auto names = part_names(type);
        if (names.empty()) {
            CHECK((is_scalar(type) || type == FieldType::string || type == FieldType::structure));
        } else {
            CHECK(field_type_info(type).size == names.size() * (type == FieldType::color ? 1 : 4));
            CHECK(std::set(names.begin(), names.end()).size() == names.size());
        }
    }
    CHECK(part_names(FieldType::quat)[3] == "w");
    CHECK(part_names(FieldType::mat4)[12] == "wx");
}

}  // namespace
}  // namespace perigee
