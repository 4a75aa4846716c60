// Editing, history, commands and the picture.
#include "engine/tools/console.h"

#include "ecs/world/world.h"
#include "engine/base/error_codes.h"
#include "engine/draw/color.h"
#include "engine/draw/text/text_metrics.h"
#include "engine/extract/entity_at.h"
#include "engine/mods/mod_manifest.h"
#include "engine/session/game_session.h"
#include "engine/session/provenance_answer.h"
#include "scripting/base/shown_text.h"
#include "scripting/mods/runtime.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace perigee {

namespace {

constexpr char kHelp[] =
    "A line is Lua: an expression shows its value. ecs, C and world need no require. tab completes, up and "
    "down walk through the history, ctrl+v pastes.\n"
    ":mod NAME   run the next lines in that mod\n"
    ":mods       list the mods of this game\n"
    ":why        what wrote the entity under the mouse; more: :why Health.current, :why 1234 Health\n"
    ":clear      clear the output\n"
    ":quit       end the game";
constexpr float kMargin = 8.0F;

const std::uint32_t kInputColor = pack_color(120, 200, 255);

std::uint32_t color_of(ConsoleLine::Kind kind) noexcept {
    switch (kind) {
        case ConsoleLine::Kind::input:
            return kInputColor;
        case ConsoleLine::Kind::error:
            return pack_color(255, 140, 120);
        default:
            return kWhite;
    }
}

bool is_inside_character(char byte) noexcept { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

}  // namespace

void Console::feed(RawInput& raw, GameSession& session, Clipboard& clipboard) {
    using Kind = RawInput::Kind;
    RawInput rest;
    // Keys are released for the game too: keys that were down when the console opened are up now.
    if (is_open_) rest.release_all();
    for (RawInput::Event& event : raw.events) {
        if (event.kind == Kind::mouse) {
            mouse_x_ = event.x;
            mouse_y_ = event.y;
        }
        if (event.kind == Kind::toggle_console) {
            is_open_ = !is_open_;
            if (is_open_) rest.release_all();
        } else if (is_open_ && event.kind != Kind::mouse) {
            take(event, session, clipboard);
        } else {
            rest.events.push_back(std::move(event));
        }
    }
    raw = std::move(rest);
}

void Console::take(const RawInput::Event& event, GameSession& session, Clipboard& clipboard) {
    if (event.kind == RawInput::Kind::text) type(event.text);
    if (event.kind == RawInput::Kind::paste) paste(clipboard.read());
    if (event.kind == RawInput::Kind::control && event.value > 0.5F) press(event.code, session);
}

void Console::type(std::string_view text) {
    if (line_.size() + text.size() > kMaxLineBytes) return;
    line_.insert(cursor_, text);
    cursor_ += text.size();
}

// Several lines become one; characters without a glyph are dropped, and the excess is cut.
void Console::paste(std::string_view text) {
    const std::size_t room = kMaxLineBytes - line_.size();
    std::string kept;
    while (!text.empty() && kept.size() < room) {
        const bool is_break = text.front() == '\n' || text.front() == '\t';
        const std::size_t bytes = shown_bytes(text);
        kept += is_break ? std::string_view{" "} : text.substr(0, bytes);
        text.remove_prefix(std::max<std::size_t>(bytes, 1));
    }
    type(std::string_view{kept}.substr(0, whole_characters(kept, room)));
}

std::size_t Console::before(std::size_t at) const noexcept {
    while (at > 0 && is_inside_character(line_[--at])) {
    }
    return at;
}

std::size_t Console::behind(std::size_t at) const noexcept {
    if (at < line_.size()) ++at;
    while (at < line_.size() && is_inside_character(line_[at])) ++at;
    return at;
}

void Console::press(InputCode key, GameSession& session) {
    switch (key) {
        case InputCode::key_left:
            cursor_ = before(cursor_);
            break;
        case InputCode::key_right:
            cursor_ = behind(cursor_);
            break;
        case InputCode::key_home:
            cursor_ = 0;
            break;
        case InputCode::key_end:
            cursor_ = line_.size();
            break;
        case InputCode::key_up:
            recall(-1);
            break;
        case InputCode::key_down:
            recall(1);
            break;
        case InputCode::key_tab:
            complete_line(session);
            break;
        case InputCode::key_escape:
            is_open_ = false;
            break;
        case InputCode::key_backspace: {
            const std::size_t begin = before(cursor_);
            line_.erase(begin, cursor_ - begin);
            cursor_ = begin;
            break;
        }
        case InputCode::key_delete:
            line_.erase(cursor_, behind(cursor_) - cursor_);
            break;
        case InputCode::key_return:
        case InputCode::key_kp_enter: {
            const std::string line = std::exchange(line_, {});
            cursor_ = 0;
            submit(line, session);
            break;
        }
        default:
            break;
    }
}

void Console::recall(int step) {
    const std::size_t last = history_.size();
    if (step < 0 ? recalled_ == 0 : recalled_ >= last) return;
    recalled_ = step < 0 ? std::min(recalled_, last) - 1 : recalled_ + 1;
    line_ = recalled_ < last ? history_[recalled_] : std::string();
    cursor_ = line_.size();
}

const std::string& Console::mod_of_lines(const GameSession& session) const {
    return mod_.empty() ? session.manifest().id : mod_;
}

Completion Console::completion(std::string_view line, GameSession& session) const {
    return complete(session.scripts(), mod_of_lines(session), line);
}

void Console::complete_line(GameSession& session) {
    const std::string head = line_.substr(0, cursor_);
    const Completion found = completion(head, session);
    const std::string extended = found.extend(head);
    if (extended == head && found.words.size() > 1) print(fmt::format("{}", fmt::join(found.words, "  ")));
    line_.replace(0, head.size(), extended);
    cursor_ = extended.size();
}

void Console::submit(std::string_view line, GameSession& session) {
    if (line.find_first_not_of(" \t") == line.npos) return;
    if (history_.empty() || history_.back() != line) history_.emplace_back(line);
    if (history_.size() > kMaxHistory) history_.erase(history_.begin());
    recalled_ = history_.size();
    print(fmt::format("> {}", line), ConsoleLine::Kind::input);
    if (line.front() == ':') {
        command(line.substr(1), session);
        return;
    }
    const ConsoleAnswer answer = evaluate(session.scripts(), mod_of_lines(session), line);
    if (answer.may_have_changed) session.mark_not_replayable(engine_errors::kConsoleUsed);
    for (const std::string& value : answer.lines) print(value);
    for (const std::string& error : answer.errors) print(error, ConsoleLine::Kind::error);
}

void Console::command(std::string_view line, GameSession& session) {
    const std::size_t end = std::min(line.find(' '), line.size());
    const std::string_view word = line.substr(0, end);
    std::string_view rest = line.substr(std::min(end + 1, line.size()));
    if (word == "help") {
        print(kHelp);
    } else if (word == "clear") {
        output_.clear();
    } else if (word == "quit") {
        wants_quit_ = true;
    } else if (word == "why") {
        say_why(rest, session);
    } else if (word == "mods") {
        for (const ModUsage& mod : session.scripts().usage())
            print(fmt::format("{}{}", mod.mod, mod.has_loaded ? "" : "  (did not load)"));
    } else if (word == "mod") {
        if (session.scripts().has_loaded(rest))
            mod_ = rest;
        else
            print(fmt::format(engine_errors::kConsoleNoMod, rest), ConsoleLine::Kind::error);
    } else {
        print(fmt::format(engine_errors::kConsoleNoCommand, word), ConsoleLine::Kind::error);
    }
}

// ":why 1234 Health.current": a word that begins with a digit is the entity. Without one, the question is
// about a resource, or about the entity under the mouse.
void Console::say_why(std::string_view words, GameSession& session) {
    if (provenance_ == nullptr) return print(engine_errors::kWhyNotRecorded, ConsoleLine::Kind::error);
    ProvenanceQuestion question;
    while (!words.empty()) {
        const std::size_t end = std::min(words.find(' '), words.size());
        const std::string_view word = words.substr(0, end);
        words.remove_prefix(std::min(end + 1, words.size()));
        if (word.empty()) continue;
        (word.front() >= '0' && word.front() <= '9' ? question.entity : question.values) = word;
    }
    const World& world = session.world();
    const bool is_resource = question.entity.empty() && !question.values.empty() &&
                             check_question(question, world.registry()).ok();
    if (question.entity.empty() && !is_resource) {
        const ScreenSize screen = session.screen_size();
        const Entity entity = entity_at(world, mouse_x_, mouse_y_, static_cast<float>(screen.width),
                                        static_cast<float>(screen.height));
        if (!entity) return print(engine_errors::kWhyNoneHere, ConsoleLine::Kind::error);
        question.entity = fmt::format("{}:{}", entity.index(), entity.generation());
    }
    const Result<std::string> answer = answer_to(question, *provenance_, session);
    if (answer)
        print(answer.value());
    else
        print(answer.error().message, ConsoleLine::Kind::error);
}

void Console::print(std::string_view text, ConsoleLine::Kind kind) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        output_.push_back({kind, std::string(text.substr(0, end))});
        text.remove_prefix(std::min(end + 1, text.size()));
        if (output_.size() > kMaxLines) output_.pop_front();
    }
}

