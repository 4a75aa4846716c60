// Records and drops commands. Playback is in command_playback.cpp.
#include "ecs/commands/command_buffer.h"

#include "ecs/base/contract.h"
#include "ecs/base/error_codes.h"
#include "ecs/base/internal/copy_value.h"
#include "ecs/base/internal/reserve_more.h"
#include "ecs/commands/internal/provisional.h"
#include "ecs/commands/playback_limit.h"
#include "ecs/relations/names.h"
#include "ecs/schema/registry.h"
#include "ecs/schema/text_pool.h"
#include "ecs/storage/buffer_pool.h"
#include "ecs/world/reserved.h"
#include "ecs/world/world.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace perigee {

using internal::Command;
using internal::CommandOp;

namespace {

constexpr std::size_t kFirstArenaBytes = 4096;

}  // namespace

PlaybackReport& PlaybackReport::operator+=(const PlaybackReport& other) {
    applied += other.applied;
    dropped += other.dropped;
    failed += other.failed;
    failed_batches += other.failed_batches;
    stopped += other.stopped;
    unrecorded += other.unrecorded;
    if (!refused) refused = other.refused;
    if (thrown.empty()) thrown = other.thrown;
    return *this;
}

CommandBuffer::CommandBuffer(World& world) : world_(world) {}

CommandBuffer::CommandBuffer(World& world, internal::CommandLane& lane) : world_(world), lane_(&lane) {}

CommandBuffer::~CommandBuffer() { drop(); }

Entity CommandBuffer::spawn() { return append_spawn(CommandOp::spawn, 0); }

Entity CommandBuffer::spawn(PrefabId prefab) {
    ECS_EXPECTS(prefab.index < world_.prefabs().size(), prefab.index);
    return append_spawn(CommandOp::spawn_prefab, prefab.index);
}

// Room for the command comes first: a closed buffer must not reserve an id.
Entity CommandBuffer::append_spawn(CommandOp op, std::uint32_t prefab) {
    try {
        internal::reserve_more(reserved_, reserved_.size() + 1);
        std::byte* const command = append(op, ComponentId{}, prefab, 0, 0);
        return command == nullptr ? Entity{} : reserve_for(command);
    } catch (const std::bad_alloc&) {
        return Entity{};
    }
}

Entity CommandBuffer::clone(Entity original) {
    expect_known(original.bits);
    try {
        internal::reserve_more(reserved_, reserved_.size() + 1);
        std::byte* const command =
            append(CommandOp::clone, ComponentId{}, sizeof original, 0, sizeof original);
        if (command == nullptr) return Entity{};
        std::memcpy(command + sizeof(Command), &original, sizeof original);
        return reserve_for(command);
    } catch (const std::bad_alloc&) {
        return Entity{};
    }
}

// Reserves an id for the command just appended; without one the command is removed. In a lane it is a number
// that becomes an id when the lanes are merged.
Entity CommandBuffer::reserve_for(std::byte* command) noexcept {
    if (lane_ != nullptr) {
        const Entity entity = internal::provisional_entity(lane_->number, lane_->spawn_count++);
        reinterpret_cast<Command*>(command)->subject = entity.bits;
        note_unfinished();
        return entity;
    }
    const Entity entity = reserve_entity(world_);
    if (!entity) [[unlikely]] {
        cursor_ = command;
        --command_count_;
        return Entity{};
    }
    reinterpret_cast<Command*>(command)->subject = entity.bits;
    reserved_.push_back(entity);
    return entity;
}

void CommandBuffer::spawn_many(PrefabId prefab, std::uint32_t count, SpawnInitializer initialize) {
    ECS_EXPECTS(prefab.index < world_.prefabs().size(), prefab.index);
    internal::reserve_more(initializers_, initializers_.size() + 1);
    const std::uint64_t initializer = initializers_.size();
    if (append(CommandOp::spawn_many, ComponentId{}, prefab.index, initializer << 32 | count, 0) == nullptr) {
        return;
    }
    note_unfinished();
    initializers_.push_back(std::move(initialize));
}

void CommandBuffer::call(std::function<bool(World&)> change) {
    ECS_EXPECTS(change != nullptr && lane_ == nullptr);
    internal::reserve_more(calls_, calls_.size() + 1);
    const auto number = static_cast<std::uint32_t>(calls_.size());
    if (append(CommandOp::call, ComponentId{}, number, 0, 0) != nullptr) calls_.push_back(std::move(change));
}

void CommandBuffer::destroy(Entity entity) { append(CommandOp::destroy, ComponentId{}, 0, entity.bits, 0); }

