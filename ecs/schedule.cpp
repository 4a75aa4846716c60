// Adding systems, keeping their order, and running a group: systems first, then their commands.
#include "ecs/schedule.h"

#include "ecs/contract.h"
#include "ecs/error_codes.h"
#include "ecs/internal/step_timer.h"
#include "ecs/internal/system_order.h"
#include "ecs/registry.h"
#include "ecs/text_sweep.h"
#include "ecs/world.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <utility>

namespace perigee {

namespace {

constexpr std::array<std::string_view, 4> kGroupNames{kInitialization, kSimulation, kTransforms,
                                                      kPresentation};

// True while it lives, also when a system throws.
class Flag {
public:
    explicit Flag(bool& flag) noexcept : flag_(flag) { flag_ = true; }
    ~Flag() { flag_ = false; }
    Flag(const Flag&) = delete;
    Flag& operator=(const Flag&) = delete;

private:
    bool& flag_;
};

// The first component that a description may write; not valid when there is none.
ComponentId written_component(const SystemDesc& desc) {
    for (const QueryTerm& term : desc.query.terms) {
        if (term.access == Access::write) return term.component;
    }
    return desc.access.write.empty() ? ComponentId{} : desc.access.write.front();
}

}  // namespace

struct Schedule::System {
    System(SystemDesc&& description, World& world, std::uint64_t game_seed)
        : desc(std::move(description)),
          commands(world),
          random(stream_seed(game_seed, desc.name)),
          timer(desc.every) {
        status.name = desc.name;
        status.group = desc.group;
    }

    SystemDesc desc;
    SystemStatus status;
    CommandBuffer commands;
    Random random;
    Query* query = nullptr;
    internal::StepTimer timer;
    std::uint32_t last_run_version = 0;
};

struct Schedule::Group {
    explicit Group(std::string_view group_name) : name(group_name) {}

    /// Steps that passed since the last run. Frames are not steps: in presentation the tick tells.
    std::uint64_t take_steps(const TickTime& time) noexcept {
        if (name != kPresentation) return 1;
        const std::uint64_t steps = !has_run ? 1 : time.tick > last_tick ? time.tick - last_tick : 0;
        has_run = true;
        last_tick = time.tick;
        return steps;
    }

