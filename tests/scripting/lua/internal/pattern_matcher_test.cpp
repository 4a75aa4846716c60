// Against LuaJIT's own matcher, over random patterns and subjects; and what happens when the steps run out.
#include "scripting/lua/internal/pattern_matcher.h"

#include "scripting/sandbox/bind.h"

#include <catch2/catch.hpp>
#include <lua.hpp>

#include <random>
#include <string>

namespace perigee::internal {
namespace {

// As string.find gives it: "first|last|captures", "nil", or the message.
std::string stock(lua_State* lua, const std::string& subject, const std::string& pattern) {
    lua_settop(lua, 0);
    lua_getglobal(lua, "string");
    lua_getfield(lua, -1, "find");
    lua_remove(lua, 1);
    lua_pushlstring(lua, subject.data(), subject.size());
    lua_pushlstring(lua, pattern.data(), pattern.size());
    if (lua_pcall(lua, 2, LUA_MULTRET, 0) != 0) {
        const std::string message(text_at(lua, -1));
        const std::size_t colon = message.find(": ");
        return colon == std::string::npos ? message : message.substr(colon + 2);
    }
    std::string result;
    for (int i = 1; i <= lua_gettop(lua); ++i) {
        if (i > 1) result += "|";
        result += lua_isnil(lua, i) ? std::string("nil") : std::string(text_at(lua, i));
    }
    return result;
}

std::string ours(const std::string& subject, const std::string& pattern) {
    const bool is_anchored = pattern[0] == '^';
    PatternMatcher matcher(subject, pattern.c_str() + (is_anchored ? 1 : 0), 1e7);
    const auto found = matcher.search(0, is_anchored);
    if (matcher.mistake() != nullptr) return matcher.mistake();
    if (!found) return "nil";
    std::string result = std::to_string(found->begin + 1) + "|" + std::to_string(found->end);
    for (std::size_t i = 0; i < matcher.capture_count(); ++i) {
        const auto [begin, length] = matcher.capture(i);
        if (length == PatternMatcher::kOpen) return "unfinished capture";
        result += "|";
        if (length == PatternMatcher::kPosition) {
            result += std::to_string(begin - subject.data() + 1);
        } else {
            result += std::string(begin, static_cast<std::size_t>(length));
        }
    }
    return result;
}

TEST_CASE("300,000 random patterns find what LuaJIT finds, with the same captures and messages") {
    lua_State* const lua = luaL_newstate();
    luaL_openlibs(lua);
    std::mt19937 random(11);
    const char* const pieces[] = {"a",    "b",       "ab",     ".",  "%a",  "%d",   "%s",    "%W",  "[ab]",
                                  "[^a]", "[a-c%d]", "[]]",    "[%", "[^]", "(",    ")",     "()",  "(a)",
                                  "*",    "+",       "-",      "?",  "^",   "$",    "%1",    "%2",  "%b()",
                                  "%bab", "%b",      "%f[%a]", "%f", "%",   "(.-)", "(%w+)", "%z",  "%g",
                                  "x*",   "[a-]",    "[%a-z]", "[a", "%0",  "%.",   "%%",    "\xE4"};
    const std::string_view letters = "aabbc1 ()x-]%\xE4";
    std::size_t found = 0;
    std::size_t mistakes = 0;
    for (int round = 0; round < 300'000; ++round) {
        std::string subject;
        for (std::size_t i = random() % 12; i > 0; --i) {
            subject += random() % 40 == 0 ? '\0' : letters[random() % letters.size()];
        }
        std::string pattern;
        for (std::size_t i = 1 + random() % 6; i > 0; --i) pattern += pieces[random() % std::size(pieces)];
        // Without a special letter string.find looks for the text as it is.
        if (pattern.find_first_of("^$*+?.([%-") == std::string::npos) continue;
        const std::string expected = stock(lua, subject, pattern);
        const std::string result = ours(subject, pattern);
        if (result != expected) {
            INFO("subject '" << subject << "', pattern '" << pattern << "'");
            REQUIRE(result == expected);
        }
        if (expected == "nil") continue;
        ++(expected[0] >= '0' && expected[0] <= '9' ? found : mistakes);
    }
    lua_close(lua);
    CHECK(found > 20'000);
    CHECK(mistakes > 20'000);
}

TEST_CASE("no pattern takes more steps than it has") {
    const std::string subject(30'000, 'a');
    for (const char* const pattern :
         {".-.-.-.-b", "(.-)(.-)(.-)%1b", "a*a*a*a*b", "%ba*", ".-%f[b]", "[^b]*[^b]*b"}) {
        PatternMatcher matcher(subject, pattern, 100'000);
        CHECK_FALSE(matcher.search(0, false));
        CHECK(matcher.is_out_of_steps());
    }
    const std::string set = "[" + std::string(10'000, 'b') + "]";
    PatternMatcher matcher(subject, set.c_str(), 1'000'000);
    CHECK_FALSE(matcher.search(0, false));
    CHECK(matcher.is_out_of_steps());
}

}  // namespace
}  // namespace perigee::internal
