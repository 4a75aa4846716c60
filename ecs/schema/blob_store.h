// Immutable arrays of rows, built once and referred to by a 32-bit handle: curves, paths, tables of loot.
//
// Invariant: a blob never changes and lives as long as the world; two blobs of a type never have the same
// rows, so equal handles mean equal content and the other way round. Rows are kept in one canonical form:
// pad bytes are zero, every NaN is the same.
// Any number of threads may build and read.
// Not here: rows that change (a buffer, or entities), and rows that refer to entities, which come and go.
#pragma once

#include "ecs/base/contract.h"
#include "ecs/base/internal/stable_array.h"
#include "ecs/base/result.h"
#include "ecs/schema/bind.h"
#include "ecs/schema/component.h"
#include "ecs/schema/field_type.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>

namespace perigee {

class ComponentRegistry;
class TextPool;

class BlobStore {
public:
    static constexpr std::size_t kMaxBytes = std::size_t{1} << 30;

    BlobStore(const ComponentRegistry& registry, const TextPool& texts)
        : registry_(registry), texts_(texts) {}
    BlobStore(const BlobStore&) = delete;
    BlobStore& operator=(const BlobStore&) = delete;

    /// The blob with these rows, created if none exists yet. `rows` is a whole number of rows of the type.
    /// Errors: the type is not of kind blob; an incomplete row; a blob field whose handle is not from this
    /// store, or is of another type than the field; all blobs together exceed kMaxBytes; the quota of the
    /// thread is used up.
    Result<BlobHandle> build(ComponentId type, std::span<const std::byte> rows);
    /// Expects: T is bound to the type, or is unbound and has the size of its rows (checked).
    template <typename T> Result<BlobHandle> build(ComponentId type, std::span<const T> rows) {
        expect_rows_of(type, type_number<T>(), perigee::type_name<T>(), sizeof(T));
        return build(type, std::as_bytes(rows));
    }

    /// False for handle 0 and for an unknown handle.
    bool has(BlobHandle handle) const noexcept { return handle.index - 1 < blobs_.size(); }

    /// The rows. Empty for handle 0. Lifetime: the world's.
    /// Expects: T is bound to the type, or is unbound and has the size of its rows (checked).
    template <typename T> std::span<const T> rows(BlobHandle handle) const {
        if (!has(handle)) return {};
        const Blob& blob = blobs_[handle.index - 1];
        expect_rows_of(blob.type, type_number<T>(), perigee::type_name<T>(), sizeof(T));
        return {reinterpret_cast<const T*>(blob.bytes.get()), blob.row_count};
    }
    std::span<const std::byte> bytes(BlobHandle handle) const noexcept;
    std::size_t row_count(BlobHandle handle) const noexcept {
        return has(handle) ? blobs_[handle.index - 1].row_count : 0;
    }
    /// Expects: has(handle).
    ComponentId type(BlobHandle handle) const noexcept {
        ECS_EXPECTS(has(handle), handle.index);
        return blobs_[handle.index - 1].type;
    }
    std::string_view type_name(BlobHandle handle) const noexcept;
    /// A hash of type and content: the same in every world and run; 0 for handle 0.
    std::uint64_t content_hash(BlobHandle handle) const noexcept {
        return has(handle) ? blobs_[handle.index - 1].hash : 0;
    }

    /// Number of blobs; their handles are 1 .. size.
    std::size_t size() const noexcept { return blobs_.size(); }
    /// Expects: no thread is building.
    std::size_t byte_count() const noexcept { return byte_count_; }

private:
    void expect_rows_of(ComponentId type, std::uint32_t cpp_type, std::string_view cpp_name,
                        std::size_t row_bytes) const;

    struct Blob {
        ComponentId type;
        std::uint32_t row_bytes = 0;
        std::size_t row_count = 0;
        std::uint64_t hash = 0;
        std::unique_ptr<std::byte[]> bytes;  ///< operator new aligns to 16
    };

    const ComponentRegistry& registry_;
    const TextPool& texts_;
    std::mutex mutex_;  ///< for building
    internal::StableArray<Blob> blobs_;
    std::multimap<std::uint64_t, std::uint32_t> by_hash_;  ///< content hash to handle
    std::size_t byte_count_ = 0;
};

}  // namespace perigee
