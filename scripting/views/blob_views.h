// Views of blobs: what Lua needs to read one, in memory that outlives the blob.
//
// Invariant: one view for each handle. It is lent under an epoch of its own until the blob is freed, and then
// disarmed, so that Lua objects of a freed blob fail instead of showing the next blob with this handle.
// Any number of threads may ask for views. Not here: what Lua makes of them (scripts/runtime/data/blob.lua).
#pragma once

#include "ecs/base/internal/stable_array.h"
#include "ecs/schema/field_type.h"
#include "scripting/views/lua_memory.h"

#include <cstdint>
#include <mutex>

namespace perigee {

class World;

class BlobViews {
public:
    /// Those of a world, which owns them. The first call must not run beside others.
    static BlobViews& of(World& world);

    /// The armed view of a blob; null if there is no such blob. Lifetime: the world's. Throws std::bad_alloc.
    const perigee_view* view(const World& world, BlobHandle handle);

private:
    void disarm(BlobHandle handle) noexcept;

    std::mutex mutex_;
    internal::StableArray<perigee_view> views_;  ///< by handle - 1
    std::uint64_t epoch_ = 0;
    bool is_connected_ = false;
};

}  // namespace perigee
