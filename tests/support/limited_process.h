// Runs a child process with little address space, since a limit cannot be undone.
#pragma once

#include "ecs/base/address_space.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>

namespace perigee::test {

/// True if `check` succeeds in a process with about this many bytes of address space left.
template <typename Check> bool holds_under_limit(std::size_t room, const Check& check) {
    const pid_t child = fork();
    if (child == 0) {
        // From above: the largest limit that leaves no more than `room`.
        for (std::size_t limit = std::size_t{1} << 46U; limit > room; limit -= limit / 64) {
            const rlimit wanted{limit, limit};
            if (setrlimit(RLIMIT_AS, &wanted) != 0) _exit(3);
            if (address_space_left() <= room) break;
        }
        _exit(check() ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace perigee::test
