// Descriptions of prefabs with inheritance, variants and children. The result is a Prefab for each.
//
// Invariant: the result is flat: each prefab has its own full list of values, and a list of parts (itself
// first, parents before children) from which rows are created. Descriptions of one call may refer to each
// other in any order. This file creates no entities; spawning a prefab spawns all its parts.
#pragma once

#include "ecs/schema/field_value.h"
#include "ecs/world/prefab.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace perigee {

class World;

/// Overrides one field of a component over the base or the schema's defaults.
struct PrefabField {
    ComponentId component;
    std::string field;
    FieldValue value;
};

/// Overrides some bytes of one component of the base, or of the schema's defaults. Files describe values so.
struct PrefabPatch {
    enum class Op : std::uint8_t {
        merge,    ///< the `written` bytes of `value`; all of it if the component is new
        replace,  ///< all of `value`; the only choice for buffers
        remove,   ///< removes the component of the base
    };
    struct Range {
        std::uint32_t offset;
        std::uint32_t size;
    };
    ComponentId component;
    Op op = Op::merge;
    std::vector<std::byte> value = {};  ///< as in PrefabComponent
    std::vector<Range> written = {};
    /// References in `value`, each with its offset. References of the base in the written bytes are dropped.
    std::vector<PrefabReference> references = {};
    std::optional<bool> is_enabled = std::nullopt;
    std::uint32_t place = 0;
};

/// The changes of a prefab to its base, or of a child to its prefab.
struct PrefabValues {
    std::vector<PrefabComponent> components;  ///< whole values: new, or replacing the base's
    std::vector<PrefabField> fields;          ///< of components that exist after `components` were added
    std::vector<ComponentId> removed;         ///< of the base
    std::vector<PrefabReference> references;
    std::vector<PrefabPatch> patches = {};  ///< applied last, in this order; no component twice
};

struct PrefabChild {
    std::string prefab;  ///< empty: changes the child of the base with this name
    std::string name;    ///< of the entity; may be empty
    PrefabValues values;
    std::vector<PrefabChild> children = {};  ///< after those of the prefab
    /// Without a prefab, if the base has no child of this name, a new child is added with only these values.
    bool may_be_new = false;
    std::uint32_t place = 0;
};

/// A variant is a prefab with a base and little else.
struct PrefabDesc {
    std::string name;
    std::string base;  ///< empty: none
    PrefabValues values;
    std::vector<PrefabChild> children;  ///< after those of the base
    std::uint32_t place = 0;
};

/// An error in a description. `place` is the number of the faulty part of the description; readers of files
/// number the places of a file.
struct PrefabMistake {
    std::uint32_t place;
    std::string message;
};

/// Maximum number of entities of one prefab.
inline constexpr std::size_t kMaxPrefabParts = 4096;
/// Maximum number of entities of all prefabs of one add_prefabs call.
inline constexpr std::size_t kMaxDescribedParts = 100'000;

/// Adds a prefab for each description. Returns their ids, in the order of `descs`.
/// Errors (all at once, one per line; nothing is added): a name in use; an unknown base, child or field; a
/// component that is named twice, is of a kind not allowed in prefabs, or is written by the engine only; a
/// missing component to remove or override; a reference to an unknown part; cycles of bases or children.
Result<std::vector<PrefabId>> add_prefabs(World& world, std::span<const PrefabDesc> descs);

inline constexpr std::size_t kAllPrefabMistakes = ~std::size_t{0};

/// The first `max_mistakes` errors of add_prefabs, without adding anything; `others` counts the rest.
std::vector<PrefabMistake> check_prefabs(World& world, std::span<const PrefabDesc> descs,
                                         std::size_t max_mistakes = kAllPrefabMistakes,
                                         std::size_t* others = nullptr);

}  // namespace perigee
