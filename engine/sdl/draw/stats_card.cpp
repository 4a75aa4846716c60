// Averages over half a second.
#include "engine/sdl/draw/stats_card.h"

#include "ecs/base/counted.h"
#include "engine/draw/color.h"
#include "engine/draw/text/text_metrics.h"

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
    sum_.frame_nanoseconds += frame.frame_nanoseconds;
    sum_.stages.steps += frame.stages.steps;
    sum_.stages.draw += frame.stages.draw;
    sum_.stages.extract += frame.stages.extract;
    sum_.stages.sort += frame.stages.sort;
    sum_.submit_nanoseconds += frame.submit_nanoseconds;
    sum_.show_nanoseconds += frame.show_nanoseconds;
    longest_ = std::max(longest_, frame.frame_nanoseconds);
    ++frame_count_;
    if (sum_.frame_nanoseconds < kPeriodNanoseconds) return;

    const auto average = [this](std::uint64_t nanoseconds) {
        return static_cast<double>(nanoseconds) / 1e6 / static_cast<double>(frame_count_);
    };
    text_ = fmt::format(
        "{:.0f} fps   longest frame {:.1f} ms\n"
        "ms   steps {:.2f}   draw {:.2f}   sprites {:.2f}   sort {:.2f}   submit {:.2f}   show {:.2f}\n"
        "{}   {} in {}   {:.1f} KB uploaded   tick {}",
        1000.0 / average(sum_.frame_nanoseconds), static_cast<double>(longest_) / 1e6,
        average(sum_.stages.steps), average(sum_.stages.draw), average(sum_.stages.extract),
        average(sum_.stages.sort), average(sum_.submit_nanoseconds), average(sum_.show_nanoseconds),
        counted(frame.entity_count, "entity", "entities"), counted(frame.item_count, "item"),
        counted(frame.call_count, "call"), static_cast<double>(frame.uploaded_bytes) / 1024.0, frame.tick);
    if (frame.error_count > 0) text_ += fmt::format("\n{}", counted(frame.error_count, "script error"));
    sum_ = {};
    longest_ = frame_count_ = 0;
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