void CommandBuffer::add(Entity entity, ComponentId component, const void* value) {
    expect_allowed(component);
    const std::uint32_t row_bytes = world_.registry().value_bytes(component);
    if (value == nullptr || row_bytes == 0) {
        append(CommandOp::add, component, 0, entity.bits, 0);
    } else {
        append_value(CommandOp::add_value, entity, component, row_bytes, value);
    }
}

void CommandBuffer::remove(Entity entity, ComponentId component) {
    expect_allowed(component);
    append(CommandOp::remove, component, 0, entity.bits, 0);
}

void CommandBuffer::set(Entity entity, ComponentId component, const void* value) {
    expect_allowed(component);
    const std::uint32_t row_bytes = world_.registry().value_bytes(component);
    ECS_EXPECTS(value != nullptr || row_bytes == 0, component.index);
    append_value(CommandOp::set, entity, component, row_bytes, value);
}

void CommandBuffer::set_enabled(Entity entity, ComponentId component, bool is_enabled) {
    expect_allowed(component);
    append(CommandOp::enable, component, is_enabled ? 1 : 0, entity.bits, 0);
}

void CommandBuffer::change(Entity entity, std::span<const ComponentValue> add,
                           std::span<const ComponentId> remove) {
    using internal::ChangeList;
    for (const ComponentValue& part : add) expect_allowed(part.component);
    for (const ComponentId component : remove) expect_allowed(component);
    if (lane_ != nullptr) {
        for (const ComponentValue& part : add) expect_known_references(part.component, part.value);
    }
    const std::uint32_t payload_bytes = change_bytes(add, remove);
    std::byte* const command =
        append(CommandOp::change, ComponentId{}, payload_bytes, entity.bits, payload_bytes);
    if (command == nullptr) return;
    std::byte* to = command + sizeof(Command);
    const auto write = [&to](const auto& part) {
        std::memcpy(to, &part, sizeof part);
        to += sizeof part;
    };
    write(ChangeList{static_cast<std::uint32_t>(add.size()), static_cast<std::uint32_t>(remove.size())});
    for (const ComponentValue& part : add) {
        const std::uint32_t value_bytes = given_bytes(part);
        write(ChangeList::Addition{part.component, part.value != nullptr, value_bytes});
        if (value_bytes != 0) std::memcpy(to, part.value, value_bytes);
        to += Command::padded(value_bytes);
    }
    for (const ComponentId component : remove) write(component);
}

std::uint32_t CommandBuffer::given_bytes(const ComponentValue& part) const noexcept {
    return part.value == nullptr ? 0 : world_.registry().value_bytes(part.component);
}

std::uint32_t CommandBuffer::change_bytes(std::span<const ComponentValue> add,
                                          std::span<const ComponentId> remove) const noexcept {
    using internal::ChangeList;
    std::size_t bytes = sizeof(ChangeList);
    for (const ComponentValue& part : add) {
        bytes += sizeof(ChangeList::Addition) + Command::padded(given_bytes(part));
    }
    bytes += Command::padded(static_cast<std::uint32_t>(remove.size() * sizeof(ComponentId)));
    return static_cast<std::uint32_t>(bytes);
}

const TypeBindings& CommandBuffer::types() const noexcept { return world_.registry().types(); }

// Room for both commands comes first, so that either both are recorded or none.
Entity CommandBuffer::spawn_values(std::span<const ComponentId> ids, std::span<const void* const> values) {
    for (const ComponentId id : ids) expect_allowed(id);
    try {
        std::vector<ComponentValue> given(ids.size());
        for (std::size_t i = 0; i < ids.size(); ++i)
            given[i] = {ids[i], static_cast<const std::byte*>(values[i])};
        const std::size_t bytes = 2 * sizeof(Command) + change_bytes(given, {});
        if (static_cast<std::size_t>(limit_ - cursor_) < bytes && !make_room(bytes)) return Entity{};
        const Entity entity = spawn();
        if (entity) change(entity, given, {});
        return entity;
    } catch (const std::bad_alloc&) {
        return Entity{};
    }
}

DynamicBuffer CommandBuffer::add_buffer(Entity entity, ComponentId component) {
    return append_buffer(false, entity, component);
}

DynamicBuffer CommandBuffer::set_buffer(Entity entity, ComponentId component) {
    return append_buffer(true, entity, component);
}

DynamicBuffer CommandBuffer::append_buffer(bool is_set, Entity entity, ComponentId component) {
    BufferHeader* const header = filled_header(entity, component, is_set);
    if (header == nullptr) return DynamicBuffer{};
    return DynamicBuffer(*header, 0, *filled_.back()->info, world_.buffers(), recording_);
}

