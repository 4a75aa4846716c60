// The picture is well-formed, shows each chunk with its rows, and stays small for worlds of any size.
#include "ecs/inspect/chunk_picture.h"

#include "tests/support/kind_components.h"
#include "tests/support/xml.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace perigee {
namespace {

using Catch::Contains;
using test::xml_of;
using test::XmlElement;

double number(const XmlElement& element, const char* key) { return std::stod(element.attributes.at(key)); }

std::string tip_of(const XmlElement& rect) { return rect.children.empty() ? "" : rect.children[0].text; }

// The boxes whose texts contain `part`.
std::vector<const XmlElement*> boxes(const XmlElement& picture, std::string_view part) {
    std::vector<const XmlElement*> found;
    for (const XmlElement* rect : picture.all("rect"))
        if (tip_of(*rect).find(part) != std::string::npos) found.push_back(rect);
    return found;
}

std::string texts(const XmlElement& picture) {
    std::string all;
    for (const XmlElement* text : picture.all("text")) all += text->text + "\n";
    return all;
}

const XmlElement& section(const XmlElement& picture, std::uint32_t archetype) {
    for (const XmlElement* group : picture.all("g"))
        if (group->attributes.at("id") == "archetype-" + std::to_string(archetype)) return *group;
    FAIL("no section of archetype " << archetype);
    return picture;
}

// Nothing reaches beyond the picture.
void check_places(const XmlElement& picture) {
    const double width = number(picture, "width"), height = number(picture, "height");
    for (const XmlElement* rect : picture.all("rect")) {
        if (rect->attributes.count("x") == 0) continue;
        REQUIRE(number(*rect, "x") >= 0);
        REQUIRE(number(*rect, "x") + number(*rect, "width") <= width - 20);
        REQUIRE(number(*rect, "y") + number(*rect, "height") <= height);
    }
    for (const XmlElement* text : picture.all("text")) REQUIRE(number(*text, "y") <= height);
}

TEST_CASE("[C4] the picture of random worlds has every archetype, chunk and column at its scale") {
    for (std::uint32_t seed = 0; seed < 40; ++seed) {
        std::mt19937 random(seed);
        World world(tiny_chunks(4 + random() % 60));
        declare_test_components(world);
        declare_kind_components(world);
        std::vector<Entity> entities;
        for (std::uint32_t i = 0, count = random() % 300; i < count; ++i) {
            const Entity entity = world.spawn();
            if (random() % 2 == 0) world.add<Position>(entity);
            if (random() % 3 == 0) world.add<Frozen>(entity);
            if (random() % 4 == 0) world.add(entity, Layer{static_cast<int>(random() % 5)});
            entities.push_back(entity);
        }
        for (const Entity entity : entities)
            if (random() % 3 == 0) world.destroy(entity);

        const ChunkUsage usage = chunk_usage(world);
        const XmlElement picture = xml_of(svg_of(usage, "a game"));
        INFO("seed " << seed);
        check_places(picture);
        CHECK_THAT(texts(picture), Contains("a game\n"));
        CHECK(picture.all("g").size() == usage.archetypes.size());
        for (const ArchetypeUsage& one : usage.archetypes) {
            const XmlElement& part = section(picture, one.archetype);
            // Each chunk has a box for its room and one for its rows, which is as high as the chunk is full.
            for (std::size_t i = 0; i < one.chunk_rows.size(); ++i) {
                const std::string tip = "chunk " + std::to_string(i + 1) + ": " +
                                        std::to_string(one.chunk_rows[i]) + " of " +
                                        std::to_string(one.rows_per_chunk) + " rows";
                const auto pair = boxes(part, tip);
                REQUIRE(pair.size() == 2);
                const double full = number(*pair[1], "height") / number(*pair[0], "height");
                CHECK(full ==
                      Approx(static_cast<double>(one.chunk_rows[i]) / one.rows_per_chunk).margin(0.05));
            }
            CHECK(boxes(part, "chunk " + std::to_string(one.chunks + 1)).empty());
            double row = 0;
            for (const XmlElement* column : boxes(part, " in a row")) row += number(*column, "width") + 1;
            CHECK(row == Approx(912).margin(2));
            const auto used = boxes(part, " in use");
            REQUIRE(used.size() == 1);
            const auto bytes = static_cast<double>(one.rows * one.row_bytes);
            CHECK(number(*used[0], "width") / 912 ==
                  Approx(bytes / static_cast<double>(one.chunk_bytes)).margin(0.001));
        }
    }
}

TEST_CASE("[C4] the picture names what a row consists of, what is unused and what to change") {
    World world(tiny_chunks(64));
    declare_test_components(world);
    declare_kind_components(world);
    for (int i = 0; i < 40; ++i) world.spawn(Position{}, Layer{i});
    const XmlElement picture = xml_of(svg_of(chunk_usage(world), "layers"));
    const std::string all = texts(picture);
    CHECK_THAT(all, Contains("40 entities, 1 archetype, 40 chunks"));
    CHECK_THAT(all, Contains("40 rows in 40 chunks with room for 64 each: 1.6 % full"));
    CHECK_THAT(all, Contains("entity 8\n") && Contains("Position 8\n") && Contains("a row of 16 bytes"));
    CHECK_THAT(all, Contains("shared Layer: 40 values, 40 rows in 40 chunks, 1 without it"));
    CHECK_THAT(all, Contains("warning: shared component 'Layer' has 40 different values"));
    CHECK(boxes(picture, "Position: 8 of 16 bytes in a row").size() == 1);
}

TEST_CASE("[C4] names are text in the picture, whatever is in them") {
    World world;
    Schema schema;
    schema.name = "<b>&\"\xC3\xA4\xFF\xED\xA0\x80 ]]>";
    schema.fields.resize(1);
    schema.fields[0].name = "x";
    const ComponentId id = world.declare(schema).value();
    world.add(world.spawn(), id);
    Schema longer;
    longer.name = std::string(200, 'n');
    longer.fields = schema.fields;
    world.add(world.spawn(), world.declare(longer).value());
    const std::string svg = svg_of(chunk_usage(world), "</svg>");
    const XmlElement picture = xml_of(svg);
    check_places(picture);
    CHECK(picture.children[0].text == "</svg>");
    CHECK_THAT(texts(picture), Contains("<b>&\"\xC3\xA4\uFFFD\uFFFD\uFFFD\uFFFD ]]>"));
    CHECK_THAT(texts(picture), Contains(std::string(60, 'n') + "…") && !Contains(std::string(61, 'n')));
}

TEST_CASE("[C4] many chunks share boxes, and small archetypes beyond the hundredth are counted") {
    ChunkUsage usage;
    for (std::uint32_t i = 0; i < 150; ++i) {
        ArchetypeUsage one;
        one.archetype = i;
        one.components = {"A"};
        one.columns = {{"", 8}, {"A", 8}};
        one.rows_per_chunk = 10;
        one.row_bytes = 16;
        one.chunks = i == 7 ? 100'000 : 1;
        one.chunk_rows.assign(one.chunks, 5);
        one.rows = one.chunks * 5;
        one.chunk_bytes = one.chunks * 256;
        one.wasted_bytes = one.chunk_bytes - one.rows * 16;
        usage.archetypes.push_back(one);
    }
    const std::string svg = svg_of(usage, "large");
    CHECK(svg.size() < 1'000'000);
    const XmlElement picture = xml_of(svg);
    check_places(picture);
    CHECK(picture.all("g").size() == kMaxPicturedArchetypes);
    CHECK(picture.all("g")[0]->attributes.at("id") == "archetype-7");
    CHECK_THAT(texts(picture),
               Contains("and 50 more archetypes, each smaller than those above, with 13 KB together"));
    CHECK_THAT(texts(picture), Contains("its chunks, 223 in each box"));
    const XmlElement& large = section(picture, 7);
    CHECK(boxes(large, "chunks 1 to 223: 1,115 of 2,230 rows").size() == 2);
    CHECK(boxes(large, " to 100000: ").size() == 2);
    CHECK(boxes(large, "chunks ").size() <= 2 * kMaxPicturedCells);
}

TEST_CASE("[C4] the picture of an empty world says so") {
    const World world;
    const XmlElement picture = xml_of(svg_of(chunk_usage(world), "empty"));
    CHECK_THAT(texts(picture), Contains("0 entities") && Contains("There are no chunks"));
}

}  // namespace
}  // namespace perigee
