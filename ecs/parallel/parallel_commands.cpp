// Merges the lanes: one pass over all keys, then one copy, in which numbers of the lanes (of new entities,
// buffers, objects, initialisers) become those of the target.
#include "ecs/parallel/parallel_commands.h"

#include "ecs/base/contract.h"
#include "ecs/base/internal/reserve_more.h"
#include "ecs/commands/internal/provisional.h"
#include "ecs/relations/references.h"
#include "ecs/schema/registry.h"
#include "ecs/world/reserved.h"
#include "ecs/world/world.h"

#include <algorithm>
#include <cstring>
#include <thread>
#include <utility>

namespace perigee {

using internal::Command;
using internal::CommandOp;
using internal::CommandSegment;

// One cache line each, so that lanes do not slow each other down.
struct alignas(64) ParallelCommands::Lane {
    explicit Lane(World& world) : commands(world, log) {}

    std::size_t end_of_bytes(std::size_t segment) const noexcept {
        return segment + 1 < log.segments.size()
                   ? log.segments[segment + 1].first_byte
                   : static_cast<std::size_t>(commands.cursor_ - commands.arena_.get());
    }
    std::size_t end_of_commands(std::size_t segment) const noexcept {
        return segment + 1 < log.segments.size() ? log.segments[segment + 1].first_command
                                                 : commands.command_count_;
    }

    Entity real(Entity entity) const {
        if (!internal::is_provisional(entity.bits)) return entity;
        const std::uint32_t number = internal::provisional_number(entity);
        ECS_EXPECTS(internal::provisional_lane(entity) == log.number && number < log.real.size(),
                    "a provisional entity that is not from here", log.number, number);
        return log.real[number];
    }

