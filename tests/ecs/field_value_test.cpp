// What is written is read back, for every type; what does not fit is refused and changes nothing.
#include "ecs/field_value.h"

#include "ecs/schema.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

namespace perigee {
namespace {

using Catch::Matchers::Contains;

Field field_of(FieldType type) {
    Field field;
    field.name = "value";
    field.type = type;
    if (type == FieldType::string) field.string_capacity = 8;
    if (type == FieldType::enumeration || type == FieldType::flags) field.labels = {"red", "green", "blue"};
    return field;
}

// One field laid out in a schema of its own, with a row.
struct Slot {
    explicit Slot(Field declared) {
        schema.name = "Test";
        schema.fields.push_back(std::move(declared));
        const std::vector<std::string> mistakes = layout_schema(schema);
        REQUIRE(mistakes.empty());
        row = schema.defaults;
    }
    Result<void> write(const FieldValue& value) { return write_field(schema.fields[0], value, row); }
    std::string text() const { return text_from_value(read_field(schema.fields[0], row)); }
    void refuses(const FieldValue& value, const std::string& part) {
        const std::vector<std::byte> before = row;
        const Result<void> written = write(value);
        REQUIRE_FALSE(written.ok());
        CHECK_THAT(written.error().message, Contains("value") && Contains(part));
        CHECK(row == before);
    }
    Schema schema;
    std::vector<std::byte> row;
};

TEST_CASE("random numbers survive the way into every numeric type and back") {
    std::mt19937_64 random(3);
    const auto check = [&](FieldType type, auto sample) {
        Slot slot(field_of(type));
        for (int i = 0; i < 500; ++i) {
            const double number = sample();
            REQUIRE(slot.write({number}).ok());
            REQUIRE(slot.text() == text_from_value({number}));
        }
    };
    const auto whole = [&](double low, double high) {
        return [&random, low, high] {
            return std::floor(std::uniform_real_distribution<double>(low, high)(random));
        };
    };
    check(FieldType::i8, whole(-128, 128));
    check(FieldType::u8, whole(0, 256));
    check(FieldType::i16, whole(-32768, 32768));
    check(FieldType::u16, whole(0, 65536));
    check(FieldType::i32, whole(-2147483648.0, 2147483648.0));
    check(FieldType::u32, whole(0, 4294967296.0));
    check(FieldType::asset, whole(0, 4294967296.0));
    check(FieldType::f64, [&] { return std::uniform_real_distribution<double>(-1e6, 1e6)(random); });
    check(FieldType::f32, [&] { return static_cast<double>(static_cast<float>(random() % 1000) / 8); });
}

TEST_CASE("64-bit numbers beyond 2^53 keep every digit") {
    Slot signed_slot(field_of(FieldType::i64)), unsigned_slot(field_of(FieldType::u64));
    REQUIRE(signed_slot.write({std::numeric_limits<std::int64_t>::min()}).ok());
    CHECK(signed_slot.text() == "-9223372036854775808");
    REQUIRE(unsigned_slot.write({std::numeric_limits<std::uint64_t>::max()}).ok());
    CHECK(unsigned_slot.text() == "18446744073709551615");
    unsigned_slot.refuses({std::int64_t{-1}}, "u64");
    signed_slot.refuses({9223372036854775808.0}, "i64");
    unsigned_slot.refuses({18446744073709551616.0}, "u64");
}

TEST_CASE("numbers that a type cannot hold are refused") {
    Slot(field_of(FieldType::u8)).refuses({256.0}, "u8 cannot hold 256");
    Slot(field_of(FieldType::i8)).refuses({-129.0}, "i8");
    Slot(field_of(FieldType::i32)).refuses({1.5}, "1.5");
    Slot(field_of(FieldType::u32)).refuses({std::nan("")}, "u32");
    Slot(field_of(FieldType::u32)).refuses({std::numeric_limits<double>::infinity()}, "u32");
    Slot(field_of(FieldType::entity)).refuses({0.5}, "entity");
    Slot(field_of(FieldType::entity)).refuses({-1.0}, "entity");
}

TEST_CASE("values of the wrong kind are refused by every type") {
    for (std::size_t i = 0; i < kFieldTypeCount; ++i) {
        const auto type = static_cast<FieldType>(i);
        if (type == FieldType::structure) continue;
        Slot slot(field_of(type));
        if (type != FieldType::boolean) slot.refuses({true}, "got boolean");
        if (type != FieldType::string && type != FieldType::enumeration)
            slot.refuses({std::string("no")}, "got string");
        slot.refuses({}, "got nil");
    }
}

TEST_CASE("a range is clamped or refused, as the schema says") {
    Field field = field_of(FieldType::f32);
    field.minimum = -1;
    field.maximum = 10;
    Slot clamped(field);
    REQUIRE(clamped.write({50.0}).ok());
    CHECK(clamped.text() == "10");
    REQUIRE(clamped.write({-50.0}).ok());
    CHECK(clamped.text() == "-1");
    clamped.refuses({std::nan("")}, "expected -1 to 10, got nan");
    field.range_policy = RangePolicy::refuse;
    Slot strict(field);
    strict.refuses({10.5}, "expected -1 to 10, got 10.5");
    REQUIRE(strict.write({10.0}).ok());
}

TEST_CASE("vectors and colours take lists, names and, for colours, one number") {
    Slot vec(field_of(FieldType::vec3));
    REQUIRE(vec.write({FieldValueList{{1.0}, {2.0}, {3.0}}}).ok());
    REQUIRE(vec.write({FieldValueMap{{"y", {5.0}}}}).ok());
    CHECK(vec.text() == "{x = 1, y = 5, z = 3}");
    vec.refuses({FieldValueList{{1.0}, {2.0}}}, "expected 3 values, got 2");
    vec.refuses({FieldValueMap{{"x", {9.0}}, {"w", {1.0}}}}, "unknown member 'w'");
    Slot color(field_of(FieldType::color));
    REQUIRE(color.write({static_cast<double>(0x11223380u)}).ok());
    CHECK(color.text() == "{r = 17, g = 34, b = 51, a = 128}");
    REQUIRE(color.write({FieldValueList{{1.0}, {2.0}, {3.0}}}).ok());
    CHECK(color.text() == "{r = 1, g = 2, b = 3, a = 255}");
    REQUIRE(color.write({FieldValueMap{{"a", {0.0}}}}).ok());
    CHECK(color.text() == "{r = 1, g = 2, b = 3, a = 0}");
    color.refuses({FieldValueList{{1.0}, {2.0}, {256.0}}}, "color");
    color.refuses({-1.0}, "color");
    color.refuses({FieldValueList{{1.0}}}, "expected 4 values, got 1");
    color.refuses({FieldValueMap{{"g", {300.0}}}}, "color");
    color.refuses({FieldValueMap{{"red", {3.0}}}}, "unknown member 'red'");
}

TEST_CASE("text fills its capacity exactly and no further") {
    Slot slot(field_of(FieldType::string));
    REQUIRE(slot.write({std::string("12345678")}).ok());
    CHECK(slot.text() == "\"12345678\"");
    REQUIRE(slot.write({std::string("ab")}).ok());
    CHECK(slot.text() == "\"ab\"");
    slot.refuses({std::string("123456789")}, "expected at most 8 bytes of text, got 9");
}

TEST_CASE("labels are checked and a near miss is suggested") {
    Slot choice(field_of(FieldType::enumeration));
    REQUIRE(choice.write({std::string("blue")}).ok());
    CHECK(choice.text() == "\"blue\"");
    choice.refuses({std::string("gren")}, "did you mean 'green'");
    Slot set(field_of(FieldType::flags));
    REQUIRE(set.write({FieldValueList{{std::string("blue")}, {std::string("red")}}}).ok());
    CHECK(set.text() == "{\"red\", \"blue\"}");
    set.refuses({FieldValueList{{std::string("blu")}}}, "did you mean 'blue'");
    set.refuses({FieldValueList{{1.0}}}, "expected a label, got number");
}

TEST_CASE("arrays and structs are written whole or not at all") {
    Field field = field_of(FieldType::u8);
    field.array_length = 3;
    Slot array(field);
    REQUIRE(array.write({FieldValueList{{1.0}, {2.0}}}).ok());
    CHECK(array.text() == "{1, 2, 0}");
    array.refuses({FieldValueList{{7.0}, {8.0}, {900.0}}}, "u8");
    array.refuses({FieldValueList{{1.0}, {2.0}, {3.0}, {4.0}}}, "expected 3 values, got 4");
    array.refuses({1.0}, "expected a list");

    Field body;
    body.name = "value";
    body.type = FieldType::structure;
    body.nested = {field_of(FieldType::f32), field_of(FieldType::u8)};
    body.nested[0].name = "speed";
    body.nested[1].name = "level";
    Slot record(body);
    REQUIRE(record.write({FieldValueMap{{"level", {3.0}}, {"speed", {1.5}}}}).ok());
    CHECK(record.text() == "{speed = 1.5, level = 3}");
    const std::vector<std::byte> before = record.row;
    CHECK_FALSE(record.write({FieldValueMap{{"speed", {2.0}}, {"level", {300.0}}}}).ok());
    CHECK(record.row == before);
    record.refuses({FieldValueMap{{"sped", {2.0}}}}, "did you mean 'speed'");
    record.refuses({2.0}, "expected struct, got number");
}

}  // namespace
}  // namespace perigee
