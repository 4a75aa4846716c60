// Another schema for a type of a living world: the rows of all archetypes that have it are made again in one
// go, and so is everything else that knows how its values look.
//
// Invariant: all of the changes happen or none, also when memory is exhausted; entities keep their ids, and
// rows their order. Fields are carried over by name; what is new gets its default. Nothing is lost by
// accident: without a higher `version` and without a migrate function, a change that would lose the value of
// a living row is refused with a list of the fields. With one of them, numbers are moved to the nearest that
// the new type holds, and what has no place goes.
//
// Never possible: another kind of the type; another layout of what C++ or a plugin works on; another row of
// blobs that exist, since they never change. Queries follow; one that is ordered by a field that goes has no
// order any more. `requires` counts for what is added from now on.
// Not here: which schemas changed, and functions of a script (scripting/).
#pragma once

#include "ecs/registry.h"
#include "ecs/result.h"

#include <cstddef>
#include <functional>
#include <vector>

namespace perigee {

class World;

/// Corrects one value after its fields were carried over by name: `now` holds them, and defaults. For a
/// buffer it is called for each element, for shared values once for each. Errors: the change is refused with
/// the message.
using MigrateValue = std::function<Result<void>(const ComponentInfo& from, const std::byte* before,
                                                const ComponentInfo& to, std::byte* now)>;

struct SchemaEdit {
    Schema schema;  ///< its name says whose it is
    MigrateValue migrate = {};
};

struct SchemaChanges {
    std::size_t types = 0;       ///< whose values were made again
    std::size_t archetypes = 0;  ///< whose rows were
    std::size_t rows = 0;
};

/// Gives types their new schemas. One that only differs in words (docs, units, ranges, owner) costs nothing.
/// Errors: all that stands against it, a line each; then nothing has changed.
/// Throws std::bad_alloc, and then nothing changed either.
/// Expects: the names are declared, none twice; the world is not locked; no command and no event is pending.
/// Cost: a copy of all rows of the archetypes that have one of the types; both copies exist for a moment.
Result<SchemaChanges> change_schemas(World& world, std::vector<SchemaEdit> edits);

/// Somebody works on the values without World::bind, like a plugin: from now on their layout stays.
void fix_layout(World& world, ComponentId component);

}  // namespace perigee
