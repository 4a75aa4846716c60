// The float runs of rows, and making rows of any bits canonical.
#include "ecs/schema/float_runs.h"

#include "ecs/base/canonical.h"
#include "ecs/base/random.h"

#include <catch2/catch.hpp>

#include <bit>
#include <cstring>

namespace perigee {
namespace {

Schema laid_out(std::vector<std::pair<std::string, FieldType>> fields) {
    Schema schema;
    schema.name = "Row";
    for (auto& [name, type] : fields) {
        Field field;
        field.name = name;
        field.type = type;
        schema.fields.push_back(std::move(field));
    }
    REQUIRE(layout_schema(schema).empty());
    return schema;
}

std::vector<FloatRun> runs_of(const Schema& schema) { return float_runs(leaves_of(schema)); }

TEST_CASE("adjacent floats of one width are one run") {
    CHECK(runs_of(laid_out({{"n", FieldType::i32}, {"c", FieldType::color}})).empty());
    CHECK(runs_of(laid_out({{"p", FieldType::vec3}, {"x", FieldType::f32}})) ==
          std::vector<FloatRun>{{0, 4, false}});
    CHECK(runs_of(laid_out({{"x", FieldType::f32}, {"n", FieldType::u32}, {"y", FieldType::f32}})) ==
          std::vector<FloatRun>{{0, 1, false}, {8, 1, false}});
    CHECK(runs_of(laid_out({{"a", FieldType::f64}, {"b", FieldType::f64}, {"x", FieldType::vec2}})) ==
          std::vector<FloatRun>{{0, 2, true}, {16, 2, false}});
}

template <typename Float, typename Bits> void compare(const std::byte* before, const std::byte* after) {
    Bits was;
    Bits is;
    std::memcpy(&was, before, sizeof was);
    std::memcpy(&is, after, sizeof is);
    REQUIRE(is == std::bit_cast<Bits>(canonical(std::bit_cast<Float>(was))));
}

TEST_CASE("rows of any bits become canonical, and only NaNs change") {
    const Schema schemas[] = {
        laid_out({{"p", FieldType::vec3}}),
        laid_out({{"a", FieldType::f64}, {"b", FieldType::f64}}),
        laid_out(
            {{"n", FieldType::u32}, {"x", FieldType::f32}, {"a", FieldType::f64}, {"y", FieldType::f32}}),
    };
    Random random(11);
    for (const Schema& schema : schemas) {
        const std::vector<Leaf> leaves = leaves_of(schema);
        const std::vector<FloatRun> runs = float_runs(leaves);
        for (std::size_t count = 0; count < 70; ++count) {
            std::vector<std::uint64_t> words(count * schema.size / 8 + 1);
            for (std::uint64_t& word : words) {
                word = random.next();
                if (random.next() % 8 == 0) word |= 0x7FF000007F800000;
            }
            const std::vector<std::uint64_t> before = words;
            auto* const rows = reinterpret_cast<std::byte*>(words.data());
            const auto* const old = reinterpret_cast<const std::byte*>(before.data());
            const std::size_t changed = make_canonical(runs, rows, schema.size, count);
            std::size_t different = 0;
            for (std::size_t row = 0; row < count; ++row) {
                for (const Leaf& leaf : leaves) {
                    const std::size_t at = row * schema.size + leaf.offset;
                    if (leaf.type == FieldType::f32) compare<float, std::uint32_t>(old + at, rows + at);
                    if (leaf.type == FieldType::f64) compare<double, std::uint64_t>(old + at, rows + at);
                    if (leaf.type == FieldType::u32) REQUIRE(std::memcmp(old + at, rows + at, 4) == 0);
                    different += std::memcmp(old + at, rows + at, leaf.size) != 0 ? 1 : 0;
                }
            }
            CHECK(changed == different);
            CHECK(make_canonical(runs, rows, schema.size, count) == 0);
        }
    }
}

}  // namespace
}  // namespace perigee
