// The texts of error_codes.h, except those about schemas (error_codes_schema.cpp).
#include "ecs/base/error_codes.h"

#include "ecs/base/counted.h"
#include "ecs/base/suggest.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace perigee::errors {

namespace {

std::string_view article_of(std::string_view kind) {
    return kind == "event" || kind == "object" || kind == "enableable" ? "an" : "a";
}

// Entities of a file are parts of a prefab without a name: "/boss/turret".
std::string prefab_or_entity(std::string_view prefab) {
    if (prefab.empty()) return "the file";
    if (!prefab.starts_with('/')) return fmt::format("prefab '{}'", prefab);
    return prefab.size() == 1 ? "an entity without a name" : fmt::format("entity '{}'", prefab.substr(1));
}

}  // namespace

// ---- texts and blobs ----
std::string kind_changes(std::string_view where, std::string_view from, std::string_view to) {
    return fmt::format("{}: it is of kind '{}' and cannot turn into kind '{}' while the game runs", where,
                       from, to);
}
std::string layout_is_fixed(std::string_view where, std::string_view from, std::string_view to) {
    return fmt::format(
        "{}: C++ works on its values, so their layout cannot change while the game runs\n"
        "from\n{}to\n{}",
        where, from, to);
}
std::string blobs_exist(std::string_view where, std::size_t count) {
    return fmt::format("{}: {} of it exist{}, so 'root' cannot change", where, counted(count, "blob"),
                       count == 1 ? "s" : "");
}
std::string change_loses(std::string_view where, std::uint32_t version) {
    return fmt::format(
        "{}: the new schema would lose values; raise its version to more than {} to let them "
        "go, or give it a migrate function",
        where, version);
}
std::string field_loses(std::string_view change, std::size_t count, std::uint64_t owner,
                        std::string_view first) {
    if (owner == 0) return fmt::format("  {}: {} of its values, the first is {}", change, count, first);
    return fmt::format("  {}: {} of its values, the first is {}, of entity {}", change, count, first, owner);
}
std::string migrate_failed(std::string_view where, std::uint64_t owner, std::string_view reason) {
    if (owner == 0) return fmt::format("{}: a value cannot be migrated: {}", where, reason);
    return fmt::format("{}: the value of entity {} cannot be migrated: {}", where, owner, reason);
}
std::string text_beyond_limit(std::size_t length, std::size_t max) {
    return fmt::format("a text has {} bytes, the longest may have {}", length, max);
}
std::string texts_full(std::size_t max) {
    return fmt::format(
        "the texts of this world have used up their {} MiB of memory; keep fewer different ones", max >> 20);
}
std::string not_a_blob_type(std::string_view name, std::string_view kind) {
    return fmt::format("'{}' is not a blob type but of kind {}; declare it with kind blob", name, kind);
}
std::string part_of_a_row(std::string_view name, std::size_t row_bytes, std::size_t got) {
    return fmt::format("blob '{}': expected whole rows of {}, got {}", name, counted(row_bytes, "byte"),
                       counted(got, "byte"));
}
std::string in_blob_row(std::string_view name, std::size_t row, std::string_view reason) {
    return fmt::format("blob '{}', row {}: {}", name, row, reason);
}
std::string not_one_root(std::string_view name, std::size_t got) {
    return fmt::format("blob '{}' is one struct: expected 1 row, got {}", name, got);
}
std::string blob_too_deep(std::string_view name, std::size_t max) {
    return fmt::format("blob '{}': blobs refer to blobs at most {} deep", name, max);
}
std::string other_blob_layout(std::string_view name) {
    return fmt::format("blob type '{}' has another layout in the other world", name);
}
std::string blobs_full(std::string_view name, std::size_t max) {
    return fmt::format("blob '{}': all blobs together may have {} MiB", name, max >> 20);
}

