// A number that is the whole of a text.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace perigee {

/// Nothing if the text is not a number, is more than one, or is out of the type's range. Spaces and a leading
/// '+' are not accepted.
template <typename Number> std::optional<Number> number_from(std::string_view text) noexcept {
    Number number{};
    const char* const end = text.data() + text.size();
    const auto [read, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc{} || read != end) return std::nullopt;
    return number;
}

}  // namespace perigee
