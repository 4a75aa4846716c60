// NativeSystems: C++ systems that games request by name ("native": ["swarm"] in mod.json).
//
// Invariant: each name refers to one function, which binds its structs to the game's schemas and adds its
// systems to the schedule; it runs after schema.lua and before main.lua. The table is plain data of the
// executable, not a global: two engines may offer different systems.
#pragma once

#include "ecs/base/result.h"

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace perigee {

class Schedule;
class World;

/// Errors: a component that the game does not declare, or declares with another layout.
using NativeSystem = std::function<Result<void>(World&, Schedule&)>;

class NativeSystems {
public:
    /// Contains the systems of every host, the hierarchy's transforms: "transforms"
    /// (ecs/transform/transform.h) and "transforms_3d" (ecs/transform/transform_3d.h).
    NativeSystems();

    /// Expects: the name is new.
    void add(std::string name, NativeSystem system);

    /// Runs the function of a name. Errors: an unknown name (with the nearest known one), or the function's
    /// own.
    Result<void> install(std::string_view name, World& world, Schedule& schedule) const;

private:
    std::map<std::string, NativeSystem, std::less<>> systems_;
};

}  // namespace perigee
