// Splits Lua source into tokens like LuaJIT's own lexer, for text that LuaJIT has compiled before.
//
// Invariant: on valid source each token covers exactly the bytes that LuaJIT's lexer reads for it; bytes
// between tokens are whitespace and comments. On invalid source it never reads outside the text and never
// stops early without reporting it. Not here: values of numbers and strings, the grammar.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace perigee::internal {

enum class LuaTokenKind : std::uint8_t { name, keyword, number, text, symbol, end, broken };

struct LuaToken {
    LuaTokenKind kind = LuaTokenKind::end;
    std::size_t begin = 0;  ///< byte offsets into the source
    std::size_t end = 0;
    std::string_view text;

    bool is(std::string_view keyword_or_symbol) const noexcept {
        return (kind == LuaTokenKind::keyword || kind == LuaTokenKind::symbol) && text == keyword_or_symbol;
    }
};

class LuaLexer {
public:
    /// Lifetime: `source` must outlive the tokens.
    explicit LuaLexer(std::string_view source);

    /// The next token; at the end of the text always one of kind end. `goto` is a keyword here.
    LuaToken next();

    /// Bytes before the program that the loader skips: a byte order mark and a first line that begins with
    /// '#'.
    static std::size_t header_bytes(std::string_view source) noexcept;

private:
    unsigned char peek(std::size_t ahead = 0) const noexcept;
    void skip_blanks_and_comments();
    bool skip_long_bracket() noexcept;
    bool skip_quoted(char quote) noexcept;
    void skip_number() noexcept;
    LuaToken token(LuaTokenKind kind, std::size_t begin) const noexcept;

    std::string_view source_;
    std::size_t position_ = 0;
    bool is_broken_ = false;
};

}  // namespace perigee::internal
