// The loops over particles. Columns are passed as restrict pointers, so that the update becomes vector code.
#include "engine/extract/particle_pool.h"

#include "engine/assets/image_table.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>

namespace perigee {

namespace {

constexpr float kPartsPerRadian = 65536.0F / (2.0F * std::numbers::pi_v<float>);
constexpr std::size_t kDeadShare = 8;

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

struct ParticleColumns {
    const float *x, *y, *vx, *vy, *age, *angle;
    const std::uint32_t* owners;
    std::size_t count;
};

// What is the same in all items of a pool.
struct ParticleLook {
    DrawItem item;
    std::uint64_t key = 0;
    float width = 1.0F;  // of the item, per px of size
    float height = 1.0F;
};

// Particles cover what entities draw in their layer, and draw() covers them.
ParticleLook look_of(const ParticlePreset& preset, const ImageTable& images) noexcept {
    ParticleLook look;
    look.item.kind = preset.kind;
    look.item.flags = static_cast<std::uint8_t>(preset.blend);
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
    look.key = draw_key(look.item, {preset.layer, kDrawOrderImmediate - 1}, texture);
    return look;
}

constexpr std::uint32_t kParticleTie = 0xFFFF'FFFF;

template <bool kTurned, bool kLocal>
std::size_t draw_particles(const ParticleColumns& from, const ParticlePreset& preset,
                           const ParticleLook& look, const ParticleView& view,
                           DrawItem* __restrict const items) noexcept {
    std::size_t written = 0;
    const float* __restrict const sizes = preset.sizes.data();
    const std::uint32_t* __restrict const colors = preset.colors.data();
    const float widest = *std::ranges::max_element(preset.sizes) * (look.width + look.height);
    const float left = view.left - widest, top = view.top - widest;
    const float right = view.right + widest, bottom = view.bottom + widest;
    constexpr auto kLast = static_cast<std::uint32_t>(ParticlePreset::kCurveSteps - 1);
    for (std::size_t i = 0; i < from.count; ++i) {
        const float age = from.age[i];
        float x = from.x[i] - from.vx[i] * view.back;
        float y = from.y[i] - from.vy[i] * view.back;
        if constexpr (kLocal) {
            const ParticlePlace& place = view.places[from.owners[i]];
            x += place.x;
            y += place.y;
        }
        const auto step = static_cast<std::uint32_t>(age * static_cast<float>(ParticlePreset::kCurveSteps));
        const std::uint32_t at = std::min(step, kLast);
        const float size = sizes[at];
        DrawItem item = look.item;
        item.x = x;
        item.y = y;
        item.w = size * look.width;
        item.h = size * look.height;
        item.color = colors[at];
        if constexpr (kTurned)
            item.angle = static_cast<std::uint16_t>(static_cast<std::int64_t>(from.angle[i]));
        items[written] = item;
        // False for NaN, and for dead ones.
        written +=
            static_cast<std::size_t>((age < 1.0F) & (x >= left) & (x <= right) & (y >= top) & (y <= bottom));
    }
    return written;
}

}  // namespace

void ParticlePool::make_room(std::size_t count) {
    if (count <= owners_.size()) return;
    const std::size_t room = std::max<std::size_t>(256, std::max(count, 2 * owners_.size()));
    for (std::vector<float>& column : columns_) column.resize(room);
    owners_.resize(room);
}

void ParticlePool::emit(const ParticlePreset& preset, std::size_t count, const ParticleOrigin& origin,
                        float dt) {
    make_room(count_ + count);
    const auto unit = [this] { return static_cast<float>(random_.next() >> 40U) * 0x1p-24F; };
    const auto among = [&unit](const ParticleRange& range) {
        return range.low + (range.high - range.low) * unit();
    };
    for (std::size_t n = 0; n < count; ++n) {
        const std::size_t i = count_++;
        const float angle = preset.direction + origin.turn + preset.spread * (unit() - 0.5F);
        const float speed = among(preset.speed);
        const float when = unit();  // of the step, 1 is now
        float x = 0.0F, y = 0.0F;
        if (!preset.is_local) {
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
        const float past = (1.0F - when) * dt;
        columns_[kX][i] = x + vx * past;
        columns_[kY][i] = y + vy * past;
        columns_[kVx][i] = vx;
        columns_[kVy][i] = vy;
        columns_[kPace][i] = 1.0F / among(preset.lifetime);
        columns_[kAge][i] = std::min(columns_[kPace][i] * past, 0.999F);
        columns_[kAngle][i] = among(preset.rotation) * kPartsPerRadian;
        columns_[kSpin][i] = among(preset.spin) * kPartsPerRadian;
        owners_[i] = origin.owner;
    }
}

void ParticlePool::update(const ParticlePreset& preset, float dt) {
    if (count_ == 0) return;
    const float kept = preset.drag > 0.0F ? std::pow(1.0F - std::min(preset.drag, 0.9999F), dt) : 1.0F;
    dead_count_ = move_particles(count_, columns_[kX].data(), columns_[kY].data(), columns_[kVx].data(),
                                 columns_[kVy].data(), columns_[kAge].data(), columns_[kPace].data(), dt,
                                 kept, preset.gravity_x * dt, preset.gravity_y * dt);
    if (turns(preset)) turn_particles(count_, columns_[kAngle].data(), columns_[kSpin].data(), dt);
    if (dead_count_ * kDeadShare > count_) remove_dead();
}

void ParticlePool::remove_dead() noexcept {
    const float* const age = columns_[kAge].data();
    const auto compact = [&](auto* column) {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < count_; ++i) {
            column[kept] = column[i];
            kept += age[i] < 1.0F ? 1U : 0U;
        }
        return kept;
    };
    for (std::uint8_t column = 0; column < kColumnCount; ++column)
        if (column != kAge) compact(columns_[column].data());
    compact(owners_.data());
    count_ = compact(columns_[kAge].data());  // the last one, since all others read it
    dead_count_ = 0;
}

void ParticlePool::remove_of(std::uint32_t owner) noexcept {
    for (std::size_t i = 0; i < count_; ++i)
        if (owners_[i] == owner) columns_[kAge][i] = 2.0F;
    remove_dead();
}

void ParticlePool::draw(const ParticlePreset& preset, const ParticleView& view, DrawList& list) const {
    const ParticleLook look = look_of(preset, view.images);
    const DrawList::Batch batch = list.begin_batch(count_);
    const ParticleColumns columns{
        columns_[kX].data(),   columns_[kY].data(),     columns_[kVx].data(), columns_[kVy].data(),
        columns_[kAge].data(), columns_[kAngle].data(), owners_.data(),       batch.count};
    const bool is_turned = turns(preset) && look.item.kind != DrawKind::circle;
    const auto draw_all = preset.is_local
                              ? (is_turned ? draw_particles<true, true> : draw_particles<false, true>)
                              : (is_turned ? draw_particles<true, false> : draw_particles<false, false>);
    list.end_batch_of_one_key(batch, draw_all(columns, preset, look, view, batch.items), look.key,
                              kParticleTie);
}

}  // namespace perigee
