// A block is as large as the amount sent last time, so a system with steady output fills one block.
#include "ecs/events/event_writer.h"

#include "ecs/base/error_codes.h"
#include "ecs/base/internal/copy_value.h"
#include "ecs/base/internal/keep_room.h"
#include "ecs/schema/registry.h"
#include "ecs/storage/event_store.h"

#include <algorithm>
#include <new>
#include <utility>

namespace perigee {

namespace {
constexpr std::size_t kFirstBlockBytes = 1024;
}

EventWriter::EventWriter(SameRestrictions like)
    : world_(like.writer.world_),
      system_(like.writer.system_),
      written_(like.writer.written_),
      is_restricted_(like.writer.is_restricted_),
      is_closed_(like.writer.is_closed_) {}

void EventWriter::send(ComponentId event, const void* row) {
    std::byte* const sent = send_many(event, 1);
    if (sent == nullptr || row == nullptr) return;
    const std::uint32_t bytes = world_.registry().value_bytes(event);
    if (bytes != 0) internal::copy_value(sent, static_cast<const std::byte*>(row), bytes);
}

std::byte* EventWriter::send_many(ComponentId event, std::size_t count) {
    expect_declared(event);
    if (is_closed_) {
        refused_count_ += count;
        return nullptr;
    }
    try {
        Lane& lane = lane_of(event);
        if (count <= world_.events().max_count(event) - lane.count) {
            is_resting_ = false;
            std::byte* const rows = take(lane, count);
            lane.count += count;
            event_count_ += count;
            return rows;
        }
    } catch (const std::bad_alloc&) {
    }
    if (!overflow_) overflow_ = event;
    return nullptr;
}

bool EventWriter::append(const EventWriter& other) {
    bool is_complete = true;
    other.each_run([&](ComponentId event, const std::byte* rows, std::size_t count) {
        std::byte* const target = send_many(event, count);
        is_complete &= target != nullptr;
        const std::size_t bytes = count * world_.registry().value_bytes(event);
        if (target != nullptr && bytes != 0) std::copy_n(rows, bytes, target);
    });
    if (!overflow_) overflow_ = other.overflow_;
    refused_count_ += other.refused_count_;
    return is_complete && !other.overflow_;
}

void EventWriter::restrict_to(std::string system, std::vector<ComponentId> written) {
    system_ = std::move(system);
    written_ = std::move(written);
    std::sort(written_.begin(), written_.end());
    is_restricted_ = true;
}

bool EventWriter::may_send(ComponentId event) const noexcept {
    return !is_restricted_ || std::binary_search(written_.begin(), written_.end(), event);
}

void EventWriter::expect_declared([[maybe_unused]] ComponentId event) const {
#if PERIGEE_DEBUG_CHECKS
    ECS_EXPECTS(may_send(event),
                errors::undeclared_access(system_, world_.registry().info(event).schema.name, true));
#endif
}

EventWriter::Lane& EventWriter::lane_of(ComponentId event) {
    if (last_ < lanes_.size() && lanes_[last_].event == event) return lanes_[last_];
    const auto found =
        std::find_if(lanes_.begin(), lanes_.end(), [&](const Lane& lane) { return lane.event == event; });
    last_ = static_cast<std::size_t>(found - lanes_.begin());
    if (found != lanes_.end()) return *found;
    const Schema& schema = world_.registry().info(event).schema;
    ECS_EXPECTS(schema.kind == ComponentKind::event, schema.name);
    lanes_.push_back({event, schema.size, schema.defaults.data(), 0, {}});
    return lanes_.back();
}

std::byte* EventWriter::take(Lane& lane, std::size_t count) {
    if (lane.blocks.empty() || lane.blocks.back().capacity - lane.blocks.back().used < count) {
        Block block;
        block.capacity = std::max({count, lane.count, kFirstBlockBytes / lane.bytes_of(1) + 1});
        block.rows = std::make_unique_for_overwrite<std::byte[]>(lane.bytes_of(block.capacity));
        lane.blocks.push_back(std::move(block));
    }
    Block& block = lane.blocks.back();
    std::byte* const rows = block.rows.get() + block.used * lane.row_bytes;
    if (lane.row_bytes != 0) {
        internal::fill_values(rows, lane.defaults, lane.row_bytes, static_cast<std::uint32_t>(count));
    }
    block.used += count;
    return rows;
}

std::optional<ComponentId> EventWriter::deliver() noexcept {
    if (is_empty()) return std::nullopt;
    EventStore& events = world_.events();
    for (const Lane& lane : lanes_) {
        if (lane.count != 0 && !events.make_room(lane.event, lane.count)) return lane.event;
    }
    each_run([&](ComponentId event, const std::byte* rows, std::size_t count) {
        events.deliver(event, rows, count);
    });
    drop();
    return std::nullopt;
}

void EventWriter::drop() noexcept {
    // Lanes that are much larger than the amount sent keep kKeptBytes in total.
    std::size_t roomy_bytes = 0;
    for (Lane& lane : lanes_) {
        const std::size_t sent = lane.bytes_of(lane.count);
        const std::size_t kept = empty(lane);
        if (!internal::is_oversized(kept, sent)) continue;
        roomy_bytes += kept;
        if (roomy_bytes > internal::kKeptBytes) lane.blocks.clear();
    }
    event_count_ = 0;
    refused_count_ = 0;
    overflow_.reset();
}

void EventWriter::trim_when_idle() noexcept {
    if (!std::exchange(is_resting_, true) || !is_empty() || capacity_bytes() <= internal::kKeptBytes) return;
    for (Lane& lane : lanes_) lane.blocks.clear();
}

std::size_t EventWriter::capacity_bytes() const noexcept {
    std::size_t bytes = 0;
    for (const Lane& lane : lanes_)
        for (const Block& block : lane.blocks) bytes += lane.bytes_of(block.capacity);
    return bytes;
}

// Replaces several blocks by one as large as all of them; the last one is at least half of that. Returns
// its bytes.
std::size_t EventWriter::empty(Lane& lane) noexcept {
    lane.count = 0;
    if (lane.blocks.empty()) return 0;
    if (lane.blocks.size() > 1) lane.blocks.erase(lane.blocks.begin(), lane.blocks.end() - 1);
    lane.blocks.back().used = 0;
    return lane.bytes_of(lane.blocks.back().capacity);
}

}  // namespace perigee
