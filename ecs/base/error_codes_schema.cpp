// The texts of error_codes.h about schemas and C++ types; error_codes.cpp has the others.
#include "ecs/base/counted.h"
#include "ecs/base/error_codes.h"
#include "ecs/base/suggest.h"

#include <fmt/format.h>

namespace perigee::errors {

std::string where_schema(std::string_view kind, std::string_view schema) {
    return fmt::format("{} '{}'", kind, schema);
}
std::string where_field(std::string_view schema_place, std::string_view field) {
    return fmt::format("{}, field '{}'", schema_place, field);
}
std::string unnamed_schema() { return "a schema needs a name"; }
std::string unnamed_field(std::string_view where, std::size_t position) {
    return fmt::format("{}: field {} has no name", where, position);
}
std::string duplicate_field(std::string_view where) { return fmt::format("{}: declared twice", where); }
std::string fields_on_kind(std::string_view where, std::string_view kind) {
    return fmt::format("{}: kind '{}' has no fields; expected kind 'component', or no fields", where, kind);
}
std::string option_on_kind(std::string_view where, std::string_view option, std::string_view kind) {
    return fmt::format("{}: {} makes no sense for kind '{}'", where, option, kind);
}
std::string target_without_index(std::string_view where) {
    return fmt::format("{}: on_target_destroyed is for relations, which have 'index = true'", where);
}
std::string relation_targets(std::string_view where, std::size_t entity_fields) {
    return fmt::format("{}: a relation has one field of type entity, its target; this one has {}", where,
                       entity_fields);
}
std::string presentation_with_index(std::string_view where) {
    return fmt::format(
        "{}: a relation belongs to the simulation and cannot be presentation data; leave out index or "
        "presentation",
        where);
}
std::string presentation_field(std::string_view where, std::string_view type) {
    return fmt::format(
        "{}: presentation data cannot have a field of type {}, whose contents belong to the world{}", where,
        type, type == "text" ? "; use string(n)" : "");
}
std::string bad_version(std::string_view where, std::uint32_t version) {
    return fmt::format("{}: expected a version from 1, got {}", where, version);
}
std::string bad_buffer_capacity(std::string_view where, std::uint32_t capacity, std::uint32_t max) {
    return fmt::format("{}: expected a buffer capacity of 0 to {} elements, got {}", where, max, capacity);
}
std::string unknown_requirement(std::string_view where, std::string_view name, std::string_view nearest) {
    return fmt::format("{}: requires '{}', which is not declared before it{}", where, name,
                       did_you_mean(nearest));
}
std::string requires_itself(std::string_view where) {
    return fmt::format("{}: it requires itself, by what it requires", where);
}
std::string requirement_of_kind(std::string_view where, std::string_view name, std::string_view kind) {
    return fmt::format("{}: requires '{}', which is a {}; expected a component that a new row can have",
                       where, name, kind);
}
std::string no_fields(std::string_view where) {
    return fmt::format("{}: expected at least one field; a component without data is kind 'tag'", where);
}
std::string bad_array_length(std::string_view where, std::uint64_t length, std::uint64_t most) {
    return fmt::format("{}: expected an array length of 1 to {}, got {}", where, most, length);
}
std::string bad_string_capacity(std::string_view where, std::uint64_t capacity, std::uint64_t most) {
    return fmt::format("{}: expected a string capacity of 1 to {} bytes, got {}", where, most, capacity);
}
std::string no_labels(std::string_view where, std::string_view type) {
    return fmt::format("{}: {} needs at least one label", where, type);
}
std::string duplicate_label(std::string_view where, std::string_view label) {
    return fmt::format("{}: label '{}' is given twice", where, label);
}
std::string too_many_labels(std::string_view where, std::size_t count, std::size_t max) {
    return fmt::format("{}: expected at most {} labels, got {}", where, max, count);
}
std::string no_nested_fields(std::string_view where) {
    return fmt::format("{}: struct needs at least one field", where);
}
std::string range_on_type(std::string_view where, std::string_view type) {
    return fmt::format("{}: min and max are for numbers, got type {}", where, type);
}
std::string empty_range(std::string_view where, double minimum, double maximum) {
    return fmt::format("{}: expected min <= max, got min {} and max {}", where, minimum, maximum);
}
std::string range_outside_type(std::string_view where, std::string_view type, double minimum,
                               double maximum) {
    return fmt::format("{}: no {} lies in the range {} to {}", where, type, minimum, maximum);
}
std::string nested_too_deep(std::string_view where, int max) {
    return fmt::format("{}: structs nest more than {} deep", where, max);
}
std::string entity_in_blob(std::string_view where) {
    return fmt::format("{}: a blob never changes and cannot refer to entities, which come and go", where);
}
std::string list_outside_blob(std::string_view where, std::string_view kind) {
    return fmt::format("{}: lists are for blobs, and this is of kind {}; declare a buffer for it", where,
                       kind);
}
std::string list_with_default(std::string_view where) {
    return fmt::format("{}: a list has no default; it is empty", where);
}
std::string unknown_blob_type(std::string_view where, std::string_view name, std::string_view nearest) {
    return fmt::format("{}: no blob type '{}' is declared before it{}", where, name, did_you_mean(nearest));
}
std::string blob_type_of_kind(std::string_view where, std::string_view name, std::string_view kind) {
    return fmt::format("{}: '{}' is not a blob type but of kind {}", where, name, kind);
}
std::string bad_default(std::string_view where, std::string_view reason) {
    return fmt::format("{}: bad default: {}", where, reason);
}
std::string schema_too_large(std::string_view where, std::uint64_t bytes, std::uint64_t max) {
    return fmt::format("{}: a row takes {}, at most {} are allowed", where, counted(bytes, "byte"), max);
}

std::string no_color(std::string_view text, std::string_view nearest) {
    return fmt::format("'{}' is not a colour{}; write \"#rrggbb\" or a name like \"red\"", text,
                       did_you_mean(nearest));
}
std::string no_color_for(std::string_view field, std::string_view reason) {
    return fmt::format("field '{}': {}", field, reason);
}
std::string wrong_kind(std::string_view field, std::string_view expected, std::string_view got) {
    return fmt::format("field '{}': expected {}, got {}", field, expected, got);
}
std::string out_of_type_range(std::string_view field, std::string_view type, std::string_view value) {
    return fmt::format("field '{}': {} cannot hold {}", field, type, value);
}
std::string out_of_range(std::string_view field, double minimum, double maximum, std::string_view value) {
    return fmt::format("field '{}': expected {} to {}, got {}", field, minimum, maximum, value);
}
std::string unknown_label(std::string_view field, std::string_view label, std::string_view nearest) {
    return fmt::format("field '{}': unknown label '{}'{}", field, label, did_you_mean(nearest));
}
std::string text_too_long(std::string_view field, std::size_t capacity, std::size_t length) {
    return fmt::format("field '{}': expected at most {} of text, got {}", field, counted(capacity, "byte"),
                       length);
}
std::string text_with_zero(std::string_view field, std::size_t position) {
    return fmt::format("field '{}': expected text without zero bytes, got one at byte {}", field, position);
}
std::string no_such_blob(std::string_view field, std::uint64_t handle) {
    return fmt::format("field '{}': expected a blob of this world, got the handle {} of none", field, handle);
}
std::string blob_of_other_type(std::string_view field, std::string_view expected, std::string_view got) {
    return fmt::format("field '{}': expected a blob of type '{}', got one of type '{}'", field, expected,
                       got);
}
std::string wrong_length(std::string_view field, std::size_t expected, std::size_t got) {
    return fmt::format("field '{}': expected {}, got {}", field, counted(expected, "value"), got);
}
std::string unknown_member(std::string_view field, std::string_view member, std::string_view nearest) {
    return fmt::format("field '{}': unknown member '{}'{}", field, member, did_you_mean(nearest));
}

std::string unknown_name(std::string_view name, std::string_view nearest) {
    return fmt::format("unknown component '{}'{}", name, did_you_mean(nearest));
}
std::string redefinition(std::string_view name, std::string_view first_place, std::string_view old_layout,
                         std::string_view new_layout, bool is_late) {
    return fmt::format(
        "'{}' is already declared{}{} with another layout\n  declared:\n{}  now:\n{}{}", name,
        first_place.empty() ? "" : " at ", first_place, old_layout, new_layout,
        is_late ? "  It was declared while the game ran, or came with a saved world, and keeps its layout. "
                  "Declare it in schema.lua, where worlds of earlier versions are migrated.\n"
                : "");
}
std::string relation_differs(std::string_view name, std::string_view first_place) {
    return fmt::format("'{}' is already declared{}{} with another index or on_target_destroyed", name,
                       first_place.empty() ? "" : " at ", first_place);
}
std::string presentation_differs(std::string_view name, std::string_view first_place, bool is_presentation) {
    return fmt::format("'{}' is already declared{}{} {} presentation = true", name,
                       first_place.empty() ? "" : " at ", first_place, is_presentation ? "with" : "without");
}
std::string too_many_types(std::size_t max) {
    return fmt::format("at most {} types can be declared in one world", max);
}
std::string binding_differs(std::string_view name, std::string_view reason, std::string_view schema_layout,
                            std::string_view type_layout) {
    return fmt::format("the C++ struct bound to '{}' differs from its schema: {}\n  schema:\n{}  struct:\n{}",
                       name, reason, schema_layout, type_layout);
}
std::string bound_twice(std::string_view type, std::string_view bound, std::string_view wanted) {
    return fmt::format(
        "C++ type '{0}' is bound to '{1}' already and cannot be bound to '{2}' too; give '{2}' a type of "
        "its own, which may derive from this one: 'struct Another : {0} {{}};'",
        type, bound, wanted);
}
std::string unbound_type(std::string_view type) {
    return fmt::format(
        "C++ type '{}' is bound to no component of this world; call World::bind or World::declare with it "
        "first",
        type);
}
std::string typed_use(std::string_view type, std::string_view kind, std::string_view component,
                      std::string_view asked, std::string_view instead) {
    return fmt::format("C++ type '{}' is bound to '{}' of kind {}; asked for was {}. Use {}", type, component,
                       kind, asked, instead);
}
std::string type_of_another(std::string_view type, std::string_view bound, std::string_view wanted) {
    return fmt::format("C++ type '{}' is bound to '{}' and not to '{}'", type, bound, wanted);
}
std::string read_only_term(std::string_view type, std::string_view component) {
    return fmt::format("the query reads '{}'; ask for 'const {}', or name the term as written", component,
                       type);
}
std::string value_of_type(std::string_view type, std::size_t bytes, std::string_view kind,
                          std::string_view component, std::size_t wanted, std::string_view instead) {
    return fmt::format("a value of C++ type '{}' has {}, '{}' of kind {} takes {}. Use {}", type,
                       counted(bytes, "byte"), component, kind, wanted, instead);
}

}  // namespace perigee::errors
