// Bytes are flushed to disk once per second of play, and at the end.
#include "engine/replay/input_recorder.h"

#include "ecs/files/output_file.h"
#include "engine/base/error_codes.h"

#include <fmt/format.h>

#include <utility>

namespace perigee {

namespace {

constexpr std::uint64_t kStepsPerFlush = 60;

}  // namespace

InputRecorder::InputRecorder(std::filesystem::path file, LockedFile stream, const LogHeader& header,
                             bool stores_worlds)
    : file_(std::move(file)), stream_(std::move(stream)), writer_(header, stores_worlds) {}

Result<InputRecorder> InputRecorder::open(const std::filesystem::path& file, const LogHeader& header,
                                          bool stores_worlds) {
    // Found out before the game is played for an hour.
    if (Result<void> replaceable = expect_replaceable(file); !replaceable)
        return Error{fmt::format(engine_errors::kCannotRecord, file.string(), replaceable.error().message)};
    std::filesystem::path part = file;
    part += ".part";
    Result<LockedFile> stream = LockedFile::create(part, engine_errors::kCannotRecord);
    if (!stream) return stream.error();
    return InputRecorder{file, std::move(stream).value(), header, stores_worlds};
}

void InputRecorder::write_out() {
    stream_.write(writer_.take_bytes());
    if (writer_.has_newer_version() && !std::exchange(has_newer_version_, true))
        stream_.overwrite(InputLogWriter::kVersionAt, InputLogWriter::kNewerVersion);
    stream_.flush();
}

void InputRecorder::answer(const SaveAnswer& answer) {
    writer_.answer(answer);
    if (answer.content != nullptr) write_out();  // a world is not kept in memory until the next flush
}

void InputRecorder::store_world(std::uint64_t world_hash, std::string_view bytes) {
    writer_.store_world(world_hash, bytes);
    write_out();
}

void InputRecorder::step(const ActionMap& map, const StepInput& input) {
    writer_.step(map, input);
    if (writer_.step_count() % kStepsPerFlush == 0) write_out();
}

Result<void> InputRecorder::finish(std::uint64_t world_hash) {
    writer_.finish(world_hash);
    write_out();
    const Result<void> finished = stream_.finish_as(file_);
    if (finished) return finished;
    return Error{fmt::format(engine_errors::kCannotRecord, file_.string(), finished.error().message)};
}

}  // namespace perigee
