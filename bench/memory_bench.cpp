// Resident memory per entity: the growth of the resident set for a million entities with 16 bytes of payload.
// Each figure comes from a fresh child process, where nothing that was freed before can be used again.
#include "bench/support/bench_world.h"
#include "bench/support/harness.h"
#include "bench/support/least_work.h"
#include "ecs/world/bulk.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <vector>

namespace perigee::bench {
namespace {

constexpr std::size_t kMillion = 1'000'000;

// Anonymous bytes only: after a fork, pages of the program file count as new when they are used again.
double resident_bytes() {
    std::FILE* file = std::fopen("/proc/self/smaps_rollup", "r");
    if (file == nullptr) return 0;
    char line[256];
    unsigned long kilobytes = 0;
    while (std::fgets(line, sizeof line, file) != nullptr) {
        if (std::sscanf(line, "Anonymous: %lu kB", &kilobytes) == 1) break;
    }
    std::fclose(file);
    return static_cast<double>(kilobytes) * 1024;
}

// Runs `make`, which keeps what it makes alive, in a child; returns the growth per entity.
template <typename Make> double growth_in_child(Make make) {
    int ends[2];
    if (pipe(ends) != 0) return 0;
    const pid_t child = fork();
    if (child == 0) {
        const double before = resident_bytes();
        make();
        const double growth = (resident_bytes() - before) / static_cast<double>(kMillion);
        const bool is_written = write(ends[1], &growth, sizeof growth) == sizeof growth;
        _exit(is_written ? 0 : 1);
    }
    double growth = 0;
    if (child > 0) {
        if (read(ends[0], &growth, sizeof growth) != sizeof growth) growth = 0;
        waitpid(child, nullptr, 0);
    }
    close(ends[0]);
    close(ends[1]);
    return growth;
}

void fill_world() {
    World& world = *make_world().release();
    spawn_many(world, world.archetype<Position, Velocity>(), kMillion);
}

void fill_arrays() {
    auto& store = *std::make_unique<LeastStore>(kMillion, Pages::small).release();
    store.create_many(kMillion);
}

}  // namespace

std::vector<Case> memory_cases() {
    return {Case{"memory, bytes per entity", kMillion, "c++",
                 "bytes of plain arrays: payload 16, id 8, record 8", [] {
                     return Sides{[](const Effort&) { return growth_in_child(fill_world); },
                                  [](const Effort&) { return growth_in_child(fill_arrays); }};
                 }}};
}

}  // namespace perigee::bench
