// Written values read back, for every type; invalid values are refused and change nothing.
#include "ecs/schema/field_value.h"

#include "ecs/schema/blob_store.h"
#include "ecs/schema/registry.h"
#include "ecs/schema/schema.h"
#include "ecs/schema/text_pool.h"

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

// The stores for texts and blobs of the test rows: blobs 1 and 2 are of type Curve, 3 is of type Loot.
struct Stores {
    Stores() {
        for (const char* name : {"Curve", "Loot"}) {
            Schema schema;
            schema.name = name;
            schema.kind = ComponentKind::blob;
            schema.fields.push_back(field_of(FieldType::u8));
            types.push_back(registry.declare(schema).value());
        }
        constexpr std::byte kRows[] = {std::byte{1}, std::byte{2}};
        blobs.build(types[0], std::span(kRows).first(1)).value();
        blobs.build(types[0], std::span(kRows)).value();
        blobs.build(types[1], std::span(kRows)).value();
    }
    FieldContext context() { return {&texts, &blobs}; }
    TextPool texts;
    ComponentRegistry registry{&texts};
    BlobStore blobs{registry, texts};
    std::vector<ComponentId> types;
};

Stores& stores() {
    static Stores made;
    return made;
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
    Result<void> write(const FieldValue& value) {
        return write_field(schema.fields[0], value, row, stores().context());
    }
    std::string text() const { return text_from_value(read_field(schema.fields[0], row, &stores().texts)); }
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

TEST_CASE("random numbers written to every numeric type read back unchanged") {
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
        if (type != FieldType::string && type != FieldType::enumeration && type != FieldType::text)
            slot.refuses({std::string("no")},
                         type == FieldType::color ? "'no' is not a colour" : "got string");
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
    Slot turn(field_of(FieldType::quat));
    CHECK(turn.text() == "{x = 0, y = 0, z = 0, w = 1}");
    REQUIRE(turn.write({FieldValueMap{{"y", {1.0}}, {"w", {0.0}}}}).ok());
    CHECK(turn.text() == "{x = 0, y = 1, z = 0, w = 0}");
    turn.refuses({FieldValueList{{1.0}, {2.0}, {3.0}}}, "expected 4 values, got 3");
    turn.refuses({1.0}, "expected quat, got number");
    Slot matrix(field_of(FieldType::mat4));
    REQUIRE(matrix.write({FieldValueMap{{"wx", {7.0}}, {"yz", {3.0}}}}).ok());
    CHECK(matrix.text() ==
          "{xx = 1, xy = 0, xz = 0, xw = 0, yx = 0, yy = 1, yz = 3, yw = 0, "
          "zx = 0, zy = 0, zz = 1, zw = 0, wx = 7, wy = 0, wz = 0, ww = 1}");
    matrix.refuses({FieldValueList{{1.0}}}, "expected 16 values, got 1");
    matrix.refuses({FieldValueMap{{"m41", {1.0}}}}, "unknown member 'm41'");
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
    REQUIRE(color.write({std::string("#11223344")}).ok());
    CHECK(color.text() == "{r = 17, g = 34, b = 51, a = 68}");
    REQUIRE(color.write({std::string("white")}).ok());
    CHECK(color.text() == "{r = 255, g = 255, b = 255, a = 255}");
    color.refuses({std::string("wite")}, "'wite' is not a colour; did you mean 'white'?");
}

TEST_CASE("a string may fill its capacity exactly") {
    Slot slot(field_of(FieldType::string));
    REQUIRE(slot.write({std::string("12345678")}).ok());
    CHECK(slot.text() == "\"12345678\"");
    REQUIRE(slot.write({std::string("ab")}).ok());
    CHECK(slot.text() == "\"ab\"");
    slot.refuses({std::string("123456789")}, "expected at most 8 bytes of text, got 9");
}

TEST_CASE("a text of any length up to 64 KiB is interned, and a longer one is refused") {
    Slot slot(field_of(FieldType::text));
    CHECK(slot.text() == "\"\"");
    for (const std::string& text :
         {std::string("a"), std::string("with\0zero", 9), std::string(65536, 'x')}) {
        REQUIRE(slot.write({text}).ok());
        CHECK(slot.text() == "\"" + text + "\"");
    }
    slot.refuses({std::string(65537, 'x')}, "expected at most 65536 bytes of text, got 65537");
    slot.refuses({1.0}, "expected text, got number");
}

TEST_CASE("a full pool refuses a text and names its limit") {
    TextPool small(1 << 20);
    Slot slot(field_of(FieldType::text));
    Result<void> written;
    for (char c = 'a'; c <= 'z' && written; ++c)
        written = write_field(slot.schema.fields[0], {std::string(60000, c)}, slot.row, {&small});
    REQUIRE_FALSE(written.ok());
    CHECK_THAT(written.error().message, Contains("have used up their 1 MiB"));
}

TEST_CASE("[K8] a blob field takes blobs of this world and of its type only") {
    Field any = field_of(FieldType::blob), curve = any;
    curve.labels = {"Curve"};
    Slot of_any(any), of_curve(curve);
    for (const double handle : {1.0, 2.0, 3.0, 0.0}) {
        CHECK(of_any.write({handle}).ok());
        CHECK(of_any.text() == text_from_value({handle}));
    }
    CHECK(of_curve.write({2.0}).ok());
    of_curve.refuses({3.0}, "expected a blob of type 'Curve', got one of type 'Loot'");
    of_any.refuses({4.0}, "expected a blob of this world, got the handle 4 of none");
    of_any.refuses({0.5}, "");
    of_any.refuses({std::string("Curve")}, "expected blob, got string");
}

TEST_CASE("without a world a text is checked and its field stays as it was") {
    Slot slot(field_of(FieldType::text));
    const std::vector<std::byte> before = slot.row;
    CHECK(write_field(slot.schema.fields[0], {std::string("later")}, slot.row).ok());
    CHECK(slot.row == before);
    CHECK_FALSE(write_field(slot.schema.fields[0], {true}, slot.row).ok());
    CHECK_FALSE(write_field(Slot(field_of(FieldType::blob)).schema.fields[0], {1.0}, slot.row).ok());
    REQUIRE(slot.write({std::string("now")}).ok());
    CHECK(text_from_value(read_field(slot.schema.fields[0], slot.row)) != "\"now\"");
}

TEST_CASE("labels are checked, and the nearest one is suggested") {
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

TEST_CASE("arrays and structs are written completely or not at all") {
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

TEST_CASE("64-bit numbers keep every digit inside a range with exact bounds") {
    constexpr std::int64_t kBeyond = (std::int64_t{1} << 53) + 1;
    Field field = field_of(FieldType::i64);
    field.minimum = -0x1p53;
    Slot open(field);
    REQUIRE(open.write({kBeyond}).ok());
    CHECK(open.text() == "9007199254740993");
    REQUIRE(open.write({-kBeyond}).ok());  // one below the end, which as a double it would meet
    CHECK(open.text() == "-9007199254740992");
    field.maximum = 0x1p53;
    field.range_policy = RangePolicy::refuse;
    Slot strict(field);
    strict.refuses({kBeyond}, "got 9007199254740993");
    strict.refuses({-kBeyond}, "got -9007199254740993");
    strict.refuses({std::numeric_limits<std::uint64_t>::max()}, "got 18446744073709551615");
    REQUIRE(strict.write({kBeyond - 1}).ok());
    REQUIRE(strict.write({-kBeyond + 1}).ok());
    Field huge = field_of(FieldType::u64);
    huge.maximum = 0x1p70;
    huge.minimum = -0x1p70;
    Slot wide(huge);
    REQUIRE(wide.write({std::numeric_limits<std::uint64_t>::max()}).ok());
    CHECK(wide.text() == "18446744073709551615");
    wide.refuses({std::int64_t{-1}}, "u64 cannot hold -1");
}

TEST_CASE("a clamped value is inside the range") {
    Field field = field_of(FieldType::f32);
    field.minimum = 0.1;
    field.maximum = 0.7;
    for (const double number : {-5.0, 0.1, 0.3, 0.7, 5.0, 1e300}) {
        Slot slot(field);
        REQUIRE(slot.write({number}).ok());
        Field strict = slot.schema.fields[0];
        strict.range_policy = RangePolicy::refuse;
        CHECK(write_field(strict, read_field(strict, slot.row), slot.row).ok());
    }
    Field level = field_of(FieldType::i32);
    level.minimum = 0.5;
    level.maximum = 9.5;
    Slot slot(level);
    REQUIRE(slot.write({50.0}).ok());
    CHECK(slot.text() == "9");
    REQUIRE(slot.write({-50.0}).ok());
    CHECK(slot.text() == "1");
}

TEST_CASE("numbers out of range, fractions of colours and zero bytes are refused") {
    Slot(field_of(FieldType::f32)).refuses({1e300}, "f32 cannot hold 1e+300");
    Slot(field_of(FieldType::vec2)).refuses({FieldValueList{{1.0}, {-1e300}}}, "f32 cannot hold -1e+300");
    Slot(field_of(FieldType::color)).refuses({FieldValueList{{1.5}, {0.0}, {0.0}}}, "color cannot hold 1.5");
    Slot(field_of(FieldType::color)).refuses({0.5}, "color cannot hold 0.5");
    Slot(field_of(FieldType::string))
        .refuses({std::string("a\0b", 3)}, "expected text without zero bytes, got one at byte 2");
    Slot infinite(field_of(FieldType::f32));
    REQUIRE(infinite.write({std::numeric_limits<double>::infinity()}).ok());
    CHECK(infinite.text() == "inf");
}

TEST_CASE("every NaN is stored as the same bytes") {
    Slot first(field_of(FieldType::f32)), second(field_of(FieldType::f32));
    REQUIRE(first.write({std::nan("1")}).ok());
    REQUIRE(second.write({-std::nan("2")}).ok());
    CHECK(first.row == second.row);
}

TEST_CASE("an empty table is an empty list and an empty set of members") {
    for (const FieldValue& empty : {FieldValue{FieldValueList{}}, FieldValue{FieldValueMap{}}}) {
        for (const FieldType type :
             {FieldType::vec2, FieldType::vec4, FieldType::quat, FieldType::mat4, FieldType::color}) {
            Slot slot(field_of(type));
            REQUIRE(slot.write(empty).ok());
            CHECK(slot.row == slot.schema.defaults);
        }
        Slot flags(field_of(FieldType::flags));
        REQUIRE(flags.write({FieldValueList{{std::string("red")}}}).ok());
        REQUIRE(flags.write(empty).ok());
        CHECK(flags.text() == "{}");
        Field array = field_of(FieldType::u8);
        array.array_length = 2;
        CHECK(Slot(array).write(empty).ok());
        Field body = field_of(FieldType::structure);
        body.nested = {field_of(FieldType::u8)};
        CHECK(Slot(body).write(empty).ok());
        Slot(field_of(FieldType::f32)).refuses(empty, "expected f32");
    }
}

TEST_CASE("a message gives the path to the wrong part") {
    Field body = field_of(FieldType::structure);
    body.array_length = 3;
    body.nested = {field_of(FieldType::vec2), field_of(FieldType::color)};
    body.nested[0].name = "at";
    body.nested[1].name = "tint";
    Slot slots(body);
    const auto second = [](const char* name, FieldValue value) {
        return FieldValue{FieldValueList{{FieldValueMap{}}, {FieldValueMap{{name, std::move(value)}}}}};
    };
    slots.refuses(second("at", {FieldValueMap{{"y", {true}}}}),
                  "field 'value[2].at.y': expected f32, got boolean");
    slots.refuses(second("at", {1.0}), "field 'value[2].at': expected vec2, got number");
    slots.refuses(second("tint", {FieldValueMap{{"g", {256.0}}}}), "field 'value[2].tint.g'");
    slots.refuses(second("tins", {1.0}), "field 'value[2]': unknown member 'tins'; did you mean 'tint'?");
}

// A field of any type, with structs and arrays of structs down to `depth`.
Field random_field(std::mt19937_64& random, int depth) {
    auto type = static_cast<FieldType>(random() % kFieldTypeCount);
    if (type == FieldType::structure && depth == 0) type = FieldType::f64;
    Field field = field_of(type);
    if (random() % 3 == 0) field.array_length = static_cast<std::uint32_t>(1 + random() % 4);
    if (type == FieldType::structure) {
        for (std::size_t i = 0, count = 1 + random() % 4; i < count; ++i) {
            field.nested.push_back(random_field(random, depth - 1));
            field.nested.back().name = std::string(1, static_cast<char>('a' + i));
        }
    }
    return field;
}

FieldValue random_value(std::mt19937_64& random, const Field& field, bool is_element = false) {
    if (field.array_length != 0 && !is_element) {
        FieldValueList list;
        for (std::size_t i = 0; i < field.array_length; ++i)
            list.push_back(random_value(random, field, true));
        return {list};
    }
    const auto number = [&](double max) {
        return FieldValue{std::floor(static_cast<double>(random() % 1000) / 1000 * max)};
    };
    const auto label = [&] { return FieldValue{field.labels[random() % field.labels.size()]}; };
    switch (field.type) {
        case FieldType::boolean:
            return {random() % 2 == 0};
        case FieldType::i64:
            return {static_cast<std::int64_t>(random())};
        case FieldType::u64:
            return {random()};
        case FieldType::f32:
            return {
                static_cast<double>(static_cast<float>(std::normal_distribution<double>(0, 1e6)(random)))};
        case FieldType::f64:
            return {std::normal_distribution<double>(0, 1e6)(random)};
        case FieldType::vec2:
            return {FieldValueList{number(100), number(100)}};
        case FieldType::vec3:
            return {FieldValueList{number(100), number(100), number(100)}};
        case FieldType::vec4:
        case FieldType::quat:
            return {FieldValueList{number(100), number(100), number(100), number(100)}};
        case FieldType::mat4: {
            FieldValueList parts;
            while (parts.size() < 16) parts.push_back(number(100));
            return {parts};
        }
        case FieldType::color:
            return number(0x1p32);
        case FieldType::entity:
            return {static_cast<double>(random() >> 11)};
        case FieldType::blob:
            return {static_cast<double>(random() % 4)};
        case FieldType::string:
        case FieldType::text:
            return {std::string(random() % 9, static_cast<char>('a' + random() % 26))};
        case FieldType::enumeration:
            return label();
        case FieldType::flags:
            return {FieldValueList{label(), label()}};
        case FieldType::structure: {
            FieldValueMap members;
            for (const Field& inner : field.nested)
                members.emplace_back(inner.name, random_value(random, inner));
            return {members};
        }
        default:
            return number(127);
    }
}

// Replaces one leaf of the value with nil, which no type takes.
void spoil(std::mt19937_64& random, FieldValue& value) {
    if (auto* list = std::get_if<FieldValueList>(&value.data); list && !list->empty()) {
        spoil(random, (*list)[random() % list->size()]);
    } else if (auto* map = std::get_if<FieldValueMap>(&value.data); map && !map->empty()) {
        spoil(random, (*map)[random() % map->size()].second);
    } else {
        value = {};
    }
}

TEST_CASE("random values read back as values that give the same bytes in another row") {
    std::mt19937_64 random(11);
    for (int round = 0; round < 2000; ++round) {
        Slot slot(random_field(random, 3)), copy(slot.schema.fields[0]);
        REQUIRE(slot.write(random_value(random, slot.schema.fields[0])).ok());
        REQUIRE(copy.write(read_field(slot.schema.fields[0], slot.row, &stores().texts)).ok());
        REQUIRE(copy.row == slot.row);
        REQUIRE(copy.text() == slot.text());
    }
}

TEST_CASE("one wrong part in a value leaves the whole row unchanged") {
    std::mt19937_64 random(12);
    for (int round = 0; round < 2000; ++round) {
        Slot slot(random_field(random, 3));
        REQUIRE(slot.write(random_value(random, slot.schema.fields[0])).ok());
        FieldValue spoilt = random_value(random, slot.schema.fields[0]);
        spoil(random, spoilt);
        slot.refuses(spoilt, "got nil");
    }
}

}  // namespace
}  // namespace perigee
