// One pass over the bytes; a character that may be shown is copied whole.
#include "scripting/base/shown_text.h"

namespace perigee {

// After the table of well-formed byte sequences in the Unicode standard, chapter 3.9.
std::size_t shown_bytes(std::string_view text) noexcept {
    const auto byte = [text](std::size_t at) {
        return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U;
    };
    const auto follows = [&byte](std::size_t at) { return (byte(at) & 0xC0U) == 0x80U; };
    const unsigned first = byte(0), second = byte(1);
    if (first < 0x80) return first >= 0x20 && first != 0x7F ? 1 : 0;
    if (first >= 0xC2 && first <= 0xDF) {
        const bool is_c1 = first == 0xC2 && second < 0xA0;
        return follows(1) && !is_c1 ? 2 : 0;
    }
    if (first >= 0xE0 && first <= 0xEF) {
        const bool is_overlong = first == 0xE0 && second < 0xA0;
        const bool is_surrogate = first == 0xED && second >= 0xA0;
        return follows(1) && follows(2) && !is_overlong && !is_surrogate ? 3 : 0;
    }
    if (first >= 0xF0 && first <= 0xF4) {
        const bool is_overlong = first == 0xF0 && second < 0x90;
        const bool is_beyond = first == 0xF4 && second >= 0x90;
        return follows(1) && follows(2) && follows(3) && !is_overlong && !is_beyond ? 4 : 0;
    }
    return 0;
}

namespace {

std::string shown(std::string_view text, bool keeps_lines) {
    constexpr char kDigits[] = "0123456789ABCDEF";
    std::string result;
    result.reserve(text.size());
    while (!text.empty()) {
        const bool is_layout = text.front() == '\n' || text.front() == '\t';
        std::size_t bytes = is_layout && keeps_lines ? 1 : shown_bytes(text);
        if (bytes != 0) {
            result += text.substr(0, bytes);
        } else {
            const auto byte = static_cast<unsigned char>(text.front());
            result += {'\\', 'x', kDigits[byte >> 4U], kDigits[byte & 15U]};
            bytes = 1;
        }
        text.remove_prefix(bytes);
    }
    return result;
}

}  // namespace

std::string shown_text(std::string_view text) { return shown(text, true); }
std::string shown_word(std::string_view text) { return shown(text, false); }

}  // namespace perigee
