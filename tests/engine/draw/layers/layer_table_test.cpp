// Names and numbers of layers, changes, and what a reload keeps.
#include "engine/draw/layers/layer_table.h"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

using namespace perigee;

namespace {

LayerLook at(std::int16_t layer, LayerSort sort = LayerSort::camera) {
    LayerLook look;
    look.layer = look.first = layer;
    look.sort = sort;
    return look;
}

std::string error_of(const Result<void>& result) { return result ? "" : result.error().message; }

}  // namespace

TEST_CASE("a layer has one name and one number [P15]") {
    LayerTable table;
    CHECK(table.is_empty());
    REQUIRE(table.declare("", "sky", at(-100)));
    REQUIRE(table.declare("", "hud", at(100)));
    CHECK(table.find("sky") == std::int16_t{-100});
    CHECK_FALSE(table.find("skye"));
    CHECK(
        table.unknown("skye") ==
        "no layer 'skye' is declared; did you mean 'sky'?; gfx.layer(\"name\", { order = 5 }) declares one");
    CHECK(error_of(table.declare("", "clouds", at(-100))) ==
          "gfx.layer 'clouds': order -100 is that of layer 'sky' already; a layer needs an order of its own");
    REQUIRE(table.declare("", "sky", at(-50)));
    CHECK(table.find("sky") == std::int16_t{-50});
    CHECK(table.look_of(-100) == nullptr);
    CHECK(table.declare("", "clouds", at(-100)));
}

TEST_CASE("layers of mods have the mod's name before theirs, which the mod may leave out") {
    LayerTable table;
    REQUIRE(table.declare("", "fog", at(1)));
    REQUIRE(table.declare("", "sky", at(2)));
    REQUIRE(table.declare("weather:", "fog", at(3)));
    REQUIRE(table.declare("snow:", "fog", at(4)));
    CHECK(table.find("fog") == std::int16_t{1});
    CHECK(table.find("fog", "weather:") == std::int16_t{3});
    CHECK(table.find("sky", "weather:") == std::int16_t{2});
    CHECK(table.find("snow:fog", "weather:") == std::int16_t{4});
    CHECK(table.is_of("weather:", 3));
    CHECK_FALSE(table.is_of("weather:", 2));
    CHECK_FALSE(table.is_of("weather:", 9));
    CHECK(
        error_of(table.declare("snow:", "ice", at(3))) ==
        "gfx.layer 'ice': order 3 is that of layer 'weather:fog' already; a layer needs an order of its own");
}

TEST_CASE("layers that are drawn as a whole have all or none of each other's layers") {
    LayerTable table;
    LayerLook low = at(5), high = at(7), all = at(9);
    low.first = 1;
    high.first = 5;
    all.first = 1;
    REQUIRE(table.declare("", "low", low));
    CHECK(
        error_of(table.declare("", "high", high)) ==
        "gfx.layer 'high': it has the layers 5 to 7, and 'low' has 1 to 5; one of them must have all or none "
        "of the other's");
    REQUIRE(table.declare("", "all", all));
    REQUIRE(table.declare("", "inner", at(3)));
    high.is_screen = true;
    REQUIRE(table.declare("", "high", high));
}

TEST_CASE("the game and each mod have so many layers at most") {
    LayerTable table;
    for (std::size_t i = 0; i < LayerTable::kMaxOfGame; ++i)
        REQUIRE(table.declare("", "n" + std::to_string(i), at(static_cast<std::int16_t>(i))));
    CHECK(error_of(table.declare("", "more", at(1000))) ==
          "gfx.layer 'more': the game can declare 64 layers, and each mod 8");
    for (std::size_t i = 0; i < LayerTable::kMaxOfMod; ++i)
        REQUIRE(table.declare("m:", "n" + std::to_string(i), at(static_cast<std::int16_t>(i + 100))));
    CHECK_FALSE(table.declare("m:", "more", at(1000)));
    CHECK(table.declare("m:", "n0", at(1000)));
}

TEST_CASE("only layers that differ from those without a name have looks, by number") {
    LayerTable table;
    REQUIRE(table.declare("", "plain", at(5)));
    CHECK(table.looks().empty());
    const std::uint64_t before = table.version();
    REQUIRE(table.declare("", "ground", at(3, LayerSort::y)));
    REQUIRE(table.declare("", "sky", at(-3, LayerSort::none)));
    CHECK(table.version() > before);
    REQUIRE(table.looks().size() == 2);
    CHECK(table.looks()[0].layer == -3);
    CHECK(table.looks()[1].sort == LayerSort::y);
}

TEST_CASE("a changed layer is as it was declared when its files are loaded again") {
    LayerTable table;
    REQUIRE(table.declare("", "sky", at(1)));
    LayerLook changed = at(1);
    changed.parallax_x = 0.5F;
    REQUIRE(table.change(1, changed));
    CHECK(table.look_of(1)->parallax_x == 0.5F);
    CHECK(table.declared_look_of(1)->parallax_x == 1.0F);
    CHECK_FALSE(table.change(2, changed));
    CHECK(table.declared_look_of(2) == nullptr);
    const std::uint64_t version = table.version();
    REQUIRE(table.change(1, changed));
    CHECK(table.version() == version);
    table.begin_load();
    REQUIRE(table.declare("", "sky", at(1)));
    table.end_load(std::vector<std::string>{""});
    CHECK(table.look_of(1)->parallax_x == 1.0F);
}

TEST_CASE("a reload changes layers, forgets those that are no longer declared, and keeps those of others") {
    LayerTable table;
    REQUIRE(table.declare("", "sky", at(1)));
    REQUIRE(table.declare("", "hills", at(2)));
    REQUIRE(table.declare("", "old", at(3)));
    REQUIRE(table.declare("m:", "fog", at(4)));
    table.begin_load();
    // Numbers may be exchanged, and be those of layers that go.
    REQUIRE(table.declare("", "sky", at(2)));
    REQUIRE(table.declare("", "hills", at(3)));
    table.end_load(std::vector<std::string>{""});
    CHECK(table.find("sky") == std::int16_t{2});
    CHECK(table.find("hills") == std::int16_t{3});
    CHECK_FALSE(table.find("old"));
    CHECK(table.find("m:fog") == std::int16_t{4});
}

TEST_CASE("a reload that fails leaves layers as they were") {
    LayerTable table;
    REQUIRE(table.declare("", "sky", at(1)));
    table.begin_load();
    REQUIRE(table.declare("", "sky", at(5)));
    REQUIRE(table.declare("", "new", at(6)));
    table.end_load({});
    CHECK(table.find("sky") == std::int16_t{1});
    CHECK_FALSE(table.find("new"));
}
