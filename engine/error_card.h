// The error card: what went wrong, drawn over the running game, so that a modder sees it without a terminal.
//
// Invariant: it is made of ordinary draw-list items on the screen's highest layer, the same with and without
// a window. Errors of systems stay until the game starts again; notices (a missing file) leave after a while.
#pragma once

#include "engine/painter.h"

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
    /// An error without a place in a script.
    void add(std::string title, std::string text, std::string_view mod = {});
    /// Something worth knowing that stops nothing.
    void notice(std::string text);
    void clear() noexcept { entries_.clear(); }
    /// The code of a mod was replaced: what went wrong with it is no news any more.
    void forget(std::string_view mod);
    /// Its files are read again: of that only what was wrong with them.
    void forget_files(std::string_view mod);
    /// All errors, with their tracebacks, as text to be passed on.
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
        std::string mod = {};           // whose; empty: nobody's
        bool is_of_run = false;         // and not of a file that was read
        std::string details = {};       // not shown: what else is known
        std::uint32_t frames_left = 0;  // 0: stays
        std::uint64_t count = 1;        // of the same entry again
    };
    void add_entry(Entry entry);

    std::deque<Entry> entries_;
    std::uint64_t error_count_ = 0;
};

}  // namespace perigee
