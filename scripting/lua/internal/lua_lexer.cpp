// Follows lj_lex.c of LuaJIT 2.1: where a number ends, which bytes form a name, how brackets are matched.
#include "scripting/lua/internal/lua_lexer.h"

#include <algorithm>
#include <array>

namespace perigee::internal {

namespace {

constexpr std::array<std::string_view, 22> kKeywords{
    "and", "break", "do",  "else", "elseif", "end",    "false",  "for",  "function", "goto",  "if",
    "in",  "local", "nil", "not",  "or",     "repeat", "return", "then", "true",     "until", "while"};

constexpr std::array<std::string_view, 7> kLongSymbols{"...", "..", "==", ">=", "<=", "~=", "::"};

constexpr bool is_digit(unsigned char c) noexcept { return c >= '0' && c <= '9'; }

constexpr bool starts_name(unsigned char c) noexcept {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c >= 0x80;
}

constexpr bool continues_name(unsigned char c) noexcept { return starts_name(c) || is_digit(c); }

constexpr bool ends_line(unsigned char c) noexcept { return c == '\n' || c == '\r'; }

constexpr bool is_blank(unsigned char c) noexcept {
    return c == ' ' || c == '\t' || c == '\v' || c == '\f' || ends_line(c);
}

}  // namespace

std::size_t LuaLexer::header_bytes(std::string_view source) noexcept {
    std::size_t bytes = source.starts_with("\xEF\xBB\xBF") ? 3 : 0;
    if (bytes < source.size() && source[bytes] == '#') {
        while (bytes < source.size() && !ends_line(static_cast<unsigned char>(source[bytes]))) ++bytes;
    }
    return bytes;
}

LuaLexer::LuaLexer(std::string_view source) : source_(source), position_(header_bytes(source)) {}

// 0 past the end; a zero byte inside the text can only be part of a string, so the two cannot be confused.
unsigned char LuaLexer::peek(std::size_t ahead) const noexcept {
    return position_ + ahead < source_.size() ? static_cast<unsigned char>(source_[position_ + ahead])
                                              : static_cast<unsigned char>(0);
}

LuaToken LuaLexer::token(LuaTokenKind kind, std::size_t begin) const noexcept {
    return {kind, begin, position_, source_.substr(begin, position_ - begin)};
}

LuaToken LuaLexer::next() {
    skip_blanks_and_comments();
    const std::size_t begin = position_;
    if (is_broken_) return token(LuaTokenKind::broken, begin);
    if (position_ >= source_.size()) return token(LuaTokenKind::end, begin);

    const unsigned char c = peek();
    if (starts_name(c)) {
        while (continues_name(peek())) ++position_;
        LuaToken name = token(LuaTokenKind::name, begin);
        if (std::ranges::find(kKeywords, name.text) != kKeywords.end()) name.kind = LuaTokenKind::keyword;
        return name;
    }
    if (is_digit(c) || (c == '.' && is_digit(peek(1)))) {
        skip_number();
        return token(LuaTokenKind::number, begin);
    }
    if (c == '"' || c == '\'') {
        is_broken_ = !skip_quoted(static_cast<char>(c));
        return token(is_broken_ ? LuaTokenKind::broken : LuaTokenKind::text, begin);
    }
    if (c == '[' && (peek(1) == '[' || peek(1) == '=')) {
        is_broken_ = !skip_long_bracket();
        return token(is_broken_ ? LuaTokenKind::broken : LuaTokenKind::text, begin);
    }
    for (const std::string_view symbol : kLongSymbols) {
        if (!source_.substr(position_).starts_with(symbol)) continue;
        position_ += symbol.size();
        return token(LuaTokenKind::symbol, begin);
    }
    ++position_;
    return token(LuaTokenKind::symbol, begin);
}

void LuaLexer::skip_blanks_and_comments() {
    while (position_ < source_.size() && !is_broken_) {
        if (is_blank(peek())) {
            ++position_;
            continue;
        }
        if (peek() != '-' || peek(1) != '-') return;
        position_ += 2;
        const std::size_t text = position_;
        if (peek() == '[' && (peek(1) == '[' || peek(1) == '=')) {
            if (skip_long_bracket()) continue;
            // "--[==" without a second bracket is a comment to the end of the line.
            if (position_ >= source_.size() && is_broken_) return;
            position_ = text;
        }
        while (position_ < source_.size() && !ends_line(peek())) ++position_;
    }
}

// At '['. Moves past the closing bracket; false if this opens no long bracket (position unchanged), or if it
// never closes (then the text is invalid).
bool LuaLexer::skip_long_bracket() noexcept {
    std::size_t level = 0;
    while (peek(1 + level) == '=') ++level;
    if (peek(1 + level) != '[') return false;
    for (std::size_t at = position_ + level + 2; at < source_.size(); ++at) {
        if (source_[at] != ']') continue;
        std::size_t found = 0;
        while (at + 1 + found < source_.size() && source_[at + 1 + found] == '=') ++found;
        if (found == level && at + 1 + found < source_.size() && source_[at + 1 + found] == ']') {
            position_ = at + level + 2;
            return true;
        }
        at += found;
    }
    position_ = source_.size();
    is_broken_ = true;
    return false;
}

// A backslash consumes the next byte, including \" \\ and a line's end.
bool LuaLexer::skip_quoted(char quote) noexcept {
    for (++position_; position_ < source_.size(); ++position_) {
        if (source_[position_] == '\\') {
            ++position_;
        } else if (source_[position_] == quote) {
            ++position_;
            return true;
        }
    }
    position_ = source_.size();
    return false;
}

// A number consists of letters, digits and dots, and a sign after its exponent's letter: 0x1p-4LL is one
// token.
void LuaLexer::skip_number() noexcept {
    const bool is_hex = peek() == '0' && (peek(1) | 0x20) == 'x';
    const unsigned char exponent = is_hex ? 'p' : 'e';
    unsigned char before = peek();
    ++position_;
    while (continues_name(peek()) || peek() == '.' ||
           ((peek() == '-' || peek() == '+') && (before | 0x20) == exponent)) {
        before = peek();
        ++position_;
    }
}

}  // namespace perigee::internal
