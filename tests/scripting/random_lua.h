// Random Lua programs that end: each loop runs a few times and calls `out`, which ends the program when it
// has been called too often; functions call only earlier ones. Results and errors go to `out`.
// Invariant: the same seed gives the same text. Programs are valid; broken_copy makes ones that may not be.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace perigee {

class RandomLua {
public:
    explicit RandomLua(std::uint32_t seed) : random_(seed) {}
    std::string program();
    /// The text with a few of its tokens taken out, doubled or exchanged.
    std::string broken_copy(const std::string& text);

private:
    std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(random_() % limit); }
    bool one_in(std::uint32_t n) { return below(n) == 0; }
    template <std::size_t N> std::string any_of(const char* const (&list)[N]) { return list[below(N)]; }
    void space();
    std::string gap();
    std::string name();
    std::string expression(int depth);
    std::string number();
    std::string text();
    std::string function(int depth);
    void block(int depth, bool in_loop);
    void statement(int depth, bool in_loop);
    void numeric_for(int depth);
    void other_loop(int depth);
    void goto_loop(int depth);
    void body_start();

    std::mt19937 random_;
    std::string out_;
    std::vector<std::string> locals_;
    std::vector<std::string> functions_;
    int labels_ = 0;
    int marks_ = 0;
    bool is_vararg_ = true;
};

}  // namespace perigee
