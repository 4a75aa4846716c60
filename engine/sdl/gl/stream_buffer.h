// StreamBuffer: memory of the graphics card for what is written once and drawn once, such as the items of a
// frame.
//
// Invariant: bytes that a frame wrote stay as they are until the card has drawn that frame. There are three
// buffers, one per frame in turn; the first write of a frame tells the driver that the old contents of its
// buffer are not needed any more, so a driver that still draws from them takes other memory. Each grows to
// what the largest frame needs. Not here: fences. Making one costs a flush of the card in each frame.
#pragma once

#include "engine/sdl/gl/gl_object.h"

#include <array>
#include <cstddef>

namespace perigee::gl {

class StreamBuffer {
public:
    /// Goes to the next buffer.
    void begin_frame() noexcept;

    /// Copies bytes into the buffer, and returns their offset in it. A multiple of 32. After a call, name()
    /// may be another buffer, in which the offsets of earlier calls mean nothing.
    std::size_t write(const void* bytes, std::size_t size);

    GLuint name() const noexcept { return parts_[part_].buffer.name(); }
    /// Counted since begin_frame.
    std::size_t written_bytes() const noexcept { return written_; }

private:
    struct Part {
        Buffer buffer;
        std::size_t bytes = 0;
    };
    void grow(std::size_t bytes);

    std::array<Part, 3> parts_;
    std::size_t part_ = 0;
    std::size_t used_ = 0;  ///< of the part
    std::size_t written_ = 0;
};

}  // namespace perigee::gl
