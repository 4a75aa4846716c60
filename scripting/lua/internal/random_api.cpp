// Thin wrappers: numbers arrive checked by scripts/runtime/sandbox/numbers.lua and random.lua.
#include "scripting/lua/internal/random_api.h"

#include "ecs/base/random.h"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

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

/// The state of a stream, 32 bytes, to and from `words`.
void state(const void* random, void* words) noexcept {
    const std::array<std::uint64_t, 4> now = static_cast<const Random*>(random)->state();
    std::memcpy(words, now.data(), sizeof now);
}
void set_state(void* random, const void* words) noexcept {
    std::array<std::uint64_t, 4> wanted;
    std::memcpy(wanted.data(), words, sizeof wanted);
    static_cast<Random*>(random)->set_state(wanted);
}

}  // namespace

std::vector<NativeFunction> random_functions() {
    return {native_function<&unit>("random_unit"),       native_function<&range>("random_range"),
            native_function<&integer>("random_integer"), native_function<&seed>("random_seed"),
            native_function<&state>("random_state"),     native_function<&set_state>("random_set_state")};
}

}  // namespace perigee::internal
