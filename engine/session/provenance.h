// Provenance: which system wrote which value, in which step, and what it was before.
//
//     Provenance provenance;
//     provenance.follow(session, 0);                // once the session has loaded
//     provenance.begin_step();
//     session.step(input);
//     provenance.end_step();                        // after each step
//     provenance.writes(entity, component, field)   // the newest last
//
// After each run of a system, each playback of commands and each callback it compares the world with a copy
// of its own. So a write that leaves the value as it was does not count, and of several writes in one run
// only the last counts. Systems that run at the same time write different components, so each write belongs
// to one of them. Systems of `presentation` are not reported, so what they write to presentation data counts
// as written between steps.
//
// Invariant: it reads the world and never changes it; the run is the same with and without it. The newest
// write of each value that is still there is kept longest. Threads: it works on the thread that runs the
// step, while no system runs. Not here: the question and the answer as text (provenance_answer.h), events,
// which are sent and not written, and the contents of objects.
#pragma once

#include "ecs/base/change_version.h"
#include "ecs/base/entity.h"
#include "ecs/schema/component.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace perigee {

class Archetype;
class GameSession;
class World;
struct ComponentInfo;
struct ScheduleMoment;

/// A change of one value.
struct ValueWrite {
    enum class Kind : std::uint8_t {
        changed,
        added,    ///< with its component, which the entity did not have
        spawned,  ///< with its entity
        removed,  ///< with its component; the field is that of presence
        destroyed,
    };
    enum class By : std::uint8_t {
        system,    ///< while it ran
        commands,  ///< when its commands were played back
        callback,  ///< in its on_create, on_stop or on_destroy, with their commands
        outside,   ///< between two systems: the console, frames, a change made by the host
    };
    std::uint64_t step = 0;    ///< in which it happened; between steps, the one before
    std::uint64_t number = 0;  ///< of this Provenance, ascending
    std::uint64_t before = 0;  ///< see Provenance::encoded
    std::uint64_t after = 0;
    std::uint32_t system = 0;  ///< see Provenance::system_name; not for `outside`
    std::uint16_t field = 0;   ///< as in ecs/inspect/world_digest.h
    Kind kind = Kind::changed;
    By by = By::system;
};

/// What to record; everything by default.
struct WatchedValues {
    std::optional<std::uint32_t> index;       ///< of the entity
    std::optional<std::uint32_t> generation;  ///< of it; none: the entity that has the index at the time
    std::string component;                    ///< empty: all

    bool is_everything() const noexcept { return !index && component.empty(); }
};

class Provenance {
public:
    /// Limits of the record: all writes, writes of one field, and texts of fields. Further
    /// texts are shown as "…", and a change from one of them to another is not seen.
    static constexpr std::size_t kMaxBytes = std::size_t{96} << 20;
    static constexpr std::size_t kWritesPerField = 8;
    static constexpr std::size_t kMaxTextBytes = std::size_t{8} << 20;

    /// If everything is watched, memory is bounded by the limits above; otherwise all writes are kept.
    explicit Provenance(WatchedValues watched = {}) : watched_(std::move(watched)) {}
    Provenance(const Provenance&) = delete;
    Provenance& operator=(const Provenance&) = delete;

    /// Forgets everything and begins with the values as they are now, after this many steps. Lifetime: this
    /// object must outlive the session, whose schedule refers to it. Expects: between steps.
    void follow(GameSession& session, std::uint64_t step);
    /// Called when the world was replaced by that of another step (GameSession::restore). Later writes are
    /// hidden, and forgotten when the next step begins.
    void go_back(std::uint64_t step);
    /// Called before and after each step of the session.
    void begin_step();
    void end_step();

    /// Writes of one field until now, the oldest first; with those that added or removed it. `entity` is null
    /// for a resource. Expects: a component of the session.
    std::vector<ValueWrite> writes(Entity entity, ComponentId component, std::uint16_t field) const;
    /// The recorded entities with this index, oldest first. Cost: by the number of values
    /// with writes.
    std::vector<Entity> entities_at(std::uint32_t index) const;

    /// The number of steps after which it began, and the current one. It begins again when the fields of a
    /// type change.
    std::uint64_t first_step() const noexcept { return first_step_; }
    std::uint64_t step() const noexcept { return step_; }
    /// True if no write is ever dropped to save memory: certain values are watched.
    bool keeps_all() const noexcept { return !watched_.is_everything(); }
    /// Expects: the system of a write. Lifetime: until the next step.
    std::string_view system_name(std::uint32_t system) const noexcept { return systems_[system]; }

