// Exposes typed C++ functions to trusted Lua: names, C types and addresses, bound once per state.
//
// Invariant: a function's C type is deduced from the function itself, so no second declaration can drift.
// Functions are noexcept, keep no Lua state, never call back into Lua, and report failure by their result:
// compiled code calls them directly (about 1.5 ns). Mods never see them, only the wrapper
// scripts/runtime/modules/<name>.lua:
//
//     local need, native, context = ...          -- native.draw_line is the C function
//     return { line = function(x1, y1, x2, y2) native.draw_line(context, x1, y1, x2, y2) end }
#pragma once

#include "ecs/base/canonical.h"
#include "scripting/base/internal/native_scope.h"
#include "scripting/base/script_constant.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace perigee {

struct NativeFunction {
    std::string name;
    std::string type;  ///< as LuaJIT's FFI spells it: "double (*)(void *, double)"
    void* address;
};

/// A set of functions that a wrapper turns into a module for `require "<name>"`.
/// Lifetime: `context` must outlive every state with the module.
struct NativeModule {
    std::string name;
    void* context = nullptr;
    std::vector<NativeFunction> functions;
    std::vector<ScriptConstant> constants = {};  ///< for the wrapper
};

namespace native_detail {

template <typename T> constexpr std::string_view c_type() {
    if constexpr (std::is_void_v<T>)
        return "void";
    else if constexpr (std::is_same_v<T, bool>)
        return "bool";
    else if constexpr (std::is_same_v<T, double>)
        return "double";
    else if constexpr (std::is_same_v<T, float>)
        return "float";
    else if constexpr (std::is_same_v<T, std::int32_t>)
        return "int32_t";
    else if constexpr (std::is_same_v<T, std::uint32_t>)
        return "uint32_t";
    else if constexpr (std::is_same_v<T, std::int64_t>)
        return "int64_t";
    else if constexpr (std::is_same_v<T, std::uint64_t>)
        return "uint64_t";
    else if constexpr (std::is_same_v<T, const char*>)
        return "const char *";
    else if constexpr (std::is_pointer_v<T>) {
        return std::is_const_v<std::remove_pointer_t<T>> ? "const void *" : "void *";
    } else {
        static_assert(std::is_void_v<T>, "scripts exchange numbers, booleans, text and opaque pointers");
    }
}

/// The entry point for compiled code: runs the function where the watchdog can see it. Makes returned floats
/// canonical, since LuaJIT accepts their bits unchecked (ecs/base/canonical.h).
template <auto Function, typename Return, typename... Arguments>
Return watched(Arguments... arguments) noexcept {
    const internal::LeafScope scope;
    if constexpr (std::is_floating_point_v<Return>) {
        return canonical(Function(arguments...));
    } else {
        return Function(arguments...);
    }
}

template <auto Function, typename Return, typename... Arguments>
NativeFunction describe(std::string name, Return (*)(Arguments...) noexcept) {
    std::string type(c_type<Return>());
    type += " (*)(";
    std::string_view separator;
    ((type += separator, type += c_type<Arguments>(), separator = ", "), ...);
    if constexpr (sizeof...(Arguments) == 0) type += "void";
    type += ")";
    return {std::move(name), std::move(type),
            reinterpret_cast<void*>(&watched<Function, Return, Arguments...>)};
}

}  // namespace native_detail

/// Describes `function` under `name`. A Lua string passed for `const char*` is zero-terminated; pass the
/// length too if it may contain zeros.
template <auto Function> NativeFunction native_function(std::string name) {
    return native_detail::describe<Function>(std::move(name), Function);
}

}  // namespace perigee
