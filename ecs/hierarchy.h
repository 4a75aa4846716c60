// Parents and children: a tree over entities, as plain components that queries can use.
//
// Invariant: children of one parent form a doubly linked list in order of attachment; a living entity with a
// Parent stands in the list of a living parent, and the lists have no loops. Destroying an entity destroys
// all below it. `HierarchyDepth` is a shared component, so each depth has chunks of its own and one can visit
// parents before children. Only set_parent writes the three; they are no part of a clone.
#pragma once

#include "ecs/component.h"
#include "ecs/entity.h"
#include "ecs/result.h"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <vector>

namespace perigee {

class World;

/// On everything that has a parent.
struct Parent {
    Entity parent;
    Entity next_sibling;      ///< null: the last
    Entity previous_sibling;  ///< null: the first
    bool operator==(const Parent&) const = default;
};

/// On everything that has a child.
struct Children {
    Entity first;
    Entity last;
    std::uint32_t count = 0;
    std::uint32_t unused = 0;
    bool operator==(const Children&) const = default;
};

/// On everything that has a parent: 1 below a root, and so on. Very deep trees end in kDeepest, which means
/// "this deep or deeper": there a parent may be in the chunks of its children.
struct HierarchyDepth {
    std::uint16_t depth = 1;
    static constexpr std::uint16_t kDeepest = 64;
    bool operator==(const HierarchyDepth&) const = default;
};

/// Declares and binds the three components. set_parent does it on first use; a world where others declare
/// types does it first, since the names are then taken.
/// Errors: one of the names stands for something else.
Result<void> declare_hierarchy(World& world);

/// Makes `parent` the parent of `child`, as its last child; a null parent detaches. Structural.
/// Errors, and nothing changes: one of them is not alive; the parent is below the child (the message shows
/// the loop); memory is exhausted. The parent that it has already: nothing happens.
/// Cost: constant, but for a walk up from the parent when the child has children, and one move for each
/// entity below whose depth changes.
Result<void> set_parent(World& world, Entity child, Entity parent);

/// Null for roots and for what is not alive.
Entity parent_of(const World& world, Entity entity) noexcept;
/// 0 for roots; counts at most to HierarchyDepth::kDeepest.
std::uint16_t depth_of(const World& world, Entity entity) noexcept;
std::size_t child_count(const World& world, Entity entity) noexcept;

/// The children of an entity, in order of attachment. It may change while one walks over it, but for the
/// child at hand.
class ChildRange {
public:
    class Iterator {
    public:
        using iterator_category = std::forward_iterator_tag;
        using value_type = Entity;
        using difference_type = std::ptrdiff_t;
        using pointer = const Entity*;
        using reference = Entity;

        Iterator() = default;
        Iterator(const World& world, Entity entity) noexcept : world_(&world), entity_(entity) {}
        Entity operator*() const noexcept { return entity_; }
        Iterator& operator++() noexcept;
        Iterator operator++(int) noexcept {
            Iterator before = *this;
            ++*this;
            return before;
        }
        bool operator==(const Iterator& other) const noexcept { return entity_ == other.entity_; }

    private:
        const World* world_ = nullptr;
        Entity entity_;
    };

    ChildRange(const World& world, Entity first) noexcept : world_(world), first_(first) {}
    Iterator begin() const noexcept { return {world_, first_}; }
    Iterator end() const noexcept { return {world_, Entity{}}; }

private:
    const World& world_;
    Entity first_;
};
ChildRange children(const World& world, Entity parent) noexcept;

namespace internal {

class RowPlan;

/// An entity and all below it, parents before children.
std::vector<Entity> family_of(const World& world, Entity top);

/// It and all below it are destroyed, and its parent loses the list that runs empty. These two are false when
/// memory is exhausted.
bool plan_death(World& world, Entity top, RowPlan& plan);
/// What goes along when these components leave an entity: it is taken out of its parent's list, or all below
/// it is destroyed. Not its own row.
bool plan_leaving(World& world, Entity entity, std::span<const ComponentId> leaving, RowPlan& plan);
/// Nobody else needs to be told or moved when it dies.
bool dies_alone(const World& world, Entity entity) noexcept;

}  // namespace internal

}  // namespace perigee
