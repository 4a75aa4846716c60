// Files that were damaged by accident or on purpose: with a right checksum, and with single lies. Whatever
// the bytes are, loading gives an error and the world as it was, or a world that is valid.
#include "ecs/base/internal/byte_stream.h"
#include "ecs/inspect/world_hash.h"
#include "ecs/save/internal/packed_file.h"
#include "ecs/save/save_file.h"
#include "tests/ecs/check_world.h"
#include "tests/ecs/save/saved_game.h"
#include "tests/support/damaged.h"

#include <catch2/catch.hpp>

#include <string>

namespace perigee {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{64} << 20;

struct Target {
    Target() : world(tiny_chunks()), schedule(world, 3) {
        declare_saved_game(world);
        world.spawn(Position{1, 2}, Health{});
        hash = world_hash(world);
    }

    // True if it was loaded.
    bool load(std::string_view bytes) {
        const std::size_t archetypes = world.archetypes().size();
        if (world_from_bytes(world, bytes, {.schedule = &schedule, .max_bytes = kMaxBytes}).ok()) {
            hash = world_hash(world);
            check_world(world, world.entities().used_count() - rows());
            exercise();
            return true;
        }
        REQUIRE(world_hash(world) == hash);
        REQUIRE(world.archetypes().size() == archetypes);
        return false;
    }

    std::size_t rows() const {
        std::size_t all = 0;
        for (std::uint32_t i = 0; i < world.archetypes().size(); ++i)
            all += world.archetypes().at(i).entity_count();
        return all;
    }

    // What was accepted can be used.
    void exercise() {
        schedule.run_step(TickTime{1.0 / 60, 1, 0, 1}).value();
        world.clear();
        world.spawn(Position{1, 2}, Health{});
        check_world(world, world.entities().used_count() - rows());
        hash = world_hash(world);
    }

    World world;
    Schedule schedule;
    std::uint64_t hash = 0;
};

std::string saved_bytes() {
    World saved(tiny_chunks());
    declare_saved_game(saved);
    fill_saved_game(saved);
    Schedule schedule(saved, 3);
    return world_to_bytes(saved, {.schedule = &schedule}).value();
}

}  // namespace

TEST_CASE("every shortened file is an error") {
    const std::string bytes = saved_bytes();
    const std::string contents = internal::unpack(bytes, kMaxBytes).value();
    Target target;
    for (std::size_t size = 0; size < bytes.size(); size += 7)
        REQUIRE_FALSE(target.load(bytes.substr(0, size)));
    for (std::size_t size = 0; size < contents.size(); size += 11)
        REQUIRE_FALSE(target.load(internal::pack(contents.substr(0, size))));
    REQUIRE_FALSE(target.load(internal::pack(contents + "x")));
    CHECK(target.load(bytes));
}

TEST_CASE("every single flipped byte gives an error or a valid world") {
    const std::string contents = internal::unpack(saved_bytes(), kMaxBytes).value();
    Target target;
    std::size_t loaded = 0;
    for (std::size_t at = 0; at < contents.size(); at += 3) {
        std::string other = contents;
        other[at] = static_cast<char>(other[at] ^ (1 << (at % 8)));
        CAPTURE(at);
        loaded += target.load(internal::pack(other)) ? 1u : 0u;
    }
    CHECK(loaded > 0);  // values of fields are not checked by anything but their type
}

TEST_CASE("files damaged at random give an error or a valid world") {
    const std::string bytes = saved_bytes();
    const std::string contents = internal::unpack(bytes, kMaxBytes).value();
    Target target;
    test::Damage damage(17);
    for (int i = 0; i < 1500; ++i) {
        CAPTURE(i);
        target.load(internal::pack(damage.of(contents, bytes)));
        if (i % 5 == 0) target.load(damage.of(bytes, contents));
    }
}

TEST_CASE("a million files damaged at random give an error or a valid world", "[.][long]") {
    const std::string bytes = saved_bytes();
    const std::string contents = internal::unpack(bytes, kMaxBytes).value();
    Target target;
    test::Damage damage(18);
    for (int i = 0; i < 1'000'000; ++i) target.load(internal::pack(damage.of(contents, bytes)));
}

TEST_CASE("a file that unpacks to more than it says is refused before the memory is used") {
    const std::string packed = internal::pack(std::string(std::size_t{50} << 20, '\0'));
    CHECK(packed.size() < 20'000);
    CHECK(internal::unpack(packed, 1 << 20).error().message ==
          "the saved world takes 52428800 bytes; the limit is 1048576");
    Target target;
    CHECK_FALSE(target.load(packed));
}

}  // namespace perigee
