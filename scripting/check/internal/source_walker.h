// Follows values through the source of one Lua file, statement by statement, once.
//
// Invariant: the source has compiled; text that this grammar does not know ends the walk without a finding. A
// local that is assigned again is unknown from then on, so branches and loops need no second pass. Functions
// are read at their definition with unknown parameters, and again for each call that passes them data and for
// each system that uses them. Not here: the meaning of an access (source_value.h).
#pragma once

#include "scripting/check/internal/source_globals.h"
#include "scripting/check/internal/source_value.h"
#include "scripting/lua/internal/lua_lexer.h"

#include <deque>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace perigee::internal {

class SourceWalker {
public:
    /// Lifetime: `file` and `rules` must outlive the walker. Expects: check_syntax finds no error.
    SourceWalker(const SourceFile& file, SourceRules& rules);

    /// Reads the whole file.
    void walk();
    /// Reads the function of a declaration with its arguments; does nothing if it cannot be identified.
    /// Expects: walk().
    void walk_function(const DeclaredFunction& function, SystemUse& use);

    /// Reads a function that code of a system calls with these values. False if it cannot be identified, is
    /// already being read, or the limit of calls is reached.
    bool follow(const KnownFunction& function, const std::vector<SourceValue>& parameters, SystemUse& use);

    /// How often fields of a name are set in the file: by assignment, and in total.
    struct FieldCount {
        int assigned = 0;
        int all = 0;
    };
    const std::map<std::string, FieldCount>& fields() const noexcept { return fields_; }

    /// Components that the file gives to entities, or might give.
    const std::set<ComponentId>& given() const noexcept { return given_; }
    /// Plain names that are not locals, in file order. Lifetime: the walker's.
    const std::vector<GlobalUse>& globals() const noexcept { return globals_; }
    /// Calls of functions of tables that are globals, such as math.floor. Lifetime: the walker's.
    const std::vector<LibraryCall>& library_calls() const noexcept { return library_calls_; }
    /// Names that the file gives to input.action.
    const std::set<std::string>& actions() const noexcept { return actions_; }
    bool has_computed_actions() const noexcept { return has_computed_actions_; }

    /// True if components are looked up by computed names.
    bool has_computed_names() const noexcept { return has_computed_names_; }

private:
    using Names = Binding*;
    struct Function {
        int first_line;
        int last_line;
        SourceValue value;
        bool has_self = false;
    };
    /// An expression that may be on the left of '='.
    struct Place {
        SourceValue value;
        Names local = nullptr;       ///< of a plain name that is a local
        std::ptrdiff_t global = -1;  ///< of a plain name that is not: index in globals_
        SourceValue of;
        SourceValue key;
        bool is_indexed = false;
    };

    // ---- tokens ----
    const LuaToken& peek(std::size_t ahead = 0) const noexcept;
    LuaToken take();
    bool accept(std::string_view symbol);
    void expect(std::string_view symbol);
    void give_up() noexcept { position_ = tokens_.size() - 1; }
    int line() const noexcept { return lines_[position_]; }
    bool ends_block() const noexcept;

    // ---- names ----
    void declare(std::string_view name, SourceValue value, int assignments = 0);
    SourceValue value_of(std::string_view name, Names& local) const;

    // ---- grammar ----
    void block();
    void statement();
    void local_statement();
    void function_statement();
    void for_statement();
    void if_statement();
    void expression_statement();
    void set(const Place& place, const SourceValue& value, int at);
    std::vector<Argument> expressions();
    Argument expression();
    Argument operand();
    Place suffixed();
    Place primary();
    Argument table();
    SourceValue function(bool has_self);
    void body(const std::vector<SourceValue>& parameters, bool has_self);
    std::vector<Argument> arguments();
    SourceValue call(const SourceValue& callee, const std::vector<Argument>& given, int at);
    const Function* find_function(const KnownFunction& function) const;
    bool read_body(const SourceValue& function, const KnownFunction* target, Names outside, bool has_self,
                   const std::vector<SourceValue>& parameters, SystemUse& use);
    void find_actions();
    void note_global(std::string_view name, int at, bool is_defined);
    bool ends_with_many() const noexcept;
    void count_field(const std::string& name, bool is_assigned);
    void hand_out(const SourceValue& value);
    void hand_to_call(const SourceValue& of, std::string_view name, const std::vector<Argument>& given,
                      bool was_read);

    SourceRules& rules_;
    std::vector<LuaToken> tokens_;
    std::vector<int> lines_;  ///< of tokens
    std::size_t position_ = 0;
    std::deque<Binding> bindings_;  ///< all that were ever declared
    Names names_ = nullptr;
    std::vector<Function> functions_;
    std::vector<std::string> table_keys_;  ///< those around the current table, outermost first
    std::map<std::string, FieldCount> fields_;
    std::set<ComponentId> given_;
    bool has_computed_names_ = false;
    std::vector<GlobalUse> globals_;
    std::vector<LibraryCall> library_calls_;
    std::vector<std::size_t> functions_around_;  ///< tokens, outermost first
    std::set<std::string> actions_;
    bool has_computed_actions_ = false;
    bool is_first_walk_ = true;
    // the function of a system being read
    const KnownFunction* target_ = nullptr;
    Names outside_ = nullptr;
};

}  // namespace perigee::internal
