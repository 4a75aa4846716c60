// A recursive descent over Lua 5.1 that keeps values instead of a tree.
#include "scripting/internal/source_walker.h"

#include <algorithm>
#include <array>
#include <utility>

namespace perigee::internal {

namespace {

constexpr std::array<std::string_view, 9> kQueryKeys{"read",    "write",  "optional", "without", "any",
                                                     "changed", "shared", "order_by", "services"};
constexpr std::array<std::string_view, 14> kBinary{"+",  "-",  "*", "/", "%",  "^",  "..",
                                                   "==", "~=", "<", ">", "<=", ">=", "and"};

// Calls within calls multiply.
constexpr std::size_t kDeepestCall = 8;
constexpr int kMostCalls = 500;

SourceValue text_value(std::string_view text) {
    SourceValue value;
    value.meaning = Meaning::text;
    value.text = text;
    return value;
}

// The content of a literal; what has escapes or long brackets is nobody's name.
SourceValue literal(std::string_view token) {
    if (token.size() < 2 || token.front() == '[' || token.find('\\') != token.npos) return {};
    return text_value(token.substr(1, token.size() - 2));
}

bool is_handle(const SourceValue& value) {
    return value.meaning == Meaning::handle || value.meaning == Meaning::value;
}

}  // namespace

SourceWalker::SourceWalker(const SourceFile& file, SourceRules& rules) : rules_(rules) {
    LuaLexer lexer{file.text};
    int line = 1;
    std::size_t seen = 0;
    for (;;) {
        LuaToken token = lexer.next();
        if (token.kind == LuaTokenKind::broken) token.kind = LuaTokenKind::end;
        const std::string_view before = std::string_view(file.text).substr(seen, token.begin - seen);
        line += static_cast<int>(std::ranges::count(before, '\n'));
        seen = token.begin;
        tokens_.push_back(token);
        lines_.push_back(line);
        if (token.kind == LuaTokenKind::end) break;
    }
}

void SourceWalker::walk() {
    block();
    is_first_walk_ = false;
}

const SourceWalker::Function* SourceWalker::find_function(const KnownFunction& function) const {
    const Function* found = nullptr;
    for (const Function& candidate : functions_) {
        if (candidate.first_line != function.first_line || candidate.last_line != function.last_line)
            continue;
        if (found != nullptr && found->value.token != candidate.value.token) return nullptr;
        found = &candidate;
    }
    return found;
}

void SourceWalker::walk_function(const DeclaredFunction& function, SystemUse& use) {
    SourceValue context;
    context.meaning = Meaning::context;
    std::vector<SourceValue> parameters{context};
    if (function.word == "run") parameters.insert(parameters.begin(), rules_.chunk_of(*use.system));
    use.calls_left = kMostCalls;
    if (!follow(function, parameters, use)) use.escapes = true;
}

bool SourceWalker::follow(const KnownFunction& function, const std::vector<SourceValue>& parameters,
                          SystemUse& use) {
    const Function* const found = find_function(function);
    if (found == nullptr) return false;
    std::vector<SourceValue> given = parameters;
    if (found->has_self && !given.empty()) given.erase(given.begin());
    return read_body(found->value, &function, found->value.names, found->has_self, given, use);
}

bool SourceWalker::read_body(const SourceValue& function, const KnownFunction* target, Names outside,
                             bool has_self, const std::vector<SourceValue>& parameters, SystemUse& use) {
    const std::pair key{static_cast<const SourceWalker*>(this), function.token};
    if (use.being_read.size() >= kDeepestCall || use.calls_left <= 0) return false;
    if (!use.being_read.insert(key).second) return false;
    --use.calls_left;
    const std::size_t position = std::exchange(position_, function.token);
    const Names names_before = std::exchange(names_, function.names);
    const KnownFunction* const target_before = std::exchange(target_, target);
    const Names outside_before = std::exchange(outside_, outside);
    const std::vector<std::string> keys = std::exchange(table_keys_, {});
    SystemUse* const use_before = rules_.use();
    rules_.set_use(&use);
    body(parameters, has_self);
    rules_.set_use(use_before);
    table_keys_ = keys;
    outside_ = outside_before;
    target_ = target_before;
    names_ = names_before;
    position_ = position;
    use.being_read.erase(key);
    return true;
}

// ---- tokens -----------------------------------------------------------------------------------------------

const LuaToken& SourceWalker::peek(std::size_t ahead) const noexcept {
    return tokens_[std::min(position_ + ahead, tokens_.size() - 1)];
}

LuaToken SourceWalker::take() {
    const LuaToken token = peek();
    if (position_ + 1 < tokens_.size()) ++position_;
    return token;
}

bool SourceWalker::accept(std::string_view symbol) {
    if (!peek().is(symbol)) return false;
    take();
    return true;
}

void SourceWalker::expect(std::string_view symbol) {
    if (!accept(symbol)) give_up();
}

bool SourceWalker::ends_block() const noexcept {
    const LuaToken& token = peek();
    return token.kind == LuaTokenKind::end || token.is("end") || token.is("else") || token.is("elseif") ||
           token.is("until");
}

// ---- names ------------------------------------------------------------------------------------------------

void SourceWalker::declare(std::string_view name, SourceValue value, int assignments) {
    bindings_.push_back({name, std::move(value), names_, assignments});
    names_ = &bindings_.back();
}

// Outside of the function that is read, what its variables held counts; but of one that is assigned twice
// nobody knows which it is, and what the text says of a function is as good.
SourceValue SourceWalker::value_of(std::string_view name, Names& local) const {
    const CapturedName* held = nullptr;
    for (Names at = names_;; at = at->next) {
        if (target_ != nullptr && held == nullptr && at == outside_) {
            for (const CapturedName& captured : target_->captured)
                if (captured.name == name) held = &captured;
            const bool is_code = held != nullptr && (held->kind == CapturedName::Kind::function ||
                                                     held->kind == CapturedName::Kind::table);
            if (held != nullptr && !is_code) return rules_.captured(*held);
        }
        if (at == nullptr) break;
        if (at->name != name) continue;
        local = at;
        // Of a function its own variables are known besides.
        const bool is_better =
            held != nullptr &&
            (at->value.meaning == Meaning::unknown ||
             (at->value.meaning == Meaning::function && held->kind == CapturedName::Kind::function));
        return is_better && at->assignments <= 1 ? rules_.captured(*held) : at->value;
    }
    SourceValue global;
    global.meaning = Meaning::global;
    global.text = name;
    return global;
}

// A value goes where it is not followed.
void SourceWalker::hand_out(const SourceValue& value) {
    if (is_handle(value)) given_.insert(value.component);
    if (value.meaning == Meaning::components || value.meaning == Meaning::import) has_computed_names_ = true;
    if (value.is_access() && rules_.use() != nullptr) rules_.use()->escapes = true;
}

void SourceWalker::hand_to_call(const SourceValue& of, std::string_view name,
                                const std::vector<Argument>& given, bool was_read) {
    const bool looks = SourceRules::only_looks(of, name);
    for (const Argument& argument : given) {
        if (is_handle(argument.value)) {
            if (!looks) given_.insert(argument.value.component);
        } else if (!was_read) {
            hand_out(argument.value);
        }
    }
}

// ---- statements -------------------------------------------------------------------------------------------

void SourceWalker::block() {
    const Names before = names_;
    while (!ends_block()) statement();
    names_ = before;
}

void SourceWalker::statement() {
    const LuaToken token = peek();
    if (token.is("if")) return if_statement();
    if (token.is("for")) return for_statement();
    if (token.is("function")) return function_statement();
    if (token.is("local")) return local_statement();
    if (token.is("while")) {
        take();
        expression();
        expect("do");
        block();
        return expect("end");
    }
    if (token.is("do")) {
        take();
        block();
        return expect("end");
    }
    if (token.is("repeat")) {
        take();
        const Names before = names_;
        while (!ends_block()) statement();
        expect("until");
        expression();  // sees the locals of the body
        names_ = before;
        return;
    }
    if (token.is("return")) {
        take();
        if (!ends_block() && !peek().is(";"))
            for (const Argument& result : expressions()) hand_out(result.value);
        accept(";");
        return;
    }
    if (token.is("break") || token.is(";")) {
        take();
        return;
    }
    if (token.is("goto") || token.is("::")) {
        take();
        take();
        accept("::");
        return;
    }
    expression_statement();
}

void SourceWalker::if_statement() {
    do {
        take();  // if, elseif
        expression();
        expect("then");
        block();
    } while (peek().is("elseif"));
    if (accept("else")) block();
    expect("end");
}

void SourceWalker::for_statement() {
    take();
    const Names before = names_;
    std::vector<std::string_view> variables{take().text};
    while (accept(",")) variables.push_back(take().text);
    if (!accept("=")) expect("in");
    expressions();
    for (const std::string_view variable : variables) declare(variable, {});
    expect("do");
    block();
    expect("end");
    names_ = before;
}

void SourceWalker::function_statement() {
    take();
    Names local = nullptr;
    const std::string_view name = take().text;
    value_of(name, local);
    bool is_plain = true, has_self = false;
    std::string_view field;
    while (peek().is(".") || peek().is(":")) {
        has_self = take().is(":");
        field = take().text;
        is_plain = false;
    }
    if (!is_plain) count_field(std::string(field), false);
    const SourceValue made = function(has_self);
    if (!is_plain || local == nullptr) return;
    local->value = made;
    if (is_first_walk_) ++local->assignments;
}

void SourceWalker::local_statement() {
    take();
    if (accept("function")) {
        declare(take().text, {});
        const Names own = names_;
        own->value = function(false);
        return;
    }
    std::vector<std::string_view> variables;
    do {
        variables.push_back(take().text);
    } while (accept(","));
    std::vector<Argument> values;
    if (accept("=")) values = expressions();
    for (std::size_t i = 0; i < variables.size(); ++i)
        declare(variables[i], i < values.size() ? values[i].value : SourceValue{}, values.empty() ? 0 : 1);
}

void SourceWalker::expression_statement() {
    std::vector<Place> places{suffixed()};
    std::vector<int> at{line()};
    if (!peek().is("=") && !peek().is(",")) return;
    while (accept(",")) {
        at.push_back(line());
        places.push_back(suffixed());
    }
    at.front() = line();
    expect("=");
    const std::vector<Argument> values = expressions();
    for (std::size_t i = 0; i < places.size(); ++i)
        set(places[i], i < values.size() ? values[i].value : SourceValue{}, at[i]);
}

void SourceWalker::set(const Place& place, const SourceValue& value, int at) {
    if (place.local != nullptr && !place.is_indexed) {
        if (!(place.local->value == value)) place.local->value = {};
        if (is_first_walk_) ++place.local->assignments;
        return;
    }
    if (place.is_indexed && place.key.meaning == Meaning::text) count_field(place.key.text, true);
    if (place.is_indexed) rules_.assign(place.of, place.key, at);
    hand_out(value);
}

// ---- expressions ------------------------------------------------------------------------------------------

std::vector<Argument> SourceWalker::expressions() {
    std::vector<Argument> list;
    do {
        list.push_back(expression());
    } while (accept(","));
    return list;
}

// `a and b` is b where it is not false; `a or b` is certain when both are the same.
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
        operand();
        return {};
    }
    if (token.kind == LuaTokenKind::text) {
        take();
        return {literal(token.text), false, {}};
    }
    if (token.is("{")) return table();
    if (token.is("function")) {
        take();
        return {function(false), false, {}};
    }
    const bool is_constant = token.kind == LuaTokenKind::number || token.is("nil") || token.is("true") ||
                             token.is("false") || token.is("...");
    if (is_constant) {
        take();
        return {};
    }
    return {suffixed().value, false, {}};
}

