// The parts in the order of the file; places of rows are known when all were read.
#include "ecs/save/internal/world_reader.h"

#include "ecs/base/error_codes.h"
#include "ecs/save/internal/chunk_reader.h"
#include "ecs/save/internal/hierarchy_check.h"
#include "ecs/save/internal/schema_bytes.h"
#include "ecs/save/internal/watch_bytes.h"
#include "ecs/save/internal/world_format.h"
#include "ecs/schedule/schedule.h"
#include "ecs/storage/object_store.h"
#include "ecs/storage/resource_store.h"
#include "ecs/world/internal/query_list.h"
#include "ecs/world/world.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <set>
#include <string>
#include <utility>

namespace perigee::internal {

namespace {

using State = EntityIndex::State;

Error damaged(std::string_view reason) { return Error{errors::save_damaged(reason)}; }

constexpr std::string_view kTooShort = "it ends too early, or has a value that its type does not have";

}  // namespace

SavedHead read_head(ByteReader& from) {
    SavedHead head;
    head.shape.unit_bytes = from.get<std::uint32_t>();
    head.shape.max_rows = from.get<std::uint32_t>();
    constexpr std::uint32_t kMinUnit = 1024, kMaxUnit = 1u << 20;
    if (!std::has_single_bit(head.shape.unit_bytes) || head.shape.unit_bytes < kMinUnit ||
        head.shape.unit_bytes > kMaxUnit || head.shape.max_rows < 2 || head.shape.max_rows > kMaxChunkRows)
        from.fail();
    head.version = from.get<ChangeVersion>();
    if (head.version == 0 || head.version >> 62 != 0) from.fail();
    ByteReader types(from.take(from.get_at_most(kMaxSchemaBytes)));
    const std::uint32_t count = types.get_at_most(kMaxComponents);
    std::set<std::string_view> names;
    for (std::uint32_t i = 0; i < count && types.is_ok(); ++i) {
        head.types.emplace_back();
        SavedHead::Type& type = head.types.back();
        const auto flags = types.get<std::uint8_t>();
        if (flags > (kTypeHasValues | kTypeIsLate | kTypeIsPresentation | kTypeHasObjects)) types.fail();
        type.has_values = (flags & kTypeHasValues) != 0;
        type.is_late = (flags & kTypeIsLate) != 0;
        type.has_objects = (flags & kTypeHasObjects) != 0;
        type.schema = read_schema(types);
        type.schema.presentation = (flags & kTypeIsPresentation) != 0;
        if (!types.is_ok() || !layout_schema(head.types.back().schema).empty()) from.fail();
    }
    for (const SavedHead::Type& type : head.types) {
        if (!names.insert(type.schema.name).second) from.fail();
    }
    if (!types.is_ok() || types.left() != 0) from.fail();
    return head;
}

WorldReader::WorldReader(World& world, const SavedHead& head, ByteReader from, const LoadOptions& options)
    : world_(world), head_(head), from_(from), options_(options), values_(world, options.assets) {
    ArchetypeGraph& graph = world.store().graph();
    for (std::uint32_t i = 0; i < graph.size(); ++i) order_before_.push_back(&graph.at(i));
    for (const SavedHead::Type& type : head.types) {
        const std::optional<ComponentId> known = world.registry().find(type.schema.name);
        const ComponentInfo* const info = known ? &world.registry().info(*known) : nullptr;
        const bool is_same = info != nullptr && info->kind() == type.schema.kind &&
                             value_layout_hash(info->schema) == value_layout_hash(type.schema);
        types_.push_back(is_same ? info : nullptr);
    }
}

WorldReader::~WorldReader() {
    internal::EntityStore& store = world_.store();
    if (is_kept_ || store.graph().size() == order_before_.size()) return;
    store.graph().arrange(order_before_);
    store.queries().forget_dormant();
    store.typed_archetypes().clear();
    store.guard().count_change();
}

Result<std::shared_ptr<const SnapshotData>> WorldReader::read() {
    data_ = std::make_shared<SnapshotData>(core_of(world_));
    data_->timeline = data_->core->timeline;
    data_->version = head_.version;
    data_->structure_version = world_.structure_version();
    if (Result<void> tables = values_.read_tables(from_, types_); !tables) return tables.error();
    for (const Step step :
         {&WorldReader::read_slots, &WorldReader::read_archetypes, &WorldReader::read_rows,
          &WorldReader::read_resources, &WorldReader::read_events, &WorldReader::read_watches,
          &WorldReader::read_objects, &WorldReader::read_schedule, &WorldReader::place_rows}) {
        if (!from_.is_ok()) return damaged(kTooShort);
        if (Result<void> done = (this->*step)(); !done) return done.error();
    }
    if (!has_valid_hierarchy(world_, *data_)) return damaged("parents and children do not agree");
    for (std::uint16_t i = 0; i < world_.registry().size(); ++i)
        data_->types.push_back(world_.registry().info(ComponentId{i}).hash);
    return std::shared_ptr<const SnapshotData>(data_);
}

const ComponentInfo* WorldReader::type_at(std::uint16_t number) const noexcept {
    return number < types_.size() ? types_[number] : nullptr;
}

// ---- entities ----

Result<void> WorldReader::read_slots() {
    const std::uint32_t count = from_.count(sizeof(std::uint32_t));
    const auto first_free = from_.get<std::uint32_t>();
    EntityIndex::Slots& slots = data_->slots;
    slots.count = count;
    slots.first_free = first_free;
    slots_.reserve(count);
    std::array<std::uint32_t, 5> in_state{};
    for (std::uint32_t i = 0; i < count; ++i) {
        const auto number = from_.get<std::uint32_t>();
        const std::uint32_t state = number & ((1u << kSlotStateBits) - 1);
        const std::uint32_t generation = number >> kSlotStateBits;
        if (state >= in_state.size() || generation == 0 || generation > Entity::kMaxGeneration)
            return damaged("an entity has a wrong state");
        slots_.push_back(EntityIndex::make_record(static_cast<State>(state), generation, 0));
        ++in_state[state];
    }
    const auto with = [&](State state) { return in_state[static_cast<std::size_t>(state)]; };
    const std::uint32_t free = with(State::free);
    slots.retired = with(State::retired);
    slots.used = count - free - slots.retired;
    data_->entity_count = with(State::alive);
    expected_rows_ = with(State::alive) + with(State::destroyed);
    for (std::uint64_t& record : slots_) {
        if (EntityIndex::state_of(record) == State::free) record |= from_.get<std::uint32_t>();
    }
    if (!from_.is_ok()) return damaged(kTooShort);
    // Each free id is in the list once.
    std::uint32_t found = 0;
    std::uint32_t at = first_free;
    for (; at < count && found <= free; ++found) {
        if (EntityIndex::state_of(slots_[at]) != State::free) return damaged("a free id is in use");
        at = static_cast<std::uint32_t>(slots_[at]);
    }
    if (at != EntityIndex::kEndOfFree || found != free) return damaged("the list of free ids is broken");
    is_placed_.resize(count);
    if (!world_.store().index().commit(count)) return Error{errors::save_no_room("too many entities")};
    return {};
}

bool WorldReader::read_entities(std::uint32_t rows, bool is_destroyed, std::byte* to) {
    const State wanted = is_destroyed ? State::destroyed : State::alive;
    for (std::uint32_t row = 0; row < rows; ++row) {
        const Entity entity{from_.get<std::uint64_t>()};
        const std::uint32_t slot = entity.index();
        if (entity.bits > Entity::kMaxBits || slot >= slots_.size() || is_placed_[slot]) return false;
        if (EntityIndex::generation_of(slots_[slot]) != entity.generation() ||
            EntityIndex::state_of(slots_[slot]) != wanted)
            return false;
        is_placed_[slot] = true;
        ++rows_;
        std::memcpy(to + row * sizeof entity, &entity, sizeof entity);
    }
    return true;
}

// ---- rows ----

Result<void> WorldReader::read_archetypes() {
    const std::uint32_t count = from_.count(sizeof(std::uint16_t));
    if (count > kMaxArchetypes) return damaged("it has too many archetypes");
    auto order = std::make_shared<std::vector<Archetype*>>();
    std::set<const Archetype*> known;
    for (std::uint32_t i = 0; i < count && from_.is_ok(); ++i) {
        archetypes_.emplace_back();
        SavedArchetype& saved = archetypes_.back();
        const auto components = from_.get<std::uint16_t>();
        if ((components == 0) != (i == 0)) return damaged("its first archetype is not the empty one");
        bool is_known = true;
        for (std::uint16_t k = 0; k < components && from_.is_ok(); ++k) {
            const ComponentInfo* const info = type_at(from_.get<std::uint16_t>());
            is_known = is_known && info != nullptr;
            if (info != nullptr) saved.components.push_back(info->id);
        }
        if (!is_known || !from_.is_ok()) continue;
        const Result<Archetype*> made = world_.store().graph().require(saved.components);
        if (!made) return damaged(made.error().message);
        const bool is_new = known.insert(made.value()).second;
        if (!is_new || made.value()->components().size() != components)
            return damaged("an archetype is there twice, or has a component twice");
        saved.archetype = made.value();
        order->push_back(made.value());
    }
    if (order->empty()) return damaged("it has no archetypes");
    data_->order = std::move(order);
    return {};
}

Result<void> WorldReader::read_rows() {
    const ChunkShape shape = world_.archetypes().shape();
    const std::uint32_t count = from_.count(2 * sizeof(std::uint32_t));
    if (count != 0 && (shape.unit_bytes != head_.shape.unit_bytes || shape.max_rows != head_.shape.max_rows))
        return Error{errors::save_other_chunks()};
    for (std::uint32_t i = 0; i < count && from_.is_ok(); ++i) {
        const auto number = from_.get<std::uint32_t>();
        if (number >= archetypes_.size() || archetypes_[number].archetype == nullptr ||
            std::exchange(archetypes_[number].has_rows, true))
            return damaged("rows are in a wrong archetype");
        SavedArchetype& saved = archetypes_[number];
        record_numbers_.push_back(number);
        if (Result<void> read = read_record(*saved.archetype, saved.components); !read) return read;
    }
    if (from_.is_ok() && rows_ != expected_rows_) return damaged("an entity has no row");
    return {};
}

Result<void> WorldReader::read_record(Archetype& archetype, std::span<const ComponentId> components) {
    data_->archetypes.emplace_back();
    ArchetypeRecord& record = data_->archetypes.back();
    record.archetype = &archetype;
    record.plan = plan_of(world_, archetype);
    const std::size_t slots = archetype.version_slots();
    const std::uint32_t chunks = from_.count(sizeof(std::uint32_t) + 3 * sizeof(std::uint64_t));
    // Nothing would ever remove destroyed entities without a cleanup component.
    if (chunks == 0 || (archetype.is_destroyed() && !archetype.has_cleanup()))
        return damaged("rows are in a wrong archetype");
    for (std::uint32_t i = 0; i < chunks && from_.is_ok(); ++i) {
        const auto rows = from_.get<std::uint32_t>();
        if (rows == 0 || rows > archetype.capacity()) return damaged("a chunk has a wrong number of rows");
        row_bytes_ += image_bytes(archetype.layout(), rows) + slots * sizeof(ChangeVersion);
        if (row_bytes_ > options_.max_bytes)
            return Error{errors::save_too_large(row_bytes_, options_.max_bytes)};
        auto image = std::make_shared<ChunkImage>(data_->core->images, archetype.layout());
        image->complete(archetype.layout(), rows, nullptr);
        const auto version = from_.get<ChangeVersion>();
        record.versions.resize(record.versions.size() + slots);
        const std::span<ChangeVersion> versions = std::span(record.versions).last(slots);
        versions[0] = from_.get<ChangeVersion>();
        if (!read_entities(rows, archetype.is_destroyed(), image->column(0)))
            return damaged("an entity has two rows, or a row has no entity");
        ChunkReader(from_, values_, world_.registry(), archetype, versions, rows, *image).read(components);
        const ChangeVersion newest = std::max(version, *std::max_element(versions.begin(), versions.end()));
        if (newest > head_.version) return damaged("a change is newer than the world");
        record.objects.resize(record.objects.size() + rows * record.plan->objects.size());
        record.chunks.push_back({kNoUnit, rows, version, std::move(image)});
    }
    data_->chunk_count += record.chunks.size();
    return {};
}

// Runs of units are aligned to their length, so the long ones come first.
Result<void> WorldReader::place_rows() {
    if (from_.left() != 0) return damaged("it goes on after its end");
    std::size_t next = 0;
    for (const std::uint32_t units : {4u, 2u, 1u}) {
        for (ArchetypeRecord& record : data_->archetypes) {
            if (record.archetype->layout().unit_count != units) continue;
            for (ChunkRecord& chunk : record.chunks) {
                chunk.unit = static_cast<UnitIndex>(next);
                next += units;
                if (next > kMaxUnits) return Error{errors::save_no_room("too many rows")};
                for (std::uint32_t row = 0; row < chunk.row_count; ++row) {
                    const Entity entity = chunk.image->entities()[row];
                    slots_[entity.index()] |= Location(chunk.unit, row).bits();
                }
            }
        }
    }
    internal::EntityStore& store = world_.store();
    if (!store.pool().commit(next) || !store.units().ensure(next))
        return Error{errors::save_no_room("too many rows")};
    for (std::size_t at = 0; at < slots_.size(); at += RecordPage::kRecords) {
        const std::size_t count = std::min(RecordPage::kRecords, slots_.size() - at);
        auto page = std::make_shared<RecordPage>(data_->core->images, count);
        std::memcpy(page->bytes.data(), slots_.data() + at, count * sizeof(std::uint64_t));
        data_->records.push_back(std::move(page));
    }
    return {};
}

// ---- everything else ----

const ComponentInfo* WorldReader::read_block(ByteReader& block) {
    const ComponentInfo* const info = type_at(from_.get<std::uint16_t>());
    block = ByteReader(from_.take(from_.get<std::uint32_t>()));
    return from_.is_ok() ? info : nullptr;
}

Result<void> WorldReader::read_resources() {
    const std::span<const ComponentId> ids = world_.resources().ids();
    std::vector<std::size_t> offsets(world_.registry().size());
    for (const ComponentId id : ids) {
        const Schema& schema = world_.registry().info(id).schema;
        offsets[id.index] = data_->resources.size();
        data_->resources.insert(data_->resources.end(), schema.defaults.begin(), schema.defaults.end());
    }
    data_->resource_count = ids.size();
    const std::uint32_t count = from_.count(sizeof(std::uint16_t) + sizeof(std::uint32_t));
    for (std::uint32_t i = 0; i < count && from_.is_ok(); ++i) {
        ByteReader block({});
        const ComponentInfo* const info = read_block(block);
        if (info == nullptr) continue;
        if (info->kind() != ComponentKind::resource) return damaged("a resource is of another kind");
        values_.read(block, *info, data_->resources.data() + offsets[info->id.index]);
        if (!block.is_ok() || block.left() != 0) return damaged(kTooShort);
    }
    return {};
}

Result<void> WorldReader::read_events() {
    const std::uint32_t count = from_.count(sizeof(std::uint16_t) + sizeof(std::uint32_t));
    std::set<ComponentId> known;
    for (std::uint32_t i = 0; i < count && from_.is_ok(); ++i) {
        ByteReader block({});
        const ComponentInfo* const info = read_block(block);
        if (info == nullptr) continue;
        if (info->kind() != ComponentKind::event || !known.insert(info->id).second)
            return damaged("an event is of another kind, or there twice");
        EventStore::Kept kept{info->id, 0, 0, 0, {}};
        kept.first = block.get<std::uint64_t>();
        kept.count = block.get<std::uint64_t>();
        kept.tick_start = block.get<std::uint64_t>();
        const std::uint64_t end = kept.first + kept.count;
        if (kept.first >> 62 != 0 || kept.count > world_.events().max_count(info->id) ||
            kept.tick_start < kept.first || kept.tick_start > end ||
            kept.count * packed_bytes(*info) != block.left())
            return damaged("events have wrong numbers");
        kept.rows.resize(static_cast<std::size_t>(kept.count) * info->schema.size);
        for (std::size_t at = 0; at < kept.rows.size(); at += info->schema.size)
            values_.read(block, *info, kept.rows.data() + at);
        if (!block.is_ok()) return damaged(kTooShort);
        data_->events.push_back(std::move(kept));
    }
    return {};
}

Result<void> WorldReader::read_watches() {
    std::vector<Observers::WatchPtr> own = world_.observers().copies();
    const std::uint32_t count = from_.count(sizeof(std::uint16_t) + sizeof(std::uint32_t));
    for (std::uint32_t i = 0; i < count && from_.is_ok(); ++i) {
        ByteReader block({});
        const ComponentInfo* const info = read_block(block);
        const auto watch = std::find_if(own.begin(), own.end(), [&](const Observers::WatchPtr& candidate) {
            return candidate != nullptr && info != nullptr && candidate->component == info->id;
        });
        if (watch == own.end()) continue;
        WatchBytes::read(block, values_, *info, data_->slots.count, **watch);
        if (!block.is_ok() || block.left() != 0) return damaged("its records of changes are broken");
        data_->watches.push_back(std::move(*watch));
    }
    return {};
}

// All cells are nil until here.
Result<void> WorldReader::read_objects() {
    if (std::ranges::none_of(head_.types, &SavedHead::Type::has_objects)) return {};
    struct Known {
        ComponentId component;
        KeptObject object;
    };
    std::vector<Known> known{{}};  // the first is nil
    const std::uint32_t count = from_.count(sizeof(std::uint16_t) + sizeof(std::uint32_t));
    for (std::uint32_t i = 0; i < count && from_.is_ok(); ++i) {
        ByteReader block({});
        const ComponentInfo* const info = read_block(block);
        if (info == nullptr || info->kind() != ComponentKind::object)
            return damaged("an object is of another kind");
        const ObjectCopies* const copies = world_.objects().copies(info->id);
        if (copies == nullptr || !copies->read) return Error{errors::save_object_unread(info->schema.name)};
        Result<KeptObject> object = copies->read(block.take(block.left()));
        if (!object) return damaged(object.error().message);
        known.push_back({info->id, std::move(object).value()});
    }
    for (std::size_t i = 0; i < data_->archetypes.size(); ++i) {
        ArchetypeRecord& record = data_->archetypes[i];
        const std::vector<std::size_t> places =
            object_places(*record.plan, archetypes_[record_numbers_[i]].components);
        for (std::size_t row = 0; row < record.objects.size() && from_.is_ok(); row += places.size()) {
            for (const std::size_t place : places) {
                const auto number = from_.get<std::uint32_t>();
                if (number == 0) continue;
                if (number >= known.size() ||
                    known[number].component != record.plan->objects[place].component)
                    return damaged("an object is of another kind");
                record.objects[row + place] = known[number].object;
            }
        }
    }
    return {};
}

Result<void> WorldReader::read_schedule() {
    const bool is_present = from_.get_bool();
    if (!is_present) return {};
    if (options_.schedule == nullptr) {
        from_.take(from_.left());
        return {};
    }
    schedule_ = options_.schedule->read_state(from_);
    if (!from_.is_ok()) return damaged("its state of systems is broken");
    return {};
}

}  // namespace perigee::internal
