// Checks the accesses of a running system against its declaration, in builds with debug checks.
//
// Invariant: inside a system, visits, look-ups and resources go through here before memory is lent. A system
// that declares nothing runs alone and may access everything. Internal code of the core (names, links)
// reads without a system.
#include "ecs/base/error_codes.h"
#include "ecs/query/internal/access_log.h"
#include "ecs/schedule/system.h"
#include "ecs/world/internal/log_access.h"
#include "ecs/world/world.h"

namespace perigee {

#if PERIGEE_DEBUG_CHECKS

namespace {

void expect_declared(const RunScope& scope, const ComponentRegistry& registry, ComponentId component,
                     Access access) {
    if (scope.system == nullptr || is_undeclared(*scope.system)) return;
    if (declares(*scope.system, component, access)) return;
    const bool is_write = access == Access::write;
    ECS_EXPECTS(
        !"undeclared access",
        errors::undeclared_access(scope.system->name, registry.info(component).schema.name, is_write));
}

}  // namespace

void internal::log_visit(const World& world, const Query& query, ChangeVersion since) {
    const RunScope* const scope = run_scope(world);
    if (scope == nullptr) return;
    for (const QueryTerm& term : query.desc().terms) {
        expect_declared(*scope, world.registry(), term.component, term.access);
    }
    if (scope->log != nullptr) scope->log->add(query, since);
}

void internal::log_access(const World& world, ComponentId component, Access access, const std::byte* memory) {
    const RunScope* const scope = run_scope(world);
    if (scope == nullptr || memory == nullptr) return;
    const ComponentRegistry& registry = world.registry();
    expect_declared(*scope, registry, component, access);
    if (scope->log == nullptr) return;
    const ComponentInfo& info = registry.info(component);
    const bool is_resource = info.kind() == ComponentKind::resource;  // which has no column
    scope->log->add(memory, is_resource ? info.schema.size : registry.row_bytes(component), component,
                    access == Access::write);
}

#endif

}  // namespace perigee
