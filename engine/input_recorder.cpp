// When the bytes reach the disk: once per second of play, and at the end.
#include "engine/input_recorder.h"

#include "engine/error_codes.h"

#include <fmt/format.h>

namespace perigee {

namespace {

constexpr std::uint64_t kStepsPerFlush = 60;

}  // namespace

InputRecorder::InputRecorder(std::filesystem::path file, std::filesystem::path part, const LogHeader& header)
    : file_(std::move(file)),
      part_(std::move(part)),
      stream_(part_, std::ios::binary | std::ios::trunc),
      writer_(header) {}

Result<InputRecorder> InputRecorder::open(const std::filesystem::path& file, const LogHeader& header) {
    std::filesystem::path part = file;
    part += ".part";
    InputRecorder recorder{file, part, header};
    if (!recorder.stream_) return Error{fmt::format(engine_errors::kCannotRecord, part.string())};
    return recorder;
}

void InputRecorder::step(const ActionMap& map, const InputFrame& frame) {
    writer_.step(map, frame);
    if (writer_.step_count() % kStepsPerFlush == 0) stream_ << writer_.take_bytes() << std::flush;
}

Result<void> InputRecorder::finish(std::uint64_t world_hash) {
    writer_.finish(world_hash);
    stream_ << writer_.take_bytes();
    stream_.close();
    std::error_code failed;
    if (stream_) std::filesystem::rename(part_, file_, failed);
    if (!stream_ || failed) return Error{fmt::format(engine_errors::kCannotRecord, file_.string())};
    return {};
}

}  // namespace perigee
