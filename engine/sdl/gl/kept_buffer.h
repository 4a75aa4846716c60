// KeptBuffer: the kept items of draw lists on the card, each uploaded once.
//
// Invariant: what lists used lately is in it; the rest makes room when the buffer is full. Items that are new
// in one list lie side by side, so that one call can draw them. Not here: what is kept (draw/kept_items.h).
#pragma once

#include "engine/draw/draw_list.h"
#include "engine/sdl/gl/gl_object.h"

#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace perigee::gl {

class KeptBuffer {
public:
    /// Before place_of: makes room for the kept items of a list.
    void begin_list(const DrawList& list);
    /// The place of the first item, counted in items from the start of the buffer. Uploads them if they are
    /// new. Expects: of the list of begin_list.
    std::size_t place_of(const KeptItems& kept);

    GLuint buffer() const noexcept { return buffer_.name(); }
    void begin_frame() noexcept { written_ = 0; }
    /// Counted since begin_frame.
    std::size_t written_bytes() const noexcept { return written_; }

private:
    void make_buffer(std::size_t items);

    Buffer buffer_;
    std::size_t capacity_ = 0;  // in items
    std::size_t used_ = 0;
    std::unordered_map<std::uint64_t, std::size_t> places_;  // by stamp
    std::size_t written_ = 0;
};

}  // namespace perigee::gl
