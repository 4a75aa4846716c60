// What the source check knows about a value, and which accesses it allows.
//
// Invariant: `unknown` is always correct; every other answer is certain on the path that was read. Not here:
// the grammar (source_walker.h).
#pragma once

#include "ecs/schedule/system.h"
#include "ecs/schema/schema.h"
#include "scripting/check/api_table.h"
#include "scripting/check/declaration_log.h"
#include "scripting/check/source_check.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perigee::internal {

/// A component, or a part of it down to a single value.
struct SchemaPart {
    const Schema* schema = nullptr;
    const Field* field = nullptr;  ///< null: the whole
    bool is_element = false;       ///< of an array
    bool is_leaf = false;          ///< one machine value of a vector, colour or set of flags
    std::string path;

    bool is_array() const noexcept { return field != nullptr && field->array_length > 0 && !is_element; }
    /// Names of its parts; empty for a single value.
    std::vector<std::string> names() const;
    /// Expects: one of names().
    SchemaPart inside(std::string_view name) const;
    SchemaPart element() const;
    /// "component 'Body', field 'velocity.x'"
    std::string where() const;
};

enum class Meaning : std::uint8_t {
    unknown,
    text,          ///< a literal: `text`
    number,        ///< a literal: `number`, and `text` as it is written
    nothing,       ///< nil, written out
    truth,         ///< true or false, written out
    global,        ///< a name that no local has
    module,        ///< an engine module such as gfx: `text`
    api,           ///< a function of one: "gfx.circle"
    world,         ///< ecs.world
    query,         ///< the result of ecs.query
    ecs,           ///< the result of require "ecs"
    ecs_entry,     ///< a function of it: `text`
    components,    ///< ecs.components
    import,        ///< the result of ecs.import: "weather", or "weather.components"
    handle,        ///< C.Position
    value,         ///< C.Position { … }
    chunk,         ///< `number`: of its named query, from 1; 0: of the system's own
    queries,       ///< ctx.queries
    named_query,   ///< one of them: `number`
    named_chunks,  ///< the result of its method chunks()
    batch,         ///< of a reaction to components
    context,
    commands,
    columns,  ///< of a part: indexed by row
    row,      ///< fields of a part
    buffers,  ///< a column of buffers
    buffer,
    function,
    table,    ///< of the mod, such as a module: `table`
    service,  ///< of another mod: "weather:forecast"
};

struct Binding;
class SourceWalker;

struct SourceValue {
    Meaning meaning = Meaning::unknown;
    std::string text;
    double number = 0;
    ComponentId component;
    SchemaPart part;
    bool can_write = false;
    bool is_fixed = false;  ///< of columns: events that were delivered
    /// For a function: the position of its parameters, and the scope that it sees.
    std::size_t token = 0;
    Binding* names = nullptr;
    /// For a function or table found in a variable when systems were declared. Borrowed from the log.
    const KnownFunction* known = nullptr;
    const KnownTable* table = nullptr;

    bool operator==(const SourceValue& other) const noexcept;
    /// True if it gives access to data.
    bool is_access() const noexcept;
};

/// A local variable; `next` links to the one declared before it. Lifetime: the walker's.
struct Binding {
    std::string_view name;
    SourceValue value;
    Binding* next = nullptr;
    int assignments = 0;  ///< in the file, including the declaration
};

struct TableKey;

struct Argument {
    SourceValue value;
    bool is_table = false;
    std::vector<TableKey> keys;
    bool is_literal = false;   ///< written as a literal: a text, a number, a table, …
    bool may_be_many = false;  ///< a call or `...`, which may give any number of values
};

/// A key of a table literal, and its value.
struct TableKey {
    std::string name;
    int line;
    Argument given;
};

/// What all functions of one system did together.
struct SystemUse {
    const DeclaredSystem* system = nullptr;
    std::set<ComponentId> touched;
    std::set<ComponentId> written;
    bool escapes = false;  ///< something was passed to code that was not read
    bool has_mistakes = false;
    bool is_sketch = false;

    /// The walker for a file of the system's mod; null if the file was not read.
    std::function<SourceWalker*(const std::string& file)> walker_of;
    std::set<std::pair<const SourceWalker*, std::size_t>> being_read;  ///< functions, by file and token
    int calls_left = 500;  ///< calls that may still be followed, since nested calls multiply
};

/// A text literal in the source.
inline SourceValue text_value(std::string_view text) {
    SourceValue value;
    value.meaning = Meaning::text;
    value.text = text;
    return value;
}

/// The rules: the result of an access, and its errors.
class SourceRules {
public:
    SourceRules(const SourceContext& context, std::string mod, std::vector<SourceFinding>& findings);

