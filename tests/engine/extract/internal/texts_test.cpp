// The item of a text: its box, its origin, and texts that draw nothing.
#include "engine/extract/internal/texts.h"

#include "ecs/schema/text_pool.h"
#include "engine/draw/text/text_metrics.h"
#include "tests/engine/extract/stage.h"

#include <catch2/catch.hpp>

#include <limits>
#include <string>

using namespace perigee;
using namespace perigee::test;

namespace {

struct TextStage : ExtractStage {
    EntityExtractor extractor;
    TextStage() : extractor((declare_position<Position>(), world), components) {}
    Entity spawn_text(std::string_view content, Text text = {}, float x = 300) {
        text.text = world.texts().intern(content).value();
        return spawn<Position>(x, 100, components.text, text);
    }
    std::string picture() {
        extract(extractor);
        const std::string all = list.dump(images);
        return all.substr(all.find('\n') + 1);
    }
};

}  // namespace

TEST_CASE("a text is centred at the position, and its box has the size of its lines") {
    TextStage stage;
    stage.spawn_text("hello");
    const DrawItem item = stage.extract(stage.extractor)[0];
    CHECK(item.x == 300 - text_width("hello", 16) / 2);
    CHECK(item.y == 100 - line_height(16) / 2);
    CHECK(item.w == 0);
    CHECK(stage.list.text(item) == "hello");
}

TEST_CASE("a text has size, colour, width, align, origin, layer and blend mode") {
    TextStage stage;
    Text text;
    text.color = {255, 0, 0, 128};
    text.size = 20;
    text.width = 100;
    text.align = static_cast<std::uint8_t>(TextAlign::center);
    text.origin_x = text.origin_y = 0;
    text.layer = 4;
    text.blend = static_cast<std::uint8_t>(BlendMode::add);
    stage.spawn_text("hello", text);
    CHECK(stage.picture() == "world 4 text at 300,100 size 20 center \"hello\" width 100 add #ff000080\n");
}

TEST_CASE("lines of a text that is not wrapped align in the widest one, which stays whole") {
    TextStage stage;
    Text text;
    text.align = static_cast<std::uint8_t>(TextAlign::right);
    stage.spawn_text("a\nlonger line here", text);
    const DrawItem item = stage.extract(stage.extractor)[0];
    CHECK(item.w == text_width("longer line here", 16));
    CHECK(item.y == 100 - line_height(16));
    std::string_view rest = "longer line here";
    CHECK(next_line(rest, item.h, item.w) == "longer line here");
}

TEST_CASE("empty texts, sizes out of range and texts out of view draw nothing") {
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    TextStage stage;
    stage.spawn_text("");
    stage.spawn_text("far", {}, 1e6F);
    Text text;
    for (const float size : {0.0F, -5.0F, 1000.0F}) {
        text.size = size;
        stage.spawn_text("size", text);
    }
    CHECK(stage.picture().empty());
    CHECK(stage.extractor.undrawn().count == 0);
    text.size = kNan;
    stage.spawn_text("nan", text);
    stage.spawn_text("nowhere", {}, kNan);
    CHECK(stage.picture().empty());
    CHECK(stage.extractor.undrawn().count == 2);
    text = {};
    text.align = 200;
    text.origin_x = kNan;
    stage.spawn_text("odd", text);
    CHECK(stage.extract(stage.extractor).size() == 1);
}

TEST_CASE("texts beyond the room of the list are left out, and the frame goes on") {
    TextStage stage;
    const std::string long_text(60'000, 'x');
    Text text;
    text.size = 1;
    for (int i = 0; i < 80; ++i) stage.spawn_text(long_text, text);
    const std::size_t count = stage.extract(stage.extractor).size();
    CHECK(count > 60);
    CHECK(count < 80);
}
