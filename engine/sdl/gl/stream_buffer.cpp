// Unsynchronised mapping: the fences are the synchronisation.
#include "engine/sdl/gl/stream_buffer.h"

#include <algorithm>
#include <cstring>

namespace perigee::gl {

namespace {

constexpr std::size_t kFirstPartBytes = std::size_t{256} << 10U;
constexpr std::size_t kAlignment = 32;
constexpr std::size_t aligned(std::size_t bytes) {
    return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}
constexpr GLuint64 kMaxWaitNanoseconds = 1'000'000'000;

}  // namespace

StreamBuffer::~StreamBuffer() {
    for (GLsync& fence : fences_) drop_fence(fence);
}

void StreamBuffer::drop_fence(GLsync& fence) noexcept {
    if (fence != nullptr) glDeleteSync(fence);
    fence = nullptr;
}

void StreamBuffer::begin_frame() {
    part_ = (part_ + 1) % kParts;
    used_ = 0;
    written_ = 0;
    GLsync& fence = fences_[part_];
    if (fence != nullptr) glClientWaitSync(fence, GL_SYNC_FLUSH_COMMANDS_BIT, kMaxWaitNanoseconds);
    drop_fence(fence);
}

void StreamBuffer::end_frame() {
    if (used_ == 0) return;
    drop_fence(fences_[part_]);
    fences_[part_] = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
}

// The old buffer lives until the card has drawn what refers to it.
void StreamBuffer::grow(std::size_t part_bytes) {
    part_bytes_ = aligned(std::max(part_bytes, kFirstPartBytes));
    buffer_ = Buffer::make();
    glBindBuffer(GL_ARRAY_BUFFER, buffer_.name());
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(part_bytes_ * kParts), nullptr, GL_STREAM_DRAW);
    for (GLsync& fence : fences_) drop_fence(fence);
    used_ = 0;
}

std::size_t StreamBuffer::write(const void* bytes, std::size_t size) {
    if (size > part_bytes_ - used_) grow(std::max(part_bytes_ * 2, (used_ + size) * 3 / 2));
    const std::size_t offset = part_ * part_bytes_ + used_;
    used_ = aligned(used_ + size);
    if (size == 0) return offset;
    written_ += size;
    glBindBuffer(GL_ARRAY_BUFFER, buffer_.name());
    constexpr GLbitfield kUnsynchronised =
        GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_RANGE_BIT | GL_MAP_UNSYNCHRONIZED_BIT;
    void* const mapped = glMapBufferRange(GL_ARRAY_BUFFER, static_cast<GLintptr>(offset),
                                          static_cast<GLsizeiptr>(size), kUnsynchronised);
    if (mapped != nullptr) {
        std::memcpy(mapped, bytes, size);
        glUnmapBuffer(GL_ARRAY_BUFFER);
    } else {
        glBufferSubData(GL_ARRAY_BUFFER, static_cast<GLintptr>(offset), static_cast<GLsizeiptr>(size), bytes);
    }
    return offset;
}

}  // namespace perigee::gl
