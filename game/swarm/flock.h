// "flock": steers each creature and keeps it apart from its neighbours.
//
// Invariant: a creature checks at most kMaxCandidates others, so a step is O(n) even when all are at one
// point; the result depends on the order of rows alone. It reads positions and writes velocities only. Source
// of the rules: C. Reynolds, "Flocks, Herds, and Schools" (1987), separation and alignment, with a common
// goal in place of cohesion.
#pragma once

#include "ecs/base/result.h"
#include "game/swarm/components.h"
#include "game/swarm/grid.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace perigee {
class Query;
class World;
struct SystemContext;
}  // namespace perigee

namespace perigee::swarm {

inline constexpr float kCellSize = 24.0F;  ///< px; about two of the common creatures side by side

class FlockSystem {
public:
    static constexpr std::size_t kMaxCandidatesPerRow = 12;  ///< of cells; three rows are usual

    /// Expects: bind_components succeeded.
    explicit FlockSystem(World& world);
    Result<void> run(SystemContext& context);

private:
    struct Surroundings {
        float push_x = 0, push_y = 0;          ///< away from overlapping neighbours, 1 = fully overlapping
        float velocity_x = 0, velocity_y = 0;  ///< sum over the neighbours
        std::uint32_t neighbours = 0;
    };

    void fill_grid(World& world);
    Surroundings look_around(std::uint32_t self, Position at, float radius, bool aligns) const;

    Query* creatures_;  ///< terms: Position, Body, Flock, Velocity (write)
    Grid grid_;
    std::vector<Velocity> velocities_;  ///< at the start of the step, by disc index
};

}  // namespace perigee::swarm
