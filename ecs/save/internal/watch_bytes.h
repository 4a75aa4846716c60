// Records of observers as bytes.
//
// Invariant: a loaded world notices the same changes as the saved one. Records of components that no system
// observes in the target are dropped. What was lost for lack of memory is not counted again.
#pragma once

#include "ecs/save/internal/value_bytes.h"
#include "ecs/world/observers.h"

namespace perigee::internal {

class WatchBytes {
public:
    /// Throws std::bad_alloc, as read.
    static void write(ByteWriter& to, ValueWriter& values, const ComponentInfo& info,
                      const Observers::Watch& watch);
    /// `own`: the target's records of the component, which are replaced. Fails the reader if the bytes are no
    /// records of entities below `slots`.
    static void read(ByteReader& from, const ValueReader& values, const ComponentInfo& info,
                     std::uint32_t slots, Observers::Watch& own);

private:
    static void write_records(ByteWriter& to, ValueWriter& values, const ComponentInfo& info,
                              const Observers::Records& records);
    static void read_records(ByteReader& from, const ValueReader& values, const ComponentInfo& info,
                             std::uint32_t value_bytes, Observers::Records& records);
};

}  // namespace perigee::internal
