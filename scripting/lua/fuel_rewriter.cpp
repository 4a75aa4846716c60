// One pass over the tokens with a stack of open blocks; changes are collected as edits and applied at the
// end, when the size of each body is known.
#include "scripting/lua/fuel_rewriter.h"

#include "scripting/base/error_codes.h"
#include "scripting/lua/internal/lua_lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <vector>

namespace perigee {

namespace {

using internal::LuaLexer;
using internal::LuaToken;
using internal::LuaTokenKind;

constexpr std::size_t kTokensPerStep = 32;

enum class BlockKind : std::uint8_t { function, numeric_for, other_loop, plain };

// A stretch of source to be replaced; an empty one is an insertion. {} in `text` becomes the weight of
// `block`.
struct Edit {
    std::size_t begin;
    std::size_t end;
    std::string text;
    std::size_t block;
};

struct Block {
    BlockKind kind = BlockKind::plain;
    bool awaits_do = false;      ///< of while and for: their `do` has not come
    bool is_slow = false;        ///< an iteration may take long: it calls, joins or compares
    bool ends_early = false;     ///< something in it may leave the loop early
    std::size_t weighed_in = 0;  ///< the function or loop that pays for its tokens: itself, or one around it
    std::size_t tokens = 0;      ///< paid by this block
    LuaToken keyword;            ///< function, while, for, …
    LuaToken variable;           ///< of a numeric for
    std::size_t brackets = 0;    ///< open ones where it began
    std::vector<LuaToken> cuts;  ///< of a numeric for: '=', each ',', and `do`
    std::vector<std::size_t> ends_before_cut;
};

std::string newlines_of(std::string_view text) {
    std::string kept;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\n' && text[i] != '\r') continue;
        // "\r\n" is one line break, and so is "\n\r".
        if (i + 1 < text.size() && text[i + 1] != text[i] && (text[i + 1] == '\n' || text[i + 1] == '\r'))
            ++i;
        kept += '\n';
    }
    return kept;
}

class Rewriter {
public:
    Rewriter(std::string_view source, const FuelNames& names)
        : source_(source), names_(names), lexer_(source) {
        open(BlockKind::function, {});
    }

    Result<ChargedSource> run() {
        LuaToken next = lexer_.next();
        while (next.kind != LuaTokenKind::end) {
            if (next.kind == LuaTokenKind::broken) return Error{std::string(messages::kNotCharged)};
            const LuaToken token = next;
            next = lexer_.next();
            ++blocks_[blocks_[stack_.back()].weighed_in].tokens;
            if (!take(token, next)) return Error{std::string(messages::kNotCharged)};
            if (expects_parameters_ && token.is(")")) {
                expects_parameters_ = false;
                insert(token.end, charge_text(), stack_.back());
            }
            previous_ = token;
        }
        if (stack_.size() != 1) return Error{std::string(messages::kNotCharged)};
        return ChargedSource{text(), chains_ * chains_ / 4};
    }

private:
    Block& top() { return blocks_[stack_.back()]; }

    void open(BlockKind kind, const LuaToken& keyword) {
        const std::size_t index = blocks_.size();
        Block block;
        block.kind = kind;
        block.keyword = keyword;
        block.brackets = brackets_;
        block.weighed_in = kind == BlockKind::plain ? blocks_[stack_.back()].weighed_in : index;
        blocks_.push_back(std::move(block));
        stack_.push_back(index);
    }

    // Returns false when the blocks do not match, which cannot happen for valid source.
    bool take(const LuaToken& token, const LuaToken& next) {
        if (token.kind == LuaTokenKind::text) {
            if (ends_value(previous_)) mark(&Block::is_slow, false);  // f"text"
        } else if (token.kind == LuaTokenKind::symbol) {
            take_symbol(token);
        } else if (token.kind == LuaTokenKind::keyword) {
            return take_keyword(token, next);
        }
        return true;
    }

    void take_symbol(const LuaToken& token) {
        const char c = token.text[0];
        if (token.text == "::") chains_ += 0.5;
        if (c == '(' || c == '{' || c == '[') ++brackets_;
        if (c == ')' || c == '}' || c == ']') --brackets_;
        if (c == ',') cut(token);
        // Calls, and operations that read long strings.
        const bool is_call = (c == '(' || c == '{') && !expects_parameters_ && ends_value(previous_);
        if (is_call || token.text == ".." || c == '<' || c == '>') mark(&Block::is_slow, false);
    }

