// Texts with fonts, markup, outlines and parts in scripts: the draw list, what they measure, and each error.
#include "engine/modules/internal/gfx_text.h"

#include "tests/engine/game_folder.h"
#include "tests/support/font_files.h"
#include "tests/support/png_files.h"

using namespace perigee;
using namespace perigee::test;

namespace {

constexpr char kSmall[] =
    "info size=10\ncommon lineHeight=12 base=9\npage id=0 file=\"page.png\"\n"
    "char id=65 x=0 y=0 width=6 height=8 xoffset=1 yoffset=2 xadvance=7 page=0\n"
    "char id=66 x=8 y=0 width=6 height=8 xoffset=0 yoffset=2 xadvance=7 page=0\n";

struct TextGame : GameFolder {
    explicit TextGame(std::string_view main, std::string_view schema = {}) : GameFolder{main, schema} {
        write("assets/small.fnt", kSmall);
        write("assets/double.fnt", kSmall);
        write("assets/page.png", png_head(16, 16));
        write("assets/mana.png", png_head(32, 16));
        write("assets/serif.ttf", font_file("DejaVuSerif.ttf"));
    }
};

// The picture of one frame of this draw(), without its camera.
std::string drawn(std::string_view body, std::string_view before = {}) {
    TextGame game{std::string{before} + "\nfunction draw()\n" + std::string{body} + "\nend"};
    const auto engine = game.play();
    run(*engine, 1);
    INFO(game.log);
    CHECK(engine->error_count() == 0);
    const std::string all = picture(*engine);
    return all.substr(all.find('\n') + 1);
}

// The message of the error that this draw() ends in.
std::string failure(std::string_view body) {
    TextGame game{"function draw()\n" + std::string{body} + "\nend"};
    const auto engine = game.play();
    run(*engine, 1);
    const auto& errors = engine->session().scripts().recent_errors();
    if (errors.empty()) return "no error";
    CHECK(errors.back().file == "main.lua");
    CHECK(errors.back().line == 2);
    return errors.back().message;
}

}  // namespace

TEST_CASE("a text is drawn in the font that is set, until another one is") {
    CHECK(drawn("gfx.print('AB', 10, 20)\n"
                "gfx.set_font('assets/serif.ttf', 24)\n"
                "gfx.print('AB', 10, 20)\n"
                "gfx.print('AB', 10, 20, 30)\n"
                "local path, size = gfx.get_font()\n"
                "gfx.set_font()\n"
                "local default, usual = gfx.get_font()\n"
                "assert(path == 'assets/serif.ttf' and size == 24 and default == nil and usual == 16)\n"
                "gfx.print('AB', 10, 20)") ==
          "world 0 text at 10,20 size 16 left \"AB\" #ffffffff\n"
          "world 0 text at 10,20 size 24 left \"AB\" 2 glyphs of 1 fonts #ffffffff\n"
          "world 0 text at 10,20 size 30 left \"AB\" 2 glyphs of 1 fonts #ffffffff\n"
          "world 0 text at 10,20 size 16 left \"AB\" #ffffffff\n");
}

TEST_CASE("a text from right to left is laid out as glyphs in the default font, too, and measured as drawn") {
    CHECK(drawn("gfx.print('abc', 0, 0)\n"
                "gfx.print('שלום', 10, 20)\n"
                "gfx.print('abc سلام', 10, 20, { size = 30, outline = 3 })\n"
                "local joined = gfx.text_size('سلام', 100)\n"
                "local apart = gfx.text_size('س') + gfx.text_size('ل') + gfx.text_size('ا') + "
                "gfx.text_size('م')\n"
                "if joined < apart * 100 / 16 * 0.95 then gfx.print('narrower', 0, 0) end\n"
                "gfx.print(table.concat(gfx.text_lines('שלום עולם', 16, 60), '|'), 0, 0)") ==
          "world 0 text at 0,0 size 16 left \"abc\" #ffffffff\n"
          "world 0 text at 10,20 size 16 left \"שלום\" 4 glyphs of 0 fonts #ffffffff\n"
          "world 0 text at 10,20 size 30 left \"abc سلام\" 8 glyphs of 0 fonts outline 0.1 em #000000ff "
          "#ffffffff\n"
          "world 0 text at 0,0 size 16 left \"narrower\" #ffffffff\n"
          "world 0 text at 0,0 size 16 left \"שלום|עולם\" 9 glyphs of 0 fonts #ffffffff\n");
}

