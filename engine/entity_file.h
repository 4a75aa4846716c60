// Files of data: JSON that describes prefabs, entities and resources, and worlds written back as such files.
//
//     { "prefabs":   [ { "name": "Zombie", "components": { "Health": { "current": 40 } } } ],
//       "entities":  [ { "name": "boss", "prefab": "Zombie", "components": { "Path": [ { "x": 1 } ] } } ],
//       "resources": { "Wave": { "number": 3 } } }
//
// Invariant: a file is loaded as a whole or not at all; every mistake of it is told at once, each with its
// place. Files name things by name, never by number. It opens no files; whoever calls it reads and writes
// the bytes. The format is described in docs/data-files.md.
#pragma once

#include "ecs/entity.h"
#include "ecs/prefab.h"
#include "ecs/result.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perigee {

class World;

inline constexpr std::size_t kMostEntityFileBytes = std::size_t{16} << 20;
inline constexpr std::size_t kMostEntityFileMistakes = 50;  ///< that are told

/// What names in a file mean. Without the functions a field of type asset can only be "".
struct EntityFileContext {
    std::string mod;  ///< "Zombie" is "mod:Zombie", where there is one; empty: as it stands
    std::function<Result<std::uint32_t>(std::string_view path)> asset_of;
    std::function<std::string(std::uint32_t handle)> path_of_asset;
};

struct LoadedEntities {
    std::vector<PrefabId> prefabs;  ///< in the order of the file
    std::vector<Entity> entities;   ///< the same, without those below others
    std::size_t entity_count = 0;   ///< with those below
};

/// Loads the text of a file; `name` is what messages call it. Structural.
/// Errors, one per line, "data/x.json: entities[3].components.Health.current: expected i32, got string", and
/// then nothing has changed.
Result<LoadedEntities> load_entities(World& world, std::string_view text, std::string_view name,
                                     const EntityFileContext& context = {});
/// The same, of a file that has nothing but prefabs.
Result<LoadedEntities> load_prefabs(World& world, std::string_view text, std::string_view name,
                                    const EntityFileContext& context = {});

/// The text of a file from which load_entities makes the same entities again: all of the world, in the order
/// of their ids, with its resources; or `roots` with all below them.
/// Left out: cleanup components, what objects and blobs refer to, ids, references to entities outside.
/// Errors: a text that is no UTF-8, which JSON cannot hold.
Result<std::string> write_entities(const World& world, const EntityFileContext& context = {});
Result<std::string> write_entities(const World& world, std::span<const Entity> roots,
                                   const EntityFileContext& context = {});

}  // namespace perigee