std::string not_of_entities(std::string_view name, std::string_view kind) {
    return fmt::format("'{}' is {} {} and no component: no entity can have it", name, article_of(kind), kind);
}
std::string row_too_wide(std::uint64_t row_bytes, std::uint64_t chunk_bytes) {
    return fmt::format("a row of {} bytes does not fit into the largest chunk of {} bytes", row_bytes,
                       chunk_bytes);
}
std::string query_of_kind(std::string_view name, std::string_view kind) {
    return fmt::format("a query names components and tags, '{}' is {} {}", name, article_of(kind), kind);
}
std::string query_names_twice(std::string_view name) { return fmt::format("a query names '{}' twice", name); }
std::string shared_filter_of_kind(std::string_view name, std::string_view kind) {
    return fmt::format("filter by the value of '{}': expected a shared component, got a {}", name, kind);
}
std::string shared_filter_size(std::string_view name, std::size_t expected, std::size_t got) {
    return fmt::format("filter by the value of '{}': expected {}, got {}", name, counted(expected, "byte"),
                       got);
}
std::string related_of_kind(std::string_view name) {
    return fmt::format(
        "filter by the target of '{}': expected a relation, which has 'index = true' in its schema", name);
}
std::string order_without_term(std::string_view name) {
    return fmt::format(
        "order by '{}': expected a component that the query reads or writes, and not optionally", name);
}
std::string order_of_kind(std::string_view name, std::string_view kind) {
    return fmt::format("order by '{}': expected a component with a value per row, got {} {}", name,
                       article_of(kind), kind);
}
std::string order_of_field(std::string_view name, std::string_view field, std::string_view nearest) {
    return fmt::format("order by '{}': expected a number of the component, got '{}'{}", name, field,
                       did_you_mean(nearest));
}
std::string prefab_of_kind(std::string_view prefab, std::string_view name, std::string_view kind) {
    return fmt::format("{}: expected components and tags, '{}' is a {}", prefab_or_entity(prefab), name,
                       kind);
}
std::string prefab_value_size(std::string_view prefab, std::string_view name, std::size_t expected,
                              std::size_t got) {
    return fmt::format("{}: a value of '{}' has {}, got {}", prefab_or_entity(prefab), name,
                       counted(expected, "byte"), got);
}
std::string prefab_elements_size(std::string_view prefab, std::string_view name, std::size_t element,
                                 std::size_t got) {
    return fmt::format("{}: elements of '{}' have {} each and are not too many, got {}",
                       prefab_or_entity(prefab), name, counted(element, "byte"), counted(got, "byte"));
}
std::string prefab_of_object(std::string_view prefab, std::string_view name) {
    return fmt::format(
        "{}: '{}' refers to an object, which belongs to a state and cannot be written as data; "
        "name the component alone and set its object afterwards",
        prefab_or_entity(prefab), name);
}
std::string scene_without_room() {
    return "the world has no room for all entities of the scene, so none was made";
}
std::string prefab_exists(std::string_view prefab) {
    return fmt::format("prefab '{}' exists already", prefab);
}
std::string prefab_loop(std::string_view loop) {
    return fmt::format("prefabs that build on themselves: {}", loop);
}
std::string unknown_prefab(std::string_view prefab, std::string_view name, std::string_view nearest) {
    return fmt::format("{} builds on '{}', which is no prefab{}", prefab_or_entity(prefab), name,
                       did_you_mean(nearest));
}
std::string prefab_too_large(std::string_view prefab, std::size_t max) {
    return fmt::format("{} has more than {} parts", prefab_or_entity(prefab), max);
}
std::string no_such_child(std::string_view prefab, std::string_view child) {
    return fmt::format("{}: a child without a prefab changes one of the base, which has none named '{}'",
                       prefab_or_entity(prefab), child);
}
std::string child_exists(std::string_view prefab, std::string_view child) {
    return fmt::format("{} has a child named '{}' already", prefab_or_entity(prefab), child);
}
std::string prefab_lacks(std::string_view prefab, std::string_view name, std::string_view word) {
    return fmt::format("{}: {} component '{}' is not there", prefab_or_entity(prefab), word, name);
}
std::string prefab_of_hierarchy(std::string_view prefab, std::string_view name) {
    return fmt::format("{}: '{}' is written by the engine; give children and names instead",
                       prefab_or_entity(prefab), name);
}
std::string prefab_unknown_field(std::string_view prefab, std::string_view name, std::string_view field,
                                 std::string_view nearest) {
    return fmt::format("{}: '{}' has no field '{}'{}", prefab_or_entity(prefab), name, field,
                       did_you_mean(nearest));
}
std::string prefab_reference_field(std::string_view prefab, std::string_view name, std::string_view field) {
    return fmt::format("{}: '{}' has no field '{}' of type entity", prefab_or_entity(prefab), name, field);
}
std::string prefab_reference_part(std::string_view prefab, std::string_view field, std::string_view part) {
    const std::string where = prefab.empty() ? "" : prefab_or_entity(prefab) + ", ";
    return fmt::format("{}field '{}': there is no part '{}'", where, field, part);
}
std::string in_prefab(std::string_view prefab, std::string_view name, std::string_view reason) {
    return fmt::format("{}, component '{}', {}", prefab_or_entity(prefab), name, reason);
}
std::string prefab_names_twice(std::string_view prefab, std::string_view name) {
    return fmt::format("{} names '{}' twice", prefab_or_entity(prefab), name);
}

