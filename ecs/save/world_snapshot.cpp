// Taking a snapshot: everything is copied into a new SnapshotData, which nothing refers to until it is done.
#include "ecs/save/world_snapshot.h"

#include "ecs/base/error_codes.h"
#include "ecs/save/internal/snapshot_data.h"
#include "ecs/schema/blob_store.h"
#include "ecs/schema/text_pool.h"
#include "ecs/storage/buffer.h"
#include "ecs/storage/resource_store.h"
#include "ecs/storage/shared_store.h"
#include "ecs/world/world.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <utility>

namespace perigee {

namespace internal {

std::shared_ptr<SnapshotCore> core_of(World& world) {
    std::shared_ptr<SnapshotCore>& core = world.part<SnapshotPart>().core;
    if (core != nullptr) return core;
    auto made = std::make_shared<SnapshotCore>();
    world.texts().add_root([&world, made](TextPool&) { keep_texts(world, *made); });
    world.blobs().add_root([&world, made](BlobStore&) { keep_blobs(world, *made); });
    core = std::move(made);
    return core;
}

namespace {

void plan_handles(ChunkPlan& plan, HandleCells::Place place, const ComponentInfo& info, std::uint32_t at) {
    const auto add = [&](FieldType type, std::vector<HandleCells>& cells) {
        std::vector<std::uint32_t> fields;
        for (const Leaf& leaf : info.leaves) {
            if (leaf.type == type) fields.push_back(leaf.offset);
        }
        if (!fields.empty())
            cells.push_back({place, at, info.cell_bytes, info.schema.size, std::move(fields)});
    };
    add(FieldType::text, plan.texts);
    add(FieldType::blob, plan.blobs);
}

}  // namespace

std::shared_ptr<const ChunkPlan> plan_of(const World& world, const Archetype& archetype) {
    auto plan = std::make_shared<ChunkPlan>();
    const ChunkLayout& layout = archetype.layout();
    for (std::uint32_t i = 1; i < layout.columns.size(); ++i) {
        const Column& column = layout.columns[i];
        const ComponentInfo& info = world.registry().info(column.component);
        if (info.kind() == ComponentKind::object) {
            plan->objects.push_back({info.id, column.offset});
        } else if (info.kind() == ComponentKind::buffer) {
            plan->buffers.push_back({i, column.offset, column.size, info.schema.size});
            plan_handles(*plan, HandleCells::Place::buffer, info, i);
        } else {
            plan_handles(*plan, HandleCells::Place::column, info, i);
        }
    }
    for (const ChunkValuePlace& place : archetype.chunk_values())
        plan_handles(*plan, HandleCells::Place::chunk_value, world.registry().info(place.component),
                     place.offset);
    std::uint32_t offset = 0;
    for (const ComponentId component : archetype.shared_components()) {
        const ComponentInfo& info = world.registry().info(component);
        plan_handles(*plan, HandleCells::Place::shared_value, info, offset);
        offset += info.schema.size;
    }
    return plan;
}

const SnapshotData& SnapshotAccess::data(const WorldSnapshot& snapshot) noexcept { return *snapshot.data_; }
WorldSnapshot SnapshotAccess::made_of(std::shared_ptr<const SnapshotData> data) noexcept {
    return WorldSnapshot(std::move(data));
}

}  // namespace internal

namespace {

using internal::ArchetypeRecord;
using internal::ChunkImage;
using internal::ChunkPlan;
using internal::ChunkRecord;
using internal::RecordPage;
using internal::SnapshotCore;
using internal::SnapshotData;

class Taking {
public:
    Taking(World& world, const SnapshotData* previous)
        : world_(world), data_(std::make_shared<SnapshotData>(internal::core_of(world))) {
        SnapshotCore& core = *data_->core;
        data_->timeline = core.timeline;
        data_->version = world.store().version();
        data_->structure_version = world.structure_version();
        data_->entity_count = world.entity_count();
        data_->types.reserve(world.registry().size());
        for (std::uint16_t i = 0; i < world.registry().size(); ++i)
            data_->types.push_back(world.registry().info(ComponentId{i}).hash);
        if (previous == nullptr || previous->core != data_->core) return;
        ComponentId changed;
        if (previous->timeline != core.timeline && previous->number != core.restored) return;
        if (internal::has_schemas_of(world, *previous, changed)) previous_ = previous;
    }

