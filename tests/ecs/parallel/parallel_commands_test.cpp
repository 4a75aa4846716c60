// Random commands recorded by several threads give the same result as recorded by one thread; contracts of
// the writer.
#include "ecs/parallel/parallel_commands.h"

#include "ecs/inspect/world_hash.h"
#include "ecs/parallel/parallel_query.h"
#include "ecs/prefab/make_prefab.h"
#include "ecs/relations/hierarchy.h"
#include "ecs/relations/names.h"
#include "ecs/schedule/schedule.h"
#include "ecs/storage/buffer.h"
#include "ecs/world/objects.h"
#include "ecs/world/prefab.h"
#include "ecs/world/world_config.h"
#include "tests/support/broken_contract.h"
#include "tests/support/failing_memory.h"
#include "tests/support/kind_components.h"

#include <catch2/catch.hpp>

#include <array>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace perigee {
namespace {

constexpr std::uint32_t kWorkerCounts[] = {0, 1, 2, 7};

struct Link {
    Entity target;
    float strength = 0;
};

struct Stage {
    explicit Stage(const WorldConfig& config = tiny_chunks(8)) : world(config), commands(world) {
        declare_test_components(world);
        declare_kind_components(world);
        world.declare<Link>("Link", field("target", &Link::target), field("strength", &Link::strength))
            .value();
        Schema links =
            schema_from_type("Links", {sizeof(Link),
                                       alignof(Link),
                                       {field("target", &Link::target), field("strength", &Link::strength)}});
        links.kind = ComponentKind::buffer;
        links.buffer_capacity = 1;
        links_id = world.declare(links).value();
        declare_names(world).value();
        Prefab mover;
        mover.name = "mover";
        mover.components = {{world.id<Position>(), {}}, {world.id<Velocity>(), {}}};
        prefab = add_prefab(world, std::move(mover)).value();
        for (int i = 0; i < 200; ++i) {
            const float x = static_cast<float>(i);
            base.push_back(i % 3 == 0 ? world.spawn(Position{x, 0}, Shield{x})
                                      : world.spawn(Velocity{x, 1}, Link{base.empty() ? Entity{} : base[0]}));
        }
        QueryDesc desc;
        desc.terms = {{world.id<Wide>(), Access::read, false}};
        wide = world.query(desc).value();
    }

    World world;
    CommandBuffer commands;
    ComponentId links_id;
    PrefabId prefab;
    std::vector<Entity> base;
    const Query* wide = nullptr;
};

// Records the commands of one task: the same for the same seed, except for the ids of new entities.
class Recorder {
public:
    Recorder(Stage& stage, CommandBuffer& commands, std::uint32_t seed)
        : stage_(stage), commands_(commands), random_(seed) {}

    std::vector<Entity> record(std::uint32_t count) {
        for (std::uint32_t i = 0; i < count; ++i) record_one();
        return spawned_;
    }

private:
    void record_one() {
        const World& world = stage_.world;
        const float number = static_cast<float>(random_() % 100);
        const Link link{any(), number};
        const std::array ids{world.id<Position>(), world.id<Health>(), world.id<Wide>(),
                             world.id<Frozen>(),   world.id<Shield>(), world.id<Team>()};
        const ComponentId id = ids[random_() % ids.size()];
        const Entity subject = any();
        switch (random_() % 20) {
            case 0:
            case 1:
                spawned_.push_back(commands_.spawn());
                break;
            case 2:
                spawned_.push_back(commands_.spawn(stage_.prefab));
                break;
            case 3:
                commands_.spawn_many(stage_.prefab, random_() % 4,
                                     [number](ChunkView& chunk, std::uint32_t first, std::uint32_t last) {
                                         for (std::uint32_t row = first; row < last; ++row) {
                                             chunk.column<Position>(0)[row].x = number;
                                         }
                                         return number < 90;
                                     });
                break;
            case 4:
                commands_.destroy(subject);
                break;
            case 5:
                commands_.remove(subject, id);
                break;
            case 6:
                spawned_.push_back(commands_.clone(subject));
                break;
            case 7: {
                const ComponentValue add[] = {{world.id<Link>(), reinterpret_cast<const std::byte*>(&link)},
                                              {id, nullptr}};
                const ComponentId gone[] = {world.id<Velocity>()};
                commands_.change(subject, add, gone);
                break;
            }
            case 8:
            case 9:
                fill(commands_.add_buffer(subject, stage_.links_id), link);
                break;
            case 10:
                fill(commands_.set_buffer(subject, stage_.links_id), link);
                break;
            case 11:
                commands_.add_object(subject, world.id<Brain>(), std::make_shared<std::int64_t>(random_()), 0,
                                     &typeid(std::int64_t));
                break;
            case 12:
                commands_.set_parent(subject, any());
                break;
            case 13:
                expect(commands_.set_name(subject, "n" + std::to_string(random_() % 40)).ok());
                break;
            case 14:
                commands_.set_enabled(subject, world.id<Shield>(), random_() % 2 == 0);
                break;
            case 15:
                random_() % 4 == 0 ? commands_.set_all(*stage_.wide, world.id<Wide>(), &kWide)
                                   : commands_.add_all(*stage_.wide, world.id<Link>(), &link);
                break;
            case 16:
                commands_.set(subject, world.id<Link>(), &link);
                break;
            case 17:
                commands_.add(subject, id);
                break;
            default:
                commands_.add(subject, world.id<Link>(), &link);
                break;
        }
    }

