// Sorting many numbers, for pairs over tables with sparse keys.
//
// Invariant: the time is that of a few passes, whatever the numbers are.
#pragma once

#include "scripting/native_module.h"

#include <cstddef>
#include <vector>

namespace perigee::internal {

/// Sorts `count` numbers in ascending order, -0 before 0. `scratch`: room for as many. No NaN among them.
void sort_numbers(double* numbers, std::size_t count, double* scratch) noexcept;

/// sort_numbers, whose arguments come checked from scripts/runtime/order.lua.
std::vector<NativeFunction> number_sort_functions();

}  // namespace perigee::internal
