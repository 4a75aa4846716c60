// The loops over particles. Columns are passed as restrict pointers, so that the update becomes vector code.
#include "engine/particles/particle_pool.h"

#include "engine/assets/image_table.h"
#include "engine/particles/internal/walled_particles.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace perigee {

namespace {

constexpr float kPartsPerRadian = 65536.0F / (2.0F * std::numbers::pi_v<float>);
constexpr std::size_t kDeadShare = 8;

// ---- movement ---------------------------------------------------------------------------------------------

// Returns how many are dead.
std::size_t move_particles(std::size_t count, float* __restrict x, float* __restrict y, float* __restrict vx,
                           float* __restrict vy, float* __restrict age, const float* __restrict pace,
                           float dt, float kept, float ax, float ay) noexcept {
    std::int32_t dead = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const float speed_x = vx[i] * kept + ax;
        const float speed_y = vy[i] * kept + ay;
        vx[i] = speed_x;
        vy[i] = speed_y;
        x[i] += speed_x * dt;
        y[i] += speed_y * dt;
        const float now = age[i] + pace[i] * dt;
        age[i] = now;
        dead += now >= 1.0F ? 1 : 0;
    }
    return static_cast<std::size_t>(dead);
}

void turn_particles(std::size_t count, float* __restrict angle, const float* __restrict spin,
                    float dt) noexcept {
    for (std::size_t i = 0; i < count; ++i) angle[i] += spin[i] * dt;
}

bool turns(const ParticlePreset& preset) noexcept {
    return preset.spin.low != 0.0F || preset.spin.high != 0.0F || preset.rotation.low != 0.0F ||
           preset.rotation.high != 0.0F;
}

// ---- the picture ------------------------------------------------------------------------------------------

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
    look.is_turned = turns(preset) && look.item.kind != DrawKind::circle;
    look.key = draw_key(look.item, {preset.layer, kDrawOrderImmediate - 1}, texture);
    return look;
}

constexpr std::uint32_t kParticleTie = 0xFFFF'FFFF;
constexpr std::size_t kBlock = 256;
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
    constexpr std::int32_t kSteps = ParticlePreset::kCurveSteps;
    static_assert((kSteps & (kSteps - 1)) == 0);
    std::int32_t shown = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const std::int32_t is_in =
            (age[i] < 1.0F) & (x[i] >= left) & (x[i] <= right) & (y[i] >= top) & (y[i] <= bottom);
        step[i] = static_cast<std::int32_t>(age[i] * static_cast<float>(kSteps)) & (kSteps - 1);
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

// ---- ParticlePool -----------------------------------------------------------------------------------------

void ParticlePool::make_room(std::size_t count) {
    if (count <= owners_.size()) return;
    const std::size_t room = std::max<std::size_t>(256, std::max(count, 2 * owners_.size()));
    for (std::size_t column = 0; column < column_count(); ++column) columns_[column].resize(room);
    owners_.resize(room);
}

// Particles that had no walls so far come from where they are.
void ParticlePool::set_walled(bool is_walled) {
    if (is_walled == is_walled_) return;
    is_walled_ = is_walled;
    if (!is_walled) return;
    columns_[kFromX] = columns_[kX];
    columns_[kFromY] = columns_[kY];
    columns_[kMoves].assign(owners_.size(), 1.0F);
}

void ParticlePool::emit(const ParticlePreset& preset, std::size_t count, const ParticleOrigin& origin,
                        const ParticleStep& step) {
    set_walled(step.walls != nullptr);
    make_room(count_ + count);
    const auto unit = [this] { return static_cast<float>(random_.next() >> 40U) * 0x1p-24F; };
    const auto among = [&unit](const ParticleRange& range) {
        return range.low + (range.high - range.low) * unit();
    };
    const bool has_owner = preset.is_local && origin.owner != 0;
    for (std::size_t n = 0; n < count; ++n) {
        const std::size_t i = count_++;
        const float angle = preset.direction + origin.turn + preset.spread * (unit() - 0.5F);
        const float speed = among(preset.speed);
        const float when = unit();  // of the step, 1 is now
        float x = 0.0F, y = 0.0F;
        if (!has_owner) {
            x = origin.from_x + (origin.x - origin.from_x) * when;
            y = origin.from_y + (origin.y - origin.from_y) * when;
        }
        if (preset.radius > 0.0F) {
            const float around = 2.0F * std::numbers::pi_v<float> * unit();
            const float away = preset.radius * std::sqrt(unit());
            x += away * std::cos(around);
            y += away * std::sin(around);
        }
        const float vx = speed * std::cos(angle), vy = speed * std::sin(angle);
        const float past = (1.0F - when) * step.dt;
        columns_[kX][i] = x + vx * past;
        columns_[kY][i] = y + vy * past;
        columns_[kVx][i] = vx;
        columns_[kVy][i] = vy;
        columns_[kPace][i] = 1.0F / among(preset.lifetime);
        columns_[kAge][i] = std::min(columns_[kPace][i] * past, 0.999F);
        columns_[kAngle][i] = among(preset.rotation) * kPartsPerRadian;
        columns_[kSpin][i] = among(preset.spin) * kPartsPerRadian;
        owners_[i] = origin.owner;
        if (step.walls != nullptr) {
            columns_[kX][i] = x;
            columns_[kY][i] = y;
            move_new(i, has_owner ? ParticlePlace{origin.x, origin.y} : ParticlePlace{}, past, *step.walls);
        }
    }
}