BufferHeader* CommandBuffer::filled_header(Entity entity, ComponentId component, bool is_set) {
    expect_allowed(component);
    const ComponentInfo& info = world_.registry().info(component);
    ECS_EXPECTS(info.kind() == ComponentKind::buffer, info.schema.name);
    const auto number = static_cast<std::uint32_t>(filled_.size());
    const CommandOp op = is_set ? CommandOp::set_buffer : CommandOp::add_buffer;
    internal::reserve_more(filled_, filled_.size() + 1);
    auto filled = std::make_unique<FilledBuffer>(FilledBuffer{{}, &info});
    if (append(op, component, number, entity.bits, 0) == nullptr) return nullptr;
    note_unfinished();
    filled_.push_back(std::move(filled));
    return &filled_.back()->header;
}

void CommandBuffer::add_object(Entity entity, ComponentId component, std::shared_ptr<void> object,
                               ObjectOwner owner, const std::type_info* type) {
    expect_allowed(component);
    ECS_EXPECTS(world_.registry().info(component).kind() == ComponentKind::object, component.index);
    internal::reserve_more(objects_, objects_.size() + 1);
    const auto number = static_cast<std::uint32_t>(objects_.size());
    if (append(CommandOp::add_object, component, number, entity.bits, 0) == nullptr) return;
    note_unfinished();
    objects_.push_back({std::move(object), owner, type});
}

void CommandBuffer::set_parent(Entity child, Entity parent) {
    expect_known(parent.bits);
    std::byte* const command =
        append(CommandOp::set_parent, ComponentId{}, sizeof parent, child.bits, sizeof parent);
    if (command != nullptr) std::memcpy(command + sizeof(Command), &parent, sizeof parent);
}

Result<void> CommandBuffer::set_name(Entity entity, std::string_view name) {
    if (Result<void> checked = check_name(name); !checked) return checked.error();
    if (name.size() > TextPool::kMaxTextBytes) {
        return Error{errors::text_beyond_limit(name.size(), TextPool::kMaxTextBytes)};
    }
    const auto bytes = static_cast<std::uint32_t>(name.size());
    std::byte* const command =
        append(CommandOp::set_name, ComponentId{}, bytes, entity.bits, Command::padded(bytes));
    if (command != nullptr && bytes != 0) std::memcpy(command + sizeof(Command), name.data(), bytes);
    return {};
}

// ---- all entities that a query matches ----

void CommandBuffer::add_all(const Query& query, ComponentId component, const void* value) {
    expect_allowed(component, true);
    append_query_command(CommandOp::add_all, query, component, 0, value);
}

void CommandBuffer::remove_all(const Query& query, ComponentId component) {
    expect_allowed(component, true);
    append_query_command(CommandOp::remove_all, query, component, 0, nullptr);
}

void CommandBuffer::set_all(const Query& query, ComponentId component, const void* value) {
    expect_allowed(component, true);
    append_query_command(CommandOp::set_all, query, component, 0, value);
}

void CommandBuffer::set_enabled_all(const Query& query, ComponentId component, bool is_enabled) {
    expect_allowed(component);
    append_query_command(CommandOp::enable_all, query, component, is_enabled ? 1 : 0, nullptr);
}

void CommandBuffer::destroy_all(const Query& query) {
    append_query_command(CommandOp::destroy_all, query, ComponentId{}, 0, nullptr);
}

void CommandBuffer::append_query_command(CommandOp op, const Query& query, ComponentId component,
                                         std::uint32_t argument, const void* value) {
    ECS_EXPECTS(query.is_of(world_.registry()), "a query of another world");
    const std::uint32_t bytes = value == nullptr ? 0 : world_.registry().value_bytes(component);
    if (lane_ != nullptr && bytes != 0) expect_known_references(component, value);
    std::byte* const command = append(op, component, value == nullptr ? argument : bytes,
                                      reinterpret_cast<std::uintptr_t>(&query), Command::padded(bytes));
    if (command != nullptr && bytes != 0) std::memcpy(command + sizeof(Command), value, bytes);
}

// ---- lanes of ParallelCommands ----

// A provisional entity is known only where it was spawned: to later commands of its lane and sort key.
inline void CommandBuffer::expect_known(std::uint64_t entity) {
    if (internal::is_provisional(entity)) [[unlikely]]
        expect_spawned_here(Entity{entity});
}

