// Sources of shaders: the uniforms that are found in them, and the message for each mistake.
#include "engine/shaders/shader_source.h"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace perigee;

namespace {

const std::string kEffect =
    "vec4 effect(vec4 color, sampler2D image, vec2 at, vec2 pixel) { return color; }\n";

std::string error_of(const std::string& text) {
    const Result<ShaderSource> parsed = parse_shader("a.glsl", text + kEffect);
    return parsed ? "no error" : parsed.error().message;
}

}  // namespace

TEST_CASE("uniforms are found with their types and defaults") {
    const ShaderSource source = parse_shader("a.glsl", R"(// uniform mat4 no;
/* uniform int
   neither; */
uniform float plain, half_ = -0.5f;
uniform highp vec2 pair = vec2(1.0, 2.5);
uniform vec3 grey = vec3(0.25);uniform vec4 c
  = vec4(1, 2.0, 3.,
         .5);
)" + kEffect)
                                    .value();
    REQUIRE(source.uniforms.size() == 5);
    const auto is = [&](std::size_t i, const char* name, int size, std::array<float, 4> initial) {
        const ShaderUniform& uniform = source.uniforms[i];
        return uniform.name == name && uniform.size == size && uniform.initial == initial;
    };
    CHECK(is(0, "plain", 1, {}));
    CHECK(is(1, "half_", 1, {-0.5F}));
    CHECK(is(2, "pair", 2, {1, 2.5F}));
    CHECK(is(3, "grey", 3, {0.25F, 0.25F, 0.25F}));
    CHECK(is(4, "c", 4, {1, 2, 3, 0.5F}));
    // What the driver gets: lines keep their numbers.
    CHECK(std::ranges::count(source.code, '\n') == 9);
    CHECK(source.code.find("no;") == source.code.npos);
    CHECK(source.code.find("-0.5") == source.code.npos);
    CHECK(source.code.find("uniform float plain, half_") != source.code.npos);
}

TEST_CASE("the words that LÖVE adds to the language are those of GLSL before a name, and nothing else") {
    const ShaderSource source = parse_shader("a.glsl", R"(extern number strength = 0.5;
extern vec2 aside;
uniform number numbers;
float number = 1.0;  // a name
vec4 effect(vec4 color, Image image, vec2 at, vec2 pixel) {
    number x = number * 2.0; Image2 = extern; return Texel(image, at) * x; }
extern)")
                                    .value();
    REQUIRE(source.uniforms.size() == 3);
    CHECK(source.uniforms[0].name == "strength");
    CHECK(source.uniforms[0].initial[0] == 0.5F);
    CHECK(source.uniforms[1].size == 2);
    CHECK(source.uniforms[2].name == "numbers");
    CHECK(source.code.starts_with("uniform float strength"));
    CHECK(source.code.find("effect(vec4 color, sampler2D image, vec2 at, vec2 pixel)") != source.code.npos);
    CHECK(source.code.find("float number = 1.0;") != source.code.npos);
    CHECK(source.code.find("float x = number * 2.0; Image2 = extern;") != source.code.npos);
    CHECK(source.code.ends_with("extern"));
}

TEST_CASE("images of a shader are found, and what reads them names their number") {
    const ShaderSource source = parse_shader("a.glsl", R"(extern Image mask;
uniform sampler2D noise, other;
#define NOISE(at) Texel(noise, at)
vec4 effect(vec4 color, Image image, vec2 at, vec2 pixel) {
    vec2 size = vec2(textureSize(mask, 0));
    return Texel(mask, at) + texture2D(
        other, at) * Texel( image, at) + texture(noise, mask_at) + NOISE(at); })")
                                    .value();
    CHECK(source.images == std::vector<std::string>{"mask", "noise", "other"});
    CHECK(source.uniforms.empty());
    CHECK(source.code == R"(uniform sampler2D mask;
uniform sampler2D noise, other;
#define NOISE(at) second_texel(1, noise, at)
vec4 effect(vec4 color, sampler2D image, vec2 at, vec2 pixel) {
    vec2 size = vec2(textureSize(mask, 0));
    return second_texel(0, mask, at) + second_texel(
        2, other, at) * Texel( image, at) + second_texel(1, noise, mask_at) + NOISE(at); })");
    CHECK(error_of("uniform Image a, b, c;\nuniform Image d, e;") ==
          "a.glsl:2: a shader can have at most 4 images besides the one that is drawn");
    CHECK(error_of("uniform Image a;\nvec4 b() { return blur(a, vec2(0.0)); }") ==
          "a.glsl:2: image 'a' is read as in Texel(a, at); the functions of a shader cannot take it as an "
          "argument");
    CHECK(error_of("uniform Image a = 1;") == "a.glsl:1: expected an image like this: uniform Image mask;");
    CHECK(error_of("uniform Image a; uniform float a;") == "a.glsl:1: uniform 'a' is declared twice");
    CHECK(error_of("uniform Image time;").find("has the uniform 'time' already") != std::string::npos);
}

TEST_CASE("texture and texture2D of the image that is drawn are Texel, which knows its place on the page") {
    const ShaderSource source =
        parse_shader("a.glsl",
                     "uniform Image mask;\nvec4 effect(vec4 color, Image texture, vec2 at, vec2 pixel) {\n"
                     "return texture2D(texture, at) + texture (texture, at) + texture(mask, at) + "
                     "Texel(texture, at); }")
            .value();
    CHECK(source.code ==
          "uniform sampler2D mask;\nvec4 effect(vec4 color, sampler2D texture, vec2 at, vec2 pixel) {\n"
          "return Texel(texture, at) + Texel (texture, at) + second_texel(0, mask, at) + Texel(texture, at); "
          "}");
}

