// The library parses; if it refuses, the text is read again to produce a helpful message.
#include "engine/base/internal/shallow_json.h"

#include "engine/base/error_codes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string>

namespace perigee::internal {

namespace {

namespace e = engine_errors;

// Parses the text up to the first error.
class MistakeFinder {
public:
    MistakeFinder(std::string_view text, std::size_t max_levels) : text_(text), max_levels_(max_levels) {}

    /// The error; empty if there is none.
    std::string find() {
        if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
        if (value(0)) {
            skip_blanks();
            if (at_ < text_.size()) fail(e::kJsonAfterEnd);
        }
        return mistake_;
    }
    std::size_t at() const noexcept { return std::min(at_, text_.size()); }

private:
    bool fail(std::string mistake) {
        mistake_ = std::move(mistake);
        return false;
    }
    bool expected(std::string_view what) { return fail(fmt::format(e::kJsonExpected, what, found())); }

    std::string found() const {
        if (at_ >= text_.size()) return "the end of the file";
        const char c = text_[at_];
        if (c == '"') return "a text";
        std::size_t end = at_;
        while (end < text_.size() && end - at_ < 20 &&
               (std::isalnum(static_cast<unsigned char>(text_[end])) != 0 || text_[end] == '_'))
            ++end;
        if (end > at_) return fmt::format("'{}'", text_.substr(at_, end - at_));
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20 || byte >= 0x7F) return "a character that has no place there";
        return fmt::format("'{}'", c);
    }

    char here() const noexcept { return at_ < text_.size() ? text_[at_] : '\0'; }

    void skip_blanks() noexcept {
        while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos)
            ++at_;
    }

    bool value(std::size_t level) {
        skip_blanks();
        const char c = here();
        if (c == '{' || c == '[') {
            if (level >= max_levels_) return fail(fmt::format(e::kJsonTooDeep, max_levels_));
            return c == '{' ? object(level) : list(level);
        }
        if (c == '"') return quoted();
        if (c == '-' || (c >= '0' && c <= '9')) return number();
        for (const std::string_view word : {"true", "false", "null"}) {
            if (!text_.substr(std::min(at_, text_.size())).starts_with(word)) continue;
            at_ += word.size();
            return true;
        }
        if (c == '/') return fail(e::kJsonComment);
        if (c == '\'') return fail(e::kJsonSingleQuote);
        return expected("a value");
    }

    bool object(std::size_t level) {
        ++at_;
        skip_blanks();
        if (here() == '}') return skip();
        for (;;) {
            skip_blanks();
            if (here() == '}') return fail(e::kJsonCommaBeforeEnd);
            if (here() == '/') return fail(e::kJsonComment);
            if (here() != '"') return expected("a key in double quotes");
            if (!quoted()) return false;
            skip_blanks();
            if (here() != ':') return expected("':' behind the key");
            ++at_;
            if (!value(level + 1)) return false;
            skip_blanks();
            if (here() == '}') return skip();
            if (here() == '/') return fail(e::kJsonComment);
            if (here() != ',') return expected("',' or '}'");
            ++at_;
        }
    }

    bool list(std::size_t level) {
        ++at_;
        skip_blanks();
        if (here() == ']') return skip();
        for (;;) {
            skip_blanks();
            if (here() == ']') return fail(e::kJsonCommaBeforeEnd);
            if (!value(level + 1)) return false;
            skip_blanks();
            if (here() == ']') return skip();
            if (here() == '/') return fail(e::kJsonComment);
            if (here() != ',') return expected("',' or ']'");
            ++at_;
        }
    }

    bool skip() noexcept {
        ++at_;
        return true;
    }

