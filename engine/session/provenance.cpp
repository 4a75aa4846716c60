// First the entities, whose coming and going explains values that come and go, then the values.
#include "engine/session/provenance.h"

#include "ecs/inspect/world_digest.h"
#include "ecs/schedule/schedule.h"
#include "ecs/schedule/system.h"
#include "ecs/schema/registry.h"
#include "ecs/schema/text_pool.h"
#include "ecs/storage/buffer.h"
#include "ecs/storage/resource_store.h"
#include "ecs/world/internal/stored_values.h"
#include "ecs/world/world.h"
#include "engine/session/game_session.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

namespace perigee {

namespace {

using Kind = ValueWrite::Kind;

bool is_watchable(ComponentKind kind) noexcept {
    return is_component_kind(kind) || kind == ComponentKind::resource;
}

// Of the elements of a buffer, for comparison only.
std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) noexcept {
    return (hash ^ value) * 0x9E3779B97F4A7C15ull + (hash >> 29);
}

}  // namespace

// ---- what is followed -------------------------------------------------------------------------------------

void Provenance::follow(GameSession& session, std::uint64_t step) {
    const bool is_new = session_ != &session || handler_.expired();
    session_ = &session;
    world_ = &session.world();
    forget();
    first_step_ = step_ = step;
    begin_values();
    if (!is_new) return;
    const auto handler = std::make_shared<const char>();
    handler_ = handler;
    session.on_moment([this, &session, handler](const ScheduleMoment& moment) {
        if (session_ == &session) after(moment);
    });
}

void Provenance::forget() {
    writes_.clear();
    write_count_ = 0;
    texts_.clear();
    text_places_.clear();
    text_bytes_ = 0;
    has_gone_back_ = false;
}

// All values as they are now, without a note.
void Provenance::begin_values() {
    shadows_.clear();
    known_.clear();
    structure_ = 0;
    entities_looked_at_ = 0;
    is_silent_ = true;
    look_at_all({ValueWrite::By::outside, 0});
    is_silent_ = false;
}

// The player may go forward again, so later writes are dropped when another future begins.
void Provenance::go_back(std::uint64_t step) {
    step_ = step;
    has_gone_back_ = true;
    begin_values();
}

void Provenance::begin_step() {
    if (std::exchange(has_gone_back_, false)) {
        for (auto& [key, list] : writes_)
            write_count_ -= std::erase_if(list, [&](const ValueWrite& write) { return write.step > step_; });
    }
    look_at_all({ValueWrite::By::outside, 0});
    ++step_;
}

void Provenance::end_step() {
    look_at_all({ValueWrite::By::outside, 0});
    if (write_count_ * sizeof(ValueWrite) > kMaxBytes && !keeps_all()) save_memory();
}

// ---- moments ----------------------------------------------------------------------------------------------

Provenance::Author Provenance::author_of(const ScheduleMoment& moment) {
    const auto [found, is_new] =
        system_numbers_.try_emplace(moment.system.name, static_cast<std::uint32_t>(systems_.size()));
    if (is_new) systems_.push_back(moment.system.name);
    switch (moment.kind) {
        case ScheduleMoment::Kind::ran:
            return {ValueWrite::By::system, found->second};
        case ScheduleMoment::Kind::played_back:
            return {ValueWrite::By::commands, found->second};
        case ScheduleMoment::Kind::called:
            break;
    }
    return {ValueWrite::By::callback, found->second};
}

void Provenance::after(const ScheduleMoment& moment) {
    const Author author = author_of(moment);
    if (moment.kind != ScheduleMoment::Kind::ran || is_undeclared(moment.system)) return look_at_all(author);
    look(author, written_by(moment.system));
}

void Provenance::look_at_all(Author author) {
    std::vector<ComponentId> all;
    for (std::size_t i = 0; i < world_->registry().size(); ++i)
        all.push_back({static_cast<std::uint16_t>(i)});
    look(author, all);
}

