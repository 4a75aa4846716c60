// A buffer that is full is replaced by a new one with what the list needs: the card may still draw from the
// old one.
#include "engine/sdl/gl/kept_buffer.h"

#include <algorithm>

namespace perigee::gl {

namespace {

constexpr std::size_t kFirstItems = 16384;

}  // namespace

void KeptBuffer::begin_list(const DrawList& list) {
    std::size_t new_items = 0;
    std::size_t all_items = 0;
    const KeptItems* last = nullptr;
    for (const DrawRun& run : list.runs()) {
        if (run.kept == nullptr || run.kept == last) continue;
        last = run.kept;
        all_items += last->items.size();
        if (!places_.contains(last->stamp)) new_items += last->items.size();
    }
    if (new_items > capacity_ - used_) make_buffer(std::max(kFirstItems, all_items * 2));
}

void KeptBuffer::make_buffer(std::size_t items) {
    places_.clear();
    used_ = 0;
    capacity_ = items;
    buffer_ = Buffer::make();
    glBindBuffer(GL_ARRAY_BUFFER, buffer_.name());
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(capacity_ * sizeof(DrawItem)), nullptr,
                 GL_DYNAMIC_DRAW);
}

std::size_t KeptBuffer::place_of(const KeptItems& kept) {
    const auto [found, is_new] = places_.try_emplace(kept.stamp, used_);
    if (!is_new) return found->second;
    const std::size_t bytes = kept.items.size() * sizeof(DrawItem);
    glBindBuffer(GL_ARRAY_BUFFER, buffer_.name());
    glBufferSubData(GL_ARRAY_BUFFER, static_cast<GLintptr>(used_ * sizeof(DrawItem)),
                    static_cast<GLsizeiptr>(bytes), kept.items.data());
    used_ += kept.items.size();
    written_ += bytes;
    return found->second;
}

}  // namespace perigee::gl
