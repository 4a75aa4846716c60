// Charging: the difference between two measurements of the world's memory.
#include "scripting/mods/internal/world_share.h"

#include "ecs/archetype/archetype.h"
#include "ecs/inspect/world_memory.h"
#include "ecs/world/world.h"
#include "scripting/base/error_codes.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace perigee::internal {

namespace {

constexpr std::size_t kLargestRow = 64 * 1024;

std::size_t bytes_of_row(const Prefab& prefab) noexcept {
    std::size_t bytes = prefab.archetype->layout().row_bytes;
    for (const std::uint32_t extra : prefab.extras) bytes += prefab.components[extra].value.size();
    return bytes;
}

std::size_t above(std::size_t number, std::size_t other) noexcept { return number - std::min(number, other); }

// Where values of components, events and prefabs are, texts among them.
constexpr std::array kKindsOfCells{MemoryKind::chunks, MemoryKind::buffers, MemoryKind::blobs,
                                   MemoryKind::events, MemoryKind::prefabs};

constexpr std::array<const char*, kOwnMemoryKinds> kOwnMemoryNames{"objects", "commands", "systems",
                                                                   "observed values", "side worlds"};

}  // namespace

WorldShare::WorldShare(World& world)
    : world_(world),
      growth_(world.part<WorldGrowth>()),
      reserves_(world.part<PoolReserves>()),
      member_(reserves_.join(world)) {
    growth_.taken = world_memory(world);
    growth_.entities = world.entity_count();
    if (growth_.shares.empty()) {
        growth_.at_first = growth_.max_taken = growth_.taken;
        growth_.entities_at_first = growth_.max_entities = growth_.entities;
    }
    growth_.shares.push_back(this);
    divide_among_mods();
}

WorldShare::~WorldShare() { std::ranges::replace(growth_.shares, this, static_cast<WorldShare*>(nullptr)); }

std::size_t WorldShare::charged_bytes() const noexcept {
    std::size_t bytes = charged_.sum();
    for (const std::size_t own : own_bytes_) bytes += own;
    return bytes;
}

double WorldShare::part_of_cells() const noexcept {
    if (is_game()) return 0;
    std::size_t own = 0;
    std::size_t all = 0;
    for (const MemoryKind kind : kKindsOfCells) {
        own += above(charged_[kind], credit_[kind]);
        all += growth_.taken[kind];
    }
    return all == 0 ? 0 : std::min(1.0, static_cast<double>(own) / static_cast<double>(all));
}

void WorldShare::divide_among_mods() noexcept {
    const auto is_there = [](const WorldShare* share) { return share != nullptr; };
    const auto mods =
        static_cast<std::size_t>(std::count_if(growth_.shares.begin() + 1, growth_.shares.end(), is_there));
    growth_.of_all.divide(mods);
    growth_.entities_of_all.divide(mods);
    for (std::size_t i = 1; i < growth_.shares.size(); ++i) {
        if (growth_.shares[i] == nullptr) continue;
        growth_.of_all.move(0, growth_.shares[i]->charged_.sum());
        growth_.entities_of_all.move(0, growth_.shares[i]->entities());
    }
}

void WorldShare::count_charged(std::size_t before) noexcept {
    if (!is_game()) growth_.of_all.move(before, charged_.sum());
}

// The amount that may be taken from now on, as of the last measurement by a share.
void WorldShare::restart(bool is_beside_others) noexcept {
    PerMemoryKind<std::size_t> units = reserves_.room(member_, is_beside_others);
    for (const MemoryKind kind : kAllMemoryKinds)
        if (units[kind] != SIZE_MAX && counts_bytes(kind)) units[kind] += credit_[kind];
    std::size_t bytes = above(max_bytes_, charged_bytes() + made_.sum());
    is_limited_by_all_ = false;
    if (!is_game()) {
        const std::size_t room = growth_.of_all.room(charged_.sum() + made_.sum(), is_beside_others);
        is_limited_by_all_ = room < bytes;
        bytes = std::min(bytes, room);
    }
    asked_.restart(bytes, credit_, units);
    entity_room_ = above(max_entities_, entities());
    is_full_of_all_ = false;
    if (!is_game()) {
        const std::size_t room = growth_.entities_of_all.room(entities(), is_beside_others);
        is_full_of_all_ = room < entity_room_;
        entity_room_ = std::min(entity_room_, room);
    }
    is_used_up_ = has_refused_entities_ = false;
}

bool WorldShare::refuse(MemoryKind kind) noexcept {
    if (is_used_up_) return false;
    is_used_up_ = true;
    refused_ = name_of(kind).data();
    is_pool_full_ = asked_.is_pool_full();
    asked_.close();
    return false;
}

bool WorldShare::refuse_entities() noexcept {
    if (is_used_up_) return false;
    is_used_up_ = has_refused_entities_ = true;
    asked_.close();
    return false;
}

