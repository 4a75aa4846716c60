// What is drawn between begin_mask and end_mask is the mask.
#include "engine/modules/internal/gfx_masks.h"

#include "engine/modules/gfx_module.h"

#include <cstdint>

namespace perigee {

namespace {

Painter& masking(void* context) noexcept { return static_cast<GfxContext*>(context)->painter; }

// The result of begin_mask.
enum class Begun : std::int32_t { closed, yes, is_drawing_mask, full };

std::int32_t begin_mask(void* context, bool is_inverted, bool is_within) noexcept {
    Painter& painter = masking(context);
    if (!painter.is_open()) return static_cast<std::int32_t>(Begun::closed);
    painter.draw_for(static_cast<GfxContext*>(context)->mount);
    switch (painter.begin_mask(is_inverted, is_within)) {
        case Painter::MaskStart::is_drawing_mask:
            return static_cast<std::int32_t>(Begun::is_drawing_mask);
        case Painter::MaskStart::full:
            return static_cast<std::int32_t>(Begun::full);
        case Painter::MaskStart::begun:
            break;
    }
    return static_cast<std::int32_t>(Begun::yes);
}

void end_mask(void* context) noexcept { masking(context).end_mask(); }

/// False: the painter is closed.
bool clear_mask(void* context) noexcept {
    Painter& painter = masking(context);
    if (painter.is_open()) painter.clear_mask();
    return painter.is_open();
}

bool is_drawing_mask(void* context) noexcept { return masking(context).is_drawing_mask(); }

}  // namespace

std::vector<NativeFunction> gfx_mask_functions() {
    return {
        native_function<&begin_mask>("begin_mask"),
        native_function<&end_mask>("end_mask"),
        native_function<&clear_mask>("clear_mask"),
        native_function<&is_drawing_mask>("is_drawing_mask"),
    };
}

std::vector<ScriptConstant> gfx_mask_constants() {
    return {
        {"mask_closed", static_cast<int>(Begun::closed)},
        {"mask_is_drawn", static_cast<int>(Begun::is_drawing_mask)},
        {"masks_full", static_cast<int>(Begun::full)},
    };
}

}  // namespace perigee
