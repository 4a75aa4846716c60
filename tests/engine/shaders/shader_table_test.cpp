// The shaders of games: their values, and what happens when their files change.
#include "engine/shaders/shader_table.h"

#include "engine/assets/surface_id.h"
#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>

#include <array>
#include <cmath>

using namespace perigee;

namespace {

const std::string kEffect =
    "vec4 effect(vec4 color, sampler2D image, vec2 at, vec2 pixel) { return color; }\n";

struct Files {
    explicit Files(const std::string& source) {
        folder.write("assets/a.glsl", source + kEffect);
        assets.mount("game", folder.path()).value();
        file = assets.intern(0, "assets/a.glsl").value();
        id = shaders.of_file(file, assets, 0).value();
    }
    void save(const std::string& source) {
        folder.write("assets/a.glsl", source + kEffect);
        shaders.reload(assets);
    }
    std::string send(std::string_view name, std::initializer_list<float> values) {
        const Result<void> sent = shaders.send(id, name, std::span{values.begin(), values.size()});
        return sent ? "" : sent.error().message;
    }

    test::TemporaryFolder folder;
    AssetStore assets;
    AssetHandle file = 0;
    ShaderTable shaders;
    ShaderId id = 0;
};

using Values = std::vector<float>;

}  // namespace

TEST_CASE("uniforms start with their defaults and take values of their type") {
    Files files{"uniform float strength = 0.5; uniform vec3 tint;\n"};
    const Shader& shader = files.shaders[files.id];
    CHECK(shader.values == Values{0.5F, 0, 0, 0, 0, 0, 0, 0});
    const std::uint64_t before = shader.stamp;
    CHECK(files.send("tint", {1, 2, 3}) == "");
    CHECK(shader.values == Values{0.5F, 0, 0, 0, 1, 2, 3, 0});
    CHECK(shader.stamp > before);
    const std::uint64_t after = shader.stamp;
    CHECK(files.send("tint", {1, 2, 3}) == "");
    CHECK(shader.stamp == after);
    CHECK(files.send("strenght", {1}) ==
          "shader 'assets/a.glsl' has no uniform 'strenght'; did you mean 'strength'?");
    CHECK(files.send("time", {1}) == "the engine sets uniform 'time'; leave this call out");
    CHECK(files.send("tint", {1}) == "shader 'assets/a.glsl', uniform 'tint': a vec3 needs 3 numbers, got 1");
    CHECK(files.send("strength", {}) ==
          "shader 'assets/a.glsl', uniform 'strength': a float needs 1 number, got 0");
}

TEST_CASE("a shader that declares the time, as those of LÖVE do, can be sent it") {
    Files files{"extern number time; uniform float a = 1.0; uniform vec2 screen_size;\n"};
    const Shader& shader = files.shaders[files.id];
    REQUIRE(shader.values.size() == 12);
    CHECK(std::isnan(shader.values[0]));  // the engine sets it
    CHECK(std::isnan(shader.values[8]));
    CHECK(files.send("time", {7}) == "");
    CHECK(shader.values[0] == 7);
    files.save("uniform float time = 3.0; uniform float b;\n");
    CHECK(shader.values == Values{7, 0, 0, 0, 0, 0, 0, 0});
}

TEST_CASE("a saved shader keeps the values whose types are the same, and a faulty one changes nothing") {
    Files files{"uniform float a = 1.0; uniform vec2 b;\n"};
    files.send("a", {7});
    files.send("b", {8, 9});
    files.save("uniform vec3 b = vec3(3.0); uniform float new_ = 2.0, a = 5.0;\n");
    const Values now{3, 3, 3, 0, 2, 0, 0, 0, 7, 0, 0, 0};
    CHECK(files.shaders[files.id].values == now);
    files.save("uniform ivec3 wrong;\n");
    CHECK(files.shaders[files.id].values == now);
    files.shaders.reload(files.assets);
    CHECK(
        files.shaders.take_reports() ==
        std::vector<std::string>{"assets/a.glsl:1: a uniform cannot be a 'ivec3': float, int, bool, vec2 to "
                                 "vec4, mat2 to mat4 and Image are possible"});
}

