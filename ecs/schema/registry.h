// All component, tag and resource types of one world, by name and by number.
//
// Invariant: ids are dense and never change; a name has one schema, which only schema_change.h changes.
// Entries are never removed and never move, so a ComponentInfo reference is valid as long as the registry.
// schema.h describes types; the registry does not know where values are stored.
#pragma once

#include "ecs/base/result.h"
#include "ecs/schema/component.h"
#include "ecs/schema/float_runs.h"
#include "ecs/schema/schema.h"
#include "ecs/schema/type_bindings.h"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perigee {

struct ComponentInfo {
    ComponentId id;
    Schema schema;
    std::vector<Leaf> leaves;           ///< of `schema`, in row order
    std::vector<FloatRun> floats;       ///< float_runs(leaves)
    std::uint64_t hash = 0;             ///< schema_hash(schema)
    std::uint32_t cell_bytes = 0;       ///< of a row in a chunk; 0 without a column
    std::vector<ComponentId> required;  ///< all required components, including indirect ones; sorted
    bool is_late = false;               ///< declared while the game runs; see LateDeclarations

    ComponentKind kind() const noexcept { return schema.kind; }
    bool has_column() const noexcept { return cell_bytes > 0; }
    /// True if its cells own memory outside the chunk.
    bool owns_memory() const noexcept {
        return schema.kind == ComponentKind::buffer || schema.kind == ComponentKind::object;
    }
};

class ComponentRegistry {
public:
    /// Texts of defaults are stored in `texts`, which must outlive the registry; without one they stay "".
    explicit ComponentRegistry(TextPool* texts = nullptr) : texts_(texts) {}
    ComponentRegistry(const ComponentRegistry&) = delete;
    ComponentRegistry& operator=(const ComponentRegistry&) = delete;

    /// Adds a type. Declaring the same schema again returns the existing id.
    /// Errors: mistakes of the schema (all, one per line); another schema under the same name (both layouts
    /// shown); more than kMaxComponents types; the quota of the thread used up. Nothing changes on error.
    /// Throws std::bad_alloc, also without a change.
    Result<ComponentId> declare(Schema schema);
    /// The result that declare would give for a new schema of a known type. Errors: mistakes of the schema;
    /// the text pool is full. Expects: the name is known.
    Result<ComponentInfo> prepare(Schema schema) const;
    /// Swaps `other` with the type's description. All code that caches sizes or offsets must be updated: see
    /// schema_change.h.
    void exchange(ComponentInfo& other) noexcept;
    /// The required components of each type, by id, according to the current schemas.
    /// Errors: a type that requires itself.
    Result<std::vector<std::vector<ComponentId>>> closures() const;
    void exchange_closures(std::vector<std::vector<ComponentId>>& other) noexcept;

    /// Removes the last type. Expects: there is one, and its id is not in use yet.
    void retract_last() noexcept;

    std::optional<ComponentId> find(std::string_view name) const noexcept;

    /// Like find, but an unknown name is an error that suggests the nearest known one.
    Result<ComponentId> require(std::string_view name) const;

    /// Expects: `id` came from this registry.
    const ComponentInfo& info(ComponentId id) const noexcept;

    /// Bytes of one row of a type in a chunk; 0 without a column. Cost: one load, for code
    /// that accesses single entities.
    std::uint32_t row_bytes(ComponentId id) const noexcept { return row_bytes_[id.index]; }
    /// Bytes of a value passed to World::add and World::set; 0 for tags, buffers and objects.
    std::uint32_t value_bytes(ComponentId id) const noexcept { return value_bytes_[id.index]; }

    /// True if commands may change it only for some systems: chunk and cleanup components, and components
    /// with an owner.
    bool is_restricted(ComponentId id) const noexcept { return is_restricted_[id.index] != 0; }

    /// The C++ types of this world.
    const TypeBindings& types() const noexcept { return types_; }
    TypeBindings& types() noexcept { return types_; }

    std::size_t size() const noexcept { return row_bytes_.size(); }
    /// Memory use of all descriptions and resource values.
    std::size_t bytes() const noexcept { return bytes_; }

    /// Ids in bytewise order of their names: the order used by hashes and dumps.
    std::vector<ComponentId> ids_by_name() const;

private:
    friend class LateDeclarations;

    /// The direct and indirect requirements of a schema; errors are added to `mistakes`.
    std::vector<ComponentId> closure_of(const Schema& schema, std::vector<std::string>& mistakes) const;

    void check_blob_fields(const Schema& schema, const std::vector<Field>& fields, const std::string& place,
                           std::vector<std::string>& mistakes) const;
    std::vector<std::string_view> known_names() const;
    void add_figures(const ComponentInfo& made) noexcept;
    Result<ComponentInfo> described(Schema schema) const;
    Result<void> complete(ComponentInfo& made) const;
    bool collect(ComponentId id, std::vector<ComponentId>& closure, ComponentId first) const;

    TextPool* texts_;
    bool declares_late_ = false;
    TypeBindings types_{*this};
    std::deque<ComponentInfo> infos_;
    std::size_t bytes_ = 0;
    std::vector<std::uint32_t> row_bytes_;     ///< by component index
    std::vector<std::uint32_t> value_bytes_;   ///< by component index
    std::vector<std::uint8_t> is_restricted_;  ///< by component index
    std::map<std::string, ComponentId, std::less<>> by_name_;
};

/// Types declared during its lifetime are late: they count in the world hash once they are used. Also ends
/// when a declaration throws.
class LateDeclarations {
public:
    explicit LateDeclarations(ComponentRegistry& registry) noexcept
        : registry_(registry), before_(std::exchange(registry.declares_late_, true)) {}
    ~LateDeclarations() { registry_.declares_late_ = before_; }
    LateDeclarations(const LateDeclarations&) = delete;
    LateDeclarations& operator=(const LateDeclarations&) = delete;

private:
    ComponentRegistry& registry_;
    bool before_;
};

}  // namespace perigee
