// Keys and mouse choose a step; the engine goes there.
#include "game/loop/rewind_bar.h"

#include "engine/draw/color.h"
#include "engine/draw/text/text_metrics.h"
#include "engine/engine.h"
#include "engine/session/rewind.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace perigee {

namespace {

constexpr std::int64_t kPage = 60;  // steps
constexpr float kFontSize = 14.0F;
constexpr float kMargin = 8.0F;
constexpr float kThickness = 8.0F;
constexpr float kPanel = 3 * kMargin + kThickness + 2 * 1.4F * kFontSize;  // its height
constexpr const char* kHelp = "left, right: one step   space: run one   F6: play on from here";

std::int64_t signed_of(std::uint64_t step) { return static_cast<std::int64_t>(step); }

// 0 .. 1 from the oldest step to the newest.
double place_of(std::uint64_t step, const Rewind& steps) {
    const double length = static_cast<double>(steps.newest() - steps.oldest());
    const double behind = static_cast<double>(signed_of(step) - signed_of(steps.oldest()));
    return length > 0.0 ? std::clamp(behind / length, 0.0, 1.0) : 1.0;
}

}  // namespace

void RewindBar::feed(bool toggles, RawInput& raw, Engine& engine, const LogSink& log) {
    wants_step_ = false;
    // A restart and the Pause key end the pause; a session that failed to keep a step has none.
    if (is_open_ && (!engine.is_paused() || engine.recent_steps() == nullptr)) is_open_ = false;
    if (toggles && is_open_) {
        is_open_ = false;
        engine.set_paused(was_paused_);
    } else if (toggles && engine.recent_steps() != nullptr) {
        is_open_ = true;
        is_dragging_ = false;
        was_paused_ = engine.is_paused();
        engine.set_paused(true);
        engine.keep_step();
    }
    // Also while closed: the mouse may not move again before the first click.
    for (const RawInput::Event& event : raw.events)
        if (event.kind == RawInput::Kind::mouse) mouse_x_ = event.x, mouse_y_ = event.y;
    if (is_open_)
        std::erase_if(raw.events, [&](const RawInput::Event& event) { return take(event, engine, log); });
}

// Releases are the game's too: it may have seen the press.
bool RewindBar::take(const RawInput::Event& event, Engine& engine, const LogSink& log) {
    const Rewind& steps = *engine.recent_steps();
    const std::int64_t now = signed_of(engine.tick());
    const bool is_press = event.kind == RawInput::Kind::control && event.value > 0.5F;
    if (event.kind == RawInput::Kind::mouse && is_dragging_) go_to_mouse(engine, log);
    if (!is_press) {
        if (event.code == InputCode::mouse_left) is_dragging_ = false;
        return false;
    }
    switch (event.code) {
        case InputCode::key_left:
            go_to(signed_of(steps.before(engine.tick())), engine, log);
            return true;
        case InputCode::key_right:
            go_to(signed_of(steps.after(engine.tick())), engine, log);
            return true;
        case InputCode::key_pageup:
            go_to(now - kPage, engine, log);
            return true;
        case InputCode::key_pagedown:
            go_to(now + kPage, engine, log);
            return true;
        case InputCode::key_home:
            go_to(signed_of(steps.oldest()), engine, log);
            return true;
        case InputCode::key_end:
            go_to(signed_of(steps.newest()), engine, log);
            return true;
        case InputCode::key_space:
            wants_step_ = true;
            return true;
        case InputCode::mouse_left:
            is_dragging_ = mouse_y_ >= height_ - kPanel;
            if (is_dragging_) go_to_mouse(engine, log);
            return is_dragging_;
        default:
            return false;
    }
}

void RewindBar::go_to(std::int64_t step, Engine& engine, const LogSink& log) const {
    const Rewind& steps = *engine.recent_steps();
    const auto wanted =
        static_cast<std::uint64_t>(std::clamp(step, signed_of(steps.oldest()), signed_of(steps.newest())));
    if (wanted == engine.tick()) return;
    if (const Result<void> gone = engine.rewind_to(wanted); !gone)
        log({LogLevel::error, "perigee", gone.error().message});
}

void RewindBar::go_to_mouse(Engine& engine, const LogSink& log) const {
    const Rewind& steps = *engine.recent_steps();
    const float length = std::max(1.0F, width_ - 2 * kMargin);
    const double place = std::clamp((mouse_x_ - kMargin) / length, 0.0F, 1.0F);
    const auto count = static_cast<double>(steps.newest() - steps.oldest());
    go_to(signed_of(steps.oldest()) + std::llround(place * count), engine, log);
}

const DrawList& RewindBar::draw_list(const Engine& engine, float width, float height) {
    width_ = width;
    height_ = height;
    Painter& painter = picture_.begin();
    const Rewind* const steps = engine.recent_steps();
    if (steps == nullptr) return picture_.finish();
    const float top = height - kPanel, length = width - 2 * kMargin;
    const float played = length * static_cast<float>(place_of(engine.tick(), *steps));
    painter.color = pack_color(0, 0, 0, 180);
    painter.rectangle(true, 0, top, width, kPanel);
    painter.color = pack_color(120, 120, 120, 255);
    painter.rectangle(true, kMargin, top + kMargin, length, kThickness);
    painter.color = pack_color(255, 200, 60, 255);
    painter.rectangle(true, kMargin, top + kMargin, played, kThickness);
    painter.rectangle(true, kMargin + played - 2, top + kMargin / 2, 4, kThickness + kMargin);
    painter.color = kWhite;
    painter.text(
        fmt::format("step {}   ({} to {})\n{}", engine.tick(), steps->oldest(), steps->newest(), kHelp),
        kMargin, top + 2 * kMargin + kThickness, {.size = kFontSize});
    return picture_.finish();
}

}  // namespace perigee
