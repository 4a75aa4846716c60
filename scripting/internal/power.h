// x ^ 2 gives the same number interpreted and compiled.
//
// LuaJIT compiles x^2 to x*x but calls the C library's pow when interpreting, and the two differ in the last
// bit for about one value in a thousand. What gets compiled when is not repeatable, so a game would not be
// either. power.cpp therefore defines `pow` for the whole program: x*x for an exponent of 2 (which is also
// the better rounded answer), the C library's result for everything else. Other exponents agreed in 20,000
// values each.
#pragma once

namespace perigee::internal {

/// Called by ScriptState so that the linker takes power.cpp along. Does nothing.
void link_power() noexcept;

}  // namespace perigee::internal
