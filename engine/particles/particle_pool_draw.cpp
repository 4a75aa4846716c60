// The picture of a pool. Columns are passed as restrict pointers, so that the loops become vector code.
#include "engine/assets/image_table.h"
#include "engine/particles/internal/moving_particles.h"
#include "engine/particles/particle_pool.h"

#include <algorithm>
#include <array>

namespace perigee {

namespace {

// One item for each step of a particle's life, with their common sort key.
struct ParticleLook {
    ParticleLooks steps;
    std::uint64_t key = 0;
    float reach = 0.0F;  // px: no item is farther from its place
};

// What differs from step to step: its frame, and the height of an item of width 1.
struct StepFrame {
    FrameId id = 0;
    float height = 1.0F;
};

// Frames of another texture than the first one cannot be drawn with it: an empty rectangle of an atlas.
StepFrame frame_of(const ParticlePreset& preset, std::size_t step, const ImageTable& images) noexcept {
    const FrameId first = images.frame_of(preset.image, preset.frames[0]);
    FrameId id = images.frame_of(preset.image, preset.frames[step]);
    if (images[id].image != images[first].image) id = first;
    const ImageFrame& frame = images[id];
    if (frame.width == 0) return {id, 1.0F};
    return {id, static_cast<float>(frame.height) / static_cast<float>(frame.width)};
}

// Particles cover what entities draw in their layer, and draw() covers them.
ParticleLook look_of(const ParticlePreset& preset, const ParticleView& view) noexcept {
    const ImageTable& images = view.images;
    DrawItem common;
    common.kind = preset.image != 0 ? DrawKind::sprite : preset.kind;
    common.flags = static_cast<std::uint8_t>(static_cast<unsigned>(preset.blend) | view.flags);
    const bool is_circle = common.kind == DrawKind::circle;
    if (!is_circle) common.origin_x = common.origin_y = 64;
    const float width = is_circle ? 0.5F : 1.0F;  // a circle has a radius
    ParticleLook look;
    StepFrame frame;
    for (std::size_t step = 0; step < look.steps.items.size(); ++step) {
        const bool is_new = step == 0 || preset.frames[step] != preset.frames[step - 1];
        if (preset.image != 0 && is_new) frame = frame_of(preset, step, images);
        DrawItem& item = look.steps.items[step];
        item = common;
        item.ref = frame.id;
        item.w = preset.sizes[step] * width;
        item.h = item.w * frame.height;
        item.color = preset.colors[step];
        look.reach = std::max(look.reach, item.w + item.h);
    }
    const DrawItem& first = look.steps.items[0];
    const std::uint32_t texture = preset.image != 0 ? images[first.ref].image : 0;
    look.key = draw_key(first, {preset.layer, kDrawOrderImmediate - 1}, texture);
    return look;
}

constexpr std::uint32_t kParticleTie = 0xFFFF'FFFF;
constexpr std::size_t kBlock = internal::kParticleBlock;
// A batch of particles has a draw call of its own.
constexpr std::size_t kMinBatch = 1024;

// The places of a block of particles in the frame, their steps of life, and 1 for each that is shown.
struct PlacedBlock {
    alignas(64) std::array<float, kBlock> x, y;
    alignas(64) std::array<std::int32_t, kBlock> step, is_shown;
};

// The angles of a block's particles, in turns / 65536, and the factors of their sizes; null if there are
// none.
struct BlockLooks {
    const float* angle;
    const float* scale;
};

void place_block(std::size_t count, const float* __restrict x, const float* __restrict y,
                 const float* __restrict vx, const float* __restrict vy, float back,
                 PlacedBlock& block) noexcept {
    float* __restrict const to_x = block.x.data();
    float* __restrict const to_y = block.y.data();
    for (std::size_t i = 0; i < count; ++i) {
        to_x[i] = x[i] - vx[i] * back;
        to_y[i] = y[i] - vy[i] * back;
    }
}

// The same for a preset with a speed curve; `factors` are its values.
void place_curved_block(std::size_t count, const float* __restrict x, const float* __restrict y,
                        const float* __restrict vx, const float* __restrict vy,
                        const float* __restrict factors, float back, PlacedBlock& block) noexcept {
    float* __restrict const to_x = block.x.data();
    float* __restrict const to_y = block.y.data();
    for (std::size_t i = 0; i < count; ++i) {
        to_x[i] = x[i] - vx[i] * factors[i] * back;
        to_y[i] = y[i] - vy[i] * factors[i] * back;
    }
}

// Particles that hit walls: between their places in the previous step and in this one.
void place_walled_block(std::size_t count, const float* __restrict x, const float* __restrict y,
                        const float* __restrict from_x, const float* __restrict from_y, float back_part,
                        PlacedBlock& block) noexcept {
    for (std::size_t i = 0; i < count; ++i) {
        block.x[i] = x[i] - (x[i] - from_x[i]) * back_part;
        block.y[i] = y[i] - (y[i] - from_y[i]) * back_part;
    }
}

void add_places(std::size_t count, const std::uint32_t* owners, std::span<const ParticlePlace> places,
                PlacedBlock& block) noexcept {
    for (std::size_t i = 0; i < count; ++i) {
        block.x[i] += places[owners[i]].x;
        block.y[i] += places[owners[i]].y;
    }
}

// Returns how many are shown. Dead particles and places that are NaN are not.
std::size_t show_block(std::size_t count, const float* __restrict age, const ParticleView& view, float reach,
                       PlacedBlock& block) noexcept {
    const float left = view.left - reach, top = view.top - reach;
    const float right = view.right + reach, bottom = view.bottom + reach;
    const float* __restrict const x = block.x.data();
    const float* __restrict const y = block.y.data();
    std::int32_t* __restrict const step = block.step.data();
    std::int32_t* __restrict const is_shown = block.is_shown.data();
    std::int32_t shown = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const std::int32_t is_in =
            (age[i] < 1.0F) & (x[i] >= left) & (x[i] <= right) & (y[i] >= top) & (y[i] <= bottom);
        step[i] = internal::life_step(age[i]);
        is_shown[i] = is_in;
        shown += is_in;
    }
    return static_cast<std::size_t>(shown);
}

template <bool kTurned>
ParticleItem particle_of(const PlacedBlock& block, const float* angle, std::size_t i) noexcept {
    ParticleItem particle{block.x[i], block.y[i], static_cast<std::uint16_t>(block.step[i])};
    if constexpr (kTurned) particle.angle = static_cast<std::uint16_t>(static_cast<std::int64_t>(angle[i]));
    return particle;
}

// These write the shown particles of a block and return their number. They may write one more behind them.
template <bool kTurned>
std::size_t write_particles(std::size_t count, const PlacedBlock& block, const BlockLooks& own,
                            ParticleItem* __restrict particles) noexcept {
    const float* __restrict const angle = own.angle;
    std::size_t written = 0;
    for (std::size_t i = 0; i < count; ++i) {
        particles[written] = particle_of<kTurned>(block, angle, i);
        written += static_cast<std::size_t>(block.is_shown[i]);
    }
    return written;
}

template <bool kTurned, bool kScaled>
std::size_t write_items(std::size_t count, const PlacedBlock& block, const BlockLooks& own,
                        const ParticleLooks& looks, DrawItem* __restrict items) noexcept {
    const float* __restrict const angle = own.angle;
    const float* __restrict const scale = own.scale;
    std::size_t written = 0;
    for (std::size_t i = 0; i < count; ++i) {
        DrawItem item = looks.item_of(particle_of<kTurned>(block, angle, i));
        if constexpr (kScaled) {
            item.w *= scale[i];
            item.h *= scale[i];
        }
        items[written] = item;
        written += static_cast<std::size_t>(block.is_shown[i]);
    }
    return written;
}

}  // namespace

