// A layer is described by several calls, since numbers are what scripts pass quickly.
#include "engine/modules/internal/gfx_layers.h"

#include "engine/base/error_codes.h"
#include "engine/draw/layers/layer_table.h"
#include "engine/extract/views.h"
#include "engine/modules/gfx_module.h"
#include "engine/modules/in_turn.h"
#include "engine/modules/internal/module_number.h"
#include "engine/modules/internal/module_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <new>

namespace perigee {

namespace {

using internal::whole;

constexpr double kNoLayer = std::numeric_limits<double>::quiet_NaN();

GfxContext& layering(void* context) noexcept { return *static_cast<GfxContext*>(context); }
LayerLook& look_of(void* context) noexcept { return layering(context).layer_maker.look; }

// Far enough for any world, and near enough for sums to be exact to a pixel.
float place(double number) noexcept { return static_cast<float>(std::clamp(number, -1e9, 1e9)); }

/// The camera as the game starts: 0: x, 1: y.
double layer_home(void* context, double number) noexcept {
    const LayerMaker& maker = layering(context).layer_maker;
    return number > 0 ? maker.home_y : maker.home_x;
}

/// `sort`: LayerSort.
void layer_begin(void* context, double layer, double sort) noexcept {
    const LayerMaker& maker = layering(context).layer_maker;
    LayerLook& look = look_of(context);
    look = {};
    look.layer = look.first = whole<std::int16_t>(layer);
    look.sort = static_cast<LayerSort>(std::clamp(sort, 0.0, static_cast<double>(LayerSort::camera)));
    look.origin_x = maker.home_x;
    look.origin_y = maker.home_y;
}
void layer_parallax(void* context, double x, double y) noexcept {
    look_of(context).parallax_x = place(x);
    look_of(context).parallax_y = place(y);
}
void layer_origin(void* context, double x, double y) noexcept {
    look_of(context).origin_x = place(x);
    look_of(context).origin_y = place(y);
}
void layer_camera(void* context, double x, double y, double zoom, double rotation) noexcept {
    LayerLook& look = look_of(context);
    look.has_camera = true;
    look.camera = usable_camera(place(x), place(y), static_cast<float>(zoom), static_cast<float>(rotation));
}
/// `first`: with the layers from it on. `shader` 0: none.
void layer_whole(void* context, double first, bool is_screen, double blend, double shader) noexcept {
    LayerLook& look = look_of(context);
    look.blend = static_cast<BlendMode>(std::clamp(blend, 0.0, kBlendNames.size() - 1.0));
    look.effect = whole<ShaderId>(shader);
    look.first = std::min(whole<std::int16_t>(first), look.layer);
    look.is_screen = is_screen;
}
void layer_background(void* context, double color) noexcept {
    look_of(context).background = internal::color_from_lua(color);
}
void layer_effect(void* context, double shader) noexcept {
    look_of(context).effect = whole<ShaderId>(shader);
}

/// False: see error().
bool layer_end(void* context, const char* name, double length) noexcept {
    GfxContext& self = layering(context);
    try {
        const LayerMaker& maker = self.layer_maker;
        const Result<void> declared =
            self.layers->declare(maker.prefix, internal::text_of(name, length), maker.look);
        if (!declared) self.error = declared.error().message;
        return declared.ok();
    } catch (const std::bad_alloc&) {
        self.error.clear();
        return false;
    }
}

/// NaN: there is none, see error().
double layer_number(void* context, const char* name, double length) noexcept {
    GfxContext& self = layering(context);
    try {
        const std::string_view text = internal::text_of(name, length);
        if (const auto found = self.layers->find(text, self.layer_maker.prefix)) return *found;
        self.error = self.layers->unknown(text);
    } catch (const std::bad_alloc&) {
        self.error.clear();
    }
    return kNoLayer;
}

// Begins a change of a layer that is declared. False: there is none of this number, or another mod has it.
bool layer_change(void* context, double layer) noexcept {
    GfxContext& self = layering(context);
    const LayerLook* const look = self.layers->look_of(whole<std::int16_t>(layer));
    if (look == nullptr || !self.layers->is_of(self.layer_maker.prefix, look->layer)) return false;
    self.layer_maker.look = *look;
    return true;
}
/// The camera that was declared, or none.
void layer_own_camera(void* context) noexcept {
    LayerLook& look = look_of(context);
    const LayerLook* const declared = layering(context).layers->declared_look_of(look.layer);
    if (declared == nullptr) return;
    look.has_camera = declared->has_camera;
    look.camera = declared->camera;
}
void layer_changed(void* context) noexcept {
    const LayerLook& look = look_of(context);
    layering(context).layers->change(look.layer, look);
}

/// Of whole pictures from the next one on; 0: none.
void picture_effect(void* context, double shader) noexcept {
    *layering(context).picture_effect = whole<std::uint32_t>(shader);
}

}  // namespace

std::vector<NativeFunction> gfx_layer_functions() {
    return {
        native_function<&layer_home>("layer_home"),
        native_function<&layer_begin>("layer_begin"),
        native_function<&layer_parallax>("layer_parallax"),
        native_function<&layer_origin>("layer_origin"),
        native_function<&layer_camera>("layer_camera"),
        native_function<&layer_whole>("layer_whole"),
        native_function<&layer_background>("layer_background"),
        native_function<&layer_effect>("layer_effect"),
        function_in_turn<&layer_end>("layer_end"),
        native_function<&layer_number>("layer_number"),
        function_in_turn<&layer_change>("layer_change"),
        function_in_turn<&layer_own_camera>("layer_own_camera"),
        function_in_turn<&layer_changed>("layer_changed"),
        function_in_turn<&picture_effect>("picture_effect"),
    };
}

}  // namespace perigee
