// Emission in a fixed order: emitters in the order of the world's chunks, then bursts in the order of the
// calls.
#include "engine/extract/particles.h"

#include "ecs/base/random.h"
#include "ecs/query/query.h"
#include "ecs/world/world.h"
#include "engine/base/error_codes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace perigee {

namespace {

// Owner 0 is what no emitter emits: bursts.
std::uint32_t owner_of(Entity entity) noexcept { return entity.index() + 1; }

}  // namespace

Particles::Particles() : names_(engine_errors::kUnknownParticles) {}

Result<void> Particles::define(const ParticlePreset& preset, std::size_t owner) {
    if (const auto known = names_.find(preset.name)) {
        Kind& kind = kinds_[*known];
        if (kind.preset.is_local != preset.is_local) kind.pool.clear();
        kind.preset = preset;
        return {};
    }
    if (owner >= preset_counts_.size()) preset_counts_.resize(owner + 1);
    if (preset_counts_[owner] >= kMaxPresets)
        return Error{fmt::format(engine_errors::kTooManyPresets, preset.name, kMaxPresets)};
    ++preset_counts_[owner];
    names_.add(preset.name);
    kinds_.push_back({preset, ParticlePool(stream_seed(seed_, preset.name)), owner});
    return {};
}

void Particles::burst(std::uint32_t preset, float x, float y, double count) {
    if (!std::isfinite(x) || !std::isfinite(y) || bursts_.size() >= kMaxBursts) return;
    const double wanted = count < 0 ? kinds_[preset].preset.count : count;
    bursts_.push_back({preset, x, y, static_cast<std::uint32_t>(std::min<double>(wanted, kMaxLive))});
}

std::size_t Particles::live_count() const noexcept {
    std::size_t count = 0;
    for (const Kind& kind : kinds_) count += kind.pool.live_count();
    return count;
}

std::size_t Particles::room_for(const Kind& kind) const noexcept {
    const std::size_t all = live_count();
    const std::size_t room = kMaxLive - std::min(all, kMaxLive);
    if (kind.owner == 0) return room;
    std::size_t of_mod = 0;
    for (const Kind& other : kinds_)
        if (other.owner == kind.owner) of_mod += other.pool.live_count();
    return std::min(room, kMaxLiveOfMod - std::min(of_mod, kMaxLiveOfMod));
}

std::optional<ParticleWalls> Particles::walls_of(const Kind& kind) const {
    const ParticleCollisions& collisions = kind.preset.collisions;
    if (collisions.grid == 0 || !find_grid_) return std::nullopt;
    const CollisionGrid grid = find_grid_(collisions);
    if (grid.pixels.empty()) return std::nullopt;
    return ParticleWalls(collisions, grid);
}

void Particles::emit(const Emission& emission, float dt) {
    if (emission.count == 0) return;
    Kind& kind = kinds_[emission.preset];
    const std::size_t room = room_for(kind);
    if (emission.count > room && !std::exchange(has_reported_limit_, true))
        reports_.push_back(
            fmt::format(engine_errors::kTooManyParticles, kind.preset.name, kMaxLive, kMaxLiveOfMod));
    const std::optional<ParticleWalls> walls = walls_of(kind);
    kind.pool.emit(kind.preset, std::min<std::size_t>(emission.count, room), emission.origin,
                   {.dt = dt, .walls = walls ? &*walls : nullptr});
}

void Particles::visit(Entity entity, const Emitter& emitter, std::uint32_t preset,
                      PreviousPositions::Point at, float dt) {
    if (entity.index() >= sources_.size()) sources_.resize(std::size_t{entity.index()} + 1);
    Source& source = sources_[entity.index()];
    const bool is_new = source.generation != entity.generation() || source.preset != preset;
    if (is_new) {  // local particles of what had this index before end
        for (Kind& kind : kinds_)
            if (kind.preset.is_local && source.generation != 0) kind.pool.remove_of(owner_of(entity));
        source = {};
        source.generation = entity.generation();
        source.preset = preset;
    }
    const bool goes_on = !is_new && source.last_step + 1 == steps_ &&
                         std::fabs(at.x - source.x) < PreviousPositions::kMaxStepDistance &&
                         std::fabs(at.y - source.y) < PreviousPositions::kMaxStepDistance;
    source.from_x = goes_on ? source.x : at.x;
    source.from_y = goes_on ? source.y : at.y;
    source.x = at.x;
    source.y = at.y;
    source.last_step = steps_;
    const float more = kinds_[preset].preset.rate * emitter.rate * dt;
    if (!emitter.active || !(more > 0.0F)) return;
    source.part = std::min(source.part + more, static_cast<float>(kMaxLive));
    const float whole = std::floor(source.part);
    source.part -= whole;
    const float turn = std::isfinite(emitter.rotation) ? emitter.rotation : 0.0F;
    emissions_.push_back({preset,
                          static_cast<std::uint32_t>(whole),
                          {source.from_x, source.from_y, source.x, source.y, turn, owner_of(entity)}});
}

