// One vector per type. Expired events are removed at the front, once per tick.
#include "ecs/storage/event_store.h"

#include "ecs/base/internal/keep_room.h"
#include "ecs/base/internal/reserve_more.h"
#include "ecs/base/memory_quota.h"

#include <algorithm>
#include <utility>

namespace perigee {

void EventStore::create(ComponentId event, std::uint32_t row_bytes) {
    ECS_EXPECTS(!has(event), event.index);
    if (channels_.size() <= event.index) channels_.resize(std::size_t{event.index} + 1);
    types_.push_back(event);
    channels_[event.index].row_bytes = row_bytes;
    channels_[event.index].exists = true;
}

bool EventStore::has(ComponentId event) const noexcept {
    return event.index < channels_.size() && channels_[event.index].exists;
}

const EventStore::Channel& EventStore::channel(ComponentId event) const noexcept {
    ECS_EXPECTS(has(event), event.index);
    return channels_[event.index];
}

EventStore::Channel& EventStore::channel(ComponentId event) noexcept {
    ECS_EXPECTS(has(event), event.index);
    return channels_[event.index];
}

// An event without fields takes no memory, but is counted.
std::size_t EventStore::max_count(ComponentId event) const noexcept {
    return max_bytes_ / std::max<std::size_t>(channel(event).row_bytes, 1);
}

std::size_t EventStore::room(ComponentId event) const noexcept {
    return max_count(event) - static_cast<std::size_t>(channel(event).count);
}

bool EventStore::make_room(ComponentId event, std::size_t count) noexcept {
    Channel& channel = this->channel(event);
    if (count > room(event)) return false;
    const std::size_t before = channel.rows.capacity();
    const bool has_room =
        internal::try_reserve(channel.rows, channel.rows.size() + count * channel.row_bytes);
    byte_count_ += channel.rows.capacity() - before;
    if (!has_room) internal::note_refused(MemoryKind::events);
    return has_room;
}

void EventStore::deliver(ComponentId event, const std::byte* rows, std::size_t count) noexcept {
    Channel& channel = this->channel(event);
    const std::size_t bytes = count * channel.row_bytes;
    ECS_EXPECTS(channel.rows.capacity() - channel.rows.size() >= bytes, count);
    if (bytes != 0) channel.rows.insert(channel.rows.end(), rows, rows + bytes);
    channel.count += count;
}

std::uint64_t EventStore::next_number(ComponentId event) const noexcept {
    const Channel& channel = this->channel(event);
    return channel.first + channel.count;
}

EventBatch EventStore::since(ComponentId event, std::uint64_t number) const noexcept {
    const Channel& channel = this->channel(event);
    const std::uint64_t begin = std::clamp(number, channel.first, channel.first + channel.count);
    const auto skipped = static_cast<std::size_t>(begin - channel.first);
    return {channel.rows.data() + skipped * channel.row_bytes,
            static_cast<std::size_t>(channel.count) - skipped, channel.row_bytes, event, cpp_types_};
}

void EventStore::exchange(ComponentId event, std::vector<std::byte>& rows,
                          std::uint32_t& row_bytes) noexcept {
    Channel& channel = this->channel(event);
    ECS_EXPECTS(rows.size() == channel.count * row_bytes, rows.size(), row_bytes);
    byte_count_ -= channel.rows.capacity();
    channel.rows.swap(rows);
    byte_count_ += channel.rows.capacity();
    std::swap(channel.row_bytes, row_bytes);
}

std::vector<EventStore::Kept> EventStore::copy() const {
    std::vector<Kept> kept;
    for (const ComponentId event : types_) {
        const Channel& from = channels_[event.index];
        if (from.first + from.count == 0) continue;
        kept.push_back({event, from.first, from.count, from.tick_start, from.rows});
    }
    return kept;
}

void EventStore::replace(std::vector<Kept>& kept) noexcept {
    for (Channel& channel : channels_) {
        channel.rows.clear();
        channel.first = channel.count = channel.tick_start = 0;
    }
    for (Kept& from : kept) {
        Channel& channel = this->channel(from.event);
        byte_count_ -= channel.rows.capacity();
        channel.rows.swap(from.rows);
        byte_count_ += channel.rows.capacity();
        channel.first = from.first;
        channel.count = from.count;
        channel.tick_start = from.tick_start;
    }
}

void EventStore::begin_tick() noexcept {
    for (Channel& channel : channels_) {
        forget_before(channel, channel.tick_start);
        channel.tick_start = channel.first + channel.count;
        keep_room(channel);
    }
}

void EventStore::clear() noexcept {
    for (Channel& channel : channels_) {
        forget_before(channel, channel.first + channel.count);
        channel.tick_start = channel.first;
    }
}

// Memory of a past peak of events is released.
void EventStore::keep_room(Channel& channel) noexcept {
    if (channel.count != 0 || channel.rows.capacity() <= internal::kKeptBytes) return;
    byte_count_ -= channel.rows.capacity();
    std::vector<std::byte>().swap(channel.rows);
}

void EventStore::forget_before(Channel& channel, std::uint64_t number) noexcept {
    const std::uint64_t gone = number - channel.first;
    const auto bytes = static_cast<std::ptrdiff_t>(gone * channel.row_bytes);
    channel.rows.erase(channel.rows.begin(), channel.rows.begin() + bytes);
    channel.first = number;
    channel.count -= gone;
}

}  // namespace perigee
