// What the reader of source knows about a value, and what may be done with it.
//
// Invariant: `unknown` is always a right answer; everything else is certain on the path that was read. Not
// here: the grammar (source_walker.h).
#pragma once

#include "ecs/schema.h"
#include "ecs/system.h"
#include "scripting/declaration_log.h"
#include "scripting/source_check.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perigee::internal {

/// A component, or a part of it on the way from the whole to a single value.
struct SchemaPart {
    const Schema* schema = nullptr;
    const Field* field = nullptr;  ///< null: the whole
    bool is_element = false;       ///< of an array
    bool is_leaf = false;          ///< one machine value of a vector, colour or set of flags
    std::string path;

    bool is_array() const noexcept { return field != nullptr && field->array_length > 0 && !is_element; }
    /// Names of what it has inside; empty for a single value.
    std::vector<std::string> names() const;
    /// Expects: one of names().
    SchemaPart inside(std::string_view name) const;
    SchemaPart element() const;
    /// "component 'Body', field 'velocity.x'"
    std::string where() const;
};

enum class Meaning : std::uint8_t {
    unknown,
    text,        ///< a literal: `text`
    global,      ///< a name that no local has
    ecs,         ///< what require "ecs" gives
    ecs_entry,   ///< a function of it: `text`
    components,  ///< ecs.components
    import,      ///< what ecs.import gives: "weather", or "weather.components"
    handle,      ///< C.Position
    value,       ///< C.Position { … }
    chunk,
    batch,  ///< of a reaction to components
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
    ComponentId component;
    SchemaPart part;
    bool can_write = false;
    bool is_fixed = false;  ///< of columns: events that were delivered
    /// Of a function: where its parameters stand, and what it sees of the file.
    std::size_t token = 0;
    Binding* names = nullptr;
    /// Of a function or a table that was found in a variable when systems were declared. Lent by the log.
    const KnownFunction* known = nullptr;
    const KnownTable* table = nullptr;

    bool operator==(const SourceValue& other) const noexcept;
    /// Does it give its holder a way to data?
    bool is_access() const noexcept;
};

/// A local variable; those before it in the file are behind `next`. Lifetime: the walker's.
struct Binding {
    std::string_view name;
    SourceValue value;
    Binding* next = nullptr;
    int assignments = 0;  ///< that the file has, the one where it is declared included
};

/// A key of a table that was written out.
struct TableKey {
    std::string name;
    int line;
};

struct Argument {
    SourceValue value;
    bool is_table = false;
    std::vector<TableKey> keys;
};

/// What the functions of one system did, all together.
struct SystemUse {
    const DeclaredSystem* system = nullptr;
    std::set<ComponentId> touched;
    std::set<ComponentId> written;
    bool escapes = false;  ///< something was handed to code that was not read

    /// Who reads the functions of a file of the system's mod; null when that was not read.
    std::function<SourceWalker*(const std::string& file)> walker_of;
    std::set<std::pair<const SourceWalker*, std::size_t>> being_read;  ///< functions, by file and token
    int calls_left = 500;  ///< that may still be followed: calls within calls multiply
};

/// The rules: what an access gives, and what is wrong with it.
class SourceRules {
public:
    SourceRules(const SourceContext& context, std::string mod, std::vector<SourceFinding>& findings);

    void set_file(std::string file) { file_ = std::move(file); }
    /// The system whose function is read; null outside of systems.
    void set_use(SystemUse* use) noexcept { use_ = use; }
    SystemUse* use() const noexcept { return use_; }

    SourceValue handle(ComponentId id) const;
    SourceValue import(std::string text) const;
    /// What a variable or a field held.
    SourceValue captured(const CapturedName& name) const;
    /// What the functions of a system are called with.
    SourceValue chunk_of(const DeclaredSystem& system) const;

    SourceValue index(const SourceValue& of, const SourceValue& key, int line);
    void assign(const SourceValue& of, const SourceValue& key, int line);
    SourceValue call(const SourceValue& callee, const std::vector<Argument>& arguments, int line);
    SourceValue method(const SourceValue& of, const std::string& name, const std::vector<Argument>& arguments,
                       int line);

    /// Fields of this name are assigned in more than one place of the mod's files; what one held says little.
    void distrust_field(std::string name) { distrusted_.insert(std::move(name)); }

    /// Is a handle that is given to this call only looked up, so that no entity gets the component?
    static bool only_looks(const SourceValue& of, std::string_view name);

    void find(int line, std::string message, Severity severity = Severity::error);

private:
    enum class Allowed : std::uint8_t { none, read, write };
    Allowed allowed(ComponentId id) const;
    std::optional<ComponentId> component(std::string_view word) const;
    std::string nearest_component(std::string_view word) const;
    const Schema& schema(ComponentId id) const;
    SourceValue columns_of(ComponentId id, bool can_write) const;
    SourceValue index_chunk(const SourceValue& key, int line);
    SourceValue index_import(const SourceValue& of, const std::string& name, int line);
    SourceValue index_part(const SourceValue& of, const SourceValue& key, int line);
    SourceValue context_method(const std::string& name, const std::vector<Argument>& arguments, int line);
    bool expect_declared(ComponentId id, bool for_write, int line);
    void call_service(const std::string& name, int line);
    void check_keys(ComponentId id, const Argument& argument, int line);
    void expect_name(std::string_view whose, const std::string& name, std::span<const std::string_view> known,
                     int line);
    void read_only(const SourceValue& of, const std::string& path, int line);
    void touch(ComponentId id);
    void write(ComponentId id);

    const SourceContext& context_;
    std::string mod_;
    std::string file_;
    std::vector<SourceFinding>& findings_;
    SystemUse* use_ = nullptr;
    std::set<std::string, std::less<>> distrusted_;
};

}  // namespace perigee::internal
