// The order of rules, conditions on arguments, and calls that end the process.
#include "engine/base/internal/seccomp_filter.h"

#include <catch2/catch.hpp>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <functional>

using namespace perigee;
using internal::SeccompFilter;

namespace {

// The wait status of a process that does this.
int status_of(const std::function<int()>& work) {
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) _exit(work());
    int status = 0;
    ::waitpid(child, &status, 0);
    return status;
}

int error_of(long call, long argument) { return ::syscall(call, argument) < 0 ? errno : 0; }

}  // namespace

TEST_CASE("the first matching rule decides, and other calls get the installed default") {
    const int status = status_of([] {
        SeccompFilter filter;
        filter.add_if(SYS_dup, 0, ~0U, 77, SeccompFilter::refuse(EXDEV));
        filter.add_unless(SYS_dup, 0, ~0U, 78, SeccompFilter::refuse(EDOM));
        filter.add(SYS_getppid, SeccompFilter::refuse(ENOANO));
        filter.add(SYS_getppid, SeccompFilter::refuse(EXDEV));
        if (!filter.install(SeccompFilter::allow(), true)) return 1;
        if (error_of(SYS_dup, 77) != EXDEV) return 2;
        if (error_of(SYS_dup, 76) != EDOM) return 3;
        if (error_of(SYS_dup, 78) != EBADF) return 4;
        if (error_of(SYS_getppid, 0) != ENOANO) return 5;
        return ::getpid() > 0 ? 0 : 6;
    });
    REQUIRE(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
}

TEST_CASE("a forbidden call ends the process if the filter says so") {
    const int status = status_of([] {
        SeccompFilter filter;
        filter.add(SYS_exit_group, SeccompFilter::allow());
        filter.install(SeccompFilter::end_process(), false);
        ::syscall(SYS_getppid);
        return 0;
    });
    REQUIRE(WIFSIGNALED(status));
    CHECK(WTERMSIG(status) == SIGSYS);
}