    static bool ends_value(const LuaToken& token) {
        return token.kind == LuaTokenKind::name || token.kind == LuaTokenKind::text || token.is(")") ||
               token.is("]");
    }

    // Where the expressions of a numeric for begin and end.
    void cut(const LuaToken& token) {
        Block& block = top();
        if (block.kind != BlockKind::numeric_for || !block.awaits_do || block.brackets != brackets_) return;
        block.cuts.push_back(token);
        block.ends_before_cut.push_back(previous_.end);
    }

    bool take_keyword(const LuaToken& token, const LuaToken& next) {
        const std::string_view word = token.text;
        if (word == "function") {
            open(BlockKind::function, token);
            expects_parameters_ = true;
        } else if (word == "while") {
            open(BlockKind::other_loop, token);
            top().awaits_do = true;
        } else if (word == "repeat") {
            open(BlockKind::other_loop, token);
            insert(token.end, charge_text(), stack_.back());
        } else if (word == "for") {
            open_for(token, next);
        } else if (word == "if") {
            open(BlockKind::plain, token);
        } else if (word == "do") {
            take_do(token);
        } else if (word == "end" || word == "until") {
            if (stack_.size() == 1) return false;
            close(token);
        } else if (word == "break") {
            mark(&Block::ends_early, true);
            ++chains_;
        } else if (word == "return") {
            mark(&Block::ends_early, false);
        } else if (word == "goto") {
            if (is_goto_statement(next)) take_goto(token);
        } else if (word == "elseif" || word == "and" || word == "or") {
            ++chains_;
        }
        return true;
    }

    void open_for(const LuaToken& token, const LuaToken& name) {
        LuaLexer ahead = lexer_;
        const LuaToken equals = ahead.next();
        open(equals.is("=") ? BlockKind::numeric_for : BlockKind::other_loop, token);
        top().awaits_do = true;
        top().variable = name;
        top().cuts.push_back(equals);
        top().ends_before_cut.push_back(name.end);
    }

    void take_do(const LuaToken& token) {
        if (!top().awaits_do) {
            open(BlockKind::plain, token);
            return;
        }
        if (top().kind == BlockKind::numeric_for) {
            cut(token);
        } else {
            insert(token.end, charge_text(), stack_.back());
        }
        top().awaits_do = false;
    }

    void close(const LuaToken& token) {
        const std::size_t index = stack_.back();
        stack_.pop_back();
        const Block& block = blocks_[index];
        if (block.kind != BlockKind::numeric_for) return;
        if (block.ends_early || block.cuts.size() < 3) insert(block.cuts.back().end, charge_text(), index);
        if (block.cuts.size() >= 3) pass_numbers(block, index, token);
    }

    // for i = a, b, c do … end -> do local B,A,C=T(a,b,c,1) for i=A,B,C do … end end A loop whose iterations
    // may take long is charged up front if it is short, else per iteration: T(a,b,c,-1) decides. A loop that
    // is always charged per iteration passes a weight of 0: T corrects numbers for which compiled LuaJIT
    // would iterate differently. A number literal stays in place: LuaJIT compiles that better, and it saves a
    // local.
    void pass_numbers(const Block& block, std::size_t index, const LuaToken& end) {
        const auto expression = [&](std::size_t i) {
            return source_.substr(block.cuts[i].end, block.ends_before_cut[i + 1] - block.cuts[i].end);
        };
        const bool has_step = block.cuts.size() == 4;
        const std::string first = literal(expression(0));
        std::string step = has_step ? literal(expression(2)) : std::string("1");
        if (!step.empty() && std::strtod(step.c_str(), nullptr) == 0) step.clear();
        const bool is_slow = block.is_slow && !block.ends_early;
        std::string locals = names_.last;
        if (is_slow) locals += "," + names_.by_turn;
        if (first.empty() || step.empty()) locals += "," + names_.first;
        if (step.empty()) locals += "," + names_.step;

        const std::size_t begin = block.keyword.begin;
        const std::size_t from = block.cuts.front().end;
        std::string head = fmt::format(" do local {}={}(", locals, names_.charge);
        edits_.push_back({begin, from, head + newlines_of(source_.substr(begin, from - begin)), index});
        std::string tail = has_step ? "," : ",1,";
        tail += block.ends_early ? "0)" : is_slow ? "-{})" : "{})";
        tail += fmt::format(" for {}={},{}", block.variable.text, first.empty() ? names_.first : first,
                            names_.last);
        if (has_step) tail += "," + (step.empty() ? names_.step : step);
        insert(block.ends_before_cut.back(), tail + " ", index);
        if (is_slow) {
            insert(block.cuts.back().end, fmt::format(" if {} then{}end ", names_.by_turn, charge_text()),
                   index);
        }
        insert(end.end, " end", index);
    }

