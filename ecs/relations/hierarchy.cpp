// Linking and unlinking. Row moves are planned first; after that nothing can fail, and the links are written.
#include "ecs/relations/hierarchy.h"

#include "ecs/base/contract.h"
#include "ecs/base/error_codes.h"
#include "ecs/schema/schema.h"
#include "ecs/world/internal/follow_up_work.h"
#include "ecs/world/internal/removal_hooks.h"
#include "ecs/world/internal/row_plan.h"
#include "ecs/world/world.h"

#include <algorithm>
#include <array>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace perigee {

namespace {

std::string shown(Entity entity) { return "entity " + std::to_string(entity.bits); }

// Removes a child from its parent's list; its own links stay unchanged.
void unlink(World& world, Entity child) noexcept {
    const Parent link = *world.get<Parent>(child);
    if (Parent* previous = world.edit<Parent>(link.previous_sibling))
        previous->next_sibling = link.next_sibling;
    if (Parent* next = world.edit<Parent>(link.next_sibling)) next->previous_sibling = link.previous_sibling;
    Children* list = world.edit<Children>(link.parent);
    if (list == nullptr) return;
    if (!link.previous_sibling) list->first = link.next_sibling;
    if (!link.next_sibling) list->last = link.previous_sibling;
    --list->count;
}

// Plans the removal of Children from a parent that loses its last child.
bool plan_list(World& world, Entity child, internal::RowPlan& plan) {
    const Entity parent = parent_of(world, child);
    if (child_count(world, parent) != 1) return true;
    const ComponentId list = world.id<Children>();
    return plan.change(parent, {}, {&list, 1});
}

Result<void> check_loop(const World& world, Entity child, Entity parent) {
    if (child != parent && child_count(world, child) == 0) return {};  // it has no descendants
    Entity above = parent;
    while (above && above != child) {
        above = parent_of(world, above);
        ++internal::t_follow_up_work;
    }
    if (!above) return {};
    std::string loop = shown(child);
    std::size_t named = 0;
    for (Entity at = parent; at != child; at = parent_of(world, at)) {
        if (++named <= 8) loop += " below " + shown(at);
    }
    if (named > 8) loop += " below " + std::to_string(named - 8) + " more";
    return Error{errors::parent_loop(loop + " below " + shown(child))};
}

std::uint16_t depth_below(std::uint16_t depth) {
    return std::min<std::uint16_t>(static_cast<std::uint16_t>(depth + 1), HierarchyDepth::kDeepest);
}

// Updates the depths below an entity that gets this depth. Below a correct depth all are correct.
bool plan_depths(World& world, Entity top, std::uint16_t depth, internal::RowPlan& plan) {
    if (child_count(world, top) == 0) return true;
    std::vector<std::pair<Entity, std::uint16_t>> pending{{top, depth}};
    while (!pending.empty()) {
        const auto [parent, above] = pending.back();
        pending.pop_back();
        const HierarchyDepth below{depth_below(above)};
        const ComponentValue value{world.id<HierarchyDepth>(), reinterpret_cast<const std::byte*>(&below)};
        for (const Entity child : children(world, parent)) {
            internal::t_follow_up_work += 8;  // its row moves
            if (depth_of(world, child) == below.depth) continue;
            if (!plan.set_shared(child, value)) return false;
            pending.emplace_back(child, below.depth);
        }
    }
    return true;
}

bool plan_detached(World& world, Entity child, internal::RowPlan& plan) {
    const std::array<ComponentId, 2> links{world.id<Parent>(), world.id<HierarchyDepth>()};
    return plan_list(world, child, plan) && plan.change(child, {}, links) &&
           plan_depths(world, child, 0, plan);
}

// Appends a child that has a Parent to the existing list of its parent.
void append(World& world, Entity child, Entity parent) noexcept {
    Children& list = *world.edit<Children>(parent);
    *world.edit<Parent>(child) = Parent{parent, Entity{}, list.last};
    if (list.last) world.edit<Parent>(list.last)->next_sibling = child;
    if (!list.first) list.first = child;
    list.last = child;
    ++list.count;
}

bool attach(World& world, Entity child, Entity parent) {
    const HierarchyDepth depth{depth_below(depth_of(world, parent))};
    const Parent no_link;
    const std::array<ComponentValue, 2> links{
        ComponentValue{world.id<Parent>(), reinterpret_cast<const std::byte*>(&no_link)},
        ComponentValue{world.id<HierarchyDepth>(), reinterpret_cast<const std::byte*>(&depth)}};
    const ComponentValue no_children{world.id<Children>()};
    const bool was_child = world.has<Parent>(child);
    internal::RowPlan plan(world);
    const bool is_possible = (world.has<Children>(parent) || plan.change(parent, {&no_children, 1}, {})) &&
                             (was_child ? plan_list(world, child, plan) && plan.set_shared(child, links[1])
                                        : plan.change(child, links, {})) &&
                             plan_depths(world, child, depth.depth, plan);
    if (!is_possible) return false;
    if (was_child) unlink(world, child);
    plan.finish();
    append(world, child, parent);
    return true;
}

bool detach(World& world, Entity child) {
    internal::RowPlan plan(world);
    if (!plan_detached(world, child, plan)) return false;
    plan.finish();
    return true;
}

// ---- what follows when an entity dies or loses a component: see internal::Dependents ----

bool dies_alone(const World& world, Entity entity) noexcept {
    return child_count(world, entity) == 0 && child_count(world, parent_of(world, entity)) != 1;
}

bool plan_death(World& world, Entity top, internal::RowPlan& plan) {
    try {
        const std::vector<Entity> dying = internal::subtree_of(world, top);
        for (std::size_t i = dying.size(); i-- > 0;) {
            if (!plan.destroy(dying[i])) return false;
        }
        return plan_list(world, top, plan);
    } catch (const std::bad_alloc&) {
        return false;
    }
}

bool plan_leaving(World& world, Entity entity, std::span<const ComponentId> leaving,
                  internal::RowPlan& plan) {
    const auto leaves = [&](ComponentId id) {
        return std::find(leaving.begin(), leaving.end(), id) != leaving.end();
    };
    try {
        const bool leaves_parent = leaves(world.id<Parent>());
        if (leaves_parent && !plan_list(world, entity, plan)) return false;
        if (!leaves(world.id<Children>())) return !leaves_parent || plan_depths(world, entity, 0, plan);
        const std::vector<Entity> dying = internal::subtree_of(world, entity);
        for (std::size_t i = dying.size(); i-- > 1;) {
            if (!plan.destroy(dying[i])) return false;
        }
        return true;
    } catch (const std::bad_alloc&) {
        return false;
    }
}

// World::remove of a Parent.
bool detach_from(World& world, Entity child) { return set_parent(world, child, Entity{}).ok(); }

Schema links_schema(std::string name, std::string doc) {
    Schema schema;
    schema.name = std::move(name);
    schema.owner = "engine";
    schema.doc = std::move(doc);
    return schema;
}

Field link_field(std::string name, FieldType type, std::string doc) {
    Field field;
    field.name = std::move(name);
    field.type = type;
    field.doc = std::move(doc);
    return field;
}

}  // namespace