void CommandBuffer::expect_spawned_here(Entity entity) {
    ECS_EXPECTS(lane_ != nullptr, "an entity spawned by a parallel task, used outside its ParallelCommands");
    ECS_EXPECTS(lane_->is_recording, "an entity spawned by a parallel task, used after finish");
    const std::uint32_t lane = internal::provisional_lane(entity);
    const std::uint32_t number = internal::provisional_number(entity);
    ECS_EXPECTS(lane == lane_->number && number < lane_->spawn_count,
                "an entity spawned by another parallel task", lane, lane_->number, number);
    const std::uint64_t spawn_key = lane_->key_of_spawn(number);
    const std::uint64_t sort_key = lane_->segments.back().sort_key;
    ECS_EXPECTS(spawn_key == sort_key, "an entity spawned under another sort key", spawn_key, sort_key);
    note_unfinished();
}

// Checks the entities that a value refers to.
void CommandBuffer::expect_known_references(ComponentId component, const void* value) {
    if (value == nullptr) return;
    for (const Leaf& leaf : world_.registry().info(component).leaves) {
        if (leaf.type != FieldType::entity) continue;
        std::uint64_t entity = 0;
        std::memcpy(&entity, static_cast<const std::byte*>(value) + leaf.offset, sizeof entity);
        expect_known(entity);
    }
}

// The last command refers to an entity without an id or a location.
inline void CommandBuffer::note_unfinished() noexcept {
    if (lane_ != nullptr) lane_->segments.back().is_plain = false;
}

// ---- what may be recorded ----

std::optional<std::string> CommandBuffer::refusal(ComponentId component, bool for_all) const {
    if (lane_ != nullptr) return lane_->target->refusal(component, for_all);
    const Schema& schema = world_.registry().info(component).schema;
    if (schema.kind == ComponentKind::chunk && !for_all) return errors::chunk_component_command(schema.name);
    if (component == world_.archetypes().destroyed_tag()) return errors::destroyed_tag_command(schema.name);
    const bool is_owned = is_cleanup_kind(schema.kind) || !schema.owner.empty();
    if (!is_owned || system_.empty() || std::binary_search(written_.begin(), written_.end(), component)) {
        return std::nullopt;
    }
    return errors::owned_component_command(system_, schema.name, kind_name(schema.kind), schema.owner);
}

void CommandBuffer::restrict_to(std::string system, std::vector<ComponentId> written) {
    system_ = std::move(system);
    written_ = std::move(written);
    std::sort(written_.begin(), written_.end());
}

// The common case, a component without restrictions, must not build a message.
void CommandBuffer::expect_allowed(ComponentId component, bool for_all) const {
    ECS_EXPECTS(component.index < world_.registry().size(), component.index);
    if (!world_.registry().is_restricted(component)) return;
    const std::optional<std::string> reason = refusal(component, for_all);
    ECS_EXPECTS(!reason, *reason);
}

void CommandBuffer::append_value(CommandOp op, Entity entity, ComponentId component, std::uint32_t row_bytes,
                                 const void* value) {
    if (lane_ != nullptr && row_bytes != 0) expect_known_references(component, value);
    std::byte* const command = append(op, component, row_bytes, entity.bits, Command::padded(row_bytes));
    if (command == nullptr || row_bytes == 0) return;
    internal::copy_value(command + sizeof(Command), static_cast<const std::byte*>(value), row_bytes);
}

// The only place where the arena grows by a command. Null when the buffer is closed.
inline std::byte* CommandBuffer::append(CommandOp op, ComponentId component, std::uint32_t argument,
                                        std::uint64_t subject, std::uint32_t payload_bytes) {
    if (op < CommandOp::add_all) expect_known(subject);
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

// The slow path of append. A buffer that must not record has no room on purpose.
bool CommandBuffer::make_room(std::size_t bytes) {
    ECS_EXPECTS(mode_ != Mode::playing, "a command recorded into a buffer that is being played back");
    if (mode_ == Mode::closed) {
        ++refused_count_;
        return false;
    }
    ECS_EXPECTS(lane_ == nullptr || lane_->is_recording,
                "a command of a parallel task outside at() … finish()");
    const auto used = static_cast<std::size_t>(cursor_ - arena_.get());
    const std::size_t wanted = std::max({kFirstArenaBytes, arena_bytes_ * 2, used + bytes});
    if (playback_limit_ != nullptr && !playback_limit_->may_record(wanted - arena_bytes_)) is_full_ = true;
    if (is_full_) return false;
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
        release_reserved(world_, *entity);
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
    for (const std::unique_ptr<FilledBuffer>& filled : filled_) {
        release_buffer(filled->header, filled->info->schema.size, world_.buffers());
    }
    filled_.clear();
    objects_.clear();
    calls_.clear();
    sorted_parts_.clear();
    ++recording_;
    cursor_ = arena_.get();
    limit_ = mode_ == Mode::closed ? cursor_ : cursor_ + arena_bytes_;
    command_count_ = 0;
    refused_count_ = 0;
    is_full_ = false;
}

}  // namespace perigee
