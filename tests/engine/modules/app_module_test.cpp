// The module app in scripts: which requests reach the program, when, and from which mods.
#include "engine/modules/app_module.h"

#include "engine/modules/app_requests.h"
#include "engine/session/game_session.h"
#include "tests/engine/game_folder.h"

using namespace perigee;
using namespace perigee::test;

namespace {

std::string failure(std::string_view body) {
    GameFolder game{body};
    const auto engine = game.play();
    run(*engine, 1);
    CHECK(engine->error_count() == 1);
    return game.log;
}

}  // namespace

TEST_CASE("app.quit ends the run after its step, also in a frame with several") {
    GameFolder game{"local n = 0 function update() n = n + 1 if n == 3 then app.quit() end end"};
    const auto engine = game.play();
    FrameInput frame;
    frame.exact_steps = 5;
    engine->step(frame);
    CHECK(engine->wants_quit());
    CHECK(engine->tick() == 3);
    engine->step(frame);
    CHECK(engine->tick() == 3);
    engine->restart();
    CHECK_FALSE(engine->wants_quit());
}

TEST_CASE("a game that quits while loading runs no step, and one that quits in draw() ends after the frame") {
    GameFolder loads{"app.quit() function update() end"};
    const auto loaded = loads.play();
    run(*loaded, 1);
    CHECK(loaded->wants_quit());
    CHECK(loaded->tick() == 0);
    GameFolder draws{"function draw() app.quit() end"};
    const auto drawn = draws.play();
    CHECK_FALSE(drawn->wants_quit());
    run(*drawn, 2);
    CHECK(drawn->wants_quit());
    CHECK(drawn->tick() == 1);
}

TEST_CASE("the replay of a run that quit ends at the same step") {
    for (const char* body : {"local n = 0 function update() n = n + 1 if n == 3 then app.quit() end end",
                             "local n = 0 function draw() n = n + 1 if n == 3 then app.quit() end end"}) {
        GameFolder game{body};
        EngineConfig config = game.config();
        config.record_file = game.file("log");
        {
            const auto engine = GameFolder::play(config);
            while (!engine->wants_quit()) run(*engine, 1);
            REQUIRE(engine->finish_recording().ok());
        }
        config = game.config();
        config.seed.reset();
        config.replay_file = game.file("log");
        const auto engine = GameFolder::play(config);
        FrameInput frame;
        frame.exact_steps = 2;  // pictures at other steps than in the recording
        for (int i = 0; i < 5; ++i) engine->step(frame);
        CHECK(engine->tick() == 3);
        CHECK(engine->is_replay_finished());
        CHECK(engine->check_replay().ok());
    }
}

TEST_CASE("a replay whose game quits before the recording ends has diverged") {
    GameFolder game{"function update() end"};
    EngineConfig config = game.config();
    config.record_file = game.file("log");
    {
        const auto engine = GameFolder::play(config);
        run(*engine, 5);
        REQUIRE(engine->finish_recording().ok());
    }
    game.write("main.lua", "local n = 0 function update() n = n + 1 if n == 2 then app.quit() end end");
    config = game.config();
    config.replay_file = game.file("log");
    const auto engine = GameFolder::play(config);
    run(*engine, 5);
    CHECK(engine->tick() == 2);
    CHECK(engine->check_replay().error().message ==
          "replay: diverged: the game ended the run after step 2, and the recording continues to step 5");
}

TEST_CASE("window requests wait until the program takes them") {
    GameFolder game{
        "app.set_title 'Stars' app.set_size(640, 1e9) app.set_cursor(false)\n"
        "local n = 0\n"
        "function update()\n"
        "  n = n + 1\n"
        "  if n == 1 then app.set_fullscreen() end\n"
        "  if n == 2 then app.set_fullscreen(false) app.toggle_fullscreen() end\n"
        "  if n == 3 then app.toggle_fullscreen() app.toggle_fullscreen() app.set_size(-1, 99.6) end\n"
        "end"};
    const auto engine = game.play();
    AppRequests& app = engine->session().app();
    WindowRequest request = app.take_window_request();
    CHECK(request.title == "Stars");
    REQUIRE(request.size);
    CHECK(request.size->width == 640);
    CHECK(request.size->height == 16384);
    CHECK(request.shows_cursor == false);
    CHECK_FALSE(request.is_fullscreen);
    CHECK(app.take_window_request().is_empty());
    CHECK(app.title() == "Stars");
    run(*engine, 1);
    CHECK(app.take_window_request().is_fullscreen == true);
    run(*engine, 1);
    request = app.take_window_request();
    CHECK(request.is_fullscreen == false);
    CHECK(request.toggles_fullscreen);
    run(*engine, 1);
    request = app.take_window_request();
    CHECK_FALSE(request.toggles_fullscreen);
    CHECK((request.size->width == 64 && request.size->height == 100));
}

TEST_CASE("a script chooses the fit of the screen, and the choice stays when the files are read again") {
    GameFolder game{"app.set_fit 'stretch' app.set_fit 'expand' app.set_pixel_art(true)"};
    const auto engine = game.play();
    AppRequests& app = engine->session().app();
    CHECK(app.take_window_request().fit == ScreenFit::expand);
    CHECK(app.take_window_request().is_empty());
    CHECK(app.fit() == ScreenFit::expand);
    CHECK(app.is_pixel_art() == true);
}