    // The text of a number, with or without a minus; empty for any other expression.
    static std::string literal(std::string_view text) {
        LuaLexer lexer(text);
        LuaToken token = lexer.next();
        std::string result;
        if (token.is("-")) {
            result = "-";
            token = lexer.next();
        }
        if (token.kind != LuaTokenKind::number) return {};
        result += token.text;
        // 5LL and 2i are not numbers: the loop raises its usual error.
        if (token.text.find_first_of("lLiIuU") != std::string_view::npos) return {};
        return lexer.next().kind == LuaTokenKind::end ? result : std::string();
    }

    // In the loops around the place, or the innermost one; functions end that.
    void mark(bool Block::*what, bool only_innermost) {
        for (std::size_t i = stack_.size(); i-- > 0;) {
            Block& block = blocks_[stack_[i]];
            if (block.kind == BlockKind::function) return;
            block.*what = true;
            if (only_innermost && block.kind != BlockKind::plain) return;
        }
    }

    // LuaJIT treats goto as a name unless a statement begins there and a name follows.
    bool is_goto_statement(const LuaToken& next) const {
        if (next.kind != LuaTokenKind::name) return false;
        if (previous_.kind == LuaTokenKind::symbol) {
            constexpr std::array<std::string_view, 7> kEnds{")", "]", "}", ";", "::", "...", ""};
            return std::ranges::find(kEnds, previous_.text) != kEnds.end();
        }
        if (previous_.kind != LuaTokenKind::keyword) return true;
        constexpr std::array<std::string_view, 9> kBefore{"break", "do",     "else", "end", "false",
                                                          "nil",   "repeat", "then", "true"};
        return std::ranges::find(kBefore, previous_.text) != kBefore.end();
    }

    void take_goto(const LuaToken& token) {
        mark(&Block::ends_early, false);
        ++chains_;
        insert(token.begin, charge_text(), blocks_[stack_.back()].weighed_in);
    }

    std::string charge_text() const {
        return fmt::format(" {0}={0}-{{}} if {0}<0 then {0}={1}({0})end ", names_.counter, names_.charge);
    }

    void insert(std::size_t at, std::string text, std::size_t block) {
        edits_.push_back({at, at, std::move(text), block});
    }

    std::string text() {
        std::ranges::stable_sort(edits_, [](const Edit& a, const Edit& b) {
            return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
        });
        std::string result =
            fmt::format("local {},{}=... return function(...) ", names_.counter, names_.charge);
        std::size_t done = LuaLexer::header_bytes(source_);
        for (const Edit& edit : edits_) {
            result += source_.substr(done, edit.begin - done);
            const std::size_t weight = 1 + blocks_[edit.block].tokens / kTokensPerStep;
            const std::size_t hole = edit.text.find("{}");
            if (hole == std::string::npos) {
                result += edit.text;
            } else {
                result += edit.text.substr(0, hole) + fmt::format("{}", weight) + edit.text.substr(hole + 2);
            }
            done = edit.end;
        }
        result += source_.substr(done);
        result += "\nend";
        return result;
    }

    std::string_view source_;
    const FuelNames& names_;
    LuaLexer lexer_;
    LuaToken previous_;
    std::vector<Block> blocks_;
    std::vector<std::size_t> stack_;
    std::vector<Edit> edits_;
    std::size_t brackets_ = 0;
    double chains_ = 0;
    bool expects_parameters_ = false;
};

}  // namespace

const FuelNames& FuelNames::of_process() {
    static const FuelNames names = [] {
        std::random_device device;
        const std::uint64_t number = (std::uint64_t{device()} << 32) | device();
        const std::string stem = fmt::format("_{:016x}", number);
        return FuelNames{stem + "f", stem + "t", stem + "a", stem + "b", stem + "c", stem + "d"};
    }();
    return names;
}

Result<ChargedSource> charge_source(std::string_view source, const FuelNames& names) {
    if (source.size() > kMaxSourceBytes) {
        return Error{fmt::format(messages::kSourceTooLong, source.size(), kMaxSourceBytes)};
    }
    for (const std::string* name :
         {&names.counter, &names.charge, &names.first, &names.last, &names.step, &names.by_turn}) {
        if (source.find(*name) != std::string_view::npos) return Error{std::string(messages::kNotCharged)};
    }
    return Rewriter(source, names).run();
}

}  // namespace perigee
