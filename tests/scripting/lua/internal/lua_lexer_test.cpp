// Tokens compared with LuaJIT's; fuel_rewriter_test covers whole programs.
#include "scripting/lua/internal/lua_lexer.h"

#include <catch2/catch.hpp>

#include <random>
#include <string>
#include <vector>

namespace perigee::internal {
namespace {

std::vector<std::string> tokens_of(std::string_view source) {
    std::vector<std::string> tokens;
    LuaLexer lexer(source);
    for (LuaToken token = lexer.next(); token.kind != LuaTokenKind::end; token = lexer.next()) {
        if (token.kind == LuaTokenKind::broken) {
            tokens.emplace_back("<broken>");
            break;
        }
        tokens.emplace_back(token.text);
    }
    return tokens;
}

using Tokens = std::vector<std::string>;

TEST_CASE("names, keywords and symbols end where they end for LuaJIT") {
    CHECK(tokens_of("a.b:c(...)") == Tokens{"a", ".", "b", ":", "c", "(", "...", ")"});
    CHECK(tokens_of("x=='y'..z~=1") == Tokens{"x", "==", "'y'", "..", "z", "~=", "1"});
    CHECK(tokens_of("goto l ::l::") == Tokens{"goto", "l", "::", "l", "::"});
    CHECK(tokens_of("gr\xC3\xB6\xC3\x9F"
                    "e=1") == Tokens{"gr\xC3\xB6\xC3\x9F"
                                     "e",
                                     "=", "1"});
    CHECK(tokens_of("function end_() end") == Tokens{"function", "end_", "(", ")", "end"});
}

TEST_CASE("numbers end where they end for LuaJIT") {
    CHECK(tokens_of("1e+5-2") == Tokens{"1e+5", "-", "2"});
    CHECK(tokens_of("0x1p-4-e") == Tokens{"0x1p-4", "-", "e"});
    CHECK(tokens_of("0xe+1") == Tokens{"0xe", "+", "1"});
    CHECK(tokens_of(".5 3. 12ULL 2i") == Tokens{".5", "3.", "12ULL", "2i"});
    CHECK(tokens_of("1 ..2") == Tokens{"1", "..", "2"});
}

TEST_CASE("the contents of strings and comments are not tokens") {
    CHECK(tokens_of(R"(x="a\"b--[[" y='\\')") == Tokens{"x", "=", R"("a\"b--[[")", "y", "=", R"('\\')"});
    CHECK(tokens_of("x=[==[ ]] ]=] end ]==] y") == Tokens{"x", "=", "[==[ ]] ]=] end ]==]", "y"});
    CHECK(tokens_of("a --[[ b\nc ]] d -- e\nf --[=[ ]] ]=] g --[= h\ni") == Tokens{"a", "d", "f", "g", "i"});
    CHECK(tokens_of("t[a[1]]") == Tokens{"t", "[", "a", "[", "1", "]", "]"});
    CHECK(tokens_of("'a\\\nb\\z\n  c' d") == Tokens{"'a\\\nb\\z\n  c'", "d"});
}

TEST_CASE("a byte order mark and a first line with # are not tokens") {
    CHECK(tokens_of("\xEF\xBB\xBF#!/usr/bin/lua for\nx") == Tokens{"x"});
    CHECK(tokens_of("#!lua") == Tokens{});
    CHECK(tokens_of(" #t") == Tokens{"#", "t"});
}

TEST_CASE("an unclosed string or comment is reported as invalid") {
    CHECK(tokens_of("x = 'abc").back() == "<broken>");
    CHECK(tokens_of("x = [[abc]").back() == "<broken>");
    CHECK(tokens_of("--[==[ abc ]]").back() == "<broken>");
    CHECK(tokens_of("'\\").back() == "<broken>");
}

TEST_CASE("any bytes are read to their end and never beyond") {
    std::mt19937 random(7);
    const std::string_view letters = "a1.=[]-'\"\\\n {}()e+x:~\xC3";
    for (int round = 0; round < 20'000; ++round) {
        // On the heap and exactly as long, so that the address sanitizer sees a byte too many.
        const std::size_t size = random() % 40;
        std::vector<char> bytes(size);
        for (char& byte : bytes) byte = random() % 20 == 0 ? '\0' : letters[random() % letters.size()];
        LuaLexer lexer(std::string_view(bytes.data(), bytes.size()));
        std::size_t last = 0;
        for (;;) {
            const LuaToken token = lexer.next();
            REQUIRE(token.begin >= last);
            REQUIRE(token.end <= size);
            last = token.end;
            if (token.kind == LuaTokenKind::end || token.kind == LuaTokenKind::broken) break;
            REQUIRE(token.end > token.begin);
        }
    }
}

}  // namespace
}  // namespace perigee::internal
