// Scenes: entities created once from the same descriptions as prefabs, with references among all of them.
//
// Invariant: a scene is created completely or not at all; all errors are found before anything is created. No
// prefab of the entities is kept. It reads no files; engine/data/entity_file.h does.
#pragma once

#include "ecs/base/entity.h"
#include "ecs/prefab/prefab_desc.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace perigee {

class World;

/// Maximum number of entities of one scene.
inline constexpr std::size_t kMaxSceneEntities = 100'000;
/// Maximum number of mistakes of a scene with a message.
inline constexpr std::size_t kMaxSceneMistakes = 50;

/// Entities of a scene are described like children of a prefab, and may be instances of `prefabs` and of the
/// world's prefabs. In references, a path that begins with '/' starts at the scene: "/ship/turret".
struct SceneDesc {
    std::vector<PrefabDesc> prefabs;
    std::vector<PrefabChild> entities;
    /// A reference from outside the scene's entities: a path that starts at the scene, such as "ship/turret".
    struct Path {
        std::string path;
        std::uint32_t place = 0;
    };
    std::vector<Path> paths = {};
    std::size_t max_entities = kMaxSceneEntities;
};

struct SceneResult {
    std::vector<PrefabMistake> mistakes;  ///< if not empty, nothing was created
    std::size_t more_mistakes = 0;        ///< beyond kMaxSceneMistakes
    bool has_too_many = false;            ///< it has more than SceneDesc::max_entities
    std::vector<PrefabId> prefabs;
    std::vector<Entity> entities;  ///< in the order of the description, without descendants
    std::vector<Entity> targets;   ///< of the paths
    std::size_t entity_count = 0;  ///< including descendants
};

/// Structural. `only_check`: checks for errors and creates nothing.
/// Errors: those of add_prefabs; more entities than max_entities; a world without room for them.
SceneResult add_scene(World& world, const SceneDesc& scene, bool only_check = false);

}  // namespace perigee
