// Wording and layout of the card: one block per entry, newest last, wrapped to the screen.
#include "engine/draw/overlay/error_card.h"

#include "engine/base/error_codes.h"
#include "engine/draw/text/text_metrics.h"
#include "scripting/base/script_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace perigee {

namespace {

constexpr PackedColor kErrorBack = pack_color(90, 12, 20, 235);
constexpr PackedColor kNoticeBack = pack_color(60, 50, 10, 220);
constexpr PackedColor kTitleColor = pack_color(255, 205, 120);
constexpr std::size_t kMaxShownBytes = 600;

std::size_t line_count(std::string_view text, float size, float width) {
    std::size_t lines = 0;
    for (; !text.empty(); ++lines) next_line(text, size, width);
    return lines;
}

}  // namespace

void ErrorCard::add_entry(Entry entry) {
    if (entry.text.size() > kMaxShownBytes) entry.text = entry.text.substr(0, kMaxShownBytes) + " …";
    const auto same = std::ranges::find_if(
        entries_, [&](const Entry& known) { return known.title == entry.title && known.text == entry.text; });
    if (same != entries_.end()) {
        ++same->count;
        same->frames_left = entry.frames_left;
        return;
    }
    if (entries_.size() == kMaxEntries) entries_.pop_front();
    entries_.push_back(std::move(entry));
}

void ErrorCard::add(const ScriptError& error) {
    std::string title = error.mod;
    if (!error.file.empty()) title += fmt::format("/{}:{}", error.file, error.line);
    if (!error.system.empty()) title += "  " + fmt::format(engine_errors::kSystemSuspended, error.system);
    if (error.row) title += "  " + fmt::format(engine_errors::kInRow, *error.row);
    ++error_count_;
    Entry entry{std::move(title), error.message, error.mod};
    if (error.entity) entry.text += fmt::format("\n{}", fmt::format(engine_errors::kOfEntity, *error.entity));
    if (!error.values.empty()) entry.text += "\n" + error.values.substr(0, error.values.size() - 1);
    entry.details = error.traceback;
    // Written data cannot be undone; recorded commands are dropped.
    entry.is_of_run = !error.system.empty();
    if (entry.is_of_run) entry.text += fmt::format("\n{}", engine_errors::kRolledBack);
    add_entry(std::move(entry));
}

void ErrorCard::add(std::string title, std::string text, std::string_view mod) {
    ++error_count_;
    add_entry({std::move(title), std::move(text), std::string(mod)});
}

void ErrorCard::notice(std::string text) {
    Entry entry{{}, std::move(text)};
    entry.frames_left = kNoticeFrames;
    add_entry(std::move(entry));
}

void ErrorCard::forget(std::string_view mod) {
    std::erase_if(entries_, [mod](const Entry& entry) { return entry.frames_left == 0 && entry.mod == mod; });
}

void ErrorCard::forget_files(std::string_view mod) {
    std::erase_if(entries_, [mod](const Entry& entry) {
        return entry.frames_left == 0 && entry.mod == mod && !entry.is_of_run;
    });
}

std::string ErrorCard::text() const {
    std::string text;
    for (const Entry& entry : entries_) {
        if (entry.frames_left != 0) continue;
        text += entry.title + "\n" + entry.text + "\n" + entry.details;
        if (!text.ends_with('\n')) text += '\n';
    }
    return text;
}

void ErrorCard::draw(Painter& painter, float screen_width, float screen_height) {
    if (entries_.empty()) return;
    const float size = std::clamp(screen_height / 45.0F, 8.0F, 40.0F);
    const float margin = size / 2.0F;
    const float width = screen_width - 4.0F * margin;
    painter.is_screen = true;
    painter.layer = std::numeric_limits<std::int16_t>::max();
    painter.blend = BlendMode::alpha;

    float y = margin;
    for (const Entry& entry : entries_) {
        const std::string title =
            entry.count > 1 ? fmt::format(engine_errors::kManyTimes, entry.title, entry.count) : entry.title;
        const auto title_lines = static_cast<float>(line_count(title, size, width));
        const auto text_lines = static_cast<float>(line_count(entry.text, size, width));
        const float height = (title_lines + text_lines) * line_height(size) + 2.0F * margin;
        painter.color = entry.frames_left == 0 ? kErrorBack : kNoticeBack;
        painter.rectangle(true, margin, y, screen_width - 2.0F * margin, height);
        painter.color = kTitleColor;
        painter.text(title, 2.0F * margin, y + margin, {size, width, TextAlign::left});
        painter.color = kWhite;
        painter.text(entry.text, 2.0F * margin, y + margin + title_lines * line_height(size),
                     {size, width, TextAlign::left});
        y += height + margin;
    }
    std::erase_if(entries_, [](Entry& entry) { return entry.frames_left > 0 && --entry.frames_left == 0; });
}

}  // namespace perigee
