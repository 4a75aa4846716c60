// All messages of the data core in one list: wording stays consistent, and a test can provoke each one.
//
// Invariant: a message says what was expected, what came, and where. Functions only build text; callers
// decide when to report it.
#pragma once

#include "ecs/base/memory_quota.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace perigee::errors {

// ---- schemas (schema.cpp); `where` is "component 'Ship'" or "component 'Ship', field 'speed'" ----
std::string where_schema(std::string_view kind, std::string_view schema);
std::string where_field(std::string_view schema_place, std::string_view field);
std::string unnamed_schema();
std::string unnamed_field(std::string_view where, std::size_t position);
std::string duplicate_field(std::string_view where);
std::string fields_on_kind(std::string_view where, std::string_view kind);
std::string option_on_kind(std::string_view where, std::string_view option, std::string_view kind);
std::string target_without_index(std::string_view where);
std::string relation_targets(std::string_view where, std::size_t entity_fields);
std::string presentation_with_index(std::string_view where);
std::string presentation_field(std::string_view where, std::string_view type);
std::string bad_version(std::string_view where, std::uint32_t version);
std::string bad_buffer_capacity(std::string_view where, std::uint32_t capacity, std::uint32_t max);
std::string unknown_requirement(std::string_view where, std::string_view name, std::string_view nearest);
std::string requires_itself(std::string_view where);
std::string requirement_of_kind(std::string_view where, std::string_view name, std::string_view kind);
std::string no_fields(std::string_view where);
std::string bad_array_length(std::string_view where, std::uint64_t length, std::uint64_t most);
std::string bad_string_capacity(std::string_view where, std::uint64_t capacity, std::uint64_t most);
std::string no_labels(std::string_view where, std::string_view type);
std::string duplicate_label(std::string_view where, std::string_view label);
std::string too_many_labels(std::string_view where, std::size_t count, std::size_t max);
std::string no_nested_fields(std::string_view where);
std::string range_on_type(std::string_view where, std::string_view type);
std::string empty_range(std::string_view where, double minimum, double maximum);
std::string range_outside_type(std::string_view where, std::string_view type, double minimum, double maximum);
std::string nested_too_deep(std::string_view where, int max);
std::string entity_in_blob(std::string_view where);
std::string list_outside_blob(std::string_view where, std::string_view kind);
std::string list_with_default(std::string_view where);
std::string unknown_blob_type(std::string_view where, std::string_view name, std::string_view nearest);
std::string blob_type_of_kind(std::string_view where, std::string_view name, std::string_view kind);
std::string bad_default(std::string_view where, std::string_view reason);
std::string schema_too_large(std::string_view where, std::uint64_t bytes, std::uint64_t max);

// ---- values (field_value.cpp, color_text.cpp) ----
std::string no_color(std::string_view text, std::string_view nearest);
std::string no_color_for(std::string_view field, std::string_view reason);
std::string wrong_kind(std::string_view field, std::string_view expected, std::string_view got);
std::string out_of_type_range(std::string_view field, std::string_view type, std::string_view value);
std::string out_of_range(std::string_view field, double minimum, double maximum, std::string_view value);
std::string unknown_label(std::string_view field, std::string_view label, std::string_view nearest);
std::string text_too_long(std::string_view field, std::size_t capacity, std::size_t length);
std::string text_with_zero(std::string_view field, std::size_t position);
std::string no_such_blob(std::string_view field, std::uint64_t handle);
std::string blob_of_other_type(std::string_view field, std::string_view expected, std::string_view got);
std::string wrong_length(std::string_view field, std::size_t expected, std::size_t got);
std::string unknown_member(std::string_view field, std::string_view member, std::string_view nearest);

// ---- registry and binding ----
std::string unknown_name(std::string_view name, std::string_view nearest);
std::string redefinition(std::string_view name, std::string_view first_place, std::string_view old_layout,
                         std::string_view new_layout, bool is_late);
std::string relation_differs(std::string_view name, std::string_view first_place);
std::string presentation_differs(std::string_view name, std::string_view first_place, bool is_presentation);
std::string too_many_types(std::size_t max);
std::string binding_differs(std::string_view name, std::string_view reason, std::string_view schema_layout,
                            std::string_view type_layout);
std::string bound_twice(std::string_view type, std::string_view bound, std::string_view wanted);
std::string unbound_type(std::string_view type);
std::string typed_use(std::string_view type, std::string_view kind, std::string_view component,
                      std::string_view asked, std::string_view instead);
std::string type_of_another(std::string_view type, std::string_view bound, std::string_view wanted);
std::string read_only_term(std::string_view type, std::string_view component);
std::string value_of_type(std::string_view type, std::size_t bytes, std::string_view kind,
                          std::string_view component, std::size_t wanted, std::string_view instead);

