// Calls into scripts/runtime/tools/console.lua.
#include "scripting/tools/console.h"

#include "ecs/schema/registry.h"
#include "ecs/world/world.h"
#include "scripting/base/error_codes.h"
#include "scripting/lua/internal/line_reads.h"
#include "scripting/mods/internal/script_mod.h"
#include "scripting/mods/runtime.h"
#include "scripting/sandbox/bind.h"

#include <fmt/format.h>
#include <lua.hpp>

#include <algorithm>
#include <utility>

namespace perigee {

namespace {

// Names as written in the mod: its own and the game's are plain; those of others are "mod:Name" and so cannot
// be written as C.Name.
void push_component_names(lua_State* lua, const internal::ScriptMod& mod) {
    lua_newtable(lua);
    int count = 0;
    const ComponentRegistry& registry = mod.runtime.world().registry();
    for (std::uint16_t i = 0; i < registry.size(); ++i) {
        std::string_view name = registry.info(ComponentId{i}).schema.name;
        const std::string own = mod.name + ":";
        if (name.starts_with(own)) name.remove_prefix(own.size());
        if (name.find(':') != name.npos) continue;
        push_text(lua, name);
        lua_rawseti(lua, -2, ++count);
    }
}

}  // namespace

ConsoleAnswer evaluate(ScriptRuntime& scripts, std::string_view mod, std::string_view line) {
    ConsoleAnswer answer;
    internal::ScriptMod* const found = scripts.find_mod(mod);
    if (found == nullptr || found->state == nullptr) {
        answer.errors.push_back(fmt::format(messages::kNoSuchMod, mod));
        return answer;
    }
    found->collect_objects();
    ScriptState& state = *found->state;
    lua_State* const lua = state.lua();
    const auto take_lines = [&] {
        for (std::string& text : texts_on_top(lua)) answer.lines.push_back(std::move(text));
        lua_pop(lua, 1);
    };
    state.push_runtime("console", "evaluate");
    push_text(lua, line);
    push_component_names(lua, *found);
    const auto error = state.call(2, 1);
    state.push_runtime("console", "take_printed");
    if (!state.call(0, 2)) {
        answer.may_have_changed = lua_toboolean(lua, -1) != 0 && !internal::only_reads(line);
        lua_pop(lua, 1);
        take_lines();
    }
    if (error)
        answer.errors.push_back(error->text());
    else
        take_lines();
    return answer;
}

std::string Completion::extend(std::string_view line) const {
    if (words.empty()) return std::string(line);
    std::size_t common = words.front().size();
    for (const std::string& word : words) {
        const auto [mine, others] = std::ranges::mismatch(words.front(), word);
        common = std::min(common, static_cast<std::size_t>(mine - words.front().begin()));
    }
    return std::string(line.substr(0, line.size() - replaced)) + words.front().substr(0, common);
}

Completion complete(ScriptRuntime& scripts, std::string_view mod, std::string_view line) {
    Completion completion;
    internal::ScriptMod* const found = scripts.find_mod(mod);
    if (found == nullptr || found->state == nullptr) return completion;
    ScriptState& state = *found->state;
    lua_State* const lua = state.lua();
    state.push_runtime("console", "complete");
    push_text(lua, line);
    push_component_names(lua, *found);
    if (state.call(2, 2)) return completion;
    completion.replaced = static_cast<std::size_t>(lua_tointeger(lua, -1));
    lua_pop(lua, 1);
    completion.words = texts_on_top(lua);
    lua_pop(lua, 1);
    return completion;
}

}  // namespace perigee