SourceWalker::Place SourceWalker::primary() {
    Place place;
    const LuaToken token = take();
    if (token.is("(")) {
        place.value = expression().value;
        expect(")");
    } else if (token.kind == LuaTokenKind::name) {
        place.value = value_of(token.text, place.local);
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
    if (peek().kind == LuaTokenKind::text) return {{literal(take().text), false, {}}};
    if (peek().is("{")) return {table()};
    std::vector<Argument> list;
    expect("(");
    if (!peek().is(")")) list = expressions();
    expect(")");
    return list;
}

// A function of the mod is read again when it is given data.
SourceValue SourceWalker::call(const SourceValue& callee, const std::vector<Argument>& given, int at) {
    SystemUse* const use = rules_.use();
    const bool is_given_data =
        use != nullptr && std::ranges::any_of(given, [](const Argument& argument) {
            return argument.value.is_access() || argument.value.meaning == Meaning::commands;
        });
    bool was_read = false;
    if (callee.meaning == Meaning::function && is_given_data) {
        std::vector<SourceValue> parameters;
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
    made.is_table = true;
    expect("{");
    while (!peek().is("}") && peek().kind != LuaTokenKind::end) {
        const bool is_named = peek().kind == LuaTokenKind::name && peek(1).is("=");
        std::size_t depth = table_keys_.size();
        if (is_named) {
            made.keys.push_back({std::string(peek().text), line()});
            count_field(made.keys.back().name, false);
            table_keys_.emplace_back(take().text);
            take();
        } else if (peek().is("[")) {
            take();
            expression();
            expect("]");
            expect("=");
        }
        const SourceValue value = expression().value;
        const bool asks = std::ranges::any_of(table_keys_, [](const std::string& key) {
            return std::ranges::find(kQueryKeys, key) != kQueryKeys.end();
        });
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
    // The line of the word itself: names may stand between it and the parameters.
    for (std::size_t at = position_; at > 0; --at) {
        if (!tokens_[at].is("function")) continue;
        made.first_line = lines_[at];
        break;
    }
    made.value.meaning = has_self ? Meaning::unknown : Meaning::function;
    made.value.token = position_;
    made.value.names = names_;
    const Names before = names_;
    const std::vector<std::string> keys = std::exchange(table_keys_, {});
    body({}, has_self);
    table_keys_ = keys;
    names_ = before;
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