    internal::CommandLane log;
    CommandBuffer commands;
};

/// A segment and its position in the result.
struct ParallelCommands::Place {
    std::uint64_t sort_key = 0;
    std::uint32_t lane = 0;
    std::size_t segment = 0;
};

ParallelCommands::ParallelCommands(CommandBuffer& target, std::uint32_t lane_count) : target_(target) {
    ECS_EXPECTS(lane_count > 0 && lane_count <= kMaxLanes, lane_count);
    ECS_EXPECTS(target.lane_ == nullptr, "a lane of ParallelCommands as a target");
    lanes_.reserve(lane_count);
    for (std::uint32_t number = 0; number < lane_count; ++number) {
        Lane& lane = *lanes_.emplace_back(std::make_unique<Lane>(target.world_));
        lane.log.target = &target;
        lane.log.number = number;
        if (target.is_closed()) lane.commands.close();
    }
}

ParallelCommands::~ParallelCommands() = default;

CommandBuffer& ParallelCommands::at(std::uint32_t worker_index, std::uint64_t sort_key) {
    ECS_EXPECTS(!is_finished_, "ParallelCommands used after finish");
    ECS_EXPECTS(worker_index < lanes_.size(), worker_index, lanes_.size());
    Lane& lane = *lanes_[worker_index];
    internal::CommandLane& log = lane.log;
    const std::thread::id here = std::this_thread::get_id();
    std::thread::id owner;
    if (log.thread.load(std::memory_order_relaxed) != here) {
        const bool is_first = log.thread.compare_exchange_strong(owner, here);
        ECS_EXPECTS(is_first, "a worker index that belongs to another thread", worker_index);
    }
    if (!log.is_recording || log.segments.back().sort_key != sort_key) {
        CommandBuffer& commands = lane.commands;
        const auto used = static_cast<std::size_t>(commands.cursor_ - commands.arena_.get());
        log.segments.push_back({sort_key, used, commands.command_count_, log.spawn_count, true});
        log.is_recording = true;
    }
    return lane.commands;
}

std::size_t ParallelCommands::command_count() const noexcept {
    std::size_t count = 0;
    for (const std::unique_ptr<Lane>& lane : lanes_) count += lane->commands.command_count();
    return count;
}

Entity ParallelCommands::real(Entity entity) const {
    ECS_EXPECTS(is_finished_, "the id of a provisional entity asked for before finish");
    if (!internal::is_provisional(entity.bits)) return entity;
    const std::uint32_t lane = internal::provisional_lane(entity);
    ECS_EXPECTS(lane < lanes_.size(), "a provisional entity that is not from here", lane);
    return lanes_[lane]->real(entity);
}

std::vector<ParallelCommands::Place> ParallelCommands::places_by_key() const {
    std::vector<Place> places;
    for (const std::unique_ptr<Lane>& lane : lanes_) {
        for (std::size_t i = 0; i < lane->log.segments.size(); ++i) {
            if (lane->end_of_bytes(i) == lane->log.segments[i].first_byte) continue;
            places.push_back({lane->log.segments[i].sort_key, lane->log.number, i});
        }
    }
    std::stable_sort(places.begin(), places.end(),
                     [](const Place& a, const Place& b) { return a.sort_key < b.sort_key; });
    for (std::size_t i = 1; i < places.size(); ++i) {
        ECS_EXPECTS(places[i].sort_key != places[i - 1].sort_key || places[i].lane == places[i - 1].lane,
                    "a sort key used by two workers", places[i].sort_key, places[i - 1].lane, places[i].lane);
    }
    return places;
}

void ParallelCommands::make_room() {
    std::size_t bytes = 0, spawns = 0, initializers = 0, filled = 0, objects = 0;
    for (const std::unique_ptr<Lane>& lane : lanes_) {
        const CommandBuffer& commands = lane->commands;
        bytes += static_cast<std::size_t>(commands.cursor_ - commands.arena_.get());
        spawns += lane->log.spawn_count;
        initializers += commands.initializers_.size();
        filled += commands.filled_.size();
        objects += commands.objects_.size();
        lane->log.real.resize(lane->log.spawn_count);
    }
    internal::reserve_more(target_.reserved_, target_.reserved_.size() + spawns);
    internal::reserve_more(target_.initializers_, target_.initializers_.size() + initializers);
    internal::reserve_more(target_.filled_, target_.filled_.size() + filled);
    internal::reserve_more(target_.objects_, target_.objects_.size() + objects);
    if (static_cast<std::size_t>(target_.limit_ - target_.cursor_) >= bytes) return;
    const bool is_open = target_.make_room(bytes);
    ECS_EXPECTS(is_open, "the target was closed meanwhile");
}

/// Copies the commands of one lane, one segment at a time.
class ParallelCommands::Transfer {
public:
    Transfer(CommandBuffer& target, Lane& lane) noexcept : target_(target), lane_(lane) {}

    void append(std::size_t number) {
        const CommandSegment& segment = lane_.log.segments[number];
        const std::byte* const from = lane_.commands.arena_.get() + segment.first_byte;
        const std::byte* const end = lane_.commands.arena_.get() + lane_.end_of_bytes(number);
        if (segment.is_plain) {
            std::memcpy(target_.cursor_, from, static_cast<std::size_t>(end - from));
            target_.cursor_ += end - from;
            target_.command_count_ += lane_.end_of_commands(number) - segment.first_command;
            return;
        }
        const auto* command = reinterpret_cast<const Command*>(from);
        while (command != reinterpret_cast<const Command*>(end)) {
            append(*command);
            command = command->next();
        }
    }

private:
    void append(const Command& command) {
        if ((command.is_spawn() || command.op == CommandOp::clone) && !give_id(command.entity())) return;
        const auto bytes = static_cast<std::size_t>(reinterpret_cast<const std::byte*>(command.next()) -
                                                    reinterpret_cast<const std::byte*>(&command));
        std::memcpy(target_.cursor_, &command, bytes);
        auto& copy = *reinterpret_cast<Command*>(target_.cursor_);
        if (command.op != CommandOp::spawn_many && command.op < CommandOp::add_all) {
            copy.subject = lane_.real(command.entity()).bits;
        }
        move_belongings(copy);
        replace_references(copy);
        target_.cursor_ += bytes;
        ++target_.command_count_;
    }

