// Recording and forgetting commands; carrying them out is command_playback.cpp.
#include "ecs/command_buffer.h"

#include "ecs/contract.h"
#include "ecs/internal/copy_value.h"
#include "ecs/world.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace perigee {

using internal::Command;
using internal::CommandOp;

namespace {

constexpr std::size_t kFirstArenaBytes = 4096;

}  // namespace

PlaybackReport& PlaybackReport::operator+=(const PlaybackReport& other) noexcept {
    applied += other.applied;
    dropped += other.dropped;
    failed += other.failed;
    failed_batches += other.failed_batches;
    return *this;
}

CommandBuffer::CommandBuffer(World& world) : world_(world) {}

CommandBuffer::~CommandBuffer() { drop(); }

Entity CommandBuffer::spawn() { return spawn(CommandOp::spawn, 0); }

Entity CommandBuffer::spawn(PrefabId prefab) {
    ECS_EXPECTS(prefab.index < world_.prefabs().size(), prefab.index);
    return spawn(CommandOp::spawn_prefab, prefab.index);
}

// The room comes first: a closed buffer must not reserve.
Entity CommandBuffer::spawn(CommandOp op, std::uint32_t prefab) {
    std::byte* const command = append(op, ComponentId{}, prefab, 0, 0);
    if (command == nullptr) return Entity{};
    const Entity entity = world_.reserve();
    if (!entity) [[unlikely]] {
        cursor_ -= sizeof(Command);
        --command_count_;
        return Entity{};
    }
    reinterpret_cast<Command*>(command)->subject = entity.bits;
    reserved_.push_back(entity);
    return entity;
}

void CommandBuffer::spawn_many(PrefabId prefab, std::uint32_t count, SpawnInitializer initialize) {
    ECS_EXPECTS(prefab.index < world_.prefabs().size(), prefab.index);
    const std::uint64_t initializer = initializers_.size();
    if (append(CommandOp::spawn_many, ComponentId{}, prefab.index, initializer << 32 | count, 0) == nullptr) {
        return;
    }
    initializers_.push_back(std::move(initialize));
}

void CommandBuffer::destroy(Entity entity) { append(CommandOp::destroy, ComponentId{}, 0, entity.bits, 0); }

void CommandBuffer::add(Entity entity, ComponentId component, const void* value) {
    ECS_EXPECTS(component.index < world_.registry().size(), component.index);
    const std::uint32_t row_bytes = world_.registry().row_bytes(component);
    if (value == nullptr || row_bytes == 0) {
        append(CommandOp::add, component, 0, entity.bits, 0);
    } else {
        append_value(CommandOp::add_value, entity, component, row_bytes, value);
    }
}

void CommandBuffer::remove(Entity entity, ComponentId component) {
    ECS_EXPECTS(component.index < world_.registry().size(), component.index);
    append(CommandOp::remove, component, 0, entity.bits, 0);
}

void CommandBuffer::set(Entity entity, ComponentId component, const void* value) {
    ECS_EXPECTS(component.index < world_.registry().size(), component.index);
    const std::uint32_t row_bytes = world_.registry().row_bytes(component);
    ECS_EXPECTS(value != nullptr || row_bytes == 0, component.index);
    append_value(CommandOp::set, entity, component, row_bytes, value);
}

void CommandBuffer::append_value(CommandOp op, Entity entity, ComponentId component, std::uint32_t row_bytes,
                                 const void* value) {
    std::byte* const command = append(op, component, row_bytes, entity.bits, Command::padded(row_bytes));
    if (command == nullptr || row_bytes == 0) return;
    internal::copy_value(command + sizeof(Command), static_cast<const std::byte*>(value), row_bytes);
}

// The one place where the arena grows by a command. Null when the buffer is closed.
inline std::byte* CommandBuffer::append(CommandOp op, ComponentId component, std::uint32_t argument,
                                        std::uint64_t subject, std::uint32_t payload_bytes) {
    const std::size_t bytes = sizeof(Command) + payload_bytes;
    if (static_cast<std::size_t>(limit_ - cursor_) < bytes) [[unlikely]] {
        if (!make_room(bytes)) return nullptr;
    }
    std::byte* const place = cursor_;
    const Command command{op, component, argument, subject};
    std::memcpy(place, &command, sizeof command);
    cursor_ += bytes;
    ++command_count_;
    return place;
}

// The slow side of append: a buffer that may not record has no room on purpose.
bool CommandBuffer::make_room(std::size_t bytes) {
    ECS_EXPECTS(mode_ != Mode::playing, "a command recorded into a buffer that is being played back");
    if (mode_ == Mode::closed) {
        ++refused_count_;
        return false;
    }
    const auto used = static_cast<std::size_t>(cursor_ - arena_.get());
    const std::size_t wanted = std::max({kFirstArenaBytes, arena_bytes_ * 2, used + bytes});
    std::unique_ptr<std::byte[]> larger(new std::byte[wanted]);
    if (used != 0) std::memcpy(larger.get(), arena_.get(), used);
    arena_ = std::move(larger);
    arena_bytes_ = wanted;
    cursor_ = arena_.get() + used;
    limit_ = arena_.get() + wanted;
    return true;
}

void CommandBuffer::drop() noexcept {
    for (auto entity = reserved_.rbegin(); entity != reserved_.rend(); ++entity) {
        world_.release_reserved(*entity);
    }
    forget();
}

void CommandBuffer::close() noexcept {
    drop();
    mode_ = Mode::closed;
    limit_ = cursor_;
}

// Empties the buffer and keeps its memory.
void CommandBuffer::forget() noexcept {
    reserved_.clear();
    initializers_.clear();
    cursor_ = arena_.get();
    limit_ = mode_ == Mode::closed ? cursor_ : cursor_ + arena_bytes_;
    command_count_ = 0;
    refused_count_ = 0;
}

}  // namespace perigee
