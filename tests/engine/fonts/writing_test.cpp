// Which characters need what.
#include "engine/fonts/writing.h"

#include <catch2/catch.hpp>

using namespace perigee::internal;

TEST_CASE("Latin, Greek, Cyrillic, Chinese and Japanese letters need no shaping; Arabic, Thai and marks do") {
    for (const char32_t code : U"aZ0 é Ж λ 漢 あ — €") CHECK_FALSE(needs_shaping(code));
    for (const char32_t code : {U'س', U'ש', U'ก', U'क', U'\u0301', U'\u200D'}) CHECK(needs_shaping(code));
}

TEST_CASE("Hebrew and Arabic may run from right to left") {
    for (const char32_t code : {U'ש', U'م', U'\u202B'}) CHECK(may_run_right_to_left(code));
    for (const char32_t code : {U'a', U'1', U'ก', U'漢'}) CHECK_FALSE(may_run_right_to_left(code));
}

TEST_CASE("marks and joiners belong to the character before them") {
    for (const char32_t code : {U'\u0301', U'\u200D', U'\uFE0F', U'\u064B'}) CHECK(joins_previous(code));
    for (const char32_t code : {U'a', U' ', U'س'}) CHECK_FALSE(joins_previous(code));
}

TEST_CASE("a line may end between two Chinese characters, but not before a full stop or after a bracket") {
    CHECK(may_wrap_between(U'漢', U'字'));
    CHECK(may_wrap_between(U'漢', U'a'));
    CHECK(may_wrap_between(U'\u200B', U'a'));
    CHECK_FALSE(may_wrap_between(U'a', U'b'));
    CHECK_FALSE(may_wrap_between(U'漢', U'。'));
    CHECK_FALSE(may_wrap_between(U'「', U'漢'));
}
