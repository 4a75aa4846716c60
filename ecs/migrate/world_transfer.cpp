// Matches types, copies values with their references, then removes the entities on the old side.
#include "ecs/migrate/world_transfer.h"

#include "ecs/base/contract.h"
#include "ecs/base/error_codes.h"
#include "ecs/relations/hierarchy.h"
#include "ecs/relations/names.h"
#include "ecs/relations/references.h"
#include "ecs/schema/registry.h"
#include "ecs/storage/buffer.h"
#include "ecs/storage/object_store.h"
#include "ecs/world/internal/follow_up_work.h"
#include "ecs/world/internal/row_plan.h"
#include "ecs/world/objects.h"
#include "ecs/world/world.h"

#include <algorithm>
#include <map>
#include <new>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace perigee {

namespace {

class Transfer {
public:
    Transfer(World& from, World& to, std::vector<Entity> entities, const AcceptMoved& accept)
        : from_(from),
          to_(to),
          entities_(std::move(entities)),
          accept_(accept),
          arrived_(to),
          leaving_(from) {}

    // The new ids by the old ones.
    Result<std::unordered_map<Entity, Entity>> run() {
        if (Result<void> matched = match_types(); !matched) return matched.error();
        try {
            Result<void> copied = make_ids();
            for (std::size_t i = 0; copied && i < entities_.size(); ++i) copied = copy(entities_[i]);
            for (std::size_t i = 0; copied && i < entities_.size(); ++i) copied = link(entities_[i]);
            if (copied) copied = plan_leaving();
            if (!copied) {
                arrived_.finish();
                return copied.error();
            }
        } catch (...) {
            arrived_.finish();
            throw;
        }
        leaving_.finish();
        return std::move(ids_);
    }

private:
    // Maps the types of the other world; all missing ones are reported at once.
    Result<void> match_types() {
        std::set<ComponentId> used;
        for (const Entity entity : entities_) {
            const std::span<const ComponentId> components = from_.archetype_of(entity)->components();
            std::copy_if(components.begin(), components.end(), std::inserter(used, used.end()),
                         [this](ComponentId id) { return !is_kept(id); });
        }
        std::string mistakes;
        for (const ComponentId id : used) {
            const ComponentInfo& info = from_.registry().info(id);
            if (accept_)
                if (Result<void> accepted = accept_(info); !accepted) return accepted;
            const std::optional<ComponentId> other = to_.registry().find(info.schema.name);
            if (other && to_.registry().info(*other).hash == info.hash) {
                types_[id] = *other;
                continue;
            }
            mistakes += mistakes.empty() ? "" : "\n";
            mistakes += other ? errors::transfer_differs(info.schema.name, describe_layout(info.schema),
                                                         describe_layout(to_.registry().info(*other).schema))
                              : errors::transfer_unknown(info.schema.name);
        }
        if (!mistakes.empty()) return Error{mistakes};
        return {};
    }

    Result<void> make_ids() {
        for (const Entity entity : entities_) {
            const Entity made = to_.spawn();
            if (!made) return Error{errors::transfer_full(entities_.size())};
            if (!arrived_.erase(made)) {
                to_.destroy(made);
                return Error{errors::transfer_full(entities_.size())};
            }
            ids_.emplace(entity, made);
        }
        return {};
    }

    Result<void> copy(Entity entity) {
        const Entity made = ids_.at(entity);
        const std::span<const ComponentId> components = from_.archetype_of(entity)->components();
        std::vector<std::vector<std::byte>> values;
        std::vector<ComponentValue> added;
        std::set<ComponentId> present, left_out;
        for (const ComponentId id : components) {
            if (is_kept(id)) continue;
            const ComponentInfo& info = from_.registry().info(id);
            const ComponentId type = types_.at(id);
            present.insert(type);
            added.push_back({type, nullptr});
            const ComponentInfo& target = to_.registry().info(type);
            left_out.insert(target.required.begin(), target.required.end());
            const std::uint32_t bytes = from_.registry().value_bytes(id);
            if (bytes == 0 || info.kind() == ComponentKind::chunk) continue;
            const std::byte* value = from_.get(entity, id);
            values.emplace_back(value, value + bytes);
            if (Result<void> carried = carry(info, values.back().data()); !carried) return carried;
            added.back().value = values.back().data();
        }
        std::vector<ComponentId> unwanted;
        std::set_difference(left_out.begin(), left_out.end(), present.begin(), present.end(),
                            std::back_inserter(unwanted));
        if (!to_.change(made, added, unwanted)) return Error{errors::transfer_full(entities_.size())};
        for (const ComponentId id : components) {
            if (Result<void> special = copy_special(entity, made, id); !special) return special;
        }
        return {};
    }

    // The values that World::change does not accept.
    Result<void> copy_special(Entity entity, Entity made, ComponentId id) {
        if (is_kept(id)) return {};
        const ComponentInfo& info = from_.registry().info(id);
        const ComponentId type = types_.at(id);
        if (info.kind() == ComponentKind::enableable && !from_.is_enabled(entity, id)) {
            to_.set_enabled(made, type, false);
        } else if (info.kind() == ComponentKind::object) {
            const ObjectSlot slot = object_slot(from_, entity, id);
            const ObjectStore& objects = from_.objects();
            if (slot != 0)
                set_object(to_, made, type, objects.get(slot), objects.owner(slot), objects.type(slot));
        } else if (info.kind() == ComponentKind::buffer) {
            const DynamicBuffer source = from_.buffer(entity, id);
            const DynamicBuffer target = to_.buffer(made, type);
            return copy_elements(source, DynamicBuffer(target), info);
        }
        return {};
    }