    std::string_view name;
    std::vector<System*> members;  ///< as added
    std::vector<System*> order;
    bool is_stale = false;
    bool has_run = false;
    std::uint64_t last_tick = 0;
};

Schedule::Schedule(World& world, std::uint64_t seed) : world_(world), seed_(seed) {
    for (const std::string_view name : kGroupNames) groups_.push_back(std::make_unique<Group>(name));
}

Schedule::~Schedule() = default;

// ---- declaring ----

Result<SystemId> Schedule::add(SystemDesc desc) {
    ECS_EXPECTS(desc.run != nullptr, desc.name);
    if (Result<void> checked = check(desc); !checked) return checked.error();
    Query* query = nullptr;
    if (desc.query != QueryDesc{}) {
        Result<Query*> found = world_.query(desc.query);
        if (!found) return Error{errors::system_query(desc.name, found.error().message)};
        query = found.value();
    }
    Group& group = *find_group(desc.group);
    systems_.push_back(std::make_unique<System>(std::move(desc), world_, seed_));
    System& system = *systems_.back();
    system.query = query;
    if (group.name == kPresentation) system.commands.close();
    std::vector<ComponentId> written = written_by(system.desc);
    for (const ComponentId id : written) {
        if (is_cleanup_kind(world_.registry().info(id).kind())) owners_.emplace(id, system.desc.name);
    }
    system.commands.restrict_to(system.desc.name, std::move(written));
    group.members.push_back(&system);
    group.is_stale = true;
    return SystemId{static_cast<std::uint32_t>(systems_.size() - 1)};
}

Result<void> Schedule::check(const SystemDesc& desc) const {
    if (desc.name.empty()) return Error{errors::system_without_name(desc.group)};
    if (find(desc.name)) return Error{errors::system_exists(desc.name)};
    if (find_group(desc.group) == nullptr) {
        return Error{errors::unknown_group(desc.name, desc.group, nearest_name(desc.group, kGroupNames))};
    }
    if (!(desc.every >= 0) || std::isinf(desc.every))
        return Error{errors::bad_interval(desc.name, desc.every)};
    for (const ComponentId id : desc.access.read) ECS_EXPECTS(id.index < world_.registry().size(), id.index);
    for (const ComponentId id : desc.access.write) ECS_EXPECTS(id.index < world_.registry().size(), id.index);
    const ComponentId written = written_component(desc);
    if (desc.group == kPresentation && written.is_valid()) {
        return Error{errors::presentation_writes(desc.name, world_.registry().info(written).schema.name)};
    }
    return check_owners(desc);
}

// What a system declares as written, in its query or besides.
std::vector<ComponentId> Schedule::written_by(const SystemDesc& desc) {
    std::vector<ComponentId> written = desc.access.write;
    for (const QueryTerm& term : desc.query.terms) {
        if (term.access == Access::write) written.push_back(term.component);
    }
    return written;
}

// Cleanup components, and others that name an owner, are written by one system.
Result<void> Schedule::check_owners(const SystemDesc& desc) const {
    for (const ComponentId id : written_by(desc)) {
        const Schema& schema = world_.registry().info(id).schema;
        if (!is_cleanup_kind(schema.kind) && schema.owner.empty()) continue;
        const auto claimed = owners_.find(id);
        const std::string owner = !schema.owner.empty()      ? schema.owner
                                  : claimed != owners_.end() ? claimed->second
                                                             : desc.name;
        if (owner == desc.name || (owner == "engine" && desc.is_native)) continue;
        return Error{errors::writes_owned(desc.name, schema.name, kind_name(schema.kind), owner)};
    }
    return {};
}

Result<void> Schedule::resolve_order() {
    for (const std::unique_ptr<Group>& group : groups_) {
        if (Result<void> resolved = resolve_group(*group); !resolved) return resolved;
    }
    return {};
}

Result<void> Schedule::resolve_group(Group& group) {
    ECS_EXPECTS(!is_running_, "the order asked for by a running system");
    if (!group.is_stale) return {};
    std::vector<internal::OrderedSystem> systems;
    for (const System* system : group.members) {
        systems.push_back({system->desc.name, system->desc.before, system->desc.after});
    }
    std::vector<internal::ForeignSystem> elsewhere;
    for (const std::unique_ptr<System>& system : systems_) {
        if (system->desc.group != group.name) elsewhere.push_back({system->desc.name, system->desc.group});
    }
    Result<std::vector<std::uint32_t>> order = internal::order_systems(systems, group.name, elsewhere);
    if (!order) return order.error();
    group.order.clear();
    for (const std::uint32_t index : order.value()) group.order.push_back(group.members[index]);
    group.is_stale = false;
    return {};
}

// ---- running ----

Result<void> Schedule::run_group(std::string_view name, const TickTime& time) {
    Group* const group = find_group(name);
    ECS_EXPECTS(group != nullptr, name);
    ECS_EXPECTS(!is_running_, "a group run from inside a system");
    if (Result<void> resolved = resolve_group(*group); !resolved) return resolved;

    const Flag running(is_running_);
    const std::uint64_t steps = group->take_steps(time);
    for (System* system : group->order) {
        if (!system->status.is_enabled || system->status.is_suspended) continue;
        if (system->timer.advance(steps, time.dt)) run_system(*system, time);
    }
    // A version of its own: whoever ran in this group has yet to see what the commands change.
    world_.advance_change_version();
    for (System* system : group->order) system->status.commands += system->commands.play_back();
    // No command is pending now, so every text that counts is in the world.
    if (world_.texts().wants_sweep()) collect_texts(world_);
    return {};
}

void Schedule::run_system(System& system, const TickTime& time) {
    const std::uint32_t version = world_.advance_change_version();
    const double elapsed = system.desc.every > 0 ? system.timer.elapsed() : time.dt;
    SystemContext context{world_, system.commands, system.random,           system.query,
                          time,   elapsed,         system.last_run_version, &system.desc};
    const auto start = std::chrono::steady_clock::now();
    const Result<void> result = [&] {
        const World::Lock lock(world_);
        const World::Reader reader(world_, system.last_run_version);
        return system.desc.run(context);
    }();
    const std::chrono::duration<double, std::milli> duration = std::chrono::steady_clock::now() - start;
    system.status.last_milliseconds = duration.count();
    ++system.status.run_count;
    if (!result) {
        fail(system, result.error().message);
    } else if (const std::size_t refused = system.commands.refused_count(); refused != 0) {
        fail(system, errors::presentation_commands(system.desc.name, refused));
    } else {
        system.last_run_version = version;
    }
}

void Schedule::fail(System& system, std::string message) {
    system.commands.drop();
    system.status.is_suspended = true;
    system.status.error = std::move(message);
    if (error_handler_) error_handler_(system.status);
}

// ---- looking up and steering ----

Schedule::Group* Schedule::find_group(std::string_view name) const noexcept {
    for (const std::unique_ptr<Group>& group : groups_) {
        if (group->name == name) return group.get();
    }
    return nullptr;
}

Schedule::System& Schedule::system_at(SystemId id) const {
    ECS_EXPECTS(id.index < systems_.size(), id.index);
    return *systems_[id.index];
}

void Schedule::set_enabled(SystemId system, bool is_enabled) {
    system_at(system).status.is_enabled = is_enabled;
}

void Schedule::resume(SystemId system) { system_at(system).status.is_suspended = false; }

std::optional<SystemId> Schedule::find(std::string_view name) const noexcept {
    for (std::uint32_t index = 0; index < systems_.size(); ++index) {
        if (systems_[index]->desc.name == name) return SystemId{index};
    }
    return std::nullopt;
}

SystemStatus Schedule::status(SystemId system) const { return system_at(system).status; }

std::size_t Schedule::system_count() const noexcept { return systems_.size(); }

std::vector<std::string> Schedule::order(std::string_view name) {
    Group* const group = find_group(name);
    ECS_EXPECTS(group != nullptr, name);
    resolve_group(*group).value();
    std::vector<std::string> names;
    for (const System* system : group->order) names.push_back(system->desc.name);
    return names;
}

void Schedule::on_error(std::function<void(const SystemStatus&)> handler) {
    error_handler_ = std::move(handler);
}

void Schedule::reset(std::uint64_t seed) {
    seed_ = seed;
    for (const std::unique_ptr<System>& system : systems_) {
        system->random = Random(stream_seed(seed, system->desc.name));
        system->timer.reset();
        system->last_run_version = 0;
    }
    for (const std::unique_ptr<Group>& group : groups_) group->has_run = false;
}

}  // namespace perigee
