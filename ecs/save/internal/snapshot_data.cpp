// Living snapshots, and the texts and blobs in them.
#include "ecs/save/internal/snapshot_data.h"

#include "ecs/base/internal/reserve_more.h"
#include "ecs/schema/blob_store.h"
#include "ecs/schema/text_pool.h"
#include "ecs/storage/buffer.h"
#include "ecs/storage/resource_store.h"
#include "ecs/world/world.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace perigee::internal {

namespace {

// What a sweep of texts looks for in an image, and what a sweep of blobs does.
struct TextHandles {
    using Handle = TextHandle;
    static constexpr FieldType kType = FieldType::text;
    static TextPool& store(World& world) noexcept { return world.texts(); }
    static const std::vector<HandleCells>& cells(const ChunkPlan& plan) noexcept { return plan.texts; }
};
struct BlobHandles {
    using Handle = BlobHandle;
    static constexpr FieldType kType = FieldType::blob;
    static BlobStore& store(World& world) noexcept { return world.blobs(); }
    static const std::vector<HandleCells>& cells(const ChunkPlan& plan) noexcept { return plan.blobs; }
};

// Protects the handles in values of one type.
template <typename Kind> class Keeper {
public:
    Keeper(World& world, std::vector<std::uint32_t> fields) : world_(world), fields_(std::move(fields)) {}
    Keeper(World& world, const ComponentInfo& info) : world_(world) {
        for (const Leaf& leaf : info.leaves) {
            if (leaf.type == Kind::kType) fields_.push_back(leaf.offset);
        }
    }
    bool is_needed() const noexcept { return !fields_.empty(); }
    void keep(const std::byte* value) const noexcept {
        for (const std::uint32_t field : fields_) {
            typename Kind::Handle handle;
            std::memcpy(&handle, value + field, sizeof handle);
            Kind::store(world_).keep(handle);
        }
    }
    void keep_all(const std::byte* values, std::size_t count, std::size_t stride) const noexcept {
        for (std::size_t i = 0; i < count; ++i) keep(values + i * stride);
    }

private:
    World& world_;
    std::vector<std::uint32_t> fields_;
};

// Elements on the heap are in the order of the columns, so those of earlier columns are passed over.
template <typename Kind>
void keep_buffers(const ChunkPlan& plan, const HandleCells& cells, const ChunkRecord& chunk,
                  const Keeper<Kind>& keeper) {
    const std::byte* heap = chunk.image->elements.data();
    for (const ChunkPlan::BufferColumn& column : plan.buffers) {
        for (std::uint32_t row = 0; row < chunk.row_count; ++row) {
            const std::byte* const cell =
                chunk.image->column(column.column) + std::size_t{row} * column.cell_bytes;
            BufferHeader header;
            std::memcpy(&header, cell, sizeof header);
            const std::byte* const elements = header.heap != 0 ? heap : cell + sizeof header;
            if (header.heap != 0) heap += std::size_t{header.length} * column.element_bytes;
            if (column.column == cells.at) keeper.keep_all(elements, header.length, column.element_bytes);
        }
    }
}

template <typename Kind> void keep_chunk(World& world, const ChunkPlan& plan, const ChunkRecord& chunk) {
    const ChunkImage& image = *chunk.image;
    for (const HandleCells& cells : Kind::cells(plan)) {
        const Keeper<Kind> keeper(world, cells.fields);
        switch (cells.place) {
            case HandleCells::Place::column:
                keeper.keep_all(image.column(cells.at), chunk.row_count, cells.cell_bytes);
                break;
            case HandleCells::Place::buffer:
                keep_buffers(plan, cells, chunk, keeper);
                break;
            case HandleCells::Place::chunk_value:
                keeper.keep(image.chunk_values.data() + cells.at);
                break;
            case HandleCells::Place::shared_value:
                keeper.keep(image.shared_values.data() + cells.at);
                break;
        }
    }
}

template <typename Kind> void keep_single_values(World& world, const SnapshotData& data) {
    const std::byte* resource = data.resources.data();
    for (std::size_t i = 0; i < data.resource_count; ++i) {
        const ComponentInfo& info = world.registry().info(world.resources().ids()[i]);
        Keeper<Kind>(world, info).keep(resource);
        resource += info.schema.size;
    }
    for (const EventStore::Kept& kept : data.events) {
        const ComponentInfo& info = world.registry().info(kept.event);
        const Keeper<Kind> keeper(world, info);
        if (keeper.is_needed()) keeper.keep_all(kept.rows.data(), kept.count, info.schema.size);
    }
    for (const Observers::WatchPtr& watch : data.watches) {
        const Keeper<Kind> keeper(world, world.registry().info(watch->component));
        if (!keeper.is_needed()) continue;
        Observers::each_value(*watch, [&](const std::byte* value) { keeper.keep(value); });
    }
}

template <typename Kind> void keep_handles(World& world, SnapshotCore& core) {
    const std::lock_guard lock(core.mutex);
    ++core.sweeps;
    for (const SnapshotData* const data : core.living) {
        ComponentId changed;
        if (!has_schemas_of(world, *data, changed)) {
            data->lost_with = changed;
            continue;
        }
        for (const ArchetypeRecord& record : data->archetypes) {
            for (const ChunkRecord& chunk : record.chunks) {
                if (std::exchange(chunk.image->kept_in, core.sweeps) == core.sweeps) continue;
                keep_chunk<Kind>(world, *record.plan, chunk);
            }
        }
        keep_single_values<Kind>(world, *data);
    }
}

}  // namespace

SnapshotData::SnapshotData(std::shared_ptr<SnapshotCore> shared_core) : core(std::move(shared_core)) {
    const std::lock_guard lock(core->mutex);
    reserve_more(core->living, core->living.size() + 1);
    core->living.push_back(this);
    number = core->next_number++;
}

SnapshotData::~SnapshotData() {
    const std::lock_guard lock(core->mutex);
    std::erase(core->living, this);
}

std::vector<std::size_t> object_places(const ChunkPlan& plan, std::span<const ComponentId> components) {
    std::vector<std::size_t> places;
    for (const ComponentId component : components) {
        for (std::size_t i = 0; i < plan.objects.size(); ++i)
            if (plan.objects[i].component == component) places.push_back(i);
    }
    return places;
}

bool has_schemas_of(const World& world, const SnapshotData& data, ComponentId& changed) noexcept {
    if (data.lost_with) {
        changed = *data.lost_with;
        return false;
    }
    for (std::uint16_t i = 0; i < data.types.size(); ++i) {
        if (world.registry().info(ComponentId{i}).hash == data.types[i]) continue;
        changed = ComponentId{i};
        return false;
    }
    return true;
}

void keep_texts(World& world, SnapshotCore& core) { keep_handles<TextHandles>(world, core); }
void keep_blobs(World& world, SnapshotCore& core) { keep_handles<BlobHandles>(world, core); }

}  // namespace perigee::internal
