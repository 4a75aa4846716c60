// One function per action, all of the same shape: read arguments, act, return.
#include "scripting/tools/internal/test_api.h"

#include "ecs/base/suggest.h"
#include "ecs/query/chunk_view.h"
#include "ecs/world/world.h"
#include "scripting/base/error_codes.h"
#include "scripting/host/internal/service_call.h"
#include "scripting/mods/internal/host_call.h"
#include "scripting/mods/runtime.h"
#include "scripting/sandbox/bind.h"
#include "scripting/tools/test_state.h"

#include <fmt/format.h>

#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace perigee::internal {

namespace {

TestHome& home_of(lua_State* lua) {
    return *static_cast<TestHome*>(lua_touserdata(lua, lua_upvalueindex(1)));
}

int number_at(lua_State* lua, int index) { return static_cast<int>(lua_tointeger(lua, index)); }

int answer(lua_State* lua, const Result<void>& result) {
    if (!result) return nil_and_message(lua, result.error().message);
    lua_pushboolean(lua, 1);
    return 1;
}

int answer(lua_State* lua, const Result<std::string>& result) {
    if (!result) return nil_and_message(lua, result.error().message);
    push_text(lua, result.value());
    return 1;
}

int start(lua_State* lua) {
    TestGameOptions options;
    options.seed = static_cast<std::uint64_t>(lua_tonumber(lua, 1));
    options.allows_errors = lua_toboolean(lua, 2) != 0;
    const Result<int> game = home_of(lua).actions.start(options);
    if (!game) return nil_and_message(lua, game.error().message);
    lua_pushinteger(lua, game.value());
    return 1;
}

int step(lua_State* lua) {
    return answer(lua, home_of(lua).actions.step(number_at(lua, 1), number_at(lua, 2)));
}

int set_input(lua_State* lua) {
    return answer(lua,
                  home_of(lua).actions.set_input(number_at(lua, 1), text_at(lua, 2), lua_tonumber(lua, 3)));
}

int move_mouse(lua_State* lua) {
    return answer(
        lua, home_of(lua).actions.move_mouse(number_at(lua, 1), lua_tonumber(lua, 2), lua_tonumber(lua, 3)));
}

int resize(lua_State* lua) {
    return answer(lua, home_of(lua).actions.resize(number_at(lua, 1), number_at(lua, 2), number_at(lua, 3)));
}

// The smallest and the largest that resize takes.
int screen_sides(lua_State* lua) {
    const TestActions& actions = home_of(lua).actions;
    lua_pushinteger(lua, actions.min_screen_side);
    lua_pushinteger(lua, actions.max_screen_side);
    return 2;
}

int type_text(lua_State* lua) {
    return answer(lua, home_of(lua).actions.type_text(number_at(lua, 1), text_at(lua, 2)));
}

int hash(lua_State* lua) { return answer(lua, home_of(lua).actions.hash(number_at(lua, 1))); }
int has_quit(lua_State* lua) {
    const Result<bool> quit = home_of(lua).actions.has_quit(number_at(lua, 1));
    if (!quit) return nil_and_message(lua, quit.error().message);
    lua_settop(lua, 0);
    lua_pushboolean(lua, quit.value() ? 1 : 0);
    return 1;
}

int picture(lua_State* lua) { return answer(lua, home_of(lua).actions.picture(number_at(lua, 1))); }
int health(lua_State* lua) { return answer(lua, home_of(lua).actions.check_health(number_at(lua, 1))); }

int compiled(lua_State* lua) { return answer(lua, home_of(lua).actions.check_compiled(number_at(lua, 1))); }

int compare(lua_State* lua) {
    return answer(lua,
                  home_of(lua).actions.compare(text_at(lua, 1), text_at(lua, 2), lua_toboolean(lua, 3) != 0));
}

/// The mod under test, in the game under test.
Result<ScriptMod*> mod_under_test(lua_State* lua, std::string_view name) {
    const Result<ScriptRuntime*> scripts = home_of(lua).actions.scripts(number_at(lua, 1));
    if (!scripts) return scripts.error();
    ScriptMod* const mod = scripts.value()->find_mod(name);
    if (mod == nullptr || mod->state == nullptr) return Error{fmt::format(messages::kNoSuchMod, name)};
    return mod;
}

Result<ComponentId> component_named(const ScriptMod& mod, std::string_view name) {
    if (const std::optional<ComponentId> id = mod.component(name)) return *id;
    return Error{fmt::format(messages::kUnknownComponent, name, did_you_mean(mod.nearest_component(name)))};
}

// game, names of components -> the entities that have them all.
int find(lua_State* lua) {
    const Result<ScriptMod*> mod = mod_under_test(lua, home_of(lua).mod);
    if (!mod) return nil_and_message(lua, mod.error().message);
    QueryDesc desc;
    for (int i = 2; i <= lua_gettop(lua); ++i) {
        const Result<ComponentId> id = component_named(*mod.value(), text_at(lua, i));
        if (!id) return nil_and_message(lua, id.error().message);
        desc.terms.push_back({id.value(), Access::read, false});
    }
    World& world = mod.value()->runtime.world();
    const Result<Query*> query = world.query(desc);
    if (!query) return nil_and_message(lua, query.error().message);
    std::vector<double> numbers;
    world.each_chunk(*query.value(), [&](ChunkView& chunk) {
        const std::span<const Entity> entities = chunk.entities();
        for (std::uint32_t row = 0; row < chunk.row_count(); ++row)
            if (chunk.is_enabled(row)) numbers.push_back(number_from_entity(entities[row]));
    });
    lua_createtable(lua, static_cast<int>(numbers.size()), 0);
    int at = 0;
    for (const double number : numbers) {
        lua_pushnumber(lua, number);
        lua_rawseti(lua, -2, ++at);
    }
    return 1;
}

/// Calls a function of probe.lua in the mod's state with a name and a number, and copies its results.
Result<std::string> probed(ScriptMod& mod, std::string_view word, std::string_view name, double number) {
    ScriptState& state = *mod.state;
    lua_State* const lua = state.lua();
    const int top = lua_gettop(lua);
    const auto fail = [&](ScriptError error) {
        lua_settop(lua, top);
        return Error{std::move(error.message)};
    };
    state.push_runtime("parts", "need");
    lua_pushliteral(lua, "probe");
    if (auto error = state.call(1, 1)) return fail(std::move(*error));
    push_text(lua, word);
    lua_gettable(lua, -2);
    push_text(lua, name);
    lua_pushnumber(lua, number);
    if (auto error = state.call(2, 1)) return fail(std::move(*error));
    Result<std::string> bytes = bytes_from_values(lua, lua_gettop(lua), lua_gettop(lua));
    lua_settop(lua, top);
    return bytes;
}

// game, word, name, number -> a copy.
int probe(lua_State* lua) {
    const Result<ScriptMod*> mod = mod_under_test(lua, home_of(lua).mod);
    if (!mod) return nil_and_message(lua, mod.error().message);
    const Result<std::string> bytes =
        probed(*mod.value(), text_at(lua, 2), text_at(lua, 3), lua_tonumber(lua, 4));
    if (!bytes) return nil_and_message(lua, bytes.error().message);
    return push_values(lua, bytes.value());
}

// game, mod (nil: the mod under test), code.
int run(lua_State* lua) {
    const std::string mod(lua_isstring(lua, 2) != 0 ? text_at(lua, 2) : std::string_view(home_of(lua).mod));
    const Result<ScriptRuntime*> scripts = home_of(lua).actions.scripts(number_at(lua, 1));
    if (!scripts) return nil_and_message(lua, scripts.error().message);
    const std::vector<ScriptError> errors = scripts.value()->run(mod, text_at(lua, 3), "test");
    if (!errors.empty()) return nil_and_message(lua, errors.front().text());
    lua_pushboolean(lua, 1);
    return 1;
}

}  // namespace

void extend_host_with_tests(lua_State* lua, TestHome& home) {
    set_function<start>(lua, "test_start", &home);
    set_function<step>(lua, "test_step", &home);
    set_function<set_input>(lua, "test_set_input", &home);
    set_function<move_mouse>(lua, "test_move_mouse", &home);
    set_function<resize>(lua, "test_resize", &home);
    set_function<screen_sides>(lua, "test_screen_sides", &home);
    set_function<type_text>(lua, "test_type_text", &home);
    set_function<hash>(lua, "test_hash", &home);
    set_function<has_quit>(lua, "test_has_quit", &home);
    set_function<picture>(lua, "test_picture", &home);
    set_function<health>(lua, "test_health", &home);
    set_function<compiled>(lua, "test_compiled", &home);
    set_function<compare>(lua, "test_compare", &home);
    set_function<find>(lua, "test_find", &home);
    set_function<probe>(lua, "test_probe", &home);
    set_function<run>(lua, "test_run", &home);
}

}  // namespace perigee::internal
