// Copying field values and schemas while memory runs out.
#include "ecs/schema/field_value.h"
#include "ecs/schema/schema.h"
#include "tests/support/failing_memory.h"

#include <catch2/catch.hpp>

#include <cstdint>
#include <new>
#include <string>
#include <string_view>

namespace perigee {
namespace {

constexpr const char* kLong = "a text that is too long to lie in a string itself";

// A nested value with one of each kind that allocates memory.
FieldValue nested_value() {
    FieldValue text{std::string(kLong)};
    FieldValue list{FieldValueList{text, FieldValue{1.0}, text}};
    return FieldValue{FieldValueMap{{"list", list}, {std::string(kLong), text}, {"flag", FieldValue{true}}}};
}

// Calls `copy`, refusing another request each time until there is none left, and `check` after each refusal.
// Returns the number of refusals.
template <typename Copy, typename Check> std::uint64_t refuse_each(const Copy& copy, const Check& check) {
    for (std::uint64_t first = 0;; ++first) {
        bool is_done = false;
        {
            const RefusedMemory memory(first, 1);
            try {
                copy();
                is_done = true;
            } catch (const std::bad_alloc&) {
                is_done = false;
            }
        }
        CHECK(is_done != RefusedMemory::was_refused());
        if (is_done) return first;
        check();
    }
}

TEST_CASE("copying a value without memory makes no copy and destroys nothing twice") {
    const FieldValue value = nested_value();
    const std::string expected = text_from_value(value);
    const auto copy = [&] { static_cast<void>(FieldValue(value)); };
    const std::uint64_t refusals = refuse_each(copy, [&] { CHECK(text_from_value(value) == expected); });
    CHECK(refusals >= 6);
}

TEST_CASE("assigning to a value without memory leaves it unchanged") {
    const FieldValue value = nested_value();
    FieldValue target{FieldValueList{FieldValue{std::string(kLong)}}};
    const std::string before = text_from_value(target);
    refuse_each([&] { target = value; }, [&] { CHECK(text_from_value(target) == before); });
    CHECK(text_from_value(target) == text_from_value(value));
}

TEST_CASE("a schema with a text default is copied completely or not at all") {
    Schema schema;
    schema.name = "Sign";
    Field field;
    field.name = "text";
    field.type = FieldType::text;
    field.default_value = FieldValue{std::string(kLong)};
    schema.fields = {field, field};
    schema.fields[1].name = "other";
    REQUIRE(layout_schema(schema).empty());
    const auto copy = [&] { static_cast<void>(Schema(schema)); };
    const std::uint64_t refusals = refuse_each(copy, [&] { CHECK(schema.fields[1].default_value.is_set()); });
    CHECK(refusals > 3);
}

}  // namespace
}  // namespace perigee