    void set_file(std::string file) { file_ = std::move(file); }
    /// The names of actions that the files declare; null: names of actions are not checked.
    void set_actions(const std::set<std::string, std::less<>>* actions) noexcept { actions_ = actions; }
    /// The system whose function is read; null outside systems.
    void set_use(SystemUse* use) noexcept { use_ = use; }
    SystemUse* use() const noexcept { return use_; }

    SourceValue handle(ComponentId id) const;
    SourceValue import(std::string text) const;
    /// The value of a captured variable or field.
    SourceValue captured(const CapturedName& name) const;
    /// The chunk argument of a system's functions.
    SourceValue chunk_of(const DeclaredSystem& system) const;
    /// The first variable of a loop over `value`.
    static SourceValue item_of(const SourceValue& value);

    SourceValue index(const SourceValue& of, const SourceValue& key, int line);
    void assign(const SourceValue& of, const SourceValue& key, int line);
    SourceValue call(const SourceValue& callee, const std::vector<Argument>& arguments, int line);
    SourceValue method(const SourceValue& of, const std::string& name, const std::vector<Argument>& arguments,
                       int line);

    /// Ignores the values of fields with this name, because the mod's files assign them in more than one
    /// place.
    void distrust_field(std::string name) { distrusted_.insert(std::move(name)); }

    /// True if the call only looks up the handle, so that no entity gets the component.
    static bool only_looks(const SourceValue& of, std::string_view name);

    /// True for the keys of a query or an access whose value is a list, such as `read`.
    bool is_list_of_access(std::string_view key) const;

    /// A plain name that is not a local: an engine module or some global.
    SourceValue global(std::string_view name) const;
    const SourceContext& context() const noexcept { return context_; }

    void find(int line, std::string message, Severity severity = Severity::error);
    /// True if a finding in this line begins with the text.
    bool has_found(int line, std::string_view beginning) const;

private:
    enum class Allowed : std::uint8_t { none, read, write };
    Allowed allowed(ComponentId id) const;
    std::optional<ComponentId> component(std::string_view word) const;
    std::string nearest_component(std::string_view word);
    const Schema& schema(ComponentId id) const;
    SourceValue columns_of(ComponentId id, bool can_write) const;
    SourceValue index_chunk(const SourceValue& of, const SourceValue& key, int line);
    SourceValue index_queries(const std::string& name, int line);
    SourceValue index_love(const SourceValue& of, const std::string& name, int line);
    SourceValue index_import(const SourceValue& of, const std::string& name, int line);
    SourceValue index_part(const SourceValue& of, const SourceValue& key, int line);
    SourceValue context_method(const std::string& name, const std::vector<Argument>& arguments, int line);
    bool expect_declared(ComponentId id, bool for_write, int line);
    void call_service(const std::string& name, int line);
    void look_for_changes(const SourceValue& what, int line);
    void check_keys(ComponentId id, const Argument& argument, int line);
    void check_field(const SchemaPart& part, const TableKey& key, int line);
    void check_arguments(std::string_view shown, const ApiFunction& function,
                         const std::vector<Argument>& arguments, int line);
    void check_parameters(std::string_view shown, const std::vector<ApiName>& parameters,
                          const std::vector<Argument>& arguments, int line);
    void check_argument(const ApiName& parameter, std::size_t number, std::string_view shown,
                        const Argument& argument, int line);
    void check_options(std::string_view type, std::string_view shown, const Argument& table, int line);
    /// Why a text is not valid for a type such as perigee.Color; empty if it is valid or unknown.
    std::string refusal_of(std::string_view type, std::string_view text) const;
    const ApiClass* api(std::string_view name) const;
    bool has_entry(std::string_view type, std::string_view name) const;
    void expect_name(std::string_view whose, std::string_view type, const std::string& name, int line);
    void expect_entry_of_context(const std::string& name, int line);
    void read_only(const SourceValue& of, const std::string& path, int line);
    void touch(ComponentId id);
    void write(ComponentId id);

    const SourceContext& context_;
    std::string mod_;
    std::string file_;
    std::vector<SourceFinding>& findings_;
    SystemUse* use_ = nullptr;
    std::size_t names_compared_ = 0;  // for suggestions of components
    std::map<std::string, std::string, std::less<>> suggested_;
    std::set<std::string, std::less<>> distrusted_;
    /// Types that the world does not have: a file declares them for a side world, or later.
    std::set<std::string, std::less<>> declared_elsewhere_;
    const std::set<std::string, std::less<>>* actions_ = nullptr;
};

}  // namespace perigee::internal
