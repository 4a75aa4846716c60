// Building converts rows to canonical form and then looks them up by hash and bytes. A sweep goes from the
// youngest blob to the oldest, which is from those that refer to those that are referred to.
#include "ecs/schema/blob_store.h"

#include "ecs/base/error_codes.h"
#include "ecs/base/internal/reserve_more.h"
#include "ecs/base/memory_quota.h"
#include "ecs/schema/internal/row_hasher.h"
#include "ecs/schema/registry.h"
#include "ecs/schema/text_pool.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

namespace perigee {

namespace {

BlobHandle handle_at(const std::byte* at) noexcept {
    BlobHandle handle;
    std::memcpy(&handle, at, sizeof handle);
    return handle;
}

// The error in a blob field of a row; empty if there is none.
std::string wrong_reference(const BlobStore& store, const Leaf& leaf, const std::byte* row) {
    const BlobHandle handle = handle_at(row + leaf.offset);
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

Result<BlobHandle> BlobStore::build(ComponentId type, std::span<const std::byte> rows, std::size_t* taken) {
    if (taken != nullptr) *taken = 0;
    const ComponentInfo& info = registry_.info(type);
    const Schema& schema = info.schema;
    if (schema.kind != ComponentKind::blob) {
        return Error{errors::not_a_blob_type(schema.name, kind_name(schema.kind))};
    }
    if (rows.size() % schema.size != 0) {
        return Error{errors::part_of_a_row(schema.name, schema.size, rows.size())};
    }
    if (schema.blob_shape == BlobShape::root && rows.size() != schema.size)
        return Error{errors::not_one_root(schema.name, rows.size() / schema.size)};
    if (rows.size() > kMaxBytes) return Error{errors::blobs_full(schema.name, kMaxBytes)};

    Blob blob;
    blob.type = type;
    blob.row_bytes = schema.size;
    blob.row_count = rows.size() / schema.size;
    blob.hash = info.hash;
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
            if (const BlobHandle part = handle_at(to + leaf.offset); part.index != 0)
                blob.depth = std::max(blob.depth, blobs_[part.index - 1].depth + 1);
        }
        blob.hash = hasher.hash(to, blob.hash);
    }
    if (blob.depth > kMaxDepth) return Error{errors::blob_too_deep(schema.name, kMaxDepth)};

