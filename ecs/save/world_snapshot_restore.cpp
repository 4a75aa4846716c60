// Restoring a snapshot: everything that needs memory is made first, then the world is exchanged in one go.
#include "ecs/archetype/internal/archetype_rows.h"
#include "ecs/archetype/internal/row_cells.h"
#include "ecs/base/error_codes.h"
#include "ecs/base/memory_quota.h"
#include "ecs/query/relation_index.h"
#include "ecs/save/internal/snapshot_data.h"
#include "ecs/save/world_snapshot.h"
#include "ecs/storage/buffer.h"
#include "ecs/storage/buffer_pool.h"
#include "ecs/storage/resource_store.h"
#include "ecs/storage/shared_store.h"
#include "ecs/world/internal/query_list.h"
#include "ecs/world/internal/removal_hooks.h"
#include "ecs/world/prefab.h"
#include "ecs/world/world.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace perigee {

namespace {

using internal::ArchetypeRecord;
using internal::ChunkPlan;
using internal::ChunkRecord;
using internal::RecordPage;
using internal::SnapshotData;

// The rows of the snapshot, for data that is derived from rows.
class SnapshotRows final : public internal::ComingRows {
public:
    explicit SnapshotRows(const SnapshotData& data) noexcept : data_(data) {}

    void each(ComponentId component,
              const std::function<void(Entity, const std::byte* cell)>& fn) const override {
        for (const ArchetypeRecord& record : data_.archetypes) {
            const Archetype& archetype = *record.archetype;
            if (archetype.column_of(component) < 0) continue;
            const auto column = static_cast<std::size_t>(archetype.column_of(component));
            const std::uint32_t cell_bytes = archetype.layout().columns[column].size;
            for (const ChunkRecord& chunk : record.chunks) {
                const std::byte* cell = chunk.image->column(column);
                for (std::uint32_t row = 0; row < chunk.row_count; ++row, cell += cell_bytes)
                    fn(chunk.image->entities()[row], cell);
            }
        }
    }

private:
    const SnapshotData& data_;
};

class Restoring {
public:
    Restoring(World& world, const SnapshotData& data) : world_(world), store_(world.store()), data_(data) {}
    // Releases what was prepared, or what was replaced.
    ~Restoring() {
        for (Rows& rows : rows_) rows.rows.release_values(*rows.archetype);
        for (const Block& block : blocks_) world_.buffers().release(block.data, block.bytes);
        for (const ObjectSlot slot : objects_) world_.objects().release(slot);
    }
    Restoring(const Restoring&) = delete;
    Restoring& operator=(const Restoring&) = delete;

    // Throws std::bad_alloc; then, and on an error, the world is as before.
    Result<void> prepare() {
        prepare_order();
        store_.relations().prepare_reset();
        std::vector<const ArchetypeRecord*> records(store_.graph().known_count());
        for (const ArchetypeRecord& record : data_.archetypes) records[record.archetype->index()] = &record;
        for (std::uint32_t i = 0; i < records.size(); ++i) {
            rows_.push_back({&store_.graph().at(i), records[i], {}});
            if (rows_.back().record == nullptr) continue;
            prepare_rows(rows_.back());
            prepare_buffers(*rows_.back().record);
            if (Result<void> done = prepare_objects(*rows_.back().record); !done) return done;
        }
        events_ = data_.events;
        watches_ = Observers::copies_of(data_.watches);
        const SnapshotRows rows(data_);
        for (const auto& [component, hooks] : store_.hooks().component_hooks()) {
            if (hooks.prepare == nullptr) continue;
            derived_.push_back({hooks.replace, nullptr});
            derived_.back().data = hooks.prepare(component, rows);
        }
        return {};
    }

    void commit() noexcept {
        store_.guard().count_change();
        for (Rows& rows : rows_) release_cells(*rows.archetype);
        store_.graph().arrange(order_);
        if (has_other_order_) {
            store_.queries().exchange(queries_);
        } else {
            store_.queries().forget_dormant();
        }
        store_.typed_archetypes().clear();
        // Chunks go back to their units, so every unit must be free first.
        for (Rows& rows : rows_) {
            rows.archetype->exchange_rows(rows.rows);
            rows.rows.release_units(*rows.archetype);
        }
        for (const Rows& rows : rows_) {
            if (rows.record != nullptr) restore_chunks(*rows.archetype, *rows.record);
        }
        blocks_.clear();
        objects_.clear();
        restore_records();
        restore_single_values();
        store_.relations().reset();
        for (const Derived& derived : derived_) derived.replace(world_, derived.data.get());
        internal::SnapshotCore& core = *data_.core;
        ++core.timeline;
        core.restored = data_.number;
    }

private:
    struct Rows {
        Archetype* archetype;
        const ArchetypeRecord* record;  ///< null: no rows
        Archetype::Rows rows;
    };
    struct Block {
        std::byte* data;
        std::size_t bytes;
    };
    struct Derived {
        void (*replace)(World&, void*) noexcept;
        std::shared_ptr<void> data;
    };

    // ---- preparing

