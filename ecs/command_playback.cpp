// Carrying recorded commands out, in order.
//
// Invariant: the outcome is that of doing the same calls on the World one by one; what is done in one go
// (spawns of one prefab, the components given to an entity that was just made) only saves the steps between.
#include "ecs/command_buffer.h"
#include "ecs/contract.h"
#include "ecs/world.h"

#include <algorithm>
#include <span>

namespace perigee {

using internal::Command;
using internal::CommandOp;

class CommandBuffer::Playback {
public:
    explicit Playback(CommandBuffer& buffer)
        : buffer_(buffer),
          world_(buffer.world_),
          end_(reinterpret_cast<const Command*>(buffer.cursor_)),
          reserved_(buffer.reserved_) {
        buffer_.mode_ = Mode::playing;
        buffer_.limit_ = buffer_.cursor_;
    }

    // Also when an initialiser or a contract handler throws: what was not born is given back.
    ~Playback() {
        buffer_.mode_ = Mode::open;
        buffer_.drop();
    }

    PlaybackReport run() {
        const auto* command = reinterpret_cast<const Command*>(buffer_.arena_.get());
        while (command != end_) command = carry_out(command);
        buffer_.reserved_.clear();
        return report_;
    }

private:
    // One command or one run of them; returns the next.
    const Command* carry_out(const Command* command) {
        switch (command->op) {
            case CommandOp::spawn:
                return spawn_with_components(command);
            case CommandOp::spawn_prefab:
                return spawn_prefabs(command);
            case CommandOp::spawn_many:
                spawn_many(*command);
                break;
            case CommandOp::destroy:
                destroy(*command);
                break;
            case CommandOp::add:
                count_change(world_.add(command->entity(), command->component), *command);
                break;
            case CommandOp::add_value:
                count_change(world_.add(command->entity(), command->component, command->payload()), *command);
                break;
            case CommandOp::remove:
                count_change(world_.remove(command->entity(), command->component), *command);
                break;
            case CommandOp::set:
                set(*command);
                break;
        }
        return command->next();
    }

    // A spawn and the additions to the same entity behind it: one row at its final place instead of a move
    // for each.
    const Command* spawn_with_components(const Command* spawn) {
        const Entity entity = spawn->entity();
        take_reserved(1);
        Archetype* archetype = &world_.empty_archetype();
        const Command* last = spawn->next();
        for (; is_addition_to(last, entity); last = last->next()) {
            if (Archetype* wider = world_.archetype_with(*archetype, last->component)) archetype = wider;
        }
        const bool is_born = world_.place_reserved(entity, *archetype);
        is_born ? ++report_.applied : ++report_.failed;
        for (const Command* addition = spawn->next(); addition != last; addition = addition->next()) {
            if (!is_born) {
                ++report_.dropped;
            } else if (!archetype->has(addition->component)) {
                ++report_.failed;  // too wide
            } else {
                if (addition->op == CommandOp::add_value) {
                    static_cast<void>(world_.set(entity, addition->component, addition->payload()));
                }
                ++report_.applied;
            }
        }
        return last;
    }

    bool is_addition_to(const Command* command, Entity entity) const noexcept {
        return command != end_ && command->entity() == entity &&
               (command->op == CommandOp::add || command->op == CommandOp::add_value);
    }

    // Spawns of one prefab in a row become runs of rows.
    const Command* spawn_prefabs(const Command* first) {
        const Command* last = first;
        std::size_t count = 0;
        while (last != end_ && last->op == CommandOp::spawn_prefab && last->argument == first->argument) {
            last = last->next();
            ++count;
        }
        const std::size_t born = world_.place_reserved(take_reserved(count), PrefabId{first->argument});
        report_.applied += born;
        report_.failed += count - born;
        return last;
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
        const std::size_t made = world_.spawn_many(PrefabId{command.argument}, count, watched);
        if (is_failed) {
            ++report_.failed_batches;
        } else {
            made == count ? ++report_.applied : ++report_.failed;
        }
    }

    // Destroying twice is no mistake; destroying what another buffer has yet to bring to life is lost.
    void destroy(const Command& command) {
        const bool is_lost = !world_.destroy(command.entity()) && world_.is_reserved(command.entity());
        is_lost ? ++report_.dropped : ++report_.applied;
    }

    void set(const Command& command) {
        const bool is_set = command.argument != 0
                                ? world_.set(command.entity(), command.component, command.payload())
                                : world_.has(command.entity(), command.component);
        is_set ? ++report_.applied : ++report_.dropped;
    }

    void count_change(bool is_done, const Command& command) {
        if (is_done) {
            ++report_.applied;
        } else {
            world_.is_alive(command.entity()) ? ++report_.failed : ++report_.dropped;
        }
    }

    // The ids of the next `count` spawns.
    std::span<const Entity> take_reserved(std::size_t count) {
        const std::span<const Entity> taken = reserved_.first(count);
        reserved_ = reserved_.subspan(count);
        return taken;
    }

    CommandBuffer& buffer_;
    World& world_;
    const Command* end_;
    std::span<const Entity> reserved_;
    PlaybackReport report_;
};

PlaybackReport CommandBuffer::play_back() {
    ECS_EXPECTS(mode_ != Mode::playing, "a buffer played back from inside its own playback");
    ECS_EXPECTS(!world_.is_locked(), "playback while a query is visited or a system runs");
    if (is_empty()) return PlaybackReport{};
    return Playback(*this).run();
}

}  // namespace perigee
