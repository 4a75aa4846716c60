// Prefabs that build on others: inheritance, variants, children; see Prefab for what becomes of them.
//
// Invariant: what comes out is flat: each prefab has its own full list of values, and a list of parts (itself
// first, parents before children) from which rows are made. Descriptions of one call may refer to each other
// in any order. It makes no entities; spawning a prefab brings all its parts along.
#pragma once

#include "ecs/field_value.h"
#include "ecs/prefab.h"

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

/// What one prefab says besides its base, and a child besides its prefab.
struct PrefabValues {
    std::vector<PrefabComponent> components;  ///< whole values: new ones, or instead of the base's
    std::vector<PrefabField> fields;          ///< of components that are there by then
    std::vector<ComponentId> removed;         ///< of the base
    std::vector<PrefabReference> references;
};

struct PrefabChild {
    std::string prefab;  ///< empty, with the name of a child of the base: changes that one
    std::string name;    ///< of the entity; may be empty
    PrefabValues values;
};

/// A variant is a prefab with a base and little else.
struct PrefabDesc {
    std::string name;
    std::string base;  ///< empty: none
    PrefabValues values;
    std::vector<PrefabChild> children;  ///< behind those of the base
};

/// Adds all of them. Returns their ids, in this order.
/// Errors, all at once, one per line, and then nothing was added: a name in use; an unknown base, child or
/// field; a component that is named twice, is of a kind that no prefab has, or is written by the engine
/// alone; one to remove or override that is not there; a reference to no part; loops of bases and children.
Result<std::vector<PrefabId>> add_prefabs(World& world, std::span<const PrefabDesc> descs);

}  // namespace perigee