// A schema that has changed ends the comparison: its values begin again.
bool Provenance::is_of_changed_types() {
    const ComponentRegistry& registry = world_->registry();
    bool has_changed = false;
    for (std::size_t i = 0; i < registry.size(); ++i) {
        const ComponentInfo& info = registry.info({static_cast<std::uint16_t>(i)});
        if (i < shadows_.size()) {
            has_changed |= shadows_[i].schema != info.hash;
            continue;
        }
        Shadow& shadow = shadows_.emplace_back();
        shadow.schema = info.hash;
        shadow.is_watched = is_watchable(info.kind()) &&
                            (watched_.component.empty() || info.schema.name == watched_.component);
    }
    return has_changed;
}

void Provenance::look(Author author, std::span<const ComponentId> components) {
    if (is_of_changed_types()) {
        forget();
        first_step_ = step_;
        return begin_values();
    }
    look_at_entities(author);
    for (const ComponentId component : components)
        if (shadows_[component.index].is_watched) look_at_values(author, component);
}

// ---- entities ---------------------------------------------------------------------------------------------

Entity Provenance::entity_at(std::uint32_t index) const noexcept {
    const EntityIndex& entities = world_->entities();
    if (index >= entities.slot_count()) return {};
    const std::uint64_t record = entities.records()[index];
    const EntityIndex::State state = EntityIndex::state_of(record);
    if (state != EntityIndex::State::alive && state != EntityIndex::State::destroyed) return {};
    const std::uint32_t generation = EntityIndex::generation_of(record);
    if (watched_.generation && *watched_.generation != generation) return {};
    return entity_from_parts(index, generation);
}

void Provenance::look_at_entities(Author author) {
    if (structure_ == world_->structure_version() && structure_ != 0) return;
    structure_ = world_->structure_version();
    const ChangeVersion since = std::exchange(entities_looked_at_, world_->change_version());
    if (!watched_.component.empty() && !watched_.index) return;  // a resource
    if (watched_.index) return look_at_entity(author, *watched_.index, entity_at(*watched_.index));
    for (std::size_t index = 0; index < known_.size(); ++index)
        if (known_[index].archetype != nullptr)
            look_at_entity(author, static_cast<std::uint32_t>(index), known_[index].entity);
    for (std::uint32_t i = 0; i < world_->archetypes().size(); ++i) {
        const Archetype& archetype = world_->archetypes().at(i);
        for (std::uint32_t chunk = 0; chunk < archetype.chunk_count(); ++chunk) {
            const ChunkSlot& slot = archetype.chunks()[chunk];
            if (slot.rows_version < since) continue;
            for (std::uint32_t row = 0; row < slot.row_count; ++row) {
                const Entity entity = Archetype::entities(slot)[row];
                if (entity.index() >= known_.size() || known_[entity.index()].entity != entity)
                    look_at_entity(author, entity.index(), entity);
            }
        }
    }
}

// Compares the components that an entity had with those that it has. `entity`: the one with this index now.
void Provenance::look_at_entity(Author author, std::uint32_t index, Entity entity) {
    if (index >= known_.size()) known_.resize(index + 1);
    Known before = known_[index];
    const Archetype* const archetype = entity ? world_->archetype_of(entity) : nullptr;
    if (before.entity == entity && before.archetype == archetype) return;
    const bool is_gone = before.archetype != nullptr && (before.entity != entity || archetype == nullptr);
    const bool is_new = archetype != nullptr && before.entity != entity;
    const std::span<const ComponentId> had =
        before.archetype != nullptr ? before.archetype->components() : std::span<const ComponentId>{};
    const std::span<const ComponentId> has =
        archetype != nullptr ? archetype->components() : std::span<const ComponentId>{};
    std::vector<ComponentId> removed, added;
    if (is_gone || is_new) {
        removed.assign(had.begin(), had.end());
        added.assign(has.begin(), has.end());
    } else {
        std::ranges::set_difference(had, has, std::back_inserter(removed));
        std::ranges::set_difference(has, had, std::back_inserter(added));
    }
    known_[index] = {entity ? entity : before.entity, archetype};
    for (const ComponentId component : removed) remove_value(author, before.entity, component, !is_gone);
    if (is_gone) note(author, before.entity, kWholeEntity, {.kind = Kind::destroyed});
    if (is_new) note(author, entity, kWholeEntity, {.kind = Kind::spawned});
    for (const ComponentId component : added)
        add_value(author, is_new ? Kind::spawned : Kind::added, entity, component);
}

