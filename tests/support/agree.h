// REQUIRE without a word when all is well, for hundreds of millions of comparisons.
#pragma once

#include <catch2/catch.hpp>

#define AGREE(condition)                    \
    do {                                    \
        if (!(condition)) FAIL(#condition); \
    } while (false)
