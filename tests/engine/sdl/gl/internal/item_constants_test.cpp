// The sources of the shaders have the numbers of C++. Whether they draw the right pixels is tested with the
// renderer.
#include "engine/sdl/gl/internal/item_constants.h"

#include "engine/draw/draw_item.h"
#include "engine/sdl/gl/image_pages.h"
#include "engine/sdl/gl/shaders.h"
#include "engine/shaders/shader_source.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <string>

using namespace perigee;

TEST_CASE("the shaders have the numbers of items from the constants of C++") {
    const auto has = [](const std::string& source, const std::string& name, auto value) {
        const std::string line =
            fmt::format("const uint {} = {}u;\n", name, static_cast<std::uint32_t>(value));
        INFO(line);
        CHECK(source.find(line) != std::string::npos);
    };
    for (const std::string& source : {gl::shape_vertex_source(), gl::shape_fragment_source(),
                                      gl::effect_fragment_source({}, gl::EffectKind::shape)}) {
        has(source, "kRectangle", DrawKind::rectangle);
        has(source, "kCircle", DrawKind::circle);
        has(source, "kLine", DrawKind::line);
        has(source, "kArc", DrawKind::arc);
        has(source, "kPie", ArcShape::pie);
        has(source, "kOpen", ArcShape::open);
        has(source, "kClosed", ArcShape::closed);
    }
    for (const std::string& source : {gl::sprite_vertex_source(), gl::shape_vertex_source()}) {
        has(source, "kFlipX", kDrawFlipX);
        has(source, "kFlipY", kDrawFlipY);
        has(source, "kButt", LineCap::butt);
        has(source, "kRound", LineCap::round);
        has(source, "kFineStroke", kFineStroke);
        has(source, "kWideStroke", kWideStroke);
        has(source, "kFrameColumns", gl::ImagePages::kFrameColumns);
        has(source, "kLookSteps", ParticleLooks::kSteps);
        CHECK(source.find("const float kCornerParts = 1024.00000;\n") != std::string::npos);
    }
}