void Provenance::add_value(Author author, Kind kind, Entity entity, ComponentId component) {
    Shadow& shadow = shadows_[component.index];
    if (!shadow.is_watched) return;
    const ComponentInfo& info = world_->registry().info(component);
    encode(info, world_->get(entity, component), world_->is_enabled(entity, component));
    std::ranges::copy(now_, values_of(shadow, entity).begin());
    note(author, entity, component.index, {.field = kPresenceField, .kind = kind});
    for (std::size_t i = 1; i < now_.size(); ++i)
        note(author, entity, component.index,
             {.after = now_[i], .field = static_cast<std::uint16_t>(kEnabledField + i), .kind = kind});
}

void Provenance::remove_value(Author author, Entity entity, ComponentId component, bool is_noted) {
    Shadow& shadow = shadows_[component.index];
    if (!shadow.is_watched || entity.index() >= shadow.slot_of.size()) return;
    const std::uint32_t slot = std::exchange(shadow.slot_of[entity.index()], kNoSlot);
    if (slot != kNoSlot) shadow.free.push_back(slot);
    if (is_noted) note(author, entity, component.index, {.field = kPresenceField, .kind = Kind::removed});
}

// ---- values -----------------------------------------------------------------------------------------------

void Provenance::look_at_values(Author author, ComponentId component) {
    const ComponentInfo& info = world_->registry().info(component);
    Shadow& shadow = shadows_[component.index];
    const ChangeVersion since = std::exchange(shadow.looked_at, world_->change_version());
    if (info.kind() == ComponentKind::resource) {
        if (!watched_.index) look_at_value(author, info, {}, world_->resources().data(component), true);
    } else if (!watched_.index) {
        look_at_chunks(author, info, since);
    } else if (const Entity entity = entity_at(*watched_.index); entity && world_->has(entity, component)) {
        look_at_value(author, info, entity, world_->get(entity, component),
                      world_->is_enabled(entity, component));
    }
}

// Only chunks of which a part was written since.
void Provenance::look_at_chunks(Author author, const ComponentInfo& info, ChangeVersion since) {
    const ComponentId component = info.id;
    for (std::uint32_t i = 0; i < world_->archetypes().size(); ++i) {
        const Archetype& archetype = world_->archetypes().at(i);
        if (!archetype.has(component)) continue;
        const int column = archetype.column_of(component), mask = archetype.mask_of(component);
        const int of_chunk = archetype.chunk_value_of(component);
        for (std::uint32_t chunk = 0; chunk < archetype.chunk_count(); ++chunk) {
            const ChunkSlot& slot = archetype.chunks()[chunk];
            ChangeVersion version = slot.rows_version;
            if (column >= 0) version = archetype.version(chunk, static_cast<std::uint32_t>(column));
            if (column < 0 && mask >= 0)
                version = archetype.version(chunk, archetype.mask_slot(static_cast<std::size_t>(mask)));
            if (of_chunk >= 0)
                version =
                    archetype.version(chunk, archetype.chunk_value_slot(static_cast<std::size_t>(of_chunk)));
            if (version < since) continue;
            const internal::StoredColumn stored =
                internal::stored_column(*world_, component, archetype, slot);
            // `stored` has no cells of presentation data.
            const Column* const cells =
                column >= 0 ? &archetype.layout().columns[static_cast<std::size_t>(column)] : nullptr;
            const std::byte* const common =
                of_chunk >= 0 ? archetype.chunk_value(chunk, static_cast<std::size_t>(of_chunk))
                              : stored.shared;
            for (std::uint32_t row = 0; row < slot.row_count; ++row) {
                const std::byte* const cell = cells != nullptr ? Archetype::cell(slot, *cells, row) : common;
                look_at_value(author, info, Archetype::entities(slot)[row], cell, !stored.is_disabled(row));
            }
        }
    }
}

