// The console over a running game: lines of Lua for one mod at a time, with history and completion.
//
// Invariant: while it is open, it takes all keys and text, in typing order, and the game sees none of them.
// It has a separate draw list, drawn over the game's, so opening it changes nothing in the game. A line may
// change the world outside steps; then the run is marked as not replayable. Lines that begin with ':' are
// console commands (":help"). Not here: running lines (scripting/tools/console.h). It reads no devices.
#pragma once

#include "engine/draw/overlay/tool_picture.h"
#include "engine/input/clipboard.h"
#include "engine/input/input.h"
#include "scripting/tools/console.h"

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace perigee {

class GameSession;
class Provenance;

struct ConsoleLine {
    enum class Kind { input, answer, error };
    Kind kind = Kind::answer;
    std::string text;
    bool operator==(const ConsoleLine&) const = default;
};

class Console {
public:
    static constexpr std::size_t kMaxLines = 500;    ///< of output; older ones are dropped
    static constexpr std::size_t kMaxHistory = 100;  ///< lines that "up" recalls
    static constexpr std::size_t kMaxLineBytes = 4000;

    /// For ":why"; null: writes are not recorded. Lifetime: until the next call.
    void use(Provenance* provenance) noexcept { provenance_ = provenance; }

    bool is_open() const noexcept { return is_open_; }
    void set_open(bool is_open) noexcept { is_open_ = is_open; }

    /// Removes the console's events since the last frame from the game's input: those between its opening and
    /// its closing key. It handles text, pasted text, and the keys for editing (left, right, home, end,
    /// backspace, delete), history (up, down), completion (tab), return and escape. Expects: between steps.
    void feed(RawInput& raw, GameSession& session, Clipboard& clipboard);

    /// Runs one line as if it had been typed. Errors are lines of output.
    void submit(std::string_view line, GameSession& session);

    /// Completions of the name at the end of a line, for the selected mod.
    Completion completion(std::string_view line, GameSession& session) const;

    const std::deque<ConsoleLine>& output() const noexcept { return output_; }
    void forget_output() noexcept { output_.clear(); }
    const std::string& line() const noexcept { return line_; }
    /// The selected mod; the game if none was selected.
    const std::string& mod() const noexcept { return mod_; }
    /// True after ":quit".
    bool wants_quit() const noexcept { return wants_quit_; }

    /// Sorted. Lifetime: until the next call.
    const DrawList& draw_list(float screen_width, float screen_height);

private:
    void take(const RawInput::Event& event, GameSession& session, Clipboard& clipboard);
    void press(InputCode key, GameSession& session);
    void type(std::string_view text);
    void paste(std::string_view text);
    void recall(int step);
    void complete_line(GameSession& session);
    const std::string& mod_of_lines(const GameSession& session) const;
    void command(std::string_view line, GameSession& session);
    void say_why(std::string_view words, GameSession& session);
    void print(std::string_view text, ConsoleLine::Kind kind = ConsoleLine::Kind::answer);
    std::size_t before(std::size_t at) const noexcept;
    std::size_t behind(std::size_t at) const noexcept;

    bool is_open_ = false;
    bool wants_quit_ = false;
    Provenance* provenance_ = nullptr;
    float mouse_x_ = 0.0F;
    float mouse_y_ = 0.0F;
    std::string mod_;
    std::string line_;
    std::size_t cursor_ = 0;  ///< byte of line_
    std::deque<ConsoleLine> output_;
    std::vector<std::string> history_;
    std::size_t recalled_ = 0;  ///< history_.size(): the line being edited
    ToolPicture picture_;
};

}  // namespace perigee