TEST_CASE("images of a shader are white until they are sent, and stay when it is saved") {
    Files files{"uniform Image mask, noise; uniform vec2 a[2];\n"};
    const Shader& shader = files.shaders[files.id];
    const auto send = [&](std::string_view name, std::uint32_t image) {
        const Result<void> sent = files.shaders.send_image(files.id, name, image);
        return sent ? "" : sent.error().message;
    };
    CHECK(shader.images == std::array<std::uint32_t, 4>{});
    const std::uint64_t before = shader.stamp;
    CHECK(send("noise", 7) == "");
    CHECK(shader.images == std::array<std::uint32_t, 4>{0, 7});
    CHECK(shader.stamp > before);
    CHECK(send("nose", 7) == "shader 'assets/a.glsl' has no uniform 'nose'; did you mean 'noise'?");
    CHECK(send("a", 7) == "shader 'assets/a.glsl', uniform 'a': it is no image but a vec2[2]");
    CHECK(send("time", 7) == "the engine sets uniform 'time'; leave this call out");
    CHECK(files.send("mask", {1}) ==
          "shader 'assets/a.glsl', uniform 'mask': it is an image: send a path, a canvas or pixels");
    CHECK(files.send("a", {1, 2, 3}) ==
          "shader 'assets/a.glsl', uniform 'a': a vec2[2] needs 4 numbers, got 3");
    CHECK(files.send("a", {1, 2, 3, 4}) == "");
    CHECK(shader.values == Values{1, 2, 0, 0, 3, 4, 0, 0});
    CHECK(files.shaders.size_of(files.id, "mask") == ShaderTable::kIsImage);
    CHECK(files.shaders.size_of(files.id, "a") == 4);
    files.save("uniform Image noise; uniform float b; uniform vec2 a[2];\n");
    CHECK(shader.images == std::array<std::uint32_t, 4>{7});
    CHECK(shader.values == Values{0, 0, 0, 0, 1, 2, 0, 0, 3, 4, 0, 0});
    CHECK(send("noise", kFirstSurface) == "");
    files.shaders.forget_surfaces(files.id);
    CHECK(shader.images == std::array<std::uint32_t, 4>{});
}

TEST_CASE("a source in a Lua file is one shader, and takes the next version after a load") {
    ShaderTable shaders;
    const auto of = [&](std::string_view place, const std::string& declarations, MountId owner = 0) {
        return shaders.of_text(place, declarations + kEffect, owner);
    };
    const ShaderId one = of("main.lua:1", "uniform float a;").value();
    CHECK(of("main.lua:9", "uniform float a;").value() == one);
    CHECK(of("main.lua:1", "uniform float a;", 1).value() != one);
    const ShaderId two = of("main.lua:1", "uniform float b;").value();
    CHECK(two != one);
    CHECK(shaders[one].source->name != shaders[two].source->name);
    const float half = 0.5F;
    REQUIRE(shaders.send(one, "a", std::span{&half, 1}).ok());
    shaders.begin_load();
    CHECK(of("main.lua:1", "uniform float a, c;").value() == one);
    CHECK(shaders[one].values == Values{0.5F, 0, 0, 0, 0, 0, 0, 0});
    CHECK(of("main.lua:3", "uniform ivec2 a;")
              .error()
              .message.starts_with("main.lua:3, line 1: a uniform cannot"));
    CHECK(shaders.of_text("main.lua:3", "\nvoid main() {}", 0)
              .error()
              .message.starts_with("main.lua:3: a shader needs"));
    // Each load with other texts at other places: old ones give their room.
    for (int load = 0; load < 3; ++load) {
        shaders.begin_load();
        for (int i = 0; i < 60; ++i) {
            const std::string place = "main.lua:" + std::to_string(100 * load + i);
            CHECK(of(place, "uniform float x" + std::to_string(100 * load + i) + ";").ok());
        }
    }
    for (int i = 0; i < 4; ++i) CHECK(of("x.lua:1", "uniform float y" + std::to_string(i) + ";").ok());
    CHECK(of("x.lua:1", "uniform float z;").error().message == "the game and each mod can have 64 shaders");
}

TEST_CASE("a shader whose file is missing has no source and takes every value") {
    Files files{""};
    const AssetHandle missing = files.assets.intern(0, "assets/none.glsl").value();
    files.id = files.shaders.of_file(missing, files.assets, 0).value();
    CHECK(files.shaders[files.id].source == nullptr);
    CHECK(files.send("anything", {1, 2}) == "");
    CHECK(files.shaders.take_reports().empty());
}

TEST_CASE("each owner has its own values, and 64 shaders at most") {
    Files files{"uniform float a;\n"};
    const ShaderId other = files.shaders.of_file(files.file, files.assets, 1).value();
    CHECK(other != files.id);
    CHECK(files.shaders.of_file(files.file, files.assets, 0).value() == files.id);
    files.send("a", {1});
    CHECK(files.shaders[other].values == Values{0, 0, 0, 0});
    for (int i = 1; i < 64; ++i) {
        const AssetHandle next = files.assets.intern(0, std::to_string(i) + ".glsl").value();
        CHECK(files.shaders.of_file(next, files.assets, 0).ok());
    }
    CHECK(files.shaders.of_effect("blur", 0).error().message == "the game and each mod can have 64 shaders");
    CHECK(files.shaders.of_effect("blur", 1).ok());
}

TEST_CASE("the effects of the engine are sources without mistakes") {
    CHECK(effect_names() == std::vector<std::string_view>{"bloom", "blur", "crt", "dissolve", "outline",
                                                          "palette", "vignette", "wave"});
    ShaderTable shaders;
    for (const std::string_view name : effect_names()) {
        const Shader& shader = shaders[shaders.of_effect(name, 0).value()];
        INFO(name);
        REQUIRE(shader.source);
        CHECK(shader.source->name == name);
        CHECK_FALSE(shader.source->uniforms.empty());
    }
    CHECK(shaders.take_reports().empty());
}
