// Records additions, removals and changes of observed components.
//
// Invariant: an unobserved component costs nothing: no record is kept, and adding and removing rows does not
// even check. Records wait until publish(), which makes them the current batch and drops the previous one.
// Records of one kind and component keep their order. When memory runs out, a record is dropped and counted.
// The schedule serves reactions (schedule.h); other code calls publish() and then batch(), outside systems.
// Rows with an observed component are added and removed one by one, even in bulk operations.
//
// `changed` compares the values of rows with a copy of them, so only a difference at the time of publish()
// counts. Rows that got the component since the last publish() do not count. A copy lives as long as its row.
//
// Observers pay for copies and records, not the system that changes the rows. Each kind of each component has
// its own account: the first of its observers that can pay pays for all of it. `changed` needs copies and
// records, the other kinds records alone. Records that no observer can pay for are lost to the observers of
// that kind, and counted.
#pragma once

#include "ecs/base/change_version.h"
#include "ecs/base/entity.h"
#include "ecs/base/result.h"
#include "ecs/schema/component.h"
#include "ecs/schema/registry.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perigee {

class World;
namespace internal {
class WatchBytes;
}

/// What triggers a reaction: a delivered event or a change of a component.
struct Trigger {
    enum class Kind : std::uint8_t { event, added, removed, changed, destroyed };
    Kind kind = Kind::event;
    ComponentId component;
    bool operator==(const Trigger&) const = default;
};
std::string_view trigger_name(Trigger::Kind kind) noexcept;

/// The reason why a component cannot be observed in this way; empty if it can.
std::optional<std::string> observing_refused(Trigger::Kind kind, const Schema& schema);

/// Pays for the memory of observing, such as a mod.
class ObservationPayer {
public:
    /// False if it cannot pay for so many more bytes.
    virtual bool hold(std::size_t bytes) noexcept = 0;
    virtual void release(std::size_t bytes) noexcept = 0;

protected:
    ~ObservationPayer() = default;
};

/// The affected entities, each with its old value: the last one, or for `changed` the previous one.
struct ObservedBatch {
    std::span<const Entity> entities;
    const std::byte* values = nullptr;  ///< null for `added`, and for components without a value in the row
};

class Observers {
public:
    explicit Observers(const ComponentRegistry& registry);
    ~Observers();
    Observers(const Observers&) = delete;
    Observers& operator=(const Observers&) = delete;

    /// Adds an observer (counted). True if it is the first. `payer`: null for none, without a limit.
    /// Lifetime: it lives until remove or forget_payer. Expects: observing_refused found nothing.
    bool observe(Trigger trigger, ObservationPayer* payer = nullptr);
    /// Removes an observer with its payer. True if it was the last of the trigger. Expects: it observes.
    bool remove(Trigger trigger, ObservationPayer* payer = nullptr);
    /// From now on, what this payer has paid for has no limit.
    void forget_payer(ObservationPayer* payer) noexcept;
    bool is_observed(Trigger trigger) const noexcept { return !watches_.empty() && wants(trigger); }
    bool is_empty() const noexcept { return watches_.empty(); }

    /// The subset of the components whose addition or removal is observed.
    std::vector<ComponentId> reported_of(std::span<const ComponentId> components) const;

    /// Records a change to `count` entities, as far as a RecordRoom of this thread allows
    /// (internal/record_room.h). `values`: value of the first one, and bytes from one to the next; null for
    /// none. Does nothing if the component is not observed.
    void record(Trigger::Kind kind, ComponentId component, const Entity* entities, std::size_t count,
                const std::byte* values, std::size_t stride) noexcept;

    /// Releases the copies of the values of these rows, which lose the component.
    void release_copies(ComponentId component, const Entity* entities, std::size_t count) noexcept;

    /// Makes the current values the ones that `changed` compares with.
    void copy_all(World& world, ComponentId component);

    /// Makes the records since the last call the current batch; `changed` is compared now. Returns true if
    /// there are any. Expects: the world is not locked.
    bool publish(World& world);
    /// Number of records for the next batch, without `changed`, which is compared in publish().
    std::size_t pending_count(Trigger trigger) const noexcept;
    /// The current batch, from the last publish().
    ObservedBatch batch(Trigger trigger) const noexcept;
    /// Drops all records, including the current batch.
    void clear() noexcept;

    /// All stored values of a component, and how they are compared.
    struct Watch;
    struct WatchDeleter {
        void operator()(Watch* watch) const noexcept;
    };
    using WatchPtr = std::unique_ptr<Watch, WatchDeleter>;
    /// The same records with each value converted: fn(const std::byte* before, std::byte* now) ->
    /// Result<void>. `value_bytes` is the size of the old values. Null if the component is not observed.
    using Convert = std::function<Result<void>(const std::byte* before, std::byte* now)>;
    Result<WatchPtr> converted(ComponentId component, const Convert& convert) const;
    /// Swaps `other` with the stored records of its component.
    void exchange(WatchPtr& other) noexcept;

    /// Independent copies of all stored values, for a snapshot. Throws std::bad_alloc.
    std::vector<WatchPtr> copies() const { return copies_of(watches_); }
    static std::vector<WatchPtr> copies_of(const std::vector<WatchPtr>& watches);
    /// Replaces all records by those of an earlier time. Observers stay and pay for them; what one of them
    /// did not observe then is empty. Expects: the schemas are those of that time.
    void replace(std::vector<WatchPtr>& others) noexcept;

