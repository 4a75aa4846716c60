// Functions for scripts that reach what all mods share: assets, frames of images, actions, sounds.
//
// Invariant: systems that run at the same time call such a function one after the other, in system order, so
// nothing is reached by two threads at once, and what it gives (a new handle, a free place) does not depend
// on the number of threads. Not for what a script may call thousands of times while systems run side by side.
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

/// As native_function, and each call waits for its turn (ecs/world/run_scope.h). Cost: a test where a system
/// runs alone.
template <auto kFunction> NativeFunction function_in_turn(std::string name) {
    return native_function<&internal::InTurn<kFunction>::call>(std::move(name));
}

}  // namespace perigee
