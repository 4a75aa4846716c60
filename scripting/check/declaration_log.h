// The declarations of a mod's files while loading, for tools that check source text without running it.
//
// Invariant: plain data, filled by scripts/runtime/tools/check.lua when ScriptRuntimeConfig::declarations is
// set. Such a runtime is for inspection only: faulty declarations are recorded and loading continues, the
// nearest name replaces an unknown one, and no lifecycle callback of a system is called, not even on_create.
#pragma once

#include "ecs/schedule/system.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace perigee {

/// An upvalue of a function, or a field of a table, with its value when the first system that leads to it was
/// declared.
struct CapturedName {
    enum class Kind : std::uint8_t { component, components, ecs, import, service, function, table };
    /// The kinds as scripts/runtime/tools/check.lua reports them.
    static constexpr std::array<std::string_view, 7> kKindNames{"component", "components", "ecs",  "import",
                                                                "service",   "function",   "table"};
    std::string name;
    Kind kind = Kind::component;
    ComponentId component;  ///< for a component
    /// For an import: "weather", or "weather.components" for its table; for a service: "weather:forecast".
    std::string text;
    std::size_t number = 0;  ///< for a function or a table: its index in the log
};

/// A function of a mod.
struct KnownFunction {
    std::string file;  ///< "main.lua"
    int first_line = 0;
    int last_line = 0;
    std::vector<CapturedName> captured;
};

/// A table of a mod, such as a module, with its relevant fields.
struct KnownTable {
    std::vector<CapturedName> fields;
};

/// A function in a declaration.
struct DeclaredFunction : KnownFunction {
    std::string word;  ///< "run", "run_if", "on_create", …
};

/// A named query of a system.
struct DeclaredQuery {
    std::string name;
    QueryDesc desc;
    bool takes_runs = false;
};

struct DeclaredSystem {
    std::string mod;
    std::string file;  ///< where it is declared; empty when unknown
    int line = 0;
    bool is_presentation = false;
    bool takes_runs = false;
    SystemDesc desc;                     ///< without functions
    std::vector<DeclaredQuery> queries;  ///< whose access is part of that of `desc`
    std::vector<std::string> services;   ///< services that it may call, "weather:forecast"
    std::vector<DeclaredFunction> functions;
};

/// What a patch sets: a whole component, or one field.
struct PatchedPart {
    ComponentId component;
    std::string field;  ///< empty: the whole component
};

struct DeclaredPatch {
    std::string mod;
    std::string file;
    int line = 0;
    std::string prefab;  ///< "mod:Name", as written
    std::vector<PatchedPart> given;
    std::vector<ComponentId> taken;  ///< `without`
};

/// An error found in the code of the mod's functions.
struct CodeFinding {
    std::string mod;
    std::string file;
    int line = 0;
    std::string message;
    bool is_note = false;  ///< a note; otherwise a warning
};

struct DeclarationLog {
    std::vector<DeclaredSystem> systems;
    std::vector<DeclaredPatch> patches;
    /// The functions reachable from functions of systems, of all mods.
    std::vector<KnownFunction> functions;
    std::vector<KnownTable> tables;
    /// Changes by presentation of data that simulation reads (scripts/runtime/tools/sharing.lua).
    std::vector<CodeFinding> findings;
};

}  // namespace perigee
