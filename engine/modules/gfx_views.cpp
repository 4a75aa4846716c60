// A camera is the number of an entity; a negative one is none, so that the game's views decide.
#include "engine/modules/gfx_views.h"

#include "ecs/base/entity.h"
#include "engine/modules/gfx_module.h"
#include "engine/modules/in_turn.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace perigee {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

const GfxContext& viewing(void* context) noexcept { return *static_cast<GfxContext*>(context); }

const ShownView* view_of(void* context, double camera) noexcept {
    return ViewTable::find(viewing(context).views->after_step, entity_from_number(camera));
}

// With the view, or the one of the resource gfx:Camera for null.
template <typename Convert>
ViewPoint converted(void* context, const ShownView* view, ViewPoint point, Convert convert) noexcept {
    const GfxContext& self = viewing(context);
    if (view != nullptr) return convert(view->camera, view->viewport, point);
    const DrawClip screen{0, 0, static_cast<float>(self.screen.width),
                          static_cast<float>(self.screen.height)};
    return convert(self.camera, screen, point);
}

ViewPoint world_point(void* context, double x, double y, double camera) noexcept {
    const ViewTable& views = *viewing(context).views;
    const ShownView* view = nullptr;
    if (camera >= 0.0) {
        view = view_of(context, camera);
        if (view == nullptr) return {kNone, kNone};
    } else {
        view = views.at(x, y);
        if (view == nullptr) view = views.first();
    }
    return converted(context, view, {x, y}, to_world);
}

ViewPoint screen_point(void* context, double x, double y, double camera) noexcept {
    const ShownView* const view = camera >= 0.0 ? view_of(context, camera) : viewing(context).views->first();
    if (view == nullptr && camera >= 0.0) return {kNone, kNone};
    return converted(context, view, {x, y}, to_screen);
}

/// The point of the world under a point of the screen; NaN if the camera has no view.
double world_x(void* context, double x, double y, double camera) noexcept {
    return world_point(context, x, y, camera).x;
}
double world_y(void* context, double x, double y, double camera) noexcept {
    return world_point(context, x, y, camera).y;
}
double screen_x(void* context, double x, double y, double camera) noexcept {
    return screen_point(context, x, y, camera).x;
}
double screen_y(void* context, double x, double y, double camera) noexcept {
    return screen_point(context, x, y, camera).y;
}

/// The entity whose view the screen shows there; -1 for none.
double view_at(void* context, double x, double y) noexcept {
    const ShownView* const view = viewing(context).views->at(x, y);
    return view != nullptr ? number_from_entity(view->entity) : -1.0;
}

/// A number of the part that a view covers: x, y, width, height; -1 if there is no view.
double viewport_entry(void* context, double camera, double number) noexcept {
    const ShownView* const view = view_of(context, camera);
    if (view == nullptr) return -1.0;
    const DrawClip& part = view->viewport;
    const double entries[] = {part.x, part.y, part.width, part.height};
    return entries[number > 0 ? static_cast<std::size_t>(std::min(number, 3.0)) : 0];
}

// The result of set_view.
enum class Target : std::int32_t { closed, set, no_view };

/// Sends later drawing into one view; a negative number: into all.
std::int32_t set_view(void* context, double camera) noexcept {
    const GfxContext& self = viewing(context);
    if (!self.painter.is_open()) return static_cast<std::int32_t>(Target::closed);
    if (camera < 0.0) {
        self.painter.set_canvas(nullptr, 0, self.mount);
        return static_cast<std::int32_t>(Target::set);
    }
    const ShownView* const view = ViewTable::find(self.views->of_frame, entity_from_number(camera));
    if (view == nullptr) return static_cast<std::int32_t>(Target::no_view);
    self.painter.set_canvas(view->list, view->canvas, self.mount);
    return static_cast<std::int32_t>(Target::set);
}

/// How much cameras shake: 0 .. 1.
void set_shake(void* context, double strength) noexcept {
    viewing(context).views->shake = strength > 0.0 ? static_cast<float>(std::min(strength, 1.0)) : 0.0F;
}

}  // namespace

std::vector<NativeFunction> gfx_view_functions() {
    return {
        native_function<&world_x>("world_x"),   native_function<&world_y>("world_y"),
        native_function<&screen_x>("screen_x"), native_function<&screen_y>("screen_y"),
        native_function<&view_at>("view_at"),   native_function<&viewport_entry>("viewport_entry"),
        native_function<&set_view>("set_view"), function_in_turn<&set_shake>("set_shake"),
    };
}

std::vector<ScriptConstant> gfx_view_constants() {
    return {
        {"view_closed", static_cast<int>(Target::closed)},
        {"view_missing", static_cast<int>(Target::no_view)},
    };
}

}  // namespace perigee
