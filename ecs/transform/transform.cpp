// The transform system: processes chunks by depth, parents first, and skips unchanged ones.
#include "ecs/transform/transform.h"

#include "ecs/base/contract.h"
#include "ecs/relations/hierarchy.h"
#include "ecs/storage/shared_store.h"
#include "ecs/world/world.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>
#include <vector>

namespace perigee {

namespace {

constexpr std::size_t kLevels = HierarchyDepth::kDeepest + std::size_t{1};
constexpr std::size_t kLocalTerm = 0, kWorldTerm = 1;

// One pass over all transforms of a world; kept between passes for its memory.
class TransformPass {
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
    struct Chunk {
        Archetype* archetype;
        const TermPlace* terms;
        std::uint32_t chunk;
        std::uint32_t parent_offset;  ///< of the Parent column; 0 at the roots
        bool is_changed;

        const ChunkSlot& slot() const noexcept { return archetype->chunks()[chunk]; }
        template <typename T> T* column(std::size_t term) const noexcept {
            return reinterpret_cast<T*>(slot().data + terms[term].offset);
        }
        const Parent* parents() const noexcept {
            return reinterpret_cast<const Parent*>(slot().data + parent_offset);
        }
    };
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
                    match.terms[kLocalTerm].version(archetype, i) > since ||
                    match.terms[kWorldTerm].version(archetype, i) > since ||
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
        const LocalTransform* __restrict local = chunk.column<LocalTransform>(kLocalTerm);
        WorldTransform* __restrict result = chunk.column<WorldTransform>(kWorldTerm);
        for (std::uint32_t row = 0, rows = chunk.slot().row_count; row < rows; ++row) {
            result[row] = world_from_local(local[row]);
        }
    }

    // Adjacent rows mostly have parents in one chunk: its column is looked up when the unit changes.
    void compute_children(const Chunk& chunk) const {
        const LocalTransform* __restrict local = chunk.column<LocalTransform>(kLocalTerm);
        WorldTransform* __restrict result = chunk.column<WorldTransform>(kWorldTerm);
        const Parent* parents = chunk.parents();
        const EntityIndex& entities = world_->entities();
        UnitIndex last = kNoUnit;
        const WorldTransform* column = nullptr;
        for (std::uint32_t row = 0, rows = chunk.slot().row_count; row < rows; ++row) {
            const Location at = entities.location(parents[row].parent);
            if (at.unit() != last) {
                last = at.unit();
                const WorldTransform* found = transform_of(parents[row].parent);
                column = found == nullptr ? nullptr : found - at.row();
            }
            const WorldTransform own = world_from_local(local[row]);
            result[row] = column == nullptr ? own : combined(column[at.row()], own);
        }
    }

    // Null without a LocalTransform: a leftover WorldTransform is not valid.
    const WorldTransform* transform_of(Entity entity) const {
        return world_->has<LocalTransform>(entity) ? world_->get<WorldTransform>(entity) : nullptr;
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
        auto* result = const_cast<WorldTransform*>(world_->get<WorldTransform>(entity));
        const LocalTransform* local = world_->get<LocalTransform>(entity);
        if (result == nullptr || local == nullptr) return;
        const WorldTransform* outer = transform_of(parent_of(*world_, entity));
        *result = outer == nullptr ? world_from_local(*local) : combined(*outer, world_from_local(*local));
    }

    void mark(const Chunk& chunk) {
        chunk.archetype->set_version(chunk.chunk, chunk.terms[kWorldTerm].version_slot,
                                     world_->change_version());
        units_[chunk.slot().unit] = Unit::changed;
    }

    World* world_ = nullptr;
    std::array<std::vector<Chunk>, kLevels> levels_;
    std::vector<Unit> units_;
    std::uint64_t structure_version_ = 0;
    bool is_structure_new_ = true;
};

Field number(std::string name, double default_value, std::string unit, std::string doc) {
    Field field;
    field.name = std::move(name);
    field.default_value.data = default_value;
    field.unit = std::move(unit);
    field.doc = std::move(doc);
    return field;
}

}  // namespace

Result<void> declare_transforms(World& world) {
    if (Result<void> declared = declare_hierarchy(world); !declared) return declared;
    if (world.is_bound<LocalTransform>()) return {};
    Schema result;
    result.name = "WorldTransform";
    result.owner = "engine";
    result.doc = "Where an entity is in the world; worked out from LocalTransform.";
    result.fields = {number("xx", 1, "", "own x axis"), number("xy", 0, "", "own x axis"),
                     number("yx", 0, "", "own y axis"), number("yy", 1, "", "own y axis"),
                     number("x", 0, "px", ""),          number("y", 0, "px", "")};
    Schema local;
    local.name = "LocalTransform";
    local.doc = "Where an entity is, as seen from its parent.";
    local.required = {"WorldTransform"};
    local.fields = {number("x", 0, "px", ""), number("y", 0, "px", ""),
                    number("rotation", 0, "rad", "clockwise"), number("scale_x", 1, "", "negative flips"),
                    number("scale_y", 1, "", "negative flips")};
    for (Schema* schema : {&result, &local}) {
        if (Result<ComponentId> id = world.declare(std::move(*schema)); !id) return id.error();
    }
    world
        .bind<WorldTransform>("WorldTransform", field("xx", &WorldTransform::xx),
                              field("xy", &WorldTransform::xy), field("yx", &WorldTransform::yx),
                              field("yy", &WorldTransform::yy), field("x", &WorldTransform::x),
                              field("y", &WorldTransform::y))
        .value();
    world
        .bind<LocalTransform>("LocalTransform", field("x", &LocalTransform::x),
                              field("y", &LocalTransform::y), field("rotation", &LocalTransform::rotation),
                              field("scale_x", &LocalTransform::scale_x),
                              field("scale_y", &LocalTransform::scale_y))
        .value();
    return {};
}

Result<SystemId> add_transform_system(World& world, Schedule& schedule) {
    if (Result<void> declared = declare_transforms(world); !declared) return declared.error();
    SystemDesc desc;
    desc.name = "engine:transforms";
    desc.group = kTransforms;
    desc.query.terms = {{world.id<LocalTransform>(), Access::read},
                        {world.id<WorldTransform>(), Access::write}};
    desc.access.read = {world.id<Parent>(), world.id<HierarchyDepth>()};
    desc.run = [pass = std::make_shared<TransformPass>()](SystemContext& context) -> Result<void> {
        pass->run(context.world, *context.query, context.last_run_version);
        return {};
    };
    return schedule.add(std::move(desc));
}

}  // namespace perigee
