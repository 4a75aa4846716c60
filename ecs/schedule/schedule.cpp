// Declares systems and groups and reports on them. schedule_control.cpp switches them, schedule_run.cpp runs
// them.
#include "ecs/schedule/schedule.h"

#include "ecs/base/contract.h"
#include "ecs/base/error_codes.h"
#include "ecs/base/internal/plain_name.h"
#include "ecs/schedule/internal/reaction_loops.h"
#include "ecs/schedule/internal/schedule_node.h"
#include "ecs/schema/registry.h"
#include "ecs/storage/event_store.h"
#include "ecs/world/observers.h"
#include "ecs/world/world.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace perigee {

Schedule::Schedule(World& world, std::uint64_t seed)
    : world_(world), seed_(seed), loops_(std::make_unique<internal::ReactionLoops>(world)) {
    const auto add_top_level = [&](std::string_view name) -> Node& {
        SystemDesc desc;
        desc.name = name;
        desc.group.clear();
        Node& group = add_node(std::move(desc), nullptr);
        group.is_group = group.status.is_group = true;
        group.is_presentation = name == kPresentation;
        return group;
    };
    for (const std::string_view name : kFrameGroups) add_top_level(name);
    reactions_ = &add_top_level(kReactions);
    system_count_ = 0;
}

Schedule::~Schedule() {
    moment_handler_ = nullptr;  // it may be gone
    for (std::size_t i = nodes_.size(); i-- > 0;) {
        if (nodes_[i] != nullptr && !nodes_[i]->is_group) remove_now(*nodes_[i]);
    }
}

// ---- declaring ----

Result<SystemId> Schedule::add(SystemDesc desc) {
    expect_may_change();
    ECS_EXPECTS(desc.run != nullptr, desc.name);
    if (desc.reacts_to) desc.group = kReactions;
    Node* const known = find_node(desc.name);
    Node* const earlier = known != nullptr && known->is_in_future ? known : nullptr;
    if (Result<void> checked = check(desc, earlier); !checked) return checked.error();
    Result<Query*> query = query_of(desc);
    if (!query) return query.error();
    Node& node = earlier != nullptr ? add_again(*earlier, std::move(desc))
                                    : add_node(std::move(desc), find_group(desc.group));
    set_up(node, query.value());
    const SystemId id{node.index};
    node.is_late_comer = is_ending_step_;
    if (is_ending_step_) {
        // The game goes on, so an order that cannot be resolved is refused here.
        if (Result<void> resolved = resolve_order(); !resolved) {
            drop_node(node);
            return resolved.error();
        }
    }
    if (!node.desc.on_create) return id;
    if (is_running_) {
        deferred_changes_.push_back([this, id] {
            if (Node* added = nodes_[id.index].get()) {
                if (Result<void> made = call_outside(*added, added->desc.on_create); !made) {
                    fail(*added, Error{errors::system_create(added->desc.name, made.error().message),
                                       made.error().kind});
                }
            }
        });
        return id;
    }
    if (Result<void> made = call_outside(node, node.desc.on_create); !made) {
        Error error{errors::system_create(node.desc.name, made.error().message), made.error().kind};
        drop_node(node);
        return error;
    }
    return id;
}

SystemDesc Schedule::described(GroupDesc&& group) {
    SystemDesc desc;
    desc.name = std::move(group.name);
    desc.group = std::move(group.group);
    desc.before = std::move(group.before);
    desc.ignores_unknown_names = group.ignores_unknown_names;
    desc.after = std::move(group.after);
    desc.every = group.every;
    desc.run_if = std::move(group.run_if);
    desc.is_enabled = group.is_enabled;
    return desc;
}

Result<SystemId> Schedule::add_group(GroupDesc group) {
    expect_may_change();
    SystemDesc desc = described(std::move(group));
    if (desc.name.empty()) return Error{errors::group_without_name()};
    if (desc.group == kReactions) return Error{errors::group_of_reactions(desc.name)};
    if (Result<void> checked = check_group(desc, nullptr); !checked) return checked.error();
    Node* const parent = find_group(desc.group);
    if (parent == nullptr) desc.group.clear();
    Node& node = add_node(std::move(desc), parent);
    node.is_group = node.status.is_group = true;
    node.is_presentation = parent != nullptr && parent->is_presentation;
    --system_count_;
    return SystemId{node.index};
}