// Calls write(count, block, own) for each block with particles that are shown.
template <typename Write>
void ParticlePool::place(const ParticlePreset& preset, const ParticleView& view, float reach,
                         std::size_t limit, Write write) const {
    PlacedBlock block;
    std::array<float, kBlock> factors, angles;
    const bool has_curve = preset.has_speed_curve();
    for (std::size_t first = 0; first < limit; first += kBlock) {
        const std::size_t count = std::min(kBlock, limit - first);
        const auto column = [this, first](Column number) { return columns_[number].data() + first; };
        if (has(kWalled)) {
            place_walled_block(count, column(kX), column(kY), column(kFromX), column(kFromY), view.back_part,
                               block);
        } else if (has_curve) {
            internal::read_curve(count, preset.speed_factors, column(kAge), column(kPace), 0.0F,
                                 factors.data());
            place_curved_block(count, column(kX), column(kY), column(kVx), column(kVy), factors.data(),
                               view.back, block);
        } else {
            place_block(count, column(kX), column(kY), column(kVx), column(kVy), view.back, block);
        }
        if (preset.is_local) add_places(count, owners_.data() + first, view.places, block);
        if (show_block(count, column(kAge), view, reach, block) == 0) continue;
        BlockLooks own{column(kAngle), has(kScaled) ? column(kScale) : nullptr};
        if (has(kFaces)) {
            for (std::size_t i = 0; i < count; ++i) angles[i] = column(kAngle)[i] + column(kFacing)[i];
            own.angle = angles.data();
        }
        write(count, block, own);
    }
}

// Particles with sizes of their own become items: a batch of particles has only the sizes of its steps.
void ParticlePool::draw(const ParticlePreset& preset, const ParticleView& view, DrawList& list) const {
    const ParticleLook look = look_of(preset, view);
    const bool is_turned = (preset.turns() || has(kFaces)) && look.steps.items[0].kind != DrawKind::circle;
    const bool is_scaled = has(kScaled);
    const float reach = is_scaled ? 2.0F * look.reach : look.reach;
    std::size_t written = 0;
    if (count_ < kMinBatch || is_scaled) {
        const DrawList::Batch batch = list.begin_batch(count_);
        const auto write = is_scaled ? (is_turned ? write_items<true, true> : write_items<false, true>)
                                     : (is_turned ? write_items<true, false> : write_items<false, false>);
        place(preset, view, reach, batch.count, [&](std::size_t count, const auto& block, const auto& own) {
            written += write(count, block, own, look.steps, batch.items + written);
        });
        list.end_batch_of_one_key(batch, written, look.key, kParticleTie);
        return;
    }
    const std::span<ParticleItem> batch = list.begin_particles(count_);
    const auto write = is_turned ? write_particles<true> : write_particles<false>;
    place(preset, view, reach, batch.size(), [&](std::size_t count, const auto& block, const auto& own) {
        written += write(count, block, own, batch.data() + written);
    });
    list.end_particles(batch, written, look.steps, look.key, kParticleTie);
}

}  // namespace perigee