TEST_CASE("arrays and matrices are found with their types") {
    const ShaderSource source =
        parse_shader("a.glsl", "uniform float w[9], one;\nextern vec2 p[ 3 ];\nuniform mat4 m;\n" + kEffect)
            .value();
    REQUIRE(source.uniforms.size() == 4);
    const auto is = [&](std::size_t i, const char* type, std::size_t first) {
        return source.uniforms[i].type() == type && source.uniforms[i].first == first;
    };
    CHECK(is(0, "float[9]", 0));
    CHECK(is(1, "float", 9));
    CHECK(is(2, "vec2[3]", 10));
    CHECK(is(3, "mat4", 13));
    CHECK(source.elements == 17);
    CHECK(error_of("uniform vec2 a[n];") ==
          "a.glsl:1: array 'a': expected its length as a number, like points[8]");
    CHECK(error_of("uniform vec2 a[0];") ==
          "a.glsl:1: array 'a': expected its length as a number, like points[8]");
    CHECK(error_of("uniform vec2 a[99999999999];").find("expected its length") != std::string::npos);
    CHECK(error_of("uniform mat2 a = mat2(1.0);") ==
          "a.glsl:1: uniform 'a': a mat2 cannot have a default; send it");
    CHECK(error_of("uniform float a[2] = 1.0;") ==
          "a.glsl:1: uniform 'a': a float[2] cannot have a default; send it");
    CHECK(error_of("uniform vec4 a[100];\nuniform float b[61];") ==
          "a.glsl:2: all uniforms of a shader together can have at most 160 numbers and vectors");
}

TEST_CASE("whole numbers and booleans are found with their types and defaults") {
    const ShaderSource source =
        parse_shader("a.glsl", "uniform int n = 3, list[4];\nextern bool b = true, c;\n" + kEffect).value();
    REQUIRE(source.uniforms.size() == 4);
    CHECK(source.uniforms[0].type() == "int");
    CHECK(source.uniforms[0].initial[0] == 3);
    CHECK(source.uniforms[1].type() == "int[4]");
    CHECK(source.uniforms[2].type() == "bool");
    CHECK(source.uniforms[2].initial[0] == 1);
    CHECK(source.uniforms[3].initial[0] == 0);
    CHECK_FALSE(source.uniforms[0].is_like(source.uniforms[2]));
    CHECK(error_of("uniform int n = 0.5;") ==
          "a.glsl:1: default of uniform 'n': expected a whole number like 3");
    CHECK(error_of("uniform bool b = 1;") == "a.glsl:1: default of uniform 'b': expected true or false");
}

TEST_CASE("lines of a source in a Lua file are counted within it") {
    CHECK(shader_place("assets/a.glsl", "3") == "assets/a.glsl:3");
    CHECK(shader_place("blur", "3") == "blur:3");
    CHECK(shader_place("main.lua:12", "3") == "main.lua:12, line 3");
    CHECK(parse_shader("main.lua:12 (2)", "\nuniform ivec2 a;")
              .error()
              .message.starts_with("main.lua:12 (2), line 2: a uniform cannot be a 'ivec2'"));
}

TEST_CASE("a mistake in a uniform is reported with its line") {
    CHECK(error_of("\nuniform ivec2 m;") ==
          "a.glsl:2: a uniform cannot be a 'ivec2': float, int, bool, vec2 to vec4, mat2 to mat4 and Image "
          "are possible");
    CHECK(error_of("uniform float 3;") ==
          "a.glsl:1: expected a uniform like this: uniform float strength = 1.0;");
    CHECK(
        error_of("uniform vec2 time;") ==
        "a.glsl:1: every shader has the uniform 'time' already; the engine sets it, so leave this line out");
    CHECK(error_of("uniform vec2 texel;").find("has the uniform 'texel' already") != std::string::npos);
    CHECK(error_of("uniform float time; extern number time;") ==
          "a.glsl:1: uniform 'time' is declared twice");
    CHECK(error_of("uniform float a;\n\nuniform vec2 a;") == "a.glsl:3: uniform 'a' is declared twice");
    CHECK(error_of("uniform float a = 1.0 + 1.0;") ==
          "a.glsl:1: expected a uniform like this: uniform float strength = 1.0;");
    CHECK(error_of("uniform float a = b;") == "a.glsl:1: default of uniform 'a': expected a number like 0.5");
    CHECK(error_of("uniform vec2 a = vec2(1.0, 2.0, 3.0);") ==
          "a.glsl:1: default of uniform 'a': expected vec2(…) of 2 numbers");
    std::string many;
    for (int i = 0; i < 33; ++i) many += "uniform float u" + std::to_string(i) + ";\n";
    CHECK(error_of(many) == "a.glsl:33: a shader can have at most 32 uniforms");
    for (const char* cut : {"uniform", "uniform float", "uniform float a", "uniform float a =", "/*"})
        CHECK_FALSE(parse_shader("a.glsl", cut).ok());
}

TEST_CASE("a source without the function effect, or one that is too long, is refused") {
    CHECK(parse_shader("a.glsl", "void main() {}").error().message ==
          "a.glsl: a shader needs a function vec4 effect(vec4 color, sampler2D image, vec2 at, vec2 pixel)");
    CHECK(parse_shader("a.glsl", std::string(70'000, ' ')).error().message ==
          "a.glsl: a shader can have at most 64 KB");
}
