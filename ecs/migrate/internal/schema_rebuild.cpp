// Rebuilds descriptions, shared values and rows, then single values, prefabs and queries, each next to the
// old form. The rest of the class is in schema_rebuild_finish.cpp.
#include "ecs/migrate/internal/schema_rebuild.h"

#include "ecs/base/contract.h"
#include "ecs/base/error_codes.h"
#include "ecs/base/internal/row_bits.h"
#include "ecs/prefab/make_prefab.h"
#include "ecs/schema/text_pool.h"
#include "ecs/storage/buffer.h"
#include "ecs/storage/buffer_pool.h"
#include "ecs/storage/event_store.h"
#include "ecs/storage/resource_store.h"
#include "ecs/world/internal/query_list.h"
#include "ecs/world/world.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace perigee::internal {

SchemaRebuild::SchemaRebuild(World& world) : world_(world), store_(world.store()) {}

void SchemaRebuild::add(ComponentInfo after, MigrateValue migrate, bool is_rebuilt) {
    const ComponentId id = after.id;
    types_.push_back(std::make_unique<Type>(Type{id, std::move(after), std::move(migrate), is_rebuilt}));
}

Result<void> SchemaRebuild::run() {
    version_ = world_.advance_change_version();
    Result<void> done = change_descriptions();
    if (done) done = change_shared_values();
    if (done) done = change_archetypes();
    if (done) done = change_single_values();
    if (done) done = change_prefabs();
    if (done) done = change_queries();
    if (done) done = change_blobs();
    return done;
}

std::vector<SchemaRebuild::Loss> SchemaRebuild::losses() const {
    std::vector<Loss> all;
    for (const std::unique_ptr<Type>& type : types_) {
        if (type->carry == nullptr || type->migrate) continue;
        if (std::vector<FieldLoss> fields = type->carry->losses(); !fields.empty())
            all.push_back({type->id, std::move(fields)});
    }
    return all;
}

const ComponentInfo& SchemaRebuild::now(const Type& type) const noexcept {
    return store_.registry().info(type.id);
}

SchemaRebuild::Type* SchemaRebuild::find(ComponentId component) noexcept {
    for (const std::unique_ptr<Type>& type : types_) {
        if (type->id == component) return type->is_rebuilt ? type.get() : nullptr;
    }
    return nullptr;
}

// ---- one value ----

Result<void> SchemaRebuild::convert(Type& type, const std::byte* before, std::byte* after, Entity owner) {
    if (Result<void> carried = type.carry->carry(before, after, owner); !carried) return carried;
    if (!type.migrate) return {};
    const ComponentInfo& to = now(type);
    if (Result<void> migrated = type.migrate(type.other, before, to, after); !migrated) {
        return Error{errors::migrate_failed(errors::where_schema(kind_name(to.kind()), to.schema.name),
                                            owner.bits, migrated.error().message)};
    }
    return {};
}

// The new cell is an empty buffer at first.
Result<void> SchemaRebuild::convert_buffer(Type& type, const std::byte* before, std::byte* after,
                                           Entity owner) {
    const auto& source = *reinterpret_cast<const BufferHeader*>(before);
    auto& target = *reinterpret_cast<BufferHeader*>(after);
    const Schema& to = now(type).schema;
    const std::uint32_t from_size = type.other.schema.size;
    if (source.length > to.buffer_capacity) {
        const std::size_t bytes = std::size_t{source.length} * to.size;
        std::byte* const block = world_.buffers().allocate(bytes);
        if (block == nullptr) throw std::bad_alloc();
        target.heap = reinterpret_cast<std::uintptr_t>(block);
        target.heap_capacity = static_cast<std::uint32_t>(BufferPool::block_bytes(bytes) / to.size);
    }
    target.length = source.length;
    for (std::uint32_t i = 0; i < source.length; ++i) {
        Result<void> done = convert(type, source.elements() + std::size_t{i} * from_size,
                                    target.elements() + std::size_t{i} * to.size, owner);
        if (!done) return done;
    }
    return {};
}

// Converts consecutive values.
Result<std::vector<std::byte>> SchemaRebuild::convert_all(Type& type, const std::byte* values,
                                                          std::size_t count) {
    const std::uint32_t from = type.other.schema.size, to = now(type).schema.size;
    std::vector<std::byte> made(count * to);
    for (std::size_t i = 0; i < count; ++i) {
        if (Result<void> done = convert(type, values + i * from, made.data() + i * to, Entity{}); !done)
            return done.error();
    }
    return made;
}

// ---- descriptions and shared values ----

