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
#include "engine/draw/layer_look.h"
#include "engine/extract/interpolation.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

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

/// What the camera shows of a layer, and what decides the order within it.
struct SeenLayer {
    static constexpr float kOrdersPerPixel = 16.0F;

    std::int16_t layer = 0;
    LayerSort sort = LayerSort::none;                            ///< never `camera`
    float left = 0.0F, top = 0.0F, right = 0.0F, bottom = 0.0F;  ///< the part of the world
    std::uint8_t flags = 0;                                      ///< of all items: kDrawScreen, or nothing

    /// True for what may be on the screen: within `reach` of x, y. False for NaN and infinity.
    bool sees(float x, float y, float reach) const noexcept {
        return x + reach >= left && x - reach <= right && y + reach >= top && y - reach <= bottom &&
               std::isfinite(reach);
    }
    /// Lower on the screen is nearer.
    std::uint32_t order_at(float y) const noexcept {
        return static_cast<std::uint32_t>(
            std::clamp((y - top) * kOrdersPerPixel + 65536.0F, 0.0F, kDrawOrderImmediate - 1.0F));
    }
    /// `order`: the field of the entity.
    static std::uint32_t order_of(std::int16_t order) noexcept {
        return static_cast<std::uint32_t>(std::int32_t{order} + 32768);
    }
    /// Within the layer.
    std::uint32_t order_of(float y, std::int16_t order) const noexcept {
        if (sort == LayerSort::none) return 0;
        return sort == LayerSort::y ? order_at(y) : order_of(order);
    }
};

struct ExtractFrame {
    World& world;
    const PositionColumn& position;
    const PreviousPositions& previous;
    const ImageTable& images;
    SeenLayer seen;                     ///< layers that are not in `layers`
    std::span<const SeenLayer> layers;  ///< those that differ, by rising number
    std::uint64_t ordered_version = 0;  ///< another one when keys of the same sprites differ
    float alpha;
    ChangeVersion remembered;  ///< positions that were written after it have moved since the step before
    Undrawn* undrawn;
    DrawList& list;
    FontTable* fonts = nullptr;  ///< null: all texts are plain, in the default font

    const SeenLayer& seen_of(std::int16_t layer) const noexcept {
        for (const SeenLayer& one : layers)
            if (one.layer == layer) return one;
        return seen;
    }
    PreviousPositions::Point place(Entity entity, PreviousPositions::Point now) const noexcept {
        return alpha < 1.0F ? previous.between(entity, now.x, now.y, alpha) : now;
    }
    static bool is_drawable(float x, float y, float reach) noexcept {
        return std::isfinite(x) && std::isfinite(y) && std::isfinite(reach);
    }
    /// Like `seen.sees`, but also counts an entity whose numbers cannot be drawn.
    bool shows(const SeenLayer& by, Entity entity, float x, float y, float reach) const noexcept {
        if (by.sees(x, y, reach)) return true;
        if (!is_drawable(x, y, reach)) undrawn->add(entity);
        return false;
    }
};

/// Finds the SeenLayer of each row; neighbouring rows usually share one.
class LayerCursor {
public:
    explicit LayerCursor(const ExtractFrame& frame) noexcept
        : frame_(frame), now_(&frame.seen), is_same_(frame.layers.empty()) {}
    const SeenLayer& of(std::int16_t layer) noexcept {
        if (is_same_ || (has_layer_ && layer == layer_)) return *now_;
        layer_ = layer;
        has_layer_ = true;
        now_ = &frame_.seen_of(layer);
        return *now_;
    }

private:
    const ExtractFrame& frame_;
    const SeenLayer* now_;
    const bool is_same_;
    bool has_layer_ = false;
    std::int16_t layer_ = 0;
};

/// A blend mode as bits of DrawItem::flags, whatever a script wrote.
inline std::uint8_t blend_bits(std::uint8_t blend) noexcept {
    return std::min<std::uint8_t>(blend, kBlendNames.size() - 1);
}

}  // namespace internal

}  // namespace perigee
