// Structural changes that are recorded now and carried out later, at playback.
//
// Invariant: recording only reserves ids and changes nothing else in the world. Playback carries the commands
// out in order. Dropping returns reserved ids, last one first, so that ids are the same in every run. A
// command on an entity that died meanwhile is skipped and counted. The memory layout of a command is in
// internal/command.h.
#pragma once

#include "ecs/base/entity.h"
#include "ecs/base/result.h"
#include "ecs/commands/internal/command.h"
#include "ecs/commands/internal/command_lane.h"
#include "ecs/commands/playback_limit.h"
#include "ecs/schema/component.h"
#include "ecs/schema/type_bindings.h"
#include "ecs/storage/buffer.h"
#include "ecs/storage/object_store.h"
#include "ecs/world/component_value.h"
#include "ecs/world/prefab.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perigee {

class Query;
class World;
struct ComponentValue;

/// Results of a playback. The counts of commands add up to their number.
struct PlaybackReport {
    std::uint64_t applied = 0;  ///< carried out, including no-ops: destroying a dead entity, removing an
                                ///< absent component
    std::uint64_t dropped = 0;  ///< the entity was dead or not yet created, or lacked the component to set
    std::uint64_t failed = 0;   ///< the row would be too wide, or memory is exhausted
    std::uint64_t failed_batches = 0;        ///< spawn_many initialisers that failed
    std::uint64_t stopped = 0;               ///< not reached: the PlaybackLimit was used up
    std::uint64_t unrecorded = 0;            ///< records for observers beyond PlaybackLimit::record_bytes
    std::optional<MemoryKind> refused = {};  ///< the first kind of memory that was refused
    std::string thrown = {};  ///< what the first exception of a `call` says; it counts as failed

    PlaybackReport& operator+=(const PlaybackReport& other);
    bool operator==(const PlaybackReport&) const = default;
};

/// Lifetime: must not outlive the world. Memory is kept between uses.
class CommandBuffer {
public:
    explicit CommandBuffer(World& world);
    ~CommandBuffer();  ///< drops commands that were not played back
    CommandBuffer(const CommandBuffer&) = delete;
    CommandBuffer& operator=(const CommandBuffer&) = delete;

    // ---- recording, by C++ type. Expects, besides the rules below: T is bound in the world to a component
    // ---- of a kind that allows the call; a contract violation names both (type_bindings.h).

    /// Spawns an entity with these component values: commands.spawn(Position{1, 2}, Velocity{}).
    template <typename... Components>
    requires(sizeof...(Components) > 0) Entity spawn(const Components&... values) {
        const ComponentId ids[] = {types().id<Components>(TypedUse::give)...};
        const void* const bytes[] = {&values...};
        return spawn_values(ids, bytes);
    }
    /// Adds the schema's defaults; does nothing if the entity has the component already.
    template <typename T> void add(Entity entity) {
        add(entity, types().id<T>(TypedUse::presence), static_cast<const void*>(nullptr));
    }
    template <typename T> void add(Entity entity, const T& value) {
        add(entity, types().id<T>(TypedUse::give), static_cast<const void*>(&value));
    }
    template <typename T> void remove(Entity entity) { remove(entity, types().id<T>(TypedUse::presence)); }
    template <typename T> void set(Entity entity, const T& value) {
        set(entity, types().id<T>(TypedUse::set), static_cast<const void*>(&value));
    }
    template <typename T> void set_enabled(Entity entity, bool is_enabled) {
        set_enabled(entity, types().id<T>(TypedUse::enabled), is_enabled);
    }
    /// commands.add_buffer<Waypoint>(entity).push({1, 2}); see the overloads by id.
    template <typename T> BufferView<T> add_buffer(Entity entity) {
        return BufferView<T>(add_buffer(entity, types().id<T>(TypedUse::buffer)));
    }
    template <typename T> BufferView<T> set_buffer(Entity entity) {
        return BufferView<T>(set_buffer(entity, types().id<T>(TypedUse::buffer)));
    }
    template <typename T> void add_all(const Query& query) {
        add_all(query, types().id<T>(TypedUse::presence), static_cast<const void*>(nullptr));
    }
    template <typename T> void add_all(const Query& query, const T& value) {
        add_all(query, types().id<T>(TypedUse::give), static_cast<const void*>(&value));
    }
    template <typename T> void remove_all(const Query& query) {
        remove_all(query, types().id<T>(TypedUse::presence));
    }
    template <typename T> void set_all(const Query& query, const T& value) {
        set_all(query, types().id<T>(TypedUse::set), static_cast<const void*>(&value));
    }
    template <typename T> void set_enabled_all(const Query& query, bool is_enabled) {
        set_enabled_all(query, types().id<T>(TypedUse::enabled), is_enabled);
    }

    /// By id, from a struct. Expects: T is bound to the component, or is unbound and has its value's size.
    template <typename T>
    requires(kIsValue<T>) void add(Entity entity, ComponentId component, const T* value) {
        if (value != nullptr) types().expect_value<T>(component);
        add(entity, component, static_cast<const void*>(value));
    }
    template <typename T>
    requires(kIsValue<T>) void set(Entity entity, ComponentId component, const T* value) {
        types().expect_value<T>(component);
        set(entity, component, static_cast<const void*>(value));
    }

