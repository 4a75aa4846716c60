// Averages over half a second.
#include "engine/sdl/draw/stats_card.h"

#include "ecs/base/counted.h"
#include "engine/draw/color.h"
#include "engine/draw/text_metrics.h"

#include <fmt/format.h>

#include <algorithm>

namespace perigee {

namespace {

constexpr std::uint64_t kPeriodNanoseconds = 500'000'000;
constexpr float kFontSize = 14.0F;
constexpr float kMargin = 8.0F;
constexpr float kPlace = 0.6F;  // of the screen's height

}  // namespace

void StatsCard::add(const FrameStats& frame) {
    frame_sum_ += frame.frame_nanoseconds;
    work_sum_ += frame.work_nanoseconds;
    show_sum_ += frame.show_nanoseconds;
    longest_ = std::max(longest_, frame.frame_nanoseconds);
    ++frame_count_;
    if (frame_sum_ < kPeriodNanoseconds) return;

    const auto milliseconds = [](std::uint64_t nanoseconds, std::uint64_t count) {
        return static_cast<double>(nanoseconds) / 1e6 / static_cast<double>(count);
    };
    text_ = fmt::format(
        "{:.0f} fps   work {:.1f} ms   show {:.1f} ms   longest frame {:.1f} ms\n{}   {} in "
        "{}   tick {}",
        1000.0 / milliseconds(frame_sum_, frame_count_), milliseconds(work_sum_, frame_count_),
        milliseconds(show_sum_, frame_count_), milliseconds(longest_, 1),
        counted(frame.entity_count, "entity", "entities"), counted(frame.item_count, "item"),
        counted(frame.call_count, "call"), frame.tick);
    if (frame.error_count > 0) text_ += fmt::format("\n{}", counted(frame.error_count, "script error"));
    frame_sum_ = work_sum_ = show_sum_ = longest_ = frame_count_ = 0;
}

const DrawList& StatsCard::draw_list(float screen_height) {
    Painter& painter = picture_.begin();
    const TextSize size = text_size(text_, kFontSize);
    const float top = screen_height * kPlace;
    painter.color = pack_color(0, 0, 0, 180);
    painter.rectangle(true, kMargin, top, size.width + 2 * kMargin, size.height + kMargin);
    painter.color = kWhite;
    painter.text(text_, 2 * kMargin, top + 0.5F * kMargin, {.size = kFontSize});
    return picture_.finish();
}

}  // namespace perigee