    Result<std::shared_ptr<const SnapshotData>> take() {
        take_order();
        if (Result<void> taken = take_archetypes(); !taken) return taken.error();
        take_records();
        take_resources();
        data_->events = world_.events().copy();
        data_->watches = world_.observers().copies();
        for (const EventStore::Kept& kept : data_->events) data_->byte_count += kept.rows.size();
        data_->byte_count += data_->resources.size();
        return std::shared_ptr<const SnapshotData>(std::move(data_));
    }

private:
    // ---- rows

    void take_order() {
        ArchetypeGraph& graph = world_.store().graph();
        // Within a timeline archetypes are only added.
        if (previous_ != nullptr && previous_->order->size() == graph.size()) {
            data_->order = previous_->order;
            return;
        }
        std::vector<Archetype*> order(graph.size());
        for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = &graph.at(i);
        data_->order = std::make_shared<const std::vector<Archetype*>>(std::move(order));
    }

    // The record of an archetype in the previous snapshot. Both lists are in the same order.
    const ArchetypeRecord* previous_record(const Archetype& archetype) {
        if (previous_ == nullptr) return nullptr;
        const std::vector<ArchetypeRecord>& records = previous_->archetypes;
        while (next_ < records.size() && records[next_].archetype->index() < archetype.index()) ++next_;
        return next_ < records.size() && records[next_].archetype == &archetype ? &records[next_] : nullptr;
    }

    Result<void> take_archetypes() {
        for (std::uint32_t i = 0; i < world_.archetypes().size(); ++i) {
            Archetype& archetype = world_.store().graph().at(i);
            if (archetype.chunk_count() == 0) continue;
            const ArchetypeRecord* const before = previous_record(archetype);
            data_->archetypes.emplace_back();
            ArchetypeRecord& record = data_->archetypes.back();
            record.archetype = &archetype;
            record.plan = before != nullptr ? before->plan : internal::plan_of(world_, archetype);
            take_chunks(archetype, before, record);
            if (Result<void> taken = take_objects(archetype, record); !taken) return taken;
        }
        return {};
    }

    void take_chunks(const Archetype& archetype, const ArchetypeRecord* before, ArchetypeRecord& record) {
        const std::uint32_t chunks = archetype.chunk_count();
        const auto slots = static_cast<std::uint32_t>(archetype.version_slots());
        record.chunks.reserve(chunks);
        record.versions.reserve(std::size_t{chunks} * slots);
        data_->chunk_count += chunks;
        for (std::uint32_t chunk = 0; chunk < chunks; ++chunk) {
            const ChunkSlot& slot = archetype.chunks()[chunk];
            ChangeVersion newest = slot.rows_version;
            for (std::uint32_t i = 0; i < slots; ++i) {
                record.versions.push_back(archetype.version(chunk, i));
                newest = std::max(newest, record.versions.back());
            }
            // The rows of the previous snapshot, if no row came, went or moved.
            const ChunkRecord* known = nullptr;
            if (before != nullptr && chunk < before->chunks.size() && is_older(slot.rows_version))
                known = &before->chunks[chunk];
            if (known != nullptr && (known->unit != slot.unit || known->row_count != slot.row_count))
                known = nullptr;
            const bool is_same = known != nullptr && is_older(newest);
            std::shared_ptr<const ChunkImage> image =
                is_same ? known->image
                        : image_of(archetype, *record.plan, chunk,
                                   known != nullptr ? known->image.get() : nullptr);
            data_->shared_chunks += is_same ? 1 : 0;
            data_->byte_count += image->byte_count();
            record.chunks.push_back({slot.unit, slot.row_count, slot.rows_version, std::move(image)});
        }
        data_->byte_count += record.versions.size() * sizeof(ChangeVersion);
    }

