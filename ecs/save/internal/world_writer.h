// A snapshot as the contents of a file.
#pragma once

#include "ecs/base/result.h"
#include "ecs/save/internal/snapshot_data.h"
#include "ecs/save/save_file.h"

#include <string>

namespace perigee::internal {

/// The contents, see world_format.h. Expects: the world has not changed since the snapshot was taken. Errors:
/// an object; a part of more than 4 GiB. Throws std::bad_alloc.
Result<std::string> write_world(const World& world, const SnapshotData& data, const SaveOptions& options);

}  // namespace perigee::internal
