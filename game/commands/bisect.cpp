// A binary search over the load order: a mod comes after all that it needs, so each beginning of it can run.
#include "game/commands/bisect.h"

#include "ecs/base/counted.h"
#include "engine/mods/mod_set.h"
#include "game/program/command_output.h"
#include "game/program/error_codes.h"
#include "game/program/exit_status.h"
#include "game/program/game_folder.h"
#include "game/program/native_systems.h"
#include "game/program/shared_options.h"
#include "game/program/tool_engine.h"
#include "game/testing/run_tests.h"
#include "scripting/base/shown_text.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

namespace perigee {

namespace {

namespace e = game_errors;

// The places of a mod and of all that it needs.
std::vector<bool> with_needed(const std::vector<ModToTry>& mods, std::optional<std::size_t> mod) {
    std::vector<bool> needed(mods.size());
    if (!mod) return needed;
    needed[*mod] = true;
    for (std::size_t i = *mod + 1; i-- > 0;)
        for (const std::size_t other : mods[i].needs) needed[other] = needed[other] || needed[i];
    return needed;
}

std::vector<ModToTry> mods_of(const ModSet& set) {
    std::vector<ModToTry> mods;
    for (const ModPlace& place : set.order.places) {
        const ModManifest& manifest = set.mods[place.mod].manifest;
        ModToTry mod{manifest.id, {}};
        for (const auto& need : manifest.depends) {
            const auto found = std::ranges::find(mods, need.id, &ModToTry::id);
            if (found != mods.end()) mod.needs.push_back(static_cast<std::size_t>(found - mods.begin()));
        }
        mods.push_back(std::move(mod));
    }
    return mods;
}

// ---- what fails -------------------------------------------------------------------------------------------

struct Failure {
    std::string text;  ///< "test 'storms tests/a.lua: it rains' fails"
    std::optional<std::size_t> in;
    ModProbe fails;
};

Result<std::optional<Failure>> failing_test(const TestOptions& options, const std::vector<ModToTry>& mods) {
    std::optional<TestOutcome> failed;
    TestSelection until_one_fails;
    until_one_fails.is_wanted = [&failed](const std::string&, const std::string&) { return !failed; };
    const Result<std::size_t> run =
        run_each_test(options, until_one_fails, [&failed](const TestOutcome& test) {
            if (!failed && !test.error.empty()) failed = test;
        });
    if (!run) return run.error();
    if (run.value() == 0) return no_tests(options);
    if (!failed) return std::optional<Failure>();
    Failure failure;
    failure.text = fmt::format(e::kTestFails, failed->mod, shown_word(failed->name));
    const auto in = std::ranges::find(mods, failed->mod, &ModToTry::id);
    if (in != mods.end()) failure.in = static_cast<std::size_t>(in - mods.begin());
    failure.fails = [options, test = *failed](const std::vector<std::string>& left_out) -> Result<bool> {
        TestOptions fewer = options;
        fewer.left_out_mods = left_out;
        TestSelection only;
        only.is_wanted = [&test](const std::string& mod, const std::string& name) {
            return mod == test.mod && name == test.name;
        };
        bool has_failed = false;
        // A file that cannot be loaded fails under its own name.
        const Result<std::size_t> again = run_each_test(fewer, only, [&](const TestOutcome& outcome) {
            has_failed |= outcome.mod == test.mod && outcome.name == test.name && !outcome.error.empty();
        });
        if (!again) return again.error();
        return has_failed;
    };
    return std::optional(std::move(failure));
}

// The hash after each step of a recording, with these mods.
Result<std::vector<std::uint64_t>> replay(const BisectOptions& options,
                                          const std::vector<std::string>& left_out, bool is_interpreted,
                                          std::string* against_recording) {
    const NativeSystems native = native_systems();
    EngineConfig config = one_thread_config(options.game, options.mod_folders, native);
    config.left_out_mods = left_out;
    config.replay_file = options.replay_file;
    config.accept_other_mods = !left_out.empty();
    config.is_interpreted = is_interpreted;
    Result<std::unique_ptr<Engine>> created = Engine::create(std::move(config));
    if (!created) return created.error();
    Engine& engine = *created.value();
    std::vector<std::uint64_t> hashes;
    while (!engine.is_replay_finished() && !engine.wants_quit()) {
        run_steps(engine, 1);
        hashes.push_back(engine.hash());
    }
    if (const Result<void> same = engine.check_replay(); !same && against_recording != nullptr)
        *against_recording = same.error().message;
    return hashes;
}

// Compiled and interpreted: what a run leaves to chance differs there first.
Result<std::optional<std::size_t>> first_difference(const BisectOptions& options,
                                                    const std::vector<std::string>& left_out,
                                                    std::string* against_recording = nullptr) {
    const Result<std::vector<std::uint64_t>> first = replay(options, left_out, false, against_recording);
    if (!first) return first.error();
    const Result<std::vector<std::uint64_t>> second = replay(options, left_out, true, nullptr);
    if (!second) return second.error();
    if (first.value() == second.value()) return std::optional<std::size_t>();
    const auto [one, other] = std::ranges::mismatch(first.value(), second.value());
    return std::optional(static_cast<std::size_t>(one - first.value().begin()));
}

Result<std::optional<Failure>> diverging_replay(const BisectOptions& options) {
    std::string against_recording;
    const Result<std::optional<std::size_t>> step = first_difference(options, {}, &against_recording);
    if (!step) return step.error();
    if (!step.value() && !against_recording.empty())
        return Error{fmt::format(e::kDivergesFromRecording, against_recording)};
    if (!step.value()) return std::optional<Failure>();
    Failure failure;
    failure.text = fmt::format(e::kRunsDiffer, options.replay_file.string(), *step.value() + 1);
    failure.fails = [options](const std::vector<std::string>& left_out) -> Result<bool> {
        const Result<std::optional<std::size_t>> found = first_difference(options, left_out);
        if (!found) return found.error();
        return found.value().has_value();
    };
    return std::optional(std::move(failure));
}

}  // namespace

Result<std::optional<FoundMod>> find_failing_mod(const std::vector<ModToTry>& mods,
                                                 std::optional<std::size_t> always, const ModProbe& fails) {
    const std::vector<bool> kept = with_needed(mods, always);
    std::vector<std::size_t> others;
    for (std::size_t i = 0; i < mods.size(); ++i)
        if (!kept[i]) others.push_back(i);
    std::size_t runs = 0;
    const auto fails_with = [&](const auto& is_tried) {
        std::vector<std::string> left_out;
        for (const std::size_t i : others)
            if (!is_tried(i)) left_out.push_back(mods[i].id);
        ++runs;
        return fails(left_out);
    };
    // It passes with the first `good` of the others, and fails with the first `bad`.
    std::size_t good = 0, bad = others.size();
    if (bad == 0) return std::optional<FoundMod>();
    const Result<bool> without = fails_with([](std::size_t) { return false; });
    if (!without) return without.error();
    if (without.value()) return std::optional<FoundMod>();
    while (bad - good > 1) {
        const std::size_t middle = good + (bad - good) / 2;
        const Result<bool> half = fails_with([&](std::size_t i) { return i < others[middle]; });
        if (!half) return half.error();
        (half.value() ? bad : good) = middle;
    }
    const std::vector<bool> needed = with_needed(mods, others[good]);
    const bool is_first =
        std::ranges::all_of(others, [&](std::size_t i) { return i > others[good] || needed[i]; });
    if (is_first) return std::optional(FoundMod{others[good], true, runs});
    const Result<bool> alone = fails_with([&](std::size_t i) { return needed[i]; });
    if (!alone) return alone.error();
    return std::optional(FoundMod{others[good], alone.value(), runs});
}

int bisect_mods(const BisectOptions& given) {
    BisectOptions options = given;
    Result<std::filesystem::path> game = find_game(given.game, source_trees());
    if (!game) return give_up(game.error());
    options.game = std::move(game).value();
    const Result<ModSet> set = find_mods(options.game, options.mod_folders);
    if (!set) return give_up(set.error());
    const std::vector<ModToTry> mods = mods_of(set.value());
    if (mods.empty()) return give_up(Error{fmt::format(e::kNoModsToBisect, options.game.string())});

    TestOptions tests;
    tests.game = options.game;
    tests.mod_folders = options.mod_folders;
    tests.filter = options.filter;
    const Result<std::optional<Failure>> failure =
        options.replay_file.empty() ? failing_test(tests, mods) : diverging_replay(options);
    if (!failure) return give_up(failure.error());
    if (!failure.value()) {
        print_out(options.replay_file.empty() ? e::kNoTestFails : e::kRunsAgree);
        return kExitFailed;
    }
    const Failure& found = *failure.value();
    const Result<std::optional<FoundMod>> mod = find_failing_mod(mods, found.in, found.fails);
    if (!mod) return give_up(mod.error());
    if (!mod.value()) {
        print_out(found.in ? fmt::format(e::kFailsWithOwnMods, found.text, mods[*found.in].id)
                           : fmt::format(e::kFailsWithoutMods, found.text));
        return kExitFailed;
    }
    const FoundMod& culprit = *mod.value();
    const std::string& id = mods[culprit.mod].id;
    const std::string runs = counted(culprit.runs, "run");
    print_out(culprit.is_alone ? fmt::format(e::kFoundMod, id, found.text, runs)
                               : fmt::format(e::kFoundModWithOthers, id, found.text, runs));
    return kExitDone;
}

void add_bisect_options(CLI::App& command, BisectOptions& options) {
    add_game(command, options.game, options.mod_folders);
    command.add_option("--filter", options.filter, "Look only at tests with this text in their names")
        ->type_name("TEXT");
    command
        .add_option(
            "--replay", options.replay_file,
            "Instead of tests: play this recording compiled and interpreted, and compare the two runs")
        ->type_name("FILE");
    add_risk(command, options.accepts_risk);
    command.footer(
        "\nRuns the first failing test with fewer and fewer mods, until one is found with which it fails and "
        "without which\nit passes. --without MOD of run and test repeats a try.\n"
        "Exit status: 0 a mod was found, 1 nothing fails, or no mod is the reason.");
}

}  // namespace perigee
