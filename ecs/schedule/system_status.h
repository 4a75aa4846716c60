// The state of a system and its cost: for tools, error cards and tests. Costs are clock readings, so the
// simulation must not depend on them.
#pragma once

#include "ecs/base/result.h"
#include "ecs/commands/command_buffer.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace perigee {

struct SystemDesc;

/// Durations of the last runs. Shape: a ring; older runs are dropped.
class RunTimes {
public:
    static constexpr std::size_t kRuns = 256;

    void add(double milliseconds) noexcept {
        ring_[count_++ % kRuns] = static_cast<float>(milliseconds);
        total_ += milliseconds;
    }
    std::uint64_t count() const noexcept { return count_; }
    /// Milliseconds of all runs so far.
    double total() const noexcept { return total_; }
    double last() const noexcept { return count_ == 0 ? 0 : ring_[(count_ - 1) % kRuns]; }
    /// Median of the runs in the ring; 0 before the first. Cost: a partial sort.
    double median() const {
        std::array<float, kRuns> sorted = ring_;
        const auto end = sorted.begin() + static_cast<std::ptrdiff_t>(size());
        const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(size() / 2);
        std::nth_element(sorted.begin(), middle, end);
        return size() == 0 ? 0 : *middle;
    }
    double worst() const noexcept {
        return size() == 0
                   ? 0
                   : *std::max_element(ring_.begin(), ring_.begin() + static_cast<std::ptrdiff_t>(size()));
    }

private:
    std::size_t size() const noexcept {
        return static_cast<std::size_t>(std::min<std::uint64_t>(count_, kRuns));
    }

    std::array<float, kRuns> ring_{};
    std::uint64_t count_ = 0;
    double total_ = 0;
};

struct SystemStatus {
    std::string name;
    std::string group;  ///< "" for top-level groups
    bool is_group = false;
    bool is_enabled = true;
    bool is_left_out = false;  ///< does not run, whether enabled or not; see Schedule::leave_out
    bool is_paused = false;
    bool is_suspended = false;  ///< failed; runs again after resume()
    std::string error;          ///< of the last failure
    ErrorKind error_kind = ErrorKind::refused;
    std::uint64_t run_count = 0;
    PlaybackReport commands;       ///< sum over all runs
    double last_milliseconds = 0;  ///< of run; playback excluded, in groups included
    RunTimes times;
    std::uint64_t rows = 0;  ///< matched by its query now, and the number of their chunks
    std::uint64_t chunks = 0;
};

/// A point in time at which a system may have changed the world; see Schedule::on_moment.
struct ScheduleMoment {
    enum class Kind : std::uint8_t {
        ran,
        played_back,  ///< its commands
        called,       ///< its on_create, on_stop or on_destroy, whose commands take effect at once
    };
    Kind kind = Kind::ran;
    const SystemDesc& system;
};

/// A time span on one thread, for traces.
struct TraceSpan {
    enum class Kind : std::uint8_t { system, playback, group };
    Kind kind = Kind::system;
    std::string_view name;  ///< lifetime: the handler's call
    std::string_view group;
    std::uint32_t lane = 0;              ///< WorkerPool::lane of the thread
    std::int64_t start_nanoseconds = 0;  ///< of a steady clock
    std::int64_t end_nanoseconds = 0;
    bool is_sync_point = false;  ///< of an exclusive system
};

}  // namespace perigee