    // False when the world has no id left.
    bool give_id(Entity provisional) {
        const Entity entity = reserve_entity(target_.world_);
        lane_.log.real[internal::provisional_number(provisional)] = entity;
        if (entity) target_.reserved_.push_back(entity);
        return static_cast<bool>(entity);
    }

    // Objects that a command refers to by number are moved too.
    void move_belongings(Command& command) {
        CommandBuffer& from = lane_.commands;
        if (command.op == CommandOp::spawn_many) {
            const std::uint64_t number = target_.initializers_.size();
            target_.initializers_.push_back(std::move(from.initializers_[command.subject >> 32]));
            command.subject = number << 32 | static_cast<std::uint32_t>(command.subject);
        } else if (command.op == CommandOp::add_buffer || command.op == CommandOp::set_buffer) {
            CommandBuffer::FilledBuffer& filled = *from.filled_[command.argument];
            const std::uint32_t size = filled.info->schema.size;
            for (std::uint32_t i = 0; i < filled.header.length; ++i) {
                replace(filled.header.elements() + std::size_t{i} * size, command.component);
            }
            const auto number = static_cast<std::uint32_t>(target_.filled_.size());
            target_.filled_.push_back(std::move(from.filled_[command.argument]));
            command.argument = number;
        } else if (command.op == CommandOp::add_object) {
            const auto number = static_cast<std::uint32_t>(target_.objects_.size());
            target_.objects_.push_back(std::move(from.objects_[command.argument]));
            command.argument = number;
        }
    }

    void replace_references(Command& command) {
        auto* const payload = reinterpret_cast<std::byte*>(&command + 1);
        switch (command.op) {
            case CommandOp::clone:
            case CommandOp::set_parent: {
                Entity entity;
                std::memcpy(&entity, payload, sizeof entity);
                entity = lane_.real(entity);
                std::memcpy(payload, &entity, sizeof entity);
                break;
            }
            case CommandOp::add_value:
            case CommandOp::set:
            case CommandOp::add_all:
            case CommandOp::set_all:
                if (command.argument != 0) replace(payload, command.component);
                break;
            case CommandOp::change:
                replace_in_change(payload);
                break;
            default:
                break;
        }
    }

    void replace_in_change(std::byte* payload) {
        internal::ChangeList list;
        std::memcpy(&list, payload, sizeof list);
        payload += sizeof list;
        for (std::uint32_t i = 0; i < list.added; ++i) {
            internal::ChangeList::Addition addition;
            std::memcpy(&addition, payload, sizeof addition);
            payload += sizeof addition;
            if (addition.value_bytes != 0) replace(payload, addition.component);
            payload += Command::padded(addition.value_bytes);
        }
    }

    void replace(std::byte* value, ComponentId component) {
        remap_references(value, target_.world_.registry().info(component).leaves,
                         [this](Entity entity) { return lane_.real(entity); });
    }

    CommandBuffer& target_;
    Lane& lane_;
};

// Everything that can fail comes before the first change to the target.
void ParallelCommands::finish() {
    ECS_EXPECTS(!is_finished_, "ParallelCommands finished twice");
    const std::vector<Place> places = places_by_key();
    make_room();
    for (const Place& place : places) Transfer(target_, *lanes_[place.lane]).append(place.segment);
    for (const std::unique_ptr<Lane>& lane : lanes_) {
        target_.refused_count_ += lane->commands.refused_count_;
        lane->commands.filled_.clear();  // their contents were moved
        lane->commands.forget();
        lane->commands.limit_ = lane->commands.cursor_;
        lane->log.is_recording = false;
    }
    is_finished_ = true;
}

}  // namespace perigee
