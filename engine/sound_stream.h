// SoundStream: samples as they come out of the decoder, a little at a time.
//
// Invariant: read() never waits, so that it can be called where sound is mixed; it takes only whole frames,
// and whatever the other side sends, what comes out is samples. The other side waits when nothing is taken.
#pragma once

#include "engine/sound_info.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace perigee {

class SoundStream {
public:
    enum class State : std::uint8_t {
        running,
        ended,  ///< all of it has come
        broken  ///< it stopped before its end, or sent nonsense
    };

    /// Takes the reading end of a pipe, which does not block.
    SoundStream(int descriptor, const SoundInfo& info) noexcept;
    ~SoundStream();
    SoundStream(SoundStream&& other) noexcept;
    SoundStream& operator=(SoundStream&& other) noexcept;

    const SoundInfo& info() const noexcept { return info_; }
    State state() const noexcept { return state_; }

    /// Fills the front of `samples` with what is there and says how many; 0: nothing now, or nothing more.
    std::size_t read(std::span<std::int16_t> samples) noexcept;

private:
    bool read_head() noexcept;
    std::size_t read_some(void* to, std::size_t most) noexcept;
    void close() noexcept;

    int descriptor_ = -1;
    SoundInfo info_;
    State state_ = State::running;
    std::array<char, 4> head_{};  // the number of bytes of the next block, as far as it has come
    std::size_t head_bytes_ = 0;
    std::size_t block_left_ = 0;  // bytes of this block
    char odd_byte_ = 0;           // the first half of a sample whose second has not come
    bool has_odd_byte_ = false;
};

}  // namespace perigee
