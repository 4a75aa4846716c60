// The parts are written one by one, and put together when the tables of handles are complete.
#include "ecs/save/internal/world_writer.h"

#include "ecs/base/error_codes.h"
#include "ecs/save/internal/schema_bytes.h"
#include "ecs/save/internal/value_bytes.h"
#include "ecs/save/internal/watch_bytes.h"
#include "ecs/save/internal/world_format.h"
#include "ecs/schedule/schedule.h"
#include "ecs/schedule/schedule_state.h"
#include "ecs/storage/buffer.h"
#include "ecs/storage/object_store.h"
#include "ecs/storage/resource_store.h"
#include "ecs/world/world.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>
#include <set>
#include <utility>

namespace perigee::internal {

namespace {

class Writing {
public:
    Writing(const World& world, const SnapshotData& data, const SaveOptions& options)
        : world_(world), data_(data), options_(options), values_(world, options.assets) {}

    Result<WorldContents> run() {
        rest_.reserve(data_.byte_count);
        if (Result<void> written = write_rows(); !written) return written.error();
        write_resources();
        write_events();
        write_watches();
        if (Result<void> written = write_objects(); !written) return written.error();
        ByteWriter tables;
        values_.write_tables(tables, used_);

        ByteWriter all;
        const ChunkShape shape = world_.archetypes().shape();
        all.put(shape.unit_bytes);
        all.put(shape.max_rows);
        all.put(data_.version);
        ByteWriter types;
        write_types(types);
        all.put_count(types.bytes().size());
        all.append(types);
        all.append(tables);
        all.reserve(all.bytes().size() + data_.slots.count * 2 * sizeof(std::uint32_t) +
                    rest_.bytes().size());
        write_slots(all);
        write_archetypes(all);
        all.append(rest_);
        all.put(static_cast<std::uint8_t>(options_.schedule != nullptr));
        if (options_.schedule != nullptr) options_.schedule->state().write(all, world_.registry());
        if (largest_ > std::numeric_limits<std::uint32_t>::max()) return Error{errors::save_part_too_large()};
        return WorldContents{all.take(), !objects_.empty()};
    }

private:
    const ComponentInfo& info(ComponentId id) const { return world_.registry().info(id); }

    void put_block(ComponentId type, const ByteWriter& block) {
        rest_.put(type.index);
        rest_.put_count(block.bytes().size());
        rest_.append(block);
        largest_ = std::max(largest_, block.bytes().size());
    }

    void write_types(ByteWriter& to) {
        const std::size_t count = data_.types.size();
        to.put_count(count);
        for (std::uint16_t i = 0; i < count; ++i) {
            const ComponentInfo& type = info(ComponentId{i});
            const int has_values = used_.contains(type.id) ? kTypeHasValues : 0;
            const int is_late = type.is_late ? kTypeIsLate : 0;
            const int is_presentation = type.schema.presentation ? kTypeIsPresentation : 0;
            const int has_objects = with_objects_.contains(type.id) ? kTypeHasObjects : 0;
            to.put(static_cast<std::uint8_t>(has_values | is_late | is_presentation | has_objects));
            write_schema(to, type.schema);
        }
    }

    void write_slots(ByteWriter& to) {
        to.put(data_.slots.count);
        to.put(data_.slots.first_free);
        ByteWriter next;
        for (const std::shared_ptr<const RecordPage>& page : data_.records) {
            for (std::size_t i = 0; i < page->count; ++i) {
                std::uint64_t record;
                std::memcpy(&record, page->bytes.data() + i * sizeof record, sizeof record);
                const EntityIndex::State state = EntityIndex::state_of(record);
                to.put(EntityIndex::generation_of(record) << kSlotStateBits |
                       static_cast<std::uint32_t>(state));
                if (state == EntityIndex::State::free) next.put(static_cast<std::uint32_t>(record));
            }
        }
        to.append(next);
    }

    void write_archetypes(ByteWriter& to) {
        to.put_count(data_.order->size());
        for (const Archetype* const archetype : *data_.order) {
            to.put(static_cast<std::uint16_t>(archetype->components().size()));
            for (const ComponentId component : archetype->components()) to.put(component.index);
        }
    }

    // ---- rows

    Result<void> write_rows() {
        rest_.put_count(data_.archetypes.size());
        for (const ArchetypeRecord& record : data_.archetypes) {
            const Archetype& archetype = *record.archetype;
            used_.insert(archetype.components().begin(), archetype.components().end());
            rest_.put(archetype.index());
            rest_.put_count(record.chunks.size());
            for (std::size_t i = 0; i < record.chunks.size(); ++i)
                write_chunk(record, record.chunks[i], i * archetype.version_slots());
        }
        return {};
    }

    // Nothing, unless there is an object. Those that share a copy have one number.
    Result<void> write_objects() {
        ByteWriter values, cells;
        for (const ArchetypeRecord& record : data_.archetypes) {
            const std::vector<std::size_t> places =
                object_places(*record.plan, record.archetype->components());
            const KeptObject* row_objects = record.objects.data();
            if (places.empty()) continue;
            for (const ChunkRecord& chunk : record.chunks) {
                for (std::uint32_t row = 0; row < chunk.row_count; ++row, row_objects += places.size()) {
                    for (const std::size_t place : places) {
                        const ComponentId component = record.plan->objects[place].component;
                        const Result<std::uint32_t> number = number_of(row_objects[place], component, values);
                        if (!number) {
                            const std::uint64_t entity = chunk.image->entities()[row].bits;
                            return Error{errors::save_object(info(component).schema.name, entity)};
                        }
                        cells.put(number.value());
                    }
                }
            }
        }
        if (objects_.empty()) return {};
        rest_.put_count(objects_.size());
        rest_.append(values);
        rest_.append(cells);
        return {};
    }

