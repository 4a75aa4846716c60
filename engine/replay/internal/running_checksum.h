// The XXH3-64 of bytes that come piece by piece and are not kept.
//
// Invariant: the result depends on the bytes, not on the pieces.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

namespace perigee::internal {

class RunningChecksum {
public:
    RunningChecksum();
    ~RunningChecksum();
    RunningChecksum(RunningChecksum&&) noexcept;
    RunningChecksum& operator=(RunningChecksum&&) noexcept;

    void add(std::string_view bytes) noexcept;
    /// The checksum of all bytes so far.
    std::uint64_t value() const noexcept;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace perigee::internal
