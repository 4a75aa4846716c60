// The globals that the files of a mod use: which are read and never set, which are set and meant as locals,
// and which are functions that nothing calls.
//
// Invariant: a name that some file of the mod sets outside of functions, or defines as a function, is never
// judged. Not here: fields of tables, and names in texts that load compiles.
#pragma once

#include "scripting/internal/source_value.h"

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace perigee::internal {

/// One place where a plain name stands that no local has.
struct GlobalUse {
    std::string_view name;
    int line = 0;
    std::size_t function = 0;   ///< token of the function around it; 0: the file itself
    Binding* locals = nullptr;  ///< those that are known there
    bool is_set = false;
    bool is_defined = false;  ///< by `function name()`
    bool is_tested = false;   ///< only asked whether it is there
};

/// Those of one mod, or of one file of tests, which has a state of its own.
class SourceGlobals {
public:
    /// Lifetime: the uses outlive this. `rules`: those of the file, which tell what is found.
    void add(SourceRules& rules, const std::vector<GlobalUse>& uses);
    /// Expects: all files were added.
    void check(const std::vector<std::string>& there);

private:
    struct Place {
        SourceRules* rules;
        const GlobalUse* use;
    };
    struct Name {
        std::vector<Place> places;
        bool is_declared = false;  ///< set outside of functions, or defined
        bool is_set = false;
        bool is_read = false;
    };
    void check_name(std::string_view name, const Name& known) const;
    void check_leak(std::string_view name, const Name& known) const;
    void check_definition(std::string_view name, const Name& known) const;
    std::string suggestion(const GlobalUse& use, bool among_all = true) const;

    std::map<std::string, Name, std::less<>> names_;
    std::set<std::string, std::less<>> there_;
};

}  // namespace perigee::internal
