// The console over a running game: lines of Lua for one mod at a time, with history and completion.
//
// Invariant: while it is open, keys and text are its own, in the order in which they were typed, and the game
// sees none of them; it is a draw list of its own, drawn over the game's, so looking at it changes nothing in
// the game. A line may change the world outside of steps: then the run is one that need not be the same
// again. Lines that begin with ':' are the console's own (":help"). Not here: what lines do
// (scripting/console.h); it reads no devices.
#pragma once

#include "engine/clipboard.h"
#include "engine/draw_list.h"
#include "engine/image_table.h"
#include "engine/input.h"
#include "scripting/console.h"

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace perigee {

class GameSession;

struct ConsoleLine {
    enum class Kind { input, answer, error };
    Kind kind = Kind::answer;
    std::string text;
    bool operator==(const ConsoleLine&) const = default;
};

class Console {
public:
    static constexpr std::size_t kMostLines = 500;    ///< of output, the newest
    static constexpr std::size_t kMostHistory = 100;  ///< lines that "up" brings back
    static constexpr std::size_t kLongestLine = 4000;

    bool is_open() const noexcept { return is_open_; }
    void set_open(bool is_open) noexcept { is_open_ = is_open; }

    /// Takes what was typed since the last frame away from the game, event by event: from its key that opens
    /// it to the one that closes it. Its own are text, what is pasted, and the keys of editing (left, right,
    /// home, end, backspace, delete), of history (up, down), completion (tab), return and escape.
    /// Expects: between steps.
    void feed(RawInput& raw, GameSession& session, Clipboard& clipboard);

    /// One line, as if it had been typed. Errors are lines of output.
    void submit(std::string_view line, GameSession& session);

    /// What the name at the end of a line can become for the mod whose lines these are.
    Completion completion(std::string_view line, GameSession& session) const;

    const std::deque<ConsoleLine>& output() const noexcept { return output_; }
    void forget_output() noexcept { output_.clear(); }
    const std::string& line() const noexcept { return line_; }
    /// Whose names lines see; the game's own when none was chosen.
    const std::string& mod() const noexcept { return mod_; }
    /// ":quit" was said.
    bool wants_quit() const noexcept { return wants_quit_; }

    /// Sorted. Lifetime: until the next call.
    const DrawList& picture(float screen_width, float screen_height);

private:
    void take(const RawInput::Event& event, GameSession& session, Clipboard& clipboard);
    void press(InputCode key, GameSession& session);
    void type(std::string_view text);
    void paste(std::string_view text);
    void recall(int step);
    void complete_line(GameSession& session);
    const std::string& mod_of_lines(const GameSession& session) const;
    void command(std::string_view line, GameSession& session);
    void print(std::string_view text, ConsoleLine::Kind kind = ConsoleLine::Kind::answer);
    std::size_t before(std::size_t at) const noexcept;
    std::size_t behind(std::size_t at) const noexcept;

    bool is_open_ = false;
    bool wants_quit_ = false;
    std::string mod_;
    std::string line_;
    std::size_t cursor_ = 0;  ///< byte of line_
    std::deque<ConsoleLine> output_;
    std::vector<std::string> history_;
    std::size_t recalled_ = 0;  ///< history_.size(): the line that is being written
    DrawList list_;
    ImageTable no_images_;
};

}  // namespace perigee
