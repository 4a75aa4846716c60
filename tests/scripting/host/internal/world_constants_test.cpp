// Lua takes what C++ takes and refuses the next larger: the limits are tried, not read.
#include "scripting/host/internal/world_constants.h"

#include "ecs/schedule/schedule.h"
#include "ecs/schema/field_type.h"
#include "ecs/schema/schema.h"
#include "ecs/schema/text_pool.h"
#include "scripting/base/script_limits.h"
#include "scripting/views/view.h"
#include "tests/scripting/script_world.h"

#include <fmt/format.h>
#include <lua.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace perigee {
namespace {

const std::string kHead = "local ecs = require 'ecs'\n";

// The errors of a schema with one component of one field.
std::string errors_of_field(const std::string& type) {
    ScriptWorld game;
    return game.load(kHead + "ecs.component('T', { { 'f', " + type + " } })", "");
}

// The limit takes the place of {} in `type`.
void check_limit(std::string_view type, std::size_t limit) {
    const auto with = [&](std::size_t number) { return fmt::format(fmt::runtime(type), number); };
    INFO(with(limit));
    CHECK(errors_of_field(with(limit)) == "");
    CHECK_THAT(errors_of_field(with(limit + 1)), Catch::Contains(std::to_string(limit)));
}

TEST_CASE("the limits of fields are those of C++") {
    check_limit("ecs.string({})", kMaxStringCapacity);
    check_limit("ecs.array('u8', {})", kMaxArrayLength);
    const std::string labels =
        "(function(n) local l = {{}} for i = 1, n do l[i] = 'l' .. i end return l end)";
    check_limit("ecs.flags(" + labels + "({}))", kMaxFlags);
    check_limit(
        "(function(n) local t = 'u8' for _ = 1, n do t = ecs.struct {{ {{ 'f', t }} }} end return t end)({})",
        static_cast<std::size_t>(kMaxStructDepth));
    const auto with_capacity = [](std::uint32_t capacity) {
        ScriptWorld game;
        return game.load(
            kHead + fmt::format("ecs.component('T', {{ {{ 'f', 'u8' }}, kind = 'buffer', capacity = {} }})",
                                capacity),
            "");
    };
    CHECK(with_capacity(kMaxBufferCapacity) == "");
    CHECK_THAT(with_capacity(kMaxBufferCapacity + 1), Catch::Contains(std::to_string(kMaxBufferCapacity)));
}

TEST_CASE("Lua knows every field type of C++, and means the same by its name") {
    for (std::size_t i = 0; i < kFieldTypeCount; ++i) {
        const FieldTypeInfo& info = field_type_info(static_cast<FieldType>(i));
        INFO(info.name);
        ScriptWorld game;
        const std::string errors =
            game.load(kHead + fmt::format("ecs.component('T', {{ {{ 'f', '{}' }} }})", info.name), "");
        if (info.size == 0) {
            CHECK_THAT(errors, Catch::Contains("needs parameters"));
        } else {
            REQUIRE(errors == "");
            CHECK(game.world.registry().info(*game.world.registry().find("T")).schema.fields[0].type ==
                  info.type);
        }
    }
}

TEST_CASE("Lua knows every kind of component of C++") {
    for (std::size_t i = 0; i < kComponentKindCount; ++i) {
        const auto kind = static_cast<ComponentKind>(i);
        const bool has_fields = kind != ComponentKind::tag && kind != ComponentKind::object;
        INFO(kind_name(kind));
        ScriptWorld game;
        REQUIRE(game.load(kHead + fmt::format("ecs.component('T', {{ {} kind = '{}' }})",
                                              has_fields ? "{ 'f', 'f32' }," : "", kind_name(kind)),
                          "") == "");
        CHECK(game.world.registry().info(*game.world.registry().find("T")).kind() == kind);
    }
}

template <typename Integer> void check_range(std::string_view type, Integer low, Integer high) {
    INFO(type);
    ScriptWorld game;
    REQUIRE(game.load(kHead + fmt::format("ecs.component('T', {{ {{ 'f', '{}' }} }})", type), "") == "");
    const auto takes = [&](double number) {
        return game.run(fmt::format("local _ = require('ecs').components.T {{ f = {:.17g} }}", number)) == "";
    };
    const double step = static_cast<double>(high) > 1e15 ? 2 : 1;
    CHECK(takes(static_cast<double>(low)));
    CHECK(takes(static_cast<double>(high)));
    CHECK_FALSE(takes(static_cast<double>(low) - step));
    CHECK_FALSE(takes(static_cast<double>(high) + step));
}

TEST_CASE("integers in Lua have the ranges of their C++ types, within what a Lua number can hold") {
    const auto of = [](std::string_view type, auto sample) {
        using Limits = std::numeric_limits<decltype(sample)>;
        check_range(type, Limits::min(), Limits::max());
    };
    of("i8", std::int8_t{});
    of("u8", std::uint8_t{});
    of("i16", std::int16_t{});
    of("u16", std::uint16_t{});
    of("i32", std::int32_t{});
    of("u32", std::uint32_t{});
    constexpr std::int64_t kLargest = std::int64_t{1} << 53;
    check_range<std::int64_t>("i64", -kLargest, kLargest);
    check_range<std::int64_t>("u64", 0, kLargest);
}

TEST_CASE("a text is as long in Lua as the pool of the world allows") {
    ScriptWorld game;
    REQUIRE(game.load(kHead + "ecs.component('T', { { 'f', 'text' } })", "") == "");
    const auto with = [&](std::size_t bytes) {
        return game.run(fmt::format("local _ = require('ecs').components.T {{ f = ('x'):rep({}) }}", bytes));
    };
    CHECK(with(TextPool::kMaxTextBytes) == "");
    CHECK_THAT(with(TextPool::kMaxTextBytes + 1), Catch::Contains(std::to_string(TextPool::kMaxTextBytes)));
}

TEST_CASE("the phases of Lua have the numbers of C++") {
    ScriptWorld game;
    REQUIRE(game.load("", "") == "");
    ScriptState& state = *game.runtime->state("game");
    state.push_runtime("layout", "phases");
    const auto number_of = [&](const char* name) {
        lua_getfield(state.lua(), -1, name);
        const auto number = static_cast<ScriptPhase>(lua_tointeger(state.lua(), -1));
        lua_pop(state.lua(), 1);
        return number;
    };
    CHECK(number_of("schema") == ScriptPhase::schema);
    CHECK(number_of("main") == ScriptPhase::main);
    CHECK(number_of("idle") == ScriptPhase::idle);
    CHECK(number_of("system") == ScriptPhase::system);
    CHECK(number_of("playback") == ScriptPhase::playback);
    CHECK(number_of("service") == ScriptPhase::service);
    CHECK(number_of("hash") == ScriptPhase::hash);
    CHECK(number_of("migrate") == ScriptPhase::migrate);
}

TEST_CASE("a mod's system may be in each group of a frame but those of the engine") {
    for (const std::string_view group : kFrameGroups) {
        INFO(group);
        ScriptWorld game;
        const std::string error = game.load(
            "", kHead + fmt::format("ecs.system('s', {{ group = '{}', run = function() end }})", group));
        CHECK((error == "") == (group != kTransforms));
        if (group == kTransforms)
            CHECK_THAT(error, Catch::Contains("groups are initialization, simulation, presentation"));
    }
}

}  // namespace
}  // namespace perigee
