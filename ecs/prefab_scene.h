// Scenes: entities made once from the same descriptions as prefabs, with references among all of them.
//
// Invariant: all of a scene comes to be or nothing; what is wrong with it is found before anything is made.
// Of the entities no prefab is kept. It reads no files; engine/entity_file.h does.
#pragma once

#include "ecs/entity.h"
#include "ecs/prefab_family.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace perigee {

class World;

/// The most entities of one scene.
inline constexpr std::size_t kMostSceneEntities = 100'000;

/// Entities of a scene are described like children of a prefab, and may be made of `prefabs` and of those of
/// the world. In their references a path that begins with '/' begins at the scene: "/ship/turret".
struct SceneDesc {
    std::vector<PrefabDesc> prefabs;
    std::vector<PrefabChild> entities;
    /// Of what is no entity but names some: paths from the scene on, such as "ship/turret".
    struct Path {
        std::string path;
        std::uint32_t place = 0;
    };
    std::vector<Path> paths = {};
};

struct SceneMade {
    std::vector<PrefabMistake> mistakes;  ///< if there are any, nothing was made
    std::vector<PrefabId> prefabs;
    std::vector<Entity> entities;  ///< in the order of the description, without those below
    std::vector<Entity> targets;   ///< of the paths
    std::size_t entity_count = 0;  ///< with those below
};

/// Structural. `only_check`: looks for mistakes and makes nothing.
/// Errors: those of add_prefabs; more entities than kMostSceneEntities; a world without room for them.
SceneMade add_scene(World& world, const SceneDesc& scene, bool only_check = false);

}  // namespace perigee
