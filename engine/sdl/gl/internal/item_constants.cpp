// As text, in the syntax of GLSL 3.30 and GLSL ES 3.00.
#include "engine/sdl/gl/internal/item_constants.h"

#include "engine/draw/draw_item.h"
#include "engine/sdl/gl/image_pages.h"
#include "engine/sdl/mesh/view.h"

#include <fmt/format.h>

#include <cstdint>
#include <string_view>
#include <type_traits>

namespace perigee::gl {

namespace {

// The shape of an open arc without round ends, besides those of ArcShape.
constexpr std::uint32_t kOpenCutOff = 3;

}  // namespace

std::string item_constants() {
    std::string source;
    const auto add = [&source](std::string_view name, auto value) {
        if constexpr (std::is_floating_point_v<decltype(value)>)
            source += fmt::format("const float {} = {:#.9g};\n", name, value);
        else
            source += fmt::format("const uint {} = {}u;\n", name, static_cast<std::uint32_t>(value));
    };
    add("kRectangle", DrawKind::rectangle);
    add("kCircle", DrawKind::circle);
    add("kLine", DrawKind::line);
    add("kArc", DrawKind::arc);
    add("kButt", LineCap::butt);
    add("kRound", LineCap::round);
    add("kPie", ArcShape::pie);
    add("kOpen", ArcShape::open);
    add("kClosed", ArcShape::closed);
    add("kOpenCutOff", kOpenCutOff);
    add("kFlipX", kDrawFlipX);
    add("kFlipY", kDrawFlipY);
    add("kFineStroke", kFineStroke);
    add("kWideStroke", kWideStroke);
    add("kFrameColumns", ImagePages::kFrameColumns);
    add("kLookSteps", ParticleLooks::kSteps);
    add("kCornerParts", kCornerParts);
    add("kSnapRoom", kSnapRoom);
    return source;
}

}  // namespace perigee::gl
