// Checks a declaration and lays out its row.
#include "ecs/schema/schema.h"

#include "ecs/base/contract.h"
#include "ecs/base/error_codes.h"
#include "ecs/base/internal/plain_name.h"
#include "ecs/schema/internal/number_range.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>
#include <span>
#include <string_view>

namespace perigee {

namespace {

constexpr std::uint64_t multiple_of(std::uint64_t bytes, std::uint64_t granule) {
    return (bytes + granule - 1) / granule * granule;
}

// Walks one list of fields, giving offsets from `start`; returns size and alignment of the whole.
class Layouter {
public:
    explicit Layouter(std::vector<std::string>& mistakes) : mistakes_(mistakes) {}

    struct Extent {
        std::uint64_t size = 0;
        std::uint32_t alignment = 1;
    };

    Extent lay_out(std::vector<Field>& fields, const std::string& place) {
        Extent extent;
        std::set<std::string_view> names;
        for (std::size_t i = 0; i < fields.size(); ++i) {
            Field& field = fields[i];
            if (field.name.empty()) {
                mistakes_.push_back(errors::unnamed_field(place, i + 1));
                continue;
            }
            const std::string where = errors::where_field(place, field.name);
            if (!names.insert(field.name).second) mistakes_.push_back(errors::duplicate_field(where));
            measure(field, where);
            extent.size = multiple_of(extent.size, field.alignment);
            field.offset = static_cast<std::uint32_t>(extent.size);
            extent.size += field.size;
            extent.alignment = std::max(extent.alignment, field.alignment);
        }
        extent.size = multiple_of(extent.size, extent.alignment);
        return extent;
    }

private:
    // Element size, alignment and total size of one field; records its errors.
    void measure(Field& field, const std::string& where) {
        const FieldTypeInfo& info = field_type_info(field.type);
        std::uint64_t element = info.size;
        field.alignment = info.alignment;
        switch (field.type) {
            case FieldType::string:
                if (field.string_capacity == 0 || field.string_capacity > kMaxStringCapacity) {
                    mistakes_.push_back(
                        errors::bad_string_capacity(where, field.string_capacity, kMaxStringCapacity));
                }
                element = std::min(field.string_capacity, kMaxStringCapacity);
                break;
            case FieldType::enumeration:
                check_labels(field, where, kMaxEnumLabels);
                element = field.labels.size() <= 256 ? 1 : 2;
                field.alignment = static_cast<std::uint32_t>(element);
                break;
            case FieldType::flags:
                check_labels(field, where, kMaxFlags);
                element = field.labels.size() <= 8 ? 1 : field.labels.size() <= 16 ? 2 : 4;
                field.alignment = static_cast<std::uint32_t>(element);
                break;
            case FieldType::structure: {
                if (field.nested.empty()) mistakes_.push_back(errors::no_nested_fields(where));
                if (depth_ == kMaxStructDepth) {
                    mistakes_.push_back(errors::nested_too_deep(where, kMaxStructDepth));
                    break;
                }
                ++depth_;
                const Extent inner = lay_out(field.nested, where);
                --depth_;
                element = inner.size;
                field.alignment = inner.alignment;
                break;
            }
            default:
                break;
        }
        if (field.array_length > kMaxArrayLength)
            mistakes_.push_back(errors::bad_array_length(where, field.array_length, kMaxArrayLength));
        check_range(field, where);
        const std::uint64_t count = std::clamp<std::uint32_t>(field.array_length, 1, kMaxArrayLength);
        // Rows that are too large are reported for the whole schema. Here the sizes only must not overflow.
        field.element_size = static_cast<std::uint32_t>(std::min<std::uint64_t>(element, 1u << 30));
        field.size = static_cast<std::uint32_t>(std::min<std::uint64_t>(element * count, 1u << 30));
    }

