// Blocks: a number of bytes, and the bytes. See engine/assets/internal/decode_protocol.h.
#include "engine/assets/sound_stream.h"

#include "engine/assets/internal/decode_protocol.h"

#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <utility>

namespace perigee {

SoundStream::SoundStream(int descriptor, const SoundInfo& info) noexcept
    : descriptor_(descriptor), info_(info) {}

SoundStream::~SoundStream() { close(); }

SoundStream::SoundStream(SoundStream&& other) noexcept { *this = std::move(other); }

SoundStream& SoundStream::operator=(SoundStream&& other) noexcept {
    if (this == &other) return *this;
    close();
    descriptor_ = std::exchange(other.descriptor_, -1);
    info_ = other.info_;
    state_ = other.state_;
    head_ = other.head_;
    head_bytes_ = other.head_bytes_;
    block_left_ = other.block_left_;
    odd_byte_ = other.odd_byte_;
    has_odd_byte_ = other.has_odd_byte_;
    return *this;
}

void SoundStream::close() noexcept {
    if (descriptor_ >= 0) ::close(descriptor_);
    descriptor_ = -1;
}

// 0: no data now, or the end of the stream, which the state then shows.
std::size_t SoundStream::read_some(void* to, std::size_t max_bytes) noexcept {
    if (state_ != State::running || max_bytes == 0) return 0;
    const ssize_t got = ::read(descriptor_, to, max_bytes);
    if (got > 0) return static_cast<std::size_t>(got);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
    state_ = State::broken;  // the block of 0 bytes comes before the end
    return 0;
}

bool SoundStream::read_head() noexcept {
    head_bytes_ += read_some(head_.data() + head_bytes_, head_.size() - head_bytes_);
    if (head_bytes_ < head_.size()) return false;
    head_bytes_ = 0;
    block_left_ = std::bit_cast<std::uint32_t>(head_);
    const bool is_nonsense = block_left_ > decoding::kMaxBlockBytes || block_left_ % 2 != 0;
    if (is_nonsense) state_ = State::broken;
    if (block_left_ == 0) state_ = State::ended;
    return state_ == State::running;
}

std::size_t SoundStream::read(std::span<std::int16_t> samples) noexcept {
    std::size_t count = 0;
    while (count < samples.size()) {
        if (block_left_ == 0 && !read_head()) break;
        char* const to = reinterpret_cast<char*>(samples.data() + count);
        const std::size_t kept = has_odd_byte_ ? 1 : 0;
        to[0] = odd_byte_;
        const std::size_t room = (samples.size() - count) * sizeof(std::int16_t) - kept;
        const std::size_t got = read_some(to + kept, std::min(room, block_left_));
        if (got == 0) break;
        block_left_ -= got;
        const std::size_t bytes = kept + got;
        has_odd_byte_ = bytes % 2 != 0;
        if (has_odd_byte_) odd_byte_ = to[bytes - 1];
        count += bytes / 2;
    }
    return count;
}

}  // namespace perigee
