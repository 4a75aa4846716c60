// Creates, reads and releases Lua objects.
#include "scripting/mods/internal/object_api.h"

#include "ecs/base/internal/byte_stream.h"
#include "ecs/commands/command_buffer.h"
#include "ecs/world/objects.h"
#include "ecs/world/world.h"
#include "scripting/base/error_codes.h"
#include "scripting/mods/internal/host_call.h"
#include "scripting/mods/internal/script_mod.h"
#include "scripting/mods/internal/world_share.h"
#include "scripting/mods/runtime.h"
#include "scripting/mods/script_system.h"
#include "scripting/sandbox/state.h"
#include "scripting/views/lua_memory.h"

#include <lua.hpp>

#include <string>
#include <typeinfo>
#include <utility>

namespace perigee::internal {

namespace {

struct LuaObject {
    LuaObject(std::shared_ptr<DeadObjects> list, std::uint32_t given) noexcept
        : dead(std::move(list)), reference(given) {}
    ~LuaObject() {
        dead->references.push_back(reference);
        dead->bytes += bytes_of(text.size());
    }
    /// With its place in the store, a few cells that share it, and the number in the state.
    static std::size_t bytes_of(std::size_t text_bytes) noexcept { return 192 + text_bytes; }
    LuaObject(const LuaObject&) = delete;
    LuaObject& operator=(const LuaObject&) = delete;

