// Clones first, so that all new ids are known; then references, links and names.
#include "ecs/relations/tree_clone.h"

#include "ecs/relations/hierarchy.h"
#include "ecs/relations/names.h"
#include "ecs/relations/references.h"
#include "ecs/world/internal/row_plan.h"
#include "ecs/world/internal/stored_values.h"
#include "ecs/world/world.h"

#include <new>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace perigee {

namespace {

class TreeClone {
public:
    explicit TreeClone(World& world) : world_(world), undo_(world) {}

    Entity run(Entity top) {
        try {
            if (clone_all(internal::subtree_of(world_, top)) && finish_all(top)) return copies_.at(top);
        } catch (const std::bad_alloc&) {
        }
        undo_.finish();
        return Entity{};
    }

private:
    bool clone_all(std::vector<Entity> originals) {
        originals_ = std::move(originals);
        for (const Entity entity : originals_) {
            const Entity copy = world_.clone(entity);
            if (!copy) return false;
            if (!undo_.erase(copy)) {
                world_.destroy(copy);
                return false;
            }
            copies_.emplace(entity, copy);
        }
        return true;
    }

    bool finish_all(Entity top) {
        for (const Entity entity : originals_) {
            const Entity copy = copies_.at(entity);
            if (!remap(copy)) return false;
            if (entity == top) continue;
            if (!set_parent(world_, copy, copies_.at(parent_of(world_, entity)))) return false;
            const std::string_view name = name_of(world_, entity);
            if (!name.empty() && !set_name(world_, copy, name)) return false;
        }
        return true;
    }

    bool remap(Entity copy) {
        const std::span<const ComponentId> all = world_.archetype_of(copy)->components();
        for (const ComponentId id : all) {
            const ComponentInfo& info = world_.registry().info(id);
            if (is_shared_kind(info.kind()) && !remap_shared(copy, info)) return false;
            if (info.leaves.empty() || info.kind() == ComponentKind::chunk) continue;
            if (std::byte* cell = world_.edit(copy, id)) {  // null for shared ones
                internal::each_value_in_cell(info, cell, [&](const std::byte* value) {
                    remap_value(info, const_cast<std::byte*>(value));
                });
            }
        }
        return true;
    }

    // The row moves to the chunks of the value that refers to the clones.
    bool remap_shared(Entity copy, const ComponentInfo& info) {
        const std::byte* value = world_.get(copy, info.id);
        std::vector<std::byte> changed(value, value + info.schema.size);
        return remap_value(info, changed.data()) == 0 || world_.set(copy, info.id, changed.data());
    }

    std::size_t remap_value(const ComponentInfo& info, std::byte* value) const {
        return remap_references(value, info.leaves, [this](Entity entity) {
            const auto known = copies_.find(entity);
            return known == copies_.end() ? entity : known->second;
        });
    }

    World& world_;
    internal::RowPlan undo_;  ///< removes the copies if a step fails
    std::vector<Entity> originals_;
    std::unordered_map<Entity, Entity> copies_;
};

}  // namespace

Entity clone_tree(World& world, Entity top) {
    return world.is_alive(top) ? TreeClone(world).run(top) : Entity{};
}

}  // namespace perigee
