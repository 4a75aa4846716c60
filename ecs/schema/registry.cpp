// Declares types once and finds them by name.
#include "ecs/schema/registry.h"

#include "ecs/base/contract.h"
#include "ecs/base/error_codes.h"
#include "ecs/base/internal/reserve_more.h"
#include "ecs/base/memory_quota.h"
#include "ecs/base/suggest.h"
#include "ecs/schema/blob_schema.h"

#include <algorithm>
#include <utility>

namespace perigee {

namespace {

bool is_restricted_type(const Schema& schema) noexcept {
    return schema.kind == ComponentKind::chunk || is_cleanup_kind(schema.kind) || !schema.owner.empty();
}

std::size_t bytes_of(const std::vector<Field>& fields) noexcept {
    std::size_t bytes = 0;
    for (const Field& field : fields) {
        bytes += sizeof field + sizeof(Leaf) + field.name.size() + field.doc.size() + bytes_of(field.nested);
        for (const std::string& label : field.labels) bytes += sizeof(std::string) + label.size();
    }
    return bytes;
}

// Memory of a type, including the value of a resource.
std::size_t bytes_of(const ComponentInfo& info) noexcept {
    const Schema& schema = info.schema;
    const std::size_t value = schema.kind == ComponentKind::resource ? schema.size : 0;
    return sizeof info + 2 * schema.name.size() + schema.doc.size() + bytes_of(schema.fields) +
           schema.defaults.size() + info.required.size() * sizeof(ComponentId) + value;
}

}  // namespace

Result<ComponentId> ComponentRegistry::declare(Schema schema) {
    Result<ComponentInfo> described = this->described(std::move(schema));
    if (!described) return described.error();
    ComponentInfo made = std::move(described).value();
    if (const std::optional<ComponentId> known = find(made.schema.name)) {
        const ComponentInfo& old = info(*known);
        if (old.hash == made.hash) {
            const bool is_same = old.schema.index == made.schema.index &&
                                 old.schema.on_target_destroyed == made.schema.on_target_destroyed;
            if (!is_same) return Error{errors::relation_differs(made.schema.name, old.schema.declared_at)};
            if (old.schema.presentation == made.schema.presentation) return *known;
            return Error{errors::presentation_differs(made.schema.name, old.schema.declared_at,
                                                      old.schema.presentation)};
        }
        return Error{errors::redefinition(made.schema.name, old.schema.declared_at,
                                          describe_layout(old.schema), describe_layout(made.schema),
                                          old.is_late)};
    }
    if (infos_.size() == kMaxComponents) return Error{errors::too_many_types(kMaxComponents)};
    if (Result<void> completed = complete(made); !completed) return completed.error();
    const std::size_t bytes = bytes_of(made);
    if (!internal::may_take(MemoryKind::types, bytes, 1))
        return Error{errors::memory_refused(MemoryKind::types)};

    internal::reserve_more(row_bytes_, infos_.size() + 1);
    internal::reserve_more(is_restricted_, infos_.size() + 1);
    internal::reserve_more(value_bytes_, infos_.size() + 1);
    const ComponentId id{static_cast<std::uint16_t>(infos_.size())};
    made.id = id;
    made.is_late = declares_late_;
    const auto named = by_name_.emplace(made.schema.name, id).first;
    try {
        infos_.push_back(std::move(made));
    } catch (...) {
        by_name_.erase(named);
        throw;
    }
    add_figures(infos_.back());
    bytes_ += bytes;
    return id;
}

// Fills in everything except the id and the texts of the defaults.
Result<ComponentInfo> ComponentRegistry::described(Schema schema) const {
    std::vector<std::string> mistakes = layout_schema(schema);
    ComponentInfo made;
    made.required = closure_of(schema, mistakes);
    check_blob_fields(schema, schema.fields, errors::where_schema(kind_name(schema.kind), schema.name),
                      mistakes);
    if (!mistakes.empty()) {
        std::string all;
        for (const std::string& mistake : mistakes) all += (all.empty() ? "" : "\n") + mistake;
        return Error{all};
    }
    made.hash = schema_hash(schema);
    made.schema = std::move(schema);
    made.leaves = leaves_of(made.schema);  // point into the fields, whose address is stable
    made.floats = float_runs(made.leaves);
    made.cell_bytes = perigee::cell_bytes(made.schema);
    return made;
}

Result<void> ComponentRegistry::complete(ComponentInfo& made) const {
    if (texts_ == nullptr || !has_field_of(made.schema.fields, FieldType::text)) return {};
    Result<std::vector<std::byte>> defaults = default_row(made.schema, *texts_);
    if (!defaults) return defaults.error();
    made.schema.defaults = std::move(defaults).value();
    return {};
}

Result<ComponentInfo> ComponentRegistry::prepare(Schema schema) const {
    Result<ComponentInfo> made = described(std::move(schema));
    if (!made) return made;
    const std::optional<ComponentId> known = find(made.value().schema.name);
    ECS_EXPECTS(known.has_value(), made.value().schema.name);
    if (Result<void> completed = complete(made.value()); !completed) return completed.error();
    made.value().id = *known;
    made.value().is_late = info(*known).is_late;
    return made;
}

void ComponentRegistry::exchange(ComponentInfo& other) noexcept {
    const std::size_t index = other.id.index;
    bytes_ -= std::min(bytes_of(infos_[index]), bytes_);
    std::swap(infos_[index], other);
    bytes_ += bytes_of(infos_[index]);
    row_bytes_[index] = infos_[index].cell_bytes;
    is_restricted_[index] = is_restricted_type(infos_[index].schema);
    value_bytes_[index] = perigee::value_bytes(infos_[index].schema);
}

// All direct and indirect requirements of `id`. False if `first` is among them.
bool ComponentRegistry::collect(ComponentId id, std::vector<ComponentId>& closure, ComponentId first) const {
    for (const std::string& name : info(id).schema.required) {
        const ComponentId required = find(name).value();
        if (required == first) return false;
        if (std::find(closure.begin(), closure.end(), required) != closure.end()) continue;
        closure.push_back(required);
        if (!collect(required, closure, first)) return false;
    }
    return true;
}

Result<std::vector<std::vector<ComponentId>>> ComponentRegistry::closures() const {
    std::vector<std::vector<ComponentId>> all(infos_.size());
    for (const ComponentInfo& info : infos_) {
        std::vector<ComponentId>& closure = all[info.id.index];
        if (!collect(info.id, closure, info.id)) {
            return Error{
                errors::requires_itself(errors::where_schema(kind_name(info.kind()), info.schema.name))};
        }
        std::sort(closure.begin(), closure.end());
    }
    return all;
}

void ComponentRegistry::exchange_closures(std::vector<std::vector<ComponentId>>& other) noexcept {
    for (std::size_t i = 0; i < other.size(); ++i) std::swap(infos_[i].required, other[i]);
}

// Capacity was reserved.
void ComponentRegistry::add_figures(const ComponentInfo& made) noexcept {
    row_bytes_.push_back(made.cell_bytes);
    is_restricted_.push_back(is_restricted_type(made.schema));
    value_bytes_.push_back(perigee::value_bytes(made.schema));
}

void ComponentRegistry::retract_last() noexcept {
    const std::size_t bytes = bytes_of(infos_.back());
    bytes_ -= std::min(bytes, bytes_);
    internal::gave_back(MemoryKind::types, bytes, 1);
    by_name_.erase(infos_.back().schema.name);
    infos_.pop_back();
    row_bytes_.pop_back();
    is_restricted_.pop_back();
    value_bytes_.pop_back();
}

std::vector<ComponentId> ComponentRegistry::closure_of(const Schema& schema,
                                                       std::vector<std::string>& mistakes) const {
    std::vector<ComponentId> closure;
    const std::string where = errors::where_schema(kind_name(schema.kind), schema.name);
    for (const std::string& name : schema.required) {
        const std::optional<ComponentId> id = find(name);
        if (!id) {
            mistakes.push_back(errors::unknown_requirement(where, name, nearest_name(name, known_names())));
            continue;
        }
        const ComponentInfo& info = this->info(*id);
        if (!is_component_kind(info.kind()) || is_cleanup_kind(info.kind())) {
            mistakes.push_back(errors::requirement_of_kind(where, name, kind_name(info.kind())));
            continue;
        }
        closure.push_back(*id);
        closure.insert(closure.end(), info.required.begin(), info.required.end());
    }
    std::sort(closure.begin(), closure.end());
    closure.erase(std::unique(closure.begin(), closure.end()), closure.end());
    return closure;
}

void ComponentRegistry::check_blob_fields(const Schema& schema, const std::vector<Field>& fields,
                                          const std::string& place,
                                          std::vector<std::string>& mistakes) const {
    for (const Field& field : fields) {
        const std::string where = errors::where_field(place, field.name);
        check_blob_fields(schema, field.nested, where, mistakes);
        if (field.type != FieldType::blob || field.labels.empty()) continue;
        // A node refers to nodes of its own type, and the elements of its lists do, which are declared first.
        if (schema.kind == ComponentKind::blob && is_part_of_blob(schema.name, field.labels[0])) continue;
        const std::optional<ComponentId> type = find(field.labels[0]);
        if (!type) {
            mistakes.push_back(errors::unknown_blob_type(where, field.labels[0],
                                                         nearest_name(field.labels[0], known_names())));
        } else if (info(*type).kind() != ComponentKind::blob) {
            mistakes.push_back(
                errors::blob_type_of_kind(where, field.labels[0], kind_name(info(*type).kind())));
        }
    }
}

std::vector<std::string_view> ComponentRegistry::known_names() const {
    std::vector<std::string_view> names;
    names.reserve(by_name_.size());
    for (const auto& [name, id] : by_name_) names.push_back(name);
    return names;
}

std::optional<ComponentId> ComponentRegistry::find(std::string_view name) const noexcept {
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? std::nullopt : std::optional(found->second);
}

Result<ComponentId> ComponentRegistry::require(std::string_view name) const {
    if (const std::optional<ComponentId> id = find(name)) return *id;
    return Error{errors::unknown_name(name, nearest_name(name, known_names()))};
}

const ComponentInfo& ComponentRegistry::info(ComponentId id) const noexcept {
    ECS_EXPECTS(id.index < infos_.size(), id.index, infos_.size());
    return infos_[id.index];
}

std::vector<ComponentId> ComponentRegistry::ids_by_name() const {
    std::vector<ComponentId> ids;
    ids.reserve(by_name_.size());
    for (const auto& [name, id] : by_name_) ids.push_back(id);
    return ids;
}

}  // namespace perigee
