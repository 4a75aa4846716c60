// One entry per node; restoring copies it back and allocates nothing.
#include "ecs/schedule/schedule_state.h"

#include "ecs/base/contract.h"
#include "ecs/base/internal/byte_stream.h"
#include "ecs/schedule/internal/schedule_node.h"
#include "ecs/schedule/schedule.h"
#include "ecs/world/world.h"

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace perigee {

struct ScheduleState::Entry {
    std::string name;
    internal::StepTimer timer;
    Random random;
    ChangeVersion last_run_version;
    std::uint32_t wanted_ids;
    SystemEvents::Places places;
    std::string error;
    ErrorKind error_kind;
    double elapsed;
    std::uint64_t last_tick;
    bool is_late, has_run, is_enabled, is_suspended;
    bool is_group;
};

ScheduleState::ScheduleState() = default;
ScheduleState::~ScheduleState() = default;
ScheduleState::ScheduleState(ScheduleState&&) noexcept = default;
ScheduleState& ScheduleState::operator=(ScheduleState&&) noexcept = default;

ScheduleState Schedule::state() const {
    ECS_EXPECTS(!is_running_, "the state of a schedule while a group runs");
    ScheduleState state;
    state.time_ = last_time_;
    state.next_tick_ = next_tick_;
    for (const std::unique_ptr<Node>& node : nodes_) {
        state.entries_.emplace_back();
        if (node == nullptr || node->is_in_future) continue;
        const SystemStatus& status = node->status;
        state.entries_.back() = std::make_unique<ScheduleState::Entry>(ScheduleState::Entry{
            node->desc.name, node->timer, node->random, node->last_run_version, node->ids.wanted(),
            node->events.places(), status.error, status.error_kind, node->elapsed, node->last_tick,
            node->is_late, node->has_run, status.is_enabled, status.is_suspended, node->is_group});
    }
    if (host_streams_)
        host_streams_([&state](std::string_view name, Random& stream) {
            state.streams_.emplace_back(std::string(name), stream);
        });
    return state;
}

void Schedule::restore(const ScheduleState& state) noexcept {
    ECS_EXPECTS(!is_running_, "a schedule is restored while a group runs");
    last_time_ = state.time_;
    next_tick_ = state.next_tick_;
    step_end_.clear();
    if (host_streams_)
        host_streams_([&state](std::string_view name, Random& stream) {
            const auto kept = std::ranges::find(state.streams_, name, &std::pair<std::string, Random>::first);
            if (kept != state.streams_.end()) stream = kept->second;
        });
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        if (nodes_[i] == nullptr) continue;
        Node& node = *nodes_[i];
        node.is_pending = false;  // its batch is in memory that is gone
        node.batch = {};
        node.events.forget_read();
        const ScheduleState::Entry* const entry =
            i < state.entries_.size() ? state.entries_[i].get() : nullptr;
        node.is_in_future = node.is_late_comer && entry == nullptr && !node.is_group;
        node.changes.list.clear();
        if (entry == nullptr) {
            node.timer.reset();
            node.random = Random(stream_seed(seed_, node.desc.name));
            node.last_run_version = 0;
            node.ids.forget_last_run();
            node.is_late = node.has_run = false;
            node.elapsed = 0;
            continue;
        }
        node.timer.continue_from(entry->timer);
        node.random = entry->random;
        node.last_run_version = entry->last_run_version;
        node.ids.want(entry->wanted_ids);
        node.events.resume_from(entry->places);
        node.elapsed = entry->elapsed;
        node.last_tick = entry->last_tick;
        node.is_late = entry->is_late;
        node.has_run = entry->has_run;
        node.status.is_enabled = entry->is_enabled;
        node.status.is_suspended = entry->is_suspended;
        if (!entry->is_suspended) node.status.error.clear();
    }
}

// ---- in a file ----

namespace {

constexpr std::string_view kStreamPrefix = "\nstream ";  // no group has such a name
constexpr double kMaxSeconds = 1e15;
constexpr std::uint32_t kMaxWantedIds = 1u << 22;  // reserved ahead of the next run

double seconds_from(internal::ByteReader& from) noexcept {
    const auto seconds = from.get<double>();
    if (!(seconds >= 0 && seconds <= kMaxSeconds)) from.fail();
    return from.is_ok() ? seconds : 0;
}

// Of a tick that only presentation has begun, `alpha` is 0 in a file; the next step is in that tick.
void write_time(internal::ByteWriter& to, const TickTime& time, std::uint64_t next_tick) {
    to.put(time.dt);
    to.put(time.tick);
    to.put(time.time);
    to.put(next_tick == time.tick ? 0.0 : 1.0);
}

std::pair<TickTime, std::uint64_t> read_time(internal::ByteReader& from) noexcept {
    TickTime time;
    time.dt = seconds_from(from);
    time.tick = from.get<std::uint64_t>();
    time.time = seconds_from(from);
    const bool was_step = seconds_from(from) != 0;
    if (time.dt == 0) from.fail();
    return {time, time.tick + (was_step ? 1 : 0)};
}

void write_timer(internal::ByteWriter& to, const internal::StepTimer::State& timer) {
    to.put(timer.step_seconds);
    to.put(timer.intervals_done);
    to.put(timer.steps);
    to.put(timer.unspent_steps);
    to.put(static_cast<std::uint8_t>(timer.was_due));
}

internal::StepTimer::State read_timer(internal::ByteReader& from) noexcept {
    internal::StepTimer::State timer;
    timer.step_seconds = seconds_from(from);
    timer.intervals_done = seconds_from(from);
    timer.steps = from.get<std::uint64_t>();
    timer.unspent_steps = from.get<std::uint64_t>();
    timer.was_due = from.get_bool();
    return timer;
}

SystemEvents::Places read_places(internal::ByteReader& from, const ComponentRegistry& registry) {
    SystemEvents::Places places;
    const std::uint32_t count = from.count(sizeof(std::uint32_t) + sizeof(std::uint64_t));
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::optional<ComponentId> event = registry.find(from.get_text());
        const auto number = from.get<std::uint64_t>();
        if (event && registry.info(*event).kind() == ComponentKind::event)
            places.emplace_back(*event, number);
    }
    return places;
}

}  // namespace