// The step is no group, so `check` is asked about one that is.
Result<void> Schedule::check_group(SystemDesc desc, const Node* replaced) const {
    if (desc.group == kStep && find_group(kStep) == nullptr) desc.group = kSimulation;
    if (find_group(desc.group) == nullptr) {
        std::vector<std::string_view> names = names_of_groups();
        names.push_back(kStep);
        return Error{errors::unknown_group("group", desc.name, desc.group, names)};
    }
    return check(desc, replaced);
}

// Those that systems may be in.
std::vector<std::string_view> Schedule::names_of_groups() const {
    std::vector<std::string_view> names;
    for (const std::unique_ptr<Node>& node : nodes_) {
        if (node != nullptr && node->is_group && node.get() != reactions_) names.push_back(node->desc.name);
    }
    return names;
}

internal::ScheduleNode& Schedule::add_node(SystemDesc&& desc, Node* parent) {
    nodes_.push_back(std::make_unique<Node>(std::move(desc), world_, seed_));
    Node& node = *nodes_.back();
    node.index = static_cast<std::uint32_t>(nodes_.size() - 1);
    node.parent = parent;
    ++system_count_;
    mark_stale(parent);
    if (parent == nullptr) return node;
    parent->members.push_back(&node);
    return node;
}

// In the place of a system that a restore took back to before its time: earlier states refer to the place.
internal::ScheduleNode& Schedule::add_again(Node& earlier, SystemDesc&& desc) {
    const std::uint32_t place = earlier.index;
    drop_node(earlier);
    Node& node = add_node(std::move(desc), find_group(desc.group));
    node.index = place;
    nodes_[place] = std::move(nodes_.back());
    nodes_.pop_back();
    return node;
}

void Schedule::drop_node(Node& node) {
    release_owned(node);
    unobserve(node.desc);
    node.commands.drop();
    node.events.drop();
    std::erase(node.parent->members, &node);
    std::erase(node.parent->order, &node);
    mark_stale(node.parent);
    is_playback_stale_ = true;
    std::erase(detached_, &node);
    --system_count_;
    nodes_[node.index].reset();
}

Result<void> Schedule::check(const SystemDesc& desc, const Node* replaced) const {
    if (desc.name.empty()) return Error{errors::system_without_name(desc.group)};
    if (internal::has_control_character(desc.name)) {
        return Error{errors::control_character("system", desc.name)};
    }
    const Node* const known = find_node(desc.name);
    if (known != nullptr && known != replaced)
        return Error{errors::system_exists(desc.name, known->is_group)};
    const Node* const group = find_group(desc.group);
    if (group == nullptr)
        return Error{errors::unknown_group("system", desc.name, desc.group, names_of_groups())};
    if (Result<void> checked = check_reaction(desc); !checked) return checked;
    if (Result<void> checked = check_commands(desc, *group); !checked) return checked;
    if (!(desc.every >= 0) || std::isinf(desc.every))
        return Error{errors::bad_interval(desc.name, desc.every)};
    for (const ComponentId id : desc.access.read) ECS_EXPECTS(id.index < world_.registry().size(), id.index);
    for (const ComponentId id : desc.access.write) ECS_EXPECTS(id.index < world_.registry().size(), id.index);
    if (group->is_presentation && desc.is_exclusive) return Error{errors::presentation_exclusive(desc.name)};
    if (Result<void> checked = check_presentation_data(desc, group->is_presentation); !checked)
        return checked;
    return check_owners(desc, replaced);
}

// Frames write presentation data, and nothing else. Steps do not see it.
Result<void> Schedule::check_presentation_data(const SystemDesc& desc, bool is_presentation) const {
    const auto schema_of = [this](ComponentId id) -> const Schema& {
        return world_.registry().info(id).schema;
    };
    if (is_presentation) {
        for (const ComponentId id : written_by(desc)) {
            if (!schema_of(id).presentation)
                return Error{errors::presentation_writes(desc.name, schema_of(id).name)};
        }
        return {};
    }
    std::vector<ComponentId> read = desc.access.read;
    for (const QueryTerm& term : desc.query.terms) read.push_back(term.component);
    const std::pair<std::vector<ComponentId>, const char*> uses[] = {
        {desc.query.changed, "it is named in 'changed'"},
        {written_by(desc), "it is declared as written"},
        {std::move(read), "it is declared as read"},
    };
    for (const auto& [components, how] : uses) {
        for (const ComponentId id : components) {
            if (schema_of(id).presentation)
                return Error{errors::simulation_uses(desc.name, schema_of(id).name, how)};
        }
    }
    return {};
}

