// Headers of log files: round trips, and damaged ones.
#include "engine/replay/log_header.h"

#include "tests/support/broken_contract.h"

#include <catch2/catch.hpp>

#include <random>

namespace perigee {
namespace {

constexpr std::string_view kMagic = "perigee test log ";

TEST_CASE("a header is read as it was written, and nothing after it is consumed") {
    for (const LogHeader& header : {LogHeader{"swarm", 18446744073709551615ULL, 60}, LogHeader{"", 0, 1},
                                    LogHeader{"a game", 7, 4294967295U, "LuaJIT 2.1.0-beta3"}}) {
        const std::string text = header_text(kMagic, "12", header) + "behind";
        std::string_view rest = text;
        CHECK(take_line(rest, kMagic) == "12");
        CHECK(take_header(rest) == header);
        CHECK(rest == "\nbehind");
    }
}

TEST_CASE("missing, truncated, reordered and non-numeric lines are not a header") {
    for (const char* text :
         {"", "game a\n", "game a\nseed 1\n", "game a\nseed 1\nrate 60", "seed 1\ngame a\nrate 60\n",
          "game a\nseed x\nrate 60\n", "game a\nseed -1\nrate 60\n", "game a\nseed 1 \nrate 60\n",
          "game a\nseed \nrate 60\n", "game a\nseed 18446744073709551616\nrate 60\n",
          "game a\nseed 1\nrate 4294967296\n", "game a\n\nseed 1\nrate 60\n", "Game a\nseed 1\nrate 60\n"}) {
        INFO(text);
        std::string_view rest = text;
        CHECK_FALSE(take_header(rest));
    }
}

TEST_CASE("a line with another beginning is not consumed") {
    std::string_view text = "seed 1\nrate 2\n";
    CHECK_FALSE(take_line(text, "rate "));
    CHECK(text == "seed 1\nrate 2\n");
    CHECK(take_line(text, "") == "seed 1");
    CHECK(text == "rate 2\n");
}

TEST_CASE("headers with random changes are read as another header or refused") {
    std::mt19937 random{5};
    const std::string whole = header_text(kMagic, "1", {"orbit", 123456789, 60});
    for (int round = 0; round < 20000; ++round) {
        std::string text = whole.substr(0, random() % (whole.size() + 1));
        for (std::size_t i = 0; i < 3 && !text.empty(); ++i) {
            text[random() % text.size()] = static_cast<char>("\n 0a9\xff"[random() % 6]);
        }
        std::string_view rest = text;
        if (!take_line(rest, kMagic)) continue;
        if (const std::optional<LogHeader> header = take_header(rest)) {
            CHECK(header->game.find('\n') == std::string::npos);
        }
    }
}

TEST_CASE("a header without a LuaJIT line is read as unknown") {
    std::string_view text = "game a\nseed 1\nrate 60\n\nluajit LuaJIT 2.1.3\n";
    CHECK(take_header(text) == LogHeader{"a", 1, 60});
    CHECK(text == "\nluajit LuaJIT 2.1.3\n");
}

TEST_CASE("writing a game id of two lines violates the contract") {
    const ContractWatch watch;
    CHECK_THROWS(header_text(kMagic, "1", {"one", 0, 60, "two\nlines"}));
    CHECK_THROWS(header_text(kMagic, "1", {"two\nlines", 0, 60}));
}

}  // namespace
}  // namespace perigee
