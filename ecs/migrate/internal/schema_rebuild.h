// The data of some types in a world, in two forms that can be swapped: before and after a schema change.
//
// Invariant: every step first builds the new form next to the old one, which may fail, and then swaps the
// two, which cannot. Until finish() the destructor swaps them back, in reverse order, so that nothing has
// changed. Cells of buffers and objects move bitwise, except those of changed types; their ownership is
// decided at the end.
#pragma once

#include "ecs/base/change_version.h"
#include "ecs/migrate/internal/value_carry.h"
#include "ecs/migrate/schema_change.h"
#include "ecs/query/query.h"
#include "ecs/schema/blob_store.h"
#include "ecs/schema/registry.h"
#include "ecs/storage/shared_store.h"
#include "ecs/world/observers.h"
#include "ecs/world/prefab.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace perigee {
class World;
}

namespace perigee::internal {

class EntityStore;

class SchemaRebuild {
public:
    /// Expects: the world is not locked, and no other code changes it during this object's lifetime.
    explicit SchemaRebuild(World& world);
    ~SchemaRebuild();
    SchemaRebuild(const SchemaRebuild&) = delete;
    SchemaRebuild& operator=(const SchemaRebuild&) = delete;

    /// Adds a change; `after` came from ComponentRegistry::prepare. Expects: called before run(). With
    /// `is_rebuilt` false only metadata differs.
    void add(ComponentInfo after, MigrateValue migrate, bool is_rebuilt);

    /// True if C++ accesses values of the type.
    static bool is_bound(const World& world, ComponentId component) noexcept;

    /// Rebuilds and swaps everything. Errors: the text pool is full, a row is too wide, migrate refused.
    Result<void> run();

    struct Loss {
        ComponentId component;
        std::vector<FieldLoss> fields;
    };
    /// The values lost, for types without a migrate function.
    std::vector<Loss> losses() const;
    const SchemaChanges& changes() const noexcept { return changes_; }

    /// Keeps the new form and frees the old one.
    void finish() noexcept;

private:
    struct Type {
        ComponentId id;
        ComponentInfo other;  ///< the description that is not in use
        MigrateValue migrate;
        bool is_rebuilt;
        std::unique_ptr<ValueCarry> carry = {};
        SharedStore::Pool pool = {};
        std::map<SharedIndex, SharedIndex> shared = {};  ///< old and new numbers, each with one reference
        std::unique_ptr<std::byte[]> resource = {};
        std::vector<std::byte> events = {};
        std::uint32_t event_bytes = 0;
        Observers::WatchPtr watch = {};
    };

    const ComponentInfo& now(const Type& type) const noexcept;
    Type* find(ComponentId component) noexcept;
    Result<void> convert(Type& type, const std::byte* before, std::byte* after, Entity owner);
    Result<void> convert_buffer(Type& type, const std::byte* before, std::byte* after, Entity owner);
    Result<std::vector<std::byte>> convert_all(Type& type, const std::byte* values, std::size_t count);

    Result<void> change_descriptions();
    Result<void> change_shared_values();
    Result<void> change_archetypes();
    Result<void> remake_rows(const Archetype& old, Archetype& made);
    std::uint32_t partition_for(const Archetype& old, std::uint32_t partition, Archetype& made);
    Result<void> fill_run(const Archetype& old, std::uint32_t chunk, std::uint32_t first, Archetype& made,
                          std::uint32_t made_chunk, std::uint32_t row, std::uint32_t count);
    Result<void> note_gone(const Archetype& old, const ChunkSlot& slot, std::uint32_t first,
                           std::uint32_t count);
    Result<void> fill_chunk_values(const Archetype& old, std::uint32_t chunk, Archetype& made,
                                   std::uint32_t made_chunk);
    Result<void> change_blobs();
    Result<void> change_single_values();
    Result<void> change_prefabs();
    Result<void> change_prefab(Prefab& prefab);
    bool move_offset(ComponentId component, std::uint32_t& offset) noexcept;
    Result<void> change_queries();

    void exchange_shared_values() noexcept;
    void exchange_archetypes() noexcept;
    void exchange_single_values() noexcept;
    void exchange_prefabs() noexcept;
    void exchange_queries() noexcept;
    void release_buffers(const std::vector<std::unique_ptr<Archetype>>& archetypes, bool are_new) noexcept;
    void release_prefab_values() noexcept;
    void place_entities() noexcept;

    World& world_;
    EntityStore& store_;
    ChangeVersion version_ = 0;
    SchemaChanges changes_;
    std::vector<std::unique_ptr<Type>> types_;
    std::vector<std::vector<ComponentId>> closures_;
    std::vector<std::unique_ptr<Archetype>> archetypes_;  ///< copies: those that are not in use
    BlobStore::Form blobs_;
    std::vector<Prefab> prefabs_;                  ///< by id
    std::vector<std::unique_ptr<Query>> queries_;  ///< in order of the world's
    // Progress: each flag is true when the new form is in use.
    bool has_blobs_ = false;
    bool has_descriptions_ = false, has_closures_ = false, has_pools_ = false, has_archetypes_ = false;
    bool has_single_values_ = false, has_prefabs_ = false, has_queries_ = false, is_finished_ = false;
};

}  // namespace perigee::internal
