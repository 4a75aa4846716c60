// Looks up a name, and reports an unknown one.
#include "engine/plugin/native_systems.h"

#include "ecs/base/contract.h"
#include "ecs/base/suggest.h"
#include "ecs/transform/transform.h"
#include "ecs/transform/transform_3d.h"
#include "engine/base/error_codes.h"

#include <fmt/format.h>

#include <vector>

namespace perigee {

NativeSystems::NativeSystems() {
    add("transforms", [](World& world, Schedule& schedule) -> Result<void> {
        const Result<SystemId> added = add_transform_system(world, schedule);
        if (!added) return added.error();
        return {};
    });
    add("transforms_3d", [](World& world, Schedule& schedule) -> Result<void> {
        const Result<SystemId> added = add_transform_3d_system(world, schedule);
        if (!added) return added.error();
        return {};
    });
}

void NativeSystems::add(std::string name, NativeSystem system) {
    const bool is_new = systems_.emplace(std::move(name), std::move(system)).second;
    ECS_EXPECTS(is_new, "a native system of this name exists");
}

Result<void> NativeSystems::install(std::string_view name, World& world, Schedule& schedule) const {
    const auto found = systems_.find(name);
    if (found != systems_.end()) {
        Result<void> installed = found->second(world, schedule);
        if (!installed)
            return Error{fmt::format(engine_errors::kNativeFailed, name, installed.error().message)};
        return {};
    }
    std::vector<std::string_view> known;
    known.reserve(systems_.size());
    for (const auto& entry : systems_) known.push_back(entry.first);
    return Error{fmt::format(engine_errors::kUnknownNative, name, did_you_mean(name, known)),
                 ErrorKind::not_found};
}

}  // namespace perigee
