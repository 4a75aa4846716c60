// Groups are known by a hash of 128 bits: two that share one by chance do not occur.
#include "engine/sdl/gl/internal/kept_texts.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <type_traits>
#include <utility>

namespace perigee::gl {

void KeptTexts::begin_frame() {
    std::erase_if(groups_, [](Group& group) {
        ++group.frames;
        return !std::exchange(group.is_used, false);
    });
    next_ = 0;
    written_ = 0;
}

template <typename Value> void KeptTexts::describe(const Value& value) {
    static_assert(std::has_unique_object_representations_v<Value> || std::is_floating_point_v<Value>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void KeptTexts::describe(const DrawList& list, std::span<const DrawItem> items, const Place& place) {
    bytes_.clear();
    shaped_.clear();
    const View& view = place.view;
    for (const float number : {view.xx, view.xy, view.x0, view.yx, view.yy, view.y0, view.scale})
        describe(number);
    describe(view.is_upright);
    const PixelBox& box = place.visible;
    for (const int number : {box.x, box.y, box.width, box.height}) describe(number);
    describe(place.atlas);
    for (DrawItem item : items) {
        const std::string_view text = list.text(item);
        const TextLook* const look = list.look(item);
        item.ref = 0;  // numbers of this frame
        item.set_look(0);
        bytes_.append(reinterpret_cast<const char*>(&item), sizeof item);
        describe(text.size());
        bytes_.append(text);
        if (look == nullptr) continue;
        for (const float number : {look->outline, look->shadow_x, look->shadow_y}) describe(number);
        for (const std::uint32_t number : {look->outline_color, look->shadow_color, look->revealed})
            describe(number);
        describe(look->text.get());
        if (look->text) shaped_.push_back(look->text);
    }
}

KeptTexts::Group* KeptTexts::find(const DrawList& list, std::span<const DrawItem> items, const Place& place) {
    describe(list, items, place);
    const XXH128_hash_t hash = XXH3_128bits(bytes_.data(), bytes_.size());
    const std::array<std::uint64_t, 2> key{hash.low64, hash.high64};
    const auto is_it = [&](const Group& group) { return group.key == key && !group.is_used; };
    const auto expected = groups_.begin() + static_cast<std::ptrdiff_t>(std::min(next_, groups_.size()));
    auto found = std::find_if(expected, groups_.end(), is_it);
    if (found == groups_.end()) {
        found = std::find_if(groups_.begin(), expected, is_it);
        if (found == expected) {
            if (groups_.size() >= kMaxGroups) return nullptr;
            found = groups_.insert(expected, Group{});
            found->key = key;
            found->shaped = shaped_;
        }
    }
    found->is_used = true;
    next_ = static_cast<std::size_t>(found - groups_.begin()) + 1;
    return &*found;
}

void KeptTexts::keep(Group& group, std::span<const GlyphItem> glyphs) {
    group.buffer = Buffer::make();
    group.count = glyphs.size();
    glBindBuffer(GL_ARRAY_BUFFER, group.buffer.name());
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(glyphs.size_bytes()), glyphs.data(),
                 GL_STATIC_DRAW);
    written_ += glyphs.size_bytes();
}

}  // namespace perigee::gl
