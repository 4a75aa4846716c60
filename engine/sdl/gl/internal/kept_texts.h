// KeptTexts: the glyphs of texts that stay the same, on the card from frame to frame.
//
// Texts are kept in groups of neighbours:
//
//   frame 1, 2   laid out and streamed, like texts that change
//   frame 3      the same, and uploaded into a buffer of the group
//   frame 4 ...  drawn from that buffer: no layout and no upload
//
// Invariant: a group is drawn from its buffer only if everything is the same on which its glyphs depend:
// items, texts, looks, the view, what is visible of it, and the atlas. A group that a frame does not draw is
// forgotten. Not here: the layout of a text (glyph_items.h).
#pragma once

#include "engine/draw/draw_list.h"
#include "engine/sdl/gl/gl_object.h"
#include "engine/sdl/gl/glyph_items.h"
#include "engine/sdl/mesh/view.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace perigee::gl {

class KeptTexts {
public:
    static constexpr std::size_t kGroupTexts = 32;
    static constexpr std::size_t kMaxGroups = 256;  ///< what a frame draws besides is laid out each time

    /// What the glyphs of a group depend on, besides its items.
    struct Place {
        const View& view;
        const PixelBox& visible;
        std::uint64_t atlas = 0;  ///< GlyphAtlas::version()
    };
    struct Group {
        std::array<std::uint64_t, 2> key{};
        std::uint32_t frames = 0;  ///< in a row, before this one
        bool is_used = false;      ///< in this frame
        std::size_t count = 0;     ///< of glyphs in the buffer
        Buffer buffer;             ///< empty: not uploaded yet
        /// Alive, so that another text cannot have the address of one of these.
        std::vector<std::shared_ptr<const ShapedText>> shaped;

        bool is_kept() const noexcept { return buffer.name() != 0; }
        bool is_steady() const noexcept { return frames >= 2; }
    };

    void begin_frame();
    /// The group of these texts. Null: there are too many. Lifetime: until the next call. Expects: at most
    /// kGroupTexts items of the list, which are texts.
    Group* find(const DrawList& list, std::span<const DrawItem> items, const Place& place);
    /// Uploads the glyphs of a group.
    void keep(Group& group, std::span<const GlyphItem> glyphs);
    /// Counted since begin_frame.
    std::size_t written_bytes() const noexcept { return written_; }

private:
    void describe(const DrawList& list, std::span<const DrawItem> items, const Place& place);
    template <typename Value> void describe(const Value& value);

    std::vector<Group> groups_;  // those of a frame in the order of drawing
    std::size_t next_ = 0;       // where the next one is, if nothing has changed
    std::string bytes_;          // of the group that is looked for
    std::vector<std::shared_ptr<const ShapedText>> shaped_;
    std::size_t written_ = 0;
};

}  // namespace perigee::gl
