// A ScriptState whose host table has the functions of scripting/tools/internal/test_api.h.
#include "scripting/tools/test_state.h"

#include "scripting/sandbox/bind.h"
#include "scripting/tools/internal/test_api.h"

#include <lua.hpp>

#include <utility>

namespace perigee {

namespace {

constexpr double kSecondsOfTest = 60;  // including the steps of its games

}  // namespace

TestState::TestState(std::string mod, TestActions actions)
    : mod_(std::move(mod)), actions_(std::move(actions)), home_(new internal::TestHome{actions_, mod_}) {}

TestState::~TestState() = default;

Result<std::unique_ptr<TestState>> TestState::create(std::string mod, const FileSource& files,
                                                     TestActions actions, LogSink log) {
    std::unique_ptr<TestState> tests{new TestState(std::move(mod), std::move(actions))};
    ScriptStateConfig config;
    config.mod = tests->mod_;
    config.files = &files;
    config.log = std::move(log);
    config.limits.seconds_per_run = kSecondsOfTest;
    config.extend_host = [home = tests->home_.get()](lua_State* lua) {
        internal::extend_host_with_tests(lua, *home);
    };
    Result<std::unique_ptr<ScriptState>> state = ScriptState::create(std::move(config));
    if (!state) return state.error();
    tests->state_ = std::move(state).value();
    return tests;
}

std::optional<ScriptError> TestState::load(std::string_view path) { return state_->run_file(path); }

std::vector<std::string> TestState::tests() {
    std::vector<std::string> names;
    lua_State* const lua = state_->lua();
    for (;;) {
        state_->push_runtime("test", "name");
        lua_pushinteger(lua, static_cast<lua_Integer>(names.size()) + 1);
        if (state_->call(1, 1)) return names;
        const bool is_there = lua_isstring(lua, -1) != 0;
        if (is_there) names.emplace_back(text_at(lua, -1));
        lua_pop(lua, 1);
        if (!is_there) return names;
    }
}

std::optional<ScriptError> TestState::run(std::size_t test) {
    state_->push_runtime("test", "run");
    lua_pushinteger(state_->lua(), static_cast<lua_Integer>(test) + 1);
    return state_->call(1, 0);
}

}  // namespace perigee
