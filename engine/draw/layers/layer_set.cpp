// One part of the text after the other.
#include "engine/draw/layers/layer_set.h"

#include "engine/base/error_codes.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string>

namespace perigee {

namespace {

constexpr std::string_view kSeparators = " ,\t\n";
constexpr std::string_view kDots = "..";

std::optional<std::int16_t> number(std::string_view text) noexcept {
    std::int16_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

}  // namespace

Result<LayerSet> LayerSet::parse(std::string_view text, const NumberOf& number_of,
                                 const Suggestion& suggestion) {
    LayerSet set;
    const auto end_of = [&](std::string_view end) {
        const auto found = number(end);
        return found ? found : number_of(end);
    };
    for (std::size_t at = text.find_first_not_of(kSeparators); at != text.npos;
         at = text.find_first_not_of(kSeparators, at)) {
        const std::size_t end = std::min(text.find_first_of(kSeparators, at), text.size());
        std::string_view part = text.substr(at, end - at);
        at = end;
        const std::string_view whole = part;
        const bool is_hidden = part.front() == '!';
        if (is_hidden) part.remove_prefix(1);
        const std::size_t dots = part.find(kDots);
        const auto first = end_of(part.substr(0, dots));
        const auto last = dots == part.npos ? first : end_of(part.substr(dots + kDots.size()));
        if (!first || !last || *first > *last)
            return Error{fmt::format(engine_errors::kNoLayer, whole, suggestion ? suggestion(part) : "")};
        (is_hidden ? set.hidden_ : set.shown_).push_back({*first, *last});
    }
    return set;
}

bool LayerSet::has(std::int16_t layer) const noexcept {
    const auto is_in = [layer](const Range& range) { return range.first <= layer && layer <= range.last; };
    return (shown_.empty() || std::ranges::any_of(shown_, is_in)) && std::ranges::none_of(hidden_, is_in);
}

}  // namespace perigee
