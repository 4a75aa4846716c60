// Carries out recorded commands, in order.
//
// Invariant: the result is that of the same calls on the World one by one, except for the order of rows.
// Equal spawns and runs of one change are batched, which only saves intermediate steps.
#include "ecs/base/contract.h"
#include "ecs/base/internal/reserve_more.h"
#include "ecs/commands/command_buffer.h"
#include "ecs/commands/playback_limit.h"
#include "ecs/relations/hierarchy.h"
#include "ecs/relations/names.h"
#include "ecs/schema/registry.h"
#include "ecs/storage/buffer.h"
#include "ecs/world/bulk.h"
#include "ecs/world/internal/follow_up_work.h"
#include "ecs/world/internal/record_room.h"
#include "ecs/world/objects.h"
#include "ecs/world/prefab.h"
#include "ecs/world/reserved.h"
#include "ecs/world/world.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <exception>
#include <functional>
#include <new>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace perigee {

using internal::Command;
using internal::CommandOp;

namespace {
// Costs of commands on many rows; see PlaybackLimit::work.
constexpr double kStepsPerRow = 2, kBytesPerStep = 64;
}  // namespace

class CommandBuffer::Playback {
public:
    explicit Playback(CommandBuffer& buffer)
        : buffer_(buffer),
          world_(buffer.world_),
          end_(reinterpret_cast<const Command*>(buffer.cursor_)),
          reserved_(buffer.reserved_) {
        buffer_.mode_ = Mode::playing;
        buffer_.limit_ = buffer_.cursor_;
        static_cast<void>(take_memory_refusal());  // resets earlier refusals
        if (PlaybackLimit* const limit = buffer_.playback_limit_; limit != nullptr) {
            room_.emplace(limit->record_bytes);
            internal::t_record_room = &*room_;
        }
    }

    // Also if an initialiser or a contract handler throws: unused ids are released.
    ~Playback() {
        internal::t_record_room = outer_room_;
        buffer_.mode_ = Mode::open;
        buffer_.drop();
        if (buffer_.playback_limit_ != nullptr) buffer_.playback_limit_->end();
    }

    PlaybackReport run() {
        internal::t_follow_up_work = 0;  // resets the count of changes without a limit
        const auto* command = reinterpret_cast<const Command*>(buffer_.arena_.get());
        while (command != end_ && may_go_on(*command)) command = carry_out(command);
        if (command == end_) {
            buffer_.reserved_.clear();
        } else {
            for (; command != end_; command = command->next()) ++report_.stopped;
        }
        hold_.reset();
        world_.store().settle_relations();
        report_.refused = take_memory_refusal();
        if (room_) report_.unrecorded = room_->refused;
        return report_;
    }

private:
    // The cost of a command is charged before it is carried out; cost that is only known afterwards, before
    // the next one.
    bool may_go_on(const Command& command) {
        PlaybackLimit* const limit = buffer_.playback_limit_;
        if (limit == nullptr) return true;
        if (room_->refused != 0) return false;
        limit->work -= 1 + static_cast<double>(std::exchange(internal::t_follow_up_work, 0));
        if (command.op == CommandOp::spawn_many) {
            const auto count = static_cast<double>(static_cast<std::uint32_t>(command.subject));
            const double bytes =
                world_.prefabs().get(PrefabId{command.argument}).archetype->layout().row_bytes;
            limit->work -= count * (kStepsPerRow + bytes / kBytesPerStep + work_of_parts(command));
        } else if (command.op == CommandOp::spawn_prefab) {
            limit->work -= work_of_parts(command);
        } else if (command.op == CommandOp::clone) {
            Entity original;
            std::memcpy(&original, command.payload(), sizeof original);
            const double bytes = bytes_of_buffers(original);
            limit->work -= bytes / 256;
        } else if (is_about_all(command.op)) {
            limit->work -= work_of_all(command);
        }
        return limit->work >= 0;
    }