std::string reinterpret_size(std::string_view name, std::uint32_t size, std::string_view other,
                             std::uint32_t other_size) {
    return fmt::format("a buffer of '{}' has elements of {}; expected the same of '{}', which has {}", name,
                       counted(size, "byte"), other, other_size);
}

std::string system_without_name(std::string_view group) {
    return fmt::format("a system of group '{}' has no name", group);
}
std::string system_exists(std::string_view system, bool is_group) {
    if (is_group) return fmt::format("system '{}': a group has this name", system);
    return fmt::format("system '{}' exists already", system);
}
std::string unknown_group(std::string_view kind, std::string_view name, std::string_view group,
                          std::span<const std::string_view> groups) {
    return fmt::format("{} '{}': unknown group '{}'; groups are {}{}", kind, name, group,
                       fmt::join(groups, ", "), did_you_mean(group, groups));
}
std::string unknown_system(std::string_view system, std::string_view word, std::string_view name,
                           std::string_view nearest) {
    return fmt::format("system '{}': {} names '{}', which is no system of its group{}", system, word, name,
                       did_you_mean(nearest));
}
std::string system_of_other_group(std::string_view system, std::string_view word, std::string_view name,
                                  std::string_view other_group, std::string_view group) {
    return fmt::format("system '{}': {} names '{}', which is in group '{}', expected a system of group '{}'",
                       system, word, name, other_group, group);
}
std::string more_unknown_systems(std::size_t count) {
    return fmt::format("and {} more names that no system of the group has", count);
}
std::string system_cycle(std::string_view loop, std::string_view reasons) {
    return reasons.empty() ? fmt::format("systems wait for each other: {}", loop)
                           : fmt::format("systems wait for each other: {} ({})", loop, reasons);
}
std::string declared_order(std::string_view system, std::string_view word, std::string_view other) {
    return fmt::format("'{}' is {} '{}'", system, word, other);
}
std::string order_of_engine(std::string_view first, std::string_view second) {
    return fmt::format("the engine runs '{}' before '{}'", first, second);
}
std::string default_order(std::string_view group, std::string_view word, std::string_view other) {
    return fmt::format("'{}' names no other group, so it is {} '{}'", group, word, other);
}
std::string system_query(std::string_view system, std::string_view reason) {
    return fmt::format("system '{}': {}", system, reason);
}
std::string presentation_writes(std::string_view system, std::string_view component) {
    return fmt::format(
        "system '{0}': presentation systems may only read the simulation's data, but '{1}' is declared as "
        "written; write it in simulation, or declare '{1}' with presentation = true if only the picture "
        "depends on it",
        system, component);
}
std::string simulation_uses(std::string_view system, std::string_view component, std::string_view use) {
    return fmt::format(
        "system '{0}': '{1}' is presentation data, whose values depend on the frame rate, but {2}; a system "
        "of the simulation may spawn, add, set and remove it with commands, and systems of 'presentation' "
        "read and write it",
        system, component, use);
}
std::string presentation_commands(std::string_view system, std::size_t count) {
    return fmt::format(
        "system '{}': presentation systems may only read the world, but it recorded {} {}; use commands "
        "in simulation",
        system, count, count == 1 ? "command" : "commands");
}
std::string presentation_with_point(std::string_view system) {
    return fmt::format("system '{}': a presentation system has no commands; leave out 'commands'", system);
}
std::string presentation_exclusive(std::string_view system) {
    return fmt::format(
        "system '{}': a presentation system sees a finished world and cannot be exclusive; change the world "
        "in a system of another group",
        system);
}
std::string presentation_events(std::string_view system) {
    return fmt::format(
        "system '{}': presentation systems see a finished world and may not send events; send them in "
        "simulation",
        system);
}
std::string presentation_step_end(std::string_view system) {
    return fmt::format(
        "system '{}': presentation systems declare nothing, since how often they run depends on the frame "
        "rate; do it in simulation",
        system);
}
std::string ordered_by_own_group(std::string_view system, std::string_view word, std::string_view group) {
    return fmt::format("system '{}': {} names '{}', the group that it is in", system, word, group);
}
std::string unknown_point(std::string_view system, std::string_view point, std::string_view nearest) {
    return fmt::format(
        "system '{}': expected 'end of' and a group of the step for commands, such as 'end of simulation', "
        "got '{}'{}",
        system, point, did_you_mean(nearest));
}
std::string point_has_passed(std::string_view system, std::string_view point) {
    return fmt::format(
        "system '{}': its commands wait for the {}, which comes before the system; name a group that ends "
        "after it",
        system, point);
}
std::string bad_interval(std::string_view system, double seconds) {
    return fmt::format("system '{}': expected every >= 0 seconds, got {}", system, seconds);
}

