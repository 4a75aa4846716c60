// Players made of code: they see the world of a running Perigee Swarm and press keys, as a human would.
//
// Invariant: a bot's actions depend only on the world it sees and its own seed, and change the world only
// through input. The good one flees from what is near and walks to crystals; the careless ones do not look.
#pragma once

#include "ecs/base/random.h"
#include "engine/engine.h"
#include "game/swarm/components.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace perigee::swarm {

/// The phases of scripts/games/swarm/phases.lua.
enum class Phase : std::uint8_t { title = 1, playing, choosing, paused, over, won, dying };

/// The number in a field of a resource that C++ has no struct for. Expects: both exist.
double resource_number(World& world, std::string_view resource, std::string_view field);
Phase phase_of(World& world);
/// True if the screen shows the result.
inline bool is_end(Phase phase) { return phase == Phase::over || phase == Phase::won; }

class Bot {
public:
    enum class Kind { good, idle, random_walk };

    explicit Bot(Kind kind, std::uint64_t seed = 1) : kind_(kind), random_(seed) {}

    /// The input for the next step.
    RawInput decide(Engine& engine);

private:
    struct Threat {
        float x, y, vx, vy, reach, weight;
    };
    struct Treat {
        float x, y, value;
    };

    void look(World& world);
    double cost(float x, float y, float dx, float dy, float speed) const;
    void walk_well(World& world);
    void walk_anywhere();
    void choose(World& world);
    void hold(InputCode code, bool is_down, RawInput& raw);
    int wanted_card(World& world) const;

    Kind kind_;
    Random random_;
    std::uint64_t step_ = 0;
    std::vector<Threat> threats_;
    std::vector<Treat> treats_;
    int walk_x_ = 0, walk_y_ = 0;
    InputCode tap_ = InputCode::count;
    std::array<bool, kInputCodeCount> pressed_{};
};

/// The demo game with its native systems.
EngineConfig swarm_config(std::uint64_t seed);

/// An engine on the demo game, headless. `record_file` may be empty.
std::unique_ptr<Engine> start_swarm(std::uint64_t seed, const std::string& record_file = {},
                                    LogSink log = {});

}  // namespace perigee::swarm