// `past`: seconds since it began. `owner`: zeros for particles of the world.
void ParticlePool::move_new(std::size_t particle, const ParticlePlace& owner, float past,
                            const ParticleWalls& walls) noexcept {
    float& x = columns_[kX][particle];
    float& y = columns_[kY][particle];
    float& vx = columns_[kVx][particle];
    float& vy = columns_[kVy][particle];
    columns_[kFromX][particle] = x;
    columns_[kFromY][particle] = y;
    columns_[kMoves][particle] = 1.0F;
    ParticleWay way{x + owner.x, y + owner.y, vx * past, vy * past, vx, vy};
    const bool has_hit = walls.move(way);
    x = way.x - owner.x;
    y = way.y - owner.y;
    vx = way.vx;
    vy = way.vy;
    if (!has_hit || walls.response() == HitResponse::bounce) return;
    vx = vy = columns_[kMoves][particle] = 0.0F;
    if (walls.response() != HitResponse::die) return;
    columns_[kAge][particle] = 1.0F;
    ++dead_count_;
}

void ParticlePool::update(const ParticlePreset& preset, const ParticleStep& step) {
    if (count_ == 0) return;
    set_walled(step.walls != nullptr);
    const float kept = preset.drag > 0.0F ? std::pow(1.0F - std::min(preset.drag, 0.9999F), step.dt) : 1.0F;
    const float ax = preset.gravity_x * step.dt, ay = preset.gravity_y * step.dt;
    float* const x = columns_[kX].data();
    float* const y = columns_[kY].data();
    float* const vx = columns_[kVx].data();
    float* const vy = columns_[kVy].data();
    float* const age = columns_[kAge].data();
    const float* const pace = columns_[kPace].data();
    if (is_walled_) {
        const internal::WalledColumns columns{x,
                                              y,
                                              vx,
                                              vy,
                                              age,
                                              columns_[kFromX].data(),
                                              columns_[kFromY].data(),
                                              columns_[kMoves].data(),
                                              pace,
                                              owners_.data()};
        const auto owners = preset.is_local ? step.owners : std::span<const ParticleOwnerStep>{};
        dead_count_ =
            internal::move_among_walls(count_, columns, {step.dt, kept, ax, ay, owners}, *step.walls);
    } else {
        dead_count_ = move_particles(count_, x, y, vx, vy, age, pace, step.dt, kept, ax, ay);
    }
    if (turns(preset)) turn_particles(count_, columns_[kAngle].data(), columns_[kSpin].data(), step.dt);
    if (dead_count_ * kDeadShare > count_) remove_dead();
}

// Those that live are moved in runs: most die in the order in which they began.
void ParticlePool::remove_dead() {
    const float* const age = columns_[kAge].data();
    const auto lives = [age](std::size_t i) { return age[i] < 1.0F; };
    runs_.clear();
    for (std::size_t i = 0; i < count_;) {
        while (i < count_ && !lives(i)) ++i;
        const std::size_t first = i;
        while (i < count_ && lives(i)) ++i;
        if (i != first) runs_.push_back({first, i});
    }
    const auto compact = [this](auto* column) {
        std::size_t kept = 0;
        for (const Run& run : runs_)
            for (std::size_t i = run.first; i < run.last; ++i) column[kept++] = column[i];
        return kept;
    };
    for (std::size_t column = 0; column < column_count(); ++column) compact(columns_[column].data());
    count_ = compact(owners_.data());
    dead_count_ = 0;
}

void ParticlePool::remove_of(std::uint32_t owner) {
    for (std::size_t i = 0; i < count_; ++i)
        if (owners_[i] == owner) columns_[kAge][i] = 2.0F;
    remove_dead();
}

// Calls write(count, block, angles) for each block of which something is shown.
template <typename Write>
void ParticlePool::place(const ParticlePreset& preset, const ParticleView& view, float reach,
                         std::size_t limit, Write write) const {
    PlacedBlock block;
    for (std::size_t first = 0; first < limit; first += kBlock) {
        const std::size_t count = std::min(kBlock, limit - first);
        const auto column = [this, first](Column number) { return columns_[number].data() + first; };
        if (is_walled_)
            place_walled_block(count, column(kX), column(kY), column(kFromX), column(kFromY), view.back_part,
                               block);
        else
            place_block(count, column(kX), column(kY), column(kVx), column(kVy), view.back, block);
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