// ---- another schema for a type of a living world (schema_change.cpp) ----
std::string kind_changes(std::string_view where, std::string_view from, std::string_view to);
std::string layout_is_fixed(std::string_view where, std::string_view from, std::string_view to);
std::string blobs_exist(std::string_view where, std::size_t count);
std::string change_loses(std::string_view where, std::uint32_t version);
std::string field_loses(std::string_view change, std::size_t count, std::uint64_t owner,
                        std::string_view first);
std::string migrate_failed(std::string_view where, std::uint64_t owner, std::string_view reason);

// ---- texts and blobs ----
std::string text_beyond_limit(std::size_t length, std::size_t max);
std::string texts_full(std::size_t max);
std::string not_a_blob_type(std::string_view name, std::string_view kind);
std::string part_of_a_row(std::string_view name, std::size_t row_bytes, std::size_t got);
std::string in_blob_row(std::string_view name, std::size_t row, std::string_view reason);
std::string not_one_root(std::string_view name, std::size_t got);
std::string blob_too_deep(std::string_view name, std::size_t max);
std::string other_blob_layout(std::string_view name);
std::string blobs_full(std::string_view name, std::size_t max);

// ---- archetypes, queries, prefabs ----
std::string not_of_entities(std::string_view name, std::string_view kind);
std::string row_too_wide(std::uint64_t row_bytes, std::uint64_t chunk_bytes);
std::string query_of_kind(std::string_view name, std::string_view kind);
std::string query_names_twice(std::string_view name);
std::string shared_filter_of_kind(std::string_view name, std::string_view kind);
std::string shared_filter_size(std::string_view name, std::size_t expected, std::size_t got);
std::string related_of_kind(std::string_view name);
std::string order_without_term(std::string_view name);
std::string order_of_kind(std::string_view name, std::string_view kind);
std::string order_of_field(std::string_view name, std::string_view field, std::string_view nearest);
std::string prefab_of_kind(std::string_view prefab, std::string_view name, std::string_view kind);
std::string prefab_value_size(std::string_view prefab, std::string_view name, std::size_t expected,
                              std::size_t got);
std::string prefab_elements_size(std::string_view prefab, std::string_view name, std::size_t element,
                                 std::size_t got);
std::string prefab_of_object(std::string_view prefab, std::string_view name);
std::string scene_without_room();
std::string prefab_exists(std::string_view prefab);
std::string prefab_loop(std::string_view loop);
std::string unknown_prefab(std::string_view prefab, std::string_view name, std::string_view nearest);
std::string prefab_too_large(std::string_view prefab, std::size_t max);
std::string no_such_child(std::string_view prefab, std::string_view child);
std::string child_exists(std::string_view prefab, std::string_view child);
std::string prefab_lacks(std::string_view prefab, std::string_view name, std::string_view word);
std::string prefab_of_hierarchy(std::string_view prefab, std::string_view name);
std::string prefab_unknown_field(std::string_view prefab, std::string_view name, std::string_view field,
                                 std::string_view nearest);
std::string prefab_reference_field(std::string_view prefab, std::string_view name, std::string_view field);
std::string prefab_reference_part(std::string_view prefab, std::string_view field, std::string_view part);
std::string in_prefab(std::string_view prefab, std::string_view name, std::string_view reason);
std::string prefab_names_twice(std::string_view prefab, std::string_view name);

// ---- hierarchy and names ----
std::string parent_of_dead(std::string_view child);
std::string dead_parent(std::string_view child, std::string_view parent);
std::string parent_loop(std::string_view loop);
std::string no_room_for_parent(std::string_view child, std::string_view parent);
std::string name_of_dead(std::string_view name, std::string_view entity);
std::string name_with_slash(std::string_view name);
std::string no_room_for_name(std::string_view name);
/// `what` says where the name was used: "set_name", "system".
std::string control_character(std::string_view what, std::string_view name);

// ---- buffers ----
std::string reinterpret_size(std::string_view name, std::uint32_t size, std::string_view other,
                             std::uint32_t other_size);
std::string fragmented_by_shared(std::string_view name, std::size_t values, std::size_t rows,
                                 std::size_t chunks, std::size_t needed);

// ---- events ----
std::string too_many_events(std::string_view system, std::string_view event, std::size_t max,
                            std::size_t max_bytes);

// ---- reactions ----
std::string not_observable(std::string_view name, std::string_view kind, std::string_view trigger,
                           std::string_view reason);
std::string reaction_refused(std::string_view system, std::string_view reason);
std::string reaction_with_point(std::string_view system);
std::string reaction_exclusive(std::string_view system);
std::string reaction_with_interval(std::string_view system);
std::string group_of_reactions(std::string_view system);
std::string reaction_loop(std::span<const std::string_view> names, int rounds);
std::string observation_lost(std::string_view system, std::string_view component);

