// The script API as described by the annotations for editors (scripts/stubs): names of functions, methods and
// fields, and the kinds of arguments they take. It is the only such list that code reads; tests compare it
// with the actual functions and with docs/lua-api.md.
//
// It reads a part of LuaCATS: `---@class`, `---@field`, `---@alias`, `---@param` with `?`, `|`, quoted texts
// and ranges in the description ("above 0", "at least 0", "0 to 1"), `---@overload`, and the function lines
// below them. Everything else is skipped. Not here: the meaning of values (internal/source_value.h).
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perigee {

/// The values that a parameter or field accepts.
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
    std::vector<std::vector<ApiName>> overloads;  ///< other parameters that it accepts
};

struct ApiClass {
    std::vector<ApiFunction> functions;
    std::vector<ApiName> fields;

    const ApiFunction* function(std::string_view name) const noexcept;
    const ApiName* field(std::string_view name) const noexcept;
    /// Names of functions and fields. Lifetime: the class's.
    std::vector<std::string_view> names() const;
};

/// Classes by their annotated names: "gfx", "perigee.Context".
class ApiTable {
public:
    /// Adds the annotations of a file.
    void read(std::string_view text);

    /// Null when there is none. Lifetime: until the next read.
    const ApiClass* find(std::string_view name) const;
    const std::map<std::string, ApiClass, std::less<>>& classes() const noexcept { return classes_; }
    /// The words of an alias, "perigee.Color" -> "integer", "string"; null when there is no such alias.
    const std::vector<std::string>* alias(std::string_view name) const;

private:
    std::map<std::string, ApiClass, std::less<>> classes_;
    std::map<std::string, std::vector<std::string>, std::less<>> aliases_;
};

}  // namespace perigee
