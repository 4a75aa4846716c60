// A Result has a value or an error, and reading the absent one breaks a contract.
#include "ecs/base/result.h"

#include "tests/support/broken_contract.h"

#include <catch2/catch.hpp>

#include <cstddef>
#include <memory>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

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

TEST_CASE("results that are copied, moved and assigned agree with a variant, and leave nothing behind") {
    using Held = std::shared_ptr<int>;
    const Held original = std::make_shared<int>(1);
    {
        std::mt19937 random(1);
        std::vector<Result<Held>> results;
        std::vector<std::variant<Held, std::string>> model;
        const auto add = [&](Result<Held> result) {  // not of the list, which moves
            results.push_back(result);
            model.emplace_back(result.ok() ? std::variant<Held, std::string>(result.value())
                                           : std::variant<Held, std::string>(result.error().message));
        };
        for (int i = 0; i < 8; ++i) add(i % 2 == 0 ? Result<Held>(original) : Error{std::string(40, 'x')});
        for (int step = 0; step < 2000; ++step) {
            const std::size_t from = random() % results.size(), to = random() % results.size();
            switch (random() % 3) {
                case 0:
                    results[to] = results[from];
                    model[to] = model[from];
                    break;
                case 1:
                    if (from == to) break;
                    results[to] = std::move(results[from]);
                    model[to] = std::move(model[from]);
                    break;
                default:
                    if (results.size() < 64) add(results[from]);
            }
        }
        REQUIRE(results.size() == model.size());
        for (std::size_t i = 0; i < results.size(); ++i) {
            REQUIRE(results[i].ok() == (model[i].index() == 0));
            if (results[i].ok())
                REQUIRE(results[i].value() == std::get<0>(model[i]));
            else
                REQUIRE(results[i].error().message == std::get<1>(model[i]));
        }
    }
    CHECK(original.use_count() == 1);
}

TEST_CASE("a result can be copied if its value can") {
    CHECK(std::is_copy_constructible_v<Result<int>>);
    CHECK_FALSE(std::is_copy_constructible_v<Result<std::unique_ptr<int>>>);
    CHECK_FALSE(std::is_copy_assignable_v<Result<std::unique_ptr<int>>>);
    CHECK(std::is_nothrow_move_constructible_v<Result<std::unique_ptr<int>>>);
    CHECK(std::is_nothrow_move_assignable_v<Result<std::unique_ptr<int>>>);
}

TEST_CASE("an error keeps its kind and its mistakes when it is passed on") {
    Error error = joined({{"a", Mistake::About::system, "move"}, {"b", Mistake::About::nothing}});
    error.kind = ErrorKind::syntax;
    const Result<int> failed = error;
    const Result<void> passed_on = failed.error();
    CHECK(passed_on.error().message == "a\nb");
    CHECK(passed_on.error().kind == ErrorKind::syntax);
    REQUIRE(passed_on.error().mistakes.size() == 2);
    CHECK(passed_on.error().mistakes[0].name == "move");
}

TEST_CASE("a result does not convert implicitly to a number or a bool") {
    CHECK_FALSE(std::is_convertible_v<Result<int>, bool>);
    CHECK_FALSE(std::is_convertible_v<Result<void>, bool>);
}

}  // namespace
}  // namespace perigee
