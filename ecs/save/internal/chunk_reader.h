// The components of one chunk, from a file into an image.
//
// Invariant: the image has the layout of the target's archetype, whatever the order of its types was when the
// file was written. Not here: entities and counts (world_reader.h), which are checked before.
#pragma once

#include "ecs/base/internal/byte_stream.h"
#include "ecs/save/internal/snapshot_data.h"
#include "ecs/save/internal/value_bytes.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace perigee::internal {

class ChunkReader {
public:
    /// `versions`: of the chunk, by slot; `image`: complete and zero, with the entities. All must outlive it.
    ChunkReader(ByteReader& from, const ValueReader& values, const ComponentRegistry& registry,
                const Archetype& archetype, std::span<ChangeVersion> versions, std::uint32_t rows,
                ChunkImage& image);

    /// The components in the order of the file. Fails the reader if the bytes are no such chunk. Throws
    /// std::bad_alloc.
    void read(std::span<const ComponentId> components);

private:
    void read_column(const ComponentInfo& info, std::size_t column);
    void read_buffer(const ComponentInfo& info, std::byte* cell, std::vector<std::byte>& heap);
    void read_bits(std::size_t mask);
    void read_version(std::size_t slot) { versions_[slot] = from_.get<ChangeVersion>(); }

    ByteReader& from_;
    const ValueReader& values_;
    const ComponentRegistry& registry_;
    const Archetype& archetype_;
    std::span<ChangeVersion> versions_;
    std::uint32_t row_count_;
    ChunkImage& image_;
    std::map<std::size_t, std::vector<std::byte>> heaps_;  ///< elements by column
};

}  // namespace perigee::internal
