// What a mod's files declared while they were loaded, for tools that judge source text without running it.
//
// Invariant: plain data, filled by scripts/runtime/check.lua when ScriptRuntimeConfig::declarations is set.
// Such a runtime is for looking only: declarations that are wrong are noted and loading goes on, the nearest
// name stands for an unknown one, and no word of a system's life is called, on_create included.
#pragma once

#include "ecs/system.h"

#include <cstdint>
#include <string>
#include <vector>

namespace perigee {

/// A variable that a function took from around it, and what it held when the system was declared.
struct CapturedName {
    enum class Kind : std::uint8_t { component, components, ecs, import };
    std::string name;
    Kind kind = Kind::component;
    ComponentId component;  ///< of a component
    std::string text;       ///< of an import: "weather", or "weather.components" for its table
};

/// One function of a declaration.
struct DeclaredFunction {
    std::string word;  ///< "run", "run_if", "on_create", …
    std::string file;  ///< "main.lua"
    int first_line = 0;
    int last_line = 0;
    std::vector<CapturedName> captured;
};

struct DeclaredSystem {
    std::string mod;
    std::string file;  ///< where it is declared; empty when unknown
    int line = 0;
    bool is_presentation = false;
    bool takes_runs = false;
    SystemDesc desc;  ///< without functions
    std::vector<DeclaredFunction> functions;
};

/// What a patch gives a component: a whole value, or one field.
struct PatchedPart {
    ComponentId component;
    std::string field;  ///< empty: the whole
};

struct DeclaredPatch {
    std::string mod;
    std::string file;
    int line = 0;
    std::string prefab;  ///< "mod:Name", as written
    std::vector<PatchedPart> given;
    std::vector<ComponentId> taken;  ///< `without`
};

struct DeclarationLog {
    std::vector<DeclaredSystem> systems;
    std::vector<DeclaredPatch> patches;
};

}  // namespace perigee