bool WorldShare::hold(OwnMemory kind, std::size_t bytes) noexcept {
    if (is_used_up_ || !asked_.take_own(bytes)) {
        is_used_up_ = true;
        refused_ = kOwnMemoryNames[static_cast<std::size_t>(kind)];
        is_pool_full_ = false;
        return false;
    }
    own_bytes_[static_cast<std::size_t>(kind)] += bytes;
    return true;
}

bool WorldShare::hold_aside(OwnMemory kind, std::size_t bytes) noexcept {
    if (bytes > above(max_bytes_, charged_bytes() + made_.sum())) return false;
    own_bytes_[static_cast<std::size_t>(kind)] += bytes;
    return true;
}

void WorldShare::unmake(MemoryKind kind, std::size_t bytes) noexcept {
    made_[kind] = above(made_[kind], bytes);
    if (!is_used_up_) asked_.give_back(kind, bytes, bytes);
}

void WorldShare::release(OwnMemory kind, std::size_t bytes) noexcept {
    std::size_t& own = own_bytes_[static_cast<std::size_t>(kind)];
    own = above(own, bytes);
}

std::string WorldShare::refusal() const {
    constexpr double kMegabyte = 1024.0 * 1024.0;
    const std::optional<MemoryKind> in_change = change_.refused();
    if (!is_used_up_ && !in_change) return std::string(messages::kWorldFull);
    if (is_used_up_ && has_refused_entities_)
        return is_full_of_all_ ? fmt::format(messages::kEntitiesOfAll, entities(),
                                             growth_.entities_of_all.limit(), growth_.entities_of_all.part())
                               : fmt::format(messages::kEntitiesOfMod, entities(), max_entities_);
    const std::string_view kind = is_used_up_ ? refused_ : name_of(*in_change);
    if (is_used_up_ ? is_pool_full_ : change_.is_pool_full()) return fmt::format(messages::kPoolFull, kind);
    if (is_limited_by_all_)
        return fmt::format(messages::kWorldOfAll, static_cast<double>(charged_bytes()) / kMegabyte,
                           static_cast<double>(growth_.of_all.limit()) / kMegabyte,
                           static_cast<double>(growth_.of_all.part()) / kMegabyte, kind);
    return fmt::format(messages::kWorldShare, static_cast<double>(charged_bytes()) / kMegabyte,
                       static_cast<double>(max_bytes_) / kMegabyte, kind);
}

void WorldShare::begin_tick(std::uint64_t tick) noexcept {
    if (tick == tick_) return;
    tick_ = tick;
    restart(true);
}

// Memory returned by pools since the last measurement, in changes not made by a mod.
void WorldShare::look(const PerMemoryKind<std::size_t>& now) noexcept {
    for (const MemoryKind kind : kAllMemoryKinds) {
        growth_.max_taken[kind] = std::max(growth_.max_taken[kind], now[kind]);
        if (now[kind] < growth_.taken[kind]) credit(kind, growth_.taken[kind] - now[kind]);
    }
    growth_.taken = now;
}

// Credits up to `bytes` of this share's charges that were returned; returns the number credited.
std::size_t WorldShare::take_credit(MemoryKind kind, std::size_t bytes) noexcept {
    const std::size_t taken = std::min(bytes, above(charged_[kind], credit_[kind]));
    credit_[kind] += taken;
    return taken;
}

void WorldShare::credit(MemoryKind kind, std::size_t bytes) noexcept {
    if (growth_.shares.front() != nullptr) bytes -= growth_.shares.front()->take_credit(kind, bytes);
    bytes -= take_credit(kind, bytes);
    for (WorldShare* const other : growth_.shares)
        if (other != nullptr && bytes != 0) bytes -= other->take_credit(kind, bytes);
}

// ---- living entities, by the same rules

void WorldShare::set_entities(std::size_t charged, std::size_t credit) noexcept {
    const std::size_t before = entities();
    entities_charged_ = charged;
    entity_credit_ = credit;
    if (!is_game()) growth_.entities_of_all.move(before, entities());
}

std::size_t WorldShare::take_entity_credit(std::size_t count) noexcept {
    const std::size_t taken = std::min(count, entities());
    if (taken != 0) set_entities(entities_charged_, entity_credit_ + taken);
    return taken;
}

void WorldShare::charge_entities(std::size_t count) noexcept {
    const std::size_t from_credit = std::min(count, entity_credit_);
    count -= from_credit;
    std::size_t all = count;
    for (const WorldShare* const share : growth_.shares)
        if (share != nullptr) all += share->entities_charged_;
    const std::size_t excess =
        std::min(count, above(all, above(growth_.max_entities, growth_.entities_at_first)));
    set_entities(entities_charged_ + count - excess, entity_credit_ - from_credit);
}

// Destroyed since the last measurement: the game gets credit first, then this share, then the others.
void WorldShare::measure_entities() noexcept {
    const std::size_t now = world_.entity_count();
    std::size_t gone = above(growth_.entities, now);
    growth_.entities = now;
    growth_.max_entities = std::max(growth_.max_entities, now);
    if (gone == 0) return;
    if (growth_.shares.front() != nullptr) gone -= growth_.shares.front()->take_entity_credit(gone);
    gone -= take_entity_credit(gone);
    for (WorldShare* const other : growth_.shares)
        if (other != nullptr && gone != 0) gone -= other->take_entity_credit(gone);
}

