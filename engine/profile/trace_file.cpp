// One line of JSON per event.
#include "engine/profile/trace_file.h"

#include "engine/base/error_codes.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <string>
#include <utility>

namespace perigee {

namespace {

// Names come from scripts: any bytes.
std::string json_text(std::string_view text) {
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

double microseconds(std::int64_t nanoseconds) { return static_cast<double>(nanoseconds) * 1e-3; }

constexpr std::string_view category(TraceSpan::Kind kind) {
    switch (kind) {
        case TraceSpan::Kind::system:
            return "system";
        case TraceSpan::Kind::playback:
            return "playback";
        case TraceSpan::Kind::group:
            break;
    }
    return "group";
}

}  // namespace

TraceFile::TraceFile(std::filesystem::path file, LockedFile stream)
    : file_(std::move(file)),
      stream_(std::move(stream)),
      start_(std::chrono::steady_clock::now().time_since_epoch().count()) {
    stream_.write(
        "{\"displayTimeUnit\": \"ms\", \"traceEvents\": [\n"
        R"({"name": "process_name", "ph": "M", "pid": 1, "args": {"name": "perigee"}})");
}

Result<TraceFile> TraceFile::open(const std::filesystem::path& file) {
    Result<LockedFile> stream = LockedFile::create(file, engine_errors::kCannotWriteTrace);
    if (!stream) return stream.error();
    return TraceFile{file, std::move(stream).value()};
}

void TraceFile::name_lane(std::uint32_t lane) {
    if (!named_lanes_.insert(lane).second) return;
    stream_.write(fmt::format(
        ",\n{{\"name\": \"thread_name\", \"ph\": \"M\", \"pid\": 1, \"tid\": {}, \"args\": {{\"name\": "
        "\"{}\"}}}}",
        lane, lane == 0 ? std::string("game") : fmt::format("worker {}", lane)));
}

void TraceFile::add(const TraceSpan& span) {
    name_lane(span.lane);
    const std::string name = span.kind == TraceSpan::Kind::playback ? fmt::format("commands of {}", span.name)
                                                                    : std::string(span.name);
    stream_.write(fmt::format(
        ",\n{{\"name\": {}, \"cat\": \"{}\", \"ph\": \"X\", \"pid\": 1, \"tid\": {}, \"ts\": {:.3f}, "
        "\"dur\": {:.3f}}}",
        json_text(name), span.is_sync_point ? "sync point" : category(span.kind), span.lane,
        microseconds(span.start_nanoseconds - start_),
        microseconds(span.end_nanoseconds - span.start_nanoseconds)));
}

Result<void> TraceFile::finish() {
    stream_.write("\n]}\n");
    const Result<void> closed = stream_.close();
    if (closed) return closed;
    return Error{fmt::format(engine_errors::kCannotWriteTrace, file_.string(), closed.error().message)};
}

}  // namespace perigee