void Provenance::look_at_value(Author author, const ComponentInfo& info, Entity entity, const std::byte* cell,
                               bool is_enabled) {
    encode(info, cell, is_enabled);
    Shadow& shadow = shadows_[info.id.index];
    const bool is_first =
        entity.index() >= shadow.slot_of.size() || shadow.slot_of[entity.index()] == kNoSlot;
    const std::span<std::uint64_t> before = values_of(shadow, entity);
    if (!is_first && std::ranges::equal(before, now_)) return;
    for (std::size_t i = 0; i < now_.size(); ++i) {
        const std::uint64_t old = std::exchange(before[i], now_[i]);
        if (!is_first && old != now_[i])
            note(author, entity, info.id.index,
                 {.before = old, .after = now_[i], .field = static_cast<std::uint16_t>(kEnabledField + i)});
    }
}

std::span<std::uint64_t> Provenance::values_of(Shadow& shadow, Entity entity) {
    shadow.stride = now_.size();
    const std::uint32_t index = entity.index();
    if (index >= shadow.slot_of.size()) shadow.slot_of.resize(index + 1, kNoSlot);
    std::uint32_t& slot = shadow.slot_of[index];
    if (slot == kNoSlot && !shadow.free.empty()) {
        slot = shadow.free.back();
        shadow.free.pop_back();
    } else if (slot == kNoSlot) {
        slot = static_cast<std::uint32_t>(shadow.values.size() / shadow.stride);
        shadow.values.resize(shadow.values.size() + shadow.stride);
    }
    return {shadow.values.data() + slot * shadow.stride, shadow.stride};
}

// ---- encoding ---------------------------------------------------------------------------------------------

std::vector<std::uint64_t> Provenance::encoded(const ComponentInfo& info, const std::byte* cell,
                                               bool is_enabled) {
    encode(info, cell, is_enabled);
    return now_;
}

void Provenance::encode(const ComponentInfo& info, const std::byte* cell, bool is_enabled) {
    now_.assign(1, is_enabled ? 1 : 0);
    if (info.kind() == ComponentKind::object) {
        std::uint64_t slot = 0;
        if (cell != nullptr) std::memcpy(&slot, cell, std::min<std::size_t>(sizeof slot, info.cell_bytes));
        now_.push_back(slot);
        return;
    }
    const auto* const buffer =
        info.kind() == ComponentKind::buffer ? reinterpret_cast<const BufferHeader*>(cell) : nullptr;
    const auto value_at = [&](const Leaf& leaf, const std::byte* row) -> std::uint64_t {
        const std::byte* const from = row + leaf.offset;
        if (leaf.type == FieldType::string) {
            const auto* const text = reinterpret_cast<const char*>(from);
            return place_of({text, strnlen(text, leaf.size)});
        }
        std::uint64_t value = 0;
        std::memcpy(&value, from, std::min<std::size_t>(leaf.size, sizeof value));
        if (leaf.type == FieldType::text)
            return place_of(world_->texts().text(TextHandle{static_cast<std::uint32_t>(value)}));
        return value;
    };
    for (const Leaf& leaf : info.leaves) {
        std::uint64_t value = 0;
        if (buffer != nullptr) {
            for (std::uint32_t i = 0; i < buffer->length; ++i)
                value = mixed(value, value_at(leaf, buffer->elements() + std::size_t{i} * info.schema.size));
        } else if (cell != nullptr) {
            value = value_at(leaf, cell);
        }
        now_.push_back(value);
    }
    if (buffer != nullptr) now_.push_back(buffer->length);
}

