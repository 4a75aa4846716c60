// Changes the schema of a type in a living world: the rows of all archetypes with the type are rebuilt in one
// step, with everything else that depends on the layout of its values.
//
// Invariant: all changes happen or none, even when memory is exhausted. Entities keep their ids, and rows
// their order. Fields are carried over by name; new fields get their defaults. No data is lost by accident:
// without a higher `version` or a migrate function, a change that would lose a value of a living row is
// refused with a list of the fields. With either of them, numbers are clamped to the range of the new type,
// and values without a new field are dropped.
//
// Presentation data that becomes data of the simulation (Schema::presentation) starts with its defaults.
//
// Rows of blobs are converted too, and their handles stay. Never possible: changing the kind; changing the
// layout of a type that C++ or a plugin uses; changing whether existing blobs are arrays or structs. Queries
// are updated; a query ordered by a removed field loses its order. `requires` applies to components added
// from now on. Not here: detecting changed schemas, and script functions (scripting/).
#pragma once

#include "ecs/base/result.h"
#include "ecs/schema/registry.h"

#include <cstddef>
#include <functional>
#include <vector>

namespace perigee {

class World;

/// Corrects one value after its fields were carried over by name: `now` contains them and the defaults.
/// Called for each element of a buffer, and once for each shared value. Errors: the change is refused with
/// the message.
using MigrateValue = std::function<Result<void>(const ComponentInfo& from, const std::byte* before,
                                                const ComponentInfo& to, std::byte* now)>;

struct SchemaEdit {
    Schema schema;  ///< its name identifies the type
    MigrateValue migrate = {};
};

struct SchemaChanges {
    std::size_t types = 0;       ///< whose values were rebuilt
    std::size_t archetypes = 0;  ///< whose rows were rebuilt
    std::size_t rows = 0;
};

/// Gives types their new schemas. A schema that differs only in metadata (docs, units, ranges, owner) costs
/// nothing. Errors: all reasons against the change, one per line; then nothing has changed.
/// Throws std::bad_alloc, also without a change.
/// Expects: the names are declared, each given once; the world is not locked; no command and no event is
/// pending. Cost: a copy of all rows of the archetypes with one of the types; both copies exist at the same
/// time for a moment.
Result<SchemaChanges> change_schemas(World& world, std::vector<SchemaEdit> edits);

/// Fixes the layout of a type from now on, for code that accesses its values without World::bind, such as a
/// plugin.
void fix_layout(World& world, ComponentId component);

}  // namespace perigee
