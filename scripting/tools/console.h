// A console for one mod: runs lines of Lua outside systems, shows their results, and completes names.
//
// Invariant: showing and completing never call code of the mod; only the line itself runs, within the mod's
// budget. Not here: editing, history and drawing (engine/tools/console.h, game/commands/repl.h).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace perigee {

class ScriptRuntime;

struct ConsoleAnswer {
    std::vector<std::string> lines;  ///< its output, then one entry per value, of one or more lines of text
    std::vector<std::string> errors;
    bool may_have_changed = false;  ///< it ran and may have changed the world
};

/// The values of an expression, or nothing for a statement. `ecs`, `C` (ecs.components) and `world`
/// (ecs.world) need no require. Expects: no system is running.
ConsoleAnswer evaluate(ScriptRuntime& scripts, std::string_view mod, std::string_view line);

struct Completion {
    std::vector<std::string> words;  ///< sorted; empty: no candidates
    std::size_t replaced = 0;        ///< bytes at the end of the line that each of them replaces
    /// The line extended by the common prefix of all words.
    std::string extend(std::string_view line) const;
};

/// Completions of the name at the end of the line. Expects: no system is running.
Completion complete(ScriptRuntime& scripts, std::string_view mod, std::string_view line);

}  // namespace perigee