Result<void> declare_hierarchy(World& world) {
    if (world.is_bound<HierarchyDepth>()) return {};
    Schema parent = links_schema("Parent", "To whom an entity belongs; set_parent writes it.");
    parent.fields = {link_field("parent", FieldType::entity, "moves and dies with it"),
                     link_field("next_sibling", FieldType::entity, "0 for the last child"),
                     link_field("previous_sibling", FieldType::entity, "0 for the first child")};
    Schema child_list = links_schema("Children", "Who belongs to an entity; set_parent writes it.");
    child_list.fields = {
        link_field("first", FieldType::entity, "child"), link_field("last", FieldType::entity, "child"),
        link_field("count", FieldType::u32, "of children"), link_field("unused", FieldType::u32, "")};
    Schema depth = links_schema("HierarchyDepth", "How many parents are above; 64 means 64 or more.");
    depth.kind = ComponentKind::shared;
    depth.fields = {link_field("depth", FieldType::u16, "from 1")};
    depth.fields.front().default_value.data = 1.0;
    for (Schema* schema : {&parent, &child_list, &depth}) {
        const bool is_link = schema == &parent;
        const Result<ComponentId> id = world.declare(std::move(*schema));
        if (!id) return id.error();
        internal::ComponentHooks hooks;
        if (is_link) hooks = {.on_removed = unlink, .remove = detach_from};
        world.store().set_component_hooks(id.value(), hooks);
    }
    const Result<ComponentId> bound_parent = world.bind<Parent>(
        "Parent", field("parent", &Parent::parent), field("next_sibling", &Parent::next_sibling),
        field("previous_sibling", &Parent::previous_sibling));
    ECS_INVARIANT(bound_parent.ok());
    world
        .bind<Children>("Children", field("first", &Children::first), field("last", &Children::last),
                        field("count", &Children::count), field("unused", &Children::unused))
        .value();
    world.store().hooks().set_dependents({.subtree = internal::subtree_of,
                                          .dies_alone = dies_alone,
                                          .plan_death = plan_death,
                                          .plan_leaving = plan_leaving});
    // Bound last: is_bound then means that all three are declared.
    world.bind<HierarchyDepth>("HierarchyDepth", field("depth", &HierarchyDepth::depth)).value();
    return {};
}

