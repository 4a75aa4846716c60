// Runs a script of tests/scripts in a fresh sandbox; the script fails the C++ test by raising an error.
// What scripts use to check things is tests/scripts/harness.lua.
#pragma once

#include "scripting/base/file_source.h"
#include "scripting/sandbox/state.h"

#include <catch2/catch.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace perigee {

/// A state whose files are tests/scripts. The log is kept.
struct LuaTest {
    explicit LuaTest(std::uint64_t seed = 1, ScriptLimits limits = {})
        : files(std::string(PERIGEE_SOURCE_DIR) + "/tests/scripts") {
        ScriptStateConfig config;
        config.mod = "test";
        config.files = &files;
        config.seed = seed;
        config.limits = limits;
        config.log = [this](const LogEntry& entry) { log.emplace_back(entry.text); };
        state = std::move(ScriptState::create(std::move(config))).value();
    }

    /// The error's text, or "" when the code ran through.
    std::string run(std::string_view code) {
        const std::optional<ScriptError> error = state->run_text(code, "inline.lua");
        return error ? error->text() : "";
    }

    DirectorySource files;
    std::vector<std::string> log;
    std::unique_ptr<ScriptState> state;
};

inline void run_script(std::string_view path) {
    LuaTest test;
    const std::optional<ScriptError> error = test.state->run_file(path);
    if (error) FAIL(error->text() << "\n" << error->traceback);
}

}  // namespace perigee