std::string chunk_component_command(std::string_view name) {
    return fmt::format(
        "chunk component '{}' cannot be changed by a command on one entity, whose chunk may be another one "
        "when it is carried out; expected add_all, set_all or remove_all, or a query that writes it",
        name);
}
std::string destroyed_tag_command(std::string_view name) {
    return fmt::format("the tag '{}' says that an entity was destroyed; expected destroy", name);
}
std::string owned_component_command(std::string_view system, std::string_view name, std::string_view kind,
                                    std::string_view owner) {
    if (!owner.empty() && owner != system)
        return fmt::format("system '{}' may not change {} '{}'; only its owner may, {}", system, kind, name,
                           owner == "engine" ? "the engine" : fmt::format("system '{}'", owner));
    return fmt::format(
        "system '{}' may not change {} '{}'; expected it among the components that the system declares as "
        "written",
        system, kind, name);
}
std::string writes_owned(std::string_view system, std::string_view name, std::string_view kind,
                         std::string_view owner) {
    return fmt::format("system '{}': {} '{}' is written by {} only; expected read access", system, kind, name,
                       owner == "engine" ? "native systems" : fmt::format("system '{}'", owner));
}

std::string fragmented_by_shared(std::string_view name, std::size_t values, std::size_t rows,
                                 std::size_t chunks, std::size_t needed) {
    return fmt::format(
        "shared component '{}' has {} different values for {} rows, so they are in {} chunks where {} "
        "would do; a plain component or fewer values would waste less",
        name, values, rows, chunks, needed);
}