    // What was written at the previous snapshot's version may have been written after it.
    bool is_older(ChangeVersion version) const noexcept { return version < previous_->version; }

    // `known`: the image of the same rows in the previous snapshot; null: there is none.
    std::shared_ptr<const ChunkImage> image_of(const Archetype& archetype, const ChunkPlan& plan,
                                               std::uint32_t chunk, const ChunkImage* known) {
        const ChunkSlot& slot = archetype.chunks()[chunk];
        const ChunkLayout& layout = archetype.layout();
        auto image = std::make_shared<ChunkImage>(data_->core->images, layout);
        for (std::uint32_t i = 0; known != nullptr && i < layout.columns.size(); ++i) {
            if (is_older(archetype.version(chunk, i))) image->share(i, *known);
        }
        image->complete(layout, slot.row_count, slot.data);
        const std::span<const std::byte> values = archetype.chunk_value_bytes(chunk);
        image->chunk_values.assign(values.begin(), values.end());
        const std::span<const ComponentId> shared = archetype.shared_components();
        for (std::size_t i = 0; i < shared.size(); ++i) {
            const std::byte* const value =
                world_.shared().value(shared[i], archetype.shared_value(slot.partition, i));
            image->shared_values.insert(image->shared_values.end(), value,
                                        value + world_.registry().info(shared[i]).schema.size);
        }
        for (const ChunkPlan::BufferColumn& column : plan.buffers) {
            for (std::uint32_t row = 0; row < slot.row_count; ++row) {
                const auto& header = *reinterpret_cast<const BufferHeader*>(
                    slot.data + column.offset + std::size_t{row} * column.cell_bytes);
                if (header.heap == 0) continue;
                image->elements.insert(image->elements.end(), header.elements(),
                                       header.elements() + std::size_t{header.length} * column.element_bytes);
            }
        }
        image->count();
        return image;
    }

    // Objects can change without a trace in the row, so each snapshot has copies of its own.
    Result<void> take_objects(const Archetype& archetype, ArchetypeRecord& record) {
        if (record.plan->objects.empty()) return {};
        for (std::uint32_t chunk = 0; chunk < archetype.chunk_count(); ++chunk) {
            const ChunkSlot& slot = archetype.chunks()[chunk];
            for (std::uint32_t row = 0; row < slot.row_count; ++row) {
                for (const ChunkPlan::ObjectColumn& column : record.plan->objects) {
                    ObjectSlot object;
                    std::memcpy(&object, slot.data + column.offset + row * sizeof object, sizeof object);
                    Result<KeptObject> kept =
                        keep_object(column.component, Archetype::entities(slot)[row], object);
                    if (!kept) return kept.error();
                    record.objects.push_back(std::move(kept).value());
                }
            }
        }
        return {};
    }

    // Rows that share an object share its copy.
    Result<KeptObject> keep_object(ComponentId component, Entity entity, ObjectSlot slot) {
        const std::shared_ptr<void>& object = world_.objects().get(slot);
        if (object == nullptr) return KeptObject{};
        const auto known = kept_objects_.find({component, object.get()});
        if (known != kept_objects_.end()) return known->second;
        const std::string& name = world_.registry().info(component).schema.name;
        const ObjectCopies* const copies = world_.objects().copies(component);
        const std::type_info* const type = world_.objects().type(slot);
        const bool is_copied =
            copies != nullptr && (copies->type == nullptr || (type != nullptr && *type == *copies->type));
        if (!is_copied) return Error{errors::snapshot_without_copies(name, entity.bits)};
        Result<std::shared_ptr<void>> kept = copies->keep(object);
        if (!kept) return Error{errors::snapshot_object(name, entity.bits, kept.error().message)};
        KeptObject record{std::move(kept).value(), type, world_.objects().owner(slot)};
        return kept_objects_.try_emplace({component, object.get()}, std::move(record)).first->second;
    }

    // ---- everything else

