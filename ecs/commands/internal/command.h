// The layout of a recorded command in a CommandBuffer's arena.
//
// Invariant: commands and payloads start on 8-byte boundaries and follow each other without gaps.
//
//   0    1    2           4                8                 16
//   [ op | .. | component | argument, u32  | subject, u64    | payload, padded to 8 … ]
//
// Above the line: commands on one entity. Below it: commands on all entities that a query matches.
//
//   op             component  argument         subject                       payload
//   spawn          -          -                the reserved entity           -
//   spawn_prefab   -          prefab           the reserved entity           -
//   spawn_many     -          prefab           initializer << 32 | count     -
//   destroy        -          -                entity                        -
//   add, remove    yes        -                entity                        -
//   add_value, set yes        payload bytes    entity                        the row's bytes
//   enable         yes        0 or 1           entity                        -
//   clone          -          8                the reserved entity           the entity to copy
//   change         -          payload bytes    entity                        see ChangeList
//   add_buffer, .. yes        its number       entity                        -
//   add_object     yes        its number       entity                        -
//   set_parent     -          8                the child                     the parent, or null
//   set_name       -          payload bytes    entity                        the name's bytes
//   --------------------------------------------------------------------------------------
//   remove_all     yes        -                address of the query          -
//   enable_all     yes        0 or 1           address of the query          -
//   destroy_all    -          -                address of the query          -
//   add_all, ..    yes        payload bytes    address of the query          the row's bytes, or none
//   call           -          its number       -                             -
#pragma once

#include "ecs/base/entity.h"
#include "ecs/schema/component.h"

#include <cstddef>
#include <cstdint>

namespace perigee::internal {

enum class CommandOp : std::uint8_t {
    spawn,
    spawn_prefab,
    spawn_many,
    destroy,
    add,
    add_value,
    remove,
    set,
    enable,
    clone,
    change,
    add_buffer,
    set_buffer,
    add_object,
    set_parent,
    set_name,
    add_all,
    remove_all,
    set_all,
    enable_all,
    destroy_all,
    call,
};

struct Command {
    CommandOp op;
    ComponentId component;
    std::uint32_t argument = 0;
    std::uint64_t subject = 0;

    Entity entity() const noexcept { return Entity{subject}; }
    bool is_spawn() const noexcept { return op == CommandOp::spawn || op == CommandOp::spawn_prefab; }
    bool is_addition() const noexcept { return op == CommandOp::add || op == CommandOp::add_value; }
    bool has_payload() const noexcept {
        switch (op) {
            case CommandOp::add_value:
            case CommandOp::set:
            case CommandOp::clone:
            case CommandOp::change:
            case CommandOp::set_parent:
            case CommandOp::set_name:
            case CommandOp::add_all:
            case CommandOp::set_all:
                return true;
            default:
                return false;
        }
    }
    /// True if it concerns no other entity: a parent may be spawned by a later command.
    bool targets_entity() const noexcept {
        return op != CommandOp::spawn_many && op != CommandOp::set_parent && op < CommandOp::add_all;
    }
    const std::byte* payload() const noexcept { return reinterpret_cast<const std::byte*>(this + 1); }

    /// The command after this one.
    const Command* next() const noexcept {
        return reinterpret_cast<const Command*>(payload() + (has_payload() ? padded(argument) : 0));
    }

    static constexpr std::uint32_t padded(std::uint32_t bytes) noexcept { return (bytes + 7u) & ~7u; }
};

static_assert(sizeof(Command) == 16);

/// The payload of `change`: this head, then per addition a component, whether a value follows (padded to 8),
/// and after them the components to remove, padded to 8.
struct ChangeList {
    std::uint32_t added = 0;
    std::uint32_t removed = 0;

    struct Addition {
        ComponentId component;
        std::uint16_t has_value = 0;
        std::uint32_t value_bytes = 0;
    };
};

}  // namespace perigee::internal
