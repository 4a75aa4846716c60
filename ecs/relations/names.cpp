// The index is one ordered set of (text, entity), so the lowest index comes first.
#include "ecs/relations/names.h"

#include "ecs/base/contract.h"
#include "ecs/base/error_codes.h"
#include "ecs/base/internal/plain_name.h"
#include "ecs/relations/hierarchy.h"
#include "ecs/schema/schema.h"
#include "ecs/schema/text_pool.h"
#include "ecs/world/internal/removal_hooks.h"
#include "ecs/world/world.h"

#include <compare>
#include <cstring>
#include <memory>
#include <set>
#include <string>
#include <utility>

namespace perigee {

namespace {

using NameEntries = std::set<std::pair<std::uint32_t, Entity>>;  ///< handle of the text, entity

struct NameIndex {
    NameEntries entries;
};

void forget_name(World& world, Entity entity) noexcept {
    world.part<NameIndex>().entries.erase({world.get<Name>(entity)->text.index, entity});
}

std::shared_ptr<void> index_of(ComponentId component, const internal::ComingRows& rows) {
    auto index = std::make_shared<NameIndex>();
    rows.each(component, [&](Entity entity, const std::byte* cell) {
        Name name;
        std::memcpy(&name, cell, sizeof name);
        index->entries.insert({name.text.index, entity});
    });
    return index;
}

void replace_index(World& world, void* prepared) noexcept {
    world.part<NameIndex>().entries.swap(static_cast<NameIndex*>(prepared)->entries);
}

// True if the names of the parents, from the nearest on, match the path from its end.
bool is_below_path(const World& world, Entity entity, std::string_view path) noexcept {
    while (!path.empty()) {
        const std::size_t slash = path.rfind('/');
        const std::string_view last = slash == path.npos ? path : path.substr(slash + 1);
        path = slash == path.npos ? std::string_view() : path.substr(0, slash);
        entity = parent_of(world, entity);
        if (!entity || name_of(world, entity) != last) return false;
    }
    return true;
}

}  // namespace

Result<void> declare_names(World& world) {
    if (world.is_bound<Name>()) return {};
    Schema schema;
    schema.name = "Name";
    schema.owner = "engine";
    schema.doc = "What an entity is called; set_name writes it.";
    schema.fields.resize(1);
    schema.fields[0].name = "text";
    schema.fields[0].type = FieldType::text;
    const Result<ComponentId> id = world.declare(std::move(schema));
    if (!id) return id.error();
    world.part<NameIndex>();
    world.store().set_component_hooks(
        id.value(), {.on_removed = forget_name, .prepare = index_of, .replace = replace_index});
    world.bind<Name>("Name", field("text", &Name::text))
        .value();  // last, so that is_bound means: all are declared
    return {};
}

Result<void> check_name(std::string_view name) {
    if (name.find('/') != name.npos) return Error{errors::name_with_slash(name)};
    if (internal::has_control_character(name)) return Error{errors::control_character("set_name", name)};
    return {};
}

Result<void> set_name(World& world, Entity entity, std::string_view name) {
    if (Result<void> declared = declare_names(world); !declared) return declared;
    if (!world.is_alive(entity)) return Error{errors::name_of_dead(name, std::to_string(entity.bits))};
    if (Result<void> checked = check_name(name); !checked) return checked;
    if (name.empty()) {
        if (world.remove<Name>(entity)) return {};
        return Error{errors::no_room_for_name(name)};
    }
    const Result<TextHandle> text = world.texts().intern(name);
    if (!text) return text.error();
    NameEntries entry{
        {text.value().index, entity}};  // allocated first, so that updating the index cannot fail
    if (world.has<Name>(entity)) {
        forget_name(world, entity);
        world.edit<Name>(entity)->text = text.value();
    } else if (!world.add(entity, Name{text.value()})) {
        return Error{errors::no_room_for_name(name)};
    }
    world.part<NameIndex>().entries.merge(entry);
    return {};
}

void internal::NewNames::add_to_index(World& world) noexcept {
    if (!entries_.empty()) world.part<NameIndex>().entries.merge(entries_);
}

std::string_view name_of(const World& world, Entity entity) noexcept {
    if (!world.is_bound<Name>()) return {};
    const Name* name = world.get<Name>(entity);
    return name == nullptr ? std::string_view() : world.texts().text(name->text);
}

Entity find_named(const World& world, std::string_view path) noexcept {
    const NameIndex* index = world.find_part<NameIndex>();
    if (index == nullptr) return Entity{};
    const std::size_t slash = path.rfind('/');
    const std::string_view last = slash == path.npos ? path : path.substr(slash + 1);
    const std::string_view above = slash == path.npos ? std::string_view() : path.substr(0, slash);
    const TextHandle text = world.texts().find(last);
    if (text.index == 0) return Entity{};
    for (auto at = index->entries.lower_bound({text.index, Entity{}});
         at != index->entries.end() && at->first == text.index; ++at) {
        if (is_below_path(world, at->second, above)) return at->second;
    }
    return Entity{};
}

}  // namespace perigee