Result<void> SchemaRebuild::change_descriptions() {
    for (const std::unique_ptr<Type>& type : types_) store_.registry().exchange(type->other);
    has_descriptions_ = true;
    for (const std::unique_ptr<Type>& type : types_) {
        if (!type->is_rebuilt) continue;
        type->carry = std::make_unique<ValueCarry>(type->other, now(*type), world_.texts());
        ++changes_.types;
    }
    Result<std::vector<std::vector<ComponentId>>> closures = store_.registry().closures();
    if (!closures) return closures.error();
    closures_ = std::move(closures).value();
    store_.registry().exchange_closures(closures_);
    has_closures_ = true;
    return {};
}

// Values that become equal get the same index.
Result<void> SchemaRebuild::change_shared_values() {
    struct Value {
        Type* type;
        SharedIndex index;
        std::vector<std::byte> bytes;
    };
    std::vector<Value> values;
    for (const std::unique_ptr<Type>& type : types_) {
        if (!type->is_rebuilt || !is_shared_kind(now(*type).kind())) continue;
        world_.shared().prepare_exchange(type->id);
        for (const SharedIndex index : world_.shared().indices(type->id)) {
            const std::byte* const value = world_.shared().value(type->id, index);
            values.push_back({type.get(), index, {value, value + type->other.schema.size}});
        }
    }
    exchange_shared_values();
    has_pools_ = true;
    for (const Value& value : values) {
        const ComponentInfo& info = now(*value.type);
        std::vector<std::byte> made(info.schema.size);
        if (Result<void> done = convert(*value.type, value.bytes.data(), made.data(), Entity{}); !done)
            return done;
        const auto place = value.type->shared.emplace(value.index, kNoSharedValue).first;
        place->second = world_.shared().intern(info, made.data());
    }
    return {};
}

// ---- rows ----

Result<void> SchemaRebuild::change_archetypes() {
    std::vector<ComponentId> changed;
    for (const std::unique_ptr<Type>& type : types_) {
        if (type->is_rebuilt && is_shared_kind(now(*type).kind())) changed.push_back(type->id);
    }
    for (std::uint32_t i = 0; i < store_.graph().known_count(); ++i) {
        const Archetype& old = store_.graph().at(i);
        const bool is_affected = std::any_of(
            types_.begin(), types_.end(),
            [&](const std::unique_ptr<Type>& type) { return type->is_rebuilt && old.has(type->id); });
        if (!is_affected) continue;
        Result<std::unique_ptr<Archetype>> made = store_.graph().remake(old, changed);
        if (!made) return made.error();
        archetypes_.push_back(std::move(made).value());
        if (Result<void> done = remake_rows(old, *archetypes_.back()); !done) return done;
        changes_.rows += static_cast<std::size_t>(old.entity_count());
    }
    changes_.archetypes = archetypes_.size();
    exchange_archetypes();
    has_archetypes_ = true;
    return {};
}

Result<void> SchemaRebuild::remake_rows(const Archetype& old, Archetype& made) {
    for (std::uint32_t chunk = 0; chunk < old.chunk_count(); ++chunk) {
        const ChunkSlot& slot = old.chunks()[chunk];
        const std::uint32_t partition = partition_for(old, slot.partition, made);
        for (std::uint32_t first = 0; first < slot.row_count;) {
            // Chunk values belong to the rows of one chunk: rows of two chunks are never mixed.
            const std::uint32_t wanted = slot.row_count - first;
            const Archetype::Run run = made.chunk_values().empty()
                                           ? made.append(wanted, version_, partition)
                                           : made.append_to_new_chunk(wanted, version_, partition);
            if (run.count == 0) throw std::bad_alloc();
            if (Result<void> done = fill_run(old, chunk, first, made, run.chunk, run.row, run.count); !done)
                return done;
            if (Result<void> done = fill_chunk_values(old, chunk, made, run.chunk); !done) return done;
            first += run.count;
        }
    }
    return {};
}

std::uint32_t SchemaRebuild::partition_for(const Archetype& old, std::uint32_t partition, Archetype& made) {
    const std::span<const SharedIndex> before = old.shared_values(partition);
    std::vector<SharedIndex> values(before.begin(), before.end());
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (const Type* const type = find(old.shared_components()[i])) values[i] = type->shared.at(values[i]);
    }
    const std::uint32_t found = made.require_partition(values);
    if (found == kNoPartition) throw std::bad_alloc();
    return found;
}