    // Prefabs are not forgotten, so the archetypes of newer ones follow after those of the snapshot.
    void prepare_order() {
        order_ = *data_.order;
        std::vector<bool> is_known(store_.graph().known_count());
        for (const Archetype* const archetype : order_) is_known[archetype->index()] = true;
        std::vector<Archetype*> newer;
        for (std::uint32_t i = 0; i < world_.prefabs().size(); ++i) {
            Archetype* const archetype = world_.prefabs().get(PrefabId{i}).archetype;
            if (!is_known[archetype->index()]) newer.push_back(archetype);
            is_known[archetype->index()] = true;
        }
        std::sort(newer.begin(), newer.end(),
                  [](const Archetype* a, const Archetype* b) { return a->index() < b->index(); });
        order_.insert(order_.end(), newer.begin(), newer.end());
        for (std::size_t i = 1; i < order_.size(); ++i)
            has_other_order_ |= order_[i]->is_dormant() || order_[i]->index() < order_[i - 1]->index();
        if (has_other_order_) queries_ = store_.queries().made_for(order_);
    }

    void prepare_rows(Rows& made) {
        const Archetype& archetype = *made.archetype;
        const ArchetypeRecord& record = *made.record;
        const std::size_t slots = archetype.version_slots();
        for (std::size_t i = 0; i < record.chunks.size(); ++i) {
            const ChunkRecord& chunk = record.chunks[i];
            const ChunkSlot slot{store_.pool().address(chunk.unit), chunk.row_count, chunk.unit,
                                 chunk.rows_version, partition_of(made, chunk)};
            made.rows.add(archetype, slot, {record.versions.data() + i * slots, slots},
                          chunk.image->chunk_values);
        }
        made.rows.finish(archetype);
    }

    std::uint32_t partition_of(Rows& made, const ChunkRecord& chunk) {
        const std::span<const ComponentId> shared = made.archetype->shared_components();
        if (shared.empty()) return 0;
        std::vector<SharedIndex> values;
        values.reserve(shared.size());
        bool is_new = false;
        std::uint32_t partition = 0;
        const auto release = [&] {
            for (std::size_t i = 0; i < values.size(); ++i) world_.shared().release(shared[i], values[i]);
        };
        try {
            const std::byte* value = chunk.image->shared_values.data();
            for (const ComponentId component : shared) {
                const ComponentInfo& info = world_.registry().info(component);
                values.push_back(world_.shared().intern(info, value));
                value += info.schema.size;
            }
            partition = made.rows.partition_of(values, is_new);
        } catch (...) {
            release();
            throw;
        }
        if (!is_new) release();
        return partition;
    }

    void prepare_buffers(const ArchetypeRecord& record) {
        for (const ChunkRecord& chunk : record.chunks) {
            const std::byte* elements = chunk.image->elements.data();
            const auto cells = [&](const ChunkPlan::BufferColumn& buffers) {
                return chunk.image->column(buffers.column);
            };
            each_buffer(record, chunk, cells, [&](const BufferHeader& header, std::uint32_t element_bytes) {
                const Block block{nullptr, std::size_t{header.heap_capacity} * element_bytes};
                blocks_.push_back(block);
                blocks_.back().data = world_.buffers().allocate_beyond_limit(block.bytes);
                if (blocks_.back().data == nullptr) throw std::bad_alloc();
                const std::size_t bytes = std::size_t{header.length} * element_bytes;
                if (bytes != 0) std::memcpy(blocks_.back().data, elements, bytes);
                elements += bytes;
            });
        }
    }

    Result<void> prepare_objects(const ArchetypeRecord& record) {
        if (record.plan->objects.empty()) return {};
        std::size_t next = 0;
        for (const ChunkRecord& chunk : record.chunks) {
            for (std::uint32_t row = 0; row < chunk.row_count; ++row) {
                for (const ChunkPlan::ObjectColumn& column : record.plan->objects) {
                    objects_.push_back(0);
                    const KeptObject& object = record.objects[next++];
                    if (object.kept == nullptr) continue;
                    const Entity entity = chunk.image->entities()[row];
                    if (Result<void> done = prepare_object(column.component, entity, object); !done)
                        return done;
                }
            }
        }
        return {};
    }

    // Rows that share a copy share the object.
    Result<void> prepare_object(ComponentId component, Entity entity, const KeptObject& object) {
        const auto known = restored_.find({component, object.kept.get()});
        if (known != restored_.end()) {
            world_.objects().assign(objects_.back(), known->second, object.owner, object.type);
            return {};
        }
        const std::string& name = world_.registry().info(component).schema.name;
        const ObjectCopies* const copies = world_.objects().copies(component);
        if (copies == nullptr) return Error{errors::snapshot_without_copies(name, entity.bits)};
        Result<std::shared_ptr<void>> restored = copies->restore(object.kept);
        if (!restored) return Error{errors::snapshot_object(name, entity.bits, restored.error().message)};
        world_.objects().assign(objects_.back(), restored.value(), object.owner, object.type);
        restored_[{component, object.kept.get()}] = std::move(restored).value();
        return {};
    }

