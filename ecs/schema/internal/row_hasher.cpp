// Packs values one after another, then hashes the bytes.
#include "ecs/schema/internal/row_hasher.h"

#include "ecs/schema/blob_store.h"
#include "ecs/schema/text_pool.h"

#include <cmath>
#include <cstring>
#include <limits>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace perigee::internal {

namespace {

bool is_reference(FieldType type) { return type == FieldType::text || type == FieldType::blob; }

std::uint32_t packed_size(const Leaf& leaf) {
    return is_reference(leaf.type) ? static_cast<std::uint32_t>(sizeof(std::uint64_t)) : leaf.size;
}

// No padding, no floating point, no text with bytes past its end, no handles: the bytes are the value.
bool is_plain(const ComponentInfo& info) {
    std::uint32_t bytes = 0;
    for (const Leaf& leaf : info.leaves) {
        bytes += leaf.size;
        if (leaf.type == FieldType::f32 || leaf.type == FieldType::f64 || leaf.type == FieldType::string ||
            is_reference(leaf.type))
            return false;
    }
    return bytes == info.schema.size;
}

template <typename Real> void copy_real(const std::byte* from, std::byte* to) noexcept {
    Real value;
    std::memcpy(&value, from, sizeof value);
    if (std::isnan(value)) value = std::numeric_limits<Real>::quiet_NaN();
    std::memcpy(to, &value, sizeof value);
}

}  // namespace

void copy_canonical(const Leaf& leaf, const std::byte* from, std::byte* to) noexcept {
    switch (leaf.type) {
        case FieldType::f32:
            copy_real<float>(from, to);
            break;
        case FieldType::f64:
            copy_real<double>(from, to);
            break;
        case FieldType::string: {
            const std::size_t length = strnlen(reinterpret_cast<const char*>(from), leaf.size);
            std::memcpy(to, from, length);
            std::memset(to + length, 0, leaf.size - length);
            break;
        }
        default:
            std::memcpy(to, from, leaf.size);
            break;
    }
}

RowHasher::RowHasher(const ComponentInfo& info, const TextPool& texts, const BlobStore& blobs)
    : info_(info), texts_(texts), blobs_(blobs), is_plain_(is_plain(info)) {
    std::uint32_t bytes = 0;
    for (const Leaf& leaf : info.leaves) bytes += packed_size(leaf);
    packed_.resize(bytes);
}

std::uint64_t RowHasher::hash(const std::byte* row, std::uint64_t seed) {
    if (is_plain_) return XXH3_64bits_withSeed(row, info_.schema.size, seed);
    std::byte* to = packed_.data();
    for (const Leaf& leaf : info_.leaves) {
        const std::byte* from = row + leaf.offset;
        if (is_reference(leaf.type)) {
            std::uint32_t handle;
            std::memcpy(&handle, from, sizeof handle);
            const std::uint64_t content = leaf.type == FieldType::text
                                              ? texts_.content_hash(TextHandle{handle})
                                              : blobs_.content_hash(BlobHandle{handle});
            std::memcpy(to, &content, sizeof content);
        } else {
            copy_canonical(leaf, from, to);
        }
        to += packed_size(leaf);
    }
    return XXH3_64bits_withSeed(packed_.data(), packed_.size(), seed);
}

std::uint64_t RowHasher::hash_all(const std::byte* rows, std::uint32_t count, std::uint64_t seed) {
    const std::size_t size = info_.schema.size;
    if (is_plain_) return XXH3_64bits_withSeed(rows, count * size, seed + count);
    std::uint64_t all = seed + count;
    for (std::uint32_t i = 0; i < count; ++i) all = hash(rows + i * size, all);
    return all;
}

}  // namespace perigee::internal
