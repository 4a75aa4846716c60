// A Result has a value or an error, and reading the absent one breaks a contract.
#include "ecs/base/result.h"

#include "tests/support/broken_contract.h"

#include <catch2/catch.hpp>

#include <memory>
#include <string>
#include <type_traits>

namespace perigee {
namespace {

using Catch::Matchers::EndsWith;

Result<int> half(int number) {
    if (number % 2 != 0) return Error{"expected an even number, got " + std::to_string(number)};
    return number / 2;
}

Result<void> check_even(int number) {
    Result<int> halved = half(number);
    if (!halved) return halved.error();
    return {};
}

TEST_CASE("a result holds the value that was returned") {
    const Result<int> result = half(8);
    CHECK(result.ok());
    CHECK(static_cast<bool>(result));
    CHECK(result.value() == 4);
}

TEST_CASE("a result holds the error that was returned") {
    const Result<int> result = half(7);
    CHECK_FALSE(result.ok());
    CHECK_FALSE(static_cast<bool>(result));
    CHECK(result.error().message == "expected an even number, got 7");
}

TEST_CASE("a result without a value passes errors on") {
    CHECK(check_even(2).ok());
    CHECK(check_even(3).error().message == "expected an even number, got 3");
}

TEST_CASE("a value can be changed in place and moved out") {
    Result<std::unique_ptr<int>> result = std::make_unique<int>(1);
    *result.value() = 2;
    const std::unique_ptr<int> taken = std::move(result).value();
    CHECK(*taken == 2);
    CHECK(result.value() == nullptr);
}

TEST_CASE("reading the absent side of a result breaks a contract") {
    ContractWatch watch;
    const Result<int> failed = half(7);
    const Result<void> failed_void = check_even(7);
    CHECK_THROWS_WITH(failed.value(), EndsWith("expected an even number, got 7"));
    CHECK_THROWS_WITH(failed_void.value(), EndsWith("expected an even number, got 7"));
    CHECK_THROWS_AS(half(8).error(), BrokenContract);
    CHECK_THROWS_AS(check_even(8).error(), BrokenContract);
    CHECK_NOTHROW(check_even(8).value());
}

TEST_CASE("a result does not convert implicitly to a number or a bool") {
    CHECK_FALSE(std::is_convertible_v<Result<int>, bool>);
    CHECK_FALSE(std::is_convertible_v<Result<void>, bool>);
}

}  // namespace
}  // namespace perigee