// ---- hierarchy and names ----
std::string parent_of_dead(std::string_view child) {
    return fmt::format("set_parent: the child {} is not alive", child);
}
std::string dead_parent(std::string_view child, std::string_view parent) {
    return fmt::format("set_parent of {}: expected a living entity or none, got {}, which is not alive",
                       child, parent);
}
std::string parent_loop(std::string_view loop) {
    return fmt::format("set_parent: an entity cannot be below itself: {}", loop);
}
std::string no_room_for_parent(std::string_view child, std::string_view parent) {
    return fmt::format("set_parent of {} to {}: the row would be too wide, or memory is exhausted", child,
                       parent);
}

// ---- running systems ----
std::string group_without_name() { return "a group of systems has no name"; }
std::string system_threw(std::string_view system, std::string_view what) {
    return fmt::format("system '{}' threw an exception: {}", system, what);
}
std::string records_refused(std::string_view system, std::uint64_t records, std::uint64_t commands) {
    return fmt::format(
        "system '{}': its commands caused more records for reactions to changes than one step allows; "
        "records lost: {}, commands not carried out: {}",
        system, records, commands);
}
std::string playback_stopped(std::string_view system, std::uint64_t commands) {
    return fmt::format(
        "system '{}': its commands take more work than it may cause in one step; {} of them were not "
        "carried out",
        system, commands);
}
std::string playback_refused(std::string_view system, std::uint64_t commands, std::string_view reason) {
    return fmt::format("system '{}': {} of its commands could not be carried out: {}", system, commands,
                       reason);
}
std::string memory_refused(MemoryKind kind) {
    return fmt::format("there is no more room for {}", name_of(kind));
}
std::string system_create(std::string_view system, std::string_view reason) {
    return fmt::format("system '{}', on_create: {}", system, reason);
}
std::string undeclared_access(std::string_view system, std::string_view component, bool is_write) {
    return fmt::format("system '{}' {} '{}' but did not declare it; name it in the query, or in access.{}",
                       system, is_write ? "writes" : "reads", component, is_write ? "write" : "read");
}
std::string access_overlap(std::string_view system, std::string_view other, std::string_view component) {
    return fmt::format("system '{}' touched memory of '{}' that system '{}' used at the same time", system,
                       component, other);
}
std::string job_without_name() { return "a job needs a name"; }
std::string job_exists(std::string_view job) { return fmt::format("job '{}' already exists", job); }
std::string job_does_nothing(std::string_view job) { return fmt::format("job '{}' has nothing to run", job); }
std::string job_without_query(std::string_view job) {
    return fmt::format("job '{}' runs for each chunk, and so needs a query with components", job);
}
std::string job_cannot_use(std::string_view job, std::string_view component, std::string_view kind) {
    return fmt::format("job '{}' uses '{}', but jobs run on any thread, and a component of kind {} does not",
                       job, component, kind);
}
std::string job_query(std::string_view job, std::string_view reason) {
    return fmt::format("job '{}', query: {}", job, reason);
}
std::string job_failed(std::string_view job, std::string_view reason) {
    return fmt::format("job '{}': {}", job, reason);
}
std::string unknown_job(std::string_view job, std::string_view nearest) {
    return fmt::format("unknown job '{}'{}", job, did_you_mean(nearest));
}
std::string job_undeclared(std::string_view system, std::string_view job, std::string_view component,
                           bool is_write) {
    return fmt::format(
        "job '{}' {} '{}', which system '{}' did not declare; name it in access.{} of the system", job,
        is_write ? "writes" : "reads", component, system, is_write ? "write" : "read");
}

// ---- events ----
std::string too_many_events(std::string_view system, std::string_view event, std::size_t max,
                            std::size_t max_bytes) {
    return (system.empty() ? std::string() : fmt::format("system '{}': ", system)) +
           fmt::format(
               "too many events '{}': {} of them may wait at a time, which fill {} KiB; events wait "
               "until the end of the next tick",
               event, max, max_bytes / 1024);
}

