// Immutable arrays of rows, built once and referred to by a 32-bit handle: curves, paths, tables of loot,
// trees. A blob may be one struct, and its fields may refer to further blobs, also of its own type; those are
// its lists and nodes (blob_schema.h).
//
//     struct Node { float value; BlobHandle children; };  // "value" f32, "children" a list of blob(Node)
//     const BlobHandle list = blobs.build<BlobHandle>(children_type, leaves).value();
//     const BlobHandle tree = blobs.build_root(node_type, Node{1, list}).value();
//     blobs.root<Node>(blobs.at<BlobHandle>(blobs.root<Node>(tree).children, 0)).value
//
// Invariant: a blob never changes; two blobs of a type never have the same rows, so equal handles mean equal
// content and the other way round. Rows are kept in one canonical form: pad bytes are zero, every NaN is the
// same. A blob refers only to blobs that were there when it was built, so there are no cycles.
//
// Lifetime: a handle stays valid while the sweep finds it in the world, in another living blob or in a pin
// (ecs/world/content_sweep.h). A blob built since the last sweep survives the next one, because its handle
// may be in a pending command. Nothing refers to a blob that is freed, and its handle is used again.
// Threads: any number may build and read; sweeps and schema changes need exclusive access. Not here: rows
// that change (a buffer, or entities), and rows that refer to entities, which come and go.
#pragma once

#include "ecs/base/contract.h"
#include "ecs/base/internal/stable_array.h"
#include "ecs/base/result.h"
#include "ecs/schema/bind.h"
#include "ecs/schema/component.h"
#include "ecs/schema/field_type.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace perigee {

class ComponentRegistry;
class TextPool;

class BlobStore {
public:
    static constexpr std::size_t kMaxBytes = std::size_t{1} << 30;
    /// Blobs on a path of references from one to the next.
    static constexpr std::uint32_t kMaxDepth = 256;
    /// Memory that a blob takes besides its rows, about.
    static constexpr std::size_t kOwnBytes = 128;

    BlobStore(const ComponentRegistry& registry, const TextPool& texts)
        : registry_(registry), texts_(texts) {}
    BlobStore(const BlobStore&) = delete;
    BlobStore& operator=(const BlobStore&) = delete;

    /// The blob with these rows, created if none exists yet; valid at least until the second sweep from now.
    /// `rows` is a whole number of rows of the type, and one if the type has shape root.
    /// Errors: the type is not of kind blob; an incomplete row; a blob field whose handle is not from this
    /// store, or is of another type than the field; more than kMaxDepth deep; all blobs together exceed
    /// kMaxBytes; the quota of the thread is used up.
    /// `taken`: if given, gets the bytes by which byte_count has grown.
    Result<BlobHandle> build(ComponentId type, std::span<const std::byte> rows, std::size_t* taken = nullptr);
    /// Expects: T is bound to the type, or is unbound and has the size of its rows (checked).
    template <typename T> Result<BlobHandle> build(ComponentId type, std::span<const T> rows) {
        expect_rows_of(type, type_number<T>(), perigee::type_name<T>(), sizeof(T));
        return build(type, std::as_bytes(rows));
    }
    template <typename T> Result<BlobHandle> build_root(ComponentId type, const T& value) {
        return build<T>(type, std::span(&value, 1));
    }

    /// False for handle 0, for an unknown handle and for a freed one.
    bool has(BlobHandle handle) const noexcept {
        return handle.index - 1 < blobs_.size() && blobs_[handle.index - 1].number != 0;
    }

    /// The rows. Empty for handle 0. Lifetime: the blob's.
    /// Expects: T is bound to the type, or is unbound and has the size of its rows (checked).
    template <typename T> std::span<const T> rows(BlobHandle handle) const {
        if (!has(handle)) return {};
        const Blob& blob = blobs_[handle.index - 1];
        expect_rows_of(blob.type, type_number<T>(), perigee::type_name<T>(), sizeof(T));
        return {reinterpret_cast<const T*>(blob.bytes.get()), blob.row_count};
    }
    /// One row. Expects: has(handle), i < row_count(handle), and as for rows (checked).
    template <typename T> const T& at(BlobHandle handle, std::size_t i) const {
        const std::span<const T> all = rows<T>(handle);
        ECS_EXPECTS(i < all.size(), i, all.size());
        return all[i];
    }
    /// The struct of a blob of shape root. Expects: has(handle), and as for rows (checked).
    template <typename T> const T& root(BlobHandle handle) const { return at<T>(handle, 0); }
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
    /// True if only snapshots hold it, so that it does not count.
    bool is_retired(BlobHandle handle) const noexcept {
        return has(handle) && blobs_[handle.index - 1].is_retired;
    }
    /// A hash of type and content: the same in every world and run; 0 for handle 0.
    std::uint64_t content_hash(BlobHandle handle) const noexcept {
        return has(handle) ? blobs_[handle.index - 1].hash : 0;
    }

    /// When it was built, counted from 1; greater than that of each blob it refers to. 0 for handle 0. No two
    /// blobs of a world ever have the same, so it tells whether a handle still means the same blob.
    std::uint64_t number(BlobHandle handle) const noexcept {
        return has(handle) ? blobs_[handle.index - 1].number : 0;
    }

    /// Number of blobs.
    std::size_t size() const noexcept { return blobs_.size() - free_.size(); }
    /// All blobs, in the order in which they were built: each comes after those it refers to.
    std::vector<BlobHandle> all() const;
    /// Of all blobs except those that only snapshots hold, with kOwnBytes for each. Expects: no thread is
    /// building.
    std::size_t byte_count() const noexcept { return byte_count_; }

    // ---- freeing; see ecs/world/content_sweep.h ----

