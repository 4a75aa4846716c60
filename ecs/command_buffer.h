// Structural changes written down now and carried out later, at one named moment.
//
// Invariant: recording changes nothing in the world but reserves ids; playback carries the commands out in
// order; dropping gives reserved ids back. A command on an entity that died meanwhile is skipped and counted.
//
//   arena: | header 16 B | payload, padded to 8 | header | payload | …
#pragma once

#include "ecs/component.h"
#include "ecs/entity.h"
#include "ecs/prefab.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace perigee {

class World;

struct PlaybackReport {
    std::uint64_t applied = 0;
    std::uint64_t dropped = 0;         ///< the entity was dead, or lacked the component to set
    std::uint64_t failed_batches = 0;  ///< spawn_many initialisers that failed
};

class CommandBuffer {
public:
    explicit CommandBuffer(World& world);
    ~CommandBuffer();  ///< drops what was not played back
    CommandBuffer(const CommandBuffer&) = delete;
    CommandBuffer& operator=(const CommandBuffer&) = delete;

    /// A new entity with the prefab's components (none for the empty call). The id is real and unique at
    /// once, but the entity is alive only after playback; later commands of this and other buffers may name
    /// it.
    Entity spawn();
    Entity spawn(PrefabId prefab);

    /// `count` new entities, made chunk by chunk at playback; `initialize` may be empty.
    void spawn_many(PrefabId prefab, std::uint32_t count, SpawnInitializer initialize = {});

    void destroy(Entity entity);

    /// Adds a component with `value` (the row's bytes, copied now), or with the schema's defaults when
    /// `value` is null. On an entity that has it already: sets the value; without a value nothing changes.
    void add(Entity entity, ComponentId component, const void* value = nullptr);
    void remove(Entity entity, ComponentId component);

    /// Sets a component that the entity has at playback; otherwise the command is dropped and counted.
    void set(Entity entity, ComponentId component, const void* value);

    /// Carries everything out and empties the buffer. Expects: no query is being iterated.
    PlaybackReport play_back();

    /// Forgets everything; reserved ids become invalid.
    void drop() noexcept;

    bool is_empty() const noexcept { return command_count_ == 0; }
    std::size_t command_count() const noexcept { return command_count_; }

private:
    enum class Op : std::uint8_t;
    struct Header;
    std::byte* append(Op op, Entity entity, ComponentId component, std::uint32_t payload_bytes);

    World& world_;
    std::vector<std::byte> arena_;
    std::vector<Entity> reserved_;
    std::vector<SpawnInitializer> initializers_;
    std::size_t command_count_ = 0;
};

}  // namespace perigee