    template <typename T>
    requires(kIsValue<T>) void add_all(const Query& query, ComponentId component, const T* value) {
        if (value != nullptr) types().expect_value<T>(component);
        add_all(query, component, static_cast<const void*>(value));
    }
    template <typename T>
    requires(kIsValue<T>) void set_all(const Query& query, ComponentId component, const T* value) {
        types().expect_value<T>(component);
        set_all(query, component, static_cast<const void*>(value));
    }

    // ---- recording. Expects, everywhere: not inside this buffer's own playback; a component is a component
    // ---- or tag of this world. When memory is exhausted nothing is recorded: spawn and clone give null, the
    // ---- others throw std::bad_alloc.

    /// Spawns an entity with the prefab's components (none without a prefab). The id is valid and unique at
    /// once, but the entity is alive only after playback. Later commands of this and other buffers may use
    /// it. Returns null and records nothing when the world is full or the buffer is closed.
    Entity spawn();
    Entity spawn(PrefabId prefab);

    /// Spawns `count` entities, chunk by chunk at playback; `initialize` may be empty. If it fails, its batch
    /// is destroyed and playback continues with the next command.
    void spawn_many(PrefabId prefab, std::uint32_t count, SpawnInitializer initialize = {});

    /// Does nothing if the entity is dead at playback.
    void destroy(Entity entity);

    /// Adds a component with `value` (the row's bytes, copied now), or with the schema's defaults when
    /// `value` is null. If the entity has the component already, a given value is set; without one it
    /// stays as it is.
    void add(Entity entity, ComponentId component, const void* value = nullptr);
    void remove(Entity entity, ComponentId component);

    /// Sets a component. Dropped and counted if the entity lacks it at playback.
    void set(Entity entity, ComponentId component, const void* value);
    /// Enables or disables an enableable component. Dropped and counted if the entity lacks it at playback.
    void set_enabled(Entity entity, ComponentId component, bool is_enabled);
    /// Adds and removes several components in one move; see World::change. Values are copied now.
    void change(Entity entity, std::span<const ComponentValue> add, std::span<const ComponentId> remove);

    /// A buffer to fill now. At playback its elements replace those of the entity's buffer. add_buffer adds
    /// the component if it is missing; set_buffer is dropped and counted if the component is missing at
    /// playback. Returns an empty handle and records nothing when this buffer is closed. Lifetime: until
    /// playback or drop; using the handle later is a contract violation. Expects: a component of kind buffer.
    DynamicBuffer add_buffer(Entity entity, ComponentId component);
    DynamicBuffer set_buffer(Entity entity, ComponentId component);
    /// The same as a header without inline elements, for callers that check lifetimes. Null when closed.
    BufferHeader* filled_header(Entity entity, ComponentId component, bool is_set);

    /// Adds an object component if it is missing and makes it refer to `object`; see set_object in objects.h.
    /// The object is released with the command if the entity is dead at playback.
    void add_object(Entity entity, ComponentId component, std::shared_ptr<void> object, ObjectOwner owner = 0,
                    const std::type_info* type = nullptr);

    /// Makes `parent` the parent of `child`, null for none; see hierarchy.h. Dropped and counted when either
    /// is dead at playback; failed when the child would become its own descendant.
    void set_parent(Entity child, Entity parent);
    /// Gives the entity a name, "" for none; see names.h.
    /// Errors (nothing is recorded): a name with '/' or of more than TextPool::kMaxTextBytes. Failed at
    /// playback when the world has no room for it.
    Result<void> set_name(Entity entity, std::string_view name);

    /// Clones the entity as it is at playback; see World::clone. The id is valid at once, as with spawn.
    /// Dropped and counted when the original is dead at playback.
    Entity clone(Entity entity);

    // ---- recording, for all entities that a query of this world matches at playback; see add_all in bulk.h.
    // ---- Each counts as one command.
    void add_all(const Query& query, ComponentId component, const void* value = nullptr);
    void remove_all(const Query& query, ComponentId component);
    void set_all(const Query& query, ComponentId component, const void* value);
    void set_enabled_all(const Query& query, ComponentId component, bool is_enabled);
    void destroy_all(const Query& query);

    /// Any other change to the world, carried out at playback in its place among the commands. Returning
    /// false counts as failed. `change` may do everything that is allowed outside systems, but must not
    /// record into this buffer or play anything back. Expects: not a lane of ParallelCommands.
    void call(std::function<bool(World&)> change);

    // ---- order of playback

    /// From now on commands are recorded under this key, until finish_sorting. Expects: not a lane of
    /// ParallelCommands, which has keys of its own.
    void sort_key(std::uint64_t key);
    /// Puts the commands in ascending order of their keys, those of one key in recording order. Commands from
    /// before the first key stay in front. A command on an entity that is spawned under a higher key is
    /// dropped and counted. The schedule calls it after each run. Throws std::bad_alloc when memory is
    /// exhausted; then nothing changed.
    void finish_sorting();