void Particles::visit_emitters(World& world, const PositionColumn& position, const Query& query, float dt) {
    world.each_chunk(query, [&](ChunkView& chunk) {
        const std::byte* const positions = chunk.column_data(0);
        const auto* const emitters = reinterpret_cast<const Emitter*>(chunk.column_data(1));
        for (std::uint32_t row = 0; row < chunk.row_count(); ++row) {
            const auto preset = names_.find(world.texts(), emitters[row].preset);
            const auto at = position.at(positions, row);
            if (!preset || !std::isfinite(at.x) || !std::isfinite(at.y)) continue;
            visit(chunk.entities()[row], emitters[row], *preset, at, dt);
        }
    });
}

// Emitters have moved already: walls stop local particles where they are now.
void Particles::move(Kind& kind, float dt) {
    const std::optional<ParticleWalls> walls = walls_of(kind);
    if (walls && kind.preset.is_local && kind.pool.size() != 0 && owners_.empty()) {
        owners_.resize(sources_.size() + 1);
        for (std::size_t i = 0; i < sources_.size(); ++i) {
            const Source& source = sources_[i];
            const bool has_moved = source.last_step == steps_;
            owners_[i + 1] = {has_moved ? source.from_x : source.x, has_moved ? source.from_y : source.y,
                              source.x, source.y};
        }
    }
    kind.pool.update(kind.preset, {dt, walls ? &*walls : nullptr, owners_});
}

void Particles::step(World& world, const PositionColumn& position, const Query* query, float dt) {
    if (kinds_.empty()) return;
    ++steps_;
    emissions_.clear();
    owners_.clear();
    if (query != nullptr) visit_emitters(world, position, *query, dt);
    for (Kind& kind : kinds_) move(kind, dt);
    for (const Emission& emission : emissions_) emit(emission, dt);
    for (const Burst& burst : bursts_)
        emit({burst.preset, burst.count, {burst.x, burst.y, burst.x, burst.y, 0.0F, 0}}, dt);
    bursts_.clear();
}

void Particles::draw(const internal::ExtractFrame& frame, float dt) {
    std::size_t count = 0;
    bool has_local = false;
    for (const Kind& kind : kinds_) {
        count += kind.pool.size();
        has_local |= kind.preset.is_local && kind.pool.size() != 0;
    }
    if (count == 0) return;
    if (has_local) {
        places_.resize(sources_.size() + 1);
        for (std::size_t i = 0; i < sources_.size(); ++i) {
            const Source& source = sources_[i];
            const float back = source.last_step == steps_ ? 1.0F - frame.alpha : 0.0F;
            places_[i + 1] = {source.x - (source.x - source.from_x) * back,
                              source.y - (source.y - source.from_y) * back};
        }
    }
    const float left = 1.0F - frame.alpha;
    for (const Kind& kind : kinds_) {
        if (kind.pool.size() == 0) continue;
        const internal::SeenLayer& seen = frame.seen_of(kind.preset.layer);
        kind.pool.draw(kind.preset,
                       {seen.left, seen.top, seen.right, seen.bottom, dt * left, left, frame.images, places_,
                        seen.flags},
                       frame.list);
    }
}

void Particles::clear() noexcept {
    for (Kind& kind : kinds_) kind.pool.clear();
    sources_.clear();
    bursts_.clear();
}

std::vector<std::string> Particles::take_reports() {
    std::vector<std::string> reports = names_.take_reports();
    std::ranges::move(reports_, std::back_inserter(reports));
    reports_.clear();
    return reports;
}

}  // namespace perigee
