// A world in one file, and back: for saved games, and for moving a running world to another process.
//
//     save_world(world, "slot1.world", {.schedule = &schedule}).value();
//     …                                       // another run of the game, perhaps a newer version of it
//     load_world(world, "slot1.world", {.schedule = &schedule}).value();
//
// A file contains what a snapshot contains (world_snapshot.h), the declarations of all types, and, if a
// schedule is given, the state of its systems with their random streams (ecs/schedule/schedule_state.h).
// Objects are in it if their component has functions for that (ObjectCopies::write). Presentation data
// (Schema::presentation) has the defaults of its schema in a loaded world.
//
// Invariant: a world that was loaded has the world hash of the one that was saved, gives out the same ids and
// visits rows in the same order. Types are found by name, systems too; texts and blobs by content. A type
// that was declared otherwise when the file was written is migrated by the rules of hot reload
// (ecs/migrate/schema_change.h). Whatever the bytes are, loading ends with a loaded world or with an error
// and the world as it was. Not here: data that a script keeps for its player (engine/save/player_data.h).
#pragma once

#include "ecs/base/result.h"
#include "ecs/migrate/schema_change.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace perigee {

class Schedule;
class World;

/// What the values of `asset` fields are called. Without names a file keeps their numbers.
struct SavedAssets {
    std::function<std::string(std::uint32_t handle)> name_of = {};  ///< empty: the number is kept
    std::function<Result<std::uint32_t>(std::string_view name)> handle_of = {};
};

struct SaveOptions {
    const Schedule* schedule = nullptr;  ///< null: the file has no state of systems
    SavedAssets assets = {};
};

struct LoadOptions {
    /// Continues with the state in the file. A system that the file does not know starts as if it were new.
    Schedule* schedule = nullptr;
    SavedAssets assets = {};
    /// The migrate function of a type whose declaration has changed; empty if it has none. `before`: as it is
    /// in the file. `saved`: a world with the contents of the file, to which texts and blobs of the values
    /// belong; it exists as long as the function.
    std::function<MigrateValue(const Schema& before, const ComponentInfo& now, World& saved)> migrate = {};
    /// Asked for each type with values that the world does not declare, as those of a mod that was removed.
    /// True: it is declared as in the file, and its values stay in the world and in its saves. False, or no
    /// function: it is an error.
    std::function<bool(const Schema& absent)> keep_absent = {};
    /// Limit for the unpacked contents and for the rows of the world, each.
    std::size_t max_bytes = std::size_t{4} << 30;
};

/// The world as the bytes of a file. Errors: an object that cannot be in a file; more than 4 GiB in one of
/// its parts. Throws std::bad_alloc. Expects: the world is not locked, no group runs. Cost: a snapshot, and
/// about 10 ns for each value.
Result<std::string> world_to_bytes(World& world, const SaveOptions& options = {});

/// The same into a file, which is complete or as it was before. Errors: also those of the file system.
Result<void> save_world(World& world, const std::filesystem::path& file, const SaveOptions& options = {});

/// Makes the world what it was when the bytes were made. Addresses, views and buffer handles become stale.
/// Types that the game declares while it runs (Schedule::at_step_end) are declared as in the file.
/// Errors, with nothing changed but these types: no file of this kind, or of a newer version; damaged
/// bytes; a type with values that this world does not declare, unless LoadOptions::keep_absent keeps it;
/// objects of a component that cannot read them; a change of schema that would lose values; no memory; a
/// world that is too large, or has chunks of another shape. Expects: the world is not locked, no group runs,
/// no command is pending.
Result<void> world_from_bytes(World& world, std::string_view bytes, const LoadOptions& options = {});

/// The same from a file.
Result<void> load_world(World& world, const std::filesystem::path& file, const LoadOptions& options = {});

}  // namespace perigee