    // Calls fn(header, element bytes) for each buffer on the heap: by column, then by row. cells(column):
    // where the cells of a column begin.
    template <typename Cells, typename Function>
    static void each_buffer(const ArchetypeRecord& record, const ChunkRecord& chunk, Cells&& cells,
                            Function&& fn) {
        for (const ChunkPlan::BufferColumn& column : record.plan->buffers) {
            auto* cell = cells(column);
            using Header = std::conditional_t<std::is_const_v<std::remove_pointer_t<decltype(cell)>>,
                                              const BufferHeader, BufferHeader>;
            for (std::uint32_t row = 0; row < chunk.row_count; ++row, cell += column.cell_bytes) {
                auto& header = *reinterpret_cast<Header*>(cell);
                if (header.heap != 0) fn(header, column.element_bytes);
            }
        }
    }

    // ---- exchanging

    void release_cells(const Archetype& archetype) noexcept {
        for (std::uint32_t chunk = 0; chunk < archetype.chunk_count(); ++chunk) {
            const ChunkSlot& slot = archetype.chunks()[chunk];
            store_.cells().release(archetype, slot, 0, slot.row_count);
        }
    }

    void restore_chunks(const Archetype& archetype, const ArchetypeRecord& record) noexcept {
        for (const ChunkRecord& chunk : record.chunks) {
            store_.pool().claim(chunk.unit, archetype.layout().unit_count);
            std::byte* const rows = store_.pool().address(chunk.unit);
            chunk.image->copy_to(archetype.layout(), chunk.row_count, rows);
            const auto cells = [&](const ChunkPlan::BufferColumn& buffers) { return rows + buffers.offset; };
            each_buffer(record, chunk, cells, [&](BufferHeader& header, std::uint32_t) {
                header.heap = reinterpret_cast<std::uintptr_t>(blocks_[next_block_++].data);
            });
            if (record.plan->objects.empty()) continue;
            for (std::uint32_t row = 0; row < chunk.row_count; ++row) {
                for (const ChunkPlan::ObjectColumn& column : record.plan->objects) {
                    const ObjectSlot slot = objects_[next_object_++];
                    std::memcpy(rows + column.offset + row * sizeof slot, &slot, sizeof slot);
                }
            }
        }
    }

    void restore_records() noexcept {
        const std::span<std::uint64_t> records = store_.index().replace(data_.slots);
        for (std::size_t page = 0; page < data_.records.size(); ++page) {
            std::memcpy(records.data() + page * RecordPage::kRecords, data_.records[page]->bytes.data(),
                        data_.records[page]->count * sizeof(std::uint64_t));
        }
        store_.rewind(data_.version, data_.entity_count);
    }

    // Resources that are newer than the snapshot get their defaults.
    void restore_single_values() noexcept {
        const std::byte* value = data_.resources.data();
        const std::span<const ComponentId> ids = world_.resources().ids();
        for (std::size_t i = 0; i < ids.size(); ++i) {
            const Schema& schema = world_.registry().info(ids[i]).schema;
            const bool is_known = i < data_.resource_count;
            if (schema.size != 0)
                std::memcpy(world_.resources().data(ids[i]), is_known ? value : schema.defaults.data(),
                            schema.size);
            if (is_known) value += schema.size;
        }
        world_.events().replace(events_);
        world_.observers().replace(watches_);
    }

    World& world_;
    internal::EntityStore& store_;
    const SnapshotData& data_;
    std::deque<Rows> rows_;            ///< of all archetypes; afterwards those that were replaced
    std::vector<Block> blocks_;        ///< for buffers on the heap, in order
    std::vector<ObjectSlot> objects_;  ///< for all object cells, in order
    std::map<std::pair<ComponentId, const void*>, std::shared_ptr<void>> restored_;  ///< by their copy
    std::size_t next_block_ = 0, next_object_ = 0;
    std::vector<Archetype*> order_;  ///< of the archetypes that the world will know
    bool has_other_order_ = false;   ///< and not only fewer
    std::vector<std::unique_ptr<Query>> queries_;
    std::vector<EventStore::Kept> events_;
    std::vector<Observers::WatchPtr> watches_;
    std::vector<Derived> derived_;
};

}  // namespace

Result<void> restore_snapshot(World& world, const WorldSnapshot& snapshot) {
    ECS_EXPECTS(!world.is_locked(), "a restore while a query is visited");
    world.store().guard().expect_unlocked();
    const SnapshotData& data = *snapshot.data_;
    const auto* const part = std::as_const(world).find_part<internal::SnapshotPart>();
    if (part == nullptr || part->core != data.core) return Error{errors::snapshot_of_other_world()};
    ComponentId changed;
    if (!internal::has_schemas_of(world, data, changed)) {
        const ComponentInfo& info = world.registry().info(changed);
        return Error{
            errors::snapshot_schema_changed(errors::where_schema(kind_name(info.kind()), info.schema.name))};
    }
    const EnterQuota none(nullptr);  // the memory belonged to the world before
    Restoring restoring(world, data);
    if (Result<void> prepared = restoring.prepare(); !prepared) return prepared;
    restoring.commit();
    return {};
}

}  // namespace perigee
