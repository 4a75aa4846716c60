// Layers by name, number and range.
#include "engine/draw/layers/layer_set.h"

#include <catch2/catch.hpp>

using namespace perigee;

namespace {

Result<LayerSet> parsed(std::string_view text) {
    return LayerSet::parse(text, [](std::string_view name) -> std::optional<std::int16_t> {
        if (name == "world") return std::int16_t{0};
        if (name == "hud") return std::int16_t{100};
        return std::nullopt;
    });
}

std::string shown(std::string_view text) {
    std::string all;
    for (const int layer : {-32768, -3, 0, 5, 7, 100, 32767})
        if (parsed(text).value().has(static_cast<std::int16_t>(layer))) all += std::to_string(layer) + " ";
    return all;
}

}  // namespace

TEST_CASE("a set of layers has those that its text names") {
    CHECK(shown("") == "-32768 -3 0 5 7 100 32767 ");
    CHECK(parsed(" ").value().has_all());
    CHECK(shown("world hud") == "0 100 ");
    CHECK(shown("-3, 5..7") == "-3 5 7 ");
    CHECK(shown("world..hud") == "0 5 7 100 ");
    CHECK(shown("!hud !-3") == "-32768 0 5 7 32767 ");
    CHECK(shown("world..hud !5") == "0 7 100 ");
}

TEST_CASE("a text that names no layer is an error") {
    for (const char* text : {"wrld", "5..", "..5", "7..5", "!", "40000", "1.5", "world hud x"}) {
        INFO(text);
        CHECK_FALSE(parsed(text));
    }
    CHECK(parsed("world wrld").error().message ==
          "'wrld' is not a layer: expected the name of one, a number, or a range like 5..20");
}
