// A REQUIRE without cost on success, for hundreds of millions of comparisons.
#pragma once

#include <catch2/catch.hpp>

#define AGREE(condition)                    \
    do {                                    \
        if (!(condition)) FAIL(#condition); \
    } while (false)
