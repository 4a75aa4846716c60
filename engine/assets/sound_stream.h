// SoundStream: samples from the decoder, a little at a time.
//
// Invariant: read() never waits, so that it can be called by the mixer. It takes only whole frames, and its
// output is samples whatever the decoder sends. The decoder waits when nothing is read.
#pragma once

#include "engine/assets/sound_info.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace perigee {

class SoundStream {
public:
    enum class State : std::uint8_t {
        running,
        ended,  ///< everything has arrived
        broken  ///< it stopped early, or sent invalid data
    };

    /// Takes the reading end of a pipe, which does not block.
    SoundStream(int descriptor, const SoundInfo& info) noexcept;
    ~SoundStream();
    SoundStream(SoundStream&& other) noexcept;
    SoundStream& operator=(SoundStream&& other) noexcept;

    const SoundInfo& info() const noexcept { return info_; }
    State state() const noexcept { return state_; }

    /// Fills the front of `samples` with available data and returns the number; 0: nothing now, or nothing
    /// more.
    std::size_t read(std::span<std::int16_t> samples) noexcept;

private:
    bool read_head() noexcept;
    std::size_t read_some(void* to, std::size_t max_bytes) noexcept;
    void close() noexcept;

    int descriptor_ = -1;
    SoundInfo info_;
    State state_ = State::running;
    std::array<char, 4> head_{};  // the size of the next block, as far as received
    std::size_t head_bytes_ = 0;
    std::size_t block_left_ = 0;  // bytes of this block
    char odd_byte_ = 0;           // the first half of a sample whose second half has not arrived
    bool has_odd_byte_ = false;
};

}  // namespace perigee
