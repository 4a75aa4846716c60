// Random Lua programs for the compiler of LuaJIT: what is computed in hot loops, in every way that compiled
// code has gone wrong before (varargs, tables that grow or are made in exits only, metamethods, coroutines,
// upvalues, strings, bits, errors that leave loops). The program returns a list of what it computed.
//
// Invariant: the same seed gives the same text; programs end, and depend on nothing but their text. Values
// have known types, so that most statements compute something instead of failing (random_lua.h is for the
// parser).
#pragma once

#include <cstdint>
#include <random>
#include <string>

namespace perigee {

class NumericLua {
public:
    explicit NumericLua(std::uint32_t seed) : random_(seed) {}
    /// About a dozen functions, called some dozen times each.
    std::string program();

private:
    std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(random_() % limit); }
    bool one_in(std::uint32_t n) { return below(n) == 0; }
    template <std::size_t N> std::string any_of(const char* const (&list)[N]) { return list[below(N)]; }

    std::string constant();
    std::string number(int depth);
    std::string whole();
    std::string text(int depth);
    std::string condition();
    std::string variable(char kind);
    std::string arguments(std::uint32_t count);
    std::string more_arguments(std::uint32_t count);

    void line(const std::string& text);
    void block(int depth);
    void statement(int depth);
    void simple_statement();
    void loop(int depth);
    void branch(int depth);
    void set_element(const std::string& list);
    void new_table(int depth);
    void growing_table();
    void call();
    void metamethod();
    void coroutine();
    void closure();
    void failing_call(int depth);
    void function(int number);
    void vararg_function(int number);

    std::mt19937 random_;
    std::string out_;
    int indent_ = 0;
    int names_ = 0;
    int functions_ = 0;
    int vararg_functions_ = 0;
    int loops_ = 0;  ///< around the statement that is being written
};

}  // namespace perigee