    // Adding, removing and destroying move whole rows; other commands write one value of each.
    double work_of_all(const Command& command) const noexcept {
        const bool is_value = command.op == CommandOp::set_all || command.op == CommandOp::enable_all;
        const double value_bytes =
            command.op == CommandOp::set_all ? world_.registry().row_bytes(command.component) : 0;
        double work = 0;
        for (const QueryMatch& match : query_of(command).matches()) {
            const double bytes = is_value ? value_bytes : match.archetype->layout().row_bytes;
            const auto rows = static_cast<double>(match.archetype->entity_count());
            work += 1 + rows * (kStepsPerRow + bytes / kBytesPerStep);
        }
        return work;
    }

    // Each part has its own name, parent and row.
    double work_of_parts(const Command& command) const noexcept {
        constexpr double kStepsOfPart = 50;
        const std::size_t parts = world_.prefabs().get(PrefabId{command.argument}).parts.size();
        return parts > 1 ? kStepsOfPart * static_cast<double>(parts - 1) : 0;
    }

    // Charges commands that are carried out together with the one before them.
    void take_more(std::size_t commands) noexcept {
        if (buffer_.playback_limit_ != nullptr)
            buffer_.playback_limit_->work -= static_cast<double>(commands);
    }

    static bool is_about_all(CommandOp op) noexcept {
        return op == CommandOp::add_all || op == CommandOp::remove_all || op == CommandOp::set_all ||
               op == CommandOp::enable_all || op == CommandOp::destroy_all;
    }
    static const Query& query_of(const Command& command) noexcept {
        return *reinterpret_cast<const Query*>(static_cast<std::uintptr_t>(command.subject));
    }

    // Bytes of the entity's buffer elements outside its row.
    double bytes_of_buffers(Entity entity) const noexcept {
        const Archetype* const archetype = world_.archetype_of(entity);
        if (archetype == nullptr) return 0;
        double bytes = 0;
        for (const ComponentId component : archetype->components()) {
            const ComponentInfo& info = world_.registry().info(component);
            if (info.kind() != ComponentKind::buffer) continue;
            const auto& header =
                *reinterpret_cast<const BufferHeader*>(std::as_const(world_).get(entity, component));
            bytes += static_cast<double>(header.heap_capacity) * info.schema.size;
        }
        return bytes;
    }

    // Carries out one command or one run of commands; returns the next.
    const Command* carry_out(const Command* command) {
        switch (command->op) {
            case CommandOp::spawn:
            case CommandOp::spawn_prefab:
                return spawn_alike(command);
            case CommandOp::spawn_many:
                spawn_many(*command);
                break;
            case CommandOp::destroy:
                destroy(*command);
                break;
            case CommandOp::add:
            case CommandOp::add_value:
            case CommandOp::remove:
                return change_components(command);
            case CommandOp::set:
                set(*command);
                break;
            case CommandOp::enable:
                count(world_.set_enabled(command->entity(), command->component, command->argument != 0));
                break;
            case CommandOp::clone:
                clone(*command);
                break;
            case CommandOp::change:
                change(*command);
                break;
            case CommandOp::add_buffer:
            case CommandOp::set_buffer:
                fill_buffer(*command);
                break;
            case CommandOp::add_object:
                add_object(*command);
                break;
            case CommandOp::set_parent:
                set_parent(*command);
                break;
            case CommandOp::set_name:
                set_name(*command);
                break;
            case CommandOp::call:
                call(buffer_.calls_[command->argument]);
                break;
            default:
                change_all(*command);
                break;
        }
        return command->next();
    }

    // The commands that follow are carried out also if it throws.
    void call(const std::function<bool(World&)>& change) {
        try {
            change(world_) ? ++report_.applied : ++report_.failed;
        } catch (const std::exception& exception) {
            ++report_.failed;
            if (report_.thrown.empty()) report_.thrown = exception.what();
        }
    }

