// Loading: the file becomes a snapshot of the target, which is restored. If types have changed, it first
// becomes a world with the types of the file, whose schemas are then changed as by hot reload.
#include "ecs/save/save_file.h"

#include "ecs/base/contract.h"
#include "ecs/base/error_codes.h"
#include "ecs/base/memory_quota.h"
#include "ecs/files/locked_file.h"
#include "ecs/files/regular_file.h"
#include "ecs/relations/hierarchy.h"
#include "ecs/relations/names.h"
#include "ecs/save/internal/absent_types.h"
#include "ecs/save/internal/packed_file.h"
#include "ecs/save/internal/schema_bytes.h"
#include "ecs/save/internal/snapshot_data.h"
#include "ecs/save/internal/world_reader.h"
#include "ecs/save/internal/world_writer.h"
#include "ecs/save/world_snapshot.h"
#include "ecs/schedule/schedule.h"
#include "ecs/schema/text_pool.h"
#include "ecs/storage/event_store.h"
#include "ecs/storage/object_store.h"
#include "ecs/world/world.h"
#include "ecs/world/world_config.h"

#include <new>
#include <optional>
#include <utility>
#include <vector>

namespace perigee {

namespace {

using internal::ByteReader;
using internal::SavedHead;
using internal::SnapshotAccess;
using internal::WorldContents;
using internal::WorldReader;

std::string place_of(const Schema& schema) {
    return errors::where_schema(kind_name(schema.kind), schema.name);
}

Result<WorldContents> contents_of(World& world, const SaveOptions& options) {
    const Result<WorldSnapshot> taken = take_snapshot(world);
    if (!taken) return taken.error();
    return internal::write_world(world, SnapshotAccess::data(taken.value()), options);
}

// A type that the game declares while it runs, which may not have happened in this world yet.
Result<void> declare_late(World& world, const Schema& schema) {
    const LateDeclarations late(world.store().registry());
    const Result<ComponentId> declared = world.declare(schema);
    if (!declared) return Error{errors::save_does_not_fit(declared.error().message)};
    return {};
}

// Late types, and those of the library that a world declares on first use. Late types without values are
// declared too, since others may refer to them: a blob with an empty list to the type of its elements.
Result<void> declare_own_types(World& world, const SavedHead& head) {
    for (const SavedHead::Type& type : head.types) {
        if (world.registry().find(type.schema.name)) continue;
        if (!type.has_values) {
            // No value needs it, so it may be refused.
            if (type.is_late) static_cast<void>(declare_late(world, type.schema));
            continue;
        }
        Result<void> declared;
        if (type.schema.owner == "engine" && type.schema.name == "Name") declared = declare_names(world);
        if (type.schema.owner == "engine" && type.schema.name == "Parent")
            declared = declare_hierarchy(world);
        if (type.is_late) declared = declare_late(world, type.schema);
        if (!declared) return declared;
    }
    return {};
}

// The saved types whose values mean something else now. Errors: types with values that are not declared.
Result<std::vector<const Schema*>> changed_types(const World& world, const SavedHead& head) {
    std::vector<const Schema*> changed;
    std::string missing;
    for (const SavedHead::Type& type : head.types) {
        if (!type.has_values) continue;
        const std::optional<ComponentId> known = world.registry().find(type.schema.name);
        if (!known) {
            missing += (missing.empty() ? "" : "\n") + errors::save_unknown_type(place_of(type.schema));
            continue;
        }
        const Schema& now = world.registry().info(*known).schema;
        const bool has_other_layout =
            internal::value_layout_hash(now) != internal::value_layout_hash(type.schema);
        if (has_other_layout || type.schema.version < now.version) changed.push_back(&type.schema);
    }
    if (!missing.empty()) return Error{missing};
    return changed;
}

// The state of the systems, if the file has one and a schedule was given.
Result<std::optional<ScheduleState>> restore(World& world, const SavedHead& head, ByteReader from,
                                             const LoadOptions& options) {
    WorldReader reader(world, head, from, options);
    const Result<std::shared_ptr<const internal::SnapshotData>> data = reader.read();
    if (!data) return data.error();
    if (Result<void> restored = restore_snapshot(world, SnapshotAccess::made_of(data.value())); !restored)
        return restored.error();
    reader.keep();
    return std::move(reader.schedule());
}

// ---- older types ----

// A world with the types and the contents of the file.
class OldWorld {
public:
    OldWorld(const World& target, const SavedHead& head) : target_(target), head_(head), world_(config()) {}

    Result<std::optional<ScheduleState>> fill(ByteReader from, const LoadOptions& options) {
        for (const SavedHead::Type& type : head_.types) {
            if (const Result<ComponentId> declared = world_.declare(type.schema); !declared)
                return Error{errors::save_damaged(declared.error().message)};
            if (type.has_objects) copy_objects(type.schema.name);
        }
        return restore(world_, head_, from, options);
    }

