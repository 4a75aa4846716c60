// The cost of rewinding: a step of the demo with 10,000 enemies whose steps are kept. Baseline: the same step
// of a second session, which keeps none.
//
// Both sessions get the same input, so they do the same work. The time of a step includes what the ring costs
// it afterwards: caches that hold copies, and the release of the oldest step once the ring is full. In this
// world each fourth step is kept, so eight are measured together.
// Everything runs on one thread.
#include "bench/support/harness.h"
#include "ecs/world/world.h"
#include "engine/input/input.h"
#include "engine/plugin/native_systems.h"
#include "engine/session/game_session.h"
#include "engine/session/rewind.h"
#include "game/swarm/components.h"
#include "game/swarm/swarm.h"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <utility>

namespace perigee::bench {
namespace {

constexpr std::uint32_t kEnemies = 10'000;
constexpr int kStepsBefore = 1000;
constexpr std::uint64_t kLastStep = 7000;
constexpr std::size_t kSteps = 8;                           // measured together
constexpr std::size_t kRingBytes = std::size_t{256} << 20;  // as perigee run has it

// The demo in its crowd mode.
class Crowd {
public:
    explicit Crowd(bool is_kept) {
        native_.add("swarm", swarm::add_systems);
        GameSessionConfig config;
        config.game = PERIGEE_SOURCE_DIR "/scripts/games/swarm";
        config.native = &native_;
        config.puts_off_by_clock = false;
        config.seed = 1;
        session_ = GameSession::start(std::move(config)).value();
        for (int i = 0; i < 30; ++i) session_->step(collector_.take_step(session_->actions()));
        RawInput key;
        key.events.push_back({InputCode::key_t, 1.0F});
        key.events.push_back({InputCode::key_t, 0.0F});
        collector_.feed(key, session_->actions());
        if (is_kept) rewind_.follow(*session_).value();
        // Until the ring is full, and its memory is used again.
        const std::uint64_t first = session_->tick();
        for (int i = 0; i < kStepsBefore; ++i) step();
        if (most_ >= kEnemies && (!is_kept || rewind_.oldest() > first)) return;
        std::fprintf(stderr, "bench: the demo has %u enemies, or the ring is not full\n", most_);
        std::abort();
    }

    void step() {
        session_->step(collector_.take_step(session_->actions()));
        rewind_.keep().value();
        // Bombs kill many at once, who return within seconds. The crowd is there for two minutes.
        const std::uint32_t enemies = session_->world().resource<swarm::Senses>().enemies;
        if (session_->error_count() == 0 && session_->tick() < kLastStep) {
            most_ = std::max(most_, enemies);
            return;
        }
        std::fprintf(stderr, "bench: the demo has no crowd any more, or errors\n");
        std::abort();
    }

private:
    NativeSystems native_;
    std::unique_ptr<GameSession> session_;
    InputCollector collector_;
    Rewind rewind_{kRingBytes};
    std::uint32_t most_ = 0;  ///< enemies at a time
};

Sample steps(bool is_kept) {
    const auto crowd = std::make_shared<Crowd>(is_kept);
    return [=](Effort effort) {
        effort.batches = std::min<std::size_t>(effort.batches, 5);  // the demo changes, so turns are short
        return time_loop(effort, kSteps * kEnemies, [&] {
            for (std::size_t i = 0; i < kSteps; ++i) crowd->step();
        });
    };
}

}  // namespace

std::vector<Case> rewind_cases() {
    return {{"step of the demo, kept to go back to", kEnemies, "lua", "the same step, not kept", [] {
                 return Sides{steps(true), steps(false)};
             }}};
}

}  // namespace perigee::bench