    void check_labels(const Field& field, const std::string& where, std::size_t max) {
        if (field.labels.empty())
            mistakes_.push_back(errors::no_labels(where, field_type_info(field.type).name));
        if (field.labels.size() > max)
            mistakes_.push_back(errors::too_many_labels(where, field.labels.size(), max));
        std::set<std::string_view> seen;
        for (const std::string& label : field.labels) {
            if (!seen.insert(label).second) mistakes_.push_back(errors::duplicate_label(where, label));
            if (internal::has_control_character(label)) {
                mistakes_.push_back(errors::control_character(where + ", label", label));
            }
        }
    }

    void check_range(const Field& field, const std::string& where) {
        if (!field.minimum && !field.maximum) return;
        const std::string_view type = field_type_info(field.type).name;
        const double low = field.minimum.value_or(-internal::kInfinity);
        const double high = field.maximum.value_or(internal::kInfinity);
        if (!internal::takes_range(field.type)) {
            mistakes_.push_back(errors::range_on_type(where, type));
        } else if (!(low <= high)) {  // NaN too
            mistakes_.push_back(errors::empty_range(where, low, high));
        } else if (!internal::holds_some_value(field)) {
            mistakes_.push_back(errors::range_outside_type(where, type, low, high));
        }
    }

    std::vector<std::string>& mistakes_;
    int depth_ = 0;
};

// Zero, or the nearest value in the range: a new row must be valid.
FieldValue fresh_value(const Field& field) {
    const internal::NumberRange range = internal::declared_range(field);
    const FieldValue number{std::clamp(0.0, range.low, range.high)};
    const std::size_t parts = field.element_size / field_type_info(internal::number_type(field.type)).size;
    const FieldValue element = parts == 1 ? number : FieldValue{FieldValueList(parts, number)};
    return field.array_length == 0 ? element : FieldValue{FieldValueList(field.array_length, element)};
}

// A default outside the range is an error, even if a write would be clamped.
Field refusing(Field field) {
    field.range_policy = RangePolicy::refuse;
    for (Field& inner : field.nested) inner = refusing(std::move(inner));
    return field;
}

// A quat and a mat4 start as the identity.
void write_identity(const Field& field, std::span<std::byte> row) {
    const std::size_t parts = part_names(field.type).size();
    const std::size_t first = field.type == FieldType::quat ? 3 : 0;
    constexpr float kOne = 1;
    for (std::uint32_t i = 0; i < std::max(field.array_length, 1u); ++i) {
        for (std::size_t part = first; part < parts; part += 5) {
            const std::size_t at = field.offset + std::size_t{i} * field.element_size + part * sizeof kOne;
            std::memcpy(row.data() + at, &kOne, sizeof kOne);
        }
    }
}

// Defaults of the fields inside a struct first: the outer default overrides only what it names.
void write_defaults(const Field& field, std::span<std::byte> row, const std::string& place,
                    std::vector<std::string>& mistakes, const FieldContext& context) {
    if (field.type == FieldType::structure) {
        const std::uint32_t count = std::max(field.array_length, 1u);
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::span<std::byte> element =
                row.subspan(field.offset + std::size_t{i} * field.element_size, field.element_size);
            for (const Field& inner : field.nested) {
                // An error is reported once, not for each element of an array.
                std::vector<std::string> repeated;
                write_defaults(inner, element, errors::where_field(place, field.name),
                               i == 0 ? mistakes : repeated, context);
            }
        }
    }
    if (field.type == FieldType::quat || field.type == FieldType::mat4) write_identity(field, row);
    if (field.minimum || field.maximum) {
        const Result<void> written = write_field(field, fresh_value(field), row);
        ECS_INVARIANT(written.ok(), field.name);
    }
    if (!field.default_value.is_set()) return;
    if (const Result<void> written = write_field(refusing(field), field.default_value, row, context);
        !written) {
        mistakes.push_back(errors::bad_default(place, written.error().message));
    }
}

void add_leaves(const Field& field, std::uint32_t base, const std::string& prefix,
                std::vector<Leaf>& leaves) {
    const std::uint32_t count = std::max(field.array_length, 1u);
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::string path =
            prefix + field.name +
            (field.array_length == 0 ? std::string() : "[" + std::to_string(i + 1) + "]");
        const std::uint32_t at = base + field.offset + i * field.element_size;
        if (const std::span<const std::string_view> names = part_names(field.type); !names.empty()) {
            const FieldType type = field.type == FieldType::color ? FieldType::u8 : FieldType::f32;
            const std::uint32_t size = field_type_info(type).size;
            std::uint32_t offset = at;
            for (const std::string_view name : names) {
                leaves.push_back(Leaf{path + "." + std::string(name), type, offset, size, &field});
                offset += size;
            }
        } else if (field.type == FieldType::structure) {
            for (const Field& inner : field.nested) add_leaves(inner, at, path + ".", leaves);
        } else {
            leaves.push_back(Leaf{path, field.type, at, field.element_size, &field});
        }
    }
}