Result<void> SchemaRebuild::fill_run(const Archetype& old, std::uint32_t chunk, std::uint32_t first,
                                     Archetype& made, std::uint32_t made_chunk, std::uint32_t row,
                                     std::uint32_t count) {
    const ChunkSlot &from = old.chunks()[chunk], &to = made.chunks()[made_chunk];
    const Entity* const entities = Archetype::entities(from) + first;
    std::memcpy(Archetype::entities(to) + row, entities, count * sizeof(Entity));
    for (const MaskColumn& mask : made.layout().masks) {
        const auto place = static_cast<std::size_t>(old.mask_of(mask.component));
        const std::uint64_t* const bits = Archetype::mask_words(from, old.layout().masks[place]);
        for (std::uint32_t i = 0; i < count; ++i)
            set_row_bit(Archetype::mask_words(to, mask), row + i, row_bit(bits, first + i));
    }
    // Starts empty, so that after a failure the remaining cells own nothing.
    for (const Column& column : made.layout().columns) {
        if (!column.component.is_valid() || find(column.component) == nullptr) continue;
        std::memset(Archetype::cell(to, column, row), 0, std::size_t{count} * column.size);
    }
    for (const Column& column : made.layout().columns) {
        if (!column.component.is_valid()) continue;
        Type* const type = find(column.component);
        const int place =
            old.column_of(column.component);  // none: an enableable component that gets its first fields
        const Column* const cells =
            place < 0 ? nullptr : &old.layout().columns[static_cast<std::size_t>(place)];
        if (type == nullptr) {
            std::memcpy(Archetype::cell(to, column, row), Archetype::cell(from, *cells, first),
                        std::size_t{count} * column.size);
            continue;
        }
        const bool is_buffer = now(*type).kind() == ComponentKind::buffer;
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::byte* const before =
                cells == nullptr ? nullptr : Archetype::cell(from, *cells, first + i);
            std::byte* const after = Archetype::cell(to, column, row + i);
            Result<void> done = is_buffer ? convert_buffer(*type, before, after, entities[i])
                                          : convert(*type, before, after, entities[i]);
            if (!done) return done;
        }
    }
    return note_gone(old, from, first, count);
}

// An enableable component that loses all fields has no column any more; the losses of its rows are counted.
Result<void> SchemaRebuild::note_gone(const Archetype& old, const ChunkSlot& slot, std::uint32_t first,
                                      std::uint32_t count) {
    for (const std::unique_ptr<Type>& type : types_) {
        const int place = old.column_of(type->id);
        if (!type->is_rebuilt || place < 0 || now(*type).has_column()) continue;
        const Column& column = old.layout().columns[static_cast<std::size_t>(place)];
        for (std::uint32_t row = first; row < first + count; ++row) {
            Result<void> done = type->carry->carry(Archetype::cell(slot, column, row), nullptr,
                                                   Archetype::entities(slot)[row]);
            if (!done) return done;
        }
    }
    return {};
}

Result<void> SchemaRebuild::fill_chunk_values(const Archetype& old, std::uint32_t chunk, Archetype& made,
                                              std::uint32_t made_chunk) {
    for (std::size_t i = 0; i < made.chunk_values().size(); ++i) {
        const ChunkValuePlace& place = made.chunk_values()[i];
        const std::byte* const before =
            old.chunk_value(chunk, static_cast<std::size_t>(old.chunk_value_of(place.component)));
        std::byte* const after = made.chunk_value(made_chunk, i);
        Type* const type = find(place.component);
        if (type == nullptr) {
            std::memcpy(after, before, place.size);
        } else if (Result<void> done =
                       convert(*type, before, after, Archetype::entities(old.chunks()[chunk])[0]);
                   !done) {
            return done;
        }
    }
    return {};
}

// ---- blobs ----

// Handles stay, so nothing that refers to a blob changes. The last step: functions that migrate values still
// look at old blobs.
Result<void> SchemaRebuild::change_blobs() {
    for (const BlobHandle blob : world_.blobs().all()) {
        Type* const type = find(world_.blobs().type(blob));
        if (type == nullptr) continue;
        const std::uint32_t size = now(*type).schema.size;
        const std::size_t count = world_.blobs().row_count(blob);
        const std::byte* const before = world_.blobs().bytes(blob).data();
        BlobStore::Rows rows{blob, std::make_unique<std::byte[]>(count * size), size};
        for (std::size_t i = 0; i < count; ++i) {
            if (Result<void> done = convert(*type, before + i * type->other.schema.size,
                                            rows.bytes.get() + i * size, Entity{});
                !done)
                return done;
        }
        blobs_.rows.push_back(std::move(rows));
    }
    if (blobs_.rows.empty()) return {};
    world_.blobs().complete(blobs_);
    world_.blobs().exchange(blobs_);
    has_blobs_ = true;
    return {};
}

// ---- resources, events, observer records ----