    /// Number of records and copies dropped for lack of memory: since the beginning, and of one trigger
    /// between the last two calls of publish().
    std::uint64_t lost_count() const noexcept { return lost_count_; }
    std::uint64_t lost_count(Trigger trigger) const noexcept;
    /// Bytes of all copies and records.
    std::size_t byte_count() const noexcept;

    /// Calls fn(const std::byte* value) for each stored value of a component.
    template <typename Function> void each_value(ComponentId component, Function&& fn) const {
        const Watch* const watch = find(component);
        if (watch != nullptr) each_value(*watch, fn);
    }
    template <typename Function> static void each_value(const Watch& watch, Function&& fn);

private:
    friend class internal::WatchBytes;  // ecs/save: records in a file
    static constexpr std::size_t kKinds = 5;
    // Large values have small pages: an entity may be the only one of its page.
    static constexpr std::size_t kPageBytes = 4096;
    static constexpr std::size_t kMinPageRows = 4, kMaxPageRows = 256;
    bool wants(Trigger trigger) const noexcept;
    static std::size_t page_rows_of(std::uint32_t value_bytes) noexcept;

    struct Records {
        std::vector<Entity> entities;
        std::vector<std::byte> values;
        std::size_t paid = 0;  ///< bytes
    };
    /// Who pays for the observers of one kind, and how much.
    struct Account {
        std::vector<ObservationPayer*> payers;  ///< one for each observer; the first one pays
        std::size_t paid = 0;                   ///< bytes
        std::uint64_t lost_pending = 0, lost_published = 0;
    };
    /// Copies of the values of entities with neighbouring indices; released with the last one.
    struct Page {
        explicit Page(std::size_t rows, std::uint32_t value_bytes);

        std::unique_ptr<Entity[]> owners;
        std::unique_ptr<bool[]> is_copied;  ///< false: the row is new and was not compared yet
        std::unique_ptr<std::byte[]> values;
        std::size_t used = 0;  ///< rows with an owner
    };

    Watch* find(ComponentId component) noexcept;
    const Watch* find(ComponentId component) const noexcept;
    static std::vector<std::pair<std::uint32_t, std::uint32_t>> parts_of(const ComponentInfo& info);
    static void add(Records& records, Entity entity, const std::byte* value, std::uint32_t bytes);
    static bool pay(Account& account, std::size_t bytes) noexcept;
    static void pay_back(Account& account, std::size_t bytes) noexcept;
    static std::size_t bytes_of(const Watch& watch, Trigger::Kind kind) noexcept;
    void pay_or_drop(Watch& watch, Trigger::Kind kind, std::size_t bytes) noexcept;
    void lose(Account& account, std::size_t count) noexcept;
    static void empty(Account& account, Records& records) noexcept;
    static void release(Watch& watch, Trigger::Kind kind) noexcept;
    void track_row(Watch& watch, Entity entity) noexcept;
    static void release_copy(Watch& watch, Entity entity) noexcept;
    static void release_pages(Watch& watch) noexcept;
    static std::size_t bytes_of_page(const Watch& watch) noexcept;
    void compare(World& world, Watch& watch);
    void compare_chunk(Watch& watch, const Entity* entities, const std::byte* cells,
                       std::uint32_t count) noexcept;

    const ComponentRegistry& registry_;
    std::vector<WatchPtr> watches_;  ///< sorted by component
    std::uint64_t lost_count_ = 0;
};

struct Observers::Watch {
    ComponentId component;
    std::uint32_t value_bytes = 0;
    std::array<Account, kKinds> accounts;
    std::array<Records, kKinds> pending, published;
    std::size_t page_rows = 1;                 ///< a power of two
    std::vector<std::unique_ptr<Page>> pages;  ///< by entity index / page_rows
    std::size_t page_bytes = 0;                ///< of all pages and their table
    ChangeVersion compared = 0;                ///< change version of the last comparison for `changed`
    /// Byte ranges of the value that count, without padding between fields.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> parts;

    Account& account(Trigger::Kind kind) noexcept { return accounts[static_cast<std::size_t>(kind)]; }
    const Account& account(Trigger::Kind kind) const noexcept {
        return accounts[static_cast<std::size_t>(kind)];
    }
    bool wants(Trigger::Kind kind) const noexcept { return !account(kind).payers.empty(); }
};

template <typename Function> void Observers::each_value(const Watch& watch, Function&& fn) {
    if (watch.value_bytes == 0) return;
    const auto each = [&](const std::vector<std::byte>& values) {
        for (std::size_t at = 0; at < values.size(); at += watch.value_bytes) fn(values.data() + at);
    };
    for (std::size_t kind = 0; kind < kKinds; ++kind) {
        each(watch.pending[kind].values);
        each(watch.published[kind].values);
    }
    for (const std::unique_ptr<Page>& page : watch.pages) {
        for (std::size_t i = 0; page != nullptr && i < watch.page_rows; ++i) {
            if (page->is_copied[i]) fn(page->values.get() + i * watch.value_bytes);
        }
    }
}

}  // namespace perigee