    // Equal spawns, each followed by the commands on its entity: the rows are created together, at their
    // final place, and then the commands in between are carried out. These refer only to the new entities, so
    // the result is the same.
    const Command* spawn_alike(const Command* first) {
        const Command* const additions_end = end_of_additions(first);
        const Command* group_end = end_of_changes(first);
        std::size_t count = 1;
        // Prefabs with parts are spawned one by one, so that the limit is checked between them.
        const bool has_parts = first->op == CommandOp::spawn_prefab && work_of_parts(*first) > 0;
        for (; !has_parts && is_alike(first, additions_end, group_end); ++count)
            group_end = end_of_changes(group_end);

        take_more(count - 1);
        const std::span<const Entity> entities = take_reserved(count);
        Archetype* archetype = nullptr;
        std::size_t born = 0;
        if (first->op == CommandOp::spawn_prefab) {
            born = place_reserved(world_, entities, PrefabId{first->argument});
        } else {
            archetype = archetype_with_additions(first, additions_end);
            born = place_reserved(world_, entities, *archetype);
        }
        report_.applied += born;
        report_.failed += count - born;

        const Command* command = first;
        while (command < group_end) {
            if (!command->is_spawn()) {
                command = carry_out(command);
            } else {
                command = archetype == nullptr ? command->next() : set_additions(command, *archetype);
            }
        }
        return command;
    }

    // The additions that follow a spawn without a prefab; none after a spawn of a prefab, whose row has its
    // own values.
    const Command* end_of_additions(const Command* spawn) const noexcept {
        const Command* command = spawn->next();
        if (spawn->op == CommandOp::spawn_prefab) return command;
        while (is_addition_to(command, spawn->entity())) command = command->next();
        return command;
    }

    // The end of the commands that follow a spawn and concern its entity.
    const Command* end_of_changes(const Command* spawn) const noexcept {
        const Command* command = spawn->next();
        while (command != end_ && command->targets_entity() && command->entity() == spawn->entity()) {
            command = command->next();
        }
        return command;
    }

    // Does `other` spawn from the same prefab as `first`, or with the same additions in the same order?
    bool is_alike(const Command* first, const Command* additions_end, const Command* other) const noexcept {
        if (other == end_ || other->op != first->op || other->argument != first->argument) return false;
        const Entity entity = other->entity();
        const Command* theirs = other->next();
        for (const Command* ours = first->next(); ours != additions_end; ours = ours->next()) {
            if (!is_addition_to(theirs, entity) || theirs->component != ours->component) return false;
            theirs = theirs->next();
        }
        return first->op == CommandOp::spawn_prefab || !is_addition_to(theirs, entity);
    }

    bool is_addition_to(const Command* command, Entity entity) const noexcept {
        return command != end_ && command->is_addition() && command->entity() == entity;
    }

    Archetype* archetype_with_additions(const Command* spawn, const Command* additions_end) {
        Archetype* archetype = &world_.store().graph().empty();
        for (const Command* command = spawn->next(); command != additions_end; command = command->next()) {
            const ArchetypeEdge* wider = world_.store().graph().adding(*archetype, command->component);
            if (wider != nullptr) archetype = wider->target;
        }
        return archetype;
    }

    // Writes the values of the additions after a spawn into its row; returns the command after them.
    const Command* set_additions(const Command* spawn, const Archetype& archetype) {
        const Entity entity = spawn->entity();
        const bool is_born = world_.is_alive(entity);
        const Command* command = spawn->next();
        for (; is_addition_to(command, entity); command = command->next()) {
            if (!is_born) {
                ++report_.dropped;
            } else if (!archetype.has(command->component)) {
                ++report_.failed;  // the row would be too wide
            } else {
                if (command->has_payload()) {
                    static_cast<void>(world_.set(entity, command->component, command->payload()));
                }
                ++report_.applied;
            }
        }
        return command;
    }

    // Carries out consecutive additions or removals of one component, in batches.
    const Command* change_components(const Command* first) {
        const bool is_removal = first->op == CommandOp::remove;
        std::array<ComponentChange, 64> batch;
        std::size_t count = 0;
        const Command* command = first;
        for (; count < batch.size() && command != end_ && command->component == first->component; ++count) {
            if (is_removal ? command->op != CommandOp::remove : !command->is_addition()) break;
            batch[count] = {command->entity(), command->has_payload() ? command->payload() : nullptr};
            command = command->next();
        }
        take_more(count - 1);
        const std::span<const ComponentChange> changes(batch.data(), count);
        const std::size_t done = is_removal ? perigee::remove_many(world_, first->component, changes)
                                            : perigee::add_many(world_, first->component, changes);
        report_.applied += done;
        if (done != count) count_undone(changes, first->component, is_removal);
        return command;
    }

