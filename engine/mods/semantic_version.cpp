// Every operator of a range becomes half-open bounds: "up to and including 1.2.3" is below the next version.
#include "engine/mods/semantic_version.h"

#include "ecs/base/parse_number.h"
#include "engine/base/error_codes.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace perigee {

namespace {

namespace e = engine_errors;

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
bool is_numeric(std::string_view word) noexcept { return std::ranges::all_of(word, is_digit); }

bool is_identifier(std::string_view word) noexcept {
    return !word.empty() && std::ranges::all_of(word, [](char c) {
        return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
    });
}

// Removes the part of `text` before `sign` and returns it; all of it if there is no `sign`.
std::string_view cut(std::string_view& text, char sign) noexcept {
    const std::size_t at = text.find(sign);
    const std::string_view head = text.substr(0, at);
    text = at == text.npos ? std::string_view{} : text.substr(at + 1);
    return head;
}

std::optional<std::uint32_t> version_number(std::string_view word) noexcept {
    const bool has_leading_zero = word.size() > 1 && word.front() == '0';
    return has_leading_zero ? std::nullopt : number_from<std::uint32_t>(word);
}

// Numbers are compared as numbers, of any length; they come before words.
std::strong_ordering compare_identifiers(std::string_view a, std::string_view b) noexcept {
    const bool a_counts = is_numeric(a);
    const bool b_counts = is_numeric(b);
    if (a_counts != b_counts) return a_counts ? std::strong_ordering::less : std::strong_ordering::greater;
    if (a_counts && a.size() != b.size()) return a.size() <=> b.size();
    return a <=> b;
}

// A version with only the first `count` numbers given; a wildcard ends them.
struct PartialVersion {
    SemanticVersion version;
    std::size_t count = 0;
};

std::optional<PartialVersion> partial_from(std::string_view text, bool allows_wildcards) {
    std::string_view build = text;
    std::string_view rest = cut(build, '+');
    const bool has_build = rest.size() < text.size();
    std::string_view pre_release = rest;
    std::string_view numbers = cut(pre_release, '-');
    const bool has_pre_release = numbers.size() < rest.size();

    PartialVersion partial;
    std::size_t word_count = 0;
    bool is_cut_short = false;
    for (bool is_last = false; !is_last; ++word_count) {
        if (word_count == 3) return std::nullopt;
        is_last = numbers.find('.') == numbers.npos;
        const std::string_view word = cut(numbers, '.');
        if (allows_wildcards && (word == "x" || word == "X" || word == "*")) {
            is_cut_short = true;
            continue;
        }
        const std::optional<std::uint32_t> number = version_number(word);
        if (!number || is_cut_short) return std::nullopt;
        partial.version.numbers[partial.count++] = *number;
    }
    if ((has_pre_release || has_build) && partial.count != 3) return std::nullopt;
    for (bool is_last = !has_pre_release; !is_last;) {
        is_last = pre_release.find('.') == pre_release.npos;
        const std::string_view word = cut(pre_release, '.');
        const bool has_leading_zero = word.size() > 1 && word.front() == '0' && is_numeric(word);
        if (!is_identifier(word) || has_leading_zero) return std::nullopt;
        partial.version.pre_release.emplace_back(word);
    }
    for (bool is_last = !has_build; !is_last;) {
        is_last = build.find('.') == build.npos;
        if (!is_identifier(cut(build, '.'))) return std::nullopt;
    }
    return partial;
}

// The first version, pre-releases included, whose number at `position` is one larger; empty without one.
std::optional<SemanticVersion> next_at(const SemanticVersion& version, std::size_t position) {
    SemanticVersion next;
    for (std::size_t i = 0; i <= position; ++i) next.numbers[i] = version.numbers[i];
    if (++next.numbers[position] == 0) return std::nullopt;
    next.pre_release = {"0"};
    return next;
}

}  // namespace

