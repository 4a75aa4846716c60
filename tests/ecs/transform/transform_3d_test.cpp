// The 3D transform system agrees with a naive recursion; its arithmetic agrees with that of a textbook.
#include "ecs/transform/transform_3d.h"

#include "ecs/relations/hierarchy.h"
#include "ecs/transform/transform.h"
#include "ecs/world/world.h"
#include "ecs/world/world_config.h"
#include "tests/support/test_components.h"

#include <catch2/catch.hpp>

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace perigee {
namespace {

using Catch::Matchers::Contains;

struct Game {
    explicit Game(const WorldConfig& config = {}) : world(config), schedule(world) {
        declare_test_components(world);
        add_transform_3d_system(world, schedule).value();
    }
    void step() { schedule.run_group(kTransforms, TickTime{}).value(); }
    Mat4 matrix(Entity entity) const { return world.get<LocalToWorld>(entity)->value; }

    World world;
    Schedule schedule;
};

LocalToWorld naive(const World& world, Entity entity) {
    const auto* translation = world.get<Translation>(entity);
    const auto* rotation = world.get<Rotation>(entity);
    const auto* scale = world.get<Scale>(entity);
    const Mat4 own = matrix_from(translation != nullptr ? translation->value : Vec3{},
                                 rotation != nullptr ? rotation->value : Quat{},
                                 scale != nullptr ? scale->value : Vec3{1, 1, 1});
    const Entity parent = parent_of(world, entity);
    if (!parent || !world.has<LocalToWorld>(parent)) return {own};
    return {combined(naive(world, parent).value, own)};
}

struct Numbers {
    explicit Numbers(std::uint32_t seed) : random(seed) {}
    float operator()() { return static_cast<float>(random() % 64) / 8 - 4; }
    Vec3 vec3() { return {(*this)(), (*this)(), (*this)()}; }
    Quat quat() { return {(*this)(), (*this)(), (*this)(), (*this)()}; }

    std::mt19937 random;
};

template <typename T> void change(World& world, Numbers& number, Entity entity, const T& value) {
    if (!world.has<T>(entity)) {
        world.add<T>(entity, value);
    } else if (number.random() % 4 == 0) {
        world.remove<T>(entity);
    } else {
        world.set(entity, value);
    }
}

TEST_CASE("after every step all 3D transforms agree with a naive recursion [T1]") {
    for (const std::uint32_t seed : {1u, 2u, 3u, 4u}) {
        Game game(seed % 2 == 0 ? WorldConfig{} : tiny_chunks());
        World& world = game.world;
        Numbers number(seed);
        std::mt19937& random = number.random;
        std::vector<Entity> known;
        const auto any = [&] { return known[random() % known.size()]; };
        for (int step = 0; step < 1500; ++step) {
            for (std::uint32_t changes = random() % 4; changes > 0; --changes) {
                if (known.empty() || random() % 4 == 0) known.push_back(world.spawn());
                const Entity entity = any();
                switch (random() % 9) {
                    case 0:
                        static_cast<void>(set_parent(world, entity, Entity{}));
                        break;
                    case 1:
                    case 2:
                    case 3:
                        static_cast<void>(set_parent(world, entity, any()));
                        break;
                    case 4:
                        if (random() % 4 == 0) world.destroy(entity);
                        break;
                    case 5:
                        if (random() % 4 == 0) world.remove<LocalToWorld>(entity);
                        break;
                    case 6:
                        change(world, number, entity, Rotation{number.quat()});
                        break;
                    case 7:
                        change(world, number, entity, Scale{number.vec3()});
                        break;
                    default:
                        change(world, number, entity, Translation{number.vec3()});
                        break;
                }
            }
            game.step();
            for (const Entity entity : known) {
                if (!world.has<LocalToWorld>(entity)) continue;
                if (!(*world.get<LocalToWorld>(entity) == naive(world, entity))) FAIL(seed << " " << step);
            }
        }
    }
}

TEST_CASE("beyond the deepest distinct depth, 3D parents are still computed first") {
    Game game;
    World& world = game.world;
    std::vector<Entity> chain(300);
    // From the bottom up, so that children are stored before their parents.
    for (Entity& entity : chain) entity = world.spawn(Translation{{1, 0, 2}});
    for (std::size_t i = 0; i + 1 < chain.size(); ++i) set_parent(world, chain[i], chain[i + 1]).value();
    game.step();
    CHECK(game.matrix(chain[0]).wx == 300);
    CHECK(game.matrix(chain[0]).wz == 600);
    world.add<Scale>(chain[100], {{2, 1, 1}});
    game.step();
    CHECK(game.matrix(chain[0]).wx == 400);
    CHECK(game.matrix(chain[100]).wx == 200);
    world.remove<LocalToWorld>(chain[50]);
    game.step();
    CHECK(game.matrix(chain[0]).wx == 50);
}

TEST_CASE("only chunks whose 3D transforms may have changed are written [T1]") {
    Game game(tiny_chunks(4));
    World& world = game.world;
    std::vector<Entity> parents, children;
    for (int i = 0; i < 16; ++i) parents.push_back(world.spawn(Translation{}, Rotation{}));
    for (int i = 0; i < 16; ++i) {
        children.push_back(world.spawn(Translation{}, Scale{}));
        set_parent(world, children.back(), parents[static_cast<std::size_t>(i)]).value();
    }
    const auto written_by_step = [&] {
        const ChangeVersion since = world.change_version();
        game.step();
        std::size_t chunks = 0;
        world.query<const LocalToWorld>().each_chunk([&](ChunkView& view, std::span<const LocalToWorld>) {
            chunks += view.changed_since(0, since) ? 1 : 0;
        });
        return chunks;
    };
    game.step();
    CHECK(written_by_step() == 0);
    world.set(children[5], Scale{{2, 2, 2}});
    CHECK(written_by_step() == 1);
    world.set(parents[5], Rotation{rotation_about({0, 0, 1}, 1)});
    CHECK(written_by_step() == 2);
    world.set(children[5], Translation{{1, 0, 0}});
    CHECK(written_by_step() == 1);
    CHECK(game.matrix(children[5]).wx == Approx(std::cos(1)));
}

TEST_CASE("each part of a 3D transform brings LocalToWorld, which only the engine writes") {
    Game game;
    World& world = game.world;
    const Entity moved = world.spawn(), turned = world.spawn(), scaled = world.spawn(), alone = world.spawn();
    world.add<Translation>(moved, {{3, 4, 5}});
    world.add<Rotation>(turned);
    world.add<Scale>(scaled);
    world.add<LocalToWorld>(alone);
    set_parent(world, alone, moved).value();
    CHECK(*world.get<LocalToWorld>(moved) == LocalToWorld{});
    CHECK(*world.get<Rotation>(turned) == Rotation{});
    CHECK(*world.get<Scale>(scaled) == Scale{});
    game.step();
    CHECK(transformed(game.matrix(moved), {1, 1, 1}) == Vec3{4, 5, 6});
    CHECK(game.matrix(turned) == Mat4{});
    CHECK(game.matrix(scaled) == Mat4{});
    // Without a part of its own an entity is where its parent is.
    CHECK(game.matrix(alone) == game.matrix(moved));
    SystemDesc system;
    system.name = "theirs";
    system.is_native = false;
    system.query.terms = {{world.id<LocalToWorld>(), Access::write}};
    system.run = [](SystemContext&) -> Result<void> { return {}; };
    CHECK(!game.schedule.add(std::move(system)).ok());
}

TEST_CASE("one world has 2D and 3D transforms, and each follows the same parents") {
    Game game;
    add_transform_system(game.world, game.schedule).value();
    const Entity parent = game.world.spawn(LocalTransform{1, 2, 0, 1, 1}, Translation{{1, 2, 3}});
    const Entity child = game.world.spawn(LocalTransform{10, 10, 0, 1, 1}, Translation{{10, 10, 10}});
    set_parent(game.world, child, parent).value();
    game.step();
    CHECK(game.world.get<WorldTransform>(child)->x == 11);
    CHECK(transformed(game.matrix(child), {}) == Vec3{11, 12, 13});
}

TEST_CASE("declaring 3D transforms fails when one of the names is in use") {
    for (const char* name : {"LocalToWorld", "Translation", "Rotation", "Scale"}) {
        World world;
        Schema schema;
        schema.name = name;
        schema.kind = ComponentKind::tag;
        world.declare(std::move(schema)).value();
        Schedule schedule(world);
        CHECK_THAT(add_transform_3d_system(world, schedule).error().message,
                   Contains("'" + std::string(name) + "' is already"));
    }
}

// ---- arithmetic ----

using Vec3d = std::array<double, 3>;

// Around a normalised axis, after Rodrigues.
Vec3d turned(const Vec3d& p, const Vec3d& axis, double angle) {
    const double c = std::cos(angle), s = std::sin(angle);
    const double dot = axis[0] * p[0] + axis[1] * p[1] + axis[2] * p[2];
    const Vec3d cross = {axis[1] * p[2] - axis[2] * p[1], axis[2] * p[0] - axis[0] * p[2],
                         axis[0] * p[1] - axis[1] * p[0]};
    Vec3d result;
    for (std::size_t i = 0; i < 3; ++i) result[i] = p[i] * c + cross[i] * s + axis[i] * dot * (1 - c);
    return result;
}

void check_near(const Vec3& got, const Vec3d& wanted) {
    CHECK(got.x == Approx(wanted[0]).margin(1e-4));
    CHECK(got.y == Approx(wanted[1]).margin(1e-4));
    CHECK(got.z == Approx(wanted[2]).margin(1e-4));
}

TEST_CASE("a matrix scales, then turns around the axis, then moves") {
    Numbers number(5);
    for (int round = 0; round < 500; ++round) {
        const Vec3 axis = number.vec3(), scale = number.vec3(), move = number.vec3(), point = number.vec3();
        const float angle = number();
        const double length = std::hypot(axis.x, axis.y, axis.z);
        if (length == 0) continue;
        const Vec3d unit = {axis.x / length, axis.y / length, axis.z / length};
        Vec3d wanted = turned({scale.x * point.x, scale.y * point.y, scale.z * point.z}, unit, angle);
        wanted = {wanted[0] + move.x, wanted[1] + move.y, wanted[2] + move.z};
        const Quat rotation = rotation_about(axis, angle);
        check_near(transformed(matrix_from(move, rotation, scale), point), wanted);
        // The length of a quaternion does not matter.
        const Quat longer = {rotation.x * 3, rotation.y * 3, rotation.z * 3, rotation.w * 3};
        check_near(transformed(matrix_from(move, longer, scale), point), wanted);
    }
}

TEST_CASE("a product of rotations or matrices applies the inner one first") {
    Numbers number(6);
    for (int round = 0; round < 500; ++round) {
        const Quat outer = rotation_about(number.vec3(), number()),
                   inner = rotation_about(number.vec3(), number());
        const Vec3 scale = number.vec3(), move = number.vec3(), point = number.vec3();
        const Mat4 a = matrix_from(move, outer, scale), b = matrix_from(scale, inner, move);
        const Vec3 one_by_one = transformed(a, transformed(b, point));
        check_near(transformed(combined(a, b), point), {one_by_one.x, one_by_one.y, one_by_one.z});
        const Vec3 two_turns = transformed(matrix_from({}, outer, {1, 1, 1}),
                                           transformed(matrix_from({}, inner, {1, 1, 1}), point));
        check_near(transformed(matrix_from({}, combined(outer, inner), {1, 1, 1}), point),
                   {two_turns.x, two_turns.y, two_turns.z});
    }
    // All parts of a product, also those that no transform uses.
    std::array<float, 16> a, b, wanted{};
    for (std::size_t i = 0; i < 16; ++i) {
        a[i] = number();
        b[i] = number();
    }
    for (std::size_t column = 0; column < 4; ++column) {
        for (std::size_t row = 0; row < 4; ++row) {
            for (std::size_t k = 0; k < 4; ++k)
                wanted[column * 4 + row] += a[k * 4 + row] * b[column * 4 + k];
        }
    }
    CHECK(combined(std::bit_cast<Mat4>(a), std::bit_cast<Mat4>(b)) == std::bit_cast<Mat4>(wanted));
}

TEST_CASE("a rotation without a direction turns nothing") {
    CHECK(rotation_about({}, 2) == Quat{});
    constexpr float kTiny = std::numeric_limits<float>::denorm_min();
    for (const Quat& none : {Quat{0, 0, 0, 0}, Quat{kTiny, kTiny, 0, 0}, Quat{0, 0, 0, -5}})
        CHECK(matrix_from({1, 2, 3}, none, {1, 1, 1}) == matrix_from({1, 2, 3}, Quat{}, {1, 1, 1}));
}

TEST_CASE("3D transforms have these bits on every machine") {
    Game game;
    const Entity parent = game.world.spawn(Translation{{1, 2, 3}}, Rotation{rotation_about({1, 2, 3}, 0.7f)},
                                           Scale{{0.3f, 1.7f, -2}});
    const Entity child =
        game.world.spawn(Translation{{0.1f, 0.2f, 0.3f}}, Rotation{rotation_about({-3, 1, 0.5f}, 40)});
    set_parent(game.world, child, parent).value();
    game.step();
    CHECK(game.matrix(child) == Mat4{0x1.bc7f22p-1f, -0x1.d928acp-2f, 0x1.42e22cp-1f, 0, 0x1.84ca7cp-1f,
                                     -0x1.cd6088p-1f, 0x1.e61c2p-1f, 0, -0x1.2f6e54p-3f, 0x1.02e59p+0f,
                                     0x1.8293f2p+0f, 0, 0x1.3eac7p-1f, 0x1.2bce2cp+1f, 0x1.44667ap+1f, 1});
}

}  // namespace
}  // namespace perigee