std::size_t entity_count(const std::vector<Field>& fields) noexcept {
    std::size_t count = 0;
    for (const Field& field : fields) {
        const std::size_t one = field.type == FieldType::entity ? 1 : entity_count(field.nested);
        count += one * std::max(field.array_length, 1u);
    }
    return count;
}

// Options that would be silently ignored.
void check_options(const Schema& schema, const std::string& place, std::vector<std::string>& mistakes) {
    const std::string_view kind = kind_name(schema.kind);
    const auto refuse = [&](bool is_wrong, std::string_view option) {
        if (is_wrong) mistakes.push_back(errors::option_on_kind(place, option, kind));
    };
    const bool is_tag = schema.kind == ComponentKind::tag;
    refuse(!schema.required.empty() && !is_component_kind(schema.kind), "requires");
    refuse(!schema.owner.empty() && (is_tag || schema.kind == ComponentKind::blob), "owner");
    refuse(schema.buffer_capacity != Schema{}.buffer_capacity && schema.kind != ComponentKind::buffer,
           "capacity");
    refuse(schema.version > 1 && (is_tag || schema.kind == ComponentKind::object), "version");
    const bool may_be_relation =
        schema.kind == ComponentKind::component || schema.kind == ComponentKind::enableable;
    refuse(schema.index && !may_be_relation, "index");
    if (!schema.index && schema.on_target_destroyed != OnTargetDestroyed::clear)
        mistakes.push_back(errors::target_without_index(place));
    if (const std::size_t targets = entity_count(schema.fields);
        schema.index && may_be_relation && targets != 1)
        mistakes.push_back(errors::relation_targets(place, targets));
    const bool may_be_presentation =
        schema.kind == ComponentKind::component || schema.kind == ComponentKind::resource;
    refuse(schema.presentation && !may_be_presentation, "presentation");
    if (schema.presentation && schema.index) mistakes.push_back(errors::presentation_with_index(place));
    for (const FieldType type : {FieldType::text, FieldType::blob}) {
        if (schema.presentation && has_field_of(schema.fields, type))
            mistakes.push_back(errors::presentation_field(place, field_type_info(type).name));
    }
    if (schema.version == 0) mistakes.push_back(errors::bad_version(place, schema.version));
    refuse(schema.blob_shape != BlobShape::rows && schema.kind != ComponentKind::blob, "root");
}

// Lists are blobs of an element type; blob_schema.h has replaced those that may be there.
void check_lists(const std::vector<Field>& fields, ComponentKind kind, const std::string& place,
                 std::vector<std::string>& mistakes) {
    for (const Field& field : fields) {
        const std::string where = errors::where_field(place, field.name);
        check_lists(field.nested, kind, where, mistakes);
        if (!field.is_list) continue;
        if (kind != ComponentKind::blob)
            mistakes.push_back(errors::list_outside_blob(where, kind_name(kind)));
        if (field.default_value.is_set()) mistakes.push_back(errors::list_with_default(where));
    }
}

}  // namespace

const Field* Schema::field(std::string_view field_name) const noexcept {
    const auto found = std::find_if(fields.begin(), fields.end(),
                                    [&](const Field& candidate) { return candidate.name == field_name; });
    return found == fields.end() ? nullptr : &*found;
}

