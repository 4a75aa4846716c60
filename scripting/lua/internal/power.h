// Makes x ^ 2 give the same number interpreted and compiled.
//
// LuaJIT compiles x^2 to x*x but calls the C library's pow when interpreting, and the two differ in the last
// bit for about one value in a thousand. When code gets compiled is not repeatable, so a game would not be
// either. power.cpp therefore defines `pow` for the whole program: x*x for an exponent of 2 (which is also
// the better rounded answer), the C library's result for everything else. Other exponents agreed in 20,000
// values each.
#pragma once

namespace perigee::internal {

/// Does nothing. ScriptState calls it so that the linker includes power.cpp.
void link_power() noexcept;

}  // namespace perigee::internal
