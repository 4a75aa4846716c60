// Evaluates expressions. Part of SourceWalker (source_walker.h).
#include "scripting/check/internal/source_walker.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

namespace perigee::internal {

namespace {

constexpr std::array<std::string_view, 14> kBinary{"+",  "-",  "*", "/", "%",  "^",  "..",
                                                   "==", "~=", "<", ">", "<=", ">=", "and"};

// The content of a literal; one with escapes or long brackets is not a name.
SourceValue literal(std::string_view token) {
    if (token.size() < 2 || token.front() == '[' || token.find('\\') != token.npos) return {};
    return text_value(token.substr(1, token.size() - 2));
}

// nil, true, false or a number.
SourceValue constant(const LuaToken& token) {
    SourceValue value;
    if (token.kind != LuaTokenKind::number) {
        value.meaning = token.is("nil") ? Meaning::nothing : Meaning::truth;
        return value;
    }
    const std::string text(token.text);
    char* end = nullptr;
    value.number = std::strtod(text.c_str(), &end);
    if (*end == '\0') value.meaning = Meaning::number;
    value.text = text;
    return value;
}

}  // namespace

std::vector<Argument> SourceWalker::expressions() {
    std::vector<Argument> list;
    do {
        list.push_back(expression());
    } while (accept(","));
    return list;
}

// `a and b` is b if it is not false; `a or b` is known if both are the same.
Argument SourceWalker::expression() {
    Argument result = operand();
    bool is_or = false;
    Argument left;
    for (;;) {
        const LuaToken token = peek();
        const bool is_logical = token.is("and") || token.is("or");
        if (!is_logical &&
            (token.kind != LuaTokenKind::symbol || std::ranges::find(kBinary, token.text) == kBinary.end()))
            break;
        take();
        Argument right = operand();
        if (!is_logical) {
            result = {};
        } else if (token.is("and")) {
            right.is_literal = false;
            result = std::move(right);
        } else {
            if (is_or && !(left.value == result.value)) result = {};
            left = std::move(result);
            result = std::move(right);
            is_or = true;
        }
    }
    if (is_or && !(left.value == result.value)) return {};
    return result;
}

Argument SourceWalker::operand() {
    const LuaToken token = peek();
    if (token.is("not") || token.is("-") || token.is("#")) {
        take();
        Argument of = operand();
        if (!token.is("-") || !of.is_literal || of.value.meaning != Meaning::number) return {};
        of.value.number = -of.value.number;
        return of;
    }
    Argument made;
    if (token.kind == LuaTokenKind::text) {
        take();
        made.value = literal(token.text);
        made.is_literal = made.value.meaning == Meaning::text;
        return made;
    }
    if (token.is("{")) return table();
    if (token.is("function")) {
        take();
        made.value = function(false);
        made.is_literal = true;
        return made;
    }
    if (token.kind == LuaTokenKind::number || token.is("nil") || token.is("true") || token.is("false")) {
        take();
        made.value = constant(token);
        made.is_literal = made.value.meaning != Meaning::unknown;
        return made;
    }
    if (token.is("...")) {
        take();
        made.may_be_many = true;
        return made;
    }
    made.value = suffixed().value;
    made.may_be_many = ends_with_many();
    return made;
}

SourceWalker::Place SourceWalker::primary() {
    Place place;
    const LuaToken token = take();
    if (token.is("(")) {
        place.value = expression().value;
        expect(")");
    } else if (token.kind == LuaTokenKind::name) {
        const int at = lines_[position_ > 0 ? position_ - 1 : 0];
        place.value = value_of(token.text, place.local);
        const bool is_global =
            place.value.meaning == Meaning::global || place.value.meaning == Meaning::module;
        if (place.local == nullptr && is_global) {
            note_global(token.text, at, false);
            place.global = static_cast<std::ptrdiff_t>(globals_.size()) - 1;
        }
    } else {
        give_up();
    }
    return place;
}

SourceWalker::Place SourceWalker::suffixed() {
    Place place = primary();
    for (;;) {
        const LuaToken token = peek();
        const int at = line();
        if (token.is(".") || token.is("[")) {
            take();
            place.global = -1;
            SourceValue key;
            if (token.is(".")) {
                key = text_value(take().text);
            } else {
                key = expression().value;
                expect("]");
                const bool computes =
                    place.value.meaning == Meaning::components || place.value.meaning == Meaning::import;
                if (computes && key.meaning != Meaning::text) has_computed_names_ = true;
            }
            place.of = place.value;
            place.key = key;
            place.is_indexed = true;
            place.value = rules_.index(place.of, key, at);
        } else if (token.is(":")) {
            take();
            const std::string name(take().text);
            const std::vector<Argument> given = arguments();
            const SourceValue of = place.value;
            place = {};
            if (of.meaning == Meaning::table) {
                std::vector<Argument> with_self = given;
                with_self.insert(with_self.begin(), Argument{});
                place.value = call(rules_.index(of, text_value(name), at), with_self, at);
                continue;
            }
            place.value = rules_.method(of, name, given, at);
            const bool is_known = of.meaning == Meaning::context || of.meaning == Meaning::commands ||
                                  of.meaning == Meaning::buffer;
            hand_to_call(of, name, given, is_known);
        } else if (token.is("(") || token.is("{") || token.kind == LuaTokenKind::text) {
            if (is_first_walk_ && place.is_indexed && place.of.meaning == Meaning::global &&
                place.key.meaning == Meaning::text)
                library_calls_.push_back({place.of.text, place.key.text, at});
            const std::vector<Argument> given = arguments();
            const SourceValue callee = place.value;
            place = {};
            place.value = call(callee, given, at);
        } else {
            return place;
        }
    }
}

std::vector<Argument> SourceWalker::arguments() {
    if (peek().kind == LuaTokenKind::text) return {operand()};
    if (peek().is("{")) return {table()};
    std::vector<Argument> list;
    expect("(");
    if (!peek().is(")")) list = expressions();
    expect(")");
    return list;
}

// A function of the mod is read again for a call that passes it data.
SourceValue SourceWalker::call(const SourceValue& callee, const std::vector<Argument>& given, int at) {
    SystemUse* const use = rules_.use();
    const bool is_given_data =
        use != nullptr && std::ranges::any_of(given, [](const Argument& argument) {
            return argument.value.is_access() || argument.value.meaning == Meaning::commands;
        });
    bool was_read = false;
    if (callee.meaning == Meaning::function && is_given_data) {
        std::vector<SourceValue> parameters;
        parameters.reserve(given.size());
        for (const Argument& argument : given) parameters.push_back(argument.value);
        if (callee.known == nullptr) {
            was_read = read_body(callee, target_, outside_, false, parameters, *use);
        } else if (SourceWalker* const walker = use->walker_of(callee.known->file)) {
            was_read = walker->follow(*callee.known, parameters, *use);
        }
    }
    hand_to_call(callee, callee.text, given, was_read);
    return rules_.call(callee, given, at);
}

void SourceWalker::count_field(const std::string& name, bool is_assigned) {
    if (!is_first_walk_) return;
    FieldCount& count = fields_[name];
    ++count.all;
    if (is_assigned) ++count.assigned;
}

Argument SourceWalker::table() {
    Argument made;
    made.is_table = made.is_literal = true;
    expect("{");
    while (!peek().is("}") && peek().kind != LuaTokenKind::end) {
        const bool is_named = peek().kind == LuaTokenKind::name && peek(1).is("=");
        std::size_t depth = table_keys_.size();
        if (is_named) {
            made.keys.push_back({std::string(peek().text), line(), {}});
            count_field(made.keys.back().name, false);
            table_keys_.emplace_back(take().text);
            take();
        } else if (peek().is("[")) {
            take();
            expression();
            expect("]");
            expect("=");
        }
        Argument entry = expression();
        const SourceValue value = entry.value;
        if (is_named) made.keys.back().given = std::move(entry);
        const bool asks = std::ranges::any_of(
            table_keys_, [this](const std::string& key) { return rules_.is_list_of_access(key); });
        if (!asks || value.is_access()) hand_out(value);
        table_keys_.resize(depth);
        if (!accept(",") && !accept(";")) break;
    }
    expect("}");
    return made;
}

// At the parameters.
SourceValue SourceWalker::function(bool has_self) {
    Function made{lines_[position_ > 0 ? position_ - 1 : 0], 0, {}, has_self};
    // The line of the keyword itself: names may be between it and the parameters.
    for (std::size_t at = position_; at > 0; --at) {
        if (!tokens_[at].is("function")) continue;
        made.first_line = lines_[at];
        break;
    }
    made.value.meaning = has_self ? Meaning::unknown : Meaning::function;
    made.value.token = position_;
    made.value.names = names_;
    functions_around_.push_back(position_);
    const Names before = names_;
    const std::vector<std::string> keys = std::exchange(table_keys_, {});
    body({}, has_self);
    table_keys_ = keys;
    names_ = before;
    functions_around_.pop_back();
    made.last_line = lines_[position_ > 0 ? position_ - 1 : 0];
    if (is_first_walk_) functions_.push_back(made);
    return made.value;
}

void SourceWalker::body(const std::vector<SourceValue>& parameters, bool has_self) {
    const Names before = names_;
    if (has_self) declare("self", {});
    expect("(");
    std::size_t number = 0;
    while (!peek().is(")") && peek().kind != LuaTokenKind::end) {
        const LuaToken name = take();
        if (name.kind == LuaTokenKind::name)
            declare(name.text, number < parameters.size() ? parameters[number] : SourceValue{});
        ++number;
        accept(",");
    }
    expect(")");
    block();
    expect("end");
    names_ = before;
}

}  // namespace perigee::internal
