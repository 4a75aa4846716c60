// Names of entities, and finding entities by name or by the path of names above them.
//
// Invariant: the index of names knows exactly the living entities that have a Name; several may have the same
// one. Only set_name writes the component; it is no part of a clone.
#pragma once

#include "ecs/entity.h"
#include "ecs/field_type.h"
#include "ecs/result.h"

#include <cstdint>
#include <set>
#include <string_view>
#include <utility>

namespace perigee {

class World;

struct Name {
    TextHandle text;
    bool operator==(const Name&) const = default;
};

/// Declares and binds the component; set_name does it on first use.
/// Errors: "Name" stands for something else.
Result<void> declare_names(World& world);

/// May an entity be called so? Errors: it contains '/', which separates the names of a path, or a control
/// character.
Result<void> check_name(std::string_view name);

/// Gives the entity a name; "" takes it away. Structural.
/// Errors, and nothing changes: the entity is not alive; check_name; the world has no room for the text or
/// the component.
Result<void> set_name(World& world, Entity entity, std::string_view name);

/// "" when it has none. Lifetime: the text's, see TextPool.
std::string_view name_of(const World& world, Entity entity) noexcept;

/// The entity with this name, the one with the lowest index when there are several; null when there is none.
/// A path "ship/turret" asks for a turret whose parent is named ship.
/// Cost: a look-up; with a path a step for each entity that has the last name.
Entity find_named(const World& world, std::string_view path) noexcept;

namespace internal {
/// For rows that came with a Name: takes them into the index, once it is sure that they stay.
class NewNames {
public:
    void prepare(TextHandle text, Entity entity) { entries_.insert({text.index, entity}); }
    void note(World& world) noexcept;

private:
    std::set<std::pair<std::uint32_t, Entity>> entries_;
};
}  // namespace internal

}  // namespace perigee
