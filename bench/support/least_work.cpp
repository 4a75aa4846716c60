// Out of line, so that each operation is one call and no loop over calls becomes a bulk operation.
#include "bench/support/least_work.h"

#include <algorithm>

namespace perigee::bench {

std::uint32_t LeastStore::create(Position position, Velocity velocity) noexcept {
    const std::uint32_t id = take_id();
    const std::uint32_t row = two_.count++;
    two_.ids[row] = id;
    two_.position[row] = position;
    two_.velocity[row] = velocity;
    records_[id] = LeastRecord{row, 0};
    return id;
}

void LeastStore::create_many(std::uint32_t count) noexcept {
    const std::uint32_t first = two_.count;
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t id = take_id();
        two_.ids[first + i] = id;
        records_[id] = LeastRecord{first + i, 0};
    }
    std::fill_n(two_.position.data() + first, count, Position{});
    std::fill_n(two_.velocity.data() + first, count, Velocity{});
    two_.count += count;
}

void LeastStore::destroy(std::uint32_t id) noexcept {
    fill_hole(two_, records_[id].row, records_);
    give_back(id);
}

void LeastStore::destroy_all() noexcept {
    for (std::uint32_t row = 0; row < two_.count; ++row) {
        give_back(static_cast<std::uint32_t>(two_.ids[row]));
    }
    two_.count = 0;
}

void LeastStore::add_mass(std::uint32_t id) noexcept {
    const std::uint32_t from = records_[id].row;
    const std::uint32_t to = three_.count++;
    three_.ids[to] = id;
    three_.position[to] = two_.position[from];
    three_.velocity[to] = two_.velocity[from];
    three_.mass[to] = Mass{};
    fill_hole(two_, from, records_);
    records_[id] = LeastRecord{to, 1u << 31};
}

void LeastStore::remove_mass(std::uint32_t id) noexcept {
    const std::uint32_t from = records_[id].row;
    const std::uint32_t to = two_.count++;
    two_.ids[to] = id;
    two_.position[to] = three_.position[from];
    two_.velocity[to] = three_.velocity[from];
    fill_hole(three_, from, records_);
    three_.mass[from] = three_.mass[three_.count];
    records_[id] = LeastRecord{to, 0};
}

void LeastStore::add_mass_to_all() noexcept {
    take_all(two_, three_, 1u << 31);
    std::fill_n(three_.mass.data(), three_.count, Mass{});
}

void LeastStore::remove_mass_from_all() noexcept { take_all(three_, two_, 0); }

void LeastStore::take_all(LeastTable& from, LeastTable& to, std::uint32_t generation_and_table) noexcept {
    to.count = std::exchange(from.count, 0);
    std::copy_n(from.ids.data(), to.count, to.ids.data());
    for (std::uint32_t row = 0; row < to.count; ++row) {
        records_[to.ids[row]] = LeastRecord{row, generation_and_table};
    }
    std::copy_n(from.position.data(), to.count, to.position.data());
    std::copy_n(from.velocity.data(), to.count, to.velocity.data());
}

void LeastStore::velocity_for_mass(std::uint32_t id) noexcept {
    const std::uint32_t from = records_[id].row;
    const std::uint32_t to = three_.count++;
    three_.ids[to] = id;
    three_.position[to] = two_.position[from];
    three_.mass[to] = Mass{};
    fill_hole(two_, from, records_);
    records_[id] = LeastRecord{to, 1u << 31};
}

}  // namespace perigee::bench
