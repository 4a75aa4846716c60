// Values of types as bytes that mean the same in every world: without padding, and with texts, blobs and
// assets by content.
//
// Handles are numbers of one world. Here they are numbers of tables, which the file contains once:
//
//     texts    "Ann", "Bob"            a text field is the place of its text, from 1; 0 is ""
//     assets   17 = "assets/ship.png"  an asset field is the place of its entry, from 1; 0 is none
//     blobs    4 = Curve, 20 rows      a blob field is the number of its blob; 0 is none
//
// Invariant: whatever a reader gets, what it gives out is a valid value of the type: every number is in its
// range, every float is canonical (ecs/base/canonical.h), every handle exists. The tables are complete only
// after all values were written. Not here: which values there are (world_writer.h).
#pragma once

#include "ecs/base/internal/byte_stream.h"
#include "ecs/base/result.h"
#include "ecs/save/save_file.h"
#include "ecs/schema/registry.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <unordered_map>
#include <vector>

namespace perigee {
class World;
}

namespace perigee::internal {

class ValueWriter {
public:
    /// Both must outlive it.
    ValueWriter(const World& world, const SavedAssets& assets);

    /// `value` has schema.size bytes. Throws std::bad_alloc, as all functions here.
    void write(ByteWriter& to, const ComponentInfo& info, const std::byte* value);
    /// The same for values that lie `stride` bytes apart.
    void write_all(ByteWriter& to, const ComponentInfo& info, const std::byte* values, std::uint32_t count,
                   std::uint32_t stride);
    /// The tables for everything written. `used`: the types of blobs are added.
    void write_tables(ByteWriter& to, std::set<ComponentId>& used);

private:
    std::uint32_t place_of(std::unordered_map<std::uint32_t, std::uint32_t>& places,
                           std::vector<std::uint32_t>& handles, std::uint32_t handle);

    const World& world_;
    const SavedAssets& assets_;
    std::unordered_map<std::uint32_t, std::uint32_t> text_places_, asset_places_;
    std::vector<std::uint32_t> texts_, asset_handles_;
    std::vector<BlobHandle> all_blobs_;  ///< of the world, by number in the file - 1
    std::unordered_map<std::uint32_t, std::uint32_t> blob_places_;  ///< handle to number in the file
    std::set<std::uint32_t> blobs_;                                 ///< numbers of those that were written
};

/// The type of a saved world by its number there; null if the target has no such type.
using SavedTypes = std::span<const ComponentInfo* const>;

class ValueReader {
public:
    /// Both must outlive it.
    ValueReader(World& world, const SavedAssets& assets) : world_(world), assets_(assets) {}

    /// Reads the tables and stores their contents in the world, where they change nothing that a script can
    /// see. Errors: a store is full; an asset is unknown. Fails the reader if the bytes are no tables.
    Result<void> read_tables(ByteReader& from, SavedTypes types);
    /// Writes schema.size bytes. Fails the reader if the bytes are no value of the type.
    void read(ByteReader& from, const ComponentInfo& info, std::byte* value) const;
    /// The same for values that lie `stride` bytes apart.
    void read_all(ByteReader& from, const ComponentInfo& info, std::byte* values, std::uint32_t count,
                  std::uint32_t stride) const;

private:
    Result<void> read_blobs(ByteReader& from, SavedTypes types);
    bool read_leaf(ByteReader& from, const Leaf& leaf, std::byte* at) const;
    bool read_handle(ByteReader& from, const Leaf& leaf, std::byte* at) const;

    World& world_;
    const SavedAssets& assets_;
    std::vector<std::uint32_t> texts_{0}, asset_handles_{0};  ///< by place
    std::map<std::uint32_t, std::uint32_t> blobs_;            ///< by number in the file
};

/// Bytes that a value takes in the file.
std::size_t packed_bytes(const ComponentInfo& info) noexcept;

}  // namespace perigee::internal
