// What the card shows, for how long, and that it fits the screen.
#include "engine/draw/overlay/error_card.h"

#include "scripting/base/script_error.h"

#include <catch2/catch.hpp>

using namespace perigee;

namespace {

std::string picture(ErrorCard& card, float width = 640, float height = 360) {
    DrawList list;
    const ImageTable images;
    Painter painter;
    painter.begin_frame(list, images);
    card.draw(painter, width, height);
    list.sort(images);
    for (const DrawItem& item : list.items()) {
        CHECK((item.flags & kDrawScreen) != 0);
        if (item.kind == DrawKind::rectangle) CHECK(item.x + item.w <= width);
    }
    return list.dump(images);
}

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("the card of a script names mod, file, line, system, row and message") {
    ErrorCard card;
    CHECK(picture(card) == "camera 0,0 zoom 1\n");
    ScriptError error;
    error.mod = "swarm";
    error.file = "main.lua";
    error.line = 12;
    error.system = "move";
    error.row = 3;
    error.message = "attempt to index a nil value";
    card.add(error);
    const std::string seen = picture(card);
    CHECK(contains(seen, "swarm/main.lua:12  system 'move' is suspended  (row 3)"));
    CHECK(contains(seen, "\"attempt to index a nil value"));
    CHECK(card.error_count() == 1);
}

TEST_CASE("the same error again is counted, not listed again") {
    ErrorCard card;
    for (int i = 0; i < 5; ++i) card.add("a", "b");
    CHECK(contains(picture(card), "\"a  (5 times)\""));
    CHECK(card.error_count() == 5);
}

TEST_CASE("errors stay and notices disappear") {
    ErrorCard card;
    card.add("title", "stays");
    card.notice("leaves");
    CHECK(card.error_count() == 1);
    for (std::uint32_t i = 1; i < ErrorCard::kNoticeFrames; ++i) picture(card);
    CHECK(contains(picture(card), "leaves"));
    CHECK_FALSE(contains(picture(card), "leaves"));
    CHECK(contains(picture(card), "stays"));
    card.clear();
    CHECK(card.is_empty());
}

TEST_CASE("a mod's errors disappear with new code, and errors in its files when they are read again") {
    ErrorCard card;
    ScriptError error;
    error.mod = "a";
    error.message = "in the file";
    card.add(error);
    error.system = "move";
    error.message = "in the run";
    error.entity = 77;
    error.values = "Ship {x = 5}\n";
    error.traceback = "a/main.lua:3: in function 'f'\n";
    card.add(error);
    error.mod = "b";
    error.message = "of another";
    card.add(error);
    const std::string seen = picture(card);
    CHECK(contains(seen, "entity 77"));
    CHECK(contains(seen, "Ship {x = 5}"));
    CHECK(contains(seen, "what it wrote to columns stays"));
    CHECK_FALSE(contains(seen, "in function 'f'"));
    CHECK(contains(card.text(), "in function 'f'"));
    card.forget_files("a");
    CHECK_FALSE(contains(card.text(), "in the file"));
    CHECK(contains(card.text(), "in the run"));
    card.forget("a");
    CHECK_FALSE(contains(card.text(), "in the run"));
    CHECK(contains(card.text(), "of another"));
    CHECK(card.error_count() == 3);
}

TEST_CASE("the newest six are shown, and long texts are cut") {
    ErrorCard card;
    for (int i = 0; i < 20; ++i) card.add("title " + std::to_string(i), std::string(10'000, 'x'));
    const std::string seen = picture(card);
    CHECK_FALSE(contains(seen, "title 13"));
    CHECK(contains(seen, "title 14"));
    CHECK(contains(seen, "title 19"));
    CHECK(seen.size() < 10'000);
}