const DrawList& Console::draw_list(float screen_width, float screen_height) {
    const float size = std::clamp(screen_height / 40.0F, 10.0F, 24.0F);
    const float step = line_height(size);
    const float height = screen_height / 2.0F;
    const float width = screen_width - 2 * kMargin;
    Painter& painter = picture_.begin(std::numeric_limits<std::int16_t>::max());
    painter.color = pack_color(8, 12, 20, 225);
    painter.rectangle(true, 0, 0, screen_width, height);
    painter.color = kInputColor;
    const std::string prompt = mod_.empty() ? "> " : mod_ + "> ";
    const float base = height - kMargin - step;
    // A line that is too long scrolls left as far as the cursor requires.
    const float before_caret = text_width(prompt + line_.substr(0, cursor_), size);
    const float left = kMargin - std::max(0.0F, before_caret - width);
    const float caret = left + before_caret;
    painter.text(prompt + line_, left, base, {.size = size});
    painter.rectangle(true, caret, base, std::max(1.0F, size / 10), step);

    // From the newest line upwards, while there is room.
    float y = base;
    for (auto line = output_.rbegin(); line != output_.rend() && y > kMargin; ++line) {
        std::size_t rows = 0;
        for (std::string_view rest = line->text; !rest.empty(); ++rows) next_line(rest, size, width);
        y -= static_cast<float>(std::max<std::size_t>(rows, 1)) * step;
        painter.color = color_of(line->kind);
        painter.text(line->text, kMargin, y, {.size = size, .width = width});
    }
    return picture_.finish();
}

}  // namespace perigee
