// Linking and unlinking. What must happen when an entity dies hangs on World::on_remove of the components.
#include "ecs/hierarchy.h"

#include "ecs/contract.h"
#include "ecs/error_codes.h"
#include "ecs/world.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace perigee {

namespace {

// What the handlers of one world share.
struct Cascade {
    bool is_running = false;  ///< parents are about to die, so their lists may run empty
};

std::string shown(Entity entity) { return "entity " + std::to_string(entity.bits); }

// Takes a child out of its parent's list; its own links stay as they are.
void unlink(World& world, Entity child) {
    const Parent link = *world.get<Parent>(child);
    if (Parent* previous = world.edit<Parent>(link.previous_sibling))
        previous->next_sibling = link.next_sibling;
    if (Parent* next = world.edit<Parent>(link.next_sibling)) next->previous_sibling = link.previous_sibling;
    Children* list = world.edit<Children>(link.parent);
    if (list == nullptr) return;
    if (!link.previous_sibling) list->first = link.next_sibling;
    if (!link.next_sibling) list->last = link.previous_sibling;
    if (--list->count == 0 && !world.part<Cascade>().is_running) world.remove<Children>(link.parent);
}

// Everything below, the deepest first, so that each dies without children. Iterative: chains may be long.
void destroy_below(World& world, Entity top) {
    if (child_count(world, top) == 0) return;
    std::vector<Entity> below;
    for (const Entity child : children(world, top)) below.push_back(child);
    for (std::size_t i = 0; i < below.size(); ++i) {
        for (const Entity child : children(world, below[i])) below.push_back(child);
    }
    Cascade& cascade = world.part<Cascade>();
    const bool before = std::exchange(cascade.is_running, true);
    for (std::size_t i = below.size(); i-- > 0;) world.destroy(below[i]);
    cascade.is_running = before;
}

Result<void> check_loop(const World& world, Entity child, Entity parent) {
    if (child != parent && child_count(world, child) == 0) return {};  // nothing is below it
    Entity above = parent;
    while (above && above != child) above = parent_of(world, above);
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

// Where a depth is right already, so is all below it.
void correct_depths_below(World& world, Entity top) {
    std::vector<Entity> pending{top};
    while (!pending.empty()) {
        const Entity parent = pending.back();
        pending.pop_back();
        const HierarchyDepth depth{depth_below(depth_of(world, parent))};
        for (const Entity child : children(world, parent)) {
            if (depth_of(world, child) == depth.depth) continue;
            world.set(child, depth);
            pending.push_back(child);
        }
    }
}

void detach(World& world, Entity child) {
    const std::array<ComponentId, 2> links{world.id<Parent>(), world.id<HierarchyDepth>()};
    world.change(child, {}, links);
    correct_depths_below(world, child);
}

// The components of a child without a place in its parent's list yet.
bool make_child(World& world, Entity child, const Parent& link, const HierarchyDepth& depth) {
    if (world.has<Parent>(child)) {
        unlink(world, child);
        *world.edit<Parent>(child) = link;
        return depth_of(world, child) == depth.depth || world.set(child, depth);
    }
    const std::array<ComponentValue, 2> parts{
        ComponentValue{world.id<Parent>(), reinterpret_cast<const std::byte*>(&link)},
        ComponentValue{world.id<HierarchyDepth>(), reinterpret_cast<const std::byte*>(&depth)}};
    return world.change(child, parts, {});
}

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
    Schema family = links_schema("Children", "Who belongs to an entity; set_parent writes it.");
    family.fields = {
        link_field("first", FieldType::entity, "child"), link_field("last", FieldType::entity, "child"),
        link_field("count", FieldType::u32, "of children"), link_field("unused", FieldType::u32, "")};
    Schema depth = links_schema("HierarchyDepth", "How many parents are above; 64 stands for 64 and more.");
    depth.kind = ComponentKind::shared;
    depth.fields = {link_field("depth", FieldType::u16, "from 1")};
    depth.fields.front().default_value.data = 1.0;
    for (Schema* schema : {&parent, &family, &depth}) {
        if (Result<ComponentId> id = world.declare(std::move(*schema)); !id) return id.error();
    }
    const Result<ComponentId> bound_parent = world.bind<Parent>(
        "Parent", field("parent", &Parent::parent), field("next_sibling", &Parent::next_sibling),
        field("previous_sibling", &Parent::previous_sibling));
    ECS_INVARIANT(bound_parent.ok());
    world
        .bind<Children>("Children", field("first", &Children::first), field("last", &Children::last),
                        field("count", &Children::count), field("unused", &Children::unused))
        .value();
    world.bind<HierarchyDepth>("HierarchyDepth", field("depth", &HierarchyDepth::depth)).value();
    world.on_remove(world.id<Parent>(), unlink);
    world.on_remove(world.id<Children>(), destroy_below);
    world.on_remove(world.id<HierarchyDepth>(), [](World&, Entity) {});
    return {};
}

Result<void> set_parent(World& world, Entity child, Entity parent) {
    if (Result<void> declared = declare_hierarchy(world); !declared) return declared;
    if (!world.is_alive(child)) return Error{errors::parent_of_dead(shown(child))};
    if (parent_of(world, child) == parent) return {};
    if (!parent) {
        detach(world, child);
        return {};
    }
    if (!world.is_alive(parent)) return Error{errors::dead_parent(shown(child), shown(parent))};
    if (Result<void> checked = check_loop(world, child, parent); !checked) return checked;

    const bool is_first = !world.has<Children>(parent);
    const bool has_list = !is_first || world.add<Children>(parent);
    const Entity last = has_list ? world.get<Children>(parent)->last : Entity{};
    const HierarchyDepth depth{depth_below(depth_of(world, parent))};
    if (!has_list || !make_child(world, child, Parent{parent, Entity{}, last}, depth)) {
        if (has_list && is_first) world.remove<Children>(parent);
        return Error{errors::no_room_for_parent(shown(child), shown(parent))};
    }
    if (last) world.edit<Parent>(last)->next_sibling = child;
    Children& list = *world.edit<Children>(parent);
    if (!last) list.first = child;
    list.last = child;
    ++list.count;
    correct_depths_below(world, child);
    return {};
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
