// Checks the globals of a mod's files: those read but never set, those set but meant as locals, and functions
// that are never called.
//
// Invariant: a name that a file of the mod sets outside functions, or defines as a function, is never
// reported; neither is a library function whose name a file assigns to a field. Not here: fields of other
// tables, and names in texts compiled by load.
#pragma once

#include "scripting/check/internal/source_value.h"

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perigee::internal {

/// One use of a plain name that is not a local.
struct GlobalUse {
    std::string_view name;
    int line = 0;
    std::size_t function = 0;   ///< token of the function around it; 0: the file itself
    Binding* locals = nullptr;  ///< locals in scope there
    bool is_set = false;
    bool is_defined = false;  ///< by `function name()`
    bool is_tested = false;   ///< only tested for existence
};

/// A call such as math.floor(x), if no local is named `math`.
struct LibraryCall {
    std::string library;
    std::string name;
    int line = 0;
};

/// The globals of one mod, or of one test file, which has a separate state.
class SourceGlobals {
public:
    /// Lifetime: the uses must outlive this. `rules`: those of the file, which report the findings.
    void add(SourceRules& rules, const std::vector<GlobalUse>& uses);
    void add(SourceRules& rules, const std::vector<LibraryCall>& calls);
    /// A field that a file of the mod assigns: it may have been added to a library.
    void add_field(std::string name) { fields_.insert(std::move(name)); }
    /// Expects: all files were added. `there`: names in the form of SourceContext::globals.
    void check(const std::vector<std::string>& there);

private:
    struct Place {
        SourceRules* rules;
        const GlobalUse* use;
    };
    struct Name {
        std::vector<Place> places;
        bool is_declared = false;  ///< set outside functions, or defined
        bool is_set = false;
        bool is_read = false;
    };
    void check_name(std::string_view name, const Name& known) const;
    void check_leak(std::string_view name, const Name& known) const;
    void check_definition(std::string_view name, const Name& known) const;
    void check_call(SourceRules& rules, const LibraryCall& call) const;
    std::string suggestion(const GlobalUse& use, bool among_all = true) const;

    std::map<std::string, Name, std::less<>> names_;
    std::vector<std::pair<SourceRules*, const LibraryCall*>> calls_;
    std::set<std::string, std::less<>> fields_;
    std::set<std::string, std::less<>> there_;
};

}  // namespace perigee::internal
