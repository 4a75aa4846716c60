// Prefabs that build on others: inheritance, variants, children; see Prefab for what becomes of them.
//
// Invariant: what comes out is flat: each prefab has its own full list of values, and a list of parts (itself
// first, parents before children) from which rows are made. Descriptions of one call may refer to each other
// in any order. It makes no entities; spawning a prefab brings all its parts along.
#pragma once

#include "ecs/field_value.h"
#include "ecs/prefab.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace perigee {

class World;

/// One field of a component, over what the base or the schema's defaults say.
struct PrefabField {
    ComponentId component;
    std::string field;
    FieldValue value;
};

/// Some bytes of one component, over what the base or the schema's defaults say: how files describe values.
struct PrefabPatch {
    enum class Op : std::uint8_t {
        merge,    ///< the `written` bytes of `value`; all of it where the component is new
        replace,  ///< all of `value`, whatever was there; for buffers the only way
        remove,   ///< takes the component of the base away
    };
    struct Range {
        std::uint32_t offset;
        std::uint32_t size;
    };
    ComponentId component;
    Op op = Op::merge;
    std::vector<std::byte> value = {};  ///< as in PrefabComponent
    std::vector<Range> written = {};
    /// In `value`, each with its offset; those of the base that stood in the written bytes are gone.
    std::vector<PrefabReference> references = {};
    std::optional<bool> is_enabled = std::nullopt;
    std::uint32_t place = 0;
};

/// What one prefab says besides its base, and a child besides its prefab.
struct PrefabValues {
    std::vector<PrefabComponent> components;  ///< whole values: new ones, or instead of the base's
    std::vector<PrefabField> fields;          ///< of components that are there by then
    std::vector<ComponentId> removed;         ///< of the base
    std::vector<PrefabReference> references;
    std::vector<PrefabPatch> patches = {};  ///< last, in this order; no component twice
};

struct PrefabChild {
    std::string prefab;  ///< empty, with the name of a child of the base: changes that one
    std::string name;    ///< of the entity; may be empty
    PrefabValues values;
    std::vector<PrefabChild> children = {};  ///< behind those of the prefab
    /// Without a prefab, and where the base has no child of the name: a new one, which has only its values.
    bool may_be_new = false;
    std::uint32_t place = 0;
};

/// A variant is a prefab with a base and little else.
struct PrefabDesc {
    std::string name;
    std::string base;  ///< empty: none
    PrefabValues values;
    std::vector<PrefabChild> children;  ///< behind those of the base
    std::uint32_t place = 0;
};

/// What is wrong with a description. `place` is that of the part of the description that it is about, for
/// readers of files, which number the places of a file.
struct PrefabMistake {
    std::uint32_t place;
    std::string message;
};

/// The most entities of one prefab.
inline constexpr std::size_t kMostPrefabParts = 4096;

/// Adds all of them. Returns their ids, in this order.
/// Errors, all at once, one per line, and then nothing was added: a name in use; an unknown base, child or
/// field; a component that is named twice, is of a kind that no prefab has, or is written by the engine
/// alone; one to remove or override that is not there; a reference to no part; loops of bases and children.
Result<std::vector<PrefabId>> add_prefabs(World& world, std::span<const PrefabDesc> descs);

/// What add_prefabs would say; nothing is added either way.
std::vector<PrefabMistake> check_prefabs(World& world, std::span<const PrefabDesc> descs);

}  // namespace perigee
