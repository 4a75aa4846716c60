// Contracts: promises of the C++ programmer, checked where the code relies on them.
// A violation is a bug in C++, so it calls one handler and never returns. A script or a data file can never
// cause one; their errors are a Result (ecs/base/result.h). The checks stay on in every build, except
// ECS_DEBUG_EXPECTS.
//
//     ECS_EXPECTS(row < row_count_);                       the expression alone
//     ECS_EXPECTS(row < row_count_, row, row_count_); with the values involved
//     ECS_INVARIANT(head_ != nullptr, "pool lost its head");
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>

namespace perigee {

/// What a handler receives about a contract violation. Lifetime: the handler's call.
struct ContractFailure {
    const char* kind;        ///< "expectation" (the caller erred) or "invariant" (we did).
    const char* expression;  ///< The source text that was false.
    const char* file;
    int line;
    std::string_view details;  ///< "(row, row_count_) = (5, 3)", the message, or empty.
};

/// "ecs/world/world.cpp:41: broken expectation: row < row_count_, (row, row_count_) = (5, 3)".
std::string describe(const ContractFailure& failure);

/// Called once per contract violation. May throw (tests do) or end the process; if it returns,
/// the process aborts.
using ContractHandler = void (*)(const ContractFailure& failure);

/// Replaces the process-wide handler and returns the previous one; nullptr restores the default, which prints
/// to standard error. Process-wide, because a contract violation concerns the program and not one World.
ContractHandler set_contract_handler(ContractHandler handler) noexcept;

namespace contract_detail {

// A value as the failing check saw it: numbers and text, without templates in the cold path.
struct Value {
    enum class Kind { kSigned, kUnsigned, kReal, kText, kAddress };

    template <typename T> Value(const T& value) {  // NOLINT: implicit, so that a check can list any values
        if constexpr (std::is_enum_v<T>) {
            set_integer(static_cast<std::underlying_type_t<T>>(value));
        } else if constexpr (std::is_floating_point_v<T>) {
            kind = Kind::kReal;
            real_value = static_cast<double>(value);
        } else if constexpr (std::is_integral_v<T>) {
            set_integer(value);
        } else if constexpr (std::is_convertible_v<const T&, std::string_view>) {
            kind = Kind::kText;
            text_value = std::string_view(value);
        } else {
            static_assert(std::is_pointer_v<T>, "contract values are numbers, enums, text and pointers");
            kind = Kind::kAddress;
            unsigned_value = reinterpret_cast<std::uintptr_t>(value);
        }
    }

    Kind kind = Kind::kSigned;
    std::int64_t signed_value = 0;
    std::uint64_t unsigned_value = 0;
    double real_value = 0;
    std::string_view text_value;

private:
    template <typename T> void set_integer(T value) {
        if constexpr (std::is_signed_v<T>) {
            kind = Kind::kSigned;
            signed_value = static_cast<std::int64_t>(value);
        } else {
            kind = Kind::kUnsigned;
            unsigned_value = static_cast<std::uint64_t>(value);
        }
    }
};

[[noreturn, gnu::cold, gnu::noinline]] void fail(const char* kind, const char* expression, const char* file,
                                                 int line, std::string_view names,
                                                 std::initializer_list<Value> values);

}  // namespace contract_detail
}  // namespace perigee

#define ECS_CONTRACT_CHECK(kind, condition, ...)                                                        \
    ((condition) ? static_cast<void>(0)                                                                 \
                 : ::perigee::contract_detail::fail(kind, #condition, __FILE__, __LINE__, #__VA_ARGS__, \
                                                    {__VA_ARGS__}))

/// The caller's side: arguments and state that the function requires. Extra arguments are printed.
#define ECS_EXPECTS(condition, ...) ECS_CONTRACT_CHECK("expectation", condition __VA_OPT__(, ) __VA_ARGS__)

/// Our side: what must hold between the parts of a structure.
#define ECS_INVARIANT(condition, ...) ECS_CONTRACT_CHECK("invariant", condition __VA_OPT__(, ) __VA_ARGS__)

// Depends on how the library was built, not its user: code compiled into both must be the same.
#ifndef PERIGEE_DEBUG_CHECKS
#error "PERIGEE_DEBUG_CHECKS is not defined: take the flags from CMake's perigee::ecs or from pkg-config"
#endif

/// For loops over rows, where even a predicted branch shows. Without debug checks it is only compiled.
#if !PERIGEE_DEBUG_CHECKS
#define ECS_DEBUG_EXPECTS(condition, ...) static_cast<void>(sizeof((condition) ? 1 : 0))
#else
#define ECS_DEBUG_EXPECTS(condition, ...) ECS_EXPECTS(condition __VA_OPT__(, ) __VA_ARGS__)
#endif
