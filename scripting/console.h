// A console of one mod: runs lines of Lua outside of systems, shows what they give, and completes names.
//
// Invariant: showing and completing call nothing of the mod; only the line itself runs, within the mod's
// budget. Not here: editing, history and drawing (engine/console.h, game/repl.h).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace perigee {

class ScriptRuntime;

struct ConsoleAnswer {
    std::vector<std::string> lines;  ///< what it printed, then a value each, of one or several lines of text
    std::vector<std::string> errors;
    bool may_have_changed = false;  ///< it ran, and may have done more than look at the world
};

/// The values of an expression, or nothing for a statement. `ecs`, `C` (ecs.components) and `world`
/// (ecs.world) need no require. Expects: no system is running.
ConsoleAnswer evaluate(ScriptRuntime& scripts, std::string_view mod, std::string_view line);

struct Completion {
    std::vector<std::string> words;  ///< sorted; empty: nothing is known
    std::size_t replaced = 0;        ///< bytes at the end of the line that each of them stands for
    /// How the line goes on with what all words have in common.
    std::string extend(std::string_view line) const;
};

/// What the name at the end of the line can become. The same.
Completion complete(ScriptRuntime& scripts, std::string_view mod, std::string_view line);

}  // namespace perigee
