// The error card: errors drawn over the running game, so that a modder sees them without a terminal.
//
// Invariant: it is made of ordinary draw-list items on the screen's highest layer, the same with and without
// a window. Errors of systems stay until the game restarts; notices (a missing file) disappear after a while.
#pragma once

#include "engine/draw/painter.h"

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

namespace perigee {

struct ScriptError;

class ErrorCard {
public:
    static constexpr std::size_t kMaxEntries = 6;        ///< the newest are kept
    static constexpr std::uint32_t kNoticeFrames = 600;  ///< about ten seconds

    /// A script's error: mod, system, file and line, row, message.
    void add(const ScriptError& error);
    /// An error without a position in a script.
    void add(std::string title, std::string text, std::string_view mod = {});
    /// A message that does not stop anything.
    void notice(std::string text);
    void clear() noexcept { entries_.clear(); }
    /// Removes a mod's errors, after its code was replaced.
    void forget(std::string_view mod);
    /// Removes only the errors in a mod's files, when they are read again.
    void forget_files(std::string_view mod);
    /// All errors, with their tracebacks, as text to share.
    std::string text() const;

    bool is_empty() const noexcept { return entries_.empty(); }
    /// All errors (not notices) since clear().
    std::uint64_t error_count() const noexcept { return error_count_; }

    /// Draws the card into an open painter and lets notices age by one frame.
    void draw(Painter& painter, float screen_width, float screen_height);

private:
    struct Entry {
        std::string title;
        std::string text;
        std::string mod = {};           // the mod; empty: none
        bool is_of_run = false;         // an error of a run, not of a file
        std::string details = {};       // further details, not shown
        std::uint32_t frames_left = 0;  // 0: stays
        std::uint64_t count = 1;        // repetitions of the same entry
    };
    void add_entry(Entry entry);

    std::deque<Entry> entries_;
    std::uint64_t error_count_ = 0;
};

}  // namespace perigee
