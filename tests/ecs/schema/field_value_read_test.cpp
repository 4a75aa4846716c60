// Any bytes of a row read as a value, and a value prints as text.
#include "ecs/schema/field_value.h"
#include "ecs/schema/schema.h"

#include <catch2/catch.hpp>

#include <limits>

namespace perigee {
namespace {

TEST_CASE("every kind of value has a kind name and a text form") {
    const auto check = [](const FieldValue& value, std::string_view word, const std::string& text) {
        CHECK(kind_name(value) == word);
        CHECK(text_from_value(value) == text);
    };
    check({}, "nil", "nil");
    check({true}, "boolean", "true");
    check({false}, "boolean", "false");
    check({1.5}, "number", "1.5");
    check({std::numeric_limits<std::int64_t>::min()}, "number", "-9223372036854775808");
    check({std::numeric_limits<std::uint64_t>::max()}, "number", "18446744073709551615");
    check({std::string("hi")}, "string", "\"hi\"");
    check({FieldValueList{}}, "list", "{}");
    check({FieldValueList{{1.0}, {FieldValueList{{2.0}}}}}, "list", "{1, {2}}");
    check({FieldValueMap{{"x", {1.0}}, {"y", {std::string("a")}}}}, "table", "{x = 1, y = \"a\"}");
    CHECK_FALSE(FieldValue{}.is_set());
    CHECK(FieldValue{false}.is_set());
}

TEST_CASE("bytes that no write would produce can still be read") {
    Schema schema;
    schema.name = "Odd";
    schema.fields.resize(3);
    schema.fields[0].name = "mode";
    schema.fields[0].type = FieldType::enumeration;
    schema.fields[0].labels = {"a", "b"};
    schema.fields[1].name = "set";
    schema.fields[1].type = FieldType::flags;
    schema.fields[1].labels = {"a", "b"};
    schema.fields[2].name = "on";
    schema.fields[2].type = FieldType::boolean;
    REQUIRE(layout_schema(schema).empty());
    const std::vector<std::byte> row(schema.size, std::byte{0xFF});
    CHECK(text_from_value(read_field(schema.fields[0], row)) == "255");
    CHECK(text_from_value(read_field(schema.fields[1], row)) == "{\"a\", \"b\"}");
    CHECK(text_from_value(read_field(schema.fields[2], row)) == "true");
}

TEST_CASE("enums and flags read at every width") {
    Schema schema;
    schema.name = "Wide";
    schema.fields.resize(4);
    const std::size_t counts[] = {257, 9, 17, 32};
    for (std::size_t i = 0; i < 4; ++i) {
        Field& field = schema.fields[i];
        field.name = std::string(1, static_cast<char>('a' + i));
        field.type = i == 0 ? FieldType::enumeration : FieldType::flags;
        for (std::size_t label = 0; label < counts[i]; ++label)
            field.labels.push_back("l" + std::to_string(label));
    }
    REQUIRE(layout_schema(schema).empty());
    CHECK(schema.fields[0].size == 2);
    CHECK(schema.fields[1].size == 2);
    CHECK(schema.fields[2].size == 4);
    std::vector<std::byte> row = schema.defaults;
    for (const Field& field : schema.fields) {
        const FieldValue last{field.labels.back()};
        const FieldValue value = field.type == FieldType::flags ? FieldValue{FieldValueList{last}} : last;
        REQUIRE(write_field(field, value, row).ok());
        CHECK(text_from_value(read_field(field, row)) == text_from_value(value));
    }
}

}  // namespace
}  // namespace perigee
