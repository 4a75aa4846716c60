// One run without a window, in which one value is watched.
#include "game/commands/why.h"

#include "ecs/schema/registry.h"
#include "ecs/world/world.h"
#include "engine/engine.h"
#include "engine/session/game_session.h"
#include "game/program/command_output.h"
#include "game/program/error_codes.h"
#include "game/program/exit_status.h"
#include "game/program/game_folder.h"
#include "game/program/native_systems.h"
#include "game/program/shared_options.h"
#include "game/program/tool_engine.h"

#include <CLI/CLI.hpp>

#include <memory>
#include <utility>

namespace perigee {

namespace {

Result<void> answer_question(const WhyOptions& options) {
    const Result<std::filesystem::path> game = find_game(options.game, source_trees());
    if (!game) return game.error();
    const NativeSystems native = native_systems();
    EngineConfig config = one_thread_config(game.value(), options.mod_folders, native);
    config.left_out_mods = options.left_out_mods;
    config.replay_file = options.replay_file;
    config.accept_truncated_replay = options.accepts_truncated;
    config.provenance = watched_by(options.question).value();
    config.log = print_log;
    const Result<std::unique_ptr<Engine>> created = Engine::create(std::move(config));
    if (!created) return created.error();
    Engine& engine = *created.value();
    if (!engine.has_loaded()) return Error{game_errors::kDidNotLoad};
    // Before the recording plays for a minute.
    if (Result<void> right = check_question(options.question, engine.session().world().registry()); !right)
        return right;
    if (options.until) {
        if (Result<void> there = engine.replay_to(*options.until); !there) return there;
    } else {
        while (!engine.is_replay_finished() && !engine.wants_quit()) run_steps(engine, 1);
    }
    const Result<std::string> answer = answer_to(options.question, *engine.provenance(), engine.session());
    if (!answer) return answer.error();
    print_out(answer.value());
    return engine.check_replay();
}

}  // namespace

int why(const WhyOptions& options) {
    const Result<void> answered = answer_question(options);
    return answered ? kExitDone : give_up(answered.error());
}

std::string settle_why(WhyOptions& options) {
    const Result<WatchedValues> watched = watched_by(options.question);
    return watched ? std::string() : watched.error().message;
}

void add_why_options(CLI::App& command, WhyOptions& options) {
    add_recording(command, options.replay_file);
    add_game(command, options.game, options.mod_folders);
    add_left_out(command, options.left_out_mods);
    command
        .add_option("--entity", options.question.entity,
                    "The entity: 1234 for the newest of this index, 1234:2 with its generation as errors "
                    "print it, or the number that a script has (0:N below 2097152). Not for a resource")
        ->type_name("N");
    command
        .add_option("--field", options.question.values,
                    "The values: Health.current, Body.velocity, Health, or Match.coins of a resource; by "
                    "default all components of the entity")
        ->type_name("NAME");
    command.add_option("--last", options.question.last, "Show the last N writes; 10 by default")
        ->type_name("N")
        ->check(whole_number());
    command
        .add_option_function<std::uint64_t>(
            "--until", [&options](std::uint64_t step) { options.until = step; },
            "Ask after this step of the recording; by default at its end")
        ->type_name("STEP")
        ->check(whole_number());
    add_truncated(command, options.accepts_truncated);
    add_risk(command, options.accepts_risk);
    command.footer(
        "\nPlays the recording and prints the last writes of the value, the newest last: in which step, by "
        "which system, and\nwhere in the source that is. 'perigee replay FILE --at STEP' shows the game "
        "then. A write that leaves the value as it\nwas does not count, and of several in one run of a "
        "system only the result does.");
}

}  // namespace perigee