    // ---- what may be recorded

    /// The reason why commands on this component are refused, as a message; empty when they are allowed.
    /// Chunk components are changed for all chunks of a query (`for_all`: add_all, set_all, remove_all), and
    /// not for one entity, whose chunk is not known in advance. Cleanup components and owned components can
    /// be changed by one system only; see restrict_to. Recording a refused command is a contract violation.
    std::optional<std::string> refusal(ComponentId component, bool for_all = false) const;

    /// From now on playback stops at the first command that exceeds `limit`; the commands after it are not
    /// carried out. Null: no limit. Lifetime: until the next call.
    void limit(PlaybackLimit* limit) noexcept { playback_limit_ = limit; }
    PlaybackLimit* limit() const noexcept { return playback_limit_; }

    /// From now on the buffer belongs to a system. It may change only the owned components that the system
    /// declares as written. A buffer without a system may change all of them.
    void restrict_to(std::string system, std::vector<ComponentId> written);

    // ---- playback

    /// Carries out all commands and empties the buffer.
    /// Expects: no query is being visited; not called from an initialiser of this buffer.
    PlaybackReport play_back();

    /// Discards all commands; reserved ids become invalid.
    void drop() noexcept;

    /// From now on commands are refused and counted, and no id is reserved: for code that must not
    /// change the world.
    void close() noexcept;

    bool is_empty() const noexcept { return command_count_ == 0; }
    /// True if PlaybackLimit::may_record refused since the last playback or drop. Commands after that are not
    /// recorded.
    bool is_full() const noexcept { return is_full_; }
    bool is_playing_back() const noexcept { return mode_ == Mode::playing; }
    bool is_closed() const noexcept { return mode_ == Mode::closed; }
    std::size_t command_count() const noexcept { return command_count_; }

    /// Commands that were recorded while the buffer was closed, since the last drop.
    std::size_t refused_count() const noexcept { return refused_count_; }

private:
    enum class Mode : std::uint8_t { open, playing, closed };
    class Playback;
    friend class ParallelCommands;  // its lanes are buffers that never play back

    CommandBuffer(World& world, internal::CommandLane& lane);

    const TypeBindings& types() const noexcept;
    std::uint32_t given_bytes(const ComponentValue& part) const noexcept;
    std::uint32_t change_bytes(std::span<const ComponentValue> add,
                               std::span<const ComponentId> remove) const noexcept;
    Entity spawn_values(std::span<const ComponentId> ids, std::span<const void* const> values);

    std::byte* append(internal::CommandOp op, ComponentId component, std::uint32_t argument,
                      std::uint64_t subject, std::uint32_t payload_bytes);
    void expect_allowed(ComponentId component, bool for_all = false) const;
    void append_query_command(internal::CommandOp op, const Query& query, ComponentId component,
                              std::uint32_t argument, const void* value);
    Entity reserve_for(std::byte* command) noexcept;
    void expect_known(std::uint64_t entity);
    void expect_spawned_here(Entity entity);
    void expect_known_references(ComponentId component, const void* value);
    void note_unfinished() noexcept;
    void append_value(internal::CommandOp op, Entity entity, ComponentId component, std::uint32_t row_bytes,
                      const void* value);
    bool make_room(std::size_t bytes);
    Entity append_spawn(internal::CommandOp op, std::uint32_t prefab);
    DynamicBuffer append_buffer(bool is_set, Entity entity, ComponentId component);
    void forget() noexcept;

    // The elements that add_buffer and set_buffer collect. Always on the heap; the address is stable until
    // playback.
    struct FilledBuffer {
        BufferHeader header;
        const ComponentInfo* info;
    };

    World& world_;
    internal::CommandLane* lane_ = nullptr;  ///< null: a buffer that plays back
    std::unique_ptr<std::byte[]> arena_;
    std::byte* cursor_ = nullptr;
    std::byte* limit_ = nullptr;  ///< end of the arena; equal to cursor_ while recording is not allowed
    std::size_t arena_bytes_ = 0;
    std::size_t command_count_ = 0;
    std::size_t refused_count_ = 0;
    std::vector<Entity> reserved_;  ///< of spawns, in order
    std::vector<SpawnInitializer> initializers_;
    std::vector<std::unique_ptr<FilledBuffer>> filled_;
    struct GivenObject {
        std::shared_ptr<void> object;
        ObjectOwner owner;
        const std::type_info* type;
    };
    std::vector<GivenObject> objects_;
    std::vector<std::function<bool(World&)>> calls_;
    /// Consecutive commands under one sort key; a part ends where the next one begins.
    struct SortedPart {
        std::uint64_t key;
        std::size_t first_byte;
        std::size_t first_reserved;
    };
    std::vector<SortedPart> sorted_parts_;
    std::uint64_t recording_ = 0;       ///< number of this recording; handles to filled_ compare it
    std::string system_;                ///< the system that owns the buffer; empty: none
    std::vector<ComponentId> written_;  ///< owned components that the system may change; sorted
    Mode mode_ = Mode::open;
    PlaybackLimit* playback_limit_ = nullptr;
    bool is_full_ = false;
};

}  // namespace perigee
