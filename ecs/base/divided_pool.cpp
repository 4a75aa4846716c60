// A member uses its share first, then the common part.
#include "ecs/base/divided_pool.h"

#include <algorithm>

namespace perigee {

namespace {

std::size_t above(std::size_t number, std::size_t other) noexcept { return number - std::min(number, other); }

}  // namespace

void DividedPool::set_members(std::size_t count) {
    used_.resize(std::max(count, used_.size()));
    common_used_ = 0;
    for (Member member = 0; member < used_.size(); ++member)
        common_used_ += above(used_[member], share(member));
}

std::size_t DividedPool::share(Member member) const noexcept {
    if (!is_divided()) return max_;
    return member == 0 ? max_ / 2 : max_ / 4 / (used_.size() - 1);
}

std::size_t DividedPool::room(Member member, bool is_parallel) const noexcept {
    if (!is_divided()) return max_ == SIZE_MAX ? max_ : above(max_, used(0));
    const std::size_t common = above(max_ / 4, common_used_);
    return above(share(member), used(member)) + (is_parallel ? common / used_.size() : common);
}

void DividedPool::set_used(Member member, std::size_t units) noexcept {
    const std::size_t own = share(member);
    common_used_ -= above(used_[member], own);
    common_used_ += above(units, own);
    used_[member] = units;
}

bool DividedPool::take(Member member, std::size_t units) {
    if (member >= used_.size()) set_members(member + 1);
    if (units > room(member)) return false;
    set_used(member, used_[member] + units);
    return true;
}

void DividedPool::give_back(Member member, std::size_t units) noexcept {
    set_used(member, above(used_[member], units));
}

void DividedPool::clear() noexcept {
    std::ranges::fill(used_, 0);
    common_used_ = 0;
}

}  // namespace perigee
