// The entity at a point of the picture, for tools: the one whose Position is nearest.
//
// Invariant: it reads the world alone, not what was drawn, so it also finds entities without a sprite. Not
// here: clicks of a game, which knows the sizes of its things.
#pragma once

#include "ecs/base/entity.h"

namespace perigee {

class World;

/// How far away an entity may be, in pixels of the screen.
inline constexpr float kEntityReach = 64.0F;

/// The nearest one to a point of the screen, seen by the camera of the world; null if none is within
/// kEntityReach, or the game has no Position with x and y. Units: logical pixels. Cost: reads all positions.
Entity entity_at(const World& world, float x, float y, float screen_width, float screen_height);

}  // namespace perigee