// ---- moving between worlds ----
std::string transfer_unknown(std::string_view name);
std::string transfer_differs(std::string_view name, std::string_view ours, std::string_view theirs);
std::string transfer_full(std::size_t count);

// ---- snapshots ----
std::string snapshot_of_other_world();
std::string snapshot_schema_changed(std::string_view where);
std::string snapshot_without_copies(std::string_view name, std::uint64_t entity);
std::string snapshot_object(std::string_view name, std::uint64_t entity, std::string_view reason);

// ---- worlds in files (error_codes_save.cpp) ----
std::string save_no_file();
std::string save_other_format(unsigned format, unsigned known);
std::string save_damaged(std::string_view reason);
std::string save_too_large(std::uint64_t bytes, std::uint64_t max);
std::string save_part_too_large();
std::string save_object(std::string_view name, std::uint64_t entity);
std::string save_object_unread(std::string_view name);
std::string save_unknown_type(std::string_view where);
std::string save_does_not_fit(std::string_view reasons);
std::string save_other_chunks();
std::string save_no_room(std::string_view reason);
std::string save_unreadable(std::string_view file, std::string_view reason);
std::string save_in_file(std::string_view file, std::string_view reason);
std::string save_cannot_write(std::string_view file, std::string_view reason);

// ---- files (error_codes_save.cpp) ----
// Ends of sentences that begin with the path of a file.
std::string file_missing();
std::string file_is_other(std::string_view kind);
std::string file_unreadable(std::string_view reason);
std::string file_too_large(std::uint64_t bytes, std::uint64_t max);
// Why a file cannot be written.
std::string file_in_use();
std::string pipe_without_reader();
std::string output_is_no_file(std::string_view reason);

// ---- commands ----
std::string chunk_component_command(std::string_view name);
std::string destroyed_tag_command(std::string_view name);
std::string owned_component_command(std::string_view system, std::string_view name, std::string_view kind,
                                    std::string_view owner);

// ---- schedule ----
std::string writes_owned(std::string_view system, std::string_view name, std::string_view kind,
                         std::string_view owner);
std::string system_without_name(std::string_view group);
std::string system_exists(std::string_view system, bool is_group);
std::string unknown_group(std::string_view kind, std::string_view name, std::string_view group,
                          std::span<const std::string_view> groups);
std::string unknown_system(std::string_view system, std::string_view word, std::string_view name,
                           std::string_view nearest);
std::string system_of_other_group(std::string_view system, std::string_view word, std::string_view name,
                                  std::string_view other_group, std::string_view group);
std::string more_unknown_systems(std::size_t count);
std::string system_cycle(std::string_view loop, std::string_view reasons);
std::string declared_order(std::string_view system, std::string_view word, std::string_view other);
std::string order_of_engine(std::string_view first, std::string_view second);
std::string default_order(std::string_view group, std::string_view word, std::string_view other);
std::string system_query(std::string_view system, std::string_view reason);
std::string presentation_writes(std::string_view system, std::string_view component);
std::string simulation_uses(std::string_view system, std::string_view component, std::string_view use);
std::string presentation_commands(std::string_view system, std::size_t count);
std::string presentation_with_point(std::string_view system);
std::string presentation_exclusive(std::string_view system);
std::string presentation_events(std::string_view system);
std::string presentation_step_end(std::string_view system);
std::string ordered_by_own_group(std::string_view system, std::string_view word, std::string_view group);
std::string unknown_point(std::string_view system, std::string_view point, std::string_view nearest);
std::string point_has_passed(std::string_view system, std::string_view point);
std::string bad_interval(std::string_view system, double seconds);
std::string group_without_name();
std::string system_threw(std::string_view system, std::string_view what);
std::string playback_stopped(std::string_view system, std::uint64_t commands);
std::string records_refused(std::string_view system, std::uint64_t records, std::uint64_t commands);
std::string playback_refused(std::string_view system, std::uint64_t commands, std::string_view reason);
std::string memory_refused(MemoryKind kind);
std::string system_create(std::string_view system, std::string_view reason);
std::string undeclared_access(std::string_view system, std::string_view component, bool is_write);
std::string access_overlap(std::string_view system, std::string_view other, std::string_view component);
std::string job_without_name();
std::string job_exists(std::string_view job);
std::string job_does_nothing(std::string_view job);
std::string job_without_query(std::string_view job);
std::string job_cannot_use(std::string_view job, std::string_view component, std::string_view kind);
std::string job_query(std::string_view job, std::string_view reason);
std::string job_failed(std::string_view job, std::string_view reason);
std::string unknown_job(std::string_view job, std::string_view nearest);
std::string job_undeclared(std::string_view system, std::string_view job, std::string_view component,
                           bool is_write);

}  // namespace perigee::errors
