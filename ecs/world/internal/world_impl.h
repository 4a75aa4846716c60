// The inline functions of world.h, which need the complete store: one call each.
#pragma once

#include "ecs/base/contract.h"
#include "ecs/world/internal/entity_store.h"
#include "ecs/world/internal/log_access.h"
#include "ecs/world/world.h"

namespace perigee {

inline Entity World::spawn() { return store_->spawn(store_->graph().empty()); }
inline Entity World::spawn(Archetype& archetype) { return store_->spawn(archetype); }
inline bool World::destroy(Entity entity) { return store_->destroy(entity); }
inline bool World::is_alive(Entity entity) const noexcept { return store_->index().is_alive(entity); }
inline bool World::awaits_cleanup(Entity entity) const noexcept {
    return store_->index().awaits_cleanup(entity);
}
inline std::size_t World::entity_count() const noexcept { return store_->entity_count(); }

inline bool World::add(Entity entity, ComponentId component, const void* value) {
    return store_->add(entity, component, value);
}
inline bool World::remove(Entity entity, ComponentId component) { return store_->remove(entity, component); }
inline bool World::change(Entity entity, std::span<const ComponentValue> add,
                          std::span<const ComponentId> remove) {
    return store_->change(entity, add, remove);
}
inline bool World::has(Entity entity, ComponentId component) const noexcept {
    return store_->has(entity, component);
}
inline const std::byte* World::get(Entity entity, ComponentId component) const {
    const std::byte* const found = store_->cell(entity, component);
    internal::log_access(*this, component, Access::read, found);
    return found;
}
inline std::byte* World::edit(Entity entity, ComponentId component) {
    return store_->edit(entity, component);
}
inline bool World::set(Entity entity, ComponentId component, const void* value) {
    return store_->set(entity, component, value);
}
inline bool World::set_enabled(Entity entity, ComponentId component, bool is_enabled) {
    return store_->set_enabled(entity, component, is_enabled);
}
inline bool World::is_enabled(Entity entity, ComponentId component) const noexcept {
    return store_->is_enabled(entity, component);
}

inline Result<Archetype*> World::archetype(std::span<const ComponentId> components) {
    return store_->graph().require(components);
}
inline const ArchetypeGraph& World::archetypes() const noexcept { return store_->graph(); }
inline const EntityIndex& World::entities() const noexcept { return store_->index(); }

template <typename Function>
void World::each_chunk_since(const Query& query, ChangeVersion since, Function&& fn) {
    ECS_EXPECTS(query.is_of(registry()), "a query of another world");
    const Lock lock(*this);
    internal::log_visit(*this, query, since);
    query.visit_chunks(change_version(), since, fn);
}
template <typename Function> void World::each_chunk(const Query& query, Function&& fn) {
    each_chunk_since(query, reader_version(), fn);
}

inline ChangeVersion World::change_version() const noexcept { return store_->writing_version(); }
inline ChangeVersion World::advance_change_version() noexcept { return store_->advance_version(); }
inline ChangeVersion World::reader_version() const noexcept {
    const RunScope* const scope = run_scope(*this);
    return scope != nullptr ? scope->since : 0;
}
inline std::uint64_t World::structure_version() const noexcept { return store_->guard().version(); }
inline World::Lock::Lock(World& world) noexcept : StructureLock(world.store().guard()) {}
inline bool World::is_locked() const noexcept { return store_->guard().is_locked(); }

}  // namespace perigee
