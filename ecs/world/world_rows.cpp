// Rows of archetypes that are not plain: shared values, enabled bits, values per chunk, cells that own
// memory, cleanup components, and components with an on_remove handler.
//
// Invariant: a change happens completely or not at all; steps that may run out of memory come first.
#include "ecs/base/contract.h"
#include "ecs/base/internal/copy_value.h"
#include "ecs/base/internal/row_bits.h"
#include "ecs/world/world.h"

#include <algorithm>
#include <array>
#include <new>

namespace perigee {

namespace {

const std::byte* given_value(std::span<const ComponentValue> given, ComponentId component) noexcept {
    const auto found = std::find_if(given.begin(), given.end(), [&](const ComponentValue& value) {
        return value.component == component;
    });
    return found == given.end() ? nullptr : found->value;
}

}  // namespace

// The value of a component without a column here, or of a held entity; null if there is none.
std::byte* World::special_cell(Entity entity, ComponentId component) const noexcept {
    Location location;
    if (!locate(entity, location)) return nullptr;
    const Archetype& archetype = graph_.at(units_.archetype[location.unit()]);
    const ColumnPlace place = graph_.column_place(archetype.index(), component);
    const std::uint32_t chunk = units_.chunk_index[location.unit()];
    const std::byte* value = nullptr;
    if (place.has_column()) {
        value = cell_at(location, place, place.size);
    } else if (place.is_shared()) {
        const std::uint32_t partition = archetype.chunks()[chunk].partition;
        value = shared_.value(component, archetype.shared_value(partition, place.column));
    } else if (place.is_chunk_value()) {
        value = archetype.chunk_value(chunk, place.column);
    }
    return const_cast<std::byte*>(value);
}

// ---- becoming ----

Entity World::spawn_values(Archetype& archetype, std::span<const ComponentValue> values) {
    const ArchetypeTransition* transition = graph_.between(graph_.empty(), archetype);
    if (transition == nullptr || !index_.has_room()) return Entity{};
    const std::uint32_t partition = target_partition(*transition, graph_.empty(), 0, values);
    if (partition == kNoPartition) return Entity{};
    const Archetype::Run run = archetype.append(1, change_version_, partition);
    if (run.count == 0) {
        archetype.drop_partition(partition);
        return Entity{};
    }
    const ChunkSlot& slot = archetype.chunks()[run.chunk];
    const Entity entity = index_.create(Location(slot.unit, run.row));
    Archetype::entities(slot)[run.row] = entity;
    ++entity_count_;
    archetype.write_image(slot, run.row, archetype.default_image());
    write_given(slot, run.row, archetype, values, slot.row_count == 1);
    note_born(archetype, &entity, 1);
    return entity;
}

// Writes the caller's values into an existing row: columns and, if requested, the chunk's value.
void World::write_given(const ChunkSlot& slot, std::uint32_t row, Archetype& archetype,
                        std::span<const ComponentValue> given, bool with_chunk) {
    for (const ComponentValue& part : given) {
        const std::uint32_t bytes = registry_.value_bytes(part.component);
        if (part.value == nullptr || bytes == 0) continue;
        const ColumnPlace place = graph_.column_place(archetype.index(), part.component);
        const std::uint32_t chunk = units_.chunk_index[slot.unit];
        if (place.has_column()) {
            internal::copy_value(slot.data + std::size_t{place.line} * kCacheLine + std::size_t{row} * bytes,
                                 part.value, bytes);
        } else if (place.is_chunk_value() && with_chunk) {
            internal::copy_value(archetype.chunk_value(chunk, place.column), part.value, bytes);
            archetype.set_version(chunk, archetype.chunk_value_slot(place.column), change_version_);
        }
    }
}

// ---- moving ----

// The partition of the target for a row: shared values that were given, else those it has, else defaults.
// kNoPartition when memory is exhausted.
std::uint32_t World::target_partition(const ArchetypeTransition& transition, const Archetype& source,
                                      std::uint32_t source_partition,
                                      std::span<const ComponentValue> given) noexcept {
    Archetype& target = *transition.target;
    const std::span<const ComponentId> shared = target.shared_components();
    if (shared.empty()) return 0;
    std::vector<std::pair<ComponentId, SharedIndex>> interned;  // counted here until the partition does
    std::uint32_t partition = kNoPartition;
    try {
        std::vector<SharedIndex> values(shared.size());
        interned.reserve(shared.size());
        for (std::size_t i = 0; i < shared.size(); ++i) {
            const int from = transition.shared_sources[i];
            if (const std::byte* value = given_value(given, shared[i])) {
                values[i] = shared_.intern(registry_.info(shared[i]), value);
                interned.emplace_back(shared[i], values[i]);
            } else if (from >= 0) {
                values[i] = source.shared_value(source_partition, static_cast<std::size_t>(from));
            } else {
                values[i] = target.default_shared_values()[i];
            }
        }
        partition = target.require_partition(values);
    } catch (const std::bad_alloc&) {
        partition = kNoPartition;
    }
    for (const auto& [component, index] : interned) shared_.release(component, index);
    return partition;
}

// Moves a row along any way; false when memory is exhausted, also where that was so when the way was looked
// for.
bool World::move_special(Entity entity, Location from, Archetype& source, const ArchetypeTransition* way,
                         std::span<const ComponentValue> given, bool is_held) {
    if (way == nullptr) return false;
    const ArchetypeTransition& transition = *way;
    Archetype& target = *transition.target;
    const ChunkSlot old = source.chunks()[units_.chunk_index[from.unit()]];
    const std::uint32_t partition = target_partition(transition, source, old.partition, given);
    if (partition == kNoPartition) return false;
    if (&target == &source && partition == old.partition) return true;  // and lent views stay valid
    ++structure_version_;
    const Archetype::Run run = target.append(1, change_version_, partition);
    if (run.count == 0) {
        target.drop_partition(partition);
        return false;
    }
    fill_moved(entity, from, Location(target.chunks()[run.chunk].unit, run.row), transition, given, is_held);
    take_row(from, source);
    return true;
}

// Writes the record and values of an existing row; the caller removes the row that it comes from.
void World::fill_moved(Entity entity, Location from, Location to, const ArchetypeTransition& transition,
                       std::span<const ComponentValue> given, bool is_held) noexcept {
    const Archetype& source = graph_.at(units_.archetype[from.unit()]);
    Archetype& target = *transition.target;
    const ChunkSlot old = source.chunks()[units_.chunk_index[from.unit()]];
    const ChunkSlot slot = target.chunks()[units_.chunk_index[to.unit()]];
    const std::uint32_t row = to.row();
    Archetype::entities(slot)[row] = entity;
    if (is_held) {
        index_.hold(entity, to);
    } else {
        index_.place(entity, to);
    }
    transition.copies.copy_row(old.data, from.row(), slot.data, row);
    transition.also_added.copy_row(target.default_image(), 0, slot.data, row);
    if (const internal::CopyPlan::Op& added = transition.added; added.size != 0) {
        internal::copy_value(slot.data + added.target_offset + std::size_t{row} * added.size,
                             target.default_image() + added.source_offset, added.size);
    }
    for (const ArchetypeTransition::Mask& mask : transition.masks) {
        const auto* from_bits = reinterpret_cast<const std::uint64_t*>(old.data + mask.source_offset);
        internal::set_row_bit(reinterpret_cast<std::uint64_t*>(slot.data + mask.target_offset), row,
                              internal::row_bit(from_bits, from.row()));
    }
    write_given(slot, row, target, given);
    if (transition.is_reported) note_moved(transition, {units_.chunk_index[from.unit()], from.row(), 1});
    release_cells(source, transition.released, old, from.row(), 1);
}

// The target archetype of a change; null when the row gets too wide or memory is exhausted.
Archetype* World::changed(Archetype& from, std::span<const ComponentValue> add,
                          std::span<const ComponentId> remove) noexcept {
    Archetype* target = &from;
    const auto follow = [&target](const ArchetypeTransition* step) {
        if (step != nullptr) target = step->target;
        return step != nullptr;
    };
    const auto take_away = [&] {
        return std::all_of(remove.begin(), remove.end(), [&](ComponentId component) {
            return follow(graph_.removing(*target, component));
        });
    };
    if (!take_away()) return nullptr;
    for (const ComponentValue& part : add) {
        if (part.component == graph_.destroyed_tag()) return nullptr;
        if (std::find(remove.begin(), remove.end(), part.component) != remove.end()) continue;
        if (!follow(graph_.adding(*target, part.component))) return nullptr;
    }
    return take_away() ? target : nullptr;  // also components added as requirements
}

bool World::set_shared(Entity entity, ComponentId component, const void* value) {
    Location location;
    if (!locate(entity, location)) return false;
    Archetype& archetype = graph_.at(units_.archetype[location.unit()]);
    if (!graph_.column_place(archetype.index(), component).is_shared()) return false;
    expect_unlocked();
    const ComponentValue given{component, static_cast<const std::byte*>(value)};
    return move_special(entity, location, archetype, graph_.between(archetype, archetype), {&given, 1},
                        archetype.is_destroyed());
}

bool World::add_chunk_value(Entity entity, ComponentId component, const std::byte* value) {
    if (has(entity, component)) return is_alive(entity);
    if (!add(entity, component)) return false;
    Location location;
    static_cast<void>(locate(entity, location));
    const Archetype& archetype = graph_.at(units_.archetype[location.unit()]);
    if (archetype.chunks()[units_.chunk_index[location.unit()]].row_count != 1) return true;
    return set(entity, component, static_cast<const void*>(value));
}

// ---- ending ----

void World::on_remove(ComponentId component, std::function<void(World&, Entity)> handler) {
    remove_handlers_[component] = std::move(handler);
    graph_.set_hooked(component);  // from here on the handler is called
}

void World::keep_books(ComponentId component, Keeper keeper) {
    if (graph_.is_hooked(component)) return;
    keepers_.reserve(keepers_.size() + 1);
    graph_.set_hooked(component);
    if (keeper != nullptr) keepers_.emplace_back(component, keeper);
}

void World::tell_keepers(Entity entity, std::span<const ComponentId> leaving) noexcept {
    for (const auto& [component, keeper] : keepers_) {
        if (std::binary_search(leaving.begin(), leaving.end(), component)) keeper(*this, entity);
    }
}

// False when a handler ran out of memory: its entity stays then.
bool World::call_hooks(Entity entity, std::span<const ComponentId> components) {
    if (remove_handlers_.empty()) return true;
    try {
        const std::vector<ComponentId> all(components.begin(), components.end());  // they may make archetypes
        for (const ComponentId component : all) {
            const auto handler = remove_handlers_.find(component);
            if (handler != remove_handlers_.end() && is_alive(entity) && has(entity, component))
                handler->second(*this, entity);
        }
        return true;
    } catch (const std::bad_alloc&) {
        return false;
    }
}

// The row and the id of an entity that is not coming back.
bool World::free_row(Entity entity, Location location, Archetype& archetype) noexcept {
    const ChunkSlot slot = archetype.chunks()[units_.chunk_index[location.unit()]];
    note_gone(archetype, {units_.chunk_index[location.unit()], location.row(), 1});
    release_cells(archetype, archetype.owning_columns(), slot, location.row(), 1);
    take_row(location, archetype);
    index_.release_alive(entity);
    return true;
}

}  // namespace perigee