TEST_CASE("window requests do not change the world") {
    const auto hash = [](const std::string& asked) {
        GameFolder game{
            asked +
                " local ecs = require 'ecs' ecs.system('s', { query = { write = { ecs.components.P } }, "
                "run = function(c, ctx) c.P.x[1] = ctx.random:range(0, 1) end }) "
                "ecs.world:spawn(ecs.components.P)",
            "require('ecs').component('P', { { 'x', 'f32' } })"};
        const auto engine = game.play();
        run(*engine, 5);
        return engine->hash();
    };
    CHECK(hash("") ==
          hash("app.set_title 'x' app.set_size(100, 100) app.toggle_fullscreen() app.set_cursor(false)"));
}

TEST_CASE("presentation can ask whether the window is full screen, and simulation cannot") {
    GameFolder game{"function draw() print(app.is_fullscreen()) end"};
    const auto engine = game.play();
    run(*engine, 1);
    engine->session().app().report_fullscreen(true);
    run(*engine, 1);
    CHECK(game.log == "false\ntrue\n");
    CHECK(contains(failure("function update() app.is_fullscreen() end"),
                   "app.is_fullscreen: simulation cannot use it, since a replay has no window"));
}

TEST_CASE("a title is one line of text, whatever bytes a script passes") {
    GameFolder game{"app.set_title('a\\255b\\194\\155c')"};
    const auto engine = game.play();
    CHECK(engine->session().app().title() == "a\\xFFb\\xC2\\x9Bc");
    CHECK(contains(failure("app.set_title('a\\nb')"), "app.set_title: a title is one line without control"));
    CHECK(contains(failure("app.set_title(('x'):rep(201))"),
                   "a title has at most 200 bytes, this one has 201"));
}

TEST_CASE("[app] argument errors name the function") {
    CHECK(contains(failure("app.set_title(5)"), "app.set_title: expected a text, got 5"));
    CHECK(contains(failure("app.set_size('x', 1)"), "app.set_size, width: expected a number, got 'x'"));
    CHECK(contains(failure("app.set_size(1, 0/0)"), "app.set_size, height: expected a number, got"));
    CHECK(contains(failure("app.set_cursor()"), "app.set_cursor: expected true or false, got nil"));
    CHECK(contains(failure("app.set_fullscreen(1)"), "app.set_fullscreen: expected true or false, got 1"));
    CHECK(contains(failure("app.set_fit 'strech'"),
                   "app.set_fit: expected one of \"letterbox\", \"integer\", \"stretch\", \"expand\", got "
                   "'strech'; did you mean 'stretch'?"));
    CHECK(contains(failure("app.set_fit(2)"), "\"expand\", got 2"));
    CHECK(contains(failure("app.set_pixel_art(1)"), "app.set_pixel_art: expected true or false, got 1"));
    CHECK(contains(failure("app.quitt()"), "app has no 'quitt'; did you mean 'quit'?"));
}

TEST_CASE("a mod can end the run and change the window only with the player's permission") {
    const auto log_of = [](const std::string& permissions, const std::string& settings) {
        GameFolder game{"function update() end"};
        game.write("mods/bad/mod.json", R"({"id": "bad")" + permissions + "}");
        game.write(
            "mods/bad/main.lua",
            "for _, word in ipairs { 'quit', 'toggle_fullscreen', 'set_title', 'set_size', 'set_cursor', "
            "'set_fullscreen', 'set_fit', 'set_pixel_art' } do local ok, message = pcall(app[word], true) "
            "print(word, ok, message) end "
            "require('ecs').system('end', { run = function() app.quit() end })");
        EngineConfig config = game.config();
        if (!settings.empty()) {
            game.write("settings.json", settings);
            config.settings_file = game.path() / "settings.json";
        }
        const auto engine = GameFolder::play(config);
        run(*engine, 1);
        CHECK(engine->wants_quit() == contains(settings, "true"));
        return game.log;
    };
    std::string log = log_of("", "");
    for (const char* word : {"quit", "toggle_fullscreen", "set_title", "set_size", "set_cursor",
                             "set_fullscreen", "set_fit", "set_pixel_art"})
        CHECK(contains(log, word + std::string("\tfalse\tbad/main.lua:1: app.") + word +
                                ": a mod may not end the run or change the window"));
    log = log_of(R"(, "permissions": {"app": true})", "");
    CHECK(contains(
        log,
        "mod 'bad' requests to end the run and change the window; to allow it, add this to your settings: { "
        "\"bad\": { \"permissions\": { \"app\": true } } }"));
    CHECK(contains(log, "quit\tfalse"));
    log = log_of(R"(, "permissions": {"app": true})", R"({"bad": {"permissions": {"app": true}}})");
    CHECK(contains(log, "toggle_fullscreen\ttrue"));
    CHECK_FALSE(contains(log, "requests to"));
    CHECK(contains(log_of("", R"({"bad": {"permissions": {"app": false}}})"), "quit\tfalse"));
}
