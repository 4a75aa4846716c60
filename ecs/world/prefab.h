// Prefabs: named sets of components with values, from which entities are spawned one by one or in bulk.
//
// Invariant: a prefab is immutable once added; its archetype is resolved then. Inherited components are
// already in its own list (prefab_desc.h does that). A prefab with children has parts: itself and its
// descendants, each with its own prefab, from which a whole tree is spawned at once.
#pragma once

#include "ecs/base/contract.h"
#include "ecs/base/entity.h"
#include "ecs/base/result.h"
#include "ecs/schema/component.h"
#include "ecs/storage/shared_store.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perigee {

class Archetype;
class World;
struct Schema;

struct PrefabId {
    std::uint32_t index = 0xFFFFFFFF;
    constexpr auto operator<=>(const PrefabId&) const noexcept = default;
};

/// One component of a prefab; an empty value means the schema's defaults.
struct PrefabComponent {
    ComponentId component;
    /// The row's bytes, or empty. For a buffer: its elements in order, none when empty.
    std::vector<std::byte> value;
    bool is_enabled = true;  ///< false, for enableable kinds: disabled in new rows
};

/// An entity field that refers to another part of the same prefab.
struct PrefabReference {
    ComponentId component;
    std::string field;
    /// Path of names from the part that has the field: "turret/barrel", ".." the parent, "." itself.
    std::string part;
    /// Offset of the entity field in the value, in bytes (for a buffer: from its first element), if `field`
    /// alone does not determine it.
    std::optional<std::uint32_t> offset = std::nullopt;
    std::uint32_t place = 0;  ///< see PrefabMistake
};

/// One entity of a prefab with children.
struct PrefabPart {
    PrefabId image;            ///< the prefab of its row; not valid for part 0, the prefab itself
    std::uint32_t parent = 0;  ///< number of an earlier part
    std::string name;          ///< may be empty

    struct Link {
        ComponentId component;
        std::uint32_t offset;  ///< of an entity field, in bytes; for a buffer from its first element
        std::uint32_t part;    ///< the part it refers to
    };
    std::vector<Link> links;
};

struct Prefab {
    std::string name;
    std::vector<PrefabComponent> components;       ///< sorted by component id, no duplicates
    std::vector<PrefabReference> references = {};  ///< as declared, for prefabs that inherit
    std::vector<PrefabPart> parts = {};            ///< empty without children and references
    /// Creates all parts of `roots`, which were just created from the prefab. False when memory is exhausted;
    /// then no part exists, and the caller must remove the roots. Null without parts.
    bool (*spawn_parts)(World& world, const Prefab& prefab, std::span<const Entity> roots) = nullptr;
    Archetype* archetype = nullptr;   ///< set by the world
    std::vector<std::byte> image;     ///< of a row of the archetype; set by the world
    std::vector<SharedIndex> shared;  ///< of its shared components, referenced permanently; set by the world
    /// Indices into `components` of those that the image cannot express: buffers too long for the chunk,
    /// disabled components. Set by the world.
    std::vector<std::uint32_t> extras = {};
};

/// True if a PrefabComponent of this type may have a value of this many bytes. 0 is always valid, and the
/// only valid size for tags and objects; buffers take whole elements.
bool is_prefab_value(const Schema& schema, std::size_t bytes) noexcept;
/// The reason why not, as a message.
std::string wrong_prefab_value(std::string_view prefab, const Schema& schema, std::size_t bytes);

class PrefabStore {
public:
    /// Errors: a name in use; the quota of the thread used up. Components are sorted here. Expects: no
    /// component twice (add_prefab checks).
    Result<PrefabId> add(Prefab prefab);
    /// Removes the prefab that was added last. Expects: it was never used.
    void remove_last() noexcept;
    std::optional<PrefabId> find(std::string_view name) const noexcept;
    /// Swaps the contents of two prefabs, except their names. Entities spawned from them do not change.
    void swap_contents(PrefabId a, PrefabId b) noexcept;
    const Prefab& get(PrefabId id) const noexcept {
        ECS_EXPECTS(id.index < prefabs_.size(), id.index);
        return prefabs_[id.index];
    }
    Prefab& get(PrefabId id) noexcept {
        ECS_EXPECTS(id.index < prefabs_.size(), id.index);
        return prefabs_[id.index];
    }
    std::size_t size() const noexcept { return prefabs_.size(); }
    /// Memory use of all prefabs.
    std::size_t bytes() const noexcept { return bytes_; }

private:
    std::deque<Prefab> prefabs_;
    std::size_t bytes_ = 0;
    std::map<std::string, PrefabId, std::less<>> by_name_;
};

}  // namespace perigee
