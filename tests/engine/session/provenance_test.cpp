// Provenance against the log that the writing systems keep themselves.
#include "engine/session/provenance.h"

#include "ecs/inspect/world_digest.h"
#include "ecs/schema/text_pool.h"
#include "ecs/storage/resource_store.h"
#include "tests/engine/game_folder.h"

#include <bit>
#include <cstring>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using namespace perigee;
using namespace perigee::test;

namespace {

constexpr char kSchema[] = R"lua(
local ecs = require "ecs"
ecs.component("Health", { { "current", "i32" }, { "max", "i32" }, { "at", "vec2" } })
ecs.component("Mood", { kind = "enableable", { "name", "text" }, { "code", "string(12)" } })
ecs.component("Seen", { kind = "tag" })
ecs.resource("Match", { { "coins", "u32" } })
)lua";

// What happened to a field: the step, the system, and the value afterwards.
struct Logged {
    std::uint64_t step;
    std::string system;
    ValueWrite::Kind kind;
    ValueWrite::By by;
    std::uint64_t before, after;
    bool operator==(const Logged&) const = default;
};
using ValuePlace = std::tuple<std::uint64_t, std::string, std::uint16_t>;  // entity, component, field
using Log = std::map<ValuePlace, std::vector<Logged>>;

constexpr std::uint16_t kCurrent = kFirstLeafField, kMax = kFirstLeafField + 1, kX = kFirstLeafField + 2;

// Systems that write random fields of random entities, some at the same time, and one that spawns, destroys,
// adds and removes. Each keeps a log.
class Stage {
public:
    explicit Stage(unsigned seed) : random_(seed), game_("require('ecs')", kSchema) {
        const EngineConfig config = game_.config();
        auto started = GameSession::start(GameSessionConfig{static_cast<const GameConfig&>(config)});
        REQUIRE(started);
        session = std::move(started).value();
        REQUIRE(session->has_loaded());
        health_ = *world().registry().find("Health");
        mood_ = *world().registry().find("Mood");
        match_ = *world().registry().find("Match");
        for (int i = 0; i < 20; ++i) {
            entities_.push_back(world().spawn());
            world().add(entities_.back(), health_);
            if (i % 2 == 0) world().add(entities_.back(), mood_);
        }
        add_writer("a writes current", {health_}, kCurrent, 0);
        add_writer("b writes the place", {}, kX, 8);  // undeclared: it runs alone
        add_writer("c writes max", {health_}, kMax, 4);
        add("d talks", {{}, {mood_}}, [this](SystemContext&) { talk(); });
        add("e counts", {{}, {match_}}, [this](SystemContext&) { count(); });
        add("f commands", {{health_, mood_}, {}}, [this](SystemContext& context) { command(context); });
        SystemDesc exclusive;
        exclusive.name = "g is exclusive";
        exclusive.is_exclusive = true;
        exclusive.run = [this](SystemContext& context) -> Result<void> {
            if (random_() % 3 == 0) change_at_once(context.world);
            return {};
        };
        REQUIRE(session->schedule().add(std::move(exclusive)));
    }

    void step(const std::vector<Provenance*>& followers) {
        for (Provenance* const follower : followers) follower->begin_step();
        session->step(InputCollector().take_step(session->actions()));
        for (Provenance* const follower : followers) follower->end_step();
        ++steps;
    }

    // A write by no system, between two steps.
    void write_outside() {
        const Entity entity = any();
        write(entity, kCurrent, 0, "", ValueWrite::By::outside, steps);
    }

    World& world() { return session->world(); }

    std::unique_ptr<GameSession> session;
    Log log;
    std::uint64_t steps = 0;

private:
    void add(const std::string& name, AccessDesc access, std::function<void(SystemContext&)> run) {
        SystemDesc desc;
        desc.name = name;
        desc.access = std::move(access);
        desc.run = [run = std::move(run)](SystemContext& context) -> Result<void> {
            run(context);
            return {};
        };
        REQUIRE(session->schedule().add(std::move(desc)));
    }

    void add_writer(const std::string& name, std::vector<ComponentId> written, std::uint16_t field,
                    std::size_t offset) {
        add(name, {{}, std::move(written)}, [this, name, field, offset](SystemContext&) {
            for (std::size_t i = random_() % 4; i > 0; --i)
                write(any(), field, offset, name, ValueWrite::By::system, steps + 1);
        });
    }

    // Of several writes in one run the result counts, and none that changes nothing.
    void note(ValuePlace field, Logged logged) {
        std::vector<Logged>& list = log[field];
        if (!list.empty() && list.back().step == logged.step && list.back().system == logged.system &&
            list.back().kind == ValueWrite::Kind::changed && logged.kind == ValueWrite::Kind::changed) {
            list.back().after = logged.after;
            if (list.back().before == logged.after) list.pop_back();
        } else if (logged.kind != ValueWrite::Kind::changed || logged.before != logged.after) {
            list.push_back(std::move(logged));
        }
    }

