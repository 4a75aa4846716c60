// Lists are followed from each parent; then depths are computed from the roots down.
#include "ecs/save/internal/hierarchy_check.h"

#include "ecs/relations/hierarchy.h"
#include "ecs/world/world.h"

#include <algorithm>
#include <cstring>
#include <unordered_map>
#include <vector>

namespace perigee::internal {

namespace {

struct Links {
    Parent link;
    Children list;
    std::uint16_t depth = 0;
    bool is_child = false, is_parent = false, is_listed = false;
};

class Check {
public:
    Check(const World& world, const SnapshotData& data) : world_(world) {
        for (const ArchetypeRecord& record : data.archetypes) collect(record);
    }

    bool is_valid() {
        if (!is_complete_) return false;
        std::vector<Entity> pending;
        for (auto& [entity, links] : links_) {
            if (links.is_parent && !follow(entity, links)) return false;
            if (!links.is_child) pending.push_back(entity);
        }
        // Whatever no root leads to has no parent that is listed, or is its own ancestor.
        std::size_t reached = pending.size();
        while (!pending.empty()) {
            const Links& parent = links_.at(pending.back());
            pending.pop_back();
            const std::uint16_t depth = std::min<std::uint16_t>(static_cast<std::uint16_t>(parent.depth + 1),
                                                                HierarchyDepth::kDeepest);
            for (Entity at = parent.list.first; at; at = links_.at(at).link.next_sibling) {
                if (links_.at(at).depth != depth) return false;
                pending.push_back(at);
                ++reached;
            }
        }
        return reached == links_.size();
    }

private:
    void collect(const ArchetypeRecord& record) {
        const Archetype& archetype = *record.archetype;
        const int parent = archetype.column_of(world_.id<Parent>());
        const int children = archetype.column_of(world_.id<Children>());
        const int depth = archetype.shared_of(world_.id<HierarchyDepth>());
        if (parent < 0 && children < 0 && depth < 0) return;
        is_complete_ = is_complete_ && (parent >= 0) == (depth >= 0) && !archetype.is_destroyed();
        std::size_t offset = 0;
        for (int i = 0; i < depth; ++i) {
            const ComponentId before = archetype.shared_components()[static_cast<std::size_t>(i)];
            offset += world_.registry().info(before).schema.size;
        }
        for (const ChunkRecord& chunk : record.chunks) {
            for (std::uint32_t row = 0; row < chunk.row_count; ++row) {
                Entity entity;
                std::memcpy(&entity, cell(archetype, chunk, 0, row), sizeof entity);
                Links& links = links_[entity];
                links.is_child = parent >= 0;
                links.is_parent = children >= 0;
                if (parent >= 0)
                    std::memcpy(&links.link, cell(archetype, chunk, parent, row), sizeof links.link);
                if (children >= 0)
                    std::memcpy(&links.list, cell(archetype, chunk, children, row), sizeof links.list);
                if (depth >= 0)
                    std::memcpy(&links.depth, chunk.image->shared_values.data() + offset, sizeof links.depth);
            }
        }
    }

    static const std::byte* cell(const Archetype& archetype, const ChunkRecord& chunk, int column,
                                 std::uint32_t row) {
        const Column& cells = archetype.layout().columns[static_cast<std::size_t>(column)];
        return chunk.image->column(static_cast<std::size_t>(column)) + std::size_t{row} * cells.size;
    }

    // One list, forwards; each of its entities may be met once.
    bool follow(Entity parent, const Links& links) {
        Entity previous;
        std::uint32_t count = 0;
        for (Entity at = links.list.first; at; ++count) {
            const auto found = links_.find(at);
            if (found == links_.end() || !found->second.is_child || found->second.is_listed) return false;
            Links& child = found->second;
            if (child.link.parent != parent || child.link.previous_sibling != previous) return false;
            child.is_listed = true;
            previous = at;
            at = child.link.next_sibling;
        }
        return count != 0 && count == links.list.count && previous == links.list.last;
    }

    const World& world_;
    std::unordered_map<Entity, Links> links_;
    bool is_complete_ = true;
};

}  // namespace

bool has_valid_hierarchy(const World& world, const SnapshotData& data) {
    return !world.is_bound<Parent>() || Check(world, data).is_valid();
}

}  // namespace perigee::internal
