// The output is JSON with all spans, whatever their names.
#include "engine/profile/trace_file.h"

#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <chrono>
#include <fstream>

namespace perigee {
namespace {

using Catch::Matchers::Contains;
using Json = nlohmann::json;

TEST_CASE("a trace is JSON with the start, duration and thread of each system's run") {
    const test::TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "trace.json";
    Result<TraceFile> opened = TraceFile::open(file);
    REQUIRE(opened);
    TraceFile trace = std::move(opened).value();
    const std::int64_t now = std::chrono::steady_clock::now().time_since_epoch().count();
    trace.add({TraceSpan::Kind::system, "a \"quoted\" \n name\xff", "simulation", 3, now + 1500, now + 4000});
    trace.add({TraceSpan::Kind::playback, "simulation", "", 0, now + 5000, now + 6000});
    trace.add({TraceSpan::Kind::group, "simulation", "", 0, now, now + 7000});
    REQUIRE(trace.finish());

    const Json json = Json::parse(std::ifstream{file});
    std::vector<Json> spans;
    std::vector<std::string> lanes;
    for (const Json& event : json.at("traceEvents")) {
        if (event.at("ph") == "X") spans.push_back(event);
        if (event.at("name") == "thread_name") lanes.push_back(event.at("args").at("name"));
    }
    CHECK(lanes == std::vector<std::string>{"worker 3", "game"});
    REQUIRE(spans.size() == 3);
    CHECK_THAT(spans[0].at("name").get<std::string>(), Contains("a \"quoted\" \n name"));
    CHECK(spans[0].at("cat") == "system");
    CHECK(spans[0].at("tid") == 3);
    CHECK(spans[0].at("dur").get<double>() == Approx(2.5));
    CHECK(spans[1].at("name") == "commands of simulation");
    CHECK(spans[1].at("cat") == "playback");
    CHECK(spans[2].at("cat") == "group");
    CHECK(spans[2].at("dur").get<double>() == Approx(7));
    CHECK(spans[0].at("ts").get<double>() - spans[2].at("ts").get<double>() == Approx(1.5).margin(0.01));
    CHECK(spans[2].at("ts").get<double>() >= 0);
}

TEST_CASE("[C5] a trace marks the run of an exclusive system as a sync point") {
    const test::TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "trace.json";
    TraceFile trace = TraceFile::open(file).value();
    trace.add({TraceSpan::Kind::system, "level", "simulation", 0, 1000, 4000, true});
    REQUIRE(trace.finish());
    const Json json = Json::parse(std::ifstream{file});
    CHECK(json.at("traceEvents").back().at("cat") == "sync point");
}

TEST_CASE("a trace that cannot be written is an error") {
    const test::TemporaryFolder folder;
    const Result<TraceFile> trace = TraceFile::open(folder.path() / "none" / "trace.json");
    REQUIRE_FALSE(trace);
    CHECK_THAT(trace.error().message, Contains("profile: cannot write"));
}

}  // namespace
}  // namespace perigee
