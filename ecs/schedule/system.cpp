// Properties that follow from a declaration alone.
#include "ecs/schedule/system.h"

#include <algorithm>

namespace perigee {

std::string_view playback_group(std::string_view commands) noexcept {
    constexpr std::string_view kBefore = "end of ";
    return commands.starts_with(kBefore) ? commands.substr(kBefore.size()) : std::string_view{};
}

bool declares(const SystemDesc& system, ComponentId component, Access access) noexcept {
    const auto names = [&](const std::vector<ComponentId>& list) {
        return std::find(list.begin(), list.end(), component) != list.end();
    };
    if (names(system.access.write) || (access == Access::read && names(system.access.read))) return true;
    return std::any_of(system.query.terms.begin(), system.query.terms.end(), [&](const QueryTerm& term) {
        return term.component == component && (access == Access::read || term.access == Access::write);
    });
}

std::vector<ComponentId> written_by(const SystemDesc& system) {
    std::vector<ComponentId> written = system.access.write;
    for (const QueryTerm& term : system.query.terms) {
        if (term.access == Access::write) written.push_back(term.component);
    }
    return written;
}

bool is_undeclared(const SystemDesc& system) noexcept {
    return system.is_exclusive || (system.is_native && system.access.read.empty() &&
                                   system.access.write.empty() && system.query == QueryDesc{});
}

}  // namespace perigee