Result<SemanticVersion> SemanticVersion::parse(std::string_view text) {
    std::optional<PartialVersion> partial = partial_from(text, false);
    if (!partial) return Error{fmt::format(e::kNoVersion, text.substr(0, 60))};
    return std::move(partial->version);
}

std::string SemanticVersion::text() const {
    return fmt::format("{}{}{}", fmt::join(numbers, "."), pre_release.empty() ? "" : "-",
                       fmt::join(pre_release, "."));
}

std::strong_ordering SemanticVersion::operator<=>(const SemanticVersion& other) const noexcept {
    if (const auto order = numbers <=> other.numbers; order != 0) return order;
    if (pre_release.empty() != other.pre_release.empty())
        return pre_release.empty() ? std::strong_ordering::greater : std::strong_ordering::less;
    const std::size_t common = std::min(pre_release.size(), other.pre_release.size());
    for (std::size_t i = 0; i < common; ++i)
        if (const auto order = compare_identifiers(pre_release[i], other.pre_release[i]); order != 0)
            return order;
    return pre_release.size() <=> other.pre_release.size();
}

Result<VersionRange> VersionRange::parse(std::string_view text) {
    VersionRange range;
    range.text_ = text;
    bool has_word = false;
    for (std::string_view rest = text; !rest.empty();) {
        const std::string_view word = cut(rest, ' ');
        if (word.empty()) continue;
        has_word = true;
        if (Result<void> added = range.add(word); !added)
            return Error{fmt::format(e::kNoVersionRange, text.substr(0, 60))};
    }
    if (!has_word) return Error{fmt::format(e::kNoVersionRange, text)};
    return range;
}

// One term: an operator and a possibly partial version.
Result<void> VersionRange::add(std::string_view word) {
    std::string_view sign;
    for (const std::string_view known : {">=", "<=", ">", "<", "=", "^", "~"})
        if (sign.empty() && word.starts_with(known)) sign = known;
    const std::optional<PartialVersion> partial = partial_from(word.substr(sign.size()), true);
    if (!partial) return Error{std::string{word}};
    const auto& [version, count] = *partial;
    if (!version.pre_release.empty()) named_.push_back(version);

    const auto from = [&](const SemanticVersion& first) { bounds_.push_back({first, true}); };
    const auto below = [&](std::optional<SemanticVersion> end) {
        if (end) bounds_.push_back({std::move(*end), false});
    };
    // End of the version itself, or of all versions with this prefix.
    const auto end = [&]() -> std::optional<SemanticVersion> {
        if (count < 3) return next_at(version, count - 1);
        SemanticVersion next = version;
        if (version.pre_release.empty()) return next_at(version, 2);
        next.pre_release.emplace_back("0");  // there is nothing between a version and the same with ".0"
        return next;
    };
    if (count == 0) {
        // "<*" and ">*" match nothing.
        if (sign == "<" || sign == ">") below(SemanticVersion{{0, 0, 0}, {"0"}});
    } else if (sign == ">=") {
        from(version);
    } else if (sign == "<") {
        below(version);
    } else if (sign == ">") {
        const std::optional<SemanticVersion> first = end();
        if (first)
            from(*first);
        else
            below(SemanticVersion{{0, 0, 0}, {"0"}});
    } else if (sign == "<=") {
        below(end());
    } else if (sign == "^") {
        std::size_t position = 0;  // of the first number that is not zero, among those given
        while (position + 1 < count && version.numbers[position] == 0) ++position;
        from(version);
        below(next_at(version, position));
    } else if (sign == "~") {
        from(version);
        below(next_at(version, std::min<std::size_t>(count - 1, 1)));
    } else {
        from(version);
        below(end());
    }
    return {};
}

bool VersionRange::contains(const SemanticVersion& version) const noexcept {
    const bool is_inside = std::ranges::all_of(bounds_, [&](const Bound& bound) {
        return bound.is_lower ? bound.version <= version : version < bound.version;
    });
    return is_inside && (version.pre_release.empty() || std::ranges::any_of(named_, [&](const auto& named) {
                             return named.numbers == version.numbers;
                         }));
}

}  // namespace perigee