    // The tree and names are rebuilt in the other world, so their components are not copied.
    bool is_kept(ComponentId id) const {
        const std::string_view name = from_.registry().info(id).schema.name;
        return from_.registry().info(id).schema.owner == "engine" &&
               (name == "Parent" || name == "Children" || name == "HierarchyDepth" || name == "Name");
    }

    Result<void> link(Entity entity) {
        for (const Entity child : children(from_, entity)) {
            if (Result<void> linked = set_parent(to_, ids_.at(child), ids_.at(entity)); !linked)
                return linked;
        }
        const std::string_view name = name_of(from_, entity);
        return name.empty() ? Result<void>{} : set_name(to_, ids_.at(entity), name);
    }

    // Removes the entities completely, including cleanup components; a remaining parent may lose its list.
    Result<void> plan_leaving() {
        std::unordered_map<Entity, std::size_t> lost;  // children of parents that stay
        bool is_possible = true;
        for (const Entity entity : entities_) {
            is_possible = is_possible && leaving_.erase(entity);
            const Entity parent = parent_of(from_, entity);
            if (!is_possible || !parent || ids_.contains(parent)) continue;
            if (++lost[parent] != child_count(from_, parent)) continue;
            const ComponentId list = from_.id<Children>();
            is_possible = leaving_.change(parent, {}, {&list, 1});
        }
        if (is_possible) return {};
        return Error{errors::transfer_full(entities_.size())};
    }

    Result<void> copy_elements(const DynamicBuffer& source, DynamicBuffer target, const ComponentInfo& info) {
        std::vector<std::byte> elements(source.data(),
                                        source.data() + std::size_t{source.length()} * source.element_size());
        for (std::uint32_t i = 0; i < source.length(); ++i) {
            std::byte* element = elements.data() + std::size_t{i} * source.element_size();
            if (Result<void> carried = carry(info, element); !carried) return carried;
        }
        if (!target.assign(elements.data(), source.length())) {
            return Error{errors::transfer_full(entities_.size())};
        }
        return {};
    }

    Result<void> carry(const ComponentInfo& info, std::byte* value) {
        remap_references(value, info.leaves, [this](Entity entity) {
            const auto known = ids_.find(entity);
            return known == ids_.end() ? Entity{} : known->second;
        });
        return carry_handles(from_, to_, info.leaves, value);
    }

    World& from_;
    World& to_;
    std::vector<Entity> entities_;
    const AcceptMoved& accept_;
    std::map<ComponentId, ComponentId> types_;
    std::unordered_map<Entity, Entity> ids_;
    internal::RowPlan arrived_;  ///< removes them if a step fails
    internal::RowPlan leaving_;
};

// Each once, with its descendants.
std::vector<Entity> all_moved(const World& from, std::span<const Entity> roots) {
    std::vector<Entity> entities;
    std::unordered_set<Entity> known;
    for (const Entity root : roots)
        if (from.is_alive(root) && known.insert(root).second) entities.push_back(root);
    for (std::size_t i = 0; i < entities.size(); ++i) {
        for (const Entity child : children(from, entities[i])) {
            if (known.insert(child).second) entities.push_back(child);
        }
    }
    return entities;
}

Result<std::unordered_map<Entity, Entity>> move_all(World& from, std::span<const Entity> roots, World& to,
                                                    const AcceptMoved& accept) {
    ECS_EXPECTS(&from != &to, "entities moved within one world");
    ECS_EXPECTS(!from.is_locked() && !to.is_locked());
    std::vector<Entity> entities = all_moved(from, roots);
    const std::uint64_t version = from.structure_version();
    for (const Entity entity : entities) {
        if (!internal::RowPlan::call_handlers(from, entity)) throw std::bad_alloc();
    }
    if (from.structure_version() != version) entities = all_moved(from, roots);
    Result<std::unordered_map<Entity, Entity>> moved = Transfer(from, to, std::move(entities), accept).run();
    from.store().settle_relations();  // they died there
    return moved;
}

}  // namespace

Result<std::size_t> move_entities(World& from, const Query& query, World& to) {
    ECS_EXPECTS(query.is_of(from.registry()), "a query of another world");
    const auto moved = move_all(from, query.entities(), to, {});
    if (!moved) return moved.error();
    return moved.value().size();
}

Result<std::vector<Entity>> move_entities(World& from, std::span<const Entity> entities, World& to,
                                          const AcceptMoved& accept) {
    const auto moved = move_all(from, entities, to, accept);
    if (!moved) return moved.error();
    std::vector<Entity> ids;
    for (const Entity entity : entities) {
        const auto arrived = moved.value().find(entity);
        ids.push_back(arrived == moved.value().end() ? Entity{} : arrived->second);
    }
    return ids;
}

}  // namespace perigee
