// A recursive descent over Lua 5.1 that keeps values instead of a tree.
#include "scripting/check/internal/source_walker.h"

#include <algorithm>
#include <array>
#include <utility>

namespace perigee::internal {

namespace {

// Calls within calls multiply.
constexpr std::size_t kDeepestCall = 8;
constexpr int kMaxCalls = 500;

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
    find_actions();
}

// input.action("jump", …), before anything is checked: the name counts in all files.
void SourceWalker::find_actions() {
    for (std::size_t i = 0; i + 3 < tokens_.size(); ++i) {
        if (!tokens_[i].is(".") || tokens_[i + 1].text != "action" || !tokens_[i + 2].is("(")) continue;
        const LuaToken& name = tokens_[i + 3];
        if (name.kind == LuaTokenKind::text && name.text.size() >= 2)
            actions_.emplace(name.text.substr(1, name.text.size() - 2));
        else
            has_computed_actions_ = true;
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
    // Functions of a sketch are called with dt and ctx, or with ctx, and may use ecs.world.
    use.is_sketch = function.word == "update" || function.word == "draw";
    if (function.word == "run") parameters.insert(parameters.begin(), rules_.chunk_of(*use.system));
    if (function.word == "update") parameters.insert(parameters.begin(), SourceValue{});
    use.calls_left = kMaxCalls;
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

// For variables outside the function being read, their captured value counts. If a variable is assigned
// twice, its value is unknown; for a function its text does as well.
SourceValue SourceWalker::value_of(std::string_view name, Names& local) const {
    const CapturedName* capture = nullptr;
    for (Names at = names_;; at = at->next) {
        if (target_ != nullptr && capture == nullptr && at == outside_) {
            for (const CapturedName& each : target_->captured)
                if (each.name == name) capture = &each;
            const bool is_code = capture != nullptr && (capture->kind == CapturedName::Kind::function ||
                                                        capture->kind == CapturedName::Kind::table);
            if (capture != nullptr && !is_code) return rules_.captured(*capture);
        }
        if (at == nullptr) break;
        if (at->name != name) continue;
        local = at;
        // For a function, its own variables are known too.
        const bool is_better =
            capture != nullptr &&
            (at->value.meaning == Meaning::unknown ||
             (at->value.meaning == Meaning::function && capture->kind == CapturedName::Kind::function));
        return is_better && at->assignments <= 1 ? rules_.captured(*capture) : at->value;
    }
    return rules_.global(name);
}

void SourceWalker::note_global(std::string_view name, int at, bool is_defined) {
    if (!is_first_walk_) return;
    GlobalUse use;
    use.name = name;
    use.line = at;
    use.function = functions_around_.empty() ? 0 : functions_around_.back();
    use.locals = names_;
    use.is_defined = is_defined;
    // The name has been consumed: the next token is the one after it.
    constexpr std::array<std::string_view, 6> kTests{"then", "and", "or", "==", "~=", ")"};
    const LuaToken& next = peek();
    use.is_tested = std::ranges::any_of(kTests, [&](std::string_view word) { return next.is(word); });
    globals_.push_back(use);
}

// True if the expression just read ends like a call, which may give any number of values, or with `...`?
bool SourceWalker::ends_with_many() const noexcept {
    const LuaToken& last = tokens_[position_ > 0 ? position_ - 1 : 0];
    return last.is(")") || last.is("...") || last.is("}") || last.kind == LuaTokenKind::text;
}

// A value escapes to code that is not followed.
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
        if (token.is("::")) accept("::");
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
    const bool counts = accept("=");
    if (!counts) expect("in");
    const std::vector<Argument> values = expressions();
    for (std::size_t i = 0; i < variables.size(); ++i) {
        const bool is_item = !counts && i == 0 && !values.empty();
        declare(variables[i], is_item ? SourceRules::item_of(values.front().value) : SourceValue{});
    }
    expect("do");
    block();
    expect("end");
    names_ = before;
}

void SourceWalker::function_statement() {
    take();
    Names local = nullptr;
    const int at = line();
    const std::string_view name = take().text;
    value_of(name, local);
    if (local == nullptr) note_global(name, at, peek().is("("));
    bool is_plain = true, has_self = false;
    std::string_view field;
    while (peek().is(".") || peek().is(":")) {
        has_self = take().is(":");
        field = take().text;
        if (is_plain && local == nullptr) rules_.index(rules_.global(name), text_value(field), at);
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
    if (place.global >= 0 && is_first_walk_) globals_[static_cast<std::size_t>(place.global)].is_set = true;
    if (place.is_indexed && place.key.meaning == Meaning::text) count_field(place.key.text, true);
    if (place.is_indexed) rules_.assign(place.of, place.key, at);
    hand_out(value);
}

}  // namespace perigee::internal
