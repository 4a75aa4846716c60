// An Engine that is stepped by hand.
#include "game/testing/game_under_test.h"

#include "ecs/files/regular_file.h"
#include "ecs/schedule/schedule.h"
#include "engine/mods/mod_manifest.h"
#include "engine/profile/mod_stats.h"
#include "engine/sdl/backend.h"
#include "engine/session/game_session.h"
#include "game/loop/run_loop.h"
#include "game/program/error_codes.h"
#include "game/program/native_systems.h"
#include "game/program/tool_engine.h"
#include "scripting/mods/runtime.h"

#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>
#include <system_error>
#include <utility>

namespace perigee {

namespace fs = std::filesystem;
namespace e = game_errors;

namespace {

// "space", "mouse_left", "pad_a", or the name of an action, which means the first of its controls.
std::optional<InputCode> control_named(std::string_view name, const ActionMap& actions) {
    const std::size_t action = actions.find(name);
    if (action != kMaxActions && !actions[action].codes.empty()) return actions[action].codes.front();
    const InputDevice device = take_input_device(name);
    const Result<InputCode> code = parse_input_code(device, name);
    return code ? std::optional(code.value()) : std::nullopt;
}

}  // namespace

Result<std::unique_ptr<GameUnderTest>> GameUnderTest::start(const TestOptions& options,
                                                            const TestGameOptions& chosen) {
    std::unique_ptr<GameUnderTest> game{new GameUnderTest};
    game->native_ = native_systems();
    game->allows_errors_ = chosen.allows_errors;
    EngineConfig config = one_thread_config(options.game, options.mod_folders, game->native_);
    config.left_out_mods = options.left_out_mods;
    config.seed = chosen.seed;
    config.is_interpreted = options.is_interpreted;
    config.checks_presentation = true;
    config.watches_compiler = true;
    config.log = [errors = game->errors_](const LogEntry& entry) {
        // Tracebacks follow their error on separate lines.
        if (entry.level == LogLevel::error && entry.text.find('\n') == entry.text.npos)
            errors->emplace_back(entry.text);
    };
    Result<std::unique_ptr<Engine>> engine = Engine::create(std::move(config));
    if (!engine) return engine.error();
    game->engine_ = std::move(engine).value();
    if (game->engine_->error_count() != 0 && !game->allows_errors_) {
        return Error{game->errors_->empty() ? std::string(e::kDidNotLoad) : game->errors_->front()};
    }
    game->reported_ = game->errors_->size();
    return game;
}

Result<void> GameUnderTest::step(int count) {
    for (int i = 0; i < count; ++i) {
        FrameInput frame;
        frame.exact_steps = 1;
        frame.raw = std::exchange(input_, {});
        frame.screen = screen_;
        engine_->step(frame);
        if (errors_->size() == reported_) continue;
        const std::string& first = (*errors_)[std::exchange(reported_, errors_->size())];
        if (!allows_errors_) return Error{fmt::format(e::kFailedInStep, engine_->tick(), first)};
    }
    return {};
}

Result<void> GameUnderTest::set_input(std::string_view control, double value) {
    const std::optional<InputCode> code = control_named(control, engine_->session().actions());
    if (!code) return Error{fmt::format(e::kNoControl, control)};
    if (*code == InputCode::mouse_wheel_up || *code == InputCode::mouse_wheel_down) {
        const auto notches = static_cast<float>(value);
        if (value > 0) input_.turn_wheel(*code == InputCode::mouse_wheel_up ? notches : -notches);
        return {};
    }
    RawInput::Event event{*code, static_cast<float>(value)};
    if (value <= 0)
        keys_down_.erase(*code);
    else if (input_code_device(*code) == InputDevice::keyboard)
        event.is_repeat = !keys_down_.insert(*code).second;
    input_.events.push_back(event);
    return {};
}

void GameUnderTest::move_mouse(double x, double y) {
    input_.move_mouse(static_cast<float>(x), static_cast<float>(y));
}

Result<void> GameUnderTest::resize(int width, int height) {
    if (engine_->manifest().fit != ScreenFit::expand) return Error{e::kNoExpand};
    screen_ = {static_cast<std::uint16_t>(width), static_cast<std::uint16_t>(height)};
    return {};
}

std::string GameUnderTest::hash() const { return fmt::format("{:016x}", engine_->hash()); }

Result<std::string> GameUnderTest::picture() {
    Backend::Desc desc;
    const ScreenSize size = engine_->screen_size();
    desc.logical = {size.width, size.height};
    desc.is_pixel_art = engine_->manifest().is_pixel_art;
    desc.display = Backend::Display::hidden;
    desc.drawing = Backend::Drawing::software;
    desc.is_muted = true;
    const Result<std::unique_ptr<Backend>> backend = Backend::open(desc);
    if (!backend) return backend.error();
    draw_picture(*engine_, *backend.value());
    std::error_code no_folder;
    std::string name = (fs::temp_directory_path(no_folder) / "perigee-picture-XXXXXX").string();
    const int descriptor = no_folder ? -1 : ::mkstemp(name.data());
    if (descriptor < 0)
        return Error{
            fmt::format(e::kCannotWrite, name, no_folder ? no_folder.message() : std::strerror(errno))};
    ::close(descriptor);
    const Result<void> saved = backend.value()->save_screenshot(name);
    Result<std::string> bytes = read_regular_file(name);
    std::error_code ignored;
    fs::remove(name, ignored);
    if (!saved) return saved.error();
    if (!bytes) return Error{fmt::format(e::kCannotLookAt, name, bytes.error().message)};
    return bytes;
}

Result<void> GameUnderTest::check_health() {
    const Schedule& schedule = engine_->session().schedule();
    for (const SystemId id : schedule.all()) {
        const SystemStatus status = schedule.status(id);
        if (status.is_suspended) return Error{fmt::format(e::kSuspendedAtEnd, status.name, status.error)};
    }
    if (engine_->error_count() == 0) return {};
    return Error{errors_->empty() ? std::string(e::kDidNotLoad) : errors_->back()};
}

Result<void> GameUnderTest::check_compiled() {
    std::string place = interpreted_place(engine_->session().scripts());
    if (place.empty()) return {};
    return Error{std::move(place)};
}

}  // namespace perigee
