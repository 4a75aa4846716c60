// How particles begin and move. The loops over columns are in internal/.
#include "engine/particles/particle_pool.h"

#include "engine/draw/shapes/point.h"
#include "engine/particles/internal/moving_particles.h"
#include "engine/particles/internal/walled_particles.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace perigee {

namespace {

constexpr float kPartsPerRadian = 65536.0F / kFullTurn<float>;
constexpr float kHalf = std::numbers::pi_v<float>;  // of a turn
constexpr std::size_t kDeadShare = 8;

float among_of(const ParticleRange& range, Random& random) noexcept {
    return range.low + (range.high - range.low) * unit_of(random);
}

const internal::SpeedCurve* curve_of(const ParticlePreset& preset) noexcept {
    return preset.has_speed_curve() ? &preset.speed_factors : nullptr;
}

}  // namespace

void ParticlePool::make_room(std::size_t count) {
    if (count <= owners_.size()) return;
    const std::size_t room = std::max<std::size_t>(256, std::max(count, 2 * owners_.size()));
    for (std::size_t column = 0; column < kColumnCount; ++column)
        if (is_used(column)) columns_[column].resize(room);
    owners_.resize(room);
}

// Those that live already come from where they are, have their size, and are not pulled.
void ParticlePool::set_parts(const ParticlePreset& preset, bool is_walled) {
    const auto part = [](Part one, bool is_needed) { return is_needed ? unsigned{one} : 0U; };
    const unsigned parts = part(kWalled, is_walled) | part(kScaled, preset.size_variation > 0.0F) |
                           part(kFaces, preset.faces_velocity) | part(kPulled, preset.pulls());
    if (parts == parts_) return;
    const unsigned added = parts & ~unsigned{parts_};
    parts_ = static_cast<std::uint8_t>(parts);
    const std::size_t room = owners_.size();
    if ((added & kWalled) != 0) {
        columns_[kFromX] = columns_[kX];
        columns_[kFromY] = columns_[kY];
        columns_[kMoves].assign(room, 1.0F);
    }
    if ((added & kScaled) != 0) columns_[kScale].assign(room, 1.0F);
    if ((added & kFaces) != 0) columns_[kFacing].assign(room, 0.0F);
    if ((added & kPulled) != 0) {
        columns_[kCenterX] = columns_[kX];
        columns_[kCenterY] = columns_[kY];
        columns_[kRadial].assign(room, 0.0F);
        columns_[kTangential].assign(room, 0.0F);
    }
}

void ParticlePool::emit(const ParticlePreset& preset, std::size_t count, const ParticleOrigin& origin,
                        const ParticleStep& step) {
    set_parts(preset, step.walls != nullptr);
    make_room(count_ + count);
    const auto unit = [this] { return unit_of(random_); };
    const auto among = [this](const ParticleRange& range) { return among_of(range, random_); };
    const bool has_owner = preset.is_local && origin.owner != 0;
    const bool is_point = preset.area.is_point(), is_outward = preset.area.is_outward;
    const bool has_more = (parts_ & ~kWalled) != 0;
    const AreaPlaces places(preset.area, origin.turn);
    for (std::size_t n = 0; n < count; ++n) {
        const std::size_t i = count_++;
        float angle = preset.direction + preset.spread * (unit() - 0.5F);
        const float speed = among(preset.speed);
        const float when = unit();  // of the step, 1 is now
        float x = 0.0F, y = 0.0F;
        if (!has_owner) {
            x = origin.from_x + (origin.x - origin.from_x) * when;
            y = origin.from_y + (origin.y - origin.from_y) * when;
        }
        AreaPlace in_area;
        if (!is_point) in_area = places.next(random_);
        const float center_x = x, center_y = y;
        x += in_area.x;
        y += in_area.y;
        angle += is_outward ? std::atan2(in_area.y, in_area.x) : origin.turn;
        const float vx = speed * std::cos(angle), vy = speed * std::sin(angle);
        const float past = (1.0F - when) * step.dt;
        columns_[kPace][i] = 1.0F / among(preset.lifetime);
        columns_[kAge][i] = std::min(columns_[kPace][i] * past, 0.999F);
        const auto life_step = static_cast<std::size_t>(internal::life_step(columns_[kAge][i]));
        const float factor = preset.speed_factors[life_step];
        const float moved = factor * past;
        columns_[kX][i] = x + vx * moved;
        columns_[kY][i] = y + vy * moved;
        columns_[kVx][i] = vx;
        columns_[kVy][i] = vy;
        columns_[kAngle][i] = among(preset.rotation) * kPartsPerRadian;
        columns_[kSpin][i] = among(preset.spin) * kPartsPerRadian;
        owners_[i] = origin.owner;
        if (has_more)
            begin_parts(preset, i, {center_x, center_y}, speed * factor < 0.0F ? angle + kHalf : angle);
        if (step.walls != nullptr) {
            columns_[kX][i] = x;
            columns_[kY][i] = y;
            move_new(i, has_owner ? ParticlePlace{origin.x, origin.y} : ParticlePlace{}, moved, *step.walls);
        }
    }
}

