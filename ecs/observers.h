// Records additions, removals and changes of observed components.
//
// Invariant: an unobserved component costs nothing: no record is kept, and adding and removing rows does not
// even check. Records wait until turn(), which makes them the current batch and drops the previous one.
// Records of one kind and component keep their order. When memory runs out, a record is dropped and counted.
// The schedule serves reactions (schedule.h); other code calls turn() and then batch(), outside systems. Rows
// with an observed component are added and removed one by one, even in bulk operations.
//
// `changed` compares the values of rows with a copy of them, so only a difference at the time of turn()
// counts. Rows that got the component since the last turn do not count.
#pragma once

#include "ecs/change_version.h"
#include "ecs/component.h"
#include "ecs/entity.h"
#include "ecs/registry.h"
#include "ecs/result.h"

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

/// The affected entities, and per entity the old value: the last one, or for `changed` the previous one.
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

    /// Adds an observer (counted). True if it is the first. Expects: observing_refused found nothing.
    bool observe(Trigger trigger);
    /// Removes an observer. True if it was the last.
    bool forget(Trigger trigger);
    bool is_observed(Trigger trigger) const noexcept;
    bool is_empty() const noexcept { return watches_.empty(); }

    /// The subset of the components whose addition or removal is observed.
    std::vector<ComponentId> reported_of(std::span<const ComponentId> components) const;

    /// Records a change to `count` entities. `values`: value of the first one, and bytes from one to the
    /// next; null for none. Does nothing if the component is not observed.
    void note(Trigger::Kind kind, ComponentId component, const Entity* entities, std::size_t count,
              const std::byte* values, std::size_t stride) noexcept;

    /// Makes the current values the ones that `changed` compares with.
    void copy_all(World& world, ComponentId component);

    /// Makes the records since the last turn the current batch; `changed` is compared now. Returns true if
    /// there are any. Expects: the world is not locked.
    bool turn(World& world);
    /// The current batch, from the last turn.
    ObservedBatch batch(Trigger trigger) const noexcept;
    /// Drops all records, including the current batch.
    void clear() noexcept;

    /// All stored values of a component, and how they are compared.
    struct Watch;
    struct WatchEnd {
        void operator()(Watch* watch) const noexcept;
    };
    using WatchOwner = std::unique_ptr<Watch, WatchEnd>;
    /// The same records with each value converted: fn(const std::byte* before, std::byte* now) ->
    /// Result<void>. `value_bytes` is the size of the old values. Null if the component is not observed.
    using Convert = std::function<Result<void>(const std::byte* before, std::byte* now)>;
    Result<WatchOwner> converted(ComponentId component, const Convert& convert) const;
    /// Swaps `other` with the stored records of its component.
    void exchange(WatchOwner& other) noexcept;

    /// Records dropped for lack of memory, since the beginning.
    std::uint64_t lost_count() const noexcept { return lost_count_; }

    /// Calls fn(const std::byte* value) for each stored value of a component.
    template <typename Function> void each_value(ComponentId component, Function&& fn) const;

private:
    static constexpr std::size_t kKinds = 5;
    static constexpr std::size_t kPageRows = 256;

    struct Notes {
        std::vector<Entity> entities;
        std::vector<std::byte> values;
    };
    /// A copy of the values of some entities, by index.
    struct Page {
        std::array<Entity, kPageRows> owners{};
        std::unique_ptr<std::byte[]> values;
    };

    Watch* find(ComponentId component) noexcept;
    const Watch* find(ComponentId component) const noexcept;
    static std::vector<std::pair<std::uint32_t, std::uint32_t>> parts_of(const ComponentInfo& info);
    static void add(Notes& notes, Entity entity, const std::byte* value, std::uint32_t bytes);
    static std::pair<Entity*, std::byte*> copy_of(Watch& watch, Entity entity);
    static void forget_new(Watch& watch) noexcept;
    static void compare(World& world, Watch& watch);
    static void compare_chunk(Watch& watch, const Entity* entities, const std::byte* cells,
                              std::uint32_t count);

    const ComponentRegistry& registry_;
    std::vector<WatchOwner> watches_;  ///< sorted by component
    std::uint64_t lost_count_ = 0;
};

struct Observers::Watch {
    ComponentId component;
    std::uint32_t value_bytes = 0;
    std::array<std::uint32_t, kKinds> observers{};
    std::array<Notes, kKinds> coming, shown;
    std::vector<std::unique_ptr<Page>> pages;  ///< by entity index / kPageRows
    ChangeVersion compared = 0;                ///< change version of the last comparison for `changed`
    /// Byte ranges of the value that count, without padding between fields.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> parts;

    bool wants(Trigger::Kind kind) const noexcept { return observers[static_cast<std::size_t>(kind)] != 0; }
};

template <typename Function> void Observers::each_value(ComponentId component, Function&& fn) const {
    const Watch* const watch = find(component);
    if (watch == nullptr || watch->value_bytes == 0) return;
    const auto each = [&](const std::vector<std::byte>& values) {
        for (std::size_t at = 0; at < values.size(); at += watch->value_bytes) fn(values.data() + at);
    };
    for (std::size_t kind = 0; kind < kKinds; ++kind) {
        each(watch->coming[kind].values);
        each(watch->shown[kind].values);
    }
    for (const std::unique_ptr<Page>& page : watch->pages) {
        for (std::size_t i = 0; page != nullptr && i < kPageRows; ++i) {
            if (page->owners[i]) fn(page->values.get() + i * watch->value_bytes);
        }
    }
}

}  // namespace perigee
