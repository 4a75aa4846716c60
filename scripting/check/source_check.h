// Finds errors in the source of mods without running it.
//
// The meaning of names comes from two sources. The declarations of the mods
// (scripting/check/declaration_log.h) say which function belongs to which system and what it may access. The
// text is followed through locals, aliases
// (`local pos = chunk.Position`), rows, and functions of the same file called with any of these. Invariant:
// every finding is an error whenever its line runs; an ambiguous value gives no finding. So the absence of
// findings proves nothing. Not here: more than one syntax error per file, values, types of values.
#pragma once

#include "ecs/base/result.h"
#include "scripting/base/script_error.h"

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
    std::string file;  ///< inside the mod; empty if it concerns none
    int line = 0;      ///< from 1; 0 when unknown
    std::string message;
    std::string system{};  ///< that it concerns; empty if it does not depend on one

    /// "system 'move': chunk: 'Positoin' is not in its query"
    std::string text() const;
};

struct SourceFile {
    std::string mod;
    std::string path;
    std::string text;
};

/// The first syntax error in a file, if there is one.
std::optional<ScriptError> check_syntax(const SourceFile& file);

/// Describes the world and its mods for check_sources. `root` is the name of the first mod.
struct SourceContext {
    const World& world;
    const Schedule& schedule;
    const DeclarationLog& log;
    std::string root;
    /// The result of Schedule::unordered_writes; may be empty.
    std::span<const UnorderedWrites> unordered;
    /// True if a mod lists the other one as a dependency.
    std::function<bool(std::string_view mod, std::string_view other)> uses;
    /// The parameters of calls (scripts/stubs). Null: names of calls and their arguments are not checked.
    const ApiTable* api = nullptr;
    /// Globals that exist before any file of a mod runs, and the fields of their tables, as "math.floor";
    /// empty: globals are not checked.
    std::vector<std::string> globals{};
    /// The same for the root mod if it may use all of Lua; empty: it has those of any mod.
    std::vector<std::string> trusted_globals{};
    /// Why a text is not a valid "perigee.Color", "perigee.ImagePath" and so on for a mod; empty if it is
    /// valid.
    std::function<std::string(std::string_view mod, std::string_view type, std::string_view text)> refusal{};
};

/// The global names of every mod's sandbox, without engine modules, or those of a trusted game.
std::vector<std::string> library_globals(bool is_trusted = false);

/// All findings in all files, ordered by mod as given, file and line. Files with a syntax error are skipped.
std::vector<SourceFinding> check_sources(const SourceContext& context, std::span<const SourceFile> files);

}  // namespace perigee
