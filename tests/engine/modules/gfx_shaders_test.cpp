// gfx.shader, gfx.effect and gfx.set_shader in scripts: what reaches the draw list, and the message of each
// error.
#include "engine/modules/gfx_shaders.h"

#include "engine/assets/surface_id.h"
#include "engine/session/game_session.h"
#include "scripting/mods/runtime.h"
#include "tests/engine/game_folder.h"

#include <string>

using namespace perigee;
using namespace perigee::test;

namespace {

const std::string kGlow = R"(uniform float strength = 0.5;
uniform vec2 aside;
uniform vec3 tint;
uniform vec4 edge = vec4(1.0);
vec4 effect(vec4 color, sampler2D image, vec2 at, vec2 pixel) { return color * strength; }
)";

struct ShaderGame : GameFolder {
    explicit ShaderGame(const std::string& main) : GameFolder{main} {
        write("assets/hero.png", png_head(64, 32));
        write("assets/glow.glsl", kGlow);
    }
};

// The lines of the draw list that name a shader.
std::string shaders_of(const Engine& engine) {
    std::string found, line;
    for (const char letter : picture(engine)) {
        line += letter;
        if (letter != '\n') continue;
        if (line.starts_with("shader")) found += line;
        line.clear();
    }
    return found;
}

std::string drawn(const std::string& main) {
    ShaderGame game{main};
    const auto engine = game.play();
    run(*engine, 1);
    INFO(game.log);
    CHECK(engine->error_count() == 0);
    return shaders_of(*engine);
}

// The message of the error that this line of draw() ends in.
std::string failure(const std::string& line) {
    ShaderGame game{"local s = gfx.shader 'assets/glow.glsl'\n\nfunction draw()\n" + line + "\nend"};
    const auto engine = game.play();
    run(*engine, 1);
    const auto& errors = engine->session().scripts().recent_errors();
    if (errors.empty()) return "no error";
    CHECK(errors.back().file == "main.lua");
    CHECK(errors.back().line == 4);
    return errors.back().message;
}

}  // namespace

TEST_CASE("images are drawn with the shader and the values that are set then") {
    CHECK(drawn(R"(
        local s = gfx.shader "assets/glow.glsl"
        s:send("aside", 3, 4)
        assert(gfx.shader "assets/glow.glsl" == s and gfx.effect "blur" ~= s and tostring(s) == "shader")
        function draw()
          gfx.image("assets/hero.png", 0, 0)
          gfx.set_shader(s)
          gfx.image("assets/hero.png", 1, 0)
          gfx.image("assets/hero.png", 2, 0)
          s:send("strength", 2)
          s:send("tint", { 1, 0, 0.2 })
          s:send("edge", "#00ff0033")
          gfx.image("assets/hero.png", 3, 0)
          assert(gfx.get_shader() == s)
          gfx.push "all"
          gfx.set_shader()
          assert(gfx.get_shader() == nil)
          gfx.image("assets/hero.png", 4, 0)
          gfx.pop()
          gfx.image("assets/hero.png", 5, 0)
          gfx.reset()
          gfx.image("assets/hero.png", 6, 0)
          gfx.set_shader(gfx.effect "wave")
          assert(gfx.get_shader() == gfx.effect "wave")
          gfx.image("assets/hero.png", 7, 0)
        end)") ==
          "shader assets/glow.glsl time 0.0166667 strength 0.5 aside 3,4 tint 0,0,0 edge 1,1,1,1\n"
          "shader assets/glow.glsl time 0.0166667 strength 2 aside 3,4 tint 1,0,0.2 edge 0,1,0,0.2\n"
          "shader none\n"
          "shader assets/glow.glsl time 0.0166667 strength 2 aside 3,4 tint 1,0,0.2 edge 0,1,0,0.2\n"
          "shader none\n"
          "shader wave time 0.0166667 amplitude 3 wavelength 24 speed 1\n");
}

