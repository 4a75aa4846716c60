// What a mod's files declared while they were loaded, for tools that judge source text without running it.
//
// Invariant: plain data, filled by scripts/runtime/check.lua when ScriptRuntimeConfig::declarations is set.
// Such a runtime is for looking only: declarations that are wrong are noted and loading goes on, the nearest
// name stands for an unknown one, and no word of a system's life is called, on_create included.
#pragma once

#include "ecs/system.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace perigee {

/// A variable that a function took from around it, or a field of a table, and what it held when the first
/// system that leads to it was declared.
struct CapturedName {
    enum class Kind : std::uint8_t { component, components, ecs, import, service, function, table };
    std::string name;
    Kind kind = Kind::component;
    ComponentId component;  ///< of a component
    /// Of an import: "weather", or "weather.components" for its table; of a service: "weather:forecast".
    std::string text;
    std::size_t number = 0;  ///< of a function or a table: its place in the log
};

/// A function of a mod.
struct KnownFunction {
    std::string file;  ///< "main.lua"
    int first_line = 0;
    int last_line = 0;
    std::vector<CapturedName> captured;
};

/// A table of a mod, such as a module: what its fields hold, as far as that is of interest.
struct KnownTable {
    std::vector<CapturedName> fields;
};

/// One function of a declaration.
struct DeclaredFunction : KnownFunction {
    std::string word;  ///< "run", "run_if", "on_create", …
};

struct DeclaredSystem {
    std::string mod;
    std::string file;  ///< where it is declared; empty when unknown
    int line = 0;
    bool is_presentation = false;
    bool takes_runs = false;
    SystemDesc desc;                    ///< without functions
    std::vector<std::string> services;  ///< that it may call, "weather:forecast"
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

/// A mistake that was found in the code of the mod's functions.
struct CodeFinding {
    std::string mod;
    std::string file;
    int line = 0;
    std::string message;
    bool is_note = false;  ///< nothing is wrong; else a warning
};

struct DeclarationLog {
    std::vector<DeclaredSystem> systems;
    std::vector<DeclaredPatch> patches;
    /// Those that functions of systems lead to, of all mods.
    std::vector<KnownFunction> functions;
    std::vector<KnownTable> tables;
    /// What presentation changes that simulation reads (scripts/runtime/sharing.lua).
    std::vector<CodeFinding> findings;
};

}  // namespace perigee
