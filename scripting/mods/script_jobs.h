// The named jobs (ecs/schedule/named_jobs.h) that a run of a Lua system starts and waits for.
//
// Invariant: a job is open from its start until the script has waited for it, or for a job that runs after
// it. So which jobs are open depends on the script alone, and never on how fast the threads are. Not here:
// what the script may do while jobs are open (script_system.h).
#pragma once

#include "ecs/base/result.h"
#include "ecs/parallel/jobs.h"
#include "ecs/schedule/system.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace perigee {

class ScriptJobs {
public:
    static constexpr std::size_t kMaxPerRun = 1000;

    /// Before each run.
    void restart() noexcept;
    /// The number of the new job, from 1 in each run. `after`: numbers of earlier ones.
    /// Errors: those of NamedJobs::start, too many in this run.
    Result<std::uint32_t> start(std::string_view name, const SystemContext& context,
                                std::span<const std::uint32_t> after);
    /// Waits for a job and those before it; for all jobs if the number is 0. Errors: the job failed.
    Result<void> wait(std::uint32_t number, const SystemContext& context);

    bool is_open() const noexcept { return open_count_ != 0; }

private:
    struct Started {
        JobHandle handle;
        std::vector<std::uint32_t> after;
        bool is_open = true;
    };
    void close(std::uint32_t number);

    std::vector<Started> started_;  ///< by number - 1
    std::size_t open_count_ = 0;
};

}  // namespace perigee
