// Random operations of all kinds, with files that are written and loaded in any order, beside a naive model.
// A second world, which knows only the files, does the same operations after each and must stay the same.
#include "ecs/inspect/world_hash.h"
#include "ecs/save/save_file.h"
#include "tests/ecs/kinds_model.h"

#include <catch2/catch.hpp>

#include <deque>
#include <memory>
#include <random>
#include <string>
#include <utility>

namespace perigee {
namespace {

class Saving : public kinds_model::KindsTwins {
public:
    Saving(const WorldConfig& config, std::uint32_t seed)
        : KindsTwins(config, seed), config_(config), dice_(seed) {}

    void run(int operations) {
        for (int i = 1; i <= operations; ++i) {
            step();
            const std::uint32_t roll = dice_() % 100;
            if (roll < 2) save();
            if (roll == 2 && !kept_.empty()) load(kept_[dice_() % kept_.size()]);
            if (roll == 3) world.advance_change_version();
        }
        check();
    }

    std::size_t loaded = 0;

private:
    static constexpr int kRepeated = 20;

    struct Kept {
        std::string bytes;
        kinds_model::Model model;
        std::mt19937 random;
        std::uint64_t hash;
    };

    // Files have no objects.
    void save() {
        const ComponentId brain = world.id<Brain>();
        for (auto& [entity, components] : model.alive) {
            if (components.erase(brain) != 0) AGREE(world.remove(entity, brain));
        }
        Result<std::string> bytes = world_to_bytes(world);
        AGREE(bytes.ok());
        if (kept_.size() == 8) kept_.pop_front();
        kept_.push_back({std::move(bytes).value(), model, random, world_hash(world)});
    }

    void take(const Kept& kept) {
        AGREE(world_from_bytes(world, kept.bytes).ok());
        model = kept.model;
        random = kept.random;
        AGREE(world_hash(world) == kept.hash);
    }

    // Loaded and saved by a world that declares nothing.
    std::string through_stranger(const Kept& kept) const {
        World stranger(config_);
        LoadOptions options;
        options.keep_absent = [](const Schema&) { return true; };
        AGREE(world_from_bytes(stranger, kept.bytes, options).ok());
        AGREE(entities_hash(stranger) == entities_hash(world));
        return world_to_bytes(stranger).value();
    }

    void load(const Kept& kept) {
        take(kept);
        check();
        ++loaded;
        Saving other(config_, 1);
        other.take({through_stranger(kept), kept.model, kept.random, kept.hash});
        for (int i = 0; i < kRepeated; ++i) {
            step();
            other.step();
        }
        AGREE(world_hash(world) == world_hash(other.world));
        AGREE(model.alive.size() == other.model.alive.size());
        AGREE(world.spawn() == other.world.spawn());
        other.take(kept);
        take(kept);
        random.seed(dice_());
    }

    WorldConfig config_;
    std::mt19937 dice_;
    std::deque<Kept> kept_;
};

void run_all(int operations) {
    for (const std::uint32_t rows : {2u, 7u, 64u, 0u}) {
        Saving saving(rows == 0 ? WorldConfig{} : tiny_chunks(rows), 5 + rows);
        saving.run(operations / 4);
        CHECK(saving.loaded > 0);
    }
}

}  // namespace

TEST_CASE("random operations, saved files and loads agree with a naive model") { run_all(4'000); }

TEST_CASE("200,000 random operations, saved files and loads agree with a naive model", "[.][long]") {
    run_all(200'000);
}

}  // namespace perigee
