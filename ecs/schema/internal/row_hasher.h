// Hashes a row by its values: without padding, every NaN as the same NaN, texts and blobs by content.
//
// Invariant: rows with equal values have equal hashes, in every world and run. Rows whose bytes are their
// value are hashed in place.
#pragma once

#include "ecs/schema/registry.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace perigee {

class BlobStore;
class TextPool;

namespace internal {

/// Copies one value of a row: every NaN as the same NaN, strings without the bytes past their end.
void copy_canonical(const Leaf& leaf, const std::byte* from, std::byte* to) noexcept;

class RowHasher {
public:
    /// All three must outlive the hasher.
    RowHasher(const ComponentInfo& info, const TextPool& texts, const BlobStore& blobs);

    std::uint64_t hash(const std::byte* row, std::uint64_t seed);
    /// Hashes consecutive rows; their number is part of the hash.
    std::uint64_t hash_all(const std::byte* rows, std::uint32_t count, std::uint64_t seed);

private:
    const ComponentInfo& info_;
    const TextPool& texts_;
    const BlobStore& blobs_;
    bool is_plain_;
    std::vector<std::byte> packed_;
};

}  // namespace internal

}  // namespace perigee