TEST_CASE("a text from right to left costs fuel for the work on its order, wherever it is used") {
    const auto fuel_of = [](const std::string& call) {
        TextGame game{"local text = " + call.substr(0, call.find(';')) +
                      "\nfunction draw() for i = 1, 100 do " + call.substr(call.find(';') + 1) + " end end"};
        const auto engine = game.play();
        run(*engine, 2);
        CHECK(engine->error_count() == 0);
        return engine->session().scripts().usage().front().systems.front().fuel;
    };
    for (const char* use : {"gfx.print(text, 0, 0)", "gfx.print(text, 0, 0, { outline = 1 })",
                            "gfx.text_size(text)", "gfx.text_lines(text)"}) {
        INFO(use);
        // The same number of bytes.
        const auto ordered = fuel_of(std::string{"('\u05D0'):rep(50);"} + use);
        const auto plain = fuel_of(std::string{"('\u00E4'):rep(50);"} + use);
        CHECK(ordered - plain >= 100 * 100 * 10);
    }
}

TEST_CASE("entities show texts from right to left in the default font") {
    TextGame game{
        "local ecs = require 'ecs'\n"
        "ecs.world:spawn(ecs.components.Position { x = 9, y = 9 }, gfx.Text { text = 'שלום 12' })",
        "require('ecs').component('Position', { { 'x', 'f32' }, { 'y', 'f32' } })"};
    const auto engine = game.play();
    run(*engine, 1);
    CHECK_THAT(picture(*engine), Catch::Contains("\"שלום 12\" 7 glyphs of 0 fonts"));
}

TEST_CASE("a bitmap font is drawn as parts of its image, at first in its own size") {
    CHECK(drawn("gfx.set_font('assets/small.fnt')\n"
                "gfx.print('AB', 10, 20, { color = 'red' })\n"
                "gfx.print('A', 0, 0, { size = 20, font = 'assets/small.fnt' })\n"
                "gfx.print('A', 0, 0, { size = 20, align = 'right', width = 100 })") ==
          "world 0 sprite at 11,22 size 6x8 assets/page.png [0,0 6x8] #e63232ff\n"
          "world 0 sprite at 17,22 size 6x8 assets/page.png [8,0 6x8] #e63232ff\n"
          "world 0 sprite at 2,4 size 12x16 assets/page.png [0,0 6x8] #ffffffff\n"
          "world 0 sprite at 88,4 size 12x16 assets/page.png [0,0 6x8] #ffffffff\n");
}

TEST_CASE("a text can have markup, an outline, a shadow, and a part that is shown") {
    CHECK(drawn("gfx.print('{red}a{/}{icon:mana}', 10, 20, { markup = true })",
                "gfx.icon('mana', 'assets/mana.png')") ==
          "world 0 text at 10,20 size 16 left \"{red}a{/}{icon:mana}\" 2 glyphs of 0 fonts #ffffffff\n"
          "world 0 sprite at 19.8047,21.3125 size 32x16 assets/mana.png [0,0 32x16] #ffffffff\n");
    CHECK(drawn("gfx.print('abc', 0, 0, { size = 20, outline = 2, outline_color = 'red' })\n"
                "gfx.print('abc', 0, 0, { size = 20, shadow = 5 })\n"
                "gfx.print('abc', 0, 0, { size = 20, shadow = { 5, -10 }, shadow_color = '#11223344' })\n"
                "gfx.print('abc', 0, 0, { reveal = 2 })\n"
                "gfx.print('{abc}', 0, 0)") ==
          "world 0 text at 0,0 size 20 left \"abc\" outline 0.1 em #e63232ff #ffffffff\n"
          "world 0 text at 0,0 size 20 left \"abc\" shadow 0.25,0.25 em #000000a0 #ffffffff\n"
          "world 0 text at 0,0 size 20 left \"abc\" shadow 0.25,-0.5 em #11223344 #ffffffff\n"
          "world 0 text at 0,0 size 16 left \"abc\" 3 glyphs of 0 fonts revealed 2 #ffffffff\n"
          "world 0 text at 0,0 size 16 left \"{abc}\" #ffffffff\n");
}

