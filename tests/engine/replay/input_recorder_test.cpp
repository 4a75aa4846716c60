// The files on disk during and after a recording, and after a crash.
#include "engine/replay/input_recorder.h"

#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>

#include <fstream>
#include <iterator>

using namespace perigee;
using perigee::test::TemporaryFolder;

namespace {

std::string bytes_of(const std::filesystem::path& file) {
    std::ifstream in{file, std::ios::binary};
    return {std::istreambuf_iterator<char>{in}, {}};
}

StepInput input_at(int step) { return StepInput{.mouse_x = static_cast<std::int16_t>(step)}; }

}  // namespace

TEST_CASE("a finished recording is a complete log under its own name") {
    const TemporaryFolder folder;
    const auto file = folder.path() / "run.log";
    Result<InputRecorder> recorder = InputRecorder::open(file, {"game", 5, 60});
    REQUIRE(recorder);
    for (int step = 0; step < 100; ++step) recorder.value().step({}, input_at(step));
    REQUIRE(recorder.value().finish(77));
    const Result<InputLog> log = InputLog::parse(bytes_of(file));
    REQUIRE(log);
    CHECK(log.value().step_count() == 100);
    CHECK(log.value().world_hash() == 77);
    CHECK_FALSE(std::filesystem::exists(folder.path() / "run.log.part"));
}

TEST_CASE("a crash leaves the recorded steps, and the older recording unchanged") {
    const TemporaryFolder folder;
    const auto file = folder.write("run.log", "older");
    {
        Result<InputRecorder> recorder = InputRecorder::open(file, {"game", 5, 60});
        REQUIRE(recorder);
        for (int step = 0; step < 130; ++step) recorder.value().step({}, input_at(step));
    }
    CHECK(bytes_of(file) == "older");
    const std::string part = bytes_of(folder.path() / "run.log.part");
    CHECK_FALSE(InputLog::parse(part));
    CHECK(InputLog::parse(part, true).value().step_count() == 120);
}

TEST_CASE("a screen that grows late in a run is in the recording, after a crash too") {
    const TemporaryFolder folder;
    const auto record = [&](const std::string& name, int steps) {
        Result<InputRecorder> recorder = InputRecorder::open(folder.path() / name, {"game", 5, 60});
        REQUIRE(recorder);
        for (int step = 0; step < steps; ++step) {
            StepInput input = input_at(step);
            if (step >= 90) input.screen = {400, 180};
            recorder.value().step({}, input);
        }
        if (steps == 100) REQUIRE(recorder.value().finish(77));
    };
    record("a.log", 100);
    record("b.log", 130);
    Result<InputLog> whole = InputLog::parse(bytes_of(folder.path() / "a.log"));
    Result<InputLog> cut = InputLog::parse(bytes_of(folder.path() / "b.log.part"), true);
    REQUIRE(whole);
    REQUIRE(cut);
    CHECK(cut.value().step_count() == 120);
    for (InputLog* log : {&whole.value(), &cut.value()})
        for (int step = 0; step < 100; ++step) {
            ActionMap map;
            CHECK(log->take_step(map).screen == (step >= 90 ? ScreenSize{400, 180} : ScreenSize{}));
        }
}

TEST_CASE("a path that cannot be written is an error before the game starts") {
    const TemporaryFolder folder;
    const auto file = folder.path() / "absent" / "run.log";
    CHECK(InputRecorder::open(file, {"game", 5, 60}).error().message ==
          "record: cannot write '" + file.string() + ".part': No such file or directory");
    std::filesystem::create_directories(folder.path() / "before");
    CHECK_THAT(InputRecorder::open(folder.path() / "before", {"game", 5, 60}).error().message,
               Catch::Matchers::EndsWith("before': it is a directory, not a file"));
    CHECK_FALSE(std::filesystem::exists(folder.path() / "before.part"));
    const auto taken = folder.path() / "taken";
    Result<InputRecorder> recorder = InputRecorder::open(taken, {"game", 5, 60});
    REQUIRE(recorder);
    std::filesystem::create_directories(taken / "a folder in the way");
    CHECK(recorder.value().finish(0).error().message ==
          "record: cannot write '" + taken.string() + "': it is a directory, not a file");
}
