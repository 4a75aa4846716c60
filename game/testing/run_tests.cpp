// Runs the files, then their tests, and prints the total.
#include "game/testing/run_tests.h"

#include "engine/assets/asset_file_source.h"
#include "engine/base/screen.h"
#include "engine/mods/mod_set.h"
#include "game/program/command_output.h"
#include "game/program/error_codes.h"
#include "game/program/exit_status.h"
#include "game/program/game_folder.h"
#include "game/testing/game_under_test.h"
#include "game/testing/golden_store.h"
#include "scripting/base/shown_text.h"
#include "scripting/tools/test_state.h"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace perigee {

namespace fs = std::filesystem;
namespace e = game_errors;

namespace {

struct Tested {
    std::string mod;
    fs::path path;  ///< folder or archive
    MountId mount;
};

class TestRun {
public:
    TestRun(const TestOptions& options, const TestSelection& selection,
            const std::function<void(const TestOutcome&)>& tell)
        : options_(options), selection_(selection), tell_(tell) {}

    Result<std::size_t> run() {
        const Result<std::vector<Tested>> tested = find_tested();
        if (!tested) return tested.error();
        for (const Tested& mod : tested.value())
            for (const std::string& file : files_of(mod)) run_file(mod, file);
        return count_;
    }

private:
    Result<std::vector<Tested>> find_tested() {
        const Result<ModSet> set = find_mods(options_.game, options_.mod_folders, options_.left_out_mods);
        if (!set) return set.error();
        const Result<MountId> game = assets_.mount("game", options_.game);
        if (!game) return game.error();
        std::vector<Tested> tested{{set.value().game.id, options_.game, game.value()}};
        for (const ModPlace& place : set.value().order.places) {
            const ModSource& source = set.value().sources[place.mod];
            const std::string& id = set.value().mods[place.mod].manifest.id;
            const bool is_inside = source.path.empty();
            const Result<MountId> mount = is_inside ? assets_.mount_inside(id, game.value(), source.folder)
                                                    : assets_.mount(id, source.path);
            if (!mount) return mount.error();
            tested.push_back({id, is_inside ? options_.game / source.folder : source.path, mount.value()});
        }
        return tested;
    }

    // Its tests/*.lua, by name.
    std::vector<std::string> files_of(const Tested& mod) const {
        Result<std::vector<std::string>> files = assets_.list(mod.mount, "tests");
        std::vector<std::string> names;
        if (files) names = std::move(files).value();
        std::erase_if(names, [](const std::string& path) {
            const std::string_view name = std::string_view(path).substr(std::string_view("tests/").size());
            return !name.ends_with(".lua") || name.front() == '.' || name.find('/') != name.npos;
        });
        return names;
    }

    GoldenStore golden_of(const Tested& mod, const AssetFileSource& files) const {
        std::error_code ignored;
        if (fs::is_directory(mod.path, ignored)) return {mod.path / "tests/golden", options_.updates};
        fs::path beside = mod.path;
        while (beside.has_parent_path() && !fs::is_directory(beside, ignored)) beside = beside.parent_path();
        return {beside, options_.updates, files};
    }

    void run_file(const Tested& mod, const std::string& file) {
        const AssetFileSource files{assets_, mod.mount};
        const GoldenStore golden = golden_of(mod, files);
        const auto log = [this](const LogEntry& entry) {
            if (selection_.log) selection_.log(entry);
        };
        const Result<std::unique_ptr<TestState>> made =
            TestState::create(mod.mod, files, actions(golden), log);
        if (!made) {
            ScriptError error;
            error.file = file;
            error.message = made.error().message;
            return tell(mod, file, error);
        }
        TestState& state = *made.value();
        if (const auto error = state.load(file)) return tell(mod, file, error);
        const std::vector<std::string> names = state.tests();
        for (std::size_t i = 0; i < names.size(); ++i) {
            const std::string name = file + ": " + names[i];
            if (names[i].find(options_.filter) == std::string::npos) continue;
            if (selection_.is_wanted && !selection_.is_wanted(mod.mod, name)) continue;
            tell(mod, name, state.run(i));
            games_.clear();
        }
        games_.clear();
    }

    void tell(const Tested& mod, const std::string& name, const std::optional<ScriptError>& error) {
        TestOutcome outcome{mod.mod, name, ""};
        if (error) {
            const std::string place = error->file.empty() ? mod.mod : (mod.path / error->file).string();
            outcome.error = fmt::format("{}:{}: {}", place, error->line, error->message);
        }
        ++count_;
        tell_(outcome);
    }

