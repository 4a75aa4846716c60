// Definition by name, limits, and what is reported.
#include "engine/extract/animation_clips.h"

#include "ecs/schema/text_pool.h"

#include <catch2/catch.hpp>

using namespace perigee;

TEST_CASE("a clip is found by its name, and a definition of the same name replaces it") {
    TextPool texts;
    AnimationClips clips;
    CHECK(clips.is_empty());
    REQUIRE(clips.define({"hero#walk", 1, {0, 1}, {0.1F, 0.1F}, {{1, "step"}}, ClipLoop::loop}, 0));
    const TextHandle name = texts.intern("hero#walk").value();
    CHECK(clips.find(texts, name)->events.front().name == "step");
    REQUIRE(clips.define({"hero#walk", 1, {4}, {0.1F}, {}, ClipLoop::loop}, 0));
    CHECK(clips.find(texts, name)->frames.front() == 4);
    CHECK(clips.find(texts, TextHandle{}) == nullptr);
    CHECK(clips.take_reports().empty());
}

TEST_CASE("an unknown clip is reported once, with the nearest name, and may be defined later") {
    TextPool texts;
    AnimationClips clips;
    REQUIRE(clips.define({"hero#walk", 1, {0}, {}, {}, ClipLoop::loop}, 0));
    const TextHandle name = texts.intern("hero#wlak").value();
    CHECK(clips.find(texts, name) == nullptr);
    CHECK(clips.find(texts, name) == nullptr);
    CHECK(clips.take_reports() ==
          std::vector<std::string>{"gfx.Animation: there is no clip 'hero#wlak'; did you mean 'hero#walk'?"});
    REQUIRE(clips.define({"hero#wlak", 1, {0}, {}, {}, ClipLoop::loop}, 0));
    CHECK(clips.find(texts, name) != nullptr);
}

TEST_CASE("clips without frames, too long ones and too many of one mod are refused") {
    AnimationClips clips;
    CHECK(clips.define({"a", 1, {}, {}, {}, ClipLoop::loop}, 0).error().message == "clip 'a' has no frames");
    CHECK(clips.define({"a", 1, std::vector<std::uint16_t>(600), {}, {}, ClipLoop::ping_pong}, 0)
              .error()
              .message == "clip 'a' has 1198 frames, and a clip has at most 1024");
    for (std::size_t i = 0; i < AnimationClips::kMaxClips; ++i)
        REQUIRE(clips.define({std::to_string(i), 1, {0}, {}, {}, ClipLoop::loop}, 1));
    CHECK(clips.define({"one more", 1, {0}, {}, {}, ClipLoop::loop}, 1).error().message ==
          "clip 'one more': there is no room for it; a mod has at most 4096 clips");
    CHECK(clips.define({"one more", 1, {0}, {}, {}, ClipLoop::loop}, 0));
}