// Cleanup components, and others that name an owner, are written by one system.
Result<void> Schedule::check_owners(const SystemDesc& desc, const Node* replaced) const {
    for (const ComponentId id : written_by(desc)) {
        const Schema& schema = world_.registry().info(id).schema;
        if (!is_cleanup_kind(schema.kind) && schema.owner.empty()) continue;
        const auto claimed = owners_.find(id);
        const bool is_claimed =
            claimed != owners_.end() && (replaced == nullptr || claimed->second != replaced->desc.name);
        const std::string owner = !schema.owner.empty() ? schema.owner
                                  : is_claimed          ? claimed->second
                                                        : desc.name;
        if (owner == desc.name || (owner == "engine" && desc.is_native)) continue;
        return Error{errors::writes_owned(desc.name, schema.name, kind_name(schema.kind), owner)};
    }
    return {};
}

Result<Query*> Schedule::query_of(const SystemDesc& desc) const {
    if (desc.query == QueryDesc{}) return static_cast<Query*>(nullptr);
    Result<Query*> found = world_.query(desc.query);
    if (!found) return Error{errors::system_query(desc.name, found.error().message)};
    return found;
}

void Schedule::set_up(Node& node, Query* query) {
    node.query = query;
    is_playback_stale_ = true;
    if (node.parent->is_presentation) {
        node.commands.close();
        node.events.close();
    }
    claim_owned(node);
    node.commands.restrict_to(node.desc.name, written_by(node.desc));
    if (!is_undeclared(node.desc)) {
        const std::vector<ComponentId> sent = events_of(node.desc.access.write);
        std::vector<ComponentId> read = events_of(node.desc.access.read);
        read.insert(read.end(), sent.begin(), sent.end());
        if (node.desc.reacts_to && node.desc.reacts_to->kind == Trigger::Kind::event) {
            read.push_back(node.desc.reacts_to->component);
        }
        node.events.restrict_to(node.desc.name, read, sent);
    }
    if (node.desc.reacts_to) node.events.mark_read();  // earlier events do not concern it
    observe(node.desc);
}

// The events of a list of types.
std::vector<ComponentId> Schedule::events_of(const std::vector<ComponentId>& types) const {
    std::vector<ComponentId> events;
    std::copy_if(types.begin(), types.end(), std::back_inserter(events),
                 [this](ComponentId id) { return world_.events().has(id); });
    return events;
}

void Schedule::claim_owned(const Node& node) {
    for (const ComponentId id : written_by(node.desc)) {
        if (is_cleanup_kind(world_.registry().info(id).kind())) owners_.emplace(id, node.desc.name);
    }
}

void Schedule::release_owned(const Node& node) {
    std::erase_if(owners_, [&](const auto& owner) { return owner.second == node.desc.name; });
}

// ---- control ----

void Schedule::expect_may_change() const {
    const RunScope* const scope = run_scope(world_);
    ECS_EXPECTS(scope == nullptr || !scope->is_parallel(),
                "a system that others run beside changes the schedule; declare is_alone");
}

void Schedule::remove(SystemId system) {
    expect_may_change();
    ECS_EXPECTS(system.index < nodes_.size(), system.index);
    Node* const node = nodes_[system.index].get();
    if (node == nullptr) return;
    ECS_EXPECTS(!node->is_group, node->desc.name, "a group is not removed");
    if (!is_running_) {
        remove_now(*node);
        return;
    }
    node->status.is_left_out = true;
    deferred_changes_.push_back([this, system] {
        if (nodes_[system.index] != nullptr) remove_now(*nodes_[system.index]);
    });
}

void Schedule::remove_now(Node& node) {
    stop(node);
    if (Result<void> ended = call_outside(node, node.desc.on_destroy); !ended) {
        fail(node, ended.error());
    }
    drop_node(node);
}