TEST_CASE("a canvas that is cleared after drawing with a shader starts without one") {
    CHECK(drawn(R"(
        local s, c = gfx.effect "blur", gfx.canvas(8, 8)
        function draw()
          gfx.set_canvas(c)
          gfx.set_shader(s)
          gfx.image("assets/hero.png", 0, 0)
          gfx.clear_canvas(c)
          gfx.rectangle("fill", 0, 0, 4, 4)
          gfx.image("assets/hero.png", 0, 0)
          gfx.set_canvas()
          gfx.image(c, 0, 0)
        end)") == "shader blur time 0.0166667 radius 4\n");
}

TEST_CASE("images are sent to a shader as paths, canvases and pixels, and the list names them") {
    CHECK(drawn(R"(
        local s = gfx.shader [[
          extern Image mask;
          extern vec2 points[2];
          extern mat2 turn;
          vec4 effect(vec4 color, Image image, vec2 at, vec2 pixel) { return Texel(image, at) * Texel(mask, at); }
        ]]
        local pixels, canvas = gfx.pixels(2, 2), gfx.canvas(4, 4)
        local function show() gfx.image("assets/hero.png", 0, 0) end
        function draw()
          gfx.set_shader(s)
          show()
          s:send("mask", "assets/hero.png")
          s:send("points", { 1, 2 }, { 3, 4 })
          s:send("turn", { { 1, 2 }, { 3, 4 } })
          show()
          s:send("points", { { 5, 6 }, { 7, 8 } })
          s:send("points", 5, 6, 7, 8)
          s:send("turn", { 5, 6, 7, 8 })
          s:send("mask", pixels)
          show()
          s:send("mask", canvas)
          show()
        end)") ==
          "shader game/main.lua:7 time 0.0166667 points 0,0/0,0 turn 1,0/0,1 mask white\n"
          "shader game/main.lua:7 time 0.0166667 points 1,2/3,4 turn 1,2/3,4 mask assets/hero.png\n"
          "shader game/main.lua:7 time 0.0166667 points 5,6/7,8 turn 5,6/7,8 mask pixels 1\n"
          "shader game/main.lua:7 time 0.0166667 points 5,6/7,8 turn 5,6/7,8 mask canvas 1\n");
}

TEST_CASE("mistakes with images of shaders and sources in Lua are reported at the line of the call") {
    const auto has = [&](const std::string& line, std::string_view message) {
        const std::string got = failure(
            "local m = gfx.shader('uniform Image mask;\\nvec4 effect(vec4 c, Image i, vec2 a, "
            "vec2 p) { return c; }') local c = C or gfx.canvas(8, 8) C = c " +
            line);
        INFO(line << "\n" << got);
        CHECK(contains(got, message));
    };
    has("m:send('mask', 1)", "uniform 'mask': it is an image: send a path, a canvas or pixels");
    has("m:send('mask', 'assets/x.txt')",
        "bad argument #2 to 'shader:send': expected the path of an image, *.png or *.jpg, got "
        "'assets/x.txt'");
    has("m:send('mask')",
        "bad argument #2 to 'shader:send': expected the path of an image, a canvas or pixels, got nil");
    has("s:send('edge', {}, {})", "uniform 'edge': a vec4 needs 4 numbers, got 0");
    has("s:send('edge', { 1, 2 }, { 3, 'x' })", "expected a finite number, got 'x'");
    has("m:send('mask', gfx.mesh(3))", "expected the path of an image, a canvas or pixels, got cdata");
    has("s:send('strength', c)", "uniform 'strength': it is no image but a float");
    has("m:send('mak', 'assets/hero.png')", "has no uniform 'mak'; did you mean 'mask'?");
    has("m:send('mask', c) gfx.set_canvas(c) gfx.set_shader(m)",
        "gfx.set_shader: a canvas cannot be drawn into itself");
    has("gfx.shader('\\n\\nuniform ivec2 a;')",
        "gfx.shader: game/main.lua:4, line 3: a uniform cannot be a 'ivec2'");
    has("gfx.shader('\\n')", "gfx.shader: game/main.lua:4: a shader needs a function vec4 effect");
    has("gfx.shader('assets/glow.glsl', 'x')", "there are no vertex shaders, so it takes one argument");
}

TEST_CASE("a surface that was sent before its file was saved is alive, or no longer sent") {
    const std::string rest =
        "local s = gfx.shader [[\nuniform Image mask;\nvec4 effect(vec4 c, Image i, vec2 a, vec2 p) { return "
        "c; }]]\n"
        "function draw() gfx.set_shader(s) gfx.image('assets/hero.png', 0, 0) end\n";
    ShaderGame game{rest + "s:send('mask', gfx.canvas(4, 4))"};
    const auto engine = game.play();
    run(*engine, 1);
    CHECK(contains(shaders_of(*engine), " mask canvas 1\n"));
    game.write("main.lua", rest + "for i = 1, 500 do gfx.canvas(1, 1) end c = gfx.canvas(2, 2)");
    engine->session().reload({game.path() / "main.lua"});
    run(*engine, 3);
    INFO(game.log);
    CHECK(engine->error_count() == 0);
    const bool is_alive = engine->images().size_of(kFirstSurface).width == 4;
    CHECK(contains(shaders_of(*engine), is_alive ? " mask canvas 1\n" : " mask white\n"));
}

TEST_CASE("a source in a Lua file is its next version when the file is saved") {
    const auto main = [](const std::string& number) {
        return "local s = gfx.shader [[\nuniform float a" + number +
               ";\nvec4 effect(vec4 c, Image i, vec2 at, vec2 p) { return c; }]]\n"
               "function draw() gfx.set_shader(s) gfx.image('assets/hero.png', 0, 0) end";
    };
    ShaderGame game{main("")};
    const auto engine = game.play();
    run(*engine, 1);
    CHECK(contains(shaders_of(*engine), " a 0\n"));
    for (int i = 0; i < 70; ++i) {
        game.write("main.lua", std::string(static_cast<std::size_t>(i), '\n') + main(std::to_string(i)));
        engine->session().reload({game.path() / "main.lua"});
        run(*engine, 1);
    }
    INFO(game.log);
    CHECK(engine->error_count() == 0);
    CHECK(contains(shaders_of(*engine), " a69 0\n"));
}

TEST_CASE("mistakes with shaders are reported at the line of the call") {
    const auto has = [](const std::string& line, std::string_view message) {
        const std::string got = failure(line);
        INFO(line << "\n" << got);
        CHECK(contains(got, message));
    };
    has("s:send('strenght', 1)",
        "shader:send: shader 'assets/glow.glsl' has no uniform 'strenght'; did you mean 'strength'?");
    has("s:send('strength', 1, 2)", "uniform 'strength': a float needs 1 number, got 2");
    has("s:send('tint', 1)", "uniform 'tint': a vec3 needs 3 numbers, got 1");
    has("s:send('aside', 'red')", "shader:send: uniform 'aside' takes numbers, got 'red'");
    has("s:send('tint', 'redd')", "did you mean 'red'?");
    has("s:send('time', 1)", "the engine sets uniform 'time'; leave this call out");
    has("s:send('edge', 1, 2, 3, 4, 5)", "uniform 'edge': a vec4 needs 4 numbers, got 5");
    has("s:send('aside', 1, 0/0)", "bad argument #3 to 'shader:send': expected a finite number, got ");
    has("s:send('aside', 1, 'x')", "bad argument #3 to 'shader:send': expected a finite number, got 'x'");
    has("s:send(1, 2)", "bad argument #1 to 'shader:send': expected the name of a uniform, got 1");
    has("s:send('tint', { 1, 2 })", "uniform 'tint': a vec3 needs 3 numbers, got 2");
    has("s:send('tint', { 1, 2, 'x' })", "expected a finite number, got 'x'");
    has("s:sendColor('tint', 'red')", "a shader has no 'sendColor'; write shader:send(name, \"#ff8800\")");
    has("gfx.shader 'extern number a;'",
        "a text of one line is the path of a file; a source needs a line break");
    has("s.send('strength', 2)", "shader:send: call it with a colon");
    has("s:sent('strength', 2)", "a shader has no 'sent'; did you mean 'send'?");
    has("s.strength = 2", "uniforms of a shader are set as in shader:send(\"name\", 1)");
    has("gfx.set_shader('blur')",
        "bad argument #1 to 'gfx.set_shader': expected a shader of gfx.shader or gfx.effect, got 'blur'");
    has("gfx.shader('assets/hero.png')", "expected the path of a shader, *.glsl, got 'assets/hero.png'");
    has("gfx.shader('/x.glsl')", "gfx.shader: ");
    has("gfx.shader()", "expected the path of a shader, got nil");
    has("gfx.effect('blurr')", "; did you mean 'blur'?");
    has("for i = 1, 64 do gfx.shader('assets/' .. i .. '.glsl') end",
        "gfx.shader: the game and each mod can have 64 shaders");
}

TEST_CASE("a faulty shader is reported with its line, a missing one like any asset, and the game goes on") {
    ShaderGame game{
        "local a, b = gfx.shader 'assets/bad.glsl', gfx.shader 'assets/glw.glsl'\n"
        "function draw() a:send('x', 1) gfx.set_shader(a) gfx.image('assets/hero.png', 0, 0) "
        "gfx.set_shader(b) gfx.image('assets/hero.png', 0, 0) end"};
    game.write("assets/bad.glsl", "\nuniform sampler3D other;");
    const auto engine = game.play();
    run(*engine, 2);
    INFO(game.log);
    CHECK(contains(game.log, "assets/bad.glsl:2: a uniform cannot be a 'sampler3D'"));
    CHECK(contains(game.log, "assets/glw.glsl"));
    CHECK(contains(game.log, "did you mean 'assets/glow.glsl'?"));
    CHECK(engine->error_count() == 0);
    CHECK(shaders_of(*engine) == "");
}

TEST_CASE("a saved shader is used from the next frame on, and the last one that can be read stays") {
    ShaderGame game{
        "local s = gfx.shader 'assets/glow.glsl'\n"
        "function draw() gfx.set_shader(s) gfx.image('assets/hero.png', 0, 0) end"};
    const auto engine = game.play();
    run(*engine, 1);
    const auto save = [&](const std::string& text) {
        game.write("assets/glow.glsl", text);
        engine->session().reload({game.path() / "assets/glow.glsl"});
        run(*engine, 1);
    };
    save("uniform float other = 3.0;\n" + kGlow);
    CHECK(contains(shaders_of(*engine), " other 3 strength 0.5 "));
    save("uniform ivec2 other;\n" + kGlow);
    CHECK(contains(shaders_of(*engine), " other 3 strength 0.5 "));
    CHECK(contains(game.log, "assets/glow.glsl:1: a uniform cannot be a 'ivec2'"));
}

TEST_CASE("a mod has the effects of the engine, and shaders of its own only with the player's permission") {
    const auto log_of = [](const std::string& settings) {
        GameFolder game{"function update() end"};
        game.write("mods/bad/mod.json", R"({"id": "bad", "permissions": {"shaders": true}})");
        game.write("mods/bad/glow.glsl", kGlow);
        game.write("mods/bad/main.lua",
                   "print('effect', pcall(gfx.effect, 'blur'))\n"
                   "print('shader', pcall(gfx.shader, 'glow.glsl'))\n"
                   "print('text', pcall(gfx.shader, 'vec4 effect(vec4 c, Image i, vec2 a, vec2 p)\\n{ return "
                   "c; }'))");
        game.write("settings.json", settings);
        EngineConfig config = game.config();
        config.settings_file = game.path() / "settings.json";
        const auto engine = GameFolder::play(config);
        run(*engine, 1);
        return game.log;
    };
    std::string log = log_of("{}");
    CHECK(contains(log, "effect\ttrue\tshader"));
    CHECK(contains(log, "shader\tfalse\tbad/main.lua:2: gfx.shader: a mod may not bring shaders"));
    CHECK(contains(log, "text\tfalse\tbad/main.lua:3: gfx.shader: a mod may not bring shaders"));
    CHECK(contains(log, "mod 'bad' requests to bring shaders"));
    log = log_of(R"({"bad": {"permissions": {"shaders": true}}})");
    CHECK(contains(log, "shader\ttrue\tshader"));
    CHECK(contains(log, "text\ttrue\tshader"));
    CHECK_FALSE(contains(log, "requests to"));
}
