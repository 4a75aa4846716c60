// The program's definition is found before the C library's, also by the LuaJIT library.
#include "scripting/lua/internal/power.h"

#include <dlfcn.h>

#include <cmath>

extern "C" double pow(double base, double exponent) noexcept {
    if (exponent == 2.0) return base * base;
    using Power = double (*)(double, double);
    static const auto library_power = reinterpret_cast<Power>(dlsym(RTLD_NEXT, "pow"));
    return library_power(base, exponent);
}

namespace perigee::internal {

// The first call looks up the library's function, which takes a lock of the loader: so it happens before Lua
// runs.
void link_power() noexcept {
    volatile double base = 3;
    base = pow(base, 3.0);
}

}  // namespace perigee::internal
