// Sorts many numbers, for pairs over tables with sparse keys.
//
// Invariant: the time is that of a few passes, for any numbers.
#pragma once

#include "scripting/base/native_module.h"

#include <cstddef>
#include <vector>

namespace perigee::internal {

/// Sorts `count` numbers in ascending order, -0 before 0. `scratch`: room for as many. No NaN among them.
void sort_numbers(double* numbers, std::size_t count, double* scratch) noexcept;

/// sort_numbers for scripts/runtime/sandbox/order.lua, which checks the arguments.
std::vector<NativeFunction> number_sort_functions();

}  // namespace perigee::internal