Result<void> set_parent(World& world, Entity child, Entity parent) {
    if (Result<void> declared = declare_hierarchy(world); !declared) return declared;
    if (!world.is_alive(child)) return Error{errors::parent_of_dead(shown(child))};
    if (parent_of(world, child) == parent) return {};
    const auto full = [&] { return Error{errors::no_room_for_parent(shown(child), shown(parent))}; };
    if (!parent) return detach(world, child) ? Result<void>{} : full();
    if (!world.is_alive(parent)) return Error{errors::dead_parent(shown(child), shown(parent))};
    if (Result<void> checked = check_loop(world, child, parent); !checked) return checked;
    return attach(world, child, parent) ? Result<void>{} : full();
}

std::vector<Entity> internal::subtree_of(const World& world, Entity top) {
    std::vector<Entity> subtree{top};
    for (std::size_t i = 0; i < subtree.size(); ++i) {
        for (const Entity child : children(world, subtree[i])) subtree.push_back(child);
    }
    return subtree;
}

Entity parent_of(const World& world, Entity entity) noexcept {
    if (!world.is_bound<Parent>()) return Entity{};
    const Parent* link = world.get<Parent>(entity);
    return link == nullptr ? Entity{} : link->parent;
}

std::uint16_t depth_of(const World& world, Entity entity) noexcept {
    if (!world.is_bound<HierarchyDepth>()) return 0;
    const HierarchyDepth* depth = world.get<HierarchyDepth>(entity);
    return depth == nullptr ? 0 : depth->depth;
}

std::size_t child_count(const World& world, Entity entity) noexcept {
    if (!world.is_bound<Children>()) return 0;
    const Children* list = world.get<Children>(entity);
    return list == nullptr ? 0 : list->count;
}

ChildRange children(const World& world, Entity parent) noexcept {
    if (!world.is_bound<Children>()) return {world, Entity{}};
    const Children* list = world.get<Children>(parent);
    return {world, list == nullptr ? Entity{} : list->first};
}

ChildRange::Iterator& ChildRange::Iterator::operator++() noexcept {
    const Parent* link = world_->get<Parent>(entity_);
    entity_ = link == nullptr ? Entity{} : link->next_sibling;
    return *this;
}

}  // namespace perigee
