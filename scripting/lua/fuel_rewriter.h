// Inserts fuel accounting into Lua source: lines and results stay, and each loop iteration and call counts.
//
//   function f() … end         function f() F=F-1 if F<0 then F=T(F)end … end
//   while, for-in, repeat      the same, in each iteration
//   for i = a, b, c do … end   do local B,A,C=T(a,b,c,1) for i=A,B,C do … end end, paid up front
//   for … do … break … end     charged in each iteration: also with return, goto, and names that say it
//                              ends early; its numbers pass through T with a weight of 0
//   goto x                     charged before it jumps
//
// F is the counter, T the function that takes the next slice of fuel or raises an error; both reach the
// program as upvalues of a function around it. An iteration costs 1, plus 1 for each 32 tokens of its body.
// Invariant: LuaJIT has compiled the unchanged source before, so the source cannot close or open the inserted
// code. Not here: the amount of fuel, and the cost of library functions
// (scripting/sandbox/internal/fuel_tank.h). Source: fuel as in other sandboxes, except that a numeric loop
// pays up front, so that compiled loops contain no accounting.
#pragma once

#include "ecs/base/result.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace perigee {

/// Names that no source can guess.
struct FuelNames {
    std::string counter;
    std::string charge;
    std::string first;
    std::string last;
    std::string step;
    std::string by_turn;

    /// The same for all states of this process, chosen at random when it starts.
    static const FuelNames& of_process();
};

struct ChargedSource {
    /// A chunk to call with (initial counter, T); it returns the program as a function of `...`.
    std::string text;
    /// Cost of compiling in steps, beyond its length: long chains of elseif, and, or, goto are quadratic.
    double compile_steps = 0;
};

/// Longest source that is compiled: LuaJIT's compile time is quadratic for some texts.
inline constexpr std::size_t kMaxSourceBytes = 256 * 1024;

/// Expects: `source` compiles. Errors: it contains a name of `names`, or is too long.
Result<ChargedSource> charge_source(std::string_view source, const FuelNames& names);

}  // namespace perigee
