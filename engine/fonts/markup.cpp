// One pass: a tag changes the colour of what follows, everything else is text.
#include "engine/fonts/markup.h"

#include "ecs/base/color_text.h"
#include "engine/base/error_codes.h"
#include "engine/draw/text/text_metrics.h"

#include <fmt/format.h>

#include <array>

namespace perigee::internal {

namespace {

namespace e = engine_errors;

constexpr std::size_t kMaxTag = 128;  // bytes
constexpr std::size_t kMaxNested = 32;
constexpr std::string_view kIcon = "icon:";

}  // namespace

void read_plain(std::string_view utf8, std::vector<TextUnit>& units) {
    while (!utf8.empty()) units.push_back({.code = next_character(utf8)});
}

void read_markup(std::string_view utf8, const FindIcon& find_icon, std::vector<TextUnit>& units,
                 std::string& mistake) {
    std::array<TextUnit, kMaxNested> colors;  // [0]: that of the text
    colors[0] = {};
    std::size_t depth = 0;
    const auto note = [&mistake](std::string text) {
        if (mistake.empty()) mistake = std::move(text);
    };
    // False: it is no tag, and its brace is a character.
    const auto apply = [&](std::string_view tag) {
        if (tag == "/") {
            if (depth == 0) {
                note(e::kMarkupNothingOpen);
                return false;
            }
            --depth;
            return true;
        }
        if (tag.starts_with(kIcon)) {
            const auto icon = find_icon(tag.substr(kIcon.size()));
            if (!icon) return false;
            TextUnit unit = colors[depth];
            unit.code = kIconCharacter;
            unit.icon = static_cast<std::int32_t>(*icon);
            units.push_back(unit);
            return true;
        }
        const auto color = color_from_text(tag);
        if (!color) {
            note(fmt::format(e::kMarkupUnknown, tag, why_no_color(tag)));
            return false;
        }
        if (depth + 1 >= kMaxNested) {
            note(fmt::format(e::kMarkupTooDeep, kMaxNested - 1));
            return false;
        }
        colors[++depth] = {.color = *color, .has_color = true};
        return true;
    };
    while (!utf8.empty()) {
        const bool is_doubled = utf8.size() > 1 && utf8[0] == utf8[1];
        if ((utf8[0] == '{' || utf8[0] == '}') && is_doubled) {
            utf8.remove_prefix(1);
        } else if (utf8[0] == '{') {
            const std::size_t end = utf8.substr(0, kMaxTag).find('}');
            if (end == utf8.npos) {
                note(e::kMarkupNotClosed);
            } else if (apply(utf8.substr(1, end - 1))) {
                utf8.remove_prefix(end + 1);
                continue;
            }
        }
        TextUnit unit = colors[depth];
        unit.code = next_character(utf8);
        units.push_back(unit);
    }
}

}  // namespace perigee::internal