    // True if no id was handed out or given back, and no row moved, since the previous snapshot. Without
    // reserved ids, a free id that is taken and given back leaves a trace at the head of the free list.
    bool has_same_records() const noexcept {
        if (previous_ == nullptr || previous_->structure_version != data_->structure_version) return false;
        const EntityIndex& index = world_.entities();
        if (previous_->slots != data_->slots || has_reserved_ || index.slot_count() == 0) return false;
        const std::uint32_t head = data_->slots.first_free;
        if (head >= index.slot_count()) return true;
        std::uint64_t known;
        std::memcpy(&known,
                    previous_->records[head / RecordPage::kRecords]->bytes.data() +
                        head % RecordPage::kRecords * sizeof known,
                    sizeof known);
        return known == index.records()[head];
    }

    void take_records() {
        const EntityIndex& index = world_.entities();
        data_->slots = index.slots();
        std::size_t rows = 0;
        for (const ArchetypeRecord& record : data_->archetypes) {
            for (const ChunkRecord& chunk : record.chunks) rows += chunk.row_count;
        }
        has_reserved_ = rows != data_->slots.used;
        if (has_same_records()) {
            data_->records = previous_->records;
        } else {
            const std::span<const std::uint64_t> records = index.records();
            for (std::size_t at = 0; at < records.size(); at += RecordPage::kRecords)
                take_page(records.subspan(at, std::min(RecordPage::kRecords, records.size() - at)));
        }
        data_->byte_count += data_->records.size() * RecordPage::kRecords * sizeof(std::uint64_t);
    }

    void take_page(std::span<const std::uint64_t> records) {
        const std::size_t number = data_->records.size();
        if (previous_ != nullptr && number < previous_->records.size()) {
            const std::shared_ptr<const RecordPage>& known = previous_->records[number];
            if (known->count == records.size() &&
                std::memcmp(known->bytes.data(), records.data(), records.size_bytes()) == 0) {
                data_->records.push_back(known);
                return;
            }
        }
        auto page = std::make_shared<RecordPage>(data_->core->images, records.size());
        std::memcpy(page->bytes.data(), records.data(), records.size_bytes());
        data_->records.push_back(std::move(page));
    }

    void take_resources() {
        for (const ComponentId id : world_.resources().ids()) {
            const std::byte* const value = world_.resources().data(id);
            data_->resources.insert(data_->resources.end(), value,
                                    value + world_.registry().info(id).schema.size);
            ++data_->resource_count;
        }
    }

    World& world_;
    std::shared_ptr<SnapshotData> data_;
    std::map<std::pair<ComponentId, const void*>, KeptObject> kept_objects_;  ///< by the object
    const SnapshotData* previous_ = nullptr;                                  ///< null: nothing can be shared
    std::size_t next_ = 0;                                                    ///< of its archetype records
    bool has_reserved_ = false;
};

}  // namespace

Result<WorldSnapshot> take_snapshot(World& world, const WorldSnapshot* previous) {
    ECS_EXPECTS(!world.is_locked(), "a snapshot while a query is visited");
    Result<std::shared_ptr<const SnapshotData>> taken =
        Taking(world, previous == nullptr ? nullptr : previous->data_.get()).take();
    if (!taken) return taken.error();
    return WorldSnapshot(std::move(taken).value());
}

SnapshotMemory snapshot_memory(const World& world) noexcept {
    const auto* const part = world.find_part<internal::SnapshotPart>();
    if (part == nullptr || part->core == nullptr) return {};
    const std::lock_guard lock(part->core->mutex);
    return {part->core->living.size(), part->core->images->bytes_in_use()};
}

ChangeVersion WorldSnapshot::version() const noexcept { return data_->version; }
std::size_t WorldSnapshot::entity_count() const noexcept { return data_->entity_count; }
std::size_t WorldSnapshot::byte_count() const noexcept { return data_->byte_count; }
std::size_t WorldSnapshot::chunk_count() const noexcept { return data_->chunk_count; }
std::size_t WorldSnapshot::shared_chunk_count() const noexcept { return data_->shared_chunks; }

}  // namespace perigee