    // Adding failed for living entities that still lack the component.
    void count_undone(std::span<const ComponentChange> changes, ComponentId component, bool is_removal) {
        for (const ComponentChange& change : changes) {
            if (!world_.is_alive(change.entity)) {
                ++report_.dropped;
            } else if (world_.has(change.entity, component) == is_removal) {
                ++report_.failed;
            }
        }
    }

    void spawn_many(const Command& command) {
        const auto count = static_cast<std::uint32_t>(command.subject);
        const SpawnInitializer& initialize = buffer_.initializers_[command.subject >> 32];
        bool is_failed = false;
        SpawnInitializer watched;
        if (initialize) {
            watched = [&](ChunkView& chunk, std::uint32_t first, std::uint32_t last) {
                is_failed = !initialize(chunk, first, last);
                return !is_failed;
            };
        }
        const std::size_t made = perigee::spawn_many(world_, PrefabId{command.argument}, count, watched);
        if (is_failed) {
            ++report_.failed_batches;
        } else {
            made == count ? ++report_.applied : ++report_.failed;
        }
    }

    // Destroying twice is no error. Destroying what another buffer has yet to create has no effect.
    void destroy(const Command& command) {
        if (world_.destroy(command.entity())) {
            ++report_.applied;
        } else if (world_.is_alive(command.entity())) {
            ++report_.failed;
        } else {
            is_reserved(world_, command.entity()) ? ++report_.dropped : ++report_.applied;
        }
    }

    // A command that is dropped if its target does not exist.
    void count(bool is_done) { is_done ? ++report_.applied : ++report_.dropped; }

    void clone(const Command& command) {
        Entity original;
        std::memcpy(&original, command.payload(), sizeof original);
        static_cast<void>(take_reserved(1));
        if (!world_.is_alive(original)) {
            release_reserved(world_, command.entity());
            ++report_.dropped;
            return;
        }
        place_clone(world_, command.entity(), original) ? ++report_.applied : ++report_.failed;
    }

    void change(const Command& command) {
        if (!world_.is_alive(command.entity())) {
            ++report_.dropped;
            return;
        }
        const std::byte* from = command.payload();
        const auto read = [&from](auto& part) {
            std::memcpy(&part, from, sizeof part);
            from += sizeof part;
        };
        internal::ChangeList list;
        read(list);
        std::vector<ComponentValue> added;
        std::vector<ComponentId> removed;
        if (!internal::try_reserve(added, list.added) || !internal::try_reserve(removed, list.removed)) {
            ++report_.failed;
            return;
        }
        added.resize(list.added);
        removed.resize(list.removed);
        for (ComponentValue& value : added) {
            internal::ChangeList::Addition addition;
            read(addition);
            value = {addition.component, addition.has_value != 0 ? from : nullptr};
            from += Command::padded(addition.value_bytes);
        }
        for (ComponentId& component : removed) read(component);
        world_.change(command.entity(), added, removed) ? ++report_.applied : ++report_.failed;
    }

    void fill_buffer(const Command& command) {
        const Entity entity = command.entity();
        const bool is_there = world_.has(entity, command.component);
        if (!world_.is_alive(entity) || (!is_there && command.op == CommandOp::set_buffer)) {
            ++report_.dropped;
        } else if (!is_there && !world_.add(entity, command.component)) {
            ++report_.failed;
        } else {
            world_.buffer(entity, command.component).take(buffer_.filled_[command.argument]->header);
            ++report_.applied;
        }
    }

    void add_object(const Command& command) {
        const Entity entity = command.entity();
        GivenObject& given = buffer_.objects_[command.argument];
        if (!world_.is_alive(entity)) {
            ++report_.dropped;
        } else if (!world_.has(entity, command.component) && !world_.add(entity, command.component)) {
            ++report_.failed;
        } else {
            set_object(world_, entity, command.component, std::move(given.object), given.owner, given.type);
            ++report_.applied;
        }
    }

    void set_parent(const Command& command) {
        Entity parent;
        std::memcpy(&parent, command.payload(), sizeof parent);
        const bool is_lost = !world_.is_alive(command.entity()) || (parent && !world_.is_alive(parent));
        if (is_lost) {
            ++report_.dropped;
        } else {
            perigee::set_parent(world_, command.entity(), parent) ? ++report_.applied : ++report_.failed;
        }
    }