Result<void> SchemaRebuild::change_single_values() {
    for (const std::unique_ptr<Type>& type : types_) {
        if (!type->is_rebuilt) continue;
        const ComponentInfo& info = now(*type);
        if (info.kind() == ComponentKind::resource) {
            type->resource = std::make_unique<std::byte[]>(info.schema.size);
            const std::byte* const before = world_.resources().data(type->id);
            if (Result<void> done = convert(*type, before, type->resource.get(), Entity{}); !done)
                return done;
        }
        if (info.kind() == ComponentKind::event) {
            const EventBatch kept = world_.events().kept(type->id);
            Result<std::vector<std::byte>> made = convert_all(*type, kept.rows, kept.count);
            if (!made) return made.error();
            type->events = std::move(made).value();
            type->event_bytes = info.schema.size;
        }
        Result<Observers::WatchPtr> watch =
            world_.observers().converted(type->id, [&](const std::byte* before, std::byte* after) {
                return convert(*type, before, after, Entity{});
            });
        if (!watch) return watch.error();
        type->watch = std::move(watch).value();
    }
    exchange_single_values();
    has_single_values_ = true;
    return {};
}

// ---- prefabs and queries ----

Result<void> SchemaRebuild::change_prefabs() {
    prefabs_.reserve(world_.prefabs().size());
    for (std::uint32_t i = 0; i < world_.prefabs().size(); ++i) {
        prefabs_.push_back(world_.prefabs().get(PrefabId{i}));
        prefabs_.back().shared.clear();  // the copy holds no references
        prefabs_.back().extras.clear();
        if (Result<void> done = change_prefab(prefabs_.back()); !done) return done;
    }
    exchange_prefabs();
    has_prefabs_ = true;
    return {};
}

Result<void> SchemaRebuild::change_prefab(Prefab& prefab) {
    for (PrefabComponent& part : prefab.components) {
        Type* const type = find(part.component);
        if (type == nullptr || part.value.empty()) continue;
        Result<std::vector<std::byte>> made =
            convert_all(*type, part.value.data(), part.value.size() / type->other.schema.size);
        if (!made) return made.error();
        part.value = std::move(made).value();
    }
    for (PrefabPart& part : prefab.parts) {
        std::erase_if(part.links, [this](PrefabPart::Link& link) {
            return find(link.component) != nullptr && !move_offset(link.component, link.offset);
        });
    }
    std::erase_if(prefab.references, [this](PrefabReference& reference) {
        Type* const type = find(reference.component);
        if (type == nullptr) return false;
        const std::vector<Leaf>& leaves = now(*type).leaves;
        return std::none_of(leaves.begin(), leaves.end(),
                            [&](const Leaf& leaf) {
                                return leaf.path == reference.field && leaf.type == FieldType::entity;
                            }) ||
               (reference.offset && !move_offset(reference.component, *reference.offset));
    });
    resolve_prefab(world_, prefab, *prefab.archetype);
    return {};
}

// The new offset of the entity field; false if the field was removed.
bool SchemaRebuild::move_offset(ComponentId component, std::uint32_t& offset) noexcept {
    Type& type = *find(component);
    const ComponentInfo &from = type.other, &to = now(type);
    const std::uint32_t element = from.kind() == ComponentKind::buffer ? offset / from.schema.size : 0;
    const std::uint32_t within = offset - element * from.schema.size;
    const auto old = std::find_if(from.leaves.begin(), from.leaves.end(), [&](const Leaf& leaf) {
        return leaf.offset == within && leaf.type == FieldType::entity;
    });
    if (old == from.leaves.end()) return false;
    const auto place = std::find_if(to.leaves.begin(), to.leaves.end(), [&](const Leaf& leaf) {
        return leaf.path == old->path && leaf.type == FieldType::entity;
    });
    if (place == to.leaves.end()) return false;
    offset = element * to.schema.size + place->offset;
    return true;
}

Result<void> SchemaRebuild::change_queries() {
    for (const std::unique_ptr<Query>& query : store_.queries().all()) {
        QueryDesc desc = query->desc();
        for (SharedFilter& filter : desc.shared) {
            Type* const type = find(filter.component);
            if (type == nullptr) continue;
            Result<std::vector<std::byte>> made =
                convert_all(*type, filter.value.data(), filter.value.size() / type->other.schema.size);
            if (!made) return made.error();
            filter.value = std::move(made).value();
        }
        if (!check_query(desc, store_.registry())) desc.order_by.reset();
        queries_.push_back(
            std::make_unique<Query>(std::move(desc), store_.registry(), world_.shared(), store_.relations()));
        for (std::uint32_t i = 0; i < store_.graph().size(); ++i)
            queries_.back()->add_archetype(store_.graph().at(i));
    }
    exchange_queries();
    has_queries_ = true;
    return {};
}

}  // namespace perigee::internal
