// What happened to components that somebody observes: who got them, lost them, or changed them.
//
// Invariant: for a component that nobody observes nothing is kept, and the paths on which rows come and go do
// not even ask. What happens waits until turn(): then all that was noted before is the batch that is shown,
// and the batch before is forgotten. Notes of one kind and component keep the order in which things happened.
// When memory runs out, a note is left out and counted. Reactions (schedule.h) are served by the schedule;
// others call turn() and then batch(), outside of systems. Rows of a component that somebody observes come
// and go one by one, also where many change at once.
//
// `changed` compares the values of rows with a copy of them, so only what differs in the end counts; rows
// that got the component since the last turn do not.
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

/// What wakes a reaction: an event that was delivered, or what happened to a component.
struct Trigger {
    enum class Kind : std::uint8_t { event, added, removed, changed, destroyed };
    Kind kind = Kind::event;
    ComponentId component;
    bool operator==(const Trigger&) const = default;
};
std::string_view trigger_name(Trigger::Kind kind) noexcept;

/// Why a component cannot be observed in this way; null when it can.
std::optional<std::string> observing_refused(Trigger::Kind kind, const Schema& schema);

/// Whom it happened to, and per entity the value that is gone: the last one, or, of `changed`, the one
/// before.
struct ObservedBatch {
    std::span<const Entity> entities;
    const std::byte* values = nullptr;  ///< null: of `added`, and of components without a value of the row
};

class Observers {
public:
    explicit Observers(const ComponentRegistry& registry);
    ~Observers();
    Observers(const Observers&) = delete;
    Observers& operator=(const Observers&) = delete;

    /// Begins or goes on to observe; counted. True when it begins. Expects: observing_refused found nothing.
    bool observe(Trigger trigger);
    /// One observer less. True when that was the last.
    bool forget(Trigger trigger);
    bool is_observed(Trigger trigger) const noexcept;
    bool is_empty() const noexcept { return watches_.empty(); }

    /// Those of the components that rows must report: whose coming and going somebody observes.
    std::vector<ComponentId> reported_of(std::span<const ComponentId> components) const;

    /// Notes what happened to `count` entities. `values`: of the first one, and bytes from one to the next;
    /// null for none. Nothing when nobody observes it.
    void note(Trigger::Kind kind, ComponentId component, const Entity* entities, std::size_t count,
              const std::byte* values, std::size_t stride) noexcept;

    /// `changed` of a component compares with the values of now.
    void copy_all(World& world, ComponentId component);

    /// Shows what was noted since the last turn, `changed` compared now. Returns whether there is anything.
    /// Expects: the world is not locked.
    bool turn(World& world);
    /// What the last turn shows.
    ObservedBatch batch(Trigger trigger) const noexcept;
    /// Forgets all notes, shown or not.
    void clear() noexcept;

    /// All values that are kept of a component, and how they are compared.
    struct Watch;
    struct WatchEnd {
        void operator()(Watch* watch) const noexcept;
    };
    using WatchOwner = std::unique_ptr<Watch, WatchEnd>;
    /// The same notes with each value converted: fn(const std::byte* before, std::byte* now) -> Result<void>.
    /// `value_bytes` is the size of those before. Null when nobody observes the component.
    using Convert = std::function<Result<void>(const std::byte* before, std::byte* now)>;
    Result<WatchOwner> converted(ComponentId component, const Convert& convert) const;
    /// `other` takes the place of what is kept of its component, and the other way round.
    void exchange(WatchOwner& other) noexcept;

    /// Notes that found no memory, since the beginning.
    std::uint64_t lost_count() const noexcept { return lost_count_; }

    /// Calls fn(const std::byte* value) for each value that is kept of a component.
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
    ChangeVersion compared = 0;                ///< change version up to which `changed` was looked for
    /// Stretches of the value that count: not what lies between fields.
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
