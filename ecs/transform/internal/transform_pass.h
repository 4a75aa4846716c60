// The pass that 2D and 3D transforms share: it visits chunks by depth, parents first, and skips unchanged
// ones.
//
// Invariant: after a pass, the result of each row is that of its parent combined with the row's own
// transform. What a transform is, the parameter Space says:
//
//     struct Space {
//         using Result = …;                              // the component that the pass writes
//         static constexpr std::size_t kResultTerm = …;  // its term; the terms before it are read
//         struct Rows;                                   // of a chunk: result_of_row(row), without parent
//         static bool has_own(const World&, Entity);     // false: a leftover Result is not valid
//         static Result own(const World&, Entity);       // as Rows has it, for one entity
//         static Result combined(const Result& outer, const Result& inner);
//     };
//
// It knows no schemas and no schedule; transform.cpp and transform_3d.cpp do.
#pragma once

#include "ecs/query/query.h"
#include "ecs/relations/hierarchy.h"
#include "ecs/storage/shared_store.h"
#include "ecs/world/world.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace perigee::internal {

/// One chunk with transforms.
struct TransformChunk {
    Archetype* archetype;
    const TermPlace* terms;
    std::uint32_t chunk;
    std::uint32_t parent_offset;  ///< of the Parent column; 0 at the roots
    bool is_changed;

    const ChunkSlot& slot() const noexcept { return archetype->chunks()[chunk]; }
    /// Null for an optional term that the rows lack.
    template <typename T> T* column(std::size_t term) const noexcept {
        const std::uint32_t offset = terms[term].offset;
        return offset == kNoColumn ? nullptr : reinterpret_cast<T*>(slot().data + offset);
    }
    const Parent* parents() const noexcept {
        return reinterpret_cast<const Parent*>(slot().data + parent_offset);
    }
};

