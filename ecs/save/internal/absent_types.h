// Types that a saved world has and the loading world does not, as those of a mod that was removed.
//
// Invariant: such a type is declared as it is in the file, so its values are rows like all others: they stay
// with their entities, are saved again, and are there for the mod when it comes back. Its objects are the
// bytes of the file, which no code reads. Not here: types that a game declares while it runs (save_file.cpp).
#pragma once

#include "ecs/base/result.h"
#include "ecs/save/internal/world_reader.h"

#include <functional>

namespace perigee {

class World;
struct Schema;

namespace internal {

/// Declares those types with values that the world does not have and `keep` wants, and the types that they
/// refer to. Errors: a type that cannot be declared. Throws std::bad_alloc.
Result<void> declare_absent_types(World& world, const SavedHead& head,
                                  const std::function<bool(const Schema&)>& keep);

}  // namespace internal
}  // namespace perigee
