// StatsCard: frame statistics, as a small card over the game (F3).
//
// Invariant: it has a separate draw list, drawn over the game's, so showing it changes nothing in the game.
#pragma once

#include "engine/draw/overlay/tool_picture.h"
#include "engine/session/frame_times.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace perigee {

/// The statistics of one frame.
struct FrameStats {
    std::uint64_t frame_nanoseconds = 0;   ///< from frame to frame
    FrameTimes stages;                     ///< until the draw list is complete
    std::uint64_t submit_nanoseconds = 0;  ///< passing the list to the back end, until it has drawn
    std::uint64_t show_nanoseconds = 0;    ///< then until it is shown: copying, and waiting for the display
    std::size_t entity_count = 0;
    std::size_t item_count = 0;
    std::size_t call_count = 0;
    std::size_t uploaded_bytes = 0;  ///< passed to the graphics card, or to SDL
    std::uint64_t tick = 0;
    std::uint64_t error_count = 0;
};

class StatsCard {
public:
    bool is_shown = false;

    /// Adds a frame to the averages, even while hidden. The numbers change twice a second, to stay readable.
    void add(const FrameStats& frame);

    /// The lines on the card.
    const std::string& text() const noexcept { return text_; }

    /// The card as a sorted list, on the left below the middle, where games usually show least. Lifetime:
    /// until the next call.
    const DrawList& draw_list(float screen_height);

private:
    FrameStats sum_;  // of the times
    std::uint64_t longest_ = 0;
    std::uint64_t frame_count_ = 0;
    std::string text_ = "…";
    ToolPicture picture_;
};

}  // namespace perigee