std::uint64_t Provenance::place_of(std::string_view text) {
    const auto found = text_places_.find(std::string(text));
    if (found != text_places_.end()) return found->second;
    const bool is_full = text_bytes_ + text.size() > kMaxTextBytes;
    if (is_full && text != "…") return place_of("…");
    text_bytes_ += text.size();
    texts_.emplace_back(text);
    return text_places_.emplace(text, texts_.size() - 1).first->second;
}

std::string_view Provenance::text(std::uint64_t place) const noexcept {
    return place < texts_.size() ? std::string_view(texts_[place]) : std::string_view();
}

// ---- writes -----------------------------------------------------------------------------------------------

void Provenance::note(Author author, Entity entity, std::uint32_t component, ValueWrite write) {
    if (is_silent_) return;
    write.step = step_;
    write.number = ++last_number_;
    write.system = author.system;
    write.by = author.by;
    std::vector<ValueWrite>& list = writes_[{entity.bits, component}];
    if (!keeps_all()) {
        const auto is_same = [&](const ValueWrite& other) { return other.field == write.field; };
        if (std::ranges::count_if(list, is_same) >= static_cast<std::ptrdiff_t>(kWritesPerField)) {
            list.erase(std::ranges::find_if(list, is_same));
            --write_count_;
        }
    }
    list.push_back(write);
    ++write_count_;
}

// Those of entities that are gone, then those that are older than half of the others.
void Provenance::save_memory() {
    const auto drop = [&](const auto& is_dropped) {
        std::erase_if(writes_, [&](const auto& entry) {
            if (!is_dropped(entry)) return false;
            write_count_ -= entry.second.size();
            return true;
        });
    };
    drop([&](const auto& entry) {
        const Entity entity{entry.first.entity};
        return entity && !world_->is_alive(entity);
    });
    if (write_count_ * sizeof(ValueWrite) < kMaxBytes / 2) return;
    std::vector<std::uint64_t> newest;
    for (const auto& [key, list] : writes_) newest.push_back(list.empty() ? 0 : list.back().number);
    const auto middle = newest.begin() + static_cast<std::ptrdiff_t>(newest.size() / 2);
    std::ranges::nth_element(newest, middle);
    drop([&](const auto& entry) { return entry.second.empty() || entry.second.back().number < *middle; });
}

std::vector<ValueWrite> Provenance::writes(Entity entity, ComponentId component, std::uint16_t field) const {
    std::vector<ValueWrite> found;
    const auto take = [&](std::uint32_t key, const auto& is_wanted) {
        const auto list = writes_.find({entity.bits, key});
        if (list == writes_.end()) return;
        for (const ValueWrite& write : list->second)
            if (write.step <= step_ && is_wanted(write)) found.push_back(write);
    };
    take(component.index, [&](const ValueWrite& write) {
        return write.field == field || (write.field == kPresenceField && write.kind == Kind::removed);
    });
    if (!found.empty() || field == kPresenceField)
        take(kWholeEntity, [](const ValueWrite& write) { return write.kind == Kind::destroyed; });
    std::ranges::sort(found, {}, &ValueWrite::number);
    return found;
}

std::vector<Entity> Provenance::entities_at(std::uint32_t index) const {
    std::vector<Entity> found;
    const auto add = [&](Entity entity) {
        if (entity && entity.index() == index && std::ranges::find(found, entity) == found.end())
            found.push_back(entity);
    };
    for (const auto& [key, list] : writes_) add(Entity{key.entity});
    if (index < known_.size()) add(known_[index].entity);
    std::ranges::sort(found);
    return found;
}

}  // namespace perigee
