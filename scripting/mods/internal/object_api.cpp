// Creates, reads and releases Lua objects.
#include "scripting/mods/internal/object_api.h"

#include "ecs/commands/command_buffer.h"
#include "ecs/world/objects.h"
#include "ecs/world/world.h"
#include "scripting/mods/internal/host_call.h"
#include "scripting/mods/internal/world_share.h"
#include "scripting/mods/script_system.h"
#include "scripting/views/lua_memory.h"

#include <string>
#include <typeinfo>

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

// Null for reference 0: nil.
std::shared_ptr<void> object_from(const ObjectHome& home, std::uint32_t reference, std::uint32_t kind,
                                  double number, const char* text, std::uint32_t length) {
    if (reference == 0) return nullptr;
    auto object = std::make_shared<LuaObject>(home.dead, reference);
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
    const ObjectHome& mine = home_at(home);
    return set_object(*mine.world, entity_from_number(entity), component_at(component),
                      object_from(mine, reference, kind, number, text, length), mine.owner,
                      &typeid(LuaObject));
}

void command_add(void* system, void* home, double entity, std::uint32_t component, std::uint32_t reference,
                 std::uint32_t kind, double number, const char* text, std::uint32_t length) noexcept {
    const ObjectHome& mine = home_at(home);
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

}  // namespace perigee::internal
