// Checks a prefab and resolves it: its archetype, and the image of its row.
#include "ecs/prefab/make_prefab.h"

#include "ecs/base/contract.h"
#include "ecs/base/error_codes.h"
#include "ecs/base/internal/plain_name.h"
#include "ecs/prefab/internal/prefab_parts.h"
#include "ecs/storage/buffer.h"
#include "ecs/storage/shared_store.h"
#include "ecs/world/world.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace perigee {

namespace {

// Writes the value into a cell of an image. False when it does not fit: a buffer that begins on the heap.
bool write_to_cell(const Schema& schema, std::span<const std::byte> value, std::byte* cell) {
    if (schema.kind == ComponentKind::buffer) {
        const BufferHeader header{0, static_cast<std::uint32_t>(value.size() / schema.size), 0};
        if (header.length > schema.buffer_capacity) return false;
        std::memcpy(cell, &header, sizeof header);
        cell += sizeof header;
    }
    std::copy(value.begin(), value.end(), cell);
    return true;
}

}  // namespace

void internal::resolve_prefab(World& world, Prefab& prefab, Archetype& archetype) {
    prefab.archetype = &archetype;
    prefab.image.assign(archetype.default_image(), archetype.default_image() + archetype.image_bytes());
    std::sort(prefab.components.begin(), prefab.components.end(),
              [](const PrefabComponent& a, const PrefabComponent& b) { return a.component < b.component; });
    for (std::size_t i = 0; i < prefab.components.size(); ++i) {
        const PrefabComponent& part = prefab.components[i];
        const int column = archetype.column_of(part.component);
        bool is_extra = !part.is_enabled || archetype.chunk_value_of(part.component) >= 0;
        if (column >= 0 && !part.value.empty()) {
            std::byte* cell = prefab.image.data() + archetype.image_offset(static_cast<std::size_t>(column));
            is_extra =
                !write_to_cell(world.registry().info(part.component).schema, part.value, cell) || is_extra;
        }
        if (is_extra) prefab.extras.push_back(static_cast<std::uint32_t>(i));
    }
    prefab.shared.reserve(archetype.shared_components().size());
    for (const ComponentId component : archetype.shared_components()) {
        const ComponentInfo& info = world.registry().info(component);
        const auto part =
            std::find_if(prefab.components.begin(), prefab.components.end(),
                         [&](const PrefabComponent& own) { return own.component == component; });
        const bool has_value = part != prefab.components.end() && !part->value.empty();
        prefab.shared.push_back(
            world.shared().intern(info, has_value ? part->value.data() : info.schema.defaults.data()));
    }
}

Result<PrefabId> add_prefab(World& world, Prefab prefab) {
    if (internal::has_control_character(prefab.name)) {
        return Error{errors::control_character("prefab", prefab.name)};
    }
    std::vector<ComponentId> components;
    for (const PrefabComponent& part : prefab.components) {
        ECS_EXPECTS(part.component.index < world.registry().size(), part.component.index);
        const Schema& schema = world.registry().info(part.component).schema;
        if (!is_component_kind(schema.kind) || is_cleanup_kind(schema.kind)) {
            return Error{errors::prefab_of_kind(prefab.name, schema.name, kind_name(schema.kind))};
        }
        if (!is_prefab_value(schema, part.value.size())) {
            return Error{wrong_prefab_value(prefab.name, schema, part.value.size())};
        }
        components.push_back(part.component);
    }
    std::vector<ComponentId> sorted = components;
    std::sort(sorted.begin(), sorted.end());
    if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end()) {
        return Error{errors::prefab_names_twice(prefab.name, world.registry().info(*twice).schema.name)};
    }
    for (const PrefabComponent& part : prefab.components) {
        const std::vector<ComponentId>& required = world.registry().info(part.component).required;
        components.insert(components.end(), required.begin(), required.end());
    }
    Result<Archetype*> archetype = world.store().graph().require(components);
    if (!archetype) return archetype.error();
    const std::span<const ComponentId> shared = archetype.value()->shared_components();
    const auto undo = [&] {
        for (std::size_t i = 0; i < prefab.shared.size(); ++i)
            world.shared().release(shared[i], prefab.shared[i]);
    };
    prefab.spawn_parts = prefab.parts.empty() ? nullptr : internal::spawn_parts;
    try {
        internal::resolve_prefab(world, prefab, *archetype.value());
        Result<PrefabId> id = world.prefabs().add(prefab);
        if (!id) undo();
        return id;
    } catch (...) {
        undo();
        throw;
    }
}

void remove_prefabs_after(World& world, std::size_t count) noexcept {
    while (world.prefabs().size() > count) {
        const Prefab& last =
            world.prefabs().get(PrefabId{static_cast<std::uint32_t>(world.prefabs().size() - 1)});
        const std::span<const ComponentId> shared = last.archetype->shared_components();
        for (std::size_t i = 0; i < shared.size(); ++i) world.shared().release(shared[i], last.shared[i]);
        world.prefabs().remove_last();
    }
}

}  // namespace perigee
