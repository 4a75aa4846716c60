// StreamBuffer: memory of the graphics card for what is written once and drawn once, such as the items of a
// frame.
//
// Invariant: bytes that a frame wrote stay as they are until the card has drawn that frame. The buffer has
// three parts, one per frame in turn; a fence tells when the card is done with a part. It grows to what the
// largest frame needs, and never orphans more than it writes: fresh pages cost more than the copy
// (docs/decisions/0037).
#pragma once

#include "engine/sdl/gl/gl_object.h"

#include <array>
#include <cstddef>

namespace perigee::gl {

class StreamBuffer {
public:
    StreamBuffer() = default;
    ~StreamBuffer();
    StreamBuffer(const StreamBuffer&) = delete;
    StreamBuffer& operator=(const StreamBuffer&) = delete;

    /// Goes to the next part. Waits if the card still draws the frame before the last one.
    void begin_frame();
    /// After the last drawing of the frame.
    void end_frame();

    /// Copies bytes into the buffer, and returns their offset in it. A multiple of 32. After a call, name()
    /// may be another buffer, in which the offsets of earlier calls mean nothing.
    std::size_t write(const void* bytes, std::size_t size);

    GLuint name() const noexcept { return buffer_.name(); }
    /// Since begin_frame.
    std::size_t written_bytes() const noexcept { return written_; }

private:
    static constexpr std::size_t kParts = 3;
    void grow(std::size_t part_bytes);
    void drop_fence(GLsync& fence) noexcept;

    Buffer buffer_;
    std::size_t part_bytes_ = 0;
    std::size_t part_ = 0;
    std::size_t used_ = 0;  ///< of the part
    std::size_t written_ = 0;
    std::array<GLsync, kParts> fences_{};
};

}  // namespace perigee::gl
