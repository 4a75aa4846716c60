// The functions of gfx.*. All numbers are passed as double, Lua's type, and converted with checks in one
// place.
#include "engine/modules/gfx_module.h"

#include "engine/base/error_codes.h"
#include "engine/draw/text_metrics.h"
#include "engine/modules/in_turn.h"
#include "engine/modules/module_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <new>
#include <string_view>

namespace perigee {

namespace {

GfxContext& gfx(void* context) noexcept { return *static_cast<GfxContext*>(context); }

// C++ leaves conversions out of range undefined; these clamp, and NaN becomes the lower end.
template <typename Integer> Integer whole(double number) noexcept {
    constexpr auto kLow = static_cast<double>(std::numeric_limits<Integer>::min());
    constexpr auto kHigh = static_cast<double>(std::numeric_limits<Integer>::max());
    if (!(number > kLow)) return std::numeric_limits<Integer>::min();
    if (number >= kHigh) return std::numeric_limits<Integer>::max();
    return static_cast<Integer>(number);
}

float real(double number) noexcept { return static_cast<float>(number); }

// Lua writes colours as 0xRRGGBBAA, as in colour fields of components; in memory r comes first.
PackedColor color_from_lua(double number) noexcept { return __builtin_bswap32(whole<std::uint32_t>(number)); }
double color_to_lua(PackedColor color) noexcept { return __builtin_bswap32(color); }

// The result of a drawing call.
enum class Drawn : std::int32_t { closed, yes, too_much };

// Draws with another colour than the painter's when `color` is not negative, within what the mod may draw.
template <typename Draw> std::int32_t painted(void* context, double color, Draw draw) noexcept {
    GfxContext& self = gfx(context);
    Painter& painter = self.painter;
    if (!painter.is_open()) return static_cast<std::int32_t>(Drawn::closed);
    const PackedColor usual = painter.color;
    if (color >= 0.0) painter.color = color_from_lua(color);
    painter.use_budget(&self.budget, {1.0F, static_cast<float>(self.width), static_cast<float>(self.height)});
    draw(painter);
    const bool is_refused = painter.is_refused();
    painter.use_budget(nullptr, {});
    painter.color = usual;
    return static_cast<std::int32_t>(is_refused ? Drawn::too_much : Drawn::yes);
}

/// Why the last call that drew was refused.
const char* refusal(void* context) noexcept {
    GfxContext& self = gfx(context);
    try {
        const DrawAllowance& allowance = self.budget.allowance();
        self.error = fmt::format(engine_errors::kDrawsTooMuch, allowance.vertices, allowance.screens,
                                 allowance.font_sizes);
    } catch (const std::bad_alloc&) {
        self.error.clear();
    }
    return self.error.c_str();
}

std::int32_t rectangle(void* context, bool is_filled, double x, double y, double w, double h, double rotation,
                       double color) noexcept {
    return painted(context, color, [&](Painter& painter) {
        painter.rectangle(is_filled, real(x), real(y), real(w), real(h), real(rotation));
    });
}

std::int32_t circle(void* context, bool is_filled, double x, double y, double radius, double color) noexcept {
    return painted(context, color,
                   [&](Painter& painter) { painter.circle(is_filled, real(x), real(y), real(radius)); });
}

std::int32_t line(void* context, double x1, double y1, double x2, double y2, double color) noexcept {
    return painted(context, color,
                   [&](Painter& painter) { painter.line(real(x1), real(y1), real(x2), real(y2)); });
}

std::int32_t print(void* context, const char* text, double length, double x, double y, double size,
                   double width, double align, double color) noexcept {
    return painted(context, color, [&](Painter& painter) {
        const auto aligned = static_cast<TextAlign>(std::min<std::uint8_t>(whole<std::uint8_t>(align), 2));
        painter.text(internal::text_of(text, length), real(x), real(y), {real(size), real(width), aligned});
    });
}

std::int32_t image(void* context, double frame, double x, double y, double scale_x, double scale_y,
                   double rotation, double origin_x, double origin_y, double color) noexcept {
    const auto id = whole<FrameId>(frame);
    if (id >= gfx(context).images.frames().size()) return static_cast<std::int32_t>(Drawn::yes);
    return painted(context, color, [&](Painter& painter) {
        painter.image(id, real(x), real(y),
                      {real(scale_x), real(scale_y), real(rotation), real(origin_x), real(origin_y)});
    });
}

/// Handle of an image, -1 for a bad path (see error()).
double gfx_asset(void* context, const char* path, double length) noexcept {
    GfxContext& self = gfx(context);
    const Result<AssetHandle> handle = self.assets.intern_for(self.mount, internal::text_of(path, length));
    if (!handle) {
        self.error = handle.error().message;
        return -1;
    }
    self.loader.update(handle.value());
    return handle.value();
}

void place_missing_gfx(void* context, double handle, const char* place, double length) noexcept {
    gfx(context).assets.set_request_place(static_cast<AssetHandle>(handle), internal::text_of(place, length));
}

/// The error for a text that color_from_name does not know.
const char* color_refusal(void* context, const char* text, double length) noexcept {
    try {
        gfx(context).error = perigee::why_no_color(internal::text_of(text, std::min(length, 80.0)));
    } catch (const std::bad_alloc&) {
        gfx(context).error.clear();
    }
    return gfx(context).error.c_str();
}

const char* gfx_error(void* context) noexcept { return gfx(context).error.c_str(); }

double frame(void* context, double image, double number) noexcept {
    return gfx(context).images.frame_of(whole<std::uint32_t>(image), whole<std::uint32_t>(number));
}

double part(void* context, double image, double x, double y, double w, double h) noexcept {
    GfxContext& self = gfx(context);
    const FrameId made = self.images.add_rectangle(whole<std::uint32_t>(image), whole<std::uint16_t>(x),
                                                   whole<std::uint16_t>(y), whole<std::uint16_t>(w),
                                                   whole<std::uint16_t>(h), self.mount);
    return self.images.is_full() ? -1.0 : made;
}

bool sheet(void* context, double image, double frame_width, double frame_height) noexcept {
    return gfx(context).images.set_grid(whole<std::uint32_t>(image), whole<std::uint16_t>(frame_width),
                                        whole<std::uint16_t>(frame_height), gfx(context).mount);
}

void atlas_begin(void* context) noexcept { gfx(context).atlas.clear(); }

void atlas_add(void* context, double x, double y, double w, double h) noexcept {
    if (gfx(context).atlas.size() >= ImageTable::kMaxFrames) return;
    gfx(context).atlas.push_back({0, whole<std::uint16_t>(x), whole<std::uint16_t>(y),
                                  whole<std::uint16_t>(w), whole<std::uint16_t>(h)});
}

bool atlas_end(void* context, double image) noexcept {
    return gfx(context).images.set_frames(whole<std::uint32_t>(image), gfx(context).atlas,
                                          gfx(context).mount);
}

/// True if there is no room for more frames; then error() has the message.
bool frames_full(void* context) noexcept {
    if (gfx(context).images.is_full()) gfx(context).error = engine_errors::kTooManyFrames;
    return gfx(context).images.is_full();
}

double frame_count(void* context, double image) noexcept {
    return gfx(context).images.frame_count(whole<std::uint32_t>(image));
}
double image_width(void* context, double image) noexcept {
    return gfx(context).images.size_of(whole<std::uint32_t>(image)).width;
}
double image_height(void* context, double image) noexcept {
    return gfx(context).images.size_of(whole<std::uint32_t>(image)).height;
}

double color_from_numbers(double r, double g, double b, double a) noexcept {
    return color_to_lua(color_from_unit(r, g, b, a));
}

/// -1 when the text names no colour.
double color_from_name(const char* text, double length) noexcept {
    const auto color = color_from_text(internal::text_of(text, length));
    return color ? color_to_lua(*color) : -1.0;
}

template <typename Set> bool change(void* context, Set set) noexcept {
    Painter& painter = gfx(context).painter;
    if (!painter.is_open()) return false;
    set(painter);
    return true;
}

bool set_color(void* context, double color) noexcept {
    return change(context, [=](Painter& painter) { painter.color = color_from_lua(color); });
}
bool set_layer(void* context, double layer) noexcept {
    return change(context, [=](Painter& painter) { painter.layer = whole<std::int16_t>(layer); });
}
bool set_screen(void* context, bool is_screen) noexcept {
    return change(context, [=](Painter& painter) { painter.is_screen = is_screen; });
}
bool set_line_width(void* context, double width) noexcept {
    return change(context, [=](Painter& painter) { painter.line_width = real(width); });
}
bool set_font_size(void* context, double size) noexcept {
    return change(context, [=](Painter& painter) {
        if (size > 0.0 && size < 1000.0) painter.font_size = real(size);
    });
}
bool set_blend(void* context, double blend) noexcept {
    const auto mode =
        static_cast<BlendMode>(std::min<std::uint8_t>(whole<std::uint8_t>(blend), kBlendNames.size() - 1));
    return change(context, [=](Painter& painter) { painter.blend = mode; });
}
std::int32_t set_camera(void* context, double x, double y, double zoom) noexcept {
    return painted(context, -1, [=](Painter& painter) {
        painter.set_camera({real(x), real(y), real(zoom)});
    });
}
void set_background(void* context, double color) noexcept { gfx(context).background = color_from_lua(color); }

double camera_x(void* context) noexcept { return gfx(context).camera.x; }
double camera_y(void* context) noexcept { return gfx(context).camera.y; }
double camera_zoom(void* context) noexcept { return gfx(context).camera.zoom; }
double width(void* context) noexcept { return gfx(context).width; }
double height(void* context) noexcept { return gfx(context).height; }

/// Width of the widest line of a text that is wrapped at box_width; 0 = not wrapped.
double text_width_of(const char* text, double length, double size, double box_width) noexcept {
    float widest = 0.0F;
    for (std::string_view rest = internal::text_of(text, length); !rest.empty();)
        widest = std::max(widest, text_width(next_line(rest, real(size), real(box_width)), real(size)));
    return widest;
}

/// Height of a text that is wrapped at box_width; 0 = not wrapped.
double text_height_of(const char* text, double length, double size, double box_width) noexcept {
    std::string_view rest = internal::text_of(text, length);
    double lines = 0;
    for (; !rest.empty(); ++lines) next_line(rest, real(size), real(box_width));
    return lines * line_height(real(size));
}

}  // namespace

NativeModule gfx_module(GfxContext& context) {
    context.images.set_owners(std::size_t{context.mount} + 1);
    return {"gfx",
            &context,
            {
                native_function<&rectangle>("rectangle"),
                native_function<&circle>("circle"),
                native_function<&line>("line"),
                native_function<&print>("print"),
                native_function<&image>("image"),
                native_function<&refusal>("refusal"),
                function_in_turn<&gfx_asset>("asset"),
                native_function<&gfx_error>("error"),
                function_in_turn<&place_missing_gfx>("place_missing"),
                native_function<&color_refusal>("why_no_color"),
                function_in_turn<&frame>("frame"),
                function_in_turn<&part>("part"),
                function_in_turn<&sheet>("sheet"),
                native_function<&atlas_begin>("atlas_begin"),
                native_function<&atlas_add>("atlas_add"),
                function_in_turn<&atlas_end>("atlas_end"),
                function_in_turn<&frames_full>("frames_full"),
                function_in_turn<&frame_count>("frame_count"),
                function_in_turn<&image_width>("image_width"),
                function_in_turn<&image_height>("image_height"),
                native_function<&color_from_numbers>("color_from_numbers"),
                native_function<&color_from_name>("color_from_name"),
                native_function<&set_color>("set_color"),
                native_function<&set_layer>("set_layer"),
                native_function<&set_screen>("set_screen"),
                native_function<&set_line_width>("set_line_width"),
                native_function<&set_font_size>("set_font_size"),
                native_function<&set_blend>("set_blend"),
                native_function<&set_camera>("set_camera"),
                function_in_turn<&set_background>("set_background"),
                native_function<&camera_x>("camera_x"),
                native_function<&camera_y>("camera_y"),
                native_function<&camera_zoom>("camera_zoom"),
                native_function<&width>("width"),
                native_function<&height>("height"),
                native_function<&text_width_of>("text_width"),
                native_function<&text_height_of>("text_height"),
            },
            {
                {"closed", static_cast<int>(Drawn::closed)},
                {"drawn", static_cast<int>(Drawn::yes)},
                {"blend_modes", kBlendNames},
                {"text_aligns", kTextAlignNames},
                {"min_layer", std::numeric_limits<std::int16_t>::min()},
                {"max_layer", std::numeric_limits<std::int16_t>::max()},
            }};
}

}  // namespace perigee
