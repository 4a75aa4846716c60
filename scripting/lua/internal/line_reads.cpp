// One pass over the tokens: assignments are found by '=', calls by the name before the bracket.
#include "scripting/lua/internal/line_reads.h"

#include "scripting/lua/internal/lua_lexer.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace perigee::internal {

namespace {

constexpr std::array<std::string_view, 17> kFunctions{
    "print",    "tostring", "tonumber",     "type",          "ipairs",      "pairs",
    "next",     "select",   "unpack",       "assert",        "error",       "rawget",
    "rawequal", "gfx.size", "gfx.to_world", "gfx.to_screen", "table.concat"};
constexpr std::array<std::string_view, 3> kLibraries{"string.", "math.", "bit."};
// These store something, or call their argument.
constexpr std::array<std::string_view, 3> kNotLooking{"math.random", "math.randomseed", "string.gsub"};
constexpr std::array<std::string_view, 16> kOfWorld{
    "entity_count", "chunk_count", "get",           "has",      "is_alive", "is_enabled",
    "find",         "name",        "parent",        "children", "resource", "stats",
    "object",       "schema_json", "shared_values", "sources"};
constexpr std::array<std::string_view, 10> kOfTexts{"byte", "find",    "format", "len",   "lower",
                                                    "rep",  "reverse", "sub",    "match", "upper"};

template <std::size_t N>
bool holds(const std::array<std::string_view, N>& words, std::string_view word) noexcept {
    return std::ranges::find(words, word) != words.end();
}

class Line {
public:
    explicit Line(std::string_view text) {
        LuaLexer lexer{text};
        do {
            tokens_.push_back(lexer.next());
        } while (tokens_.back().kind != LuaTokenKind::end && tokens_.back().kind != LuaTokenKind::broken);
    }

    bool only_reads() const {
        int tables = 0;
        bool is_declaring = false;  // after `local` or `for`, up to its '='
        for (std::size_t i = 0; i < tokens_.size(); ++i) {
            const LuaToken& token = tokens_[i];
            if (token.is("function")) return false;
            if (token.is("local") || token.is("for")) is_declaring = true;
            const bool may_call = token.is("{") || token.is("(") || token.kind == LuaTokenKind::text;
            if (may_call && is_call(i) && !is_known_call(i)) return false;
            if (token.is("{")) ++tables;
            if (token.is("}")) --tables;
            if (!token.is("=") || tables > 0) continue;
            if (!is_declaring) return false;
            is_declaring = false;
        }
        return true;
    }

private:
    bool is_call(std::size_t at) const {
        if (at == 0) return false;
        const LuaToken& before = tokens_[at - 1];
        return before.kind == LuaTokenKind::name || before.kind == LuaTokenKind::text || before.is(")") ||
               before.is("]");
    }

    // The names before a bracket, "ecs.world:find"; empty when something else is among them.
    std::string callee(std::size_t at) const {
        std::string path;
        for (std::size_t i = at; i > 0; --i) {
            const LuaToken& name = tokens_[--i];
            if (name.kind != LuaTokenKind::name) return {};
            path.insert(0, name.text);
            if (i == 0) return path;
            const LuaToken& joint = tokens_[i - 1];
            if (!joint.is(".") && !joint.is(":")) return path;
            path.insert(0, joint.text);
        }
        return {};
    }

    // ("x"):rep(3)
    bool is_of_text(std::size_t at) const {
        return at >= 5 && tokens_[at - 2].is(":") && tokens_[at - 3].is(")") &&
               tokens_[at - 4].kind == LuaTokenKind::text && tokens_[at - 5].is("(") &&
               holds(kOfTexts, tokens_[at - 1].text);
    }

    bool is_known_call(std::size_t at) const {
        if (is_of_text(at)) return true;
        const std::string path = callee(at);
        if (path.starts_with("C.") || path.starts_with("ecs.components.")) return true;
        if (const std::size_t colon = path.find(':'); colon != path.npos) {
            const std::string_view object = std::string_view(path).substr(0, colon);
            return (object == "world" || object == "ecs.world") &&
                   holds(kOfWorld, std::string_view(path).substr(colon + 1));
        }
        const bool is_of_library = std::ranges::any_of(
            kLibraries, [&](std::string_view library) { return path.starts_with(library); });
        return is_of_library ? !holds(kNotLooking, path) : holds(kFunctions, path);
    }

    std::vector<LuaToken> tokens_;
};

}  // namespace

bool only_reads(std::string_view line) { return Line(line).only_reads(); }

}  // namespace perigee::internal
