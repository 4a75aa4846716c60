// Mapping without waiting: the driver replaces memory that the card still reads.
#include "engine/sdl/gl/stream_buffer.h"

#include <algorithm>
#include <cstring>

namespace perigee::gl {

namespace {

constexpr std::size_t kFirstBytes = std::size_t{64} << 10U;
constexpr std::size_t kAlignment = 32;
constexpr std::size_t aligned(std::size_t bytes) {
    return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

}  // namespace

void StreamBuffer::begin_frame() noexcept {
    part_ = (part_ + 1) % parts_.size();
    used_ = 0;
    written_ = 0;
}

// The old buffer lives until the card has drawn what refers to it.
void StreamBuffer::grow(std::size_t bytes) {
    Part& part = parts_[part_];
    part.bytes = aligned(std::max(bytes, kFirstBytes));
    part.buffer = Buffer::make();
    glBindBuffer(GL_ARRAY_BUFFER, part.buffer.name());
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(part.bytes), nullptr, GL_STREAM_DRAW);
    used_ = 0;
}

std::size_t StreamBuffer::write(const void* bytes, std::size_t size) {
    const Part& part = parts_[part_];
    if (size > part.bytes - used_) grow(std::max(part.bytes * 2, (used_ + size) * 3 / 2));
    const std::size_t offset = used_;
    used_ = aligned(used_ + size);
    if (size == 0) return offset;
    written_ += size;
    glBindBuffer(GL_ARRAY_BUFFER, part.buffer.name());
    // What comes later in the frame is beside what was drawn already.
    const GLbitfield access =
        GL_MAP_WRITE_BIT | (offset == 0 ? GL_MAP_INVALIDATE_BUFFER_BIT
                                        : GL_MAP_INVALIDATE_RANGE_BIT | GL_MAP_UNSYNCHRONIZED_BIT);
    void* const mapped = glMapBufferRange(GL_ARRAY_BUFFER, static_cast<GLintptr>(offset),
                                          static_cast<GLsizeiptr>(size), access);
    if (mapped != nullptr) {
        std::memcpy(mapped, bytes, size);
        glUnmapBuffer(GL_ARRAY_BUFFER);
    } else {
        glBufferSubData(GL_ARRAY_BUFFER, static_cast<GLintptr>(offset), static_cast<GLsizeiptr>(size), bytes);
    }
    return offset;
}

}  // namespace perigee::gl
