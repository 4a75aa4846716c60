// A game in a test: no window, no clock, one fixed step at a time.
//
// Invariant: behaviour depends only on the game's files, the seed and the test's actions. Two games are
// independent. Not here: finding tests (run_tests.h).
#pragma once

#include "ecs/base/result.h"
#include "engine/engine.h"
#include "engine/plugin/native_systems.h"
#include "engine/session/game_session.h"
#include "game/testing/test_options.h"
#include "scripting/mods/runtime.h"
#include "scripting/tools/test_state.h"

#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace perigee {

class GameUnderTest {
public:
    /// Errors: the game cannot be read, or a script failed to load (unless the test allows errors).
    static Result<std::unique_ptr<GameUnderTest>> start(const TestOptions& options,
                                                        const TestGameOptions& chosen);

    /// Errors: the first script error, with its position (unless the test allows errors).
    Result<void> step(int count);
    /// A key that is pressed while it is down repeats, as a keyboard does. For the wheel, the value is how
    /// many notches it turns. Errors: no control and no action of the game has this name.
    Result<void> set_input(std::string_view control, double value);
    void move_mouse(double x, double y);
    /// Of the screen. Errors: it never changes in this game.
    Result<void> resize(int width, int height);
    void type_text(std::string_view text) { input_.type(text); }
    std::string hash() const;
    /// True if the game has quit; then step() does nothing.
    bool has_quit() const { return engine_->wants_quit(); }
    /// A picture of the last step. Errors: this machine cannot draw.
    Result<std::string> picture();
    /// Errors: systems are suspended, or scripts failed at any time.
    Result<void> check_health();
    /// Errors: a system has run code that LuaJIT cannot compile.
    Result<void> check_compiled();
    ScriptRuntime& scripts() noexcept { return engine_->session().scripts(); }

private:
    GameUnderTest() = default;

    NativeSystems native_;
    std::unique_ptr<Engine> engine_;
    std::shared_ptr<std::vector<std::string>> errors_ = std::make_shared<std::vector<std::string>>();
    std::size_t reported_ = 0;  ///< number of errors_ already reported
    bool allows_errors_ = false;
    RawInput input_;     ///< for the next step
    ScreenSize screen_;  ///< empty: as in mod.json
    std::set<InputCode> keys_down_;
};

}  // namespace perigee