TEST_CASE("a text measures what it takes in its font, also without a picture") {
    CHECK(drawn(R"(
        local w, h = gfx.text_size("AB", { font = "assets/small.fnt" })
        assert(w == 14 and h == 12, w .. " " .. h)
        w, h = gfx.text_size("AB AB", { font = "assets/small.fnt", size = 20, width = 40 })
        assert(w == 28 and h == 48, w .. " " .. h)
        assert(gfx.text_size("{red}hello{/}", { markup = true }) == gfx.text_size("hello"))
        assert(gfx.text_size("hello", { size = 20 }) == gfx.text_size("hello", 20))
        assert(gfx.text_length("{red}hé{/}!", { markup = true }) == 3)
        assert(gfx.text_length("{red}hé{/}!") == 11)
        local height, ascent = gfx.font_metrics("assets/small.fnt")
        assert(height == 12 and ascent == 9, height .. " " .. ascent)
        height = gfx.font_metrics("assets/small.fnt", 20)
        assert(height == 24)
        assert(gfx.font_metrics() == select(2, gfx.text_size("x")))
        assert(gfx.font_metrics("assets/double.fnt") == 24))",
                "assert(gfx.font('assets/double.fnt', { line_height = 2 }) == 'assets/double.fnt')") == "");
}

TEST_CASE("the lines of a text are those in which it is drawn, in any font") {
    // Each is as wide as it says, and the next word would not have fitted.
    drawn("", R"(
        local text = "Пёс и кот — two animals of the house, and waaaaaaaaaaaaaaaaaaaay more\n\nwords than lines"
        for _, font in ipairs { "", "assets/serif.ttf" } do
            for width = 30, 400, 17 do
                local options = { size = 16, width = width, font = font ~= "" and font or nil, color = "red" }
                local lines = gfx.text_lines(text, options)
                local _, height = gfx.text_size(text, options)
                local _, one = gfx.text_size("A", { size = 16, font = options.font })
                assert(#lines == math.floor(height / one + 0.5))
                local words, shown = text:gsub("%s+", " "), table.concat(lines, " "):gsub("%s+", " ")
                assert(words == shown, shown)
                for i, line in ipairs(lines) do
                    local wide = gfx.text_size(line, { size = 16, font = options.font })
                    assert(wide <= width + 0.01 or not line:find(" "), line)
                    local next_word = (lines[i + 1] or ""):match("^%S+")
                    if next_word and not text:find(line .. "\n", 1, true) and line ~= "" then
                        assert(gfx.text_size(line .. " " .. next_word, { size = 16, font = options.font }) > width)
                    end
                end
            end
        end
        assert(table.concat(gfx.text_lines("a b c", 16, 20), "|") == "a|b|c")
        local serif = { font = "assets/serif.ttf" }
        assert(table.concat(gfx.text_lines("\n\na b", serif), "|") == "||a b")
        assert(#gfx.text_lines("") == 0 and gfx.text_lines(12)[1] == "12")
        local fits = gfx.text_lines("AB AB A", { font = "assets/small.fnt", width = 30 })
        assert(table.concat(fits, "|") == "AB|AB A")
    )");
    CHECK(
        failure("gfx.text_lines('{red}a{/}', { markup = true })") ==
        "gfx.text_lines: a text with markup cannot be taken apart, since its colours go on in the next line");
    CHECK(failure("gfx.text_lines({})").starts_with("gfx.text_lines: expected a text, got a table"));
    CHECK(failure("gfx.text_lines('a', 16, 0)") ==
          "bad argument #3 to 'gfx.text_lines': expected a number above 0, got 0");
}

TEST_CASE("a text of an entity has a font, markup, an outline, a shadow and a part that is shown") {
    TextGame game{R"(
        local ecs, gfx = require "ecs", require "gfx"
        local C = ecs.components
        gfx.icon("mana", "assets/mana.png")
        local function text(y, fields) ecs.world:spawn(C.Position { x = 200, y = y }, gfx.Text(fields)) end
        text(100, { text = "AB", font = "assets/small.fnt", size = 10 })
        text(200, { text = "{red}a{/}{icon:mana}", markup = true, origin_x = 0, origin_y = 0 })
        text(300, { text = "abc", reveal = 1.7, outline = 2, shadow_x = 4 })
        text(400, { text = "AB", font = "assets/serif.ttf" })
        text(500, { text = "{what}", markup = true }))",
                  "require('ecs').component('Position', { { 'x', 'f32' }, { 'y', 'f32' } })"};
    const auto engine = game.play();
    run(*engine, 1);
    INFO(game.log);
    const std::string all = picture(*engine);
    INFO(all);
    CHECK(contains(all, "sprite at 194,96 size 6x8 assets/page.png [0,0 6x8]"));
    CHECK(contains(all, "sprite at 200,96 size 6x8 assets/page.png [8,0 6x8]"));
    CHECK(contains(all, "at 200,200 size 16 left \"{red}a{/}{icon:mana}\" 2 glyphs of 0 fonts"));
    CHECK(contains(all, "sprite at 209.805,201.312 size 32x16 assets/mana.png"));
    CHECK(
        contains(all, "\"abc\" 3 glyphs of 0 fonts revealed 1 outline 0.125 em #000000ff shadow 0.25,0 em"));
    CHECK(contains(all, "\"AB\" 2 glyphs of 1 fonts"));
    CHECK(contains(all, "\"{what}\" 6 glyphs"));
    CHECK(contains(game.log, "text '{what}': {what} is neither a colour nor {icon:name} nor {/}"));
    run(*engine, 2);
    CHECK(game.log.find("text '{what}'") == game.log.rfind("text '{what}'"));
}

TEST_CASE("a missing or broken font is reported once, and the game goes on in the default font") {
    TextGame game{
        "function draw()\ngfx.set_font('assets/no.ttf')\ngfx.print('hello', 0, 0)\n"
        "gfx.print('hi', 0, 0, { font = 'assets/bad.ttf' })\nend"};
    game.write("assets/bad.ttf", "no font");
    const auto engine = game.play();
    run(*engine, 3);
    CHECK(engine->error_count() == 0);
    CHECK(contains(picture(*engine), "\"hello\" 5 glyphs of 0 fonts"));
    CHECK(contains(game.log, "main.lua:2: asset 'assets/no.ttf' does not exist"));
    CHECK(contains(game.log,
                   "font 'assets/bad.ttf' cannot be used: it is not a TrueType or OpenType font; the "
                   "default font is used\n"));
    CHECK(game.log.find("cannot be used") == game.log.rfind("cannot be used"));
}

TEST_CASE("wrong arguments for fonts and texts are errors that name them") {
    CHECK(
        failure("gfx.set_font(3)") ==
        "bad argument #1 to 'gfx.set_font': expected the path of a font: *.ttf, *.otf, *.fnt, or *.png with "
        "gfx.font, got 3");
    CHECK(contains(failure("gfx.set_font('assets/a.woff')"), "expected the path of a font"));
    CHECK(failure("gfx.set_font('../a.ttf')") ==
          "gfx.set_font: asset path '../a.ttf': contains '.' or '..' as a part; paths never leave the game's "
          "folder");
    CHECK(contains(failure("gfx.set_font('assets/serif.ttf', 0)"),
                   "#2 to 'gfx.set_font': expected a number above 0"));
    CHECK(failure("gfx.print('{rde}x', 0, 0, { markup = true })") ==
          "gfx.print: {rde} is neither a colour nor {icon:name} nor {/}: 'rde' is not a colour; did you mean "
          "'red'?; write \"#rrggbb\" or a name like \"red\"; a brace is {{");
    CHECK(failure("gfx.print('{icon:coin}', 0, 0, { markup = true })") ==
          "gfx.print: no icon 'coin' is defined; gfx.icon(name, path) defines one");
    CHECK(failure("gfx.print('x', 0, 0, { markup = 1 })") ==
          "gfx.print: option 'markup': expected true or false, got 1");
    CHECK(failure("gfx.print('x', 0, 0, { reveal = 0/0 })") ==
          "gfx.print: option 'reveal': expected a finite number, got nan");
    CHECK(failure("gfx.print('x', 0, 0, { outlin = 1 })") ==
          "gfx.print: unknown key 'outlin'; did you mean 'outline'?");
    CHECK(failure("gfx.print('x', 0, 0, 300, 'center')") ==
          "gfx.print: 'center' is no colour; a text that is wrapped and aligned: gfx.print(text, x, y, { "
          "width = "
          "300, align = \"center\" })");
    CHECK(contains(failure("gfx.print({ { 1, 0, 0 }, 'fire' }, 0, 0)"),
                   "gfx.print: expected a text, got a table; parts of a text get colours with markup"));
    CHECK(contains(failure("gfx.text_length({})"), "gfx.text_length: expected a text, got a table"));
    CHECK(contains(failure("gfx.text_length(print)"), "#1 to 'gfx.text_length': expected a text"));
}

TEST_CASE("fonts and icons are described while files load, with errors that name what is wrong") {
    const auto log_of = [](std::string_view line) {
        TextGame game{line};
        const auto engine = game.play();
        CHECK_FALSE(engine->session().has_loaded());
        return game.log;
    };
    CHECK(contains(log_of("gfx.font('assets/page.png', {})"),
                   "gfx.font: a font that is an image needs the option 'glyphs'"));
    CHECK(contains(log_of("gfx.font('assets/page.png', { glyphs = 5 })"),
                   "gfx.font: option 'glyphs': expected the characters of the strip as a text, got 5"));
    CHECK(contains(log_of("gfx.font('assets/serif.ttf', { fallback = 5 })"), "expected the path of a font"));
    CHECK(contains(log_of("gfx.font('assets/serif.ttf', { line_height = 0 })"), "expected a number above 0"));
    CHECK(
        contains(log_of("gfx.icon('a:c', 'assets/mana.png')"), "expected a name without braces and colons"));
    CHECK(contains(log_of("gfx.icon('a', 'assets/mana.ttf')"), "expected the path of an image"));
    CHECK(contains(log_of("gfx.icon('a', 'assets/mana.png', { quad = 5 })"),
                   "gfx.icon: option 'quad': expected { x, y, width, height }, got 5"));
    CHECK(contains(failure("gfx.font('assets/serif.ttf')"), "declare it while the file is loaded"));
    CHECK(contains(failure("gfx.icon('a', 'assets/mana.png')"), "declare it while the file is loaded"));
}

TEST_CASE("huge and tiny numbers of texts draw something or nothing") {
    drawn(
        "for _, n in ipairs { 1e300, -1e300, 1e-300, 0 } do\n"
        "gfx.print('A{red}b', n, n, { outline = n, shadow = { n, n }, reveal = n, font = 'assets/small.fnt' "
        "})\n"
        "gfx.print('Ab', n, n, { outline = n, shadow = n, reveal = n, font = 'assets/serif.ttf', width = "
        "1e30 })\n"
        "end");
}
