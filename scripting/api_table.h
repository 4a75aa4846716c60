// What scripts can call, as the annotations for editors say it (scripts/stubs): the names of functions,
// methods and fields, and what kinds of arguments they take. The one list of them that code reads; tests hold
// it against the functions that there are and against docs/lua-api.md.
//
// Read of LuaCATS: `---@class`, `---@field`, `---@alias`, `---@param` with `?`, `|`, texts in quotes and
// ranges in the words of the description ("above 0", "at least 0", "0 to 1"), and the function lines below
// them. Everything else is passed over. Not here: what values mean (source_arguments.h).
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perigee {

/// What a parameter or field takes.
struct ApiType {
    std::vector<std::string> words;  ///< "number", "perigee.Color", "\"fill\"": one of these
    bool is_optional = false;
    std::optional<double> minimum;
    std::optional<double> maximum;
    bool excludes_minimum = false;  ///< "above 0"
};

struct ApiName {
    std::string name;
    ApiType type;
};

struct ApiFunction {
    std::string name;
    bool is_method = false;
    bool takes_more = false;  ///< ends with `...`
    std::vector<ApiName> parameters;
};

struct ApiClass {
    std::vector<ApiFunction> functions;
    std::vector<ApiName> fields;

    const ApiFunction* function(std::string_view name) const noexcept;
    const ApiName* field(std::string_view name) const noexcept;
    /// Of functions and fields. Lifetime: the class's.
    std::vector<std::string_view> names() const;
};

/// By the names that the annotations give them: "gfx", "perigee.Context".
class ApiTable {
public:
    /// Reads a file of annotations besides those read before.
    void read(std::string_view text);

    /// Null when there is none. Lifetime: until the next read.
    const ApiClass* find(std::string_view name) const;
    const std::map<std::string, ApiClass, std::less<>>& classes() const noexcept { return classes_; }
    /// The words of an alias, "perigee.Color" -> "integer", "string"; null when it is none.
    const std::vector<std::string>* alias(std::string_view name) const;

private:
    std::map<std::string, ApiClass, std::less<>> classes_;
    std::map<std::string, std::vector<std::string>, std::less<>> aliases_;
};

}  // namespace perigee
