// The picture of a pool. Columns are passed as restrict pointers, so that the loops become vector code.
#include "engine/assets/image_table.h"
#include "engine/particles/internal/moving_particles.h"
#include "engine/particles/particle_pool.h"

#include <algorithm>
#include <array>

namespace perigee {

namespace {

// What is the same in all items of a pool.
struct ParticleLook {
    DrawItem item;
    std::uint64_t key = 0;
    float width = 1.0F;  // of the item, per px of size
    float height = 1.0F;
    bool is_turned = false;
};

// Particles cover what entities draw in their layer, and draw() covers them.
ParticleLook look_of(const ParticlePreset& preset, const ParticleView& view) noexcept {
    const ImageTable& images = view.images;
    ParticleLook look;
    look.item.kind = preset.kind;
    look.item.flags = static_cast<std::uint8_t>(static_cast<unsigned>(preset.blend) | view.flags);
    std::uint32_t texture = 0;
    if (preset.image != 0) {
        const FrameId frame = images.frame_of(preset.image, preset.frame);
        texture = images[frame].image;
        look.item.kind = DrawKind::sprite;
        look.item.ref = frame;
        if (images[frame].width != 0)
            look.height = static_cast<float>(images[frame].height) / static_cast<float>(images[frame].width);
    }
    if (look.item.kind == DrawKind::circle) {  // a radius
        look.width = look.height = 0.5F;
    } else {
        look.item.origin_x = look.item.origin_y = 64;
    }
    look.is_turned = preset.turns() && look.item.kind != DrawKind::circle;
    look.key = draw_key(look.item, {preset.layer, kDrawOrderImmediate - 1}, texture);
    return look;
}

constexpr std::uint32_t kParticleTie = 0xFFFF'FFFF;
constexpr std::size_t kBlock = internal::kParticleBlock;
// A batch of particles has a draw call of its own.
constexpr std::size_t kMinBatch = 1024;

ParticleLooks looks_of(const ParticlePreset& preset, const ParticleLook& look) noexcept {
    ParticleLooks looks;
    for (std::size_t step = 0; step < looks.items.size(); ++step) {
        DrawItem& item = looks.items[step];
        item = look.item;
        item.w = preset.sizes[step] * look.width;
        item.h = preset.sizes[step] * look.height;
        item.color = preset.colors[step];
    }
    return looks;
}

// Where some particles are in the frame, their steps of life, and 1 for each that is shown.
struct PlacedBlock {
    alignas(64) std::array<float, kBlock> x, y;
    alignas(64) std::array<std::int32_t, kBlock> step, is_shown;
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

// `factors`: of the curve of the speed.
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

// Between the place of the step before and this one.
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

// Returns how many are shown. NaN is not, and what is dead.
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

// Both write those of a block that are shown, and may write one more behind them. They return how many are
// shown.
template <bool kTurned>
std::size_t write_particles(std::size_t count, const PlacedBlock& block, const float* __restrict angle,
                            ParticleItem* __restrict particles) noexcept {
    std::size_t written = 0;
    for (std::size_t i = 0; i < count; ++i) {
        particles[written] = particle_of<kTurned>(block, angle, i);
        written += static_cast<std::size_t>(block.is_shown[i]);
    }
    return written;
}

template <bool kTurned>
std::size_t write_items(std::size_t count, const PlacedBlock& block, const ParticleLooks& looks,
                        const float* __restrict angle, DrawItem* __restrict items) noexcept {
    std::size_t written = 0;
    for (std::size_t i = 0; i < count; ++i) {
        items[written] = looks.item_of(particle_of<kTurned>(block, angle, i));
        written += static_cast<std::size_t>(block.is_shown[i]);
    }
    return written;
}

}  // namespace

// Calls write(count, block, angles) for each block of which something is shown.
template <typename Write>
void ParticlePool::place(const ParticlePreset& preset, const ParticleView& view, float reach,
                         std::size_t limit, Write write) const {
    PlacedBlock block;
    std::array<float, kBlock> factors;
    const bool has_curve = preset.has_speed_curve();
    for (std::size_t first = 0; first < limit; first += kBlock) {
        const std::size_t count = std::min(kBlock, limit - first);
        const auto column = [this, first](Column number) { return columns_[number].data() + first; };
        if (is_walled_) {
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
        if (show_block(count, column(kAge), view, reach, block) != 0) write(count, block, column(kAngle));
    }
}

void ParticlePool::draw(const ParticlePreset& preset, const ParticleView& view, DrawList& list) const {
    const ParticleLook look = look_of(preset, view);
    const ParticleLooks looks = looks_of(preset, look);
    const float reach = *std::ranges::max_element(preset.sizes) * (look.width + look.height);
    std::size_t written = 0;
    if (count_ < kMinBatch) {
        const DrawList::Batch batch = list.begin_batch(count_);
        const auto write = look.is_turned ? write_items<true> : write_items<false>;
        place(preset, view, reach, batch.count,
              [&](std::size_t count, const auto& block, const float* angle) {
                  written += write(count, block, looks, angle, batch.items + written);
              });
        list.end_batch_of_one_key(batch, written, look.key, kParticleTie);
        return;
    }
    const std::span<ParticleItem> batch = list.begin_particles(count_);
    const auto write = look.is_turned ? write_particles<true> : write_particles<false>;
    place(preset, view, reach, batch.size(), [&](std::size_t count, const auto& block, const float* angle) {
        written += write(count, block, angle, batch.data() + written);
    });
    list.end_particles(batch, written, looks, look.key, kParticleTie);
}

}  // namespace perigee