/// One pass over all transforms of a world; kept between passes for its memory.
template <typename Space> class TransformPass {
public:
    void run(World& world, const Query& query, ChangeVersion since) {
        world_ = &world;
        is_structure_new_ = since == 0 || world.structure_version() != structure_version_;
        structure_version_ = world.structure_version();
        const bool has_news = collect(query, since);
        if (!has_news && !is_structure_new_) return;
        bool is_changed_above = false;
        for (std::size_t depth = 0; depth < HierarchyDepth::kDeepest; ++depth) {
            bool is_changed = false;
            for (Chunk& chunk : levels_[depth]) {
                if (!chunk.is_changed && depth > 0 && (is_structure_new_ || is_changed_above))
                    chunk.is_changed = is_parent_changed(chunk);
                if (!chunk.is_changed) continue;
                is_changed = true;
                depth == 0 ? compute_roots(chunk) : compute_children(chunk);
                mark(chunk);
            }
            is_changed_above = is_changed;
        }
        if (!levels_[HierarchyDepth::kDeepest].empty()) compute_deepest();
    }

private:
    using Result = typename Space::Result;
    using Rows = typename Space::Rows;
    using Chunk = TransformChunk;

    static constexpr std::size_t kLevels = HierarchyDepth::kDeepest + std::size_t{1};

    /// The contents of a unit of chunk memory.
    enum class Unit : std::uint8_t { no_transforms, unchanged, changed };

    // Sorts all chunks with transforms into their levels. True if other code changed one of them.
    bool collect(const Query& query, ChangeVersion since) {
        for (std::vector<Chunk>& level : levels_) level.clear();
        std::fill(units_.begin(), units_.end(), Unit::no_transforms);
        bool has_news = false;
        for (const QueryMatch& match : query.matches()) {
            Archetype& archetype = *match.archetype;
            const int parent = archetype.column_of(world_->id<Parent>());
            const int depth = archetype.shared_of(world_->id<HierarchyDepth>());
            const auto parent_column = static_cast<std::size_t>(std::max(parent, 0));
            for (std::uint32_t i = 0; i < archetype.chunk_count(); ++i) {
                const ChunkSlot& slot = archetype.chunks()[i];
                std::size_t level = 0;
                if (parent >= 0 && depth >= 0) {
                    const SharedIndex index =
                        archetype.shared_value(slot.partition, static_cast<std::size_t>(depth));
                    level = reinterpret_cast<const HierarchyDepth*>(
                                world_->shared().value(world_->id<HierarchyDepth>(), index))
                                ->depth;
                }
                const bool is_news =
                    is_written(match, i, since) ||
                    (level > 0 && archetype.version(i, static_cast<std::uint32_t>(parent)) > since);
                has_news = has_news || is_news;
                const std::uint32_t offset =
                    level == 0 ? 0 : archetype.layout().columns[parent_column].offset;
                levels_[level].push_back({&archetype, match.terms, i, offset, is_news});
                if (slot.unit >= units_.size()) units_.resize(std::size_t{slot.unit} * 2 + 64);
                units_[slot.unit] = is_news ? Unit::changed : Unit::unchanged;
            }
        }
        return has_news;
    }

    static bool is_written(const QueryMatch& match, std::uint32_t chunk, ChangeVersion since) {
        const std::span terms(match.terms, Space::kResultTerm + 1);
        return std::any_of(terms.begin(), terms.end(), [&](const TermPlace& term) {
            return term.is_present && term.version(*match.archetype, chunk) > since;
        });
    }

    bool is_parent_changed(const Chunk& chunk) const {
        const std::uint32_t rows = chunk.slot().row_count;
        const Parent* parents = chunk.parents();
        UnitIndex last = kNoUnit;
        for (std::uint32_t row = 0; row < rows; ++row) {
            const UnitIndex unit = world_->entities().location(parents[row].parent).unit();
            if (unit == last) continue;
            last = unit;
            const Unit state = unit < units_.size() ? units_[unit] : Unit::no_transforms;
            if (state == Unit::changed || (state == Unit::no_transforms && is_structure_new_)) return true;
        }
        return false;
    }

    static void compute_roots(const Chunk& chunk) {
        const Rows own(chunk);
        Result* __restrict result = chunk.column<Result>(Space::kResultTerm);
        for (std::uint32_t row = 0, rows = chunk.slot().row_count; row < rows; ++row) {
            result[row] = own.result_of_row(row);
        }
    }

    // Adjacent rows mostly have parents in one chunk: its column is looked up when the unit changes.
    void compute_children(const Chunk& chunk) const {
        const Rows own(chunk);
        Result* __restrict result = chunk.column<Result>(Space::kResultTerm);
        const Parent* parents = chunk.parents();
        const EntityIndex& entities = world_->entities();
        UnitIndex last = kNoUnit;
        const Result* column = nullptr;
        for (std::uint32_t row = 0, rows = chunk.slot().row_count; row < rows; ++row) {
            const Location at = entities.location(parents[row].parent);
            if (at.unit() != last) {
                last = at.unit();
                const Result* found = transform_of(parents[row].parent);
                column = found == nullptr ? nullptr : found - at.row();
            }
            const Result inner = own.result_of_row(row);
            result[row] = column == nullptr ? inner : Space::combined(column[at.row()], inner);
        }
    }

    // Null without a valid one.
    const Result* transform_of(Entity entity) const {
        return Space::has_own(*world_, entity) ? world_->get<Result>(entity) : nullptr;
    }

    // For rows at the maximum depth: each row after its ancestors, found by walking up.
    void compute_deepest() {
        std::vector<bool> is_done(world_->entities().slot_count());
        std::vector<Entity> above;
        for (const Chunk& chunk : levels_[HierarchyDepth::kDeepest]) {
            mark(chunk);
            for (std::uint32_t row = 0; row < chunk.slot().row_count; ++row) {
                Entity entity = Archetype::entities(chunk.slot())[row];
                for (; !is_done[entity.index()] && depth_of(*world_, entity) == HierarchyDepth::kDeepest;
                     entity = parent_of(*world_, entity)) {
                    above.push_back(entity);
                    is_done[entity.index()] = true;
                }
                for (; !above.empty(); above.pop_back()) compute_one(above.back());
            }
        }
    }

    void compute_one(Entity entity) const {
        auto* result = const_cast<Result*>(world_->get<Result>(entity));
        if (result == nullptr || !Space::has_own(*world_, entity)) return;
        const Result own = Space::own(*world_, entity);
        const Result* outer = transform_of(parent_of(*world_, entity));
        *result = outer == nullptr ? own : Space::combined(*outer, own);
    }

    void mark(const Chunk& chunk) {
        chunk.archetype->set_version(chunk.chunk, chunk.terms[Space::kResultTerm].version_slot,
                                     world_->change_version());
        units_[chunk.slot().unit] = Unit::changed;
    }

    World* world_ = nullptr;
    std::array<std::vector<Chunk>, kLevels> levels_;
    std::vector<Unit> units_;
    std::uint64_t structure_version_ = 0;
    bool is_structure_new_ = true;
};

}  // namespace perigee::internal
