// Building converts rows to canonical form and then looks them up by hash and bytes.
#include "ecs/schema/blob_store.h"

#include "ecs/base/error_codes.h"
#include "ecs/base/memory_quota.h"
#include "ecs/schema/internal/row_hasher.h"
#include "ecs/schema/registry.h"
#include "ecs/schema/text_pool.h"

#include <algorithm>
#include <cstring>

namespace perigee {

namespace {

// The error in a blob field of a row; empty if there is none.
std::string wrong_reference(const BlobStore& store, const Leaf& leaf, const std::byte* row) {
    BlobHandle handle;
    std::memcpy(&handle, row + leaf.offset, sizeof handle);
    if (handle.index == 0) return {};
    if (!store.has(handle)) return errors::no_such_blob(leaf.path, handle.index);
    if (leaf.field->labels.empty()) return {};
    const std::string_view got = store.type_name(handle);
    return got == leaf.field->labels[0] ? std::string()
                                        : errors::blob_of_other_type(leaf.path, leaf.field->labels[0], got);
}

}  // namespace

void BlobStore::expect_rows_of(ComponentId type, std::uint32_t cpp_type, std::string_view cpp_name,
                               std::size_t row_bytes) const {
    // `build` returns an Error for a type that is not a blob.
    if (registry_.info(type).kind() != ComponentKind::blob) return;
    registry_.types().expect_value(type, cpp_type, cpp_name, row_bytes);
}

Result<BlobHandle> BlobStore::build(ComponentId type, std::span<const std::byte> rows) {
    const ComponentInfo& info = registry_.info(type);
    const Schema& schema = info.schema;
    if (schema.kind != ComponentKind::blob) {
        return Error{errors::not_a_blob_type(schema.name, kind_name(schema.kind))};
    }
    if (rows.size() % schema.size != 0) {
        return Error{errors::part_of_a_row(schema.name, schema.size, rows.size())};
    }
    if (rows.size() > kMaxBytes) return Error{errors::blobs_full(schema.name, kMaxBytes)};

    Blob blob{type, schema.size, rows.size() / schema.size, info.hash, nullptr};
    blob.bytes = std::make_unique<std::byte[]>(rows.size());
    internal::RowHasher hasher(info, texts_, *this);
    for (std::size_t i = 0; i < blob.row_count; ++i) {
        const std::byte* from = rows.data() + i * schema.size;
        std::byte* to = blob.bytes.get() + i * schema.size;
        for (const Leaf& leaf : info.leaves) {
            internal::copy_canonical(leaf, from + leaf.offset, to + leaf.offset);
            if (leaf.type != FieldType::blob) continue;
            if (std::string wrong = wrong_reference(*this, leaf, to); !wrong.empty()) {
                return Error{errors::in_blob_row(schema.name, i + 1, wrong)};
            }
        }
        blob.hash = hasher.hash(to, blob.hash);
    }

    const std::lock_guard lock(mutex_);
    const auto [first, last] = by_hash_.equal_range(blob.hash);
    for (auto known = first; known != last; ++known) {
        const Blob& other = blobs_[known->second - 1];
        if (other.type == type && other.row_count == blob.row_count &&
            std::equal(blob.bytes.get(), blob.bytes.get() + rows.size(), other.bytes.get())) {
            return BlobHandle{known->second};
        }
    }
    if (rows.size() > kMaxBytes - byte_count_) {
        internal::note_refused(MemoryKind::blobs);
        return Error{errors::blobs_full(schema.name, kMaxBytes)};
    }
    if (!internal::may_take(MemoryKind::blobs, rows.size()))
        return Error{errors::memory_refused(MemoryKind::blobs)};
    const BlobHandle handle{static_cast<std::uint32_t>(blobs_.size() + 1)};
    const auto named = by_hash_.emplace(blob.hash, handle.index);
    try {
        blobs_.add() = std::move(blob);
    } catch (...) {
        by_hash_.erase(named);
        throw;
    }
    byte_count_ += rows.size();
    return handle;
}

std::string_view BlobStore::type_name(BlobHandle handle) const noexcept {
    return registry_.info(type(handle)).schema.name;
}

std::span<const std::byte> BlobStore::bytes(BlobHandle handle) const noexcept {
    if (!has(handle)) return {};
    const Blob& blob = blobs_[handle.index - 1];
    return {blob.bytes.get(), blob.row_count * blob.row_bytes};
}

}  // namespace perigee