// Memory that runs took at once is charged to the requester.
MemoryQuota* WorldShare::begin_change() noexcept {
    look(world_memory(world_));
    measure_entities();
    for (const MemoryKind kind : kAllMemoryKinds) {
        charge(kind, made_[kind], counts_bytes(kind) ? made_[kind] : 0);
        made_[kind] = 0;
    }
    before_ = growth_.taken;
    for (const MemoryKind kind : kAllMemoryKinds)
        if (!counts_bytes(kind)) units_before_[kind] = world_count(world_, kind);
    reserves_.set_used(member_, charged_units_);
    restart(false);
    change_ = asked_;
    return &change_;
}

void WorldShare::end_change() noexcept {
    const PerMemoryKind<std::size_t> now = world_memory(world_);
    for (const MemoryKind kind : kAllMemoryKinds) {
        const std::size_t bytes = above(now[kind], before_[kind]);
        growth_.max_taken[kind] = std::max(growth_.max_taken[kind], now[kind]);
        charge(kind, bytes,
               counts_bytes(kind) ? bytes : above(world_count(world_, kind), units_before_[kind]));
        if (now[kind] < before_[kind]) credit(kind, before_[kind] - now[kind]);
        made_[kind] = 0;
    }
    growth_.taken = now;
    const std::size_t entities_before = growth_.entities;
    measure_entities();
    if (growth_.entities > entities_before) charge_entities(growth_.entities - entities_before);
    reserves_.set_used(member_, charged_units_);
    const std::optional<MemoryKind> refused = change_.refused();
    const bool was_pool_full = change_.is_pool_full();
    restart(false);
    change_ = asked_;
    if (refused) {  // the next requests are refused, until the next tick
        is_used_up_ = true;
        refused_ = name_of(*refused).data();
        is_pool_full_ = was_pool_full;
    }
}

// Credit is used up first. All together are charged no more than the world took: a share charged beyond that
// had memory freed for which the game got the credit.
void WorldShare::charge(MemoryKind kind, std::size_t bytes, std::size_t units) noexcept {
    if (bytes == 0 && units == 0) return;  // most changes do not grow a pool
    const std::size_t from_credit = std::min(bytes, credit_[kind]);
    credit_[kind] -= from_credit;
    bytes -= from_credit;
    std::size_t all = bytes;
    for (const WorldShare* const share : growth_.shares)
        if (share != nullptr) all += share->charged_[kind];
    const std::size_t excess =
        std::min(bytes, above(all, above(growth_.max_taken[kind], growth_.at_first[kind])));
    const std::size_t before = charged_.sum();
    charged_[kind] += bytes - excess;
    count_charged(before);
    charged_units_[kind] += counts_bytes(kind) ? bytes - excess : units;
}

void WorldShare::forgive() noexcept {
    const std::size_t before = charged_.sum();
    charged_ = {};
    count_charged(before);
    charged_units_ = {};
    credit_ = {};
    set_entities(0, 0);
    reserves_.set_used(member_, charged_units_);
    restart(false);
}

void WorldShare::set_max_bytes_of_all(std::size_t max_bytes) noexcept {
    growth_.of_all.set_limit(max_bytes);
    divide_among_mods();
    restart(false);
}

void WorldShare::set_max_entities(std::size_t most, std::size_t max_of_all) noexcept {
    max_entities_ = most;
    growth_.entities_of_all.set_limit(max_of_all);
    divide_among_mods();
    restart(false);
}

void WorldShare::set_max_bytes(std::size_t max_bytes) noexcept {
    max_bytes_ = max_bytes;
    restart(false);
}

std::size_t entities_of_prefab(const World& world, PrefabId id) noexcept {
    return std::max<std::size_t>(world.prefabs().get(id).parts.size(), 1);
}

PrefabSize size_of_prefab(const World& world, PrefabId id) noexcept {
    const Prefab& prefab = world.prefabs().get(id);
    PrefabSize size{entities_of_prefab(world, id), bytes_of_row(prefab)};
    for (std::size_t part = 1; part < prefab.parts.size(); ++part)
        size.bytes += bytes_of_row(world.prefabs().get(prefab.parts[part].image));
    return size;
}

std::size_t bytes_of_prefab(const World& world, PrefabId prefab) noexcept {
    return size_of_prefab(world, prefab).bytes;
}

std::size_t bytes_of_clone(const World& world, Entity entity) noexcept {
    const Archetype* const archetype = world.archetype_of(entity);
    return archetype != nullptr ? archetype->layout().row_bytes : kLargestRow;
}

EnterShare::EnterShare(WorldShare* share) noexcept : before_(std::exchange(t_share, share)) {}
EnterShare::~EnterShare() { t_share = before_; }

}  // namespace perigee::internal
