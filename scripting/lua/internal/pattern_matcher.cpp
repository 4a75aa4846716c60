// Backtracking by recursion, one call for each place where the match can continue in more than one way.
#include "scripting/lua/internal/pattern_matcher.h"

#include <cstring>

namespace perigee::internal {

namespace {

constexpr int kDeepest = 200;  // where LuaJIT stops, too

using Letter = unsigned char;

constexpr bool is_lower(Letter c) noexcept { return c >= 'a' && c <= 'z'; }
constexpr bool is_upper(Letter c) noexcept { return c >= 'A' && c <= 'Z'; }
constexpr bool is_decimal(Letter c) noexcept { return c >= '0' && c <= '9'; }
constexpr bool is_alpha(Letter c) noexcept { return is_lower(c) || is_upper(c); }
constexpr bool is_graphic(Letter c) noexcept { return c > ' ' && c < 0x7F; }
constexpr bool is_space(Letter c) noexcept { return c == ' ' || (c >= '\t' && c <= '\r'); }

// The letter after a '%'; upper case means the complement.
bool is_in_class(Letter c, Letter name) noexcept {
    const Letter lower = is_upper(name) ? static_cast<Letter>(name + 32) : name;
    bool is_in = false;
    switch (lower) {
        case 'a':
            is_in = is_alpha(c);
            break;
        case 'c':
            is_in = c < ' ' || c == 0x7F;
            break;
        case 'd':
            is_in = is_decimal(c);
            break;
        case 'g':
            is_in = is_graphic(c);
            break;
        case 'l':
            is_in = is_lower(c);
            break;
        case 'p':
            is_in = is_graphic(c) && !is_alpha(c) && !is_decimal(c);
            break;
        case 's':
            is_in = is_space(c);
            break;
        case 'u':
            is_in = is_upper(c);
            break;
        case 'w':
            is_in = is_alpha(c) || is_decimal(c);
            break;
        case 'x':
            is_in = is_decimal(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
            break;
        case 'z':
            is_in = c == 0;
            break;
        default:
            return name == c;
    }
    return is_in == is_lower(name);
}

// `set` at '[', `last` at the ']' that closes it.
bool is_in_set(Letter c, const char* set, const char* last) noexcept {
    const bool wanted = set[1] != '^';
    for (const char* p = set + (wanted ? 1 : 2); p < last; ++p) {
        if (*p == '%') {
            ++p;
            if (is_in_class(c, static_cast<Letter>(*p))) return wanted;
        } else if (p[1] == '-' && p + 2 < last) {
            if (static_cast<Letter>(*p) <= c && c <= static_cast<Letter>(p[2])) return wanted;
            p += 2;
        } else if (static_cast<Letter>(*p) == c) {
            return wanted;
        }
    }
    return !wanted;
}

}  // namespace

std::optional<PatternMatcher::Match> PatternMatcher::search(std::size_t from, bool is_anchored) noexcept {
    for (const char* s = subject_.data() + from;; ++s) {
        level_ = 0;
        depth_ = 0;
        const char* const found = match(s, pattern_);
        if (has_stopped()) return std::nullopt;
        if (found != nullptr) {
            return Match{static_cast<std::size_t>(s - subject_.data()),
                         static_cast<std::size_t>(found - subject_.data())};
        }
        if (is_anchored || s >= end()) return std::nullopt;
    }
}

bool PatternMatcher::take_steps(double count) noexcept {
    steps_left_ -= count;
    if (steps_left_ < 0 || (stop_ != nullptr && stop_->load(std::memory_order_relaxed)))
        is_out_of_steps_ = true;
    return !is_out_of_steps_;
}

const char* PatternMatcher::refuse(const char* mistake) noexcept {
    if (mistake_ == nullptr) mistake_ = mistake;
    return nullptr;
}

const char* PatternMatcher::match(const char* s, const char* p) noexcept {
    if (++depth_ > kDeepest) return refuse("pattern too complex");
    const char* const found = match_here(s, p);
    --depth_;
    return found;
}

const char* PatternMatcher::match_here(const char* s, const char* p) noexcept {
    while (*p != '\0') {
        if (has_stopped() || !take_steps(1)) return nullptr;
        if (*p == '(') return p[1] == ')' ? open_capture(s, p + 2, kPosition) : open_capture(s, p + 1, kOpen);
        if (*p == ')') return close_capture(s, p + 1);
        if (*p == '$' && p[1] == '\0') return s == end() ? s : nullptr;
        if (*p == '%' && p[1] == 'b') {
            s = balance(s, p + 2);
            p += 4;
        } else if (*p == '%' && p[1] == 'f') {
            p += 2;
            if (*p != '[') return refuse("missing '[' after '%f' in pattern");
            const char* const behind = item_end(p);
            if (behind == nullptr || !is_frontier(s, p, behind - 1)) return nullptr;
            p = behind;
        } else if (*p == '%' && is_decimal(static_cast<Letter>(p[1]))) {
            s = repeat_capture(s, p[1]);
            p += 2;
        } else {
            bool goes_on = true;
            const char* next = nullptr;
            s = match_single(s, p, goes_on, next);
            if (!goes_on) return s;
            p = next;
        }
        if (s == nullptr) return nullptr;
    }
    return s;
}

// One character or set with its quantifier. Sets goes_on to false if the result covers the whole rest.
const char* PatternMatcher::match_single(const char* s, const char* p, bool& goes_on,
                                         const char*& next) noexcept {
    const char* const behind = item_end(p);
    goes_on = false;
    if (behind == nullptr) return nullptr;
    switch (*behind) {
        case '*':
            return expand(s, p, behind);
        case '+':
            return fits(s, p, behind) ? expand(s + 1, p, behind) : nullptr;
        case '-':
            return expand_little(s, p, behind);
        case '?':
            if (fits(s, p, behind)) {
                const char* const found = match(s + 1, behind + 1);
                if (found != nullptr || has_stopped()) return found;
            }
            goes_on = true;
            next = behind + 1;
            return s;
        default:
            if (!fits(s, p, behind)) return nullptr;
            goes_on = true;
            next = behind;
            return s + 1;
    }
}

const char* PatternMatcher::expand(const char* s, const char* p, const char* behind) noexcept {
    std::ptrdiff_t count = 0;
    while (fits(s + count, p, behind)) ++count;
    if (!take_steps(static_cast<double>(count))) return nullptr;
    for (; count >= 0 && !has_stopped(); --count) {
        if (const char* const found = match(s + count, behind + 1)) return found;
    }
    return nullptr;
}

const char* PatternMatcher::expand_little(const char* s, const char* p, const char* behind) noexcept {
    for (;; ++s) {
        const char* const found = match(s, behind + 1);
        if (found != nullptr || has_stopped()) return found;
        if (!fits(s, p, behind)) return nullptr;
    }
}

const char* PatternMatcher::open_capture(const char* s, const char* p, std::ptrdiff_t length) noexcept {
    if (level_ >= captures_.size()) return refuse("too many captures");
    captures_[level_++] = {s, length};
    const char* const found = match(s, p);
    if (found == nullptr) --level_;
    return found;
}

const char* PatternMatcher::close_capture(const char* s, const char* p) noexcept {
    std::size_t i = level_;
    while (i > 0 && captures_[i - 1].length != kOpen) --i;
    if (i == 0) return refuse("invalid pattern capture");
    Capture& capture = captures_[i - 1];
    capture.length = s - capture.begin;
    const char* const found = match(s, p);
    if (found == nullptr) capture.length = kOpen;
    return found;
}

const char* PatternMatcher::balance(const char* s, const char* p) noexcept {
    if (p[0] == '\0' || p[1] == '\0') return refuse("unbalanced pattern");
    if (s >= end() || *s != p[0]) return nullptr;
    int open = 1;
    for (const char* at = s + 1; at < end(); ++at) {
        if (*at == p[1]) {
            if (--open == 0) return take_steps(static_cast<double>(at - s)) ? at + 1 : nullptr;
        } else if (*at == p[0]) {
            ++open;
        }
    }
    take_steps(static_cast<double>(end() - s));
    return nullptr;
}

const char* PatternMatcher::repeat_capture(const char* s, char digit) noexcept {
    const std::ptrdiff_t i = digit - '1';
    if (i < 0 || i >= static_cast<std::ptrdiff_t>(level_) ||
        captures_[static_cast<std::size_t>(i)].length == kOpen) {
        return refuse("invalid capture index");
    }
    const Capture& capture = captures_[static_cast<std::size_t>(i)];
    // A position capture has no text: as in LuaJIT, nothing matches its length.
    if (capture.length < 0 || end() - s < capture.length) return nullptr;
    if (!take_steps(static_cast<double>(capture.length) / 8)) return nullptr;
    const auto size = static_cast<std::size_t>(capture.length);
    return std::memcmp(capture.begin, s, size) == 0 ? s + size : nullptr;
}

// A set is read from its beginning for each letter.
bool PatternMatcher::is_in(unsigned char letter, const char* set, const char* last) noexcept {
    return take_steps(static_cast<double>(last - set) / 8) && is_in_set(letter, set, last);
}

bool PatternMatcher::is_frontier(const char* s, const char* set, const char* last) noexcept {
    const char before = s == subject_.data() ? '\0' : s[-1];
    const char here = s == end() ? '\0' : *s;
    return !is_in(static_cast<Letter>(before), set, last) && is_in(static_cast<Letter>(here), set, last);
}

// The position after the letter, class or set at p.
const char* PatternMatcher::item_end(const char* p) noexcept {
    const char* const start = p;
    const char first = *p++;
    if (first == '%') return *p == '\0' ? refuse("malformed pattern (ends with '%')") : p + 1;
    if (first != '[') return p;
    if (*p == '^') ++p;
    do {
        if (*p == '\0') return refuse("malformed pattern (missing ']')");
        if (*p++ == '%' && *p != '\0') ++p;
    } while (*p != ']');
    return take_steps(static_cast<double>(p - start) / 8) ? p + 1 : nullptr;
}

bool PatternMatcher::fits(const char* s, const char* p, const char* behind) noexcept {
    if (s >= end()) return false;
    switch (*p) {
        case '.':
            return true;
        case '%':
            return is_in_class(static_cast<Letter>(*s), static_cast<Letter>(p[1]));
        case '[':
            return is_in(static_cast<Letter>(*s), p, behind - 1);
        default:
            return *p == *s;
    }
}

}  // namespace perigee::internal
