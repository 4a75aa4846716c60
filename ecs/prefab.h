// Prefabs: named sets of components with values, from which entities are made one by one or in bulk.
//
// Invariant: a prefab is immutable once added; its archetype is resolved then. What it inherited is already
// in its own list (prefab_family.h does that). One with children has parts: itself and all below, each with a
// prefab of its own, from which whole families are made at once.
#pragma once

#include "ecs/component.h"
#include "ecs/contract.h"
#include "ecs/result.h"
#include "ecs/shared_store.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perigee {

class Archetype;
class ChunkView;
struct Schema;

/// Fills the new rows of one chunk when entities are made in bulk: rows first .. last - 1 of `chunk` are new
/// and hold their prefab's values. Term i of the view is the i-th component of the archetype. Returns false
/// when it failed; then the whole batch is destroyed before anyone sees it.
using SpawnInitializer = std::function<bool(ChunkView& chunk, std::uint32_t first, std::uint32_t last)>;

struct PrefabId {
    std::uint32_t index = 0xFFFFFFFF;
    constexpr auto operator<=>(const PrefabId&) const noexcept = default;
};

/// One component of a prefab; an empty value means the schema's defaults.
struct PrefabComponent {
    ComponentId component;
    /// The row's bytes, or empty. Of a buffer: its elements one after the other, none when empty.
    std::vector<std::byte> value;
    bool is_enabled = true;  ///< false, for enableable kinds: new rows have it switched off
};

/// An entity field that is to name another part of the same family.
struct PrefabReference {
    ComponentId component;
    std::string field;
    std::string
        part;  ///< path of names from the part that has the field: "turret/barrel", "..", "" is itself
    /// Of the entity field in the value, in bytes (of a buffer: from its first element), where `field` alone
    /// does not say it.
    std::optional<std::uint32_t> offset = std::nullopt;
    std::uint32_t place = 0;  ///< see PrefabMistake
};

/// One entity of a family.
struct PrefabPart {
    PrefabId image;            ///< whose row it gets; of part 0: the prefab itself, not valid here
    std::uint32_t parent = 0;  ///< number of a part before it
    std::string name;          ///< may be empty

    struct Link {
        ComponentId component;
        std::uint32_t offset;  ///< of an entity field, in bytes; of a buffer: from its first element
        std::uint32_t part;    ///< whom it names
    };
    std::vector<Link> links;
};

struct Prefab {
    std::string name;
    std::vector<PrefabComponent> components;       ///< sorted by component id, no duplicates
    std::vector<PrefabReference> references = {};  ///< as they were declared, for those that inherit
    std::vector<PrefabPart> parts = {};            ///< empty without children and references
    Archetype* archetype = nullptr;                ///< set by the world
    std::vector<std::byte> image;                  ///< of a row of the archetype; set by the world
    std::vector<SharedIndex> shared;  ///< of its shared components, counted for good; set by the world
    /// What the image cannot say of a new row: buffers too long for the chunk, components switched off. Set
    /// by the world: numbers of `components`.
    std::vector<std::uint32_t> extras = {};
};

/// May a PrefabComponent of this type have a value of so many bytes? 0 is fine for all, nothing else for
/// tags and objects; buffers take whole elements.
bool is_prefab_value(const Schema& schema, std::size_t bytes) noexcept;
/// Why not, as a message.
std::string wrong_prefab_value(std::string_view prefab, const Schema& schema, std::size_t bytes);

class PrefabStore {
public:
    /// Errors: a name in use; the quota of the thread used up. Components are sorted here. Expects: no
    /// component twice (World::add_prefab checks).
    Result<PrefabId> add(Prefab prefab);
    /// Takes the one back that was added last. Expects: nobody has used it.
    void remove_last() noexcept;
    std::optional<PrefabId> find(std::string_view name) const noexcept;
    /// Each is what the other one was, names apart. What was made from them stays as it is.
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
    /// Of all of them.
    std::size_t bytes() const noexcept { return bytes_; }

private:
    std::deque<Prefab> prefabs_;
    std::size_t bytes_ = 0;
    std::map<std::string, PrefabId, std::less<>> by_name_;
};

}  // namespace perigee