    void write(Entity entity, std::uint16_t field, std::size_t offset, const std::string& system,
               ValueWrite::By by, std::uint64_t step) {
        std::byte* const row = world().edit(entity, health_);
        if (row == nullptr) return;
        std::uint32_t before = 0;
        std::memcpy(&before, row + offset, sizeof before);
        const auto after = static_cast<std::uint32_t>(random_() % 3);
        std::memcpy(row + offset, &after, sizeof after);
        note({entity.bits, "Health", field}, {step, system, ValueWrite::Kind::changed, by, before, after});
    }

    void talk() {
        const Entity entity = any();
        std::byte* const row = world().edit(entity, mood_);
        if (row == nullptr) return;
        const auto name = world().texts().intern("mood " + std::to_string(random_() % 3)).value();
        std::memcpy(row, &name, sizeof name);
    }

    void count() {
        std::byte* const row = world().resources().data(match_);
        std::uint32_t coins = 0;
        std::memcpy(&coins, row, sizeof coins);
        const std::uint32_t more = coins + random_() % 2;
        std::memcpy(row, &more, sizeof more);
        note({0, "Match", kFirstLeafField},
             {steps + 1, "e counts", ValueWrite::Kind::changed, ValueWrite::By::system, coins, more});
    }

    // The fields of Health of an entity that gets it.
    void note_new(Entity entity, ValueWrite::Kind kind, std::uint64_t current, const std::string& system,
                  ValueWrite::By by) {
        log[{entity.bits, "Health", kCurrent}].push_back({steps + 1, system, kind, by, 0, current});
        log[{entity.bits, "Health", kMax}].push_back({steps + 1, system, kind, by, 0, 0});
        log[{entity.bits, "Health", kX}].push_back({steps + 1, system, kind, by, 0, 0});
    }
    // The end of an entity is told of fields of which something else is known.
    void note_end(Entity entity, ValueWrite::Kind kind, const std::string& system, ValueWrite::By by) {
        for (const std::uint16_t field : {kCurrent, kMax, kX}) {
            std::vector<Logged>& list = log[{entity.bits, "Health", field}];
            if (kind == ValueWrite::Kind::removed || !list.empty())
                list.push_back({steps + 1, system, kind, by, 0, 0});
        }
    }

    void command(SystemContext& context) {
        constexpr auto kBy = ValueWrite::By::commands;
        const std::string system = "f commands";
        const std::uint32_t value[4] = {static_cast<std::uint32_t>(random_() % 5 + 1), 0, 0, 0};
        if (random_() % 2 == 0) {
            const Entity entity = context.commands.spawn();
            context.commands.add(entity, health_, static_cast<const void*>(value));
            note_new(entity, ValueWrite::Kind::spawned, value[0], system, kBy);
            fresh_.push_back(entity);
        }
        const Entity entity = any();
        const bool has = world().has(entity, health_);
        switch (random_() % 4) {
            case 0:
                context.commands.destroy(entity);
                note_end(entity, ValueWrite::Kind::destroyed, system, kBy);
                std::erase(entities_, entity);
                break;
            case 1:
                context.commands.remove(entity, health_);
                if (has) note_end(entity, ValueWrite::Kind::removed, system, kBy);
                break;
            case 2:
                if (has) break;
                context.commands.add(entity, health_, static_cast<const void*>(value));
                note_new(entity, ValueWrite::Kind::added, value[0], system, kBy);
                break;
            default:
                break;
        }
    }

    // After the commands of the others, which are played back before an exclusive system runs.
    void change_at_once(World& world) {
        const std::uint32_t value[4] = {7, 0, 0, 0};
        const Entity entity = world.spawn();
        world.add(entity, health_, static_cast<const void*>(value));
        note_new(entity, ValueWrite::Kind::spawned, 7, "g is exclusive", ValueWrite::By::system);
        fresh_.push_back(entity);
    }

    // New entities are used from the next step on.
    Entity any() {
        if (last_taken_ != steps) {
            entities_.insert(entities_.end(), fresh_.begin(), fresh_.end());
            fresh_.clear();
            last_taken_ = steps;
        }
        return entities_[random_() % entities_.size()];
    }

    std::mt19937 random_;
    GameFolder game_;
    ComponentId health_, mood_, match_;
    std::vector<Entity> entities_, fresh_;
    std::uint64_t last_taken_ = 0;
};

