// Which values settings accept, and how messages describe them.
#include "engine/mods/mod_setting.h"

#include <catch2/catch.hpp>

#include <cmath>

using namespace perigee;

TEST_CASE("a setting accepts values of its type in its range") {
    ModSetting number{"speed", ModSetting::Type::number, 1.0, 0.5, 2.0, {}, {}, {}};
    CHECK(accepts(number, 0.5));
    CHECK(accepts(number, 2.0));
    CHECK_FALSE(accepts(number, 2.5));
    CHECK_FALSE(accepts(number, std::nan("")));
    CHECK_FALSE(accepts(number, true));
    CHECK_FALSE(accepts(number, std::string{"1"}));
    number.max = INFINITY;
    CHECK_FALSE(accepts(number, double{INFINITY}));

    const ModSetting choice{"mode", ModSetting::Type::choice, std::string{"a"}, 0, 0, {"a", "b"}, {}, {}};
    CHECK(accepts(choice, std::string{"b"}));
    CHECK_FALSE(accepts(choice, std::string{"c"}));

    const ModSetting text{"name", ModSetting::Type::text, std::string{}, 0, 0, {}, {}, {}};
    CHECK(accepts(text, std::string(1000, 'x')));
    CHECK_FALSE(accepts(text, std::string(1001, 'x')));
    CHECK_FALSE(accepts(text, 1.0));

    const ModSetting toggle{"blood", ModSetting::Type::boolean, true, 0, 0, {}, {}, {}};
    CHECK(accepts(toggle, false));
    CHECK_FALSE(accepts(toggle, 0.0));
}

TEST_CASE("a setting describes the values that it accepts") {
    ModSetting setting;
    CHECK(expected_by(setting) == "true or false");
    setting.type = ModSetting::Type::text;
    CHECK(expected_by(setting) == "a text of at most 1000 bytes");
    setting.type = ModSetting::Type::choice;
    setting.choices = {"easy", "hard"};
    CHECK(expected_by(setting) == "one of 'easy', 'hard'");
    setting.type = ModSetting::Type::number;
    CHECK(expected_by(setting) == "a number");
    setting.min = 1;
    CHECK(expected_by(setting) == "a number of at least 1");
    setting.max = 2.5;
    CHECK(expected_by(setting) == "a number from 1 to 2.5");
    setting.min = -INFINITY;
    CHECK(expected_by(setting) == "a number of at most 2.5");
}
