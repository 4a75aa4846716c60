// Mistakes come as text, a line each: "game/schema.lua:12: text".
#include "scripting/mods/internal/mod_load.h"

#include "ecs/base/counted.h"
#include "scripting/base/error_codes.h"
#include "scripting/sandbox/bind.h"

#include <fmt/format.h>
#include <lua.hpp>

#include <charconv>
#include <utility>

namespace perigee::internal {

namespace {

/// "game/schema.lua:12: text", the format of errors from scripts/runtime/data/schema.lua.
ScriptError error_from_line(const std::string& mod, std::string_view line) {
    ScriptError error = plain_error(mod, std::string(line));
    if (!line.starts_with(mod + "/")) return error;
    const std::size_t colon = line.find(':', mod.size());
    const std::size_t text = line.find(": ", colon == std::string_view::npos ? 0 : colon);
    if (colon == std::string_view::npos || text == std::string_view::npos) return error;
    error.file = line.substr(mod.size() + 1, colon - mod.size() - 1);
    std::from_chars(line.data() + colon + 1, line.data() + text, error.line);
    error.message = line.substr(text + 2);
    return error;
}

// Mistakes come one per line; a line that begins with blanks belongs to the one before (layouts, for
// example).
void append_mistakes(std::vector<ScriptError>& errors, const std::string& mod, std::string_view lines) {
    constexpr std::size_t kMaxShown = 100;
    std::size_t mistakes = 0;
    while (!lines.empty()) {
        const std::size_t end = lines.find('\n');
        const std::string_view line = lines.substr(0, end);
        lines = end == std::string_view::npos ? std::string_view{} : lines.substr(end + 1);
        ScriptError error = error_from_line(mod, line);
        const bool goes_on = error.line == 0 && !errors.empty() && errors.back().line != 0;
        if (!goes_on && ++mistakes > kMaxShown) continue;
        if (!goes_on) {
            errors.push_back(std::move(error));
        } else if (mistakes <= kMaxShown) {
            errors.back().message += "\n" + std::string(line);
        }
    }
    if (mistakes > kMaxShown)
        errors.push_back(plain_error(
            mod, fmt::format(messages::kMoreMistakes, counted(mistakes - kMaxShown, "more mistake"))));
}

}  // namespace

ScriptError plain_error(std::string_view mod, std::string message) {
    ScriptError error;
    error.mod = mod;
    error.message = std::move(message);
    return error;
}

/// The errors recorded by schema.lua since the last call.
void take_mistakes(ScriptState& state, std::vector<ScriptError>& errors) {
    state.push_runtime("declared", "take_mistakes");
    if (auto error = state.call(0, 1)) {
        errors.push_back(std::move(*error));
        return;
    }
    const std::string lines(text_at(state.lua(), -1));
    lua_pop(state.lua(), 1);
    append_mistakes(errors, state.mod(), lines);
}

/// update(dt) and draw() of a sketch become systems.
void declare_sketch(ScriptState& state, std::vector<ScriptError>& errors) {
    state.push_runtime("system", "declare_sketch");
    state.push_environment();
    if (auto error = state.call(1, 0)) errors.push_back(std::move(*error));
}

}  // namespace perigee::internal
