// A number is the whole of a text, and in the range of its type.
#include "ecs/base/parse_number.h"

#include <catch2/catch.hpp>

#include <cstdint>
#include <string>

using namespace perigee;

TEST_CASE("a number is the whole of a text", "[base]") {
    CHECK(number_from<std::uint32_t>("0") == 0U);
    CHECK(number_from<std::uint32_t>("4294967295") == 4'294'967'295U);
    CHECK(number_from<std::int64_t>("-12") == -12);
    CHECK(number_from<double>("1.5e3") == 1500.0);
    for (const std::string text : {"", " 1", "1 ", "+1", "-1", "1.5", "1x", "0x10", "4294967296"}) {
        CAPTURE(text);
        CHECK_FALSE(number_from<std::uint32_t>(text).has_value());
    }
}