    /// The contents of a file with the target's types.
    Result<WorldContents> migrate(const std::vector<const Schema*>& changed, const LoadOptions& options) {
        // Schemas name other types.
        for (std::uint16_t i = 0; i < target_.registry().size(); ++i) {
            const Schema& schema = target_.registry().info(ComponentId{i}).schema;
            if (world_.registry().find(schema.name)) continue;
            if (const Result<ComponentId> declared = world_.declare(schema); !declared)
                return declared.error();
        }
        std::vector<SchemaEdit> edits;
        for (const Schema* const schema : changed) {
            const ComponentInfo& now = target_.registry().info(target_.registry().find(schema->name).value());
            edits.push_back(
                {now.schema, options.migrate ? options.migrate(*schema, now, world_) : MigrateValue()});
        }
        if (const Result<SchemaChanges> done = change_schemas(world_, std::move(edits)); !done)
            return done.error();
        return contents_of(world_, {});
    }

private:
    // Objects stay copies in between, since only the target can make them.
    void copy_objects(std::string_view name) {
        const std::optional<ComponentId> known = target_.registry().find(name);
        const ObjectCopies* const copies = known ? target_.objects().copies(*known) : nullptr;
        if (copies == nullptr || !copies->read) return;
        const auto same = [](const std::shared_ptr<void>& kept) -> Result<std::shared_ptr<void>> {
            return kept;
        };
        world_.objects().set_copies(world_.registry().find(name).value(),
                                    {same, same, copies->write, copies->read});
    }

    WorldConfig config() const {
        WorldConfig config;
        config.shape = head_.shape;
        config.reserved_chunk_bytes = target_.store().pool().capacity_bytes();
        config.max_text_bytes = target_.texts().max_bytes();
        config.max_event_bytes = target_.events().max_bytes();
        return config;
    }

    const World& target_;
    const SavedHead& head_;
    World world_;
};

Result<std::optional<ScheduleState>> restore_older(World& world, const SavedHead& head, ByteReader from,
                                                   const std::vector<const Schema*>& changed,
                                                   const LoadOptions& options) {
    OldWorld old(world, head);
    Result<std::optional<ScheduleState>> filled = old.fill(from, options);
    if (!filled) return filled;
    const Result<WorldContents> contents = old.migrate(changed, options);
    if (!contents) return Error{errors::save_does_not_fit(contents.error().message)};
    ByteReader migrated(contents.value().bytes);
    const SavedHead now = internal::read_head(migrated);
    // Assets have the target's numbers already, and the systems were read.
    if (Result<std::optional<ScheduleState>> restored =
            restore(world, now, migrated, {.max_bytes = options.max_bytes});
        !restored)
        return restored;
    return filled;
}

Result<void> load(World& world, std::string_view contents, const LoadOptions& options) {
    const EnterQuota none(nullptr);  // the world does not belong to one mod
    ByteReader from(contents);
    const SavedHead head = internal::read_head(from);
    if (!from.is_ok()) return Error{errors::save_damaged("its types are broken")};
    if (Result<void> declared = declare_own_types(world, head); !declared) return declared;
    if (options.keep_absent) {
        Result<void> declared = internal::declare_absent_types(world, head, options.keep_absent);
        if (!declared) return declared;
    }
    const Result<std::vector<const Schema*>> changed = changed_types(world, head);
    if (!changed) return Error{errors::save_does_not_fit(changed.error().message)};
    const Result<std::optional<ScheduleState>> restored =
        changed.value().empty() ? restore(world, head, from, options)
                                : restore_older(world, head, from, changed.value(), options);
    if (!restored) return restored.error();
    if (options.schedule != nullptr && restored.value()) options.schedule->restore(*restored.value());
    return {};
}

}  // namespace

Result<std::string> world_to_bytes(World& world, const SaveOptions& options) {
    ECS_EXPECTS(!world.is_locked(), "a world is saved while a query is visited");
    const Result<WorldContents> contents = contents_of(world, options);
    if (!contents) return contents.error();
    return internal::pack(contents.value().bytes, contents.value().has_objects);
}

Result<void> save_world(World& world, const std::filesystem::path& file, const SaveOptions& options) {
    const Result<std::string> bytes = world_to_bytes(world, options);
    if (!bytes) return bytes.error();
    const Result<void> written = write_whole_file(file, bytes.value());
    if (!written) return Error{errors::save_cannot_write(file.string(), written.error().message)};
    return written;
}

Result<void> world_from_bytes(World& world, std::string_view bytes, const LoadOptions& options) {
    ECS_EXPECTS(!world.is_locked(), "a world is loaded while a query is visited");
    try {
        const Result<std::string> contents = internal::unpack(bytes, options.max_bytes);
        if (!contents) return contents.error();
        return load(world, contents.value(), options);
    } catch (const std::bad_alloc&) {
        return Error{errors::save_no_room("memory is exhausted"), ErrorKind::out_of_memory};
    }
}

Result<void> load_world(World& world, const std::filesystem::path& file, const LoadOptions& options) {
    const Result<std::string> bytes = read_regular_file(file, options.max_bytes);
    if (!bytes)
        return Error{errors::save_unreadable(file.string(), bytes.error().message), bytes.error().kind};
    Result<void> loaded = world_from_bytes(world, bytes.value(), options);
    if (!loaded)
        return Error{errors::save_in_file(file.string(), loaded.error().message), loaded.error().kind};
    return loaded;
}

}  // namespace perigee
