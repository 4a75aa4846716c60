// The order of the specification, and ranges compared with plain comparisons of numbers.
#include "engine/mods/semantic_version.h"

#include <catch2/catch.hpp>

#include <random>
#include <string>
#include <vector>

using namespace perigee;

namespace {

SemanticVersion version(std::string_view text) {
    INFO(text);
    Result<SemanticVersion> read = SemanticVersion::parse(text);
    REQUIRE(read);
    return std::move(read).value();
}

bool in(std::string_view range, std::string_view number) {
    INFO(range);
    const Result<VersionRange> read = VersionRange::parse(range);
    REQUIRE(read);
    return read.value().contains(version(number));
}

// The meaning of an operator, written as plain comparisons. `n` has the `count` given numbers.
bool means(const std::string& sign, const std::array<std::uint32_t, 3>& n, std::size_t count,
           const std::array<std::uint32_t, 3>& x) {
    const auto begins_alike = [&](std::size_t numbers) {
        return std::equal(n.begin(), n.begin() + static_cast<std::ptrdiff_t>(numbers), x.begin());
    };
    const bool is_alike = begins_alike(count);
    if (sign.empty() || sign == "=") return is_alike;
    if (sign == ">=") return x >= n;
    if (sign == "<") return x < n;
    if (sign == ">") return x > n && !is_alike;
    if (sign == "<=") return x < n || is_alike;
    if (sign == "~") return x >= n && begins_alike(std::min<std::size_t>(count, 2));
    std::size_t fixed = 1;  // "^": up to the first number that is not zero
    while (fixed < count && n[fixed - 1] == 0) ++fixed;
    return x >= n && begins_alike(fixed);
}

}  // namespace

TEST_CASE("versions are ordered as in the specification") {
    const std::vector<std::string> ascending = {"0.0.0-0",
                                                "0.0.0",
                                                "0.0.1",
                                                "0.1.0",
                                                "1.0.0-0",
                                                "1.0.0-2",
                                                "1.0.0-11",
                                                "1.0.0-99999999999999999999",
                                                "1.0.0-alpha",
                                                "1.0.0-alpha.1",
                                                "1.0.0-alpha.beta",
                                                "1.0.0-beta",
                                                "1.0.0-beta.2",
                                                "1.0.0-beta.11",
                                                "1.0.0-rc.1",
                                                "1.0.0",
                                                "1.9.0",
                                                "1.10.0",
                                                "2.0.0"};
    for (std::size_t i = 0; i < ascending.size(); ++i)
        for (std::size_t k = 0; k < ascending.size(); ++k) {
            INFO(ascending[i] << " and " << ascending[k]);
            CHECK((version(ascending[i]) <=> version(ascending[k])) == (i <=> k));
        }
    CHECK(version("1.0.0+abc.5") == version("1.0.0"));
    CHECK(version("1") == version("1.0.0"));
    CHECK(version("1.2").text() == "1.2.0");
    CHECK(version("1.2.3-rc.1+build").text() == "1.2.3-rc.1");
}

TEST_CASE("an invalid version is an error that shows a valid one") {
    CHECK(SemanticVersion::parse("new").error().message ==
          "'new' is not a version: expected three numbers such as 1.2.0");
    for (const char* text :
         {"",       "1.",     ".1",        "1..2",           "1.2.3.4", "01.2.3",     "1.02.3",   "-1",
          "1.2.-3", "1.2.x",  "*",         "4294967296.0.0", "1.2.3-",  "1.2.3-a..b", "1.2.3-01", "1.2.3-ä",
          "1.2-rc", "1.2.3+", "1.2.3+a b", "v1.2.3",         " 1.2.3",  "1.2.3 "})
        CHECK_FALSE(SemanticVersion::parse(text));
}

TEST_CASE("each operator agrees with plain comparisons, for all nearby versions") {
    std::mt19937 random{7};
    const std::vector<std::string> signs = {"", "=", ">=", "<=", ">", "<", "^", "~"};
    for (int round = 0; round < 20'000; ++round) {
        std::array<std::uint32_t, 3> n{};
        std::array<std::uint32_t, 3> x{};
        const std::size_t count = 1 + random() % 3;
        for (std::size_t i = 0; i < 3; ++i) {
            if (i < count) n[i] = random() % 3;
            x[i] = random() % 4;
        }
        const std::string& sign = signs[random() % signs.size()];
        std::string text = sign + std::to_string(n[0]);
        for (std::size_t i = 1; i < count; ++i) text += "." + std::to_string(n[i]);
        if (count < 3 && random() % 2 == 0) text += random() % 2 == 0 ? ".x" : ".*";
        const std::string number = SemanticVersion{x, {}}.text();
        INFO(text << " and " << number);
        REQUIRE(in(text, number) == means(sign, n, count, x));
    }
}

TEST_CASE("all parts of a range must match") {
    CHECK(in(">=1.2 <2", "1.9.9"));
    CHECK_FALSE(in(">=1.2 <2", "2.0.0"));
    CHECK_FALSE(in(">=1.2 <2", "1.1.9"));
    CHECK(in("  >=1   <=3 ", "3.9.0"));
    CHECK(in("*", "0.0.0"));
    CHECK(in("x", "77.0.0"));
    CHECK(VersionRange{}.contains(version("3.2.1")));
    CHECK_FALSE(in("<*", "0.0.0"));
    CHECK_FALSE(in(">4294967295", "4294967295.1.1"));
    CHECK(in("^4294967295", "4294967295.1.1"));
    CHECK(VersionRange::parse("^1.2").value().text() == "^1.2");
    CHECK(VersionRange{}.text() == "*");
}

TEST_CASE("a range matches a pre-release only if it names one with the same numbers") {
    CHECK_FALSE(in("^1.2", "2.0.0-beta"));
    CHECK_FALSE(in("^1.2", "1.3.0-beta"));
    CHECK_FALSE(in("*", "1.0.0-beta"));
    CHECK_FALSE(in("<2", "2.0.0-beta"));
    CHECK(in(">=1.2.3-beta.2", "1.2.3-beta.10"));
    CHECK_FALSE(in(">=1.2.3-beta.2", "1.2.3-beta.1"));
    CHECK_FALSE(in(">=1.2.3-beta.2", "1.2.4-beta.3"));
    CHECK(in(">=1.2.3-beta.2", "1.2.4"));
    CHECK(in("1.2.3-rc", "1.2.3-rc"));
    CHECK_FALSE(in("1.2.3-rc", "1.2.3"));
    CHECK_FALSE(in("1.2.3-rc", "1.2.3-rc.1"));
    CHECK(in("<=1.2.3-rc", "1.2.3-beta"));
}

TEST_CASE("an invalid range is an error that shows a valid one") {
    CHECK(VersionRange::parse("newest").error().message ==
          "'newest' is not a version range: expected something like ^1.2, ~1.2.3, 1.x, \">=1.2 <3\" or *");
    for (const char* text : {"", "  ", "=>1", "^", ">= 1.2", "1.x.2", "1,2", "1 || 2", "^1.2.3.4", "~x.1"})
        CHECK_FALSE(VersionRange::parse(text));
}
