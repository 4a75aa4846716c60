// The shaders of games: their values, and what happens when their files change.
#include "engine/shaders/shader_table.h"

#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>

#include <array>

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
          "shader 'assets/a.glsl', uniform 'strength': a float needs 1 numbers, got 0");
}

TEST_CASE("a saved shader keeps the values whose types are the same, and a faulty one changes nothing") {
    Files files{"uniform float a = 1.0; uniform vec2 b;\n"};
    files.send("a", {7});
    files.send("b", {8, 9});
    files.save("uniform vec3 b = vec3(3.0); uniform float new_ = 2.0, a = 5.0;\n");
    const Values now{3, 3, 3, 0, 2, 0, 0, 0, 7, 0, 0, 0};
    CHECK(files.shaders[files.id].values == now);
    files.save("uniform int wrong;\n");
    CHECK(files.shaders[files.id].values == now);
    files.shaders.reload(files.assets);
    CHECK(files.shaders.take_reports() ==
          std::vector<std::string>{
              "assets/a.glsl:1: a uniform cannot be a 'int': float, vec2, vec3 and vec4 are possible"});
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