    // Catch2 supports only one thread.
    static void expect(bool is_true) {
        if (!is_true) throw std::logic_error("a name was refused");
    }

    void fill(DynamicBuffer buffer, const Link& link) {
        for (std::uint32_t i = random_() % 4; i > 0; --i) buffer.push(&link);
    }

    Entity any() {
        if (!spawned_.empty() && random_() % 2 == 0) return spawned_[random_() % spawned_.size()];
        return stage_.base[random_() % stage_.base.size()];
    }

    static constexpr Wide kWide{1, 2, 3};
    Stage& stage_;
    CommandBuffer& commands_;
    std::mt19937 random_;
    std::vector<Entity> spawned_;
};

// A program of tasks whose keys are not in task order.
struct Program {
    std::uint32_t seed;
    std::uint32_t tasks;

    std::uint64_t key(std::uint32_t task) const { return (std::uint64_t{task} * 7919 + 13) % 10007 << 40; }
    std::uint32_t seed_of(std::uint32_t task) const { return seed * 1000 + task; }
    std::uint32_t length(std::uint32_t task) const { return (seed + task * 5) % 23; }

    std::vector<std::uint32_t> by_key() const {
        std::vector<std::uint32_t> order(tasks);
        for (std::uint32_t i = 0; i < tasks; ++i) order[i] = i;
        std::sort(order.begin(), order.end(), [this](auto a, auto b) { return key(a) < key(b); });
        return order;
    }
};

struct Outcome {
    std::uint64_t hash;
    PlaybackReport report;
    std::size_t commands;
    std::vector<std::vector<Entity>> spawned;
    std::vector<std::int64_t> objects;
    bool operator==(const Outcome&) const = default;
};

Outcome outcome_of(Stage& stage, std::vector<std::vector<Entity>> spawned) {
    Outcome outcome{0, {}, stage.commands.command_count(), std::move(spawned), {}};
    outcome.report = stage.commands.play_back();
    outcome.hash = world_hash(stage.world);
    for (const auto& of_task : outcome.spawned) {
        for (const Entity entity : of_task) {
            const auto brain = object_of<std::int64_t>(stage.world, entity, stage.world.id<Brain>());
            outcome.objects.push_back(brain == nullptr ? -1 : *brain);
        }
    }
    return outcome;
}

TEST_CASE("[C1] random parallel tasks give the same result as running them one after the other") {
    PlaybackReport total;
    for (std::uint32_t seed = 1; seed <= 25; ++seed) {
        const Program program{seed, seed % 40};
        Stage serial;
        std::vector<std::vector<Entity>> spawned(program.tasks);
        serial.commands.destroy(serial.base[3]);  // earlier commands come first
        for (const std::uint32_t task : program.by_key()) {
            spawned[task] =
                Recorder(serial, serial.commands, program.seed_of(task)).record(program.length(task));
        }
        const Outcome expected = outcome_of(serial, spawned);
        total += expected.report;
        for (const std::uint32_t workers : kWorkerCounts) {
            Stage stage;
            WorkerPool pool(workers);
            stage.commands.destroy(stage.base[3]);
            ParallelCommands writer(stage.commands, pool.lane_count());
            pool.run(
                program.tasks,
                [&](std::uint32_t task, std::uint32_t worker) {
                    CommandBuffer& commands = writer.at(worker, program.key(task));
                    spawned[task] =
                        Recorder(stage, commands, program.seed_of(task)).record(program.length(task));
                },
                Wake::at_once);
            CHECK(writer.command_count() + 1 == expected.commands);
            writer.finish();
            for (auto& of_task : spawned) {
                for (Entity& entity : of_task) entity = writer.real(entity);
            }
            CHECK(outcome_of(stage, spawned) == expected);
        }
    }
    CHECK(total.applied > 3000);
    CHECK(total.dropped > 100);
    CHECK(total.failed_batches > 5);
}

TEST_CASE("[C1] spawning from parallel chunks gives ids that do not depend on the workers") {
    std::vector<std::uint64_t> hashes;
    for (const std::uint32_t workers : kWorkerCounts) {
        Stage stage;
        WorkerPool pool(workers);
        Schedule schedule(stage.world);
        schedule.use_workers(&pool);
        SystemDesc breed;
        breed.name = "breed";
        breed.query.terms = {{stage.world.id<Position>(), Access::read, false}};
        breed.run = [&](SystemContext& context) -> Result<void> {
            ParallelCommands writer(context.commands, pool.lane_count());
            each_chunk_parallel(context.world, *context.query, pool,
                                [&](const ChunkView& chunk, std::uint32_t worker) {
                                    CommandBuffer& commands = writer.at(worker, chunk.index_in_query());
                                    for (const Entity parent : chunk.entities()) {
                                        const Entity child = commands.spawn();
                                        const Link link{child, 1};
                                        commands.set_parent(child, parent);
                                        commands.add(parent, stage.world.id<Link>(), &link);
                                    }
                                },
                                {.min_rows = 0, .task_rows = 8});
            writer.finish();
            return {};
        };
        schedule.add(std::move(breed)).value();
        schedule.run_group(kSimulation, {}).value();
        CHECK(stage.world.entity_count() == 267);
        for (const Entity parent : stage.base) {
            const Link* const link = stage.world.get<Link>(parent);
            if (stage.world.has<Position>(parent)) CHECK(parent_of(stage.world, link->target) == parent);
        }
        hashes.push_back(world_hash(stage.world));
    }
    CHECK(hashes == std::vector<std::uint64_t>(std::size(kWorkerCounts), hashes[0]));
}

TEST_CASE("a parallel writer without finish has no effect") {
    Stage stage;
    const std::uint64_t before = world_hash(stage.world);
    {
        ParallelCommands writer(stage.commands, 1);
        const Entity entity = writer.at(0, 1).spawn();
        CHECK_FALSE(stage.world.is_alive(entity));
        const Link link;
        writer.at(0, 1).add_buffer(entity, stage.links_id).push(&link);
    }
    CHECK(stage.commands.is_empty());
    stage.commands.play_back();
    CHECK(world_hash(stage.world) == before);
}

TEST_CASE("spawns without a free id are skipped, and commands on them are dropped") {
    WorldConfig config = tiny_chunks(8);
    config.max_entities = 203;
    Stage stage(config);
    ParallelCommands writer(stage.commands, 1);
    std::vector<Entity> spawned;
    const std::uint32_t room = 203 - static_cast<std::uint32_t>(stage.world.entity_count());
    for (std::uint64_t key = 0; key < 6; ++key) {
        CommandBuffer& commands = writer.at(0, 5 - key);
        spawned.push_back(commands.spawn());
        commands.add(spawned.back(), stage.world.id<Health>());
    }
    writer.finish();
    std::uint32_t born = 0;
    for (const Entity entity : spawned) born += writer.real(entity) ? 1 : 0;
    CHECK(born <= room);
    REQUIRE(born > 0);
    REQUIRE(born < 6);
    CHECK(writer.real(spawned[5]));  // the lowest key
    CHECK_FALSE(writer.real(spawned[0]));
    const PlaybackReport report = stage.commands.play_back();
    CHECK(report.applied == 2 * born);
    CHECK(report.dropped == 6 - born);
}

TEST_CASE("when finish runs out of memory, nothing is appended and it can be called again") {
    std::uint64_t first = 0;
    bool is_complete = false;
    for (; !is_complete; ++first) {
        Stage stage;
        stage.commands.destroy(stage.base[0]);
        ParallelCommands writer(stage.commands, 2);
        const std::string name(300, 'x');
        for (std::uint64_t key = 0; key < 20; ++key) {
            CommandBuffer& commands = writer.at(0, 20 - key);
            const Entity entity = commands.spawn();
            commands.set_name(entity, name).value();
            commands.add_object(entity, stage.world.id<Brain>(), nullptr);
            commands.add_buffer(entity, stage.links_id);
            commands.spawn_many(stage.prefab, 1,
                                [](ChunkView&, std::uint32_t, std::uint32_t) { return true; });
        }
        {
            const RefusedMemory refused(first, 1);
            try {
                writer.finish();
                is_complete = !RefusedMemory::was_refused();
            } catch (const std::bad_alloc&) {
            }
        }
        if (!writer.is_finished()) {
            CHECK(stage.commands.command_count() == 1);
            writer.finish();
        }
        CHECK(stage.commands.play_back() == PlaybackReport{101, 0, 0, 0});
    }
    CHECK(first > 5);
}

TEST_CASE("lanes of a closed buffer record nothing, and the buffer counts the refused commands") {
    Stage stage;
    stage.commands.close();
    ParallelCommands writer(stage.commands, 2);
    CHECK_FALSE(writer.at(0, 1).spawn());
    writer.at(0, 2).destroy(stage.base[0]);
    writer.finish();
    CHECK(stage.commands.refused_count() == 2);
    CHECK(stage.commands.is_empty());
}

TEST_CASE("a lane refuses what its target refuses") {
    Stage stage;
    stage.commands.restrict_to("mover", {});
    ParallelCommands writer(stage.commands, 1);
    CHECK(writer.at(0, 0).refusal(stage.world.id<Voice>()) ==
          stage.commands.refusal(stage.world.id<Voice>()));
    const ContractWatch watch;
    CHECK_THROWS_AS(writer.at(0, 0).add(stage.base[0], stage.world.id<Voice>()), BrokenContract);
}

TEST_CASE("wrong use of a parallel writer breaks a contract") {
    using Catch::Contains;
    Stage stage;
    const ContractWatch watch;
    const auto what_breaks = [](const auto& use) {
        try {
            use();
        } catch (const BrokenContract& broken) {
            return std::string(broken.what());
        }
        return std::string("nothing");
    };
    ParallelCommands writer(stage.commands, 2);
    ParallelCommands other(stage.commands, 1);
    CommandBuffer& lane = writer.at(0, 1);
    const Entity spawned = lane.spawn();
    const Link link{spawned, 1};
    const ComponentId link_id = stage.world.id<Link>();

    SECTION("a worker index that there is not") {
        CHECK_THAT(what_breaks([&] { writer.at(2, 1); }), Contains("worker_index < lanes_.size()"));
    }
    SECTION("the worker index of another thread") {
        std::string message;
        std::thread([&] { message = what_breaks([&] { writer.at(0, 7); }); }).join();
        CHECK_THAT(message, Contains("a worker index that belongs to another thread"));
    }
    SECTION("a provisional entity under another key, as a subject, parent, original or value") {
        writer.at(0, 2);
        const char* const expected = "an entity spawned under another sort key";
        CHECK_THAT(what_breaks([&] { lane.destroy(spawned); }), Contains(expected));
        CHECK_THAT(what_breaks([&] { lane.set_parent(stage.base[0], spawned); }), Contains(expected));
        CHECK_THAT(what_breaks([&] { lane.clone(spawned); }), Contains(expected));
        CHECK_THAT(what_breaks([&] { lane.add(stage.base[0], link_id, &link); }), Contains(expected));
        CHECK_THAT(what_breaks([&] { lane.add_all(*stage.wide, link_id, &link); }), Contains(expected));
        const ComponentValue values[] = {{link_id, reinterpret_cast<const std::byte*>(&link)}};
        CHECK_THAT(what_breaks([&] { lane.change(stage.base[0], values, {}); }), Contains(expected));
        writer.at(0, 1).destroy(spawned);
    }
    SECTION("a provisional entity of another task") {
        CHECK_THAT(what_breaks([&] { writer.at(1, 2).destroy(spawned); }),
                   Contains("an entity spawned by another parallel task"));
        CHECK_THAT(what_breaks([&] { other.at(0, 2).destroy(spawned); }),
                   Contains("an entity spawned by another parallel task"));
    }
    SECTION("a provisional entity outside the lanes") {
        CHECK_THAT(what_breaks([&] { stage.commands.destroy(spawned); }),
                   Contains("used outside its ParallelCommands"));
    }
    SECTION("one key in two lanes") {
        std::thread([&] { writer.at(1, 1).destroy(stage.base[0]); }).join();
        CHECK_THAT(what_breaks([&] { writer.finish(); }), Contains("a sort key used by two workers"));
        CHECK(stage.commands.is_empty());
    }
    SECTION("after finish") {
        CHECK_THAT(what_breaks([&] { writer.real(spawned); }), Contains("before finish"));
        DynamicBuffer buffer = lane.add_buffer(spawned, stage.links_id);
        writer.finish();
        CHECK_THAT(what_breaks([&] { writer.at(0, 1); }), Contains("used after finish"));
        CHECK_THAT(what_breaks([&] { writer.finish(); }), Contains("finished twice"));
        CHECK_THAT(what_breaks([&] { lane.destroy(stage.base[0]); }), Contains("outside at() … finish()"));
        CHECK_THAT(what_breaks([&] { lane.destroy(spawned); }), Contains("after finish"));
        CHECK_THAT(what_breaks([&] { buffer.push(); }), Contains("buffer handle"));
        CHECK(writer.real(stage.base[0]) == stage.base[0]);
    }
}

}  // namespace
}  // namespace perigee
