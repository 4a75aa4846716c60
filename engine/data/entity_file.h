// Data files: JSON that describes prefabs, entities and resources; worlds can be written as such files.
//
//     { "prefabs":   [ { "name": "Zombie", "components": { "Health": { "current": 40 } } } ],
//       "entities":  [ { "name": "boss", "prefab": "Zombie", "components": { "Path": [ { "x": 1 } ] } } ],
//       "resources": { "Wave": { "number": 3 } } }
//
// Invariant: a file is loaded completely or not at all; all errors are reported at once, each with its place.
// Files refer to things by name, never by number. It opens no files; the caller reads and writes the bytes.
// The format is described in docs/data-files.md.
#pragma once

#include "ecs/base/entity.h"
#include "ecs/base/result.h"
#include "ecs/world/prefab.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perigee {

class World;

inline constexpr std::size_t kMaxEntityFileBytes = std::size_t{16} << 20;
inline constexpr std::size_t kMaxEntityFileMistakes = 50;  ///< reported
/// Limit for the values that a file describes: a few words can mean a large component.
inline constexpr std::size_t kMaxEntityFileValueBytes = std::size_t{128} << 20;

/// Resolves names in a file. Without the functions a field of type asset can only be "".
struct EntityFileContext {
    std::string mod;  ///< "Zombie" means "mod:Zombie" if it exists; empty: names are used unchanged
    std::function<Result<std::uint32_t>(std::string_view path)> asset_of;
    std::function<std::string(std::uint32_t handle)> path_of_asset;
    /// Steps of about 10 ns that loading may use; what it uses is taken from it, also by files with errors.
    /// Null: any number. The steps depend only on the file and the world.
    double* work = nullptr;
};

struct LoadedEntities {
    std::vector<PrefabId> prefabs;  ///< in the order of the file
    std::vector<Entity> entities;   ///< in the order of the file, without descendants
    std::size_t entity_count = 0;   ///< including descendants
};

/// Loads the text of a file; `name` is its name in messages. Structural.
/// Errors, one per line, "data/x.json: entities[3].components.Health.current: expected i32, got string", and
/// nothing changes.
Result<LoadedEntities> load_entities(World& world, std::string_view text, std::string_view name,
                                     const EntityFileContext& context = {});
/// The same, for a file with only prefabs.
Result<LoadedEntities> load_prefabs(World& world, std::string_view text, std::string_view name,
                                    const EntityFileContext& context = {});

/// The text of a file from which load_entities recreates the same entities: all entities of the world, in id
/// order, with its resources; or `roots` with their descendants.
/// Left out: cleanup components, contents of objects and blobs, ids, references to entities outside. Errors:
/// a text that is not UTF-8, which JSON cannot represent.
Result<std::string> write_entities(const World& world, const EntityFileContext& context = {});
Result<std::string> write_entities(const World& world, std::span<const Entity> roots,
                                   const EntityFileContext& context = {});

}  // namespace perigee
