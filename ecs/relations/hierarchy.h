// Parents and children: a tree over entities, as plain components that queries can use.
//
// Invariant: children of one parent form a doubly linked list in order of attachment; a living entity with a
// Parent is in the list of a living parent, and the tree has no cycles. Destroying an entity destroys its
// descendants. `HierarchyDepth` is a shared component, so each depth has separate chunks and parents can be
// visited before children. Only set_parent writes the three components; clones do not copy them.
#pragma once

#include "ecs/base/entity.h"
#include "ecs/base/result.h"
#include "ecs/schema/component.h"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <vector>

namespace perigee {

class World;

/// Present on every entity with a parent.
struct Parent {
    Entity parent;
    Entity next_sibling;      ///< null: the last
    Entity previous_sibling;  ///< null: the first
    bool operator==(const Parent&) const = default;
};

/// Present on every entity with a child.
struct Children {
    Entity first;
    Entity last;
    std::uint32_t count = 0;
    std::uint32_t unused = 0;
    bool operator==(const Children&) const = default;
};

/// Present on every entity with a parent: 1 below a root, and so on. Very deep trees end in kDeepest, which
/// means "this deep or deeper"; at that depth a parent may be in the same chunks as its children.
struct HierarchyDepth {
    std::uint16_t depth = 1;
    static constexpr std::uint16_t kDeepest = 64;
    bool operator==(const HierarchyDepth&) const = default;
};

/// Declares and binds the three components. set_parent does it on first use. A world in which other code
/// declares types should call it first, to reserve the names.
/// Errors: one of the names is already used for something else.
Result<void> declare_hierarchy(World& world);

/// Makes `parent` the parent of `child`, as its last child; a null parent detaches. Structural. Does nothing
/// if it is the parent already. Errors (nothing changes): one of them is not alive; the parent is a
/// descendant of the child (the message shows the cycle); memory is exhausted.
/// Cost: constant, plus a walk up from the parent when the child has children, and one move for each
/// descendant whose depth changes.
Result<void> set_parent(World& world, Entity child, Entity parent);

/// Null for roots and for dead entities.
Entity parent_of(const World& world, Entity entity) noexcept;
/// 0 for roots; counts at most to HierarchyDepth::kDeepest.
std::uint16_t depth_of(const World& world, Entity entity) noexcept;
std::size_t child_count(const World& world, Entity entity) noexcept;

/// The children of an entity, in order of attachment. The list may change during iteration, except for the
/// current child.
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

/// An entity and its descendants, parents before children.
std::vector<Entity> subtree_of(const World& world, Entity top);

}  // namespace internal

}  // namespace perigee