// `center`: where its emitter was. `facing`: radians.
void ParticlePool::begin_parts(const ParticlePreset& preset, std::size_t particle,
                               const ParticlePlace& center, float facing) noexcept {
    if (has(kScaled))
        columns_[kScale][particle] = 1.0F + preset.size_variation * (2.0F * unit_of(random_) - 1.0F);
    if (has(kFaces)) columns_[kFacing][particle] = facing * kPartsPerRadian;
    if (!has(kPulled)) return;
    columns_[kCenterX][particle] = center.x;
    columns_[kCenterY][particle] = center.y;
    columns_[kRadial][particle] = among_of(preset.radial, random_);
    columns_[kTangential][particle] = among_of(preset.tangential, random_);
}

// `moved`: seconds for which it moves with its speed. `owner`: zeros for particles of the world.
void ParticlePool::move_new(std::size_t particle, const ParticlePlace& owner, float moved,
                            const ParticleWalls& walls) noexcept {
    float& x = columns_[kX][particle];
    float& y = columns_[kY][particle];
    float& vx = columns_[kVx][particle];
    float& vy = columns_[kVy][particle];
    columns_[kFromX][particle] = x;
    columns_[kFromY][particle] = y;
    columns_[kMoves][particle] = 1.0F;
    ParticleWay way{x + owner.x, y + owner.y, vx * moved, vy * moved, vx, vy};
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
    set_parts(preset, step.walls != nullptr);
    const float kept = preset.drag > 0.0F ? std::pow(1.0F - std::min(preset.drag, 0.9999F), step.dt) : 1.0F;
    const float ax = preset.gravity_x * step.dt, ay = preset.gravity_y * step.dt;
    const internal::MovingStep moving{step.dt, kept, ax, ay, curve_of(preset)};
    const internal::MovingColumns columns{columns_[kX].data(),   columns_[kY].data(),
                                          columns_[kVx].data(),  columns_[kVy].data(),
                                          columns_[kAge].data(), columns_[kPace].data()};
    if (has(kPulled))
        internal::pull_particles(count_, columns,
                                 {columns_[kCenterX].data(), columns_[kCenterY].data(),
                                  columns_[kRadial].data(), columns_[kTangential].data()},
                                 step.dt);
    if (has(kWalled)) {
        const internal::WalledColumns walled{columns, columns_[kFromX].data(), columns_[kFromY].data(),
                                             columns_[kMoves].data(), owners_.data()};
        const auto owners = preset.is_local ? step.owners : std::span<const ParticleOwnerStep>{};
        dead_count_ = internal::move_among_walls(count_, walled, {moving, owners}, *step.walls);
    } else {
        dead_count_ = internal::move_particles(count_, columns, moving);
    }
    if (has(kFaces)) internal::face_particles(count_, columns, moving.curve, columns_[kFacing].data());
    if (preset.turns())
        internal::turn_particles(count_, columns_[kAngle].data(), columns_[kSpin].data(), step.dt);
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
    for (std::size_t column = 0; column < kColumnCount; ++column)
        if (is_used(column)) compact(columns_[column].data());
    count_ = compact(owners_.data());
    dead_count_ = 0;
}

void ParticlePool::remove_of(std::uint32_t owner) {
    for (std::size_t i = 0; i < count_; ++i)
        if (owners_[i] == owner) columns_[kAge][i] = 2.0F;
    remove_dead();
}

}  // namespace perigee