ScheduleState::Entry ScheduleState::new_entry(std::string name) {
    return {.name = std::move(name),
            .timer = internal::StepTimer(0),
            .random = Random(),
            .last_run_version = 0,
            .wanted_ids = 0,
            .places = {},
            .error = {},
            .error_kind = {},
            .elapsed = 0,
            .last_tick = 0,
            .is_late = false,
            .has_run = false,
            .is_enabled = true,
            .is_suspended = false,
            .is_group = false};
}

// Programs that know nothing of them take it for a group that they lack.
ScheduleState::Entry ScheduleState::stream_entry(std::string_view name, const Random& stream) {
    Entry entry = new_entry(std::string(kStreamPrefix) + std::string(name));
    entry.random = stream;
    entry.is_group = true;
    return entry;
}

void ScheduleState::write(internal::ByteWriter& to, const ComponentRegistry& registry) const {
    write_time(to, time_, next_tick_);
    std::size_t count = 0;
    for (const std::unique_ptr<const Entry>& entry : entries_) count += entry != nullptr ? 1u : 0u;
    count += streams_.size();
    to.put_count(count);
    for (const auto& [name, stream] : streams_) write_entry(to, stream_entry(name, stream), registry);
    for (const std::unique_ptr<const Entry>& entry : entries_)
        if (entry != nullptr) write_entry(to, *entry, registry);
}

void ScheduleState::write_entry(internal::ByteWriter& to, const Entry& entry,
                                const ComponentRegistry& registry) {
    to.put_text(entry.name);
    to.put(static_cast<std::uint8_t>(entry.is_group));
    write_timer(to, entry.timer.state());
    for (const std::uint64_t word : entry.random.state()) to.put(word);
    to.put(entry.last_run_version);
    to.put(entry.wanted_ids);
    to.put_count(entry.places.size());
    for (const auto& [event, number] : entry.places) {
        to.put_text(registry.info(event).schema.name);
        to.put(number);
    }
    to.put(entry.elapsed);
    to.put(entry.last_tick);
    to.put(static_cast<std::uint8_t>(entry.is_late));
    to.put(static_cast<std::uint8_t>(entry.has_run));
    to.put(static_cast<std::uint8_t>(entry.is_enabled));
}

ScheduleState Schedule::read_state(internal::ByteReader& from) const {
    ECS_EXPECTS(!is_running_, "the state of a schedule is read while a group runs");
    ScheduleState state;
    std::tie(state.time_, state.next_tick_) = read_time(from);
    state.entries_.resize(nodes_.size());
    std::map<std::pair<bool, std::string_view>, std::size_t> places;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        if (nodes_[i] == nullptr) continue;
        places.emplace(std::pair(nodes_[i]->is_group, std::string_view(nodes_[i]->desc.name)), i);
    }
    const std::uint32_t count = from.count(sizeof(std::uint32_t) + 1);
    for (std::uint32_t i = 0; i < count && from.is_ok(); ++i) {
        ScheduleState::Entry entry = ScheduleState::new_entry(std::string(from.get_text()));
        entry.is_group = from.get_bool();
        entry.timer.set_state(read_timer(from));
        std::array<std::uint64_t, 4> random;
        for (std::uint64_t& word : random) word = from.get<std::uint64_t>();
        entry.random.set_state(random);
        entry.last_run_version = from.get<ChangeVersion>();
        entry.wanted_ids = from.get_at_most(kMaxWantedIds);
        entry.places = read_places(from, world_.registry());
        entry.elapsed = seconds_from(from);
        entry.last_tick = from.get<std::uint64_t>();
        entry.is_late = from.get_bool();
        entry.has_run = from.get_bool();
        entry.is_enabled = from.get_bool();
        if (entry.is_group && entry.name.starts_with(kStreamPrefix)) {
            state.streams_.emplace_back(entry.name.substr(kStreamPrefix.size()), entry.random);
            continue;
        }
        const auto place = places.find({entry.is_group, entry.name});
        if (!from.is_ok() || place == places.end()) continue;
        entry.is_suspended = nodes_[place->second]->status.is_suspended;
        state.entries_[place->second] = std::make_unique<const ScheduleState::Entry>(std::move(entry));
    }
    return state;
}

}  // namespace perigee
