// Thin wrappers: numbers arrive checked by scripts/runtime/numbers.lua and random.lua.
#include "scripting/internal/random_api.h"

#include "ecs/random.h"

#include <bit>

namespace perigee::internal {

namespace {

double unit(void* random) noexcept { return static_cast<Random*>(random)->unit(); }

double range(void* random, double low, double high) noexcept {
    return static_cast<Random*>(random)->range(low, high);
}

double integer(void* random, double low, double high) noexcept {
    return static_cast<double>(static_cast<Random*>(random)->integer(static_cast<std::int64_t>(low),
                                                                     static_cast<std::int64_t>(high)));
}

void seed(void* random, double number) noexcept {
    *static_cast<Random*>(random) = Random(std::bit_cast<std::uint64_t>(number));
}

}  // namespace

std::vector<NativeFunction> random_functions() {
    return {native_function<&unit>("random_unit"), native_function<&range>("random_range"),
            native_function<&integer>("random_integer"), native_function<&seed>("random_seed")};
}

}  // namespace perigee::internal
