// Layouts agree with the C++ compiler, and every mistake of a schema is reported.
#include "ecs/schema/schema.h"

#include "ecs/schema/text_pool.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <random>

namespace perigee {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::VectorContains;

Field make(std::string name, FieldType type, std::uint32_t array_length = 0) {
    Field field;
    field.name = std::move(name);
    field.type = type;
    field.array_length = array_length;
    if (type == FieldType::string) field.string_capacity = 5;
    if (type == FieldType::enumeration || type == FieldType::flags) field.labels = {"a", "b"};
    return field;
}

Schema make_schema(std::vector<Field> fields) {
    Schema schema;
    schema.name = "Test";
    schema.fields = std::move(fields);
    return schema;
}

TEST_CASE("a schema has the same layout as the compiler gives the struct") {
    struct Inner {
        std::uint8_t kind;
        float speed;
    };
    struct Mixed {
        std::uint8_t a;
        double b;
        std::uint16_t c;
        std::array<char, 5> text;
        Inner inner;
        std::array<std::uint16_t, 3> counts;
        std::uint64_t target;
        std::uint8_t last;
    };
    Field inner = make("inner", FieldType::structure);
    inner.nested = {make("kind", FieldType::u8), make("speed", FieldType::f32)};
    Schema schema =
        make_schema({make("a", FieldType::u8), make("b", FieldType::f64), make("c", FieldType::u16),
                     make("text", FieldType::string), inner, make("counts", FieldType::u16, 3),
                     make("target", FieldType::entity), make("last", FieldType::boolean)});
    REQUIRE(layout_schema(schema).empty());
    CHECK(schema.size == sizeof(Mixed));
    CHECK(schema.alignment == alignof(Mixed));
    CHECK(schema.field("b")->offset == offsetof(Mixed, b));
    CHECK(schema.field("c")->offset == offsetof(Mixed, c));
    CHECK(schema.field("text")->offset == offsetof(Mixed, text));
    CHECK(schema.field("inner")->offset == offsetof(Mixed, inner));
    CHECK(schema.field("inner")->nested[1].offset == offsetof(Inner, speed));
    CHECK(schema.field("counts")->offset == offsetof(Mixed, counts));
    CHECK(schema.field("target")->offset == offsetof(Mixed, target));
    CHECK(schema.field("last")->offset == offsetof(Mixed, last));
    CHECK(schema.field("nothing") == nullptr);
}

TEST_CASE("leaves of random schemas are aligned, inside the row, and never overlap") {
    std::mt19937 random(4);
    for (int round = 0; round < 500; ++round) {
        std::vector<Field> fields;
        for (std::size_t i = 0, count = 1 + random() % 8; i < count; ++i) {
            Field field = make("f" + std::to_string(i), static_cast<FieldType>(random() % kFieldTypeCount),
                               random() % 3);
            if (field.type == FieldType::structure) {
                field.nested = {make("p", static_cast<FieldType>(random() % 16)),
                                make("q", FieldType::u8, random() % 4)};
            }
            fields.push_back(field);
        }
        Schema schema = make_schema(fields);
        REQUIRE(layout_schema(schema).empty());
        std::vector<bool> used(schema.size, false);
        for (const Leaf& leaf : leaves_of(schema)) {
            REQUIRE(leaf.size > 0);
            REQUIRE(leaf.offset + leaf.size <= schema.size);
            if (leaf.type != FieldType::string) REQUIRE(leaf.offset % leaf.size == 0);
            for (std::uint32_t byte = leaf.offset; byte < leaf.offset + leaf.size; ++byte) {
                REQUIRE_FALSE(used[byte]);
                used[byte] = true;
            }
        }
        REQUIRE(schema.size % schema.alignment == 0);
    }
}

TEST_CASE("leaves have their path from the component") {
    Field slots = make("slots", FieldType::structure, 2);
    slots.nested = {make("at", FieldType::vec2), make("tint", FieldType::color)};
    Schema schema = make_schema({make("speed", FieldType::f32), slots});
    REQUIRE(layout_schema(schema).empty());
    std::vector<std::string> paths;
    for (const Leaf& leaf : leaves_of(schema)) paths.push_back(leaf.path);
    CHECK(paths.front() == "speed");
    CHECK(paths[1] == "slots[1].at.x");
    CHECK(paths.back() == "slots[2].tint.a");
    CHECK(paths.size() == 13);
}

TEST_CASE("[S4] the default row holds the declared defaults, zero elsewhere") {
    Field inner = make("inner", FieldType::structure, 2);
    inner.nested = {make("level", FieldType::u8)};
    inner.nested[0].default_value = {7.0};
    Field speed = make("speed", FieldType::f32);
    speed.default_value = {2.5};
    Field least = make("least", FieldType::i32);
    least.minimum = 3;
    Schema schema = make_schema({speed, make("plain", FieldType::i32), inner, least});
    REQUIRE(layout_schema(schema).empty());
    const auto text = [&](const char* name) {
        return text_from_value(read_field(*schema.field(name), schema.defaults));
    };
    CHECK(text("speed") == "2.5");
    CHECK(text("plain") == "0");
    CHECK(text("inner") == "{{level = 7}, {level = 7}}");
    CHECK(text("least") == "3");
}

TEST_CASE("a quat and a mat4 are the identity by default, also in arrays and structs [S4] [T2]") {
    Field inner = make("inner", FieldType::structure, 2);
    inner.nested = {make("n", FieldType::u8), make("turn", FieldType::quat)};
    Field half = make("half", FieldType::quat);
    half.default_value.data = FieldValueMap{{"x", {0.5}}};
    Schema schema =
        make_schema({make("turns", FieldType::quat, 2), make("place", FieldType::mat4), inner, half});
    REQUIRE(layout_schema(schema).empty());
    const auto text = [&](const char* name) {
        return text_from_value(read_field(*schema.field(name), schema.defaults));
    };
    const std::string identity = "{x = 0, y = 0, z = 0, w = 1}";
    CHECK(text("turns") == "{" + identity + ", " + identity + "}");
    CHECK(text("place") ==
          "{xx = 1, xy = 0, xz = 0, xw = 0, yx = 0, yy = 1, yz = 0, yw = 0, "
          "zx = 0, zy = 0, zz = 1, zw = 0, wx = 0, wy = 0, wz = 0, ww = 1}");
    CHECK(text("inner") == "{{n = 0, turn = " + identity + "}, {n = 0, turn = " + identity + "}}");
    CHECK(text("half") == "{x = 0.5, y = 0, z = 0, w = 1}");
}

TEST_CASE("a quat or a mat4 has no range") {
    for (const FieldType type : {FieldType::quat, FieldType::mat4}) {
        Field field = make("turn", type);
        field.maximum = 1;
        Schema schema = make_schema({field});
        CHECK_THAT(layout_schema(schema).at(0),
                   Contains("'turn'") && Contains(field_type_info(type).name.data()));
    }
}

TEST_CASE("all mistakes of a schema are reported at once, each with its field") {
    Field range = make("range", FieldType::f32);
    range.minimum = 5;
    range.maximum = 1;
    Field text_range = make("label", FieldType::string);
    text_range.minimum = 0;
    Field no_labels = make("mode", FieldType::enumeration);
    no_labels.labels.clear();
    Field twice = make("flags", FieldType::flags);
    twice.labels = {"x", "x"};
    Field many = make("many", FieldType::flags);
    for (int i = 0; i < 33; ++i) many.labels.push_back("m" + std::to_string(i));
    Field text = make("text", FieldType::string);
    text.string_capacity = 0;
    Schema schema = make_schema({range, text_range, no_labels, twice, many, text, make("a", FieldType::u8),
                                 make("a", FieldType::u8), make("", FieldType::u8),
                                 make("big", FieldType::u8, 5000), make("hollow", FieldType::structure)});
    const std::vector<std::string> mistakes = layout_schema(schema);
    std::string all;
    for (const std::string& mistake : mistakes) {
        CHECK_THAT(mistake, Contains("component 'Test'"));
        all += mistake + "\n";
    }
    CHECK(mistakes.size() == 10);
    CHECK_THAT(all, Contains("'range': expected min <= max, got min 5 and max 1"));
    CHECK_THAT(all, Contains("'label': min and max are for numbers, got type string"));
    CHECK_THAT(all, Contains("'mode': enum needs at least one label"));
    CHECK_THAT(all, Contains("'flags': label 'x' is given twice"));
    CHECK_THAT(all, Contains("'many': expected at most 32 labels, got 3"));
    CHECK_THAT(all, Contains("'text': expected a string capacity of 1 to 1024 bytes, got 0"));
    CHECK_THAT(all, Contains("'a': declared twice"));
    CHECK_THAT(all, Contains("field 9 has no name"));
    CHECK_THAT(all, Contains("'big': expected an array length of 1 to 1024, got 5000"));
    CHECK_THAT(all, Contains("'hollow': struct needs at least one field"));
}

TEST_CASE("a bad default, a tag with fields, a component without fields and a row too large are mistakes") {
    Field speed = make("speed", FieldType::f32);
    speed.default_value = {std::string("fast")};
    Schema schema = make_schema({speed});
    CHECK_THAT(layout_schema(schema).at(0), Contains("bad default") && Contains("expected f32, got string"));
    speed.default_value = {20.0};
    speed.maximum = 10;
    schema = make_schema({speed});
    CHECK_THAT(layout_schema(schema).at(0), Contains("bad default") && Contains("got 20"));
    schema = make_schema({make("x", FieldType::f32)});
    schema.kind = ComponentKind::tag;
    CHECK_THAT(layout_schema(schema).at(0), Contains("kind 'tag' has no fields"));
    schema = make_schema({});
    CHECK_THAT(layout_schema(schema).at(0), Contains("expected at least one field"));
    schema = make_schema({make("a", FieldType::vec4, 1024)});
    CHECK_THAT(layout_schema(schema).at(0), Contains("16384 bytes") && Contains("8192"));
    schema = make_schema({make("a", FieldType::f32)});
    schema.name = "";
    CHECK_THAT(layout_schema(schema).at(0), Contains("needs a name"));
    schema = make_schema({make("a", FieldType::f32)});
    schema.kind = ComponentKind::object;
    CHECK_THAT(layout_schema(schema).at(0), Contains("kind 'object' has no fields"));
    schema.kind = ComponentKind::buffer;
    schema.buffer_capacity = 513;
    CHECK_THAT(layout_schema(schema).at(0), Contains("0 to 512 elements, got 513"));
    schema = make_schema({make("a", FieldType::f64, 32)});
    schema.kind = ComponentKind::buffer;
    schema.buffer_capacity = 64;
    CHECK_THAT(layout_schema(schema).at(0), Contains("16400 bytes") && Contains("8192"));
}

TEST_CASE("options that the kind of a schema does not use are mistakes") {
    using Kinds = std::vector<ComponentKind>;
    using enum ComponentKind;
    const Kinds all = {component,  tag,    shared, cleanup, shared_cleanup, chunk,
                       enableable, buffer, object, blob,    event,          resource};
    struct Option {
        std::string_view name;
        void (*set)(Schema&);
        Kinds refused;
    };
    const Option options[] = {
        {"requires", [](Schema& schema) { schema.required = {"Other"}; }, {blob, event, resource}},
        {"owner", [](Schema& schema) { schema.owner = "someone"; }, {tag, blob}},
        {"capacity",
         [](Schema& schema) { schema.buffer_capacity = 4; },
         {component, tag, shared, cleanup, shared_cleanup, chunk, enableable, object, blob, event, resource}},
        {"version", [](Schema& schema) { schema.version = 2; }, {tag, object}},
    };
    for (const Option& option : options) {
        for (const ComponentKind kind : all) {
            const bool has_fields = kind != tag && kind != object;
            Schema schema =
                make_schema(has_fields ? std::vector{make("x", FieldType::f32)} : std::vector<Field>{});
            schema.kind = kind;
            CHECK(layout_schema(schema).empty());
            option.set(schema);
            const std::vector<std::string> mistakes = layout_schema(schema);
            INFO(option.name << " on " << kind_name(kind));
            if (std::find(option.refused.begin(), option.refused.end(), kind) == option.refused.end()) {
                CHECK(mistakes.empty());
            } else {
                const std::string kind_text(kind_name(kind));
                CHECK(mistakes == std::vector<std::string>{kind_text + " '" + schema.name +
                                                           "': " + std::string(option.name) +
                                                           " makes no sense for kind '" + kind_text + "'"});
            }
        }
    }
    Schema schema = make_schema({make("x", FieldType::f32)});
    schema.version = 0;
    CHECK_THAT(layout_schema(schema).at(0), Contains("expected a version from 1, got 0"));
}

TEST_CASE("a new row is inside every declared range") {
    std::mt19937 random(6);
    const auto number = [&] {
        return std::floor(std::uniform_real_distribution<double>(-120, 120)(random)) / 2;
    };
    for (int round = 0; round < 500; ++round) {
        constexpr FieldType kTypes[] = {FieldType::i8,  FieldType::i32,  FieldType::i64,  FieldType::f32,
                                        FieldType::f64, FieldType::vec2, FieldType::vec4, FieldType::i16};
        Field field = make("x", kTypes[random() % 8], random() % 4);
        const double a = number(), b = number();
        if (random() % 4 != 0) field.minimum = std::min(a, b);
        if (random() % 4 != 0) field.maximum = std::max(a, b) + 1;
        Schema schema = make_schema({field});
        REQUIRE(layout_schema(schema).empty());
        Field strict = schema.fields[0];
        strict.range_policy = RangePolicy::refuse;
        std::vector<std::byte> row = schema.defaults;
        CAPTURE(describe_layout(schema));
        REQUIRE(write_field(strict, read_field(strict, row), row).ok());
        REQUIRE(row == schema.defaults);
    }
}

TEST_CASE("an outer default overrides only the members that it names") {
    Field inner = make("inner", FieldType::structure);
    inner.nested = {make("level", FieldType::u8), make("speed", FieldType::f32)};
    inner.nested[0].default_value = {7.0};
    inner.nested[1].default_value = {2.0};
    inner.default_value = {FieldValueMap{{"speed", {5.0}}}};
    Field counts = make("counts", FieldType::i32, 3);
    counts.minimum = 2;
    counts.default_value = {FieldValueList{{9.0}}};
    Schema schema = make_schema({inner, counts});
    REQUIRE(layout_schema(schema).empty());
    CHECK(text_from_value(read_field(schema.fields[0], schema.defaults)) == "{level = 7, speed = 5}");
    CHECK(text_from_value(read_field(schema.fields[1], schema.defaults)) == "{9, 2, 2}");
}

TEST_CASE("a default out of range is a mistake at any depth, reported once with its path") {
    Field body = make("body", FieldType::structure, 3);
    body.nested = {make("hp", FieldType::f32)};
    body.nested[0].maximum = 100;
    body.default_value = {FieldValueList{{FieldValueMap{{"hp", {500.0}}}}}};
    Schema schema = make_schema({body});
    REQUIRE(layout_schema(schema).size() == 1);
    CHECK_THAT(layout_schema(schema)[0], Contains("field 'body[1].hp': expected -inf to 100, got 500"));
    body.default_value = {};
    body.nested[0].default_value = {500.0};
    schema = make_schema({body});
    REQUIRE(layout_schema(schema).size() == 1);
    CHECK_THAT(layout_schema(schema)[0], Contains("component 'Test', field 'body': bad default: field 'hp'"));
}

TEST_CASE("an invalid range, or one that the type cannot satisfy, is a mistake") {
    const auto mistake = [](FieldType type, std::optional<double> minimum, std::optional<double> maximum) {
        Field field = make("x", type);
        field.minimum = minimum;
        field.maximum = maximum;
        Schema schema = make_schema({field});
        const std::vector<std::string> mistakes = layout_schema(schema);
        REQUIRE(mistakes.size() == 1);
        return mistakes[0];
    };
    const double nan = std::nan("");
    CHECK_THAT(mistake(FieldType::f32, nan, std::nullopt),
               Contains("expected min <= max, got min nan and max inf"));
    CHECK_THAT(mistake(FieldType::f32, std::nullopt, nan), Contains("max nan"));
    CHECK(mistake(FieldType::f32, 9, 1) ==
          "component 'Test', field 'x': expected min <= max, got min 9 and max 1");
    CHECK_THAT(mistake(FieldType::u8, 300, std::nullopt), Contains("no u8 lies in the range 300 to inf"));
    CHECK_THAT(mistake(FieldType::i32, 0.2, 0.8), Contains("no i32 lies in the range 0.2 to 0.8"));
}

TEST_CASE("structs may nest 8 deep, and a deeper one is a mistake") {
    const auto nested = [](int depth) {
        Field field = make("leaf", FieldType::u8);
        for (int i = 0; i < depth; ++i) {
            Field outer = make("s", FieldType::structure);
            outer.nested.push_back(std::move(field));
            field = std::move(outer);
        }
        Schema schema = make_schema({field});
        return layout_schema(schema);
    };
    CHECK(nested(8).empty());
    REQUIRE(nested(9).size() == 1);
    CHECK_THAT(nested(9)[0], Contains("structs nest more than 8 deep"));
    CHECK_FALSE(nested(2000).empty());
}

TEST_CASE("[S4] defaults of texts are part of hash and layout before a world exists") {
    const auto schema_with = [](const std::string& text) {
        Field field = make("name", FieldType::text);
        field.default_value.data = text;
        Field inner = make("of", FieldType::structure, 2);
        inner.nested = {field};
        Schema schema = make_schema({field, inner});
        REQUIRE(layout_schema(schema).empty());
        return schema;
    };
    const Schema schema = schema_with("Anna");
    CHECK(schema.size == 12);
    CHECK_THAT(describe_layout(schema), Contains("default \"Anna\""));
    CHECK(schema_hash(schema) == schema_hash(schema_with("Anna")));
    CHECK(schema_hash(schema) != schema_hash(schema_with("Bert")));
    TextPool texts;
    texts.intern("first").value();
    const std::vector<std::byte> row = default_row(schema, texts).value();
    for (const Leaf& leaf : leaves_of(schema)) {
        TextHandle handle;
        std::memcpy(&handle, row.data() + leaf.offset, sizeof handle);
        CHECK(texts.text(handle) == "Anna");
    }
    TextPool none(1);
    CHECK_FALSE(default_row(schema, none).ok());
    Schema wrong = make_schema({make("name", FieldType::text)});
    wrong.fields[0].default_value.data = std::string(70000, 'x');
    const std::vector<std::string> mistakes = layout_schema(wrong);
    REQUIRE(mistakes.size() == 1);
    CHECK_THAT(mistakes[0], Contains("expected at most 65536 bytes of text, got 70000"));
}

TEST_CASE("a row of 70 KB is a mistake that names its size and the limit") {
    Field field = make("cells", FieldType::f64, 1000);
    std::vector<Field> fields;
    for (int i = 0; i < 9; ++i) {
        fields.push_back(field);
        fields.back().name += std::to_string(i);
    }
    Schema schema = make_schema(fields);
    const std::vector<std::string> mistakes = layout_schema(schema);
    REQUIRE(mistakes.size() == 1);
    CHECK(mistakes[0] == "component 'Test': a row takes 72000 bytes, at most 8192 are allowed");
}

TEST_CASE("sizes that exceed any memory are a mistake and do not overflow") {
    Field field = make("x", FieldType::u64, 1024);
    for (int i = 0; i < 7; ++i) {
        Field outer = make("s", FieldType::structure, 1024);
        outer.nested = {field, field};
        outer.nested[1].name = "t";
        field = outer;
    }
    Schema schema = make_schema({field});
    REQUIRE(layout_schema(schema).size() == 1);
    CHECK_THAT(layout_schema(schema)[0], Contains("at most 8192 are allowed"));
}

}  // namespace
}  // namespace perigee
