// One recorded command as it lies in a CommandBuffer's arena.
//
// Invariant: commands and payloads start on 8-byte boundaries and lie one after the other without gaps.
//
//   0    1    2           4                8                 16
//   [ op | .. | component | argument, u32  | subject, u64    | payload, padded to 8 … ]
//
//   op             component  argument         subject                       payload
//   spawn          -          -                the reserved entity           -
//   spawn_prefab   -          prefab           the reserved entity           -
//   spawn_many     -          prefab           initializer << 32 | count     -
//   destroy        -          -                entity                        -
//   add, remove    yes        -                entity                        -
//   add_value, set yes        payload bytes    entity                        the row's bytes
#pragma once

#include "ecs/component.h"
#include "ecs/entity.h"

#include <cstddef>
#include <cstdint>

namespace perigee::internal {

enum class CommandOp : std::uint8_t { spawn, spawn_prefab, spawn_many, destroy, add, add_value, remove, set };

struct Command {
    CommandOp op;
    ComponentId component;
    std::uint32_t argument = 0;
    std::uint64_t subject = 0;

    Entity entity() const noexcept { return Entity{subject}; }
    bool is_spawn() const noexcept { return op == CommandOp::spawn || op == CommandOp::spawn_prefab; }
    bool is_addition() const noexcept { return op == CommandOp::add || op == CommandOp::add_value; }
    bool has_payload() const noexcept { return op == CommandOp::add_value || op == CommandOp::set; }
    const std::byte* payload() const noexcept { return reinterpret_cast<const std::byte*>(this + 1); }

    /// The command behind this one.
    const Command* next() const noexcept {
        return reinterpret_cast<const Command*>(payload() + (has_payload() ? padded(argument) : 0));
    }

    static constexpr std::uint32_t padded(std::uint32_t bytes) noexcept { return (bytes + 7u) & ~7u; }
};

static_assert(sizeof(Command) == 16);

}  // namespace perigee::internal