    /// Keeps a blob until as many calls of `unpin`, for holders outside the world. Expects: has(handle).
    void pin(BlobHandle handle) noexcept;
    void unpin(BlobHandle handle) noexcept;

    /// True when enough was built to make a sweep worthwhile. Expects: no thread is building.
    bool wants_sweep() const noexcept { return byte_count_ >= sweep_at_; }
    /// Cost of building a byte, in cells that sweeps visit, as for texts (text_pool.h).
    double sweep_cost_per_byte() const noexcept { return sweep_cost_per_byte_; }

    /// Called in each sweep, to `mark` or `keep` the blobs that others hold. Returns a number for
    /// remove_root.
    using Root = std::function<void(BlobStore&)>;
    std::size_t add_root(Root root);
    void remove_root(std::size_t number) noexcept;
    /// Called with each blob whose rows may no longer be read: before it is freed, when its rows have
    /// changed, or when only snapshots hold it. Must not throw.
    void set_on_free(std::function<void(BlobHandle)> on_free) { on_free_ = std::move(on_free); }

    /// A sweep: begin_marking, then mark for each stored handle, then sweep.
    void begin_marking();
    void mark(BlobHandle handle) noexcept {
        ++visited_cells_;
        if (has(handle)) blobs_[handle.index - 1].is_marked = true;
    }
    void mark_all() noexcept {
        for (std::uint32_t index = 1; index <= blobs_.size(); ++index) mark(BlobHandle{index});
    }
    /// Keeps the memory of a blob for a snapshot. Otherwise it is as if it were freed, since a game must not
    /// depend on whether snapshots are taken.
    void keep(BlobHandle handle) noexcept {
        if (has(handle)) blobs_[handle.index - 1].is_kept = true;
    }
    /// Frees blobs that neither are marked, pinned or new since the last sweep, nor are referred to by
    /// others that stay. Returns their number. Cost: by the number of blobs and their references.
    std::size_t sweep();

    // ---- schema changes; see ecs/migrate/schema_change.h ----

    /// Blobs with other rows, and the hashes of all blobs that follow from it.
    struct Rows {
        BlobHandle blob;
        std::unique_ptr<std::byte[]> bytes;
        std::uint32_t row_bytes = 0;
    };
    struct Form {
        std::vector<Rows> rows;
        std::vector<std::uint64_t> hashes;  ///< by handle - 1
    };
    /// Fills in the hashes. Expects: the registry has the schemas of the new rows, which are canonical and as
    /// many as the old ones; no blob is built until the form is given up. Throws std::bad_alloc.
    void complete(Form& form);
    /// Swaps a complete form with the one in use. Blobs that become equal stay two.
    void exchange(Form& form) noexcept;
    /// Frees the rows of a form that is not in use. Code that looks at rows of these blobs must do so again.
    void drop(Form& form) noexcept;

private:
    void expect_rows_of(ComponentId type, std::uint32_t cpp_type, std::string_view cpp_name,
                        std::size_t row_bytes) const;

    struct Blob {
        ComponentId type;
        bool is_young = true;  ///< returned by build since the last sweep
        bool is_marked = false;
        bool is_kept = false;     ///< by the current or last sweep, for a snapshot
        bool is_retired = false;  ///< only snapshots hold it
        std::uint32_t row_bytes = 0;
        std::size_t row_count = 0;
        std::uint64_t hash = 0;
        std::unique_ptr<std::byte[]> bytes;  ///< operator new aligns to 16
        std::uint64_t number = 0;            ///< 0: free
        std::uint32_t pins = 0;
        std::uint32_t depth = 1;
        std::size_t row_byte_count() const noexcept { return row_count * row_bytes; }
        std::size_t byte_count() const noexcept { return row_byte_count() + kOwnBytes; }
    };

    Result<void> take(const Blob& blob);
    void retire(std::uint32_t index) noexcept;
    std::uint64_t hash_of(const Blob& blob) const;
    void exchange_rows(std::vector<Rows>& rows) noexcept;
    void forget(std::uint32_t index) noexcept;
    template <typename Function> void each_reference(const Blob& blob, Function&& fn) const;

    const ComponentRegistry& registry_;
    const TextPool& texts_;
    std::mutex mutex_;  ///< for building
    internal::StableArray<Blob> blobs_;
    std::multimap<std::uint64_t, std::uint32_t> by_hash_;  ///< content hash to handle
    std::vector<std::uint32_t> free_;                      ///< handles to use again; has capacity for all
    std::vector<Root> roots_;
    std::function<void(BlobHandle)> on_free_;
    std::uint64_t built_ = 0;
    std::size_t byte_count_ = 0;
    std::size_t sweep_at_ = kFirstSweep;
    std::size_t visited_cells_ = 0;  ///< of the current or last sweep
    double sweep_cost_per_byte_ = 0;

    static constexpr std::size_t kFirstSweep = std::size_t{1} << 20;
};

/// Keeps a blob for as long as it exists, which must not be longer than the world.
class BlobPin {
public:
    BlobPin(BlobStore& blobs, BlobHandle handle) noexcept : blobs_(&blobs), handle_(handle) {
        blobs.pin(handle);
    }
    BlobPin(BlobPin&& other) noexcept
        : blobs_(std::exchange(other.blobs_, nullptr)), handle_(other.handle_) {}
    BlobPin& operator=(BlobPin&& other) noexcept {
        std::swap(blobs_, other.blobs_);
        std::swap(handle_, other.handle_);
        return *this;
    }
    ~BlobPin() {
        if (blobs_ != nullptr) blobs_->unpin(handle_);
    }

private:
    BlobStore* blobs_;
    BlobHandle handle_;
};

}  // namespace perigee
