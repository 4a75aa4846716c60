// Charging: the difference between two looks at the world's memory.
#include "scripting/internal/world_share.h"

#include "ecs/archetype.h"
#include "ecs/world.h"

#include <algorithm>
#include <utility>

namespace perigee::internal {

namespace {

constexpr std::size_t kLargestRow = 64 * 1024;

// As the run scope of ecs/run_scope.h, of which this is the scripts' part.
constinit thread_local WorldShare* t_share = nullptr;

std::size_t bytes_of_row(const Prefab& prefab) noexcept {
    std::size_t bytes = prefab.archetype->layout().row_bytes;
    for (const std::uint32_t extra : prefab.extras) bytes += prefab.components[extra].value.size();
    return bytes;
}

}  // namespace

WorldShare::WorldShare(World& world) : world_(world), growth_(world.part<WorldGrowth>()) {
    growth_.taken = world_bytes(world);
    growth_.most_taken = std::max(growth_.most_taken, growth_.taken);
}

std::size_t WorldShare::left() const noexcept {
    const std::size_t unused = growth_.most_taken - std::min(growth_.taken, growth_.most_taken);
    return most_bytes_ - std::min(charged_bytes_, most_bytes_) + unused;
}

void WorldShare::begin_tick(std::uint64_t tick) noexcept {
    if (tick == tick_) return;
    tick_ = tick;
    room_ = left();
}

// What the world grew by since the last change is of runs that made something at once, each as much as it
// asked for; what is left of that when a tick is over was native code's.
void WorldShare::begin_change() noexcept {
    if (growth_.tick != tick_) growth_.most_taken = std::max(growth_.most_taken, growth_.taken);
    growth_.tick = tick_;
    before_ = growth_.taken = world_bytes(world_);
    if (before_ > growth_.most_taken) charge(std::min(before_ - growth_.most_taken, made_));
    made_ = 0;
    room_ = left();
}

void WorldShare::end_change() noexcept {
    growth_.taken = world_bytes(world_);
    const std::size_t known = std::max(before_, growth_.most_taken);
    if (growth_.taken > known) charge(growth_.taken - known);
    made_ = 0;
    room_ = left();
}

void WorldShare::charge(std::size_t bytes) noexcept {
    charged_bytes_ += bytes;
    growth_.most_taken += bytes;
}

void WorldShare::forgive() noexcept {
    charged_bytes_ = 0;
    room_ = left();
}

void WorldShare::set_most_bytes(std::size_t most_bytes) noexcept {
    most_bytes_ = most_bytes;
    room_ = left();
}

std::size_t world_bytes(const World& world) {
    return world.stats().chunk_bytes + world.buffers().stats().bytes_in_use + world.texts().stats().bytes +
           world.blobs().byte_count();
}

std::size_t bytes_of_prefab(const World& world, PrefabId id) noexcept {
    const Prefab& prefab = world.prefabs().get(id);
    std::size_t bytes = bytes_of_row(prefab);
    for (std::size_t part = 1; part < prefab.parts.size(); ++part)
        bytes += bytes_of_row(world.prefabs().get(prefab.parts[part].image));
    return bytes;
}

std::size_t bytes_of_clone(const World& world, Entity entity) noexcept {
    const Archetype* const archetype = world.archetype_of(entity);
    return archetype != nullptr ? archetype->layout().row_bytes : kLargestRow;
}

WorldShare* share_of_thread() noexcept { return t_share; }

EnterShare::EnterShare(WorldShare* share) noexcept : before_(std::exchange(t_share, share)) {}
EnterShare::~EnterShare() { t_share = before_; }

}  // namespace perigee::internal
