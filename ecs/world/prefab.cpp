// Stores prefabs by name and id.
#include "ecs/world/prefab.h"

#include "ecs/base/error_codes.h"
#include "ecs/base/memory_quota.h"
#include "ecs/schema/schema.h"
#include "ecs/storage/buffer.h"

#include <algorithm>

namespace perigee {

bool is_prefab_value(const Schema& schema, std::size_t bytes) noexcept {
    if (bytes == 0) return true;
    if (schema.kind != ComponentKind::buffer) return bytes == value_bytes(schema);
    return bytes % schema.size == 0 && bytes / schema.size <= kMaxBufferElements && bytes <= kMaxBufferBytes;
}

std::string wrong_prefab_value(std::string_view prefab, const Schema& schema, std::size_t bytes) {
    if (schema.kind == ComponentKind::object) return errors::prefab_of_object(prefab, schema.name);
    const bool is_buffer = schema.kind == ComponentKind::buffer;
    return is_buffer ? errors::prefab_elements_size(prefab, schema.name, schema.size, bytes)
                     : errors::prefab_value_size(prefab, schema.name, value_bytes(schema), bytes);
}

namespace {

// Memory of one prefab, including names and map nodes.
std::size_t bytes_of(const Prefab& prefab) noexcept {
    constexpr std::size_t kNodeBytes = 64;
    std::size_t bytes = sizeof(Prefab) + kNodeBytes + 2 * prefab.name.size() + prefab.image.size() +
                        prefab.shared.size() * sizeof(SharedIndex) +
                        prefab.extras.size() * sizeof(std::uint32_t);
    for (const PrefabComponent& part : prefab.components) bytes += sizeof part + part.value.size();
    for (const PrefabReference& reference : prefab.references)
        bytes += sizeof reference + reference.field.size() + reference.part.size();
    for (const PrefabPart& part : prefab.parts)
        bytes += sizeof part + part.name.size() + part.links.size() * sizeof part.links[0];
    return bytes;
}

}  // namespace

Result<PrefabId> PrefabStore::add(Prefab prefab) {
    if (by_name_.count(prefab.name) != 0) return Error{errors::prefab_exists(prefab.name)};
    const auto by_component = [](const PrefabComponent& a, const PrefabComponent& b) {
        return a.component < b.component;
    };
    std::sort(prefab.components.begin(), prefab.components.end(), by_component);
    const std::size_t bytes = bytes_of(prefab);
    if (!internal::may_take(MemoryKind::prefabs, bytes))
        return Error{errors::memory_refused(MemoryKind::prefabs)};
    const PrefabId id{static_cast<std::uint32_t>(prefabs_.size())};
    const auto named = by_name_.emplace(prefab.name, id).first;
    try {
        prefabs_.push_back(std::move(prefab));
    } catch (...) {
        by_name_.erase(named);
        throw;
    }
    bytes_ += bytes;
    return id;
}

void PrefabStore::remove_last() noexcept {
    const std::size_t bytes = bytes_of(prefabs_.back());
    bytes_ -= std::min(bytes, bytes_);
    internal::gave_back(MemoryKind::prefabs, bytes);
    by_name_.erase(prefabs_.back().name);
    prefabs_.pop_back();
}

void PrefabStore::swap_contents(PrefabId a, PrefabId b) noexcept {
    Prefab& first = get(a);
    Prefab& second = get(b);
    std::swap(first, second);
    std::swap(first.name, second.name);
}

std::optional<PrefabId> PrefabStore::find(std::string_view name) const noexcept {
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace perigee
