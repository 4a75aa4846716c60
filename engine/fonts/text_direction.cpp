// FriBidi works on whole paragraphs, with a type and a level for each character.
#include "engine/fonts/text_direction.h"

#include "engine/draw/text/text_metrics.h"
#include "engine/fonts/writing.h"

#include <fribidi.h>

#include <algorithm>
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

void find_levels(std::span<const char32_t> paragraph, std::vector<std::uint8_t>& levels) {
    const std::vector<FriBidiChar> characters = copied(paragraph);
    const auto length = static_cast<FriBidiStrIndex>(characters.size());
    const std::vector<FriBidiCharType> types = types_of(characters);
    std::vector<FriBidiBracketType> brackets(characters.size());
    std::vector<FriBidiLevel> found(characters.size());
    fribidi_get_bracket_types(characters.data(), length, types.data(), brackets.data());
    FriBidiParType direction = FRIBIDI_PAR_ON;  // as the first letter says
    if (fribidi_get_par_embedding_levels_ex(types.data(), brackets.data(), length, &direction,
                                            found.data()) == 0)
        std::ranges::fill(found, FriBidiLevel{0});
    levels.assign(found.begin(), found.end());
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
