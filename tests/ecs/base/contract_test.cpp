// A broken contract stops the program and reports the place and the values; one that holds has no effect.
#include "ecs/base/contract.h"

#include "tests/support/broken_contract.h"

#include <catch2/catch.hpp>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <string>

namespace perigee {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;

// Breaks a contract in a child process with the default handler. Returns its output; `status` is that of
// waitpid.
std::string output_of_broken_child(int& status) {
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    const pid_t child = fork();
    if (child == 0) {
        const rlimit no_core{0, 0};
        setrlimit(RLIMIT_CORE, &no_core);
        std::signal(SIGABRT, SIG_DFL);  // Catch2 would report the abort as this test's
        dup2(ends[1], STDERR_FILENO);
        const int live = 2;
        ECS_INVARIANT(live == 3, live);
        _exit(0);
    }
    close(ends[1]);
    std::string text;
    char buffer[256];
    for (ssize_t got = 0; (got = read(ends[0], buffer, sizeof buffer)) > 0;) {
        text.append(buffer, static_cast<std::size_t>(got));
    }
    close(ends[0]);
    REQUIRE(waitpid(child, &status, 0) == child);
    return text;
}

TEST_CASE("a contract that holds has no effect") {
    ContractWatch watch;
    CHECK_NOTHROW(ECS_EXPECTS(1 + 1 == 2));
    CHECK_NOTHROW(ECS_INVARIANT(true, "never printed"));
}

TEST_CASE("a broken contract names its kind, expression, file and line") {
    ContractWatch watch;
    CHECK_THROWS_WITH(ECS_EXPECTS(2 < 1), EndsWith("broken expectation: 2 < 1"));
    CHECK_THROWS_WITH(ECS_INVARIANT(2 < 1), EndsWith("broken invariant: 2 < 1"));
    const std::string here = "contract_test.cpp:" + std::to_string(__LINE__ + 1) + ":";
    CHECK_THROWS_WITH(ECS_EXPECTS(false), Contains(here));
}

TEST_CASE("a broken contract prints the listed values") {
    ContractWatch watch;
    const std::uint32_t row = 5;
    const int row_count = -3;
    CHECK_THROWS_WITH(ECS_EXPECTS(false, row), EndsWith("false, row = 5"));
    CHECK_THROWS_WITH(ECS_EXPECTS(false, row, row_count), EndsWith("false, (row, row_count) = (5, -3)"));
    CHECK_THROWS_WITH(ECS_EXPECTS(false, 0.5 * 3), EndsWith("0.5 * 3 = 1.5"));
    enum class Kind : std::uint8_t { kThird = 2 };
    CHECK_THROWS_WITH(ECS_EXPECTS(false, Kind::kThird), EndsWith("Kind::kThird = 2"));
    CHECK_THROWS_WITH(ECS_EXPECTS(false, UINT64_MAX), EndsWith("18446744073709551615"));
    const int* nowhere = nullptr;
    CHECK_THROWS_WITH(ECS_EXPECTS(nowhere != nullptr, nowhere), EndsWith("nowhere = 0x0"));
}

TEST_CASE("a broken contract prints a message without a name") {
    ContractWatch watch;
    const std::string name = "Ship";
    CHECK_THROWS_WITH(ECS_EXPECTS(false, "no chunk left"), EndsWith("false, no chunk left"));
    CHECK_THROWS_WITH(ECS_EXPECTS(false, name), EndsWith("false, name = Ship"));
}

TEST_CASE("the condition of a contract is evaluated once") {
    ContractWatch watch;
    int evaluations = 0;
    ECS_EXPECTS(++evaluations == 1);
    CHECK(evaluations == 1);
}

TEST_CASE("a debug contract is checked only where assertions are on") {
    ContractWatch watch;
    int evaluations = 0;
    bool broke = false;
    try {
        ECS_DEBUG_EXPECTS(++evaluations == 2, evaluations);
    } catch (const BrokenContract&) {
        broke = true;
    }
#if !PERIGEE_DEBUG_CHECKS
    CHECK(evaluations == 0);
    CHECK_FALSE(broke);
#else
    CHECK(evaluations == 1);
    CHECK(broke);
#endif
}

TEST_CASE("setting a handler returns the previous one, which can be restored") {
    const ContractHandler quiet = [](const ContractFailure&) {};
    const ContractHandler original = set_contract_handler(quiet);
    CHECK(set_contract_handler(nullptr) == quiet);
    CHECK(set_contract_handler(original) == original);
}

TEST_CASE("without a handler a broken contract prints and aborts") {
    int status = 0;
    const std::string text = output_of_broken_child(status);
    CHECK_THAT(text, Contains("broken invariant: live == 3, live = 2\n"));
    CHECK((WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT));
}

}  // namespace
}  // namespace perigee
