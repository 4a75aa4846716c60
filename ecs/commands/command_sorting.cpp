// Sorts by key: copies the commands of a buffer once, part by part.
#include "ecs/base/contract.h"
#include "ecs/commands/command_buffer.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

namespace perigee {

void CommandBuffer::sort_key(std::uint64_t key) {
    ECS_EXPECTS(mode_ != Mode::playing && lane_ == nullptr, "a sort key where commands have their order");
    if (!sorted_parts_.empty() && sorted_parts_.back().key == key) return;
    sorted_parts_.push_back({key, static_cast<std::size_t>(cursor_ - arena_.get()), reserved_.size()});
}

void CommandBuffer::finish_sorting() {
    if (sorted_parts_.empty()) return;
    if (std::ranges::is_sorted(sorted_parts_, {}, &SortedPart::key)) return sorted_parts_.clear();

    struct Part {
        std::uint64_t key;
        std::span<const std::byte> bytes;
        std::span<const Entity> reserved;
    };
    std::vector<Part> parts;
    parts.reserve(sorted_parts_.size());
    const std::byte* const recorded = arena_.get();
    const std::byte* end = cursor_;
    const Entity* end_of_reserved = reserved_.data() + reserved_.size();
    for (auto part = sorted_parts_.rbegin(); part != sorted_parts_.rend(); ++part) {
        const std::byte* const first = recorded + part->first_byte;
        const Entity* const first_reserved = reserved_.data() + part->first_reserved;
        parts.push_back({part->key, {first, end}, {first_reserved, end_of_reserved}});
        end = first;
        end_of_reserved = first_reserved;
    }
    std::ranges::reverse(parts);
    std::ranges::stable_sort(parts, {}, &Part::key);

    std::unique_ptr<std::byte[]> arena(new std::byte[arena_bytes_]);
    std::vector<Entity> reserved;
    reserved.reserve(reserved_.size());
    std::byte* cursor = std::copy(recorded, end, arena.get());
    const Entity* const first_reserved = reserved_.data();
    reserved.insert(reserved.end(), first_reserved, end_of_reserved);
    for (const Part& part : parts) {
        cursor = std::copy(part.bytes.begin(), part.bytes.end(), cursor);
        reserved.insert(reserved.end(), part.reserved.begin(), part.reserved.end());
    }
    limit_ = arena.get() + (limit_ - arena_.get());
    arena_ = std::move(arena);
    cursor_ = cursor;
    reserved_ = std::move(reserved);
    sorted_parts_.clear();
}

}  // namespace perigee