    // 0 for nil. Writes a copy when it comes for the first time.
    Result<std::uint32_t> number_of(const KeptObject& object, ComponentId component, ByteWriter& values) {
        if (object.kept == nullptr) return 0U;
        const ObjectCopies* const copies = world_.objects().copies(component);
        if (copies == nullptr || !copies->write) return Error{""};
        const auto next = static_cast<std::uint32_t>(objects_.size() + 1);
        const auto [known, is_new] = objects_.try_emplace({component, object.kept.get()}, next);
        if (!is_new) return known->second;
        with_objects_.insert(component);
        const std::string bytes = copies->write(object.kept);
        largest_ = std::max(largest_, bytes.size());
        values.put(component.index);
        values.put_text(bytes);
        return next;
    }

    void write_chunk(const ArchetypeRecord& record, const ChunkRecord& chunk, std::size_t first_version) {
        const Archetype& archetype = *record.archetype;
        const auto version = [&](std::size_t slot) { return record.versions[first_version + slot]; };
        rest_.put(chunk.row_count);
        rest_.put(chunk.rows_version);
        rest_.put(version(0));
        rest_.put_bytes({chunk.image->column(0), chunk.row_count * sizeof(Entity)});
        const std::byte* heap = chunk.image->elements.data();
        const std::byte* shared = chunk.image->shared_values.data();
        for (const ComponentId component : archetype.components()) {
            const ComponentInfo& type = info(component);
            if (const int column = archetype.column_of(component); column >= 0) {
                const auto place = static_cast<std::size_t>(column);
                rest_.put(version(place));
                write_column(type, archetype.layout().columns[place].size, chunk, chunk.image->column(place),
                             heap);
            }
            if (const int mask = archetype.mask_of(component); mask >= 0) {
                const auto place = static_cast<std::size_t>(mask);
                rest_.put(version(archetype.mask_slot(place)));
                const std::size_t words = (std::size_t{chunk.row_count} + 63) / 64;
                rest_.put_bytes(
                    {chunk.image->bits(archetype.layout(), place), words * sizeof(std::uint64_t)});
            }
            if (archetype.shared_of(component) >= 0) {
                values_.write(rest_, type, shared);
                shared += type.schema.size;
            }
            if (const int value = archetype.chunk_value_of(component); value >= 0) {
                const auto place = static_cast<std::size_t>(value);
                rest_.put(version(archetype.chunk_value_slot(place)));
                values_.write(rest_, type,
                              chunk.image->chunk_values.data() + archetype.chunk_values()[place].offset);
            }
        }
    }

    // `heap`: the elements of the column's buffers outside the chunk; afterwards those of the next column.
    void write_column(const ComponentInfo& type, std::uint32_t cell_bytes, const ChunkRecord& chunk,
                      const std::byte* cell, const std::byte*& heap) {
        if (type.kind() == ComponentKind::object) return;  // write_objects
        if (type.kind() != ComponentKind::buffer)
            return values_.write_all(rest_, type, cell, chunk.row_count, cell_bytes);
        for (std::uint32_t row = 0; row < chunk.row_count; ++row, cell += cell_bytes) {
            BufferHeader header;
            std::memcpy(&header, cell, sizeof header);
            rest_.put(header.length);
            rest_.put(header.heap != 0 ? header.heap_capacity : std::uint32_t{0});
            const std::byte* const elements = header.heap != 0 ? heap : cell + sizeof header;
            values_.write_all(rest_, type, elements, header.length, type.schema.size);
            if (header.heap != 0) heap += std::size_t{header.length} * type.schema.size;
        }
    }

    // ---- everything else

    void write_resources() {
        rest_.put_count(data_.resource_count);
        const std::byte* value = data_.resources.data();
        for (std::size_t i = 0; i < data_.resource_count; ++i) {
            const ComponentInfo& type = info(world_.resources().ids()[i]);
            // One that was never changed may be missing in the target.
            if (std::memcmp(value, type.schema.defaults.data(), type.schema.size) != 0) used_.insert(type.id);
            ByteWriter block;
            values_.write(block, type, value);
            put_block(type.id, block);
            value += type.schema.size;
        }
    }

    void write_events() {
        rest_.put_count(data_.events.size());
        for (const EventStore::Kept& kept : data_.events) {
            const ComponentInfo& type = info(kept.event);
            if (kept.count != 0) used_.insert(kept.event);
            ByteWriter block;
            block.put(kept.first);
            block.put(kept.count);
            block.put(kept.tick_start);
            for (std::size_t at = 0; at < kept.rows.size(); at += type.schema.size)
                values_.write(block, type, kept.rows.data() + at);
            put_block(kept.event, block);
        }
    }

    void write_watches() {
        rest_.put_count(data_.watches.size());
        for (const Observers::WatchPtr& watch : data_.watches) {
            ByteWriter block;
            WatchBytes::write(block, values_, info(watch->component), *watch);
            put_block(watch->component, block);
        }
    }

    const World& world_;
    const SnapshotData& data_;
    const SaveOptions& options_;
    ValueWriter values_;
    ByteWriter rest_;             ///< everything from the rows on
    std::set<ComponentId> used_;  ///< types with values
    std::set<ComponentId> with_objects_;
    std::map<std::pair<ComponentId, const void*>, std::uint32_t> objects_;  ///< by their copy: their number
    std::size_t largest_ = 0;                                               ///< bytes of a block
};

}  // namespace

Result<WorldContents> write_world(const World& world, const SnapshotData& data, const SaveOptions& options) {
    return Writing(world, data, options).run();
}

}  // namespace perigee::internal
