// Names of entities, and finding entities by name or by the path of names above them.
//
// Invariant: the index of names contains exactly the living entities with a Name; several may share a name.
// Only set_name writes the component; clones do not copy it.
#pragma once

#include "ecs/base/entity.h"
#include "ecs/base/result.h"
#include "ecs/schema/field_type.h"

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
/// Errors: "Name" is already used for something else.
Result<void> declare_names(World& world);

/// Checks a name for an entity. Errors: it contains '/', which separates the names of a path, or a control
/// character.
Result<void> check_name(std::string_view name);

/// Sets the entity's name; "" removes it. Structural.
/// Errors (nothing changes): the entity is not alive; check_name fails; the world has no room for the text or
/// the component.
Result<void> set_name(World& world, Entity entity, std::string_view name);

/// "" when it has none. Lifetime: the text's, see TextPool.
std::string_view name_of(const World& world, Entity entity) noexcept;

/// The entity with this name; the one with the lowest index if there are several; null if there is none. The
/// path "ship/turret" finds an entity named turret whose parent is named ship.
/// Cost: one look-up; with a path, one step for each entity with the last name.
Entity find_named(const World& world, std::string_view path) noexcept;

namespace internal {
/// Adds rows created with a Name to the index, once it is certain that they stay.
class NewNames {
public:
    void prepare(TextHandle text, Entity entity) { entries_.insert({text.index, entity}); }
    void add_to_index(World& world) noexcept;

private:
    std::set<std::pair<std::uint32_t, Entity>> entries_;
};
}  // namespace internal

}  // namespace perigee
