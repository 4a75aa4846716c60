// What is wrong with the source of mods, found by reading it: nothing of it is run.
//
// What each name means is known from two sides: the declarations of the mods (scripting/declaration_log.h)
// say which function belongs to which system and what that one may touch, and the text is followed through
// locals, aliases (`local pos = chunk.Position`), rows, and functions of the same file that are called with
// any of these. Invariant: what is told is a mistake whenever its line runs; where a value could be one thing
// or another, nothing is told. So silence is no proof. Not here: syntax beyond one mistake per file, values,
// types of values.
#pragma once

#include "ecs/result.h"
#include "scripting/script_error.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perigee {

class ApiTable;
class Schedule;
class World;
struct DeclarationLog;
struct UnorderedWrites;

enum class Severity : std::uint8_t { error, warning, note };

struct SourceFinding {
    Severity severity = Severity::error;
    std::string mod;
    std::string file;  ///< inside the mod; empty when it is about none
    int line = 0;      ///< from 1; 0 when unknown
    std::string message;
};

struct SourceFile {
    std::string mod;
    std::string path;
    std::string text;
};

/// The first mistake of syntax in a file, if there is one.
std::optional<ScriptError> check_syntax(const SourceFile& file);

/// What the world and its mods are, for check_sources. `root` is the name of the first mod.
struct SourceContext {
    const World& world;
    const Schedule& schedule;
    const DeclarationLog& log;
    std::string root;
    /// Pairs that Schedule::unordered_writes found; may be empty.
    std::span<const UnorderedWrites> unordered;
    /// Does a mod name another in what it depends on?
    std::function<bool(std::string_view mod, std::string_view other)> uses;
    /// What calls take (scripts/stubs). Null: names of calls and their arguments are not judged.
    const ApiTable* api = nullptr;
    /// Globals that are there before any file of a mod has run, and what their tables hold, as "math.floor";
    /// empty: globals are not judged.
    std::vector<std::string> globals{};
    /// The same of the root mod, where it may use all of Lua; empty: it has those of any mod.
    std::vector<std::string> trusted_globals{};
    /// Why a text is no "perigee.Color", "perigee.ImagePath" and so on for a mod; empty when it is one.
    std::function<std::string(std::string_view mod, std::string_view type, std::string_view text)> refusal{};
};

/// The names of the sandbox that every mod has, engine modules apart, or those that a trusted game has.
std::vector<std::string> library_globals(bool is_trusted = false);

/// All findings of all files, by mod as they are given, file and line. Files with a mistake of syntax are
/// passed over.
std::vector<SourceFinding> check_sources(const SourceContext& context, std::span<const SourceFile> files);

}  // namespace perigee
