// The program's definition is found before the C library's, also by the LuaJIT library.
#include "scripting/internal/power.h"

#include <dlfcn.h>

#include <cmath>

extern "C" double pow(double base, double exponent) noexcept {
    if (exponent == 2.0) return base * base;
    using Power = double (*)(double, double);
    static const auto library_power = reinterpret_cast<Power>(dlsym(RTLD_NEXT, "pow"));
    return library_power(base, exponent);
}

namespace perigee::internal {

void link_power() noexcept {}

}  // namespace perigee::internal
