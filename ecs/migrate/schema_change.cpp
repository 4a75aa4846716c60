// Decides which changes are allowed; internal/schema_rebuild.h carries them out.
#include "ecs/migrate/schema_change.h"

#include "ecs/base/contract.h"
#include "ecs/base/error_codes.h"
#include "ecs/migrate/internal/schema_rebuild.h"
#include "ecs/query/relation_index.h"
#include "ecs/schema/blob_store.h"
#include "ecs/world/internal/follow_up_work.h"
#include "ecs/world/world.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace perigee {

namespace {

struct FixedLayouts {
    std::vector<ComponentId> types;
};

std::string place_of(const ComponentInfo& info) {
    return errors::where_schema(kind_name(info.kind()), info.schema.name);
}

bool is_fixed(const World& world, ComponentId component) {
    const auto* const fixed = world.find_part<FixedLayouts>();
    return internal::SchemaRebuild::is_bound(world, component) ||
           (fixed != nullptr &&
            std::find(fixed->types.begin(), fixed->types.end(), component) != fixed->types.end());
}

// True if the same bytes mean the same to C++.
bool has_same_layout(const ComponentInfo& a, const ComponentInfo& b) {
    return a.schema.size == b.schema.size && a.cell_bytes == b.cell_bytes &&
           std::equal(a.leaves.begin(), a.leaves.end(), b.leaves.begin(), b.leaves.end(),
                      [](const Leaf& one, const Leaf& other) {
                          return one.path == other.path && one.type == other.type &&
                                 one.offset == other.offset && one.size == other.size &&
                                 one.field->labels == other.field->labels;
                      });
}

// Everything that affects the bytes; not the required components.
std::uint64_t value_hash(Schema schema) {
    schema.required.clear();
    return schema_hash(schema);
}

// Values that frames have written do not become part of the simulation.
Result<void> start_with_defaults(const ComponentInfo&, const std::byte*, const ComponentInfo& to,
                                 std::byte* now) {
    std::memcpy(now, to.schema.defaults.data(), to.schema.size);
    return {};
}

std::size_t blob_count(const World& world, ComponentId type) {
    const std::vector<BlobHandle> all = world.blobs().all();
    return static_cast<std::size_t>(std::count_if(
        all.begin(), all.end(), [&](BlobHandle blob) { return world.blobs().type(blob) == type; }));
}

// Reasons that make the change impossible for any values.
std::optional<std::string> obstacle(const World& world, const ComponentInfo& from, const ComponentInfo& to) {
    if (from.kind() != to.kind())
        return errors::kind_changes(place_of(from), kind_name(from.kind()), kind_name(to.kind()));
    if (is_fixed(world, from.id) && !has_same_layout(from, to)) {
        return errors::layout_is_fixed(place_of(from), describe_layout(from.schema),
                                       describe_layout(to.schema));
    }
    const std::size_t blobs = from.schema.blob_shape != to.schema.blob_shape ? blob_count(world, from.id) : 0;
    if (blobs != 0) return errors::blobs_exist(place_of(from), blobs);
    return std::nullopt;
}

void append(std::string& text, const std::string& line) { text += (text.empty() ? "" : "\n") + line; }

std::string refusal(const World& world, const std::vector<internal::SchemaRebuild::Loss>& losses,
                    const std::map<ComponentId, std::uint32_t>& versions) {
    std::string text;
    for (const internal::SchemaRebuild::Loss& loss : losses) {
        const auto before = versions.find(loss.component);
        if (before == versions.end()) continue;
        append(text, errors::change_loses(place_of(world.registry().info(loss.component)), before->second));
        for (const internal::FieldLoss& field : loss.fields)
            append(text, errors::field_loses(field.change, field.count, field.owner.bits, field.first));
    }
    return text;
}

}  // namespace

Result<SchemaChanges> change_schemas(World& world, std::vector<SchemaEdit> edits) {
    ECS_EXPECTS(!world.is_locked(), "schemas change while a query is visited");
    internal::SchemaRebuild rebuild(world);
    std::map<ComponentId, std::uint32_t> strict;  // types that must not lose data, and their versions
    std::string mistakes;
    for (SchemaEdit& edit : edits) {
        Result<ComponentInfo> prepared = world.registry().prepare(std::move(edit.schema));
        if (!prepared) {
            append(mistakes, prepared.error().message);
            continue;
        }
        ComponentInfo to = std::move(prepared).value();
        const ComponentInfo& from = world.registry().info(to.id);
        if (const std::optional<std::string> mistake = obstacle(world, from, to)) append(mistakes, *mistake);
        const bool joins_simulation = from.schema.presentation && !to.schema.presentation;
        if (joins_simulation) edit.migrate = start_with_defaults;
        const bool is_newer = to.schema.version > from.schema.version;
        const bool is_rebuilt = value_hash(from.schema) != value_hash(to.schema) ||
                                (edit.migrate && is_newer) || joins_simulation;
        if (!is_newer) strict.emplace(to.id, from.schema.version);
        rebuild.add(std::move(to), std::move(edit.migrate), is_rebuilt);
    }
    if (!mistakes.empty()) return Error{mistakes};
    if (Result<void> done = rebuild.run(); !done) return done.error();
    if (std::string lost = refusal(world, rebuild.losses(), strict); !lost.empty()) return Error{lost};
    world.store().relations().prepare_reset();
    rebuild.finish();
    world.store().settle_relations();
    return rebuild.changes();
}

void fix_layout(World& world, ComponentId component) {
    world.part<FixedLayouts>().types.push_back(component);
}

}  // namespace perigee