std::vector<std::string> layout_schema(Schema& schema) {
    std::vector<std::string> mistakes;
    const std::string place = errors::where_schema(kind_name(schema.kind), schema.name);
    if (schema.name.empty()) mistakes.push_back(errors::unnamed_schema());
    const bool has_no_fields = schema.kind == ComponentKind::tag || schema.kind == ComponentKind::object;
    if (has_no_fields && !schema.fields.empty()) {
        mistakes.push_back(errors::fields_on_kind(place, kind_name(schema.kind)));
    }
    const bool may_lack_fields =
        schema.kind == ComponentKind::enableable || schema.kind == ComponentKind::event;
    if (!has_no_fields && !may_lack_fields && schema.fields.empty()) {
        mistakes.push_back(errors::no_fields(place));
    }
    check_options(schema, place, mistakes);
    if (schema.kind == ComponentKind::buffer && schema.buffer_capacity > kMaxBufferCapacity) {
        mistakes.push_back(errors::bad_buffer_capacity(place, schema.buffer_capacity, kMaxBufferCapacity));
    }
    if (schema.kind == ComponentKind::blob && has_field_of(schema.fields, FieldType::entity)) {
        mistakes.push_back(errors::entity_in_blob(place));
    }
    check_lists(schema.fields, schema.kind, place, mistakes);

    const Layouter::Extent extent = Layouter(mistakes).lay_out(schema.fields, place);
    if (extent.size > kMaxRowBytes) {
        mistakes.push_back(errors::schema_too_large(place, extent.size, kMaxRowBytes));
        return mistakes;
    }
    schema.size = static_cast<std::uint32_t>(extent.size);
    schema.alignment = extent.alignment;
    if (mistakes.empty() && cell_bytes(schema) > kMaxRowBytes) {
        mistakes.push_back(errors::schema_too_large(place, cell_bytes(schema), kMaxRowBytes));
        return mistakes;
    }
    schema.defaults.assign(schema.size, std::byte{0});
    if (mistakes.empty()) {
        for (const Field& field : schema.fields) {
            write_defaults(field, schema.defaults, place, mistakes, {});
        }
    }
    return mistakes;
}

Result<std::vector<std::byte>> default_row(const Schema& schema, TextPool& texts) {
    std::vector<std::byte> row(schema.size, std::byte{0});
    std::vector<std::string> mistakes;
    for (const Field& field : schema.fields) write_defaults(field, row, schema.name, mistakes, {&texts});
    if (!mistakes.empty()) return Error{mistakes.front()};
    return row;
}

std::uint32_t cell_bytes(const Schema& schema) noexcept {
    switch (schema.kind) {
        case ComponentKind::component:
        case ComponentKind::cleanup:
        case ComponentKind::enableable:
            return schema.size;
        case ComponentKind::buffer:
            return static_cast<std::uint32_t>(
                multiple_of(kBufferHeaderBytes + std::uint64_t{schema.size} * schema.buffer_capacity, 8));
        case ComponentKind::object:
            return sizeof(std::uint32_t);
        default:
            return 0;
    }
}

std::uint32_t target_offset(const Schema& schema) noexcept {
    const std::vector<Field>* fields = &schema.fields;
    std::uint32_t offset = 0;
    for (;;) {
        const auto found = std::find_if(fields->begin(), fields->end(), [](const Field& field) {
            return field.type == FieldType::entity || has_field_of(field.nested, FieldType::entity);
        });
        ECS_EXPECTS(found != fields->end(), schema.name);
        offset += found->offset;
        if (found->type == FieldType::entity) return offset;
        fields = &found->nested;
    }
}

std::uint32_t value_bytes(const Schema& schema) noexcept {
    const bool is_value = schema.kind != ComponentKind::buffer && schema.kind != ComponentKind::object;
    return is_value ? schema.size : 0;
}

bool has_field_of(const std::vector<Field>& fields, FieldType type) noexcept {
    return std::any_of(fields.begin(), fields.end(), [type](const Field& field) {
        return field.type == type || has_field_of(field.nested, type);
    });
}

std::vector<Leaf> leaves_of(const Schema& schema) {
    std::vector<Leaf> leaves;
    for (const Field& field : schema.fields) add_leaves(field, 0, "", leaves);
    return leaves;
}

}  // namespace perigee