    void set_name(const Command& command) {
        if (!world_.is_alive(command.entity())) {
            ++report_.dropped;
            return;
        }
        const std::string_view name(reinterpret_cast<const char*>(command.payload()), command.argument);
        perigee::set_name(world_, command.entity(), name) ? ++report_.applied : ++report_.failed;
    }

    void change_all(const Command& command) {
        const Query& query = query_of(command);
        const bool has_value = command.has_payload() && command.argument != 0;
        const std::byte* value = has_value ? command.payload() : nullptr;
        const ComponentId component = command.component;
        const auto has = [&](const Archetype& archetype) { return archetype.has(component); };
        const auto is_alive = [](const Archetype& archetype) { return !archetype.is_destroyed(); };
        bool is_complete = true;
        switch (command.op) {
            case CommandOp::add_all: {
                const std::uint64_t wanted = count_rows(query, is_alive);
                is_complete = perigee::add_all(world_, query, component, value) == wanted;
                break;
            }
            case CommandOp::remove_all:
                perigee::remove_all(world_, query, component);
                is_complete = count_rows(query, has) == 0;
                break;
            case CommandOp::set_all: {
                if (value == nullptr) break;
                const std::uint64_t wanted = count_rows(query, has);
                is_complete = perigee::set_all(world_, query, component, value) == wanted;
                break;
            }
            case CommandOp::enable_all:
                perigee::set_enabled_all(world_, query, component, command.argument != 0);
                break;
            default:
                perigee::destroy_all(world_, query);
                is_complete = count_rows(query, is_alive) == 0;
                break;
        }
        is_complete ? ++report_.applied : ++report_.failed;
    }

    // The number of the query's rows in archetypes that pass; larger than possible when memory is exhausted.
    template <typename IsCounted>
    std::uint64_t count_rows(const Query& query, const IsCounted& is_counted) const noexcept {
        std::uint64_t count = 0;
        if (query.is_plain()) {
            for (const QueryMatch& match : query.matches()) {
                if (is_counted(*match.archetype)) count += match.archetype->entity_count();
            }
            return count;
        }
        try {
            for (const Entity entity : query.entities()) {
                if (is_counted(*world_.archetype_of(entity))) ++count;
            }
            return count;
        } catch (const std::bad_alloc&) {
            return ~std::uint64_t{0};
        }
    }

    void set(const Command& command) {
        const bool is_set = command.argument != 0
                                ? world_.set(command.entity(), command.component, command.payload())
                                : world_.has(command.entity(), command.component);
        if (is_set) {
            ++report_.applied;
        } else {
            world_.has(command.entity(), command.component) ? ++report_.failed : ++report_.dropped;
        }
    }

    // The ids of the next `count` spawns.
    std::span<const Entity> take_reserved(std::size_t count) {
        const std::span<const Entity> taken = reserved_.first(count);
        reserved_ = reserved_.subspan(count);
        return taken;
    }

    CommandBuffer& buffer_;
    EnterQuota quota_{buffer_.playback_limit_ != nullptr ? buffer_.playback_limit_->begin() : nullptr};
    World& world_;
    std::optional<internal::EntityStore::HoldTargets> hold_{world_.store()};
    const Command* end_;
    std::span<const Entity> reserved_;
    internal::RecordRoom* const outer_room_ = internal::t_record_room;
    std::optional<internal::RecordRoom> room_;
    PlaybackReport report_;
};

PlaybackReport CommandBuffer::play_back() {
    ECS_EXPECTS(mode_ != Mode::playing, "a buffer played back from inside its own playback");
    if (world_.is_locked()) world_.store().guard().wait_for_work();
    ECS_EXPECTS(!world_.is_locked(), "playback while a query is visited or a system runs");
    if (is_empty()) return PlaybackReport{};
    // After a restore the ids may belong to other entities.
    if (!std::ranges::all_of(reserved_, [this](Entity entity) { return is_reserved(world_, entity); })) {
        const PlaybackReport report{.dropped = command_count_};
        drop();
        return report;
    }
    finish_sorting();
    return Playback(*this).run();
}

}  // namespace perigee
