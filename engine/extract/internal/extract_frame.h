// What all extractions of one frame share: the visible part of the world, and where its entities are.
//
// Invariant: positions are between the remembered ones and the current ones; what is not finite is counted
// and never drawn. Lifetime of a frame: one extraction, in which the world does not change. Not here: the
// loops (sprites.h, shapes.h, …).
#pragma once

#include "ecs/base/change_version.h"
#include "ecs/base/entity.h"
#include "ecs/schema/component.h"
#include "engine/draw/draw_list.h"
#include "engine/extract/interpolation.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace perigee {

class FontTable;
class ImageTable;
class World;

/// Entities that cannot be drawn because their position or size is infinite or NaN.
struct Undrawn {
    std::uint64_t count = 0;
    Entity first;  ///< one of them
    void add(Entity entity) noexcept {
        if (count++ == 0) first = entity;
    }
    void add(const Undrawn& other) noexcept {
        if (count == 0) first = other.first;
        count += other.count;
    }
};

/// Where x and y are in the game's Position.
struct PositionColumn {
    ComponentId component;
    std::uint32_t stride = 0;
    std::uint32_t x_offset = 0;
    std::uint32_t y_offset = 0;

    PreviousPositions::Point at(const std::byte* column, std::size_t row) const noexcept {
        const std::byte* position = column + row * stride;
        PreviousPositions::Point point;
        std::memcpy(&point.x, position + x_offset, sizeof point.x);
        std::memcpy(&point.y, position + y_offset, sizeof point.y);
        return point;
    }
    /// It has no other fields.
    bool is_packed() const noexcept {
        return stride == 2 * sizeof(float) && x_offset == 0 && y_offset == sizeof(float);
    }
};

namespace internal {

struct ExtractFrame {
    static constexpr float kOrdersPerPixel = 16.0F;

    World& world;
    const PositionColumn& position;
    const PreviousPositions& previous;
    const ImageTable& images;
    float left, top, right, bottom;  ///< the part of the world that the camera shows
    float alpha;
    ChangeVersion remembered;  ///< positions that were written after it have moved since the step before
    bool sorts_by_y;
    Undrawn* undrawn;
    DrawList& list;
    FontTable* fonts = nullptr;  ///< null: all texts are plain, in the default font

    PreviousPositions::Point place(Entity entity, PreviousPositions::Point now) const noexcept {
        return alpha < 1.0F ? previous.between(entity, now.x, now.y, alpha) : now;
    }
    /// True for what may be on the screen: within `reach` of x, y. False for NaN and infinity.
    bool sees(float x, float y, float reach) const noexcept {
        return x + reach >= left && x - reach <= right && y + reach >= top && y - reach <= bottom &&
               std::isfinite(reach);
    }
    static bool is_drawable(float x, float y, float reach) noexcept {
        return std::isfinite(x) && std::isfinite(y) && std::isfinite(reach);
    }
    /// As sees(). Counts an entity whose numbers cannot be drawn.
    bool shows(Entity entity, float x, float y, float reach) const noexcept {
        if (sees(x, y, reach)) return true;
        if (!is_drawable(x, y, reach)) undrawn->add(entity);
        return false;
    }
    /// Within a layer. Lower on the screen is nearer, if the camera says so.
    std::uint32_t order_at(float y) const noexcept {
        if (!sorts_by_y) return 0;
        return static_cast<std::uint32_t>(
            std::clamp((y - top) * kOrdersPerPixel + 65536.0F, 0.0F, kDrawOrderImmediate - 1.0F));
    }
};

/// A blend mode as bits of DrawItem::flags, whatever a script wrote.
inline std::uint8_t blend_bits(std::uint8_t blend) noexcept {
    return std::min<std::uint8_t>(blend, kBlendNames.size() - 1);
}

}  // namespace internal

}  // namespace perigee