    std::shared_ptr<DeadObjects> dead;
    std::uint32_t reference;
    ObjectKind kind = ObjectKind::none;  // for other mods
    double number = 0;
    std::string text;
};

ObjectHome& home_at(void* home) noexcept { return *static_cast<ObjectHome*>(home); }

// Makes the object of a number that is not in use.
std::shared_ptr<LuaObject> new_object(ObjectHome& home, std::uint32_t reference) {
    auto object = std::make_shared<LuaObject>(home.dead, reference);
    if (home.living.size() <= reference) home.living.resize(std::size_t{reference} + 1);
    home.living[reference] = object;
    return object;
}

// Null for reference 0: nil. The object of the reference, if there is one.
std::shared_ptr<void> object_from(ObjectHome& home, std::uint32_t reference, std::uint32_t kind,
                                  double number, const char* text, std::uint32_t length) {
    if (reference == 0) return nullptr;
    if (reference < home.living.size())
        if (std::shared_ptr<void> same = home.living[reference].lock()) return same;
    auto object = new_object(home, reference);
    object->kind = static_cast<ObjectKind>(kind);
    object->number = number;
    if (object->kind == ObjectKind::text) object->text.assign(text, length);
    return object;
}

/// True if the mod may have one more object. Called before it is created.
bool may_hold(double text_bytes) noexcept {
    WorldShare* const share = share_of_thread();
    return share == nullptr ||
           share->hold(OwnMemory::objects, LuaObject::bytes_of(static_cast<std::size_t>(text_bytes)));
}

bool set(void* home, double entity, std::uint32_t component, std::uint32_t reference, std::uint32_t kind,
         double number, const char* text, std::uint32_t length) noexcept {
    ObjectHome& mine = home_at(home);
    return set_object(*mine.world, entity_from_number(entity), component_at(component),
                      object_from(mine, reference, kind, number, text, length), mine.owner,
                      &typeid(LuaObject));
}

void command_add(void* system, void* home, double entity, std::uint32_t component, std::uint32_t reference,
                 std::uint32_t kind, double number, const char* text, std::uint32_t length) noexcept {
    ObjectHome& mine = home_at(home);
    static_cast<ScriptSystem*>(system)->commands().add_object(
        entity_from_number(entity), component_at(component),
        object_from(mine, reference, kind, number, text, length), mine.owner, &typeid(LuaObject));
}

/// False when the entity lacks the component.
bool get(void* home, double entity, std::uint32_t component, void* value) noexcept {
    const ObjectHome& mine = home_at(home);
    const Entity subject = entity_from_number(entity);
    perigee_object& out = *static_cast<perigee_object*>(value);
    out = perigee_object{};
    if (!mine.world->has(subject, component_at(component))) return false;
    const ObjectStore& store = mine.world->objects();
    const ObjectSlot slot = object_slot(*mine.world, subject, component_at(component));
    const std::shared_ptr<void>& object = store.get(slot);
    if (object == nullptr || store.type(slot) == nullptr || *store.type(slot) != typeid(LuaObject))
        return true;
    const auto& lua = *static_cast<const LuaObject*>(object.get());
    out = {lua.number,
           lua.text.data(),
           static_cast<std::uint32_t>(lua.text.size()),
           static_cast<std::uint32_t>(store.owner(slot) == mine.owner ? ObjectKind::own : lua.kind),
           lua.reference,
           0};
    return true;
}

/// One reusable number; 0 if there is none.
std::uint32_t take_dead(void* home) noexcept {
    std::vector<std::uint32_t>& list = home_at(home).dead->references;
    if (list.empty()) return 0;
    const std::uint32_t reference = list.back();
    list.pop_back();
    return reference;
}

// ---- copies -----------------------------------------------------------------------------------------------

struct KeptLua {
    std::string mod;
    std::string text;
};

bool can_run(const ScriptMod& mod) {
    return mod.state != nullptr && !mod.state->is_given_up() && !mod.has_failed;
}

// The top of the stack, which is removed.
std::string take_text(lua_State* lua) {
    std::size_t length = 0;
    const char* const text = lua_tolstring(lua, -1, &length);
    std::string taken = text != nullptr ? std::string(text, length) : std::string();
    lua_pop(lua, 1);
    return taken;
}

Result<std::shared_ptr<void>> keep_lua(ScriptRuntime& runtime, const std::shared_ptr<void>& object) {
    for (ScriptMod* const mod : runtime.mods()) {
        const std::uint32_t reference = object_reference(mod->objects, object);
        if (reference == 0 || !can_run(*mod)) continue;
        mod->state->push_runtime("object", "to_text");
        lua_pushinteger(mod->state->lua(), static_cast<lua_Integer>(reference));
        if (auto error = mod->state->call(1, 1)) return Error{std::move(error->message)};
        auto kept = std::make_shared<KeptLua>();
        kept->mod = mod->name;
        kept->text = take_text(mod->state->lua());
        return std::shared_ptr<void>(std::move(kept));
    }
    return std::shared_ptr<void>();
}

Result<std::shared_ptr<void>> restore_lua(ScriptRuntime& runtime, const KeptLua& kept) {
    ScriptMod* const mod = runtime.find_mod(kept.mod);
    if (mod == nullptr || !can_run(*mod)) return std::shared_ptr<void>();
    const std::size_t max_bytes = LuaObject::bytes_of(kept.text.size());
    if (!mod->share.hold_aside(OwnMemory::objects, max_bytes))
        return Error{std::string(messages::kNoRoomForObjects)};
    lua_State* const lua = mod->state->lua();
    mod->state->push_runtime("object", "from_text");
    lua_pushlstring(lua, kept.text.data(), kept.text.size());
    if (auto error = mod->state->call(1, 4)) {
        mod->share.release(OwnMemory::objects, max_bytes);
        return Error{std::move(error->message)};
    }
    const auto reference = static_cast<std::uint32_t>(lua_tointeger(lua, -4));
    auto object = new_object(mod->objects, reference);
    object->kind = static_cast<ObjectKind>(lua_tointeger(lua, -3));
    object->number = lua_tonumber(lua, -2);
    const std::string text = take_text(lua);
    if (object->kind == ObjectKind::text) object->text = text;
    lua_pop(lua, 3);
    mod->share.release(OwnMemory::objects, max_bytes - LuaObject::bytes_of(object->text.size()));
    return std::shared_ptr<void>(std::move(object));
}

}  // namespace

std::uint32_t object_reference(const ObjectHome& home, const std::shared_ptr<void>& object) {
    const auto& lua = *static_cast<const LuaObject*>(object.get());
    return lua.dead == home.dead ? lua.reference : 0;
}

std::vector<NativeFunction> object_functions() {
    return {
        native_function<&may_hold>("object_may_hold"),
        native_function<&set>("object_set"),
        native_function<&get>("object_get"),
        native_function<&take_dead>("object_take_dead"),
        native_function<&command_add>("command_add_object"),
    };
}

ObjectCopies object_copies(ScriptRuntime& runtime) {
    ObjectCopies copies;
    copies.type = &typeid(LuaObject);
    copies.keep = [&runtime](const std::shared_ptr<void>& object) { return keep_lua(runtime, object); };
    copies.restore = [&runtime](const std::shared_ptr<void>& kept) {
        return restore_lua(runtime, *static_cast<const KeptLua*>(kept.get()));
    };
    copies.write = [](const std::shared_ptr<void>& kept) {
        const auto& lua = *static_cast<const KeptLua*>(kept.get());
        ByteWriter to;
        to.put_text(lua.mod);
        to.put_text(lua.text);
        return to.take();
    };
    copies.read = [&runtime](std::string_view bytes) -> Result<KeptObject> {
        ByteReader from(bytes);
        KeptLua kept{std::string(from.get_text()), std::string(from.get_text())};
        if (!from.is_ok() || !from.is_at_end()) return Error{std::string(messages::kBrokenObject)};
        const ScriptMod* const mod = runtime.find_mod(kept.mod);
        if (mod == nullptr) return KeptObject{};
        return KeptObject{std::make_shared<KeptLua>(std::move(kept)), &typeid(LuaObject), mod->objects.owner};
    };
    return copies;
}

void remove_object_copies(ScriptRuntime& runtime) {
    World& world = runtime.world();
    for (std::uint16_t i = 0; i < world.registry().size(); ++i) {
        const ObjectCopies* const copies = world.objects().copies(ComponentId{i});
        if (copies != nullptr && copies->type == &typeid(LuaObject))
            world.objects().set_copies(ComponentId{i}, {});
    }
}

}  // namespace perigee::internal
