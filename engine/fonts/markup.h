// Markup: colours and icons in a text.
//
//   {red}fire{/} costs {icon:mana} {#ff8800}5{/}     {{ and }} are braces
//
// Invariant: what is no markup stays as it is written, and the first mistake is reported. Not here: what an
// icon looks like (font_table.h).
#pragma once

#include "engine/draw/color.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perigee::internal {

/// A character of a text, or an icon.
struct TextUnit {
    char32_t code = 0;
    PackedColor color = kWhite;
    bool has_color = false;
    std::int32_t icon = -1;  ///< its number; -1: none
};

/// An icon counts as this character.
inline constexpr char32_t kIconCharacter = 0xFFFC;

/// The number of an icon by its name.
using FindIcon = std::function<std::optional<std::uint32_t>(std::string_view name)>;

/// Adds the characters of a text without markup.
void read_plain(std::string_view utf8, std::vector<TextUnit>& units);

/// Adds the characters of a text with markup. `mistake`: the first mistake, for a message; unchanged if there
/// is none.
void read_markup(std::string_view utf8, const FindIcon& find_icon, std::vector<TextUnit>& units,
                 std::string& mistake);

}  // namespace perigee::internal