    const std::lock_guard lock(mutex_);
    const auto [first, last] = by_hash_.equal_range(blob.hash);
    for (auto known = first; known != last; ++known) {
        Blob& other = blobs_[known->second - 1];
        if (other.type == type && other.row_count == blob.row_count &&
            std::equal(blob.bytes.get(), blob.bytes.get() + rows.size(), other.bytes.get())) {
            if (other.is_retired) {
                if (const Result<void> room = take(other); !room) return room.error();
                if (taken != nullptr) *taken = other.byte_count();
                other.is_retired = false;
            }
            other.is_young = true;
            return BlobHandle{known->second};
        }
    }
    // Everything that can fail comes before the first change.
    if (free_.empty()) {
        internal::reserve_more(free_, blobs_.size() + 1);
        blobs_.add();
        free_.push_back(static_cast<std::uint32_t>(blobs_.size()));
    }
    const BlobHandle handle{free_.back()};
    const auto named = by_hash_.emplace(blob.hash, handle.index);
    if (const Result<void> room = take(blob); !room) {
        by_hash_.erase(named);
        return room.error();
    }
    if (taken != nullptr) *taken = blob.byte_count();
    free_.pop_back();
    blob.number = ++built_;
    blobs_[handle.index - 1] = std::move(blob);
    return handle;
}

Result<void> BlobStore::take(const Blob& blob) {
    const std::size_t bytes = blob.byte_count();
    if (byte_count_ > kMaxBytes || bytes > kMaxBytes - byte_count_) {
        sweep_at_ = 0;
        internal::note_refused(MemoryKind::blobs);
        return Error{errors::blobs_full(registry_.info(blob.type).schema.name, kMaxBytes)};
    }
    if (!internal::may_take(MemoryKind::blobs, bytes))
        return Error{errors::memory_refused(MemoryKind::blobs)};
    byte_count_ += bytes;
    return {};
}

std::vector<BlobHandle> BlobStore::all() const {
    std::vector<BlobHandle> handles;
    handles.reserve(size());
    for (std::uint32_t index = 1; index <= blobs_.size(); ++index) {
        if (has(BlobHandle{index})) handles.push_back(BlobHandle{index});
    }
    std::sort(handles.begin(), handles.end(),
              [this](BlobHandle a, BlobHandle b) { return number(a) < number(b); });
    return handles;
}

std::string_view BlobStore::type_name(BlobHandle handle) const noexcept {
    return registry_.info(type(handle)).schema.name;
}

std::span<const std::byte> BlobStore::bytes(BlobHandle handle) const noexcept {
    if (!has(handle)) return {};
    const Blob& blob = blobs_[handle.index - 1];
    return {blob.bytes.get(), blob.row_byte_count()};
}

// ---- freeing ----

void BlobStore::pin(BlobHandle handle) noexcept {
    ECS_EXPECTS(has(handle), handle.index);
    const std::lock_guard lock(mutex_);
    ++blobs_[handle.index - 1].pins;
}

void BlobStore::unpin(BlobHandle handle) noexcept {
    ECS_EXPECTS(has(handle), handle.index);
    const std::lock_guard lock(mutex_);
    --blobs_[handle.index - 1].pins;
}

std::size_t BlobStore::add_root(Root root) {
    roots_.push_back(std::move(root));
    return roots_.size() - 1;
}

void BlobStore::remove_root(std::size_t number) noexcept { roots_[number] = nullptr; }

void BlobStore::begin_marking() {
    visited_cells_ = 0;
    for (std::size_t i = 0; i < blobs_.size(); ++i) blobs_[i].is_marked = blobs_[i].is_kept = false;
    for (const Root& root : roots_) {
        if (root) root(*this);
    }
}

template <typename Function> void BlobStore::each_reference(const Blob& blob, Function&& fn) const {
    for (const Leaf& leaf : registry_.info(blob.type).leaves) {
        if (leaf.type != FieldType::blob) continue;
        for (std::size_t row = 0; row < blob.row_count; ++row)
            fn(handle_at(blob.bytes.get() + row * blob.row_bytes + leaf.offset));
    }
}

void BlobStore::retire(std::uint32_t index) noexcept {
    Blob& blob = blobs_[index - 1];
    if (std::exchange(blob.is_retired, true)) return;
    if (on_free_) on_free_(BlobHandle{index});
    byte_count_ -= blob.byte_count();
    internal::gave_back(MemoryKind::blobs, blob.byte_count());
}

void BlobStore::forget(std::uint32_t index) noexcept {
    retire(index);
    Blob& blob = blobs_[index - 1];
    auto named = by_hash_.lower_bound(blob.hash);
    while (named->second != index) ++named;
    by_hash_.erase(named);
    blob = Blob{};
    free_.push_back(index);
}

std::size_t BlobStore::sweep() {
    const std::vector<BlobHandle> from_old = all();
    // The youngest first: when a blob is visited, everything that may refer to it was visited before.
    std::size_t freed = 0, used_bytes = 0;
    for (std::size_t i = from_old.size(); i-- > 0;) {
        const std::uint32_t index = from_old[i].index;
        Blob& blob = blobs_[index - 1];
        const bool is_used = blob.is_marked || blob.pins != 0;
        if (is_used || blob.is_young) {
            if (std::exchange(blob.is_retired, false)) byte_count_ += blob.byte_count();
            if (is_used) used_bytes += blob.byte_count();
            each_reference(blob, [this](BlobHandle part) { mark(part); });
            blob.is_young = false;
        } else if (blob.is_kept) {
            retire(index);
            each_reference(blob, [this](BlobHandle part) { keep(part); });
        } else {
            forget(index);
            ++freed;
        }
    }
    // As for texts: twice the bytes in use, more where a sweep takes long.
    const std::size_t room = kMaxBytes - std::min(used_bytes, kMaxBytes);
    const std::size_t step = std::min(std::max({used_bytes, kFirstSweep, visited_cells_}), room / 2);
    sweep_at_ = used_bytes + step;
    sweep_cost_per_byte_ =
        static_cast<double>(visited_cells_) / static_cast<double>(std::max<std::size_t>(step, 1));
    return freed;
}

// ---- schema changes ----

std::uint64_t BlobStore::hash_of(const Blob& blob) const {
    const ComponentInfo& info = registry_.info(blob.type);
    internal::RowHasher hasher(info, texts_, *this);
    std::uint64_t hash = info.hash;
    for (std::size_t row = 0; row < blob.row_count; ++row)
        hash = hasher.hash(blob.bytes.get() + row * blob.row_bytes, hash);
    return hash;
}

void BlobStore::exchange_rows(std::vector<Rows>& rows) noexcept {
    for (Rows& other : rows) {
        Blob& blob = blobs_[other.blob.index - 1];
        if (!blob.is_retired) byte_count_ -= blob.byte_count();
        std::swap(blob.bytes, other.bytes);
        std::swap(blob.row_bytes, other.row_bytes);
        if (!blob.is_retired) byte_count_ += blob.byte_count();
    }
}

void BlobStore::complete(Form& form) {
    const std::vector<BlobHandle> from_old = all();
    form.hashes.resize(blobs_.size());
    // Hashes are of the hashes of other blobs, so the new ones are in use while they are made.
    const auto exchange_all = [&] {
        exchange_rows(form.rows);
        for (std::size_t i = 0; i < form.hashes.size(); ++i) std::swap(blobs_[i].hash, form.hashes[i]);
    };
    exchange_all();
    try {
        for (const BlobHandle blob : from_old) blobs_[blob.index - 1].hash = hash_of(blobs_[blob.index - 1]);
    } catch (...) {
        exchange_all();
        throw;
    }
    exchange_all();
}

void BlobStore::exchange(Form& form) noexcept {
    exchange_rows(form.rows);
    for (std::size_t i = 0; i < form.hashes.size(); ++i) std::swap(blobs_[i].hash, form.hashes[i]);
    std::multimap<std::uint64_t, std::uint32_t> before;
    before.swap(by_hash_);
    while (!before.empty()) {
        auto named = before.extract(before.begin());
        named.key() = blobs_[named.mapped() - 1].hash;
        by_hash_.insert(std::move(named));
    }
}

void BlobStore::drop(Form& form) noexcept {
    for (const Rows& rows : form.rows) {
        if (on_free_) on_free_(rows.blob);
    }
    form.rows.clear();
}

}  // namespace perigee
