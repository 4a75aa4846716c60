// Reading the lists of one description.
#include "scripting/host/internal/prefab_host.h"

#include "ecs/base/contract.h"
#include "ecs/prefab/prefab_desc.h"
#include "ecs/world/prefab.h"
#include "ecs/world/world.h"
#include "scripting/base/error_codes.h"
#include "scripting/base/script_limits.h"
#include "scripting/mods/internal/host_call.h"
#include "scripting/mods/internal/mod_link.h"
#include "scripting/mods/internal/script_mod.h"
#include "scripting/mods/internal/script_reload.h"
#include "scripting/sandbox/bind.h"
#include "scripting/sandbox/internal/fuel_tank.h"
#include "scripting/sandbox/state.h"
#include "scripting/views/schema_from_lua.h"

#include <fmt/format.h>
#include <lua.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <new>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

namespace perigee::internal {

namespace {

// Calls fn(index) with the i-th element of each named list of the table on top at -1, -2, … from the last
// name on.
template <typename Function>
void each_row(lua_State* lua, std::initializer_list<const char*> lists, Function&& fn) {
    const int table = lua_gettop(lua);
    lua_getfield(lua, table, *lists.begin());
    const int count = static_cast<int>(lua_objlen(lua, -1));
    lua_settop(lua, table);
    for (int i = 1; i <= count; ++i) {
        for (const char* list : lists) {
            lua_getfield(lua, table, list);
            lua_rawgeti(lua, -1, i);
            lua_remove(lua, -2);
        }
        fn();
        lua_settop(lua, table);
    }
}

ComponentId component_on_stack(lua_State* lua, int index) {
    return ComponentId{static_cast<std::uint16_t>(lua_tointeger(lua, index))};
}

PrefabValues values_on_top(lua_State* lua) {
    PrefabValues values;
    each_row(lua, {"ids", "images", "off"}, [&] {
        PrefabComponent component{component_on_stack(lua, -3), {}};
        component.is_enabled = lua_toboolean(lua, -1) == 0;
        if (lua_type(lua, -2) == LUA_TSTRING) {
            const auto image = std::as_bytes(std::span(text_at(lua, -2)));
            component.value.assign(image.begin(), image.end());
        }
        values.components.push_back(std::move(component));
    });
    each_row(lua, {"field_ids", "field_names", "field_values"}, [&] {
        values.fields.push_back(
            {component_on_stack(lua, -3), std::string(text_at(lua, -2)), field_value_from_lua(lua, -1)});
    });
    each_row(lua, {"removed"}, [&] { values.removed.push_back(component_on_stack(lua, -1)); });
    each_row(lua, {"reference_ids", "reference_fields", "reference_parts", "reference_offsets"}, [&] {
        values.references.push_back({component_on_stack(lua, -4), std::string(text_at(lua, -3)),
                                     std::string(text_at(lua, -2)),
                                     static_cast<std::uint32_t>(lua_tonumber(lua, -1))});
    });
    return values;
}

// The world's name of the prefab whose number is in a field; empty without one.
std::string prefab_name(lua_State* lua, const ScriptMod& mod, const char* key) {
    lua_getfield(lua, -1, key);
    std::string name;
    if (lua_type(lua, -1) == LUA_TNUMBER) {
        const PrefabId prefab{static_cast<std::uint32_t>(lua_tointeger(lua, -1))};
        name = mod.runtime.world().prefabs().get(renewed_prefab(mod, prefab)).name;
    }
    lua_pop(lua, 1);
    return name;
}

// Separates the name of a prefab and a number, for its new content.
constexpr std::string_view kAgain = " #";

// The complete description as text. Shape: numbers and texts, each after its length; for comparison only.
class DescText {
public:
    explicit DescText(const PrefabDesc& desc) {
        add_prefab(desc.base);
        add(desc.values);
        add(desc.children);
    }
    std::string text;
    bool refers_to_new = false;  ///< to a prefab that is itself declared again

private:
    void add_prefab(std::string_view name) {
        const std::size_t number = name.find(kAgain);
        refers_to_new |= number != std::string_view::npos;
        add(name.substr(0, number));
    }
    void add(const std::vector<PrefabChild>& children) {
        text += fmt::format("{}< ", children.size());
        for (const PrefabChild& child : children) {
            add_prefab(child.prefab);
            add(child.name);
            text += fmt::format("{} ", child.may_be_new);
            add(child.values);
            add(child.children);
        }
    }
    void add(std::string_view part) { text += fmt::format("{}:{} ", part.size(), part); }
    void add(const FieldValue& value) {
        std::visit(
            [this](const auto& data) {
                using T = std::decay_t<decltype(data)>;
                if constexpr (std::is_arithmetic_v<T>) text += fmt::format("{} ", data);
                if constexpr (std::is_same_v<T, std::string>) add(std::string_view(data));
                if constexpr (std::is_same_v<T, FieldValueList>) {
                    text += fmt::format("[{} ", data.size());
                    for (const FieldValue& element : data) add(element);
                }
                if constexpr (std::is_same_v<T, FieldValueMap>) {
                    text += fmt::format("{{{} ", data.size());
                    for (const auto& [name, member] : data) {
                        add(std::string_view(name));
                        add(member);
                    }
                }
            },
            static_cast<const FieldData::variant&>(value.data));
    }
    void add(const PrefabValues& values) {
        for (const PrefabComponent& component : values.components) {
            text += fmt::format("{} {} ", component.component.index, component.is_enabled);
            add(std::string_view(reinterpret_cast<const char*>(component.value.data()),
                                 component.value.size()));
        }
        for (const auto& field : values.fields) {
            text += fmt::format("f{} ", field.component.index);
            add(field.field);
            add(field.value);
        }
        for (const ComponentId removed : values.removed) text += fmt::format("-{} ", removed.index);
        for (const PrefabReference& reference : values.references) {
            text += fmt::format("r{} ", reference.component.index);
            add(reference.field);
            add(reference.part);
            text += fmt::format("{} ", reference.offset.value_or(0));
        }
    }
};

// A prefab that the mod had before the reload: unchanged, or its new content.
Result<PrefabId> say_again(ScriptMod& mod, PrefabDesc desc, PrefabId known, const DescText& said) {
    const bool is_same = mod.before->prefab_texts.find(desc.name)->second == said.text;
    if (is_same && !said.refers_to_new && !mod.has_changed_layouts) return known;
    World& world = mod.runtime.world();
    desc.name = fmt::format("{}{}{}", desc.name, kAgain, world.prefabs().size());
    const Result<std::vector<PrefabId>> ids = add_prefabs(world, {&desc, 1});
    if (!ids) return ids.error();
    mod.renewed_prefabs.push_back({known, ids.value().front()});
    return known;
}

// A running system may declare what it has declared before, since its game may have been taken back to an
// earlier step, and what code declared that a reload has replaced.
bool may_say_late(const ScriptMod& mod, const std::string& name, const DescText& said) {
    const auto text = mod.prefab_texts.find(name);
    return text == mod.prefab_texts.end() || text->second == said.text;
}

Result<PrefabId> say_late(ScriptMod& mod, PrefabDesc desc, PrefabId known) {
    if (mod.prefab_texts.contains(desc.name)) return known;
    World& world = mod.runtime.world();
    desc.name = fmt::format("{}{}{}", desc.name, kAgain, world.prefabs().size());
    const Result<std::vector<PrefabId>> ids = add_prefabs(world, {&desc, 1});
    if (!ids) return ids.error();
    world.prefabs().swap_contents(known, ids.value().front());
    mod.runtime.forget_prefab_views(known);
    mod.runtime.forget_prefab_views(ids.value().front());
    return known;
}

}  // namespace

int find_prefab(lua_State* lua) {
    const ScriptMod& mod = mod_of(lua);
    if (const auto found = mod.runtime.world().prefabs().find(mod.system_name(text_at(lua, 1)))) {
        lua_pushinteger(lua, found->index);
        return 1;
    }
    return nil_and_message(lua, fmt::format(messages::kNoPrefabToChange, text_at(lua, 1)));
}

// The children of the table on top, with their descendants. Their depth is limited when they are read.
static std::vector<PrefabChild> children_on_top(lua_State* lua, const ScriptMod& mod) {
    std::vector<PrefabChild> children;
    luaL_checkstack(lua, 8, "children of a prefab");
    each_row(lua, {"children"}, [&] {
        PrefabChild child;
        child.prefab = prefab_name(lua, mod, "prefab");
        lua_getfield(lua, -1, "name");
        if (lua_type(lua, -1) == LUA_TSTRING) child.name = text_at(lua, -1);
        lua_pop(lua, 1);
        lua_getfield(lua, -1, "may_be_new");
        child.may_be_new = lua_toboolean(lua, -1) != 0;
        lua_pop(lua, 1);
        child.values = values_on_top(lua);
        child.children = children_on_top(lua, mod);
        children.push_back(std::move(child));
    });
    return children;
}

// The description at index 2, whose name and base are known.
static PrefabDesc desc_from_lua(lua_State* lua, const ScriptMod& mod, std::string name, std::string base) {
    PrefabDesc desc;
    desc.name = std::move(name);
    desc.base = std::move(base);
    lua_settop(lua, 2);
    desc.values = values_on_top(lua);
    desc.children = children_on_top(lua, mod);
    return desc;
}

namespace {

PrefabSize growth_by(const ScriptCode& code, PrefabId target, bool only_applied = false) noexcept {
    PrefabSize sum;
    for (const PrefabChange& change : code.prefab_changes) {
        if (change.target != target || (only_applied && !change.has_happened)) continue;
        sum.parts += change.growth.parts;
        sum.bytes += change.growth.bytes;
    }
    return sum;
}

std::size_t above(std::size_t number, std::size_t other) noexcept { return number - std::min(number, other); }

// What `changed` adds to `target`. On reload the previous patches of the mod are still applied.
PrefabSize growth_of(const ScriptMod& mod, PrefabId target, PrefabId changed) noexcept {
    const PrefabSize now = size_of_prefab(mod.runtime.world(), changed);
    const PrefabSize old = size_of_prefab(mod.runtime.world(), target);
    const PrefabSize own = mod.before != nullptr ? growth_by(*mod.before, target, true) : PrefabSize{};
    return {above(now.parts, above(old.parts, own.parts)), above(now.bytes, above(old.bytes, own.bytes))};
}

// Why a mod may not add this much to a prefab that it does not own; empty if it may.
std::string refusal_of_patch(const ScriptMod& mod, PrefabId target, std::string_view prefab,
                             const PrefabSize& growth) {
    PrefabSize own = growth_by(mod, target);
    own.parts += growth.parts;
    own.bytes += growth.bytes;
    PrefabSize all = own;
    for (const ScriptMod* const other : mod.runtime.mods()) {
        if (other == &mod || other->has_failed) continue;
        const PrefabSize theirs = growth_by(*other, target);
        all.parts += theirs.parts;
        all.bytes += theirs.bytes;
    }
    const auto message = [&](std::string_view text, std::size_t number, std::string_view what,
                             std::size_t most) {
        return fmt::format(fmt::runtime(text), prefab, number, what, mod.name, most);
    };
    if (growth.parts > 0 && own.parts > kPatchOfMod.parts)
        return message(messages::kPatchTooLarge, own.parts, "entities", kPatchOfMod.parts);
    if (growth.bytes > 0 && own.bytes > kPatchOfMod.bytes)
        return message(messages::kPatchTooLarge, own.bytes, "bytes", kPatchOfMod.bytes);
    if (growth.parts > 0 && all.parts > kPatchOfAll.parts)
        return message(messages::kPatchesTooLarge, all.parts, "entities", kPatchOfAll.parts);
    if (growth.bytes > 0 && all.bytes > kPatchOfAll.bytes)
        return message(messages::kPatchesTooLarge, all.bytes, "bytes", kPatchOfAll.bytes);
    return {};
}

}  // namespace

int patch_prefab(lua_State* lua) {
    ScriptMod& mod = mod_of(lua);
    World& world = mod.runtime.world();
    const std::string name = mod.system_name(text_at(lua, 1));
    const std::optional<PrefabId> target = world.prefabs().find(name);
    if (!target) return nil_and_message(lua, fmt::format(messages::kNoPrefabToChange, text_at(lua, 1)));
    const std::string_view owner = owner_of(mod, name);
    if (!mod.may_use(owner))
        return nil_and_message(lua, fmt::format(messages::kNotUsed, text_at(lua, 1), owner));
    if (mod.prefab_changes.size() >= kMaxPatches)
        return nil_and_message(lua, fmt::format(messages::kTooManyOfMod, kMaxPatches, "patches of prefabs"));
    // A separate prefab until the mod has loaded.
    const std::string changed = fmt::format("{} of {} #{}", mod.name, name, world.prefabs().size());
    const std::string base = world.prefabs().get(renewed_prefab(mod, *target)).name;
    const PrefabDesc desc = desc_from_lua(lua, mod, changed, base);
    const Result<std::vector<PrefabId>> ids = add_prefabs(world, {&desc, 1});
    if (!ids) return nil_and_message(lua, ids.error().message);
    PrefabSize growth;
    if (owner != mod.name) {
        growth = growth_of(mod, *target, ids.value().front());
        const std::string refusal = refusal_of_patch(mod, *target, text_at(lua, 1), growth);
        if (!refusal.empty()) return nil_and_message(lua, refusal);
    }
    mod.prefab_changes.push_back({*target, ids.value().front(), growth});
    lua_pushboolean(lua, 1);
    return 1;
}

// Throws if an archetype cannot be created.
Result<std::vector<PrefabId>> added(World& world, const PrefabDesc& desc) {
    try {
        return add_prefabs(world, {&desc, 1});
    } catch (const std::bad_alloc&) {
        return Error{std::string(messages::kWorldFull)};
    }
}

int add_prefab(lua_State* lua) {
    ScriptMod& mod = mod_of(lua);
    World& world = mod.runtime.world();
    lua_settop(lua, 2);
    const std::string base = prefab_name(lua, mod, "base");
    PrefabDesc desc = desc_from_lua(lua, mod, mod.own_name(text_at(lua, 1)), base);
    const std::string name = desc.name;
    const DescText said(desc);
    const std::optional<PrefabId> known = world.prefabs().find(name);
    if (known && mod.before != nullptr && mod.before->prefab_texts.contains(name) &&
        !mod.prefab_texts.contains(name)) {
        const Result<PrefabId> again = say_again(mod, std::move(desc), *known, said);
        if (!again) return nil_and_message(lua, again.error().message);
        lua_pushinteger(lua, again.value().index);
    } else if (known && mod.phase() == ScriptPhase::idle && may_say_late(mod, name, said)) {
        const Result<PrefabId> again = say_late(mod, std::move(desc), *known);
        if (!again) return nil_and_message(lua, again.error().message);
        lua_pushinteger(lua, again.value().index);
    } else {
        if (mod.prefab_texts.size() >= kMaxPrefabs)
            return nil_and_message(lua, fmt::format(messages::kTooManyOfMod, kMaxPrefabs, "prefabs"));
        static_cast<void>(take_memory_refusal());
        const Result<std::vector<PrefabId>> ids = added(world, desc);
        if (!ids)
            return nil_and_message(lua, take_memory_refusal() ? mod.refusal_of_world() : ids.error().message);
        lua_pushinteger(lua, ids.value().front().index);
        if (mod.before != nullptr)
            mod.before->prefab_texts[name] = said.text;  // it stays, even after an error
    }
    mod.prefab_texts[name] = said.text;
    return 1;
}

int load_data(lua_State* lua) {
    ScriptMod& mod = mod_of(lua);
    const std::string path(text_at(lua, 1));
    const DataLoader& load = mod.runtime.config().load_data;
    if (!load) return nil_and_message(lua, messages::kNoDataFiles);
    const Result<std::string> text = mod.files->read(path);
    if (!text) return nil_and_message(lua, path + " " + text.error().message);
    const bool only_prefabs = lua_toboolean(lua, 2) != 0;
    if (!only_prefabs && !mod.share.has_room_for_entities())
        return nil_and_message(lua, mod.refusal_of_world());
    const std::size_t entities = mod.runtime.world().entity_count();
    Result<LoadedData> loaded{LoadedData{}};
    const auto known = mod.before != nullptr ? mod.before->data.find(path) : mod.data.end();
    if (mod.before != nullptr && known != mod.before->data.end()) {
        if (known->second.first != text.value())
            return nil_and_message(lua, fmt::format(messages::kDataChanged, path));
        loaded = known->second.second;
    } else {
        FuelTank& fuel = ScriptState::of(lua).fuel();
        const bool is_counted = fuel.is_open() && fuel.limits().counts_fuel;
        const double left = is_counted ? fuel.left(lua) : std::numeric_limits<double>::max();
        double work = left;
        loaded =
            load(mod.runtime.world(), mod.is_root() ? "" : mod.name, path, text.value(), only_prefabs, work);
        if (is_counted) fuel.spend(lua, left - work);
    }
    if (!loaded) return nil_and_message(lua, loaded.error().message);
    // The next file is refused if this one used more steps than were left.
    static_cast<void>(mod.share.ask_entities(mod.runtime.world().entity_count() - entities));
    // A file with entities is loaded now and is not part of the code.
    if (only_prefabs) mod.data[path] = {text.value(), loaded.value()};
    lua_newtable(lua);
    int number = 0;
    for (const PrefabId id : loaded.value().prefabs) {
        const std::string& name = mod.runtime.world().prefabs().get(id).name;
        const std::size_t prefix = mod.is_root() ? 0 : mod.name.size() + 1;
        lua_createtable(lua, 2, 0);
        push_text(lua, std::string_view(name).substr(prefix));
        lua_rawseti(lua, -2, 1);
        lua_pushinteger(lua, id.index);
        lua_rawseti(lua, -2, 2);
        lua_rawseti(lua, -2, ++number);
    }
    lua_newtable(lua);
    number = 0;
    for (const Entity entity : loaded.value().entities) {
        lua_pushnumber(lua, number_from_entity(entity));
        lua_rawseti(lua, -2, ++number);
    }
    return 2;
}

int record_load(lua_State* lua) {
    ScriptMod& mod = mod_of(lua);
    const std::string path(text_at(lua, 2));
    if (!mod.runtime.config().load_data) return nil_and_message(lua, messages::kNoDataFiles);
    Result<std::string> text = mod.files->read(path);
    if (!text) return nil_and_message(lua, path + " " + text.error().message);
    const auto address = static_cast<std::uintptr_t>(lua_tonumber(lua, 1));
    const auto system = std::ranges::find_if(
        mod.systems, [&](const auto& s) { return reinterpret_cast<std::uintptr_t>(s.get()) == address; });
    ECS_EXPECTS(system != mod.systems.end());
    // Creating its contents takes time and memory too.
    if (!(*system)->may_grow(text.value().size())) return nil_and_message(lua, mod.refusal_of_world());
    lua_pushnumber(lua, static_cast<double>(text.value().size()));
    (*system)->load_data(path, std::move(text).value());
    return 1;
}

}  // namespace perigee::internal
