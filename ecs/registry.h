// All component, tag and resource types of one world, by name and by number.
//
// Invariant: ids are dense and never change; a name has one schema, which only schema_change.h changes.
// Entries are never removed and never move, so a ComponentInfo reference is good as long as the registry.
// What a type looks like is schema.h; where values live is not known here.
#pragma once

#include "ecs/component.h"
#include "ecs/float_runs.h"
#include "ecs/result.h"
#include "ecs/schema.h"
#include "ecs/suggest.h"
#include "ecs/type_bindings.h"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perigee {

struct ComponentInfo {
    ComponentId id;
    Schema schema;
    std::vector<Leaf> leaves;           ///< of `schema`, in row order
    std::vector<FloatRun> floats;       ///< float_runs(leaves)
    std::uint64_t hash = 0;             ///< schema_hash(schema)
    std::uint32_t cell_bytes = 0;       ///< of a row in a chunk; 0 without a column
    std::vector<ComponentId> required;  ///< all that come along with it, theirs included; sorted

    ComponentKind kind() const noexcept { return schema.kind; }
    bool has_column() const noexcept { return cell_bytes > 0; }
    /// Its cells refer to memory outside the chunk, which goes with them.
    bool owns_memory() const noexcept {
        return schema.kind == ComponentKind::buffer || schema.kind == ComponentKind::object;
    }
};

class ComponentRegistry {
public:
    /// Texts of defaults go into `texts`, which outlives the registry; without one they stay "".
    explicit ComponentRegistry(TextPool* texts = nullptr) : texts_(texts) {}
    ComponentRegistry(const ComponentRegistry&) = delete;
    ComponentRegistry& operator=(const ComponentRegistry&) = delete;

    /// Adds a type. Declaring the same schema again gives the id it already has.
    /// Errors: mistakes of the schema (all, one per line); another schema under the same name (both layouts
    /// shown);
    ///         more than kMaxComponents types; the quota of the thread used up. Nothing changes on error.
    /// Throws std::bad_alloc, and then nothing changed either.
    Result<ComponentId> declare(Schema schema);
    /// What declare would make of the schema of a type that is known, whatever it looks like now.
    /// Errors: mistakes of the schema; texts are full. Expects: the name is known.
    Result<ComponentInfo> prepare(Schema schema) const;
    /// `other` takes the place of the type's description, and the other way round. Whoever knows sizes or
    /// offsets must be told: see schema_change.h.
    void exchange(ComponentInfo& other) noexcept;
    /// What comes along with each type, by id, as their schemas say now.
    /// Errors: a type that would come along with itself.
    Result<std::vector<std::vector<ComponentId>>> closures() const;
    void exchange_closures(std::vector<std::vector<ComponentId>>& other) noexcept;

    /// Takes the last type back, of which nobody knows yet. Expects: there is one.
    void retract_last() noexcept;

    std::optional<ComponentId> find(std::string_view name) const noexcept;

    /// Like find, but an unknown name is an error that suggests the nearest known one.
    Result<ComponentId> require(std::string_view name) const;

    /// Expects: `id` came from this registry.
    const ComponentInfo& info(ComponentId id) const noexcept;

    /// Bytes of one row of a type in a chunk; 0 without a column. Cost: one load, for the path of random
    /// access.
    std::uint32_t row_bytes(ComponentId id) const noexcept { return row_bytes_[id.index]; }
    /// Bytes of a value as World::add and World::set take it; 0 for tags, buffers and objects.
    std::uint32_t value_bytes(ComponentId id) const noexcept { return value_bytes_[id.index]; }

    /// Not everybody may change it by commands: chunk and cleanup components, and those with an owner.
    bool is_restricted(ComponentId id) const noexcept { return is_restricted_[id.index] != 0; }

    /// The C++ types of this world.
    const TypeBindings& types() const noexcept { return types_; }
    TypeBindings& types() noexcept { return types_; }

    std::size_t size() const noexcept { return row_bytes_.size(); }
    /// Of all descriptions, and of the values of resources.
    std::size_t bytes() const noexcept { return bytes_; }

    /// Ids in bytewise order of their names: the order in which hashes and dumps go.
    std::vector<ComponentId> ids_by_name() const;

private:
    /// The requirements of a schema with all of theirs; what is wrong with them goes to `mistakes`.
    std::vector<ComponentId> closure_of(const Schema& schema, std::vector<std::string>& mistakes) const;

    void check_blob_fields(const std::vector<Field>& fields, const std::string& place,
                           std::vector<std::string>& mistakes) const;
    std::vector<std::string_view> known_names() const;
    void add_figures(const ComponentInfo& made) noexcept;
    Result<ComponentInfo> described(Schema schema) const;
    Result<void> complete(ComponentInfo& made) const;
    bool collect(ComponentId id, std::vector<ComponentId>& closure, ComponentId first) const;

    TextPool* texts_;
    TypeBindings types_{*this};
    std::deque<ComponentInfo> infos_;
    std::size_t bytes_ = 0;
    std::vector<std::uint32_t> row_bytes_;     ///< by component index
    std::vector<std::uint32_t> value_bytes_;   ///< by component index
    std::vector<std::uint8_t> is_restricted_;  ///< by component index
    std::map<std::string, ComponentId, std::less<>> by_name_;
};

}  // namespace perigee
