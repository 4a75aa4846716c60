// FriBidi has the tables of characters, and the forms of letters. Its own function for levels (1.0.8) reads
// memory that it has freed, in texts with brackets and marks of embeddings, so levels are found here.
#include "engine/fonts/text_direction.h"

#include "engine/draw/text/text_metrics.h"
#include "engine/fonts/writing.h"

#include <fribidi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>

namespace perigee::internal {

namespace {

static_assert(kMergedLetter == FRIBIDI_CHAR_FILL);

std::vector<FriBidiCharType> types_of(std::span<const FriBidiChar> characters) {
    std::vector<FriBidiCharType> types(characters.size());
    fribidi_get_bidi_types(characters.data(), static_cast<FriBidiStrIndex>(characters.size()), types.data());
    return types;
}

// The bidirectional types of UAX #9. Marks of embeddings and isolates are neutral.
enum class Kind : std::uint8_t { l, r, al, en, es, et, an, cs, nsm, neutral };

Kind kind_of(FriBidiCharType type) noexcept {
    switch (type) {
        case FRIBIDI_TYPE_LTR:
            return Kind::l;
        case FRIBIDI_TYPE_RTL:
            return Kind::r;
        case FRIBIDI_TYPE_AL:
            return Kind::al;
        case FRIBIDI_TYPE_EN:
            return Kind::en;
        case FRIBIDI_TYPE_ES:
            return Kind::es;
        case FRIBIDI_TYPE_ET:
            return Kind::et;
        case FRIBIDI_TYPE_AN:
            return Kind::an;
        case FRIBIDI_TYPE_CS:
            return Kind::cs;
        case FRIBIDI_TYPE_NSM:
            return Kind::nsm;
        default:
            return Kind::neutral;
    }
}

bool is_white(char32_t character) noexcept { return fribidi_get_bidi_type(character) == FRIBIDI_TYPE_WS; }

bool is_separator(char32_t character) noexcept {
    const FriBidiCharType type = fribidi_get_bidi_type(character);
    return type == FRIBIDI_TYPE_SS || type == FRIBIDI_TYPE_BS;
}

bool is_strong(Kind kind) noexcept { return kind == Kind::l || kind == Kind::r || kind == Kind::al; }

// Calls fn(first, after) for each row of neighbours of this kind.
template <typename Function> void each_row(const std::vector<Kind>& kinds, Kind kind, Function fn) {
    for (std::size_t first = 0; first < kinds.size(); ++first) {
        const std::size_t begin = first;
        while (first < kinds.size() && kinds[first] == kind) ++first;
        if (first > begin) fn(begin, first);
    }
}

std::vector<Kind> kinds_of(std::span<const char32_t> paragraph) {
    std::vector<Kind> kinds(paragraph.size());
    std::ranges::transform(paragraph, kinds.begin(),
                           [](char32_t character) { return kind_of(fribidi_get_bidi_type(character)); });
    return kinds;
}

struct BracketPair {
    std::size_t opening;
    std::size_t closing;
};

// BD16: in the order of the opening brackets.
std::vector<BracketPair> bracket_pairs(std::span<const char32_t> paragraph) {
    struct Opening {
        FriBidiBracketType bracket;
        std::size_t place;
    };
    std::array<Opening, 63> open{};  // as many as the standard asks for
    std::size_t depth = 0;
    std::vector<BracketPair> pairs;
    for (std::size_t i = 0; i < paragraph.size(); ++i) {
        const FriBidiBracketType type = fribidi_get_bracket(paragraph[i]);
        if (type == FRIBIDI_NO_BRACKET) continue;
        const FriBidiBracketType bracket = FRIBIDI_BRACKET_ID(type);
        if (FRIBIDI_IS_BRACKET_OPEN(type)) {
            if (depth == open.size()) break;
            open[depth++] = {bracket, i};
            continue;
        }
        for (std::size_t each = depth; each-- > 0;) {
            if (open[each].bracket != bracket) continue;
            pairs.push_back({open[each].place, i});
            depth = each;
            break;
        }
    }
    std::ranges::sort(pairs, {}, &BracketPair::opening);
    return pairs;
}

// The side on which numbers count as letters from right to left: rules N0 to N2.
Kind side_of(Kind kind) noexcept { return kind == Kind::l || kind == Kind::neutral ? kind : Kind::r; }

// N0: brackets have the direction of the paragraph if a letter between them has; else that of the letters
// between and before them, if these agree.
void turn_brackets(std::span<const char32_t> paragraph, Kind base, std::vector<Kind>& kinds) {
    for (const BracketPair& pair : bracket_pairs(paragraph)) {
        bool is_base_inside = false, is_other_inside = false;
        for (std::size_t i = pair.opening + 1; i < pair.closing && !is_base_inside; ++i) {
            const Kind side = side_of(kinds[i]);
            is_base_inside = side == base;
            is_other_inside |= side != base && side != Kind::neutral;
        }
        if (!is_base_inside && !is_other_inside) continue;
        Kind context = base;
        for (std::size_t i = pair.opening; !is_base_inside && i-- > 0;) {
            if (kinds[i] == Kind::neutral) continue;
            context = side_of(kinds[i]);
            break;
        }
        for (const std::size_t bracket : {pair.opening, pair.closing}) {
            kinds[bracket] = context;
            // Marks over a bracket go with it.
            for (std::size_t i = bracket + 1;
                 i < kinds.size() && fribidi_get_bidi_type(paragraph[i]) == FRIBIDI_TYPE_NSM; ++i)
                kinds[i] = context;
        }
    }
}

// FriBidi's characters are those of char32_t under another name.
std::vector<FriBidiChar> copied(std::span<const char32_t> paragraph) {
    return {paragraph.begin(), paragraph.end()};
}

}  // namespace

bool runs_right_to_left(std::string_view utf8) noexcept {
    // Most texts are ASCII, eight bytes of which are checked at once.
    constexpr std::uint64_t kHighBits = 0x8080'8080'8080'8080;
    std::size_t ascii = 0;
    for (std::uint64_t word; ascii + sizeof word <= utf8.size(); ascii += sizeof word) {
        std::memcpy(&word, utf8.data() + ascii, sizeof word);
        if ((word & kHighBits) != 0) break;
    }
    // The first byte of the first letter of Hebrew, U+0590, is 0xD6.
    constexpr unsigned char kFirst = 0xD6;
    std::string_view rest = utf8.substr(ascii);
    if (std::ranges::none_of(rest, [](char c) { return static_cast<unsigned char>(c) >= kFirst; }))
        return false;
    while (!rest.empty())
        if (may_run_right_to_left(next_character(rest))) return true;
    return false;
}

// The rules W, N, I and L1 of UAX #9, for one run of the paragraph's level. Names of kinds and rules are
// those of the standard; neutral: all that has no direction of its own.
void find_levels(std::span<const char32_t> paragraph, std::vector<std::uint8_t>& levels) {
    std::vector<Kind> kinds = kinds_of(paragraph);
    const std::size_t count = kinds.size();
    const auto strong = std::ranges::find_if(kinds, is_strong);
    const Kind base = strong != kinds.end() && *strong != Kind::l ? Kind::r : Kind::l;
    levels.resize(count);

    Kind before = base;
    Kind last_strong = base;
    for (Kind& kind : kinds) {
        if (kind == Kind::nsm) kind = before;  // W1
        if (is_strong(kind)) last_strong = kind;
        if (kind == Kind::en && last_strong == Kind::al) kind = Kind::an;  // W2
        before = kind;
    }
    for (std::size_t i = 1; i + 1 < count; ++i) {  // W4
        const Kind next = kinds[i + 1];
        const bool is_between = kinds[i - 1] == next && (next == Kind::en || next == Kind::an);
        if (!is_between) continue;
        if (kinds[i] == Kind::cs || (kinds[i] == Kind::es && next == Kind::en)) kinds[i] = next;
    }
    each_row(kinds, Kind::et, [&](std::size_t first, std::size_t after) {  // W5
        const bool is_beside_number =
            (first > 0 && kinds[first - 1] == Kind::en) || (after < count && kinds[after] == Kind::en);
        if (is_beside_number) std::fill(kinds.data() + first, kinds.data() + after, Kind::en);
    });
    last_strong = base;
    for (Kind& kind : kinds) {
        if (kind == Kind::al) kind = Kind::r;                                                // W3
        if (kind == Kind::es || kind == Kind::et || kind == Kind::cs) kind = Kind::neutral;  // W6
        if (is_strong(kind)) last_strong = kind;
        if (kind == Kind::en && last_strong == Kind::l) kind = Kind::l;  // W7
    }
    turn_brackets(paragraph, base, kinds);
    each_row(kinds, Kind::neutral, [&](std::size_t first, std::size_t after) {  // N1, N2
        const Kind left = first > 0 ? side_of(kinds[first - 1]) : base;
        const Kind right = after < count ? side_of(kinds[after]) : base;
        std::fill(kinds.data() + first, kinds.data() + after, left == right ? left : base);
    });
    const std::uint8_t level_of_left = base == Kind::l ? 0 : 2;
    // I1, I2; and L1: tabs, and spaces before them or the end, have the level of the paragraph.
    bool is_before_end = true;
    for (std::size_t i = count; i-- > 0;) {
        is_before_end = is_separator(paragraph[i]) || (is_before_end && is_white(paragraph[i]));
        if (is_before_end)
            levels[i] = base == Kind::r ? 1 : 0;
        else
            levels[i] = kinds[i] == Kind::r ? 1 : kinds[i] == Kind::l ? level_of_left : std::uint8_t{2};
    }
}

void join_letters(std::span<char32_t> paragraph, std::span<const std::uint8_t> levels) {
    std::vector<FriBidiChar> characters = copied(paragraph);
    const auto length = static_cast<FriBidiStrIndex>(characters.size());
    const std::vector<FriBidiLevel> own(levels.begin(), levels.end());
    std::vector<FriBidiArabicProp> joins(characters.size());
    fribidi_get_joining_types(characters.data(), length, joins.data());
    fribidi_join_arabic(types_of(characters).data(), length, own.data(), joins.data());
    fribidi_shape(FRIBIDI_FLAGS_DEFAULT | FRIBIDI_FLAGS_ARABIC, own.data(), length, joins.data(),
                  characters.data());
    std::ranges::copy(characters, paragraph.begin());
}

}  // namespace perigee::internal