std::vector<Logged> read(const Provenance& provenance, World& world, const ValuePlace& field) {
    const auto& [entity, component, number] = field;
    std::vector<Logged> found;
    for (const ValueWrite& write :
         provenance.writes(Entity{entity}, *world.registry().find(component), number)) {
        const bool is_outside = write.by == ValueWrite::By::outside;
        found.push_back({write.step, is_outside ? "" : std::string(provenance.system_name(write.system)),
                         write.kind, write.by, write.before, write.after});
    }
    return found;
}

}  // namespace

TEST_CASE("the writes of each value are those that the systems log") {
    for (unsigned seed = 1; seed <= 4; ++seed) {
        CAPTURE(seed);
        // They outlive the session.
        Provenance all;
        std::vector<std::unique_ptr<Provenance>> single;
        Stage stage(seed);
        std::vector<Provenance*> followers{&all};
        for (std::uint32_t index = 0; index < 8; ++index) {
            WatchedValues watched;
            watched.index = index;
            if (index % 2 == 0) watched.component = "Health";
            single.push_back(std::make_unique<Provenance>(watched));
            followers.push_back(single.back().get());
        }
        WatchedValues resource;
        resource.component = "Match";
        single.push_back(std::make_unique<Provenance>(resource));
        followers.push_back(single.back().get());
        for (Provenance* const follower : followers) follower->follow(*stage.session, 0);
        for (int step = 0; step < 200; ++step) {
            if (step % 10 == 3) stage.write_outside();
            stage.step(followers);
        }
        std::size_t compared = 0;
        for (const auto& [field, expected] : stage.log) {
            const Entity entity{std::get<0>(field)};
            CAPTURE(entity.index(), entity.generation(), std::get<2>(field));
            const std::vector<Logged> kept = read(all, stage.world(), field);
            REQUIRE(kept.size() <= expected.size());
            // Of each kind of field the newest are kept; changes come one by one.
            const std::size_t count = std::min(expected.size(), Provenance::kWritesPerField);
            REQUIRE(kept.size() >= count);
            CHECK(std::equal(kept.end() - static_cast<std::ptrdiff_t>(count), kept.end(),
                             expected.end() - static_cast<std::ptrdiff_t>(count)));
            for (const std::unique_ptr<Provenance>& follower : single) {
                const std::vector<Logged> whole = read(*follower, stage.world(), field);
                if (whole.empty()) continue;
                CHECK(whole == expected);
                ++compared;
            }
        }
        CHECK(compared > 10);
    }
}

TEST_CASE("going back hides later writes, and another future drops them") {
    GameFolder game{R"(
local ecs = require "ecs"
local C = ecs.components
local entity = ecs.world:spawn(C.Health)
ecs.system("count", { query = { write = { C.Health } }, run = function(chunk, ctx)
  for i = 1, chunk.count do chunk.Health.current[i] = ctx.tick * 10 end
end }))",
                    kSchema};
    EngineConfig config = game.config();
    config.rewind_bytes = std::size_t{16} << 20;
    config.provenance = WatchedValues{};
    const std::unique_ptr<Engine> engine = GameFolder::play(config);
    Provenance& known = *engine->provenance();
    const ComponentId health = *engine->session().world().registry().find("Health");
    const auto last = [&] {
        const Entity entity = known.entities_at(0).back();
        const std::vector<ValueWrite> writes = known.writes(entity, health, kCurrent);
        return writes.empty() ? std::pair<std::uint64_t, std::uint64_t>{}
                              : std::pair{writes.back().step, writes.back().after};
    };
    using Last = std::pair<std::uint64_t, std::uint64_t>;
    run(*engine, 6);
    CHECK(last() == Last{6, 50});
    REQUIRE(engine->rewind_to(3));
    CHECK(known.step() == 3);
    CHECK(last() == Last{3, 20});
    REQUIRE(engine->rewind_to(5));
    CHECK(last() == Last{5, 40});
    REQUIRE(engine->rewind_to(4));
    run(*engine, 1);
    CHECK(last() == Last{5, 40});
    engine->restart();
    CHECK(known.step() == 0);
    run(*engine, 2);
    CHECK(last() == Last{2, 10});
}

TEST_CASE("a run is the same with and without provenance") {
    GameFolder game{R"(
local ecs = require "ecs"
local C = ecs.components
ecs.system("spawn", { run = function(_, ctx)
  ctx.commands:spawn(C.Health { current = ctx.random:range(1, 9) })
end })
ecs.system("age", { query = { write = { C.Health } }, run = function(chunk, ctx)
  for i = 1, chunk.count do
    chunk.Health.current[i] = chunk.Health.current[i] - 1
    if chunk.Health.current[i] < -5 then ctx.commands:destroy(chunk.entity[i]) end
  end
end }))",
                    kSchema};
    EngineConfig config = game.config();
    const std::unique_ptr<Engine> plain = GameFolder::play(config);
    config.provenance = WatchedValues{};
    const std::unique_ptr<Engine> watched = GameFolder::play(config);
    for (int step = 0; step < 100; ++step) {
        run(*plain, 1);
        run(*watched, 1);
        REQUIRE(plain->hash() == watched->hash());
    }
}

