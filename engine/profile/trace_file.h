// TraceFile: a Chrome trace on disk that grows while a game runs. Load it in chrome://tracing or
// ui.perfetto.dev.
//
// Invariant: one complete event ("ph": "X") per run of a system, playback and group, in microseconds since
// the file was opened, on the lane of the thread. A crash leaves a file that these programs still load, since
// the format allows a missing end. Source: "Trace Event Format", the document of the Chromium project.
#pragma once

#include "ecs/base/result.h"
#include "ecs/files/locked_file.h"
#include "ecs/schedule/system_status.h"

#include <cstdint>
#include <filesystem>
#include <set>

namespace perigee {

class TraceFile {
public:
    /// Errors: the file cannot be created, or another program is writing it.
    static Result<TraceFile> open(const std::filesystem::path& file);

    /// Handler for Schedule::on_trace. Cost: about a microsecond and 130 bytes.
    void add(const TraceSpan& span);

    /// Errors: a write has failed since open().
    Result<void> finish();

private:
    TraceFile(std::filesystem::path file, LockedFile stream);
    void name_lane(std::uint32_t lane);

    std::filesystem::path file_;
    LockedFile stream_;
    std::int64_t start_;
    std::set<std::uint32_t> named_lanes_;
};

}  // namespace perigee