    bool quoted() {
        const std::size_t begin = at_;
        for (++at_; at_ < text_.size(); ++at_) {
            const char c = text_[at_];
            if (c == '"') return skip();
            if (static_cast<unsigned char>(c) < 0x20) break;
            if (c != '\\') continue;
            ++at_;
            if (std::string_view("\"\\/bfnrtu").find(here()) == std::string_view::npos)
                return fail(e::kJsonEscape);
            if (here() != 'u') continue;
            for (int digit = 0; digit < 4; ++digit)
                if (std::isxdigit(static_cast<unsigned char>(text_[std::min(++at_, text_.size() - 1)])) == 0)
                    return fail(e::kJsonEscape);
        }
        at_ = begin;
        return fail(e::kJsonNoClosingQuote);
    }

    bool digits() {
        const std::size_t begin = at_;
        while (here() >= '0' && here() <= '9') ++at_;
        return at_ > begin;
    }

    bool number() {
        const std::size_t begin = at_;
        if (here() == '-') ++at_;
        const bool has_zero = here() == '0';
        bool is_fine = digits();
        if (is_fine && has_zero && at_ - begin > (text_[begin] == '-' ? 2U : 1U)) is_fine = false;
        if (is_fine && here() == '.') {
            ++at_;
            is_fine = digits();
        }
        if (is_fine && (here() == 'e' || here() == 'E')) {
            ++at_;
            if (here() == '+' || here() == '-') ++at_;
            is_fine = digits();
        }
        if (is_fine) return true;
        at_ = begin;
        return fail(e::kJsonNumber);
    }

    std::string_view text_;
    std::size_t max_levels_;
    std::size_t at_ = 0;
    std::string mistake_;
};

// "my.json:3:5"; columns count bytes, like those of editors in plain text.
std::string place_in(std::string_view text, std::size_t at, std::string_view name) {
    const std::string_view before = text.substr(0, at);
    const std::size_t line_begin = before.rfind('\n') == before.npos ? 0 : before.rfind('\n') + 1;
    return fmt::format("{}:{}:{}", name, std::ranges::count(before, '\n') + 1, at - line_begin + 1);
}

}  // namespace

JsonSize size_of_json(std::string_view text) noexcept {
    JsonSize size;
    std::size_t level = 0, commas = 0, brackets = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '"') {
            for (++i; i < text.size() && text[i] != '"'; ++i) {
                if (text[i] == '\\') ++i;
            }
        } else if (c == ',') {
            ++commas;
        } else if (c == '[' || c == '{') {
            ++brackets;
            size.levels = std::max(size.levels, ++level);
        } else if ((c == ']' || c == '}') && level > 0) {
            --level;
        }
    }
    // A value is the first of its brackets, follows a comma, or is the whole file.
    size.values = 1 + commas + brackets;
    return size;
}

Result<nlohmann::json> parse_json(std::string_view text, std::string_view name, std::size_t max_levels,
                                  std::string* place) {
    if (place != nullptr) *place = name;
    // Both are known before the library runs: a callback that watches it would cost the square of a list.
    const JsonSize size = size_of_json(text);
    if (size.values > kMaxJsonValues)
        return Error{fmt::format(e::kNoJson, name, fmt::format(e::kJsonTooMany, kMaxJsonValues)),
                     ErrorKind::syntax};
    std::size_t refused_at = 0;
    if (size.levels <= max_levels) {
        // The library reports through exceptions; they end here.
        try {
            return nlohmann::json::parse(text);
        } catch (const nlohmann::json::parse_error& error) {
            refused_at = error.byte > 0 ? error.byte - 1 : 0;
        } catch (const nlohmann::json::exception&) {
            // A number beyond all numbers: the text itself is fine.
        }
    }
    MistakeFinder finder(text, max_levels);
    std::string mistake = finder.find();
    const std::size_t at = mistake.empty() ? std::min(refused_at, text.size()) : finder.at();
    if (mistake.empty()) mistake = e::kJsonUnreadable;
    const std::string refused = place_in(text, at, name);
    if (place != nullptr) *place = refused;
    return Error{fmt::format(e::kNoJson, refused, mistake), ErrorKind::syntax};
}

}  // namespace perigee::internal