TEST_CASE("what a callback writes between groups is the callback's, not that of the next system") {
    GameFolder game{"require('ecs')", kSchema};
    const EngineConfig config = game.config();
    Provenance known;
    auto started = GameSession::start(GameSessionConfig{static_cast<const GameConfig&>(config)});
    REQUIRE(started);
    GameSession& session = *started.value();
    World& world = session.world();
    const ComponentId health = *world.registry().find("Health");
    const Entity entity = world.spawn();
    world.add(entity, health);

    SystemDesc guard;
    guard.name = "guard";
    guard.run = [](SystemContext&) -> Result<void> { return {}; };
    guard.on_destroy = [&](SystemContext& context) -> Result<void> {
        const std::uint32_t value = 9;
        std::memcpy(world.edit(entity, health), &value, sizeof value);
        context.commands.spawn();
        return {};
    };
    const SystemId id = session.schedule().add(guard).value();
    SystemDesc remover = guard;
    remover.name = "remover";
    remover.is_exclusive = true;
    remover.on_destroy = {};
    remover.run = [&](SystemContext&) -> Result<void> {
        session.schedule().remove(id);
        return {};
    };
    session.schedule().add(remover).value();
    SystemDesc witness = guard;
    witness.name = "witness";
    witness.group = kTransforms;
    witness.access.write = {health};
    witness.on_destroy = {};
    session.schedule().add(witness).value();

    known.follow(session, 0);
    known.begin_step();
    session.step(InputCollector().take_step(session.actions()));
    known.end_step();
    const std::vector<Logged> writes = read(known, world, {entity.bits, "Health", kCurrent});
    CHECK(writes ==
          std::vector<Logged>{{1, "guard", ValueWrite::Kind::changed, ValueWrite::By::callback, 0, 9}});
    REQUIRE(known.entities_at(1).size() == 1);
}

TEST_CASE("what frames write to presentation data counts as written between steps") {
    GameFolder game{R"(
local ecs = require "ecs"
local C = ecs.components
ecs.world:spawn(C.Flash { strength = 1024 })
ecs.system("fade", { group = "presentation", query = { write = { C.Flash } }, run = function(chunk)
  for i = 1, chunk.count do chunk.Flash.strength[i] = chunk.Flash.strength[i] / 2 end
end }))",
                    "require('ecs').component('Flash', { { 'strength', 'f32' }, presentation = true })"};
    EngineConfig config = game.config();
    config.provenance = WatchedValues{};
    const std::unique_ptr<Engine> engine = GameFolder::play(config);
    run(*engine, 4);
    const ComponentId flash = *engine->session().world().registry().find("Flash");
    const Provenance& known = *engine->provenance();
    const std::vector<ValueWrite> writes = known.writes(known.entities_at(0).back(), flash, kFirstLeafField);
    REQUIRE(writes.size() >= 3);
    for (const ValueWrite& write : writes) {
        CHECK(write.by == ValueWrite::By::outside);
        CHECK(std::bit_cast<float>(static_cast<std::uint32_t>(write.after)) > 0);
        CHECK(std::bit_cast<float>(static_cast<std::uint32_t>(write.after)) * 2 ==
              std::bit_cast<float>(static_cast<std::uint32_t>(write.before)));
    }
}

TEST_CASE("a session at the address of one that has ended is followed too") {
    GameFolder game{R"(
local ecs = require "ecs"
local C = ecs.components
ecs.world:spawn(C.Health)
ecs.system("count", { query = { write = { C.Health } }, run = function(chunk, ctx)
  for i = 1, chunk.count do chunk.Health.current[i] = ctx.tick + 1 end
end }))",
                    kSchema};
    const EngineConfig config = game.config();
    Provenance known;
    // Most allocators use an address again after a few sessions.
    for (int i = 0; i < 30; ++i) {
        const auto session = GameSession::start(GameSessionConfig{static_cast<const GameConfig&>(config)});
        REQUIRE(session);
        known.follow(*session.value(), 0);
        known.begin_step();
        session.value()->step(InputCollector().take_step(session.value()->actions()));
        known.end_step();
        const ComponentId health = *session.value()->world().registry().find("Health");
        REQUIRE(known.writes(known.entities_at(0).back(), health, kCurrent).size() == 1);
    }
}
