// Prefabs: named sets of components with values, from which entities are made one by one or in bulk.
//
// Invariant: a prefab is immutable once added; its archetype is resolved when it is first used. Flat only: no
// children, no inheritance.
#pragma once

#include "ecs/component.h"
#include "ecs/result.h"
#include "ecs/shared_store.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perigee {

class Archetype;
class ChunkView;

/// Fills the new rows of one chunk when entities are made in bulk: rows first .. last - 1 of `chunk` are new
/// and hold their prefab's values. Term i of the view is the i-th component of the archetype. Returns false
/// when it failed; then the whole batch is destroyed before anyone sees it.
using SpawnInitializer = std::function<bool(ChunkView& chunk, std::uint32_t first, std::uint32_t last)>;

struct PrefabId {
    std::uint32_t index = 0xFFFFFFFF;
    constexpr auto operator<=>(const PrefabId&) const noexcept = default;
};

/// One component of a prefab; an empty value means the schema's defaults.
struct PrefabComponent {
    ComponentId component;
    std::vector<std::byte> value;  ///< the row's bytes, or empty
};

struct Prefab {
    std::string name;
    std::vector<PrefabComponent> components;  ///< sorted by component id, no duplicates
    Archetype* archetype = nullptr;           ///< set by the world
    std::vector<std::byte> image;             ///< of a row of the archetype; set by the world
    std::vector<SharedIndex> shared;  ///< of its shared components, counted for good; set by the world
};

class PrefabStore {
public:
    /// Errors: a name in use. Components are sorted here. Expects: no component twice (World::add_prefab
    /// checks).
    Result<PrefabId> add(Prefab prefab);
    std::optional<PrefabId> find(std::string_view name) const noexcept;
    const Prefab& get(PrefabId id) const noexcept;
    Prefab& get(PrefabId id) noexcept;
    std::size_t size() const noexcept { return prefabs_.size(); }

private:
    std::deque<Prefab> prefabs_;
    std::map<std::string, PrefabId, std::less<>> by_name_;
};

}  // namespace perigee
