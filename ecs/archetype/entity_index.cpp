// Issues, frees and retires entity slots. Look-ups are inline in the header.
#include "ecs/archetype/entity_index.h"

#include "ecs/base/contract.h"

#include <algorithm>
#include <new>
#include <utility>

namespace perigee {

namespace {

constexpr std::size_t kCommitStep = internal::kHugePageBytes;

}  // namespace

EntityIndex::EntityIndex(std::uint32_t max_entities)
    : range_(std::size_t{max_entities} * sizeof(std::uint64_t)),
      records_(reinterpret_cast<std::uint64_t*>(range_.data())),
      max_slots_(max_entities) {}

Entity EntityIndex::reserve() noexcept {
    return has_room() ? take_slot(kReserved, Location{0, 0}) : Entity{};
}

void EntityIndex::release(Entity entity) noexcept {
    ECS_EXPECTS(is_alive(entity) || is_reserved(entity), entity.bits);
    const std::uint32_t index = entity.index();
    if (notes_deaths_) note_death(entity);
    --used_count_;
    if (entity.generation() == Entity::kMaxGeneration) {
        records_[index] = head_of(entity.generation(), kRetired) << 32;
        ++retired_count_;
        return;
    }
    records_[index] = (head_of(entity.generation() + 1, kFree) << 32) | first_free_;
    first_free_ = index;
}

void EntityIndex::note_death(Entity entity) noexcept {
    try {
        deaths_.push_back(entity);
    } catch (const std::bad_alloc&) {
        has_missed_death_ = true;
    }
}

bool EntityIndex::take_deaths(std::vector<Entity>& dead) noexcept {
    dead.clear();
    dead.swap(deaths_);
    return !std::exchange(has_missed_death_, false);
}

bool EntityIndex::prepare(std::uint32_t entity_count) noexcept {
    const std::uint32_t free = slot_count() - used_count_ - retired_count_;
    if (entity_count <= free) return true;
    return commit(std::size_t{slot_count()} + (entity_count - free));
}

bool EntityIndex::commit(std::size_t slots) noexcept {
    if (slots > max_slots_) return false;
    if (slots <= committed_slots_) return true;
    if (!range_.commit(std::max(slots * sizeof(std::uint64_t), range_.committed() + kCommitStep)) &&
        !range_.commit(slots * sizeof(std::uint64_t))) {
        return false;
    }
    committed_slots_ = static_cast<std::uint32_t>(
        std::min<std::size_t>(range_.committed() / sizeof(std::uint64_t), max_slots_));
    return true;
}

void EntityIndex::set_next_generation(std::uint32_t index, std::uint32_t generation) noexcept {
    ECS_EXPECTS(index < slot_count() && ((records_[index] >> 32) & 0x7FF) == kFree, index);
    records_[index] = (head_of(generation, kFree) << 32) | static_cast<std::uint32_t>(records_[index]);
}

}  // namespace perigee