    /// The value of a field in 64 bits: numbers as their bytes, texts as their place in texts(), of a buffer
    /// hashes of its elements and its length. Shape: by field number - kEnabledField. `cell` may be null.
    std::vector<std::uint64_t> encoded(const ComponentInfo& info, const std::byte* cell, bool is_enabled);
    /// A text by its place; empty if there is none. Lifetime: until the next step.
    std::string_view text(std::uint64_t place) const noexcept;

private:
    // Who may have made the change that a comparison finds.
    struct Author {
        ValueWrite::By by;
        std::uint32_t system;
    };
    // An entity as it was when the world was last compared.
    struct Known {
        Entity entity;
        const Archetype* archetype = nullptr;  ///< null: not alive
    };
    // The values of a component when they were last compared, encoded.
    struct Shadow {
        std::size_t stride = 0;              ///< numbers of one value
        std::vector<std::uint32_t> slot_of;  ///< by entity index: its value in `values`; kNoSlot
        std::vector<std::uint64_t> values;
        std::vector<std::uint32_t> free;  ///< slots to use again
        ChangeVersion looked_at = 0;
        std::uint64_t schema = 0;  ///< hash
        bool is_watched = false;
    };
    struct Key {
        std::uint64_t entity;
        std::uint32_t component;
        bool operator==(const Key&) const = default;
    };
    struct KeyHash {
        std::size_t operator()(const Key& key) const noexcept {
            return (key.entity * 0x9E3779B97F4A7C15ull) ^ (key.component * 0xC2B2AE3D27D4EB4Full);
        }
    };
    static constexpr std::uint32_t kNoSlot = 0xFFFFFFFF;
    static constexpr std::uint32_t kWholeEntity = 0x10000;  ///< in place of a component

    void forget();
    void begin_values();
    void after(const ScheduleMoment& moment);
    Author author_of(const ScheduleMoment& moment);
    bool is_of_changed_types();
    void look_at_all(Author author);
    void look(Author author, std::span<const ComponentId> components);
    void look_at_entities(Author author);
    void look_at_entity(Author author, std::uint32_t index, Entity entity);
    void look_at_values(Author author, ComponentId component);
    void look_at_value(Author author, const ComponentInfo& info, Entity entity, const std::byte* cell,
                       bool is_enabled);
    void look_at_chunks(Author author, const ComponentInfo& info, ChangeVersion since);
    Entity entity_at(std::uint32_t index) const noexcept;
    void add_value(Author author, ValueWrite::Kind kind, Entity entity, ComponentId component);
    void remove_value(Author author, Entity entity, ComponentId component, bool is_noted);
    void note(Author author, Entity entity, std::uint32_t component, ValueWrite write);
    void save_memory();
    std::span<std::uint64_t> values_of(Shadow& shadow, Entity entity);
    void encode(const ComponentInfo& info, const std::byte* cell, bool is_enabled);
    std::uint64_t place_of(std::string_view text);

    WatchedValues watched_;
    GameSession* session_ = nullptr;
    std::weak_ptr<const void> handler_;  ///< expires with the session, at whose address another one may begin
    const World* world_ = nullptr;
    std::uint64_t first_step_ = 0;
    std::uint64_t step_ = 0;
    std::uint64_t last_number_ = 0;
    bool has_gone_back_ = false;
    bool is_silent_ = false;  ///< while values are looked at for the first time

    std::vector<Shadow> shadows_;  ///< by component index
    std::vector<Known> known_;     ///< by entity index
    std::uint64_t structure_ = 0;  ///< World::structure_version when entities were last looked at
    ChangeVersion entities_looked_at_ = 0;
    std::vector<std::uint64_t> now_;  ///< of the value being compared

    std::unordered_map<Key, std::vector<ValueWrite>, KeyHash> writes_;
    std::size_t write_count_ = 0;
    std::vector<std::string> systems_;
    std::unordered_map<std::string, std::uint32_t> system_numbers_;
    std::vector<std::string> texts_;
    std::unordered_map<std::string, std::uint64_t> text_places_;
    std::size_t text_bytes_ = 0;
};

}  // namespace perigee
