// The clock of an animation, against a list of what it enters.
#include "engine/extract/animation.h"

#include "engine/extract/animation_clips.h"

#include <catch2/catch.hpp>

#include <limits>
#include <random>
#include <string>
#include <vector>

using namespace perigee;

namespace {

// Three frames of a quarter, a half and a quarter of a second.
AnimationClip clip_of(ClipLoop loop) {
    AnimationClips clips;
    REQUIRE(clips.define({"c", 1, {5, 6, 7}, {0.25F, 0.5F, 0.25F}, {}, loop}, 0));
    return *clips.find("c");
}

struct Trace final : AnimationListener {
    std::string text;
    void enters(std::uint16_t position) override { text += static_cast<char>('0' + position); }
    void ends(std::uint16_t) override { text += '.'; }
};

// What the animation enters in steps of these lengths.
std::string played(Animation& animation, const AnimationClip& clip, const std::vector<float>& steps) {
    Trace trace;
    for (const float step : steps) {
        advance(animation, clip, 1, step, trace);
        trace.text += ' ';
    }
    return trace.text;
}

}  // namespace

TEST_CASE("a clip begins at its first frame, shows each for its time, and repeats") {
    Animation animation;
    CHECK(played(animation, clip_of(ClipLoop::loop), {0, 0.125F, 0.125F, 0.25F, 0.25F, 0.25F, 0.125F}) ==
          "0  1  2 0  ");
    CHECK(animation.time == 0.125F);
    CHECK_FALSE(animation.finished);
}

TEST_CASE("a clip that plays once ends once, at its last frame") {
    Animation animation;
    const AnimationClip clip = clip_of(ClipLoop::once);
    CHECK(played(animation, clip, {0, 0.5F, 0.5F, 0.5F}) == "0 1 2.  ");
    CHECK(animation.finished);
    CHECK(animation.position == 2);
    CHECK(played(animation, clip, {-0.5F}) == "1 ");
    CHECK_FALSE(animation.finished);
    CHECK(played(animation, clip, {-2.0F, -2.0F}) == "0.  ");
    animation.time = 0.3F;  // by a script
    CHECK(played(animation, clip, {0.0F}) == "1 ");
}

TEST_CASE("a ping-pong clip shows its inner frames on the way back") {
    Animation animation;
    const AnimationClip clip = clip_of(ClipLoop::ping_pong);
    CHECK(clip.frames == std::vector<std::uint16_t>{5, 6, 7, 6});
    CHECK(clip.length() == 1.5F);
    CHECK(played(animation, clip, {0, 0.25F, 0.5F, 0.25F, 0.5F}) == "0 1 2 3 0 ");
}

TEST_CASE("a clip plays backwards, and a step enters at most one round") {
    Animation animation;
    const AnimationClip clip = clip_of(ClipLoop::loop);
    CHECK(played(animation, clip, {0, -0.125F, -0.25F, -0.5F}) == "0 2 1 0 ");
    animation = {};
    CHECK(played(animation, clip, {0, 1e9F + 0.5F}) == "0  ");
    CHECK(played(animation, clip, {1000.5F}) == "1 ");
}

TEST_CASE("a clip that plays backwards begins at its end") {
    Animation once, looped;
    CHECK(played(once, clip_of(ClipLoop::once), {-0.125F, -0.125F, -0.25F, -0.5F, -0.5F}) == "2  1 0 . ");
    CHECK(once.finished);
    CHECK(once.position == 0);
    CHECK(played(looped, clip_of(ClipLoop::loop), {-0.125F, -0.125F, -0.25F, -0.5F}) == "2  1 0 ");
}

TEST_CASE("another clip starts at its beginning, and a time that a script wrote is where it goes on") {
    Trace trace;
    Animation animation;
    const AnimationClip clip = clip_of(ClipLoop::loop);
    advance(animation, clip, 1, 0, trace);
    advance(animation, clip, 1, 0.9F, trace);
    advance(animation, clip, 2, 0.1F, trace);
    CHECK(trace.text == "0120");
    CHECK(animation.time == 0);
    animation.time = 0.8F;
    advance(animation, clip, 2, 0.0F, trace);
    CHECK(trace.text == "01202");
    animation.time = -0.1F;
    animation.position = 900;
    advance(animation, clip, 2, 0.0F, trace);
    CHECK(animation.position == 2);
    animation.time = std::numeric_limits<float>::quiet_NaN();
    advance(animation, clip, 2, std::numeric_limits<float>::infinity(), trace);
    CHECK(animation.position == 0);
    CHECK(animation.time == 0);
}

TEST_CASE("in random steps the frame is that of the time") {
    std::mt19937 random{7};
    for (const ClipLoop loop : {ClipLoop::loop, ClipLoop::once, ClipLoop::ping_pong}) {
        const AnimationClip clip = clip_of(loop);
        Animation animation;
        Trace trace;
        for (int i = 0; i < 20'000; ++i) {
            const float step = (static_cast<float>(random() % 1000) - 450.0F) / 400.0F;
            advance(animation, clip, 1, step, trace);
            REQUIRE(animation.position < clip.frames.size());
            REQUIRE(animation.time >= clip.start(animation.position));
            if (!animation.finished) REQUIRE(animation.time < clip.ends[animation.position]);
        }
    }
}
