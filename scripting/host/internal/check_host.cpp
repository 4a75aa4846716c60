// Tables of trusted Lua -> DeclarationLog.
#include "scripting/host/internal/check_host.h"

#include "ecs/base/contract.h"
#include "ecs/schedule/schedule.h"
#include "scripting/check/declaration_log.h"
#include "scripting/host/system_from_lua.h"
#include "scripting/mods/internal/host_call.h"
#include "scripting/sandbox/bind.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace perigee::internal {

namespace {

std::string text_of(lua_State* lua, int table, const char* key) {
    lua_getfield(lua, table, key);
    std::string text(text_at(lua, -1));
    lua_pop(lua, 1);
    return text;
}

int number_of(lua_State* lua, int table, const char* key) {
    lua_getfield(lua, table, key);
    const int number = static_cast<int>(lua_tointeger(lua, -1));
    lua_pop(lua, 1);
    return number;
}

ComponentId component_of(lua_State* lua, int index) {
    return ComponentId{static_cast<std::uint16_t>(lua_tointeger(lua, index))};
}

CapturedName::Kind kind_from(std::string_view word) {
    const auto& names = CapturedName::kKindNames;
    const auto found = std::ranges::find(names, word);
    ECS_EXPECTS(found != names.end(), word);
    return static_cast<CapturedName::Kind>(found - names.begin());
}

CapturedName captured_from(lua_State* lua, int index) {
    CapturedName captured;
    captured.name = text_of(lua, index, "name");
    captured.text = text_of(lua, index, "import");
    captured.kind = kind_from(text_of(lua, index, "kind"));
    captured.number = static_cast<std::size_t>(number_of(lua, index, "number"));
    if (captured.kind == CapturedName::Kind::component)
        captured.component = ComponentId{static_cast<std::uint16_t>(number_of(lua, index, "id"))};
    return captured;
}

std::vector<CapturedName> names_from(lua_State* lua, int index, const char* key) {
    std::vector<CapturedName> names;
    each_entry(lua, index, key, [&] { names.push_back(captured_from(lua, lua_gettop(lua))); });
    return names;
}

DeclaredFunction function_from(lua_State* lua, int index) {
    DeclaredFunction function;
    function.word = text_of(lua, index, "word");
    function.file = text_of(lua, index, "file");
    function.first_line = number_of(lua, index, "first");
    function.last_line = number_of(lua, index, "last");
    function.captured = names_from(lua, index, "captured");
    return function;
}

DeclarationLog& log_of(lua_State* lua) { return *mod_of(lua).runtime.config().declarations; }

// A function or table gets its number before its contents are reported, since they may refer back to it.
int new_function(lua_State* lua) {
    DeclarationLog& log = log_of(lua);
    lua_pushinteger(lua, static_cast<lua_Integer>(log.functions.size()));
    log.functions.push_back(function_from(lua, 1));
    return 1;
}

int new_table(lua_State* lua) {
    DeclarationLog& log = log_of(lua);
    lua_pushinteger(lua, static_cast<lua_Integer>(log.tables.size()));
    log.tables.emplace_back();
    return 1;
}

int note_captured(lua_State* lua) {
    log_of(lua).functions.at(static_cast<std::size_t>(lua_tointeger(lua, 1))).captured =
        names_from(lua, 2, "names");
    return 0;
}

int note_fields(lua_State* lua) {
    log_of(lua).tables.at(static_cast<std::size_t>(lua_tointeger(lua, 1))).fields =
        names_from(lua, 2, "names");
    return 0;
}

int note_system(lua_State* lua) {
    ScriptMod& mod = mod_of(lua);
    DeclaredSystem system;
    system.mod = mod.name;
    system.desc = system_from_lua(lua, 1, mod);
    lua_getfield(lua, 1, "runs");
    system.takes_runs = lua_toboolean(lua, -1) != 0;
    lua_pop(lua, 1);
    each_entry(lua, 1, "queries", [&] {
        const int entry = lua_gettop(lua);
        DeclaredQuery& query = system.queries.emplace_back();
        query.name = text_of(lua, entry, "name");
        query.desc = query_from_lua(lua, entry);
        lua_getfield(lua, entry, "runs");
        query.takes_runs = lua_toboolean(lua, -1) != 0;
    });
    system.is_presentation =
        !system.desc.reacts_to && mod.runtime.schedule().is_presentation(system.desc.group);
    each_entry(lua, 1, "services", [&] { system.services.emplace_back(text_at(lua, -1)); });
    system.file = text_of(lua, 2, "file");
    system.line = number_of(lua, 2, "line");
    each_entry(lua, 2, "functions", [&] { system.functions.push_back(function_from(lua, lua_gettop(lua))); });
    mod.runtime.config().declarations->systems.push_back(std::move(system));
    return 0;
}

int note_patch(lua_State* lua) {
    ScriptMod& mod = mod_of(lua);
    DeclaredPatch patch;
    patch.mod = mod.name;
    patch.prefab = text_at(lua, 1);
    patch.file = text_of(lua, 2, "file");
    patch.line = number_of(lua, 2, "line");
    each_entry(lua, 2, "given", [&] {
        const int entry = lua_gettop(lua);
        const auto id = static_cast<std::uint16_t>(number_of(lua, entry, "id"));
        patch.given.push_back({ComponentId{id}, text_of(lua, entry, "field")});
    });
    each_entry(lua, 2, "taken", [&] { patch.taken.push_back(component_of(lua, -1)); });
    mod.runtime.config().declarations->patches.push_back(std::move(patch));
    return 0;
}

int note_finding(lua_State* lua) {
    ScriptMod& mod = mod_of(lua);
    mod.runtime.config().declarations->findings.push_back(
        {mod.name, std::string(text_at(lua, 1)), static_cast<int>(lua_tointeger(lua, 2)),
         std::string(text_at(lua, 3)), lua_toboolean(lua, 4) != 0});
    return 0;
}

}  // namespace

void extend_host_with_checks(lua_State* lua, ScriptMod& mod) {
    set_function<note_system>(lua, "note_system", &mod);
    set_function<note_patch>(lua, "note_patch", &mod);
    set_function<new_function>(lua, "new_function", &mod);
    set_function<new_table>(lua, "new_table", &mod);
    set_function<note_captured>(lua, "note_captured", &mod);
    set_function<note_fields>(lua, "note_fields", &mod);
    set_function<note_finding>(lua, "note_finding", &mod);
}

}  // namespace perigee::internal
