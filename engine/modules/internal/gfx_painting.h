// What the parts of the module gfx that draw have in common: whether a mod may draw, and its painter.
//
// Invariant: a drawing call first empties the block of items that Lua wrote, and charges the budget of the
// mod. Not here: the functions (engine/modules/gfx_module.cpp, gfx_text.cpp).
#pragma once

#include "engine/draw/painter.h"
#include "engine/modules/gfx_module.h"
#include "engine/modules/internal/module_number.h"

#include <cstdint>
#include <utility>

namespace perigee::internal {

// The result of a drawing call. `ordered`: yes, and the order of a text from right to left had to be found,
// which costs more.
enum class Drawn : std::int32_t { closed, yes, too_much, ordered };

inline DrawSurface surface_of(const GfxContext& self) noexcept {
    return {1.0F, static_cast<float>(self.screen.width), static_cast<float>(self.screen.height)};
}

// True if the mod may draw. Items of the frame before may have reached its limit.
inline Drawn may_draw(GfxContext& self) noexcept {
    if (!self.painter.is_open()) return Drawn::closed;
    if (self.budget.is_used_up()) self.knows_refusal = true;
    const bool is_refused = self.budget.is_used_up() || std::exchange(self.owes_refusal, false);
    return is_refused ? Drawn::too_much : Drawn::yes;
}

// Draws with another colour than the painter's when `color` is not negative, within what the mod may draw.
template <typename Draw> std::int32_t painted(void* context, double color, Draw draw) noexcept {
    GfxContext& self = *static_cast<GfxContext*>(context);
    Painter& painter = self.painter;
    if (!painter.is_open()) return static_cast<std::int32_t>(Drawn::closed);
    painter.draw_for(self.mount);
    painter.use_budget(&self.budget, surface_of(self));
    const PackedColor usual = painter.color;
    if (color >= 0.0) painter.color = color_from_lua(color);
    draw(painter);
    painter.color = usual;
    return static_cast<std::int32_t>(may_draw(self));
}

// False: the painter is closed.
template <typename Set> bool change(void* context, Set set) noexcept {
    Painter& painter = static_cast<GfxContext*>(context)->painter;
    if (!painter.is_open()) return false;
    painter.close_block();
    set(painter);
    return true;
}

}  // namespace perigee::internal
