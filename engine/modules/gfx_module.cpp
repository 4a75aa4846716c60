// The functions of gfx.*. All numbers are passed as double, Lua's type, and converted with checks in one
// place.
#include "engine/modules/gfx_module.h"

#include "ecs/base/color_text.h"
#include "engine/assets/surface_id.h"
#include "engine/base/error_codes.h"
#include "engine/draw/internal/embedded_item_block.h"
#include "engine/draw/shapes/curves.h"
#include "engine/modules/gfx_shaders.h"
#include "engine/modules/gfx_surfaces.h"
#include "engine/modules/gfx_views.h"
#include "engine/modules/in_turn.h"
#include "engine/modules/internal/gfx_images.h"
#include "engine/modules/internal/gfx_masks.h"
#include "engine/modules/internal/gfx_meshes.h"
#include "engine/modules/internal/gfx_painting.h"
#include "engine/modules/internal/module_number.h"
#include "engine/modules/internal/module_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <new>
#include <span>
#include <string_view>
#include <utility>

namespace perigee {

namespace {

GfxContext& gfx(void* context) noexcept { return *static_cast<GfxContext*>(context); }

using internal::change;
using internal::color_from_lua;
using internal::color_to_lua;
using internal::Drawn;
using internal::may_draw;
using internal::painted;
using internal::surface_of;
using internal::whole;

float real(double number) noexcept { return static_cast<float>(number); }

std::uint32_t owner_number(const GfxContext& self) noexcept { return std::uint32_t{self.mount} + 1; }

/// Lets Lua write items into the block.
std::int32_t open(void* context) noexcept {
    GfxContext& self = gfx(context);
    if (!self.painter.is_open()) return static_cast<std::int32_t>(Drawn::closed);
    self.painter.draw_for(self.mount);
    // First what is in the block: it may reach the limit.
    self.painter.open_block(owner_number(self), &self.budget, surface_of(self));
    return static_cast<std::int32_t>(may_draw(self));
}

void* block(void* context) noexcept { return &gfx(context).painter.block(); }
double owner(void* context) noexcept { return owner_number(gfx(context)); }

/// Why the last call that drew was refused.
const char* refusal(void* context) noexcept {
    GfxContext& self = gfx(context);
    try {
        const DrawAllowance& allowance = self.budget.allowance();
        std::string limit;
        switch (self.budget.exceeded()) {
            case DrawBudget::Limit::vertices:
                limit = fmt::format(engine_errors::kDrawnVertices, allowance.vertices);
                break;
            case DrawBudget::Limit::pixels:
                limit = fmt::format(engine_errors::kDrawnPixels, allowance.screens);
                break;
            case DrawBudget::Limit::text_sizes:
                limit = fmt::format(engine_errors::kDrawnSizes, allowance.font_sizes);
                break;
        }
        self.error =
            fmt::format(engine_errors::kDrawsTooMuch, self.mount == 0 ? "the game" : "this mod", limit);
    } catch (const std::bad_alloc&) {
        self.error.clear();
    }
    return self.error.c_str();
}

// The points that Lua wrote to the block.
std::span<const Point> points_of(GfxContext& self, double count) {
    const perigee_draw_block& block = self.painter.block();
    const std::size_t number =
        std::min<std::size_t>(whole<std::uint32_t>(count), std::size(block.numbers) / 2);
    self.points.resize(number);
    for (std::size_t i = 0; i < number; ++i)
        self.points[i] = {block.numbers[2 * i], block.numbers[2 * i + 1]};
    return self.points;
}

std::int32_t polygon(void* context, bool is_filled, double count, double color) noexcept {
    return painted(context, color,
                   [&](Painter& painter) { painter.polygon(is_filled, points_of(gfx(context), count)); });
}
std::int32_t polyline(void* context, double count, bool is_closed, double color) noexcept {
    return painted(context, color,
                   [&](Painter& painter) { painter.polyline(points_of(gfx(context), count), is_closed); });
}
std::int32_t bezier(void* context, double count, double color) noexcept {
    return painted(context, color, [&](Painter& painter) { painter.bezier(points_of(gfx(context), count)); });
}
std::int32_t points(void* context, double count, double color) noexcept {
    return painted(context, color, [&](Painter& painter) { painter.points(points_of(gfx(context), count)); });
}
std::int32_t gradient(void* context, double x, double y, double w, double h, double from, double to,
                      double angle) noexcept {
    return painted(context, -1, [&](Painter& painter) {
        painter.gradient(real(x), real(y), real(w), real(h), color_from_lua(from), color_from_lua(to),
                         real(angle));
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

double color_from_numbers(double r, double g, double b, double a) noexcept {
    return color_to_lua(color_from_unit(r, g, b, a));
}

/// -1 when the text names no colour.
double color_from_name(const char* text, double length) noexcept {
    const auto color = color_from_text(internal::text_of(text, length));
    return color ? color_to_lua(*color) : -1.0;
}

template <typename Enum, std::size_t kCount>
Enum named_value(double number, const std::array<std::string_view, kCount>&) noexcept {
    return static_cast<Enum>(std::min<std::uint8_t>(whole<std::uint8_t>(number), kCount - 1));
}

bool set_layer(void* context, double layer) noexcept {
    return change(context, [=](Painter& painter) { painter.layer = whole<std::int16_t>(layer); });
}
double stroke_of_width(double pixels) noexcept { return quantised_stroke(static_cast<float>(pixels)); }

bool set_line_join(void* context, double join) noexcept {
    return change(context,
                  [=](Painter& painter) { painter.join = named_value<LineJoin>(join, kLineJoinNames); });
}
double line_join(void* context) noexcept { return static_cast<double>(gfx(context).painter.join); }
bool reset(void* context) noexcept {
    return change(context, [](Painter& painter) { painter.reset(); });
}

// ---- transforms -------------------------------------------------------------------------------------------

// The result of push and pop.
enum class Stacked : std::int32_t { closed, yes, no };

std::int32_t push(void* context, bool is_everything) noexcept {
    bool is_pushed = false;
    const bool is_open = change(context, [&](Painter& painter) { is_pushed = painter.push(is_everything); });
    return static_cast<std::int32_t>(!is_open ? Stacked::closed : is_pushed ? Stacked::yes : Stacked::no);
}
std::int32_t pop(void* context) noexcept {
    bool is_popped = false;
    const bool is_open = change(context, [&](Painter& painter) { is_popped = painter.pop(); });
    return static_cast<std::int32_t>(!is_open ? Stacked::closed : is_popped ? Stacked::yes : Stacked::no);
}
bool translate(void* context, double x, double y) noexcept {
    return change(context, [=](Painter& painter) {
        painter.transform({1.0F, 0.0F, real(x), 0.0F, 1.0F, real(y)});
    });
}
bool rotate(void* context, double radians) noexcept {
    return change(context, [=](Painter& painter) {
        const float cosine = real(std::cos(radians)), sine = real(std::sin(radians));
        painter.transform({cosine, -sine, 0.0F, sine, cosine, 0.0F});
    });
}
bool scale(void* context, double x, double y) noexcept {
    return change(context, [=](Painter& painter) {
        painter.transform({real(x), 0.0F, 0.0F, 0.0F, real(y), 0.0F});
    });
}
bool shear(void* context, double x, double y) noexcept {
    return change(context, [=](Painter& painter) {
        painter.transform({1.0F, real(x), 0.0F, real(y), 1.0F, 0.0F});
    });
}
bool transform(void* context, double xx, double xy, double x0, double yx, double yy, double y0) noexcept {
    return change(context, [=](Painter& painter) {
        painter.transform({real(xx), real(xy), real(x0), real(yx), real(yy), real(y0)});
    });
}
bool origin(void* context) noexcept {
    return change(context, [](Painter& painter) { painter.matrix = {}; });
}
/// An entry of the matrix: xx, xy, x0, yx, yy, y0 by number from 0.
double matrix_entry(void* context, double number) noexcept {
    const DrawMatrix& m = gfx(context).painter.matrix;
    const float entries[] = {m.xx, m.xy, m.x0, m.yx, m.yy, m.y0};
    return double{entries[std::min<std::uint8_t>(whole<std::uint8_t>(number), 5)]};
}

bool set_scissor(void* context, double x, double y, double w, double h) noexcept {
    return change(context, [=](Painter& painter) {
        painter.clip = {};
        painter.intersect_scissor(real(x), real(y), real(w), real(h));
    });
}
bool intersect_scissor(void* context, double x, double y, double w, double h) noexcept {
    return change(context,
                  [=](Painter& painter) { painter.intersect_scissor(real(x), real(y), real(w), real(h)); });
}
bool clear_scissor(void* context) noexcept {
    return change(context, [](Painter& painter) { painter.clip = {}; });
}
/// A number of the scissor: x, y, width, height; a width below zero: there is none.
double scissor_entry(void* context, double number) noexcept {
    const DrawClip& clip = gfx(context).painter.clip;
    const float entries[] = {clip.x, clip.y, clip.width, clip.height};
    return double{entries[std::min<std::uint8_t>(whole<std::uint8_t>(number), 3)]};
}

std::int32_t set_camera(void* context, double x, double y, double zoom, double rotation) noexcept {
    return painted(context, -1, [=](Painter& painter) {
        painter.set_camera({real(x), real(y), real(zoom), real(rotation)});
    });
}
void set_background(void* context, double color) noexcept { gfx(context).background = color_from_lua(color); }
double background(void* context) noexcept { return gfx(context).background; }

double width(void* context) noexcept { return gfx(context).screen.width; }
double height(void* context) noexcept { return gfx(context).screen.height; }

}  // namespace

NativeModule gfx_module(GfxContext& context) {
    context.images.set_owners(std::size_t{context.mount} + 1);
    context.surfaces.set_owners(std::size_t{context.mount} + 1);
    if (context.fonts != nullptr) context.fonts->set_owners(std::size_t{context.mount} + 1);
    context.surfaces.meshes.set_owners(std::size_t{context.mount} + 1);
    NativeModule module{"gfx",
                        &context,
                        {
                            native_function<&open>("open"),
                            native_function<&block>("block"),
                            native_function<&owner>("owner"),
                            native_function<&polygon>("polygon"),
                            native_function<&polyline>("polyline"),
                            native_function<&bezier>("bezier"),
                            native_function<&points>("points"),
                            native_function<&gradient>("gradient"),
                            native_function<&refusal>("refusal"),
                            function_in_turn<&gfx_asset>("asset"),
                            native_function<&gfx_error>("error"),
                            function_in_turn<&place_missing_gfx>("place_missing"),
                            native_function<&color_refusal>("why_no_color"),
                            native_function<&color_from_numbers>("color_from_numbers"),
                            native_function<&color_from_name>("color_from_name"),
                            native_function<&set_layer>("set_layer"),
                            native_function<&stroke_of_width>("stroke_of_width"),
                            native_function<&set_line_join>("set_line_join"),
                            native_function<&line_join>("line_join"),
                            native_function<&reset>("reset"),
                            native_function<&push>("push"),
                            native_function<&pop>("pop"),
                            native_function<&translate>("translate"),
                            native_function<&rotate>("rotate"),
                            native_function<&scale>("scale"),
                            native_function<&shear>("shear"),
                            native_function<&transform>("transform"),
                            native_function<&origin>("origin"),
                            native_function<&matrix_entry>("matrix_entry"),
                            native_function<&set_scissor>("set_scissor"),
                            native_function<&intersect_scissor>("intersect_scissor"),
                            native_function<&clear_scissor>("clear_scissor"),
                            native_function<&scissor_entry>("scissor_entry"),
                            native_function<&set_camera>("set_camera"),
                            function_in_turn<&set_background>("set_background"),
                            native_function<&background>("background"),
                            native_function<&width>("width"),
                            native_function<&height>("height"),
                        },
                        {
                            {"closed", static_cast<int>(Drawn::closed)},
                            {"drawn", static_cast<int>(Drawn::yes)},
                            {"drawn_ordered", static_cast<int>(Drawn::ordered)},
                            {"stack_closed", static_cast<int>(Stacked::closed)},
                            {"blend_modes", kBlendNames},
                            {"layer_sorts", kLayerSortNames},
                            {"layer_sort_of_camera", static_cast<int>(LayerSort::camera)},
                            {"image_filters", kImageFilterNames},
                            {"image_wraps", kImageWrapNames},
                            {"text_aligns", kTextAlignNames},
                            {"arc_shapes", kArcShapeNames},
                            {"line_joins", kLineJoinNames},
                            {"line_caps", kLineCapNames},
                            {"stacked", static_cast<int>(Stacked::yes)},
                            {"max_pushes", Painter::kMaxPushes},
                            {"max_masks", DrawList::kMaxMasks},
                            {"max_mask_depth", DrawList::kMaxMaskDepth},
                            {"rectangle", static_cast<int>(DrawKind::rectangle)},
                            {"circle", static_cast<int>(DrawKind::circle)},
                            {"line", static_cast<int>(DrawKind::line)},
                            {"arc", static_cast<int>(DrawKind::arc)},
                            {"sprite", static_cast<int>(DrawKind::sprite)},
                            {"image", kImageKind},
                            {"sized_sprite", kSizedKind},
                            {"max_tiles", Painter::kMaxTiles},
                            {"space_bit", int{kDrawScreen}},
                            {"corner_parts", double{kCornerParts}},
                            {"max_corner", double{kMaxCorner}},
                            {"max_points", std::size(perigee_draw_block{}.numbers) / 2},
                            {"max_control_points", kMaxControlPoints},
                            {"block_items", std::size(perigee_draw_block{}.items)},
                            {"block_type", embedded_item_block().front().text},
                            {"min_layer", std::numeric_limits<std::int16_t>::min()},
                            {"max_layer", std::numeric_limits<std::int16_t>::max()},
                            {"mesh_modes", kMeshModeNames},
                            {"max_mesh_vertices", MeshTable::kMaxVertices},
                            {"max_surface_side", SurfaceTable::kMaxSide},
                            {"first_surface", static_cast<int>(kFirstSurface)},
                            {"effects", effect_names()},
                            {"pixel_block_shift", PixelBuffer::kBlockShift},
                        }};
    for (NativeFunction& function : gfx_image_functions()) module.functions.push_back(std::move(function));
    for (NativeFunction& function : gfx_mask_functions()) module.functions.push_back(std::move(function));
    for (NativeFunction& function : gfx_mesh_functions()) module.functions.push_back(std::move(function));
    for (NativeFunction& function : gfx_surface_functions()) module.functions.push_back(std::move(function));
    for (NativeFunction& function : gfx_layer_functions()) module.functions.push_back(std::move(function));
    for (NativeFunction& function : gfx_view_functions()) module.functions.push_back(std::move(function));
    for (NativeFunction& function : gfx_shader_functions()) module.functions.push_back(std::move(function));
    for (NativeFunction& function : gfx_text_functions()) module.functions.push_back(std::move(function));
    for (ScriptConstant& constant : gfx_mask_constants()) module.constants.push_back(std::move(constant));
    for (ScriptConstant& constant : gfx_surface_constants()) module.constants.push_back(std::move(constant));
    for (ScriptConstant& constant : gfx_view_constants()) module.constants.push_back(std::move(constant));
    return module;
}

}  // namespace perigee
