// A snapshot as the contents of a file.
#pragma once

#include "ecs/base/result.h"
#include "ecs/save/internal/snapshot_data.h"
#include "ecs/save/save_file.h"

#include <string>

namespace perigee::internal {

struct WorldContents {
    std::string bytes;  ///< see world_format.h
    bool has_objects = false;
};

/// Expects: the world has not changed since the snapshot was taken. Errors: an object that has no bytes; a
/// part of more than 4 GiB. Throws std::bad_alloc.
Result<WorldContents> write_world(const World& world, const SnapshotData& data, const SaveOptions& options);

}  // namespace perigee::internal
