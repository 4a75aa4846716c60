// Names of component kinds.
#include "ecs/schema/component.h"

#include <array>

namespace perigee {

std::string_view kind_name(ComponentKind kind) noexcept {
    constexpr std::array<std::string_view, kComponentKindCount> kNames = {
        "component", "tag",    "resource",   "shared", "cleanup", "buffer",
        "chunk",     "object", "enableable", "event",  "blob",    "shared_cleanup"};
    return kNames[static_cast<std::size_t>(kind)];
}

}  // namespace perigee