// ---- reactions ----
std::string not_observable(std::string_view name, std::string_view kind, std::string_view trigger,
                           std::string_view reason) {
    return fmt::format("no system can react to '{}' of '{}', which is {} {}: {}", trigger, name,
                       article_of(kind), kind, reason);
}
std::string reaction_refused(std::string_view system, std::string_view reason) {
    return fmt::format("reaction '{}': {}", system, reason);
}
std::string reaction_with_point(std::string_view system) {
    return fmt::format("reaction '{}': its commands are played back after its round; leave out 'commands'",
                       system);
}
std::string reaction_exclusive(std::string_view system) {
    return fmt::format(
        "reaction '{}': a reaction cannot be exclusive, since its batch lists what is in the world; use its "
        "commands",
        system);
}
std::string reaction_with_interval(std::string_view system) {
    return fmt::format(
        "reaction '{}': a reaction runs when there is something for it and takes no 'every'; use a system "
        "that reads the event",
        system);
}
std::string group_of_reactions(std::string_view system) {
    return fmt::format("'{}': group 'reactions' is for what reacts to events and changes", system);
}
std::string reaction_loop(std::span<const std::string_view> names, int rounds) {
    constexpr std::size_t kMaxNames = 8;
    const std::span<const std::string_view> shown = names.first(std::min(names.size(), kMaxNames));
    return fmt::format(
        "reactions set each other off without end: after {} rounds there is still something for '{}'{}; the "
        "rest is dropped",
        rounds, fmt::join(shown, "', '"),
        names.size() > kMaxNames ? fmt::format(" and {} others", names.size() - kMaxNames) : "");
}

std::string observation_lost(std::string_view system, std::string_view component) {
    return fmt::format(
        "system '{}' cannot react any more: there was no memory for records and old values of '{}'", system,
        component);
}

// ---- moving between worlds ----
std::string transfer_unknown(std::string_view name) {
    return fmt::format("component '{}' is not declared in the other world", name);
}
std::string transfer_differs(std::string_view name, std::string_view ours, std::string_view theirs) {
    return fmt::format("component '{}' is declared otherwise in the other world; here:\n{}there:\n{}", name,
                       ours, theirs);
}
std::string transfer_full(std::size_t count) {
    return fmt::format("the other world has no room for {} more", counted(count, "entity", "entities"));
}

// ---- snapshots ----
std::string snapshot_of_other_world() { return "the snapshot is of another world"; }
std::string snapshot_schema_changed(std::string_view where) {
    return fmt::format("{}: the schema has changed since the snapshot", where);
}
std::string snapshot_without_copies(std::string_view name, std::uint64_t entity) {
    return fmt::format(
        "component '{}', entity {}: the object cannot be kept in a snapshot, because no "
        "function copies it",
        name, entity);
}
std::string snapshot_object(std::string_view name, std::uint64_t entity, std::string_view reason) {
    return fmt::format("component '{}', entity {}: {}", name, entity, reason);
}

std::string name_of_dead(std::string_view name, std::string_view entity) {
    return fmt::format("set_name '{}': entity {} is not alive", name, entity);
}
std::string name_with_slash(std::string_view name) {
    return fmt::format("set_name '{}': expected a name without '/', which separates the names of a path",
                       name);
}
std::string control_character(std::string_view what, std::string_view name) {
    std::string shown;
    for (const char c : name) {
        const auto byte = static_cast<unsigned char>(c);
        shown += byte < 0x20 || byte == 0x7F ? fmt::format("\\{}", byte) : std::string(1, c);
    }
    return fmt::format("{} '{}': expected a name without control characters", what, shown);
}
std::string no_room_for_name(std::string_view name) {
    return fmt::format("set_name '{}': the row would be too wide, or memory is exhausted", name);
}

}  // namespace perigee::errors
