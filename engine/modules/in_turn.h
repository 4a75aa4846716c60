// Script functions over state that all mods share: assets, frames of images, actions, sounds.
//
// Invariant: systems that run at the same time call such a function one after the other, in system order. So
// no two threads use the state at once, and results (a new handle, a free place) do not depend on the number
// of threads. Not for functions that scripts call thousands of times in parallel systems: callers wait.
#pragma once

#include "ecs/world/run_scope.h"
#include "scripting/base/native_module.h"

#include <string>
#include <utility>

namespace perigee {

namespace internal {

template <auto kFunction, typename Type = decltype(kFunction)> struct InTurn;

template <auto kFunction, typename Return, typename... Arguments>
struct InTurn<kFunction, Return (*)(Arguments...) noexcept> {
    static Return call(Arguments... arguments) noexcept {
        wait_for_turn();
        return kFunction(arguments...);
    }
};

}  // namespace internal

/// Like native_function, but each call waits for its turn (ecs/world/run_scope.h). Cost: one comparison if no
/// other system is running.
template <auto kFunction> NativeFunction function_in_turn(std::string name) {
    return native_function<&internal::InTurn<kFunction>::call>(std::move(name));
}

}  // namespace perigee