Result<void> Schedule::replace(SystemId system, SystemDesc desc) {
    expect_may_change();
    ECS_EXPECTS(desc.run != nullptr, desc.name);
    if (desc.reacts_to) desc.group = kReactions;
    Node& node = node_at(system);
    ECS_EXPECTS(!node.is_group, node.desc.name, "a group is not replaced");
    if (!is_running_) return replace_now(node, std::move(desc));
    if (Result<void> checked = check(desc, &node); !checked) return checked;
    deferred_changes_.push_back([this, system, next = std::move(desc)]() mutable {
        Node* const old = nodes_[system.index].get();
        if (old == nullptr) return;
        if (Result<void> replaced = replace_now(*old, std::move(next)); !replaced) {
            fail(*old, replaced.error());
        }
    });
    return {};
}

Result<void> Schedule::replace_now(Node& node, SystemDesc&& desc) {
    if (Result<void> checked = check(desc, &node); !checked) return checked;
    Result<Query*> query = query_of(desc);
    if (!query) return query.error();
    stop(node);
    if (Result<void> ended = call_outside(node, node.desc.on_destroy); !ended) {
        fail(node, ended.error());
    }
    release_owned(node);
    unobserve(node.desc);
    node.commands.drop();
    node.events.drop();
    move_to(node, find_group(desc.group));
    node.desc = std::move(desc);
    node.status.name = node.desc.name;
    node.status.group = node.desc.group;
    node.status.is_suspended = false;
    node.timer = internal::StepTimer(node.desc.every);
    set_up(node, query.value());
    if (Result<void> made = call_outside(node, node.desc.on_create); !made) {
        fail(node, Error{errors::system_create(node.desc.name, made.error().message), made.error().kind});
    }
    return {};
}

void Schedule::reset(std::uint64_t seed) {
    seed_ = seed;
    world_.events().clear();
    for (const std::unique_ptr<Node>& node : nodes_) {
        if (node == nullptr) continue;
        node->random = Random(stream_seed(seed, node->desc.name));
        node->timer.reset();
        node->last_run_version = 0;
        node->ids.forget_last_run();
        node->has_run = false;
    }
}

// ---- look-up and reports ----

internal::ScheduleNode* Schedule::find_node(std::string_view name) const noexcept {
    for (const std::unique_ptr<Node>& node : nodes_) {
        if (node != nullptr && node->desc.name == name) return node.get();
    }
    return nullptr;
}

internal::ScheduleNode* Schedule::find_group(std::string_view name) const noexcept {
    Node* const node = find_node(name);
    return node != nullptr && node->is_group ? node : nullptr;
}

internal::ScheduleNode& Schedule::node_at(SystemId id) const {
    ECS_EXPECTS(id.index < nodes_.size() && nodes_[id.index] != nullptr, id.index);
    return *nodes_[id.index];
}

std::optional<SystemId> Schedule::find(std::string_view name) const noexcept {
    const Node* const node = find_node(name);
    if (node == nullptr || node->is_in_future) return std::nullopt;
    return SystemId{node->index};
}

SystemStatus Schedule::status(SystemId system) const {
    const Node& node = node_at(system);
    SystemStatus status = node.status;
    status.last_milliseconds = status.times.last();
    if (node.query != nullptr) {
        status.rows = node.query->entity_count(0);
        status.chunks = node.query->stored_chunk_count();
    }
    return status;
}

const SystemDesc& Schedule::description(SystemId system) const { return node_at(system).desc; }

bool Schedule::is_presentation(std::string_view group) const {
    const Node* const node = find_group(group);
    ECS_EXPECTS(node != nullptr, group);
    return node->is_presentation;
}

bool Schedule::is_engine_group(SystemId group) const noexcept { return group.index <= reactions_->index; }

std::vector<SystemId> Schedule::all() const {
    std::vector<SystemId> ids;
    for (const std::unique_ptr<Node>& node : nodes_) {
        if (node != nullptr) ids.push_back(SystemId{node->index});
    }
    return ids;
}

void Schedule::on_error(std::function<void(const SystemStatus&)> handler) {
    error_handler_ = std::move(handler);
}

void Schedule::on_slow(double milliseconds, std::function<void(const SystemStatus&)> handler) {
    slow_milliseconds_ = milliseconds;
    slow_handler_ = std::move(handler);
}

void Schedule::on_trace(std::function<void(const TraceSpan&)> handler) {
    trace_handler_ = std::move(handler);
}

void Schedule::on_moment(std::function<void(const ScheduleMoment&)> handler) {
    moment_handler_ = std::move(handler);
}

}  // namespace perigee