    Result<GameUnderTest*> game(int number) {
        const auto at = static_cast<std::size_t>(number) - 1;
        if (number < 1 || at >= games_.size()) return Error{e::kGameIsGone};
        return games_[at].get();
    }

    // Applies `act` to a game, if there is one of this number.
    template <typename Answer, typename Act> Result<Answer> with(int number, const Act& act) {
        const Result<GameUnderTest*> found = game(number);
        if (!found) return found.error();
        return act(*found.value());
    }

    TestActions actions(const GoldenStore& golden) {
        TestActions actions;
        actions.start = [this](const TestGameOptions& chosen) -> Result<int> {
            Result<std::unique_ptr<GameUnderTest>> started = GameUnderTest::start(options_, chosen);
            if (!started) return started.error();
            games_.push_back(std::move(started).value());
            return static_cast<int>(games_.size());
        };
        actions.step = [this](int number, int count) {
            return with<void>(number, [&](GameUnderTest& game) { return game.step(count); });
        };
        actions.set_input = [this](int number, std::string_view control, double value) {
            return with<void>(number, [&](GameUnderTest& game) { return game.set_input(control, value); });
        };
        actions.move_mouse = [this](int number, double x, double y) {
            return with<void>(number, [&](GameUnderTest& game) {
                game.move_mouse(x, y);
                return Result<void>{};
            });
        };
        actions.min_screen_side = kMinScreenSide;
        actions.max_screen_side = kMaxScreenSide;
        actions.resize = [this](int number, int width, int height) {
            return with<void>(number, [&](GameUnderTest& game) { return game.resize(width, height); });
        };
        actions.type_text = [this](int number, std::string_view text) {
            return with<void>(number, [&](GameUnderTest& game) {
                game.type_text(text);
                return Result<void>{};
            });
        };
        actions.hash = [this](int number) {
            return with<std::string>(number,
                                     [](GameUnderTest& game) { return Result<std::string>{game.hash()}; });
        };
        actions.has_quit = [this](int number) {
            return with<bool>(number, [](GameUnderTest& game) { return Result<bool>{game.has_quit()}; });
        };
        actions.picture = [this](int number) {
            return with<std::string>(number, [](GameUnderTest& game) { return game.picture(); });
        };
        actions.check_health = [this](int number) {
            return with<void>(number, [](GameUnderTest& game) { return game.check_health(); });
        };
        actions.check_compiled = [this](int number) {
            return with<void>(number, [](GameUnderTest& game) { return game.check_compiled(); });
        };
        actions.scripts = [this](int number) {
            return with<ScriptRuntime*>(
                number, [](GameUnderTest& game) { return Result<ScriptRuntime*>{&game.scripts()}; });
        };
        actions.compare = [&golden](std::string_view name, std::string_view value, bool is_picture) {
            return golden.compare(name, value, is_picture);
        };
        return actions;
    }

    const TestOptions& options_;
    AssetStore assets_;
    std::vector<std::unique_ptr<GameUnderTest>> games_;  ///< of the test that is running
    const TestSelection& selection_;
    const std::function<void(const TestOutcome&)>& tell_;
    std::size_t count_ = 0;
};

}  // namespace

Result<std::size_t> run_each_test(const TestOptions& options, const TestSelection& selection,
                                  const std::function<void(const TestOutcome&)>& tell) {
    return TestRun(options, selection, tell).run();
}

Error no_tests(const TestOptions& options) {
    const std::string game = options.game.string();
    return Error{options.filter.empty() ? fmt::format(e::kNoTests, game)
                                        : fmt::format(e::kNoTestWanted, game, options.filter)};
}

int run_tests(const TestOptions& options) {
    TestOptions found = options;
    Result<fs::path> game = find_game(options.game, source_trees());
    if (!game) return give_up(game.error());
    found.game = std::move(game).value();
    std::size_t failed = 0;
    TestSelection all;
    all.log = [](const LogEntry& entry) { print_out(fmt::format("  {}\n", entry.text)); };
    const Result<std::size_t> run = run_each_test(found, all, [&failed](const TestOutcome& test) {
        const bool has_failed = !test.error.empty();
        failed += has_failed ? 1 : 0;
        print_out(fmt::format("{} {}: {}\n", has_failed ? "FAIL" : "ok  ", test.mod, shown_word(test.name)));
        if (has_failed) print_out(fmt::format("  {}\n", test.error));
    });
    if (!run) return give_up(run.error());
    if (run.value() == 0) return give_up(no_tests(found));
    print_out(fmt::format(e::kTested, run.value() - failed, failed));
    return failed == 0 ? kExitDone : kExitFailed;
}

}  // namespace perigee
