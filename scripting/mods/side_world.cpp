// Making, stepping and remembering side worlds, and the way from one world to another.
#include "scripting/mods/side_world.h"

#include "ecs/base/contract.h"
#include "ecs/base/counted.h"
#include "ecs/base/memory_quota.h"
#include "ecs/inspect/world_hash.h"
#include "ecs/migrate/world_transfer.h"
#include "ecs/schedule/schedule_state.h"
#include "ecs/world/world_config.h"
#include "scripting/base/error_codes.h"
#include "scripting/mods/internal/mod_load.h"
#include "scripting/mods/internal/script_mod.h"
#include "scripting/mods/runtime.h"
#include "scripting/mods/script_system.h"
#include "scripting/sandbox/internal/fuel_tank.h"
#include "scripting/sandbox/state.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace perigee {

using internal::EnterShare;
using internal::OwnMemory;
using internal::ScriptMod;
using internal::ShareChange;

namespace {

constexpr std::size_t kBytesPerSide = std::size_t{1} << 20;  // its Lua state and its records
constexpr std::size_t kBytesPerMessage = 64;
constexpr std::size_t kFewestLuaBytes = std::size_t{4} << 20;

// FNV-1a: the same on every machine.
std::uint64_t mixed(std::uint64_t hash, std::string_view text) noexcept {
    for (const char each : text) hash = (hash ^ static_cast<unsigned char>(each)) * 0x100000001B3U;
    return hash;
}

std::uint64_t hash_of(const WorldMail& mail) noexcept {
    std::uint64_t hash = 0xCBF29CE484222325U;
    for (const WorldMessage& message : mail.waiting) {
        hash = mixed(hash, message.bytes);
        for (const Entity entity : message.entities) hash = (hash ^ entity.bits) * 0x100000001B3U;
        hash = mixed(hash, "|");
    }
    return hash;
}

WorldConfig small_config() noexcept {
    WorldConfig config;
    config.reserved_chunk_bytes = std::size_t{4} << 30;
    return config;
}

// Code of another mod or world runs meanwhile: its changes are not the mod's.
class Aside {
public:
    explicit Aside(ScriptMod& mod) noexcept : mod_(mod), enter_(nullptr), quota_(nullptr) {
        mod_.share.end_change();
    }
    ~Aside() { static_cast<void>(mod_.share.begin_change()); }
    Aside(const Aside&) = delete;
    Aside& operator=(const Aside&) = delete;

private:
    ScriptMod& mod_;
    EnterShare enter_;
    EnterQuota quota_;
};

double fuel_of(const ScriptMod& mod) noexcept {
    double fuel = 0;
    for (const auto& system : mod.systems) fuel += system->usage().fuel;
    return fuel;
}

// All side worlds of a mod together have as much for their Lua values as it has itself. A system that makes
// one does not run longer than other systems.
ScriptLimits limits_of(const ScriptMod& maker) {
    ScriptLimits limits = maker.limits;
    limits.memory_soft = std::max(limits.memory_soft / kMaxSideWorlds, kFewestLuaBytes);
    limits.memory_hard = std::max(limits.memory_hard / kMaxSideWorlds, kFewestLuaBytes);
    if (maker.running != nullptr) {
        limits.seconds_per_load = std::min(limits.seconds_per_load, limits.seconds_per_run);
        limits.fuel_per_load = std::min(limits.fuel_per_load, limits.fuel_per_run);
    }
    return limits;
}

std::string text_of(const std::vector<ScriptError>& errors) {
    std::string text;
    for (const ScriptError& error : errors) text += (text.empty() ? "" : "\n") + error.text();
    return text;
}

}  // namespace

// ---- one of them ------------------------------------------------------------------------------------------

SideWorld::SideWorld(ScriptMod& maker, std::string name, std::string file, std::uint64_t seed)
    : maker_(maker),
      name_(std::move(name)),
      file_(std::move(file)),
      world_(small_config()),
      schedule_(world_, seed) {
    ScriptRuntimeConfig config = maker.runtime.config();
    config.seed = seed;
    config.declarations = nullptr;
    config.side = this;
    config.lua_memory = &maker.runtime.lua_memory();
    scripts_ = std::make_unique<ScriptRuntime>(world_, schedule_, std::move(config));
    schedule_.on_error([this](const SystemStatus& status) {
        ++failures_;
        const auto& known = scripts_->recent_errors();
        if (!known.empty() && known.back().system == status.name) return;
        ScriptError error = internal::plain_error(maker_.name, status.error);
        error.system = status.name;
        scripts_->report(std::move(error));
    });
}

SideWorld::~SideWorld() = default;

ScriptMod& SideWorld::resident() const noexcept { return *scripts_->find_mod(maker_.name); }

std::uint64_t SideWorld::hash() const {
    const ComponentHash parts[] = {{"world", world_hash(world_)},
                                   {"steps", tick_},
                                   {"inside", hash_of(inside_)},
                                   {"outside", hash_of(outside_)}};
    return world_hash(parts);
}

// ---- making -----------------------------------------------------------------------------------------------

SideWorlds::~SideWorlds() = default;

Result<std::uint32_t> SideWorlds::find_or_make(ScriptMod& maker, std::string_view name, std::string_view file,
                                               std::optional<double> seed) {
    const std::string full_name = maker.own_name(name);
    if (const SideWorld* side = find(maker, name)) {
        if (side->file_ == file) return side->number_;
        return Error{fmt::format(messages::kSideOtherFile, name, side->file_)};
    }
    const auto count = std::ranges::count_if(
        worlds_, [&maker](const auto& side) { return side->exists_ && &side->maker_ == &maker; });
    if (static_cast<std::size_t>(count) >= kMaxSideWorlds)
        return Error{fmt::format(messages::kTooManySides, kMaxSideWorlds)};
    if (!maker.files->has(std::string(file))) return Error{fmt::format(messages::kNoSideFile, file)};
    std::uint64_t mixed_seed = mixed(runtime_.config().seed ^ 0xCBF29CE484222325U, full_name);
    if (seed) mixed_seed = mixed(mixed_seed, fmt::format("{:a}", *seed));
    forget_unkept();
    std::unique_ptr<SideWorld> made{new SideWorld(maker, full_name, std::string(file), mixed_seed)};
    {
        const Aside aside(maker);
        if (Result<void> loaded = load(*made); !loaded) return loaded.error();
    }
    made->number_ = ++last_number_;
    if (Result<void> charged = charge(*made); !charged) return charged.error();
    worlds_.push_back(std::move(made));
    return last_number_;
}

// The types of the main world come first, without those that the files declare again.
Result<void> SideWorlds::load(SideWorld& side) {
    const ScriptMod& maker = side.maker_;
    const auto declare = [&](bool of_maker) -> Result<void> {
        const ComponentRegistry& known = runtime_.world().registry();
        for (std::size_t i = 0; i < known.size(); ++i) {
            const Schema& schema = known.info(ComponentId{static_cast<std::uint16_t>(i)}).schema;
            const bool is_of_maker =
                std::ranges::find(maker.types, ComponentId{static_cast<std::uint16_t>(i)}) !=
                maker.types.end();
            if (is_of_maker != of_maker || side.world_.registry().find(schema.name)) continue;
            if (const auto made = side.world_.declare(schema); !made) return made.error();
        }
        return {};
    };
    if (Result<void> declared = declare(false); !declared) return declared;
    ModConfig config;
    config.name = maker.name;
    config.root = maker.root;
    config.files = maker.files;
    config.modules = maker.modules;
    config.limits = limits_of(maker);
    config.is_trusted = maker.is_trusted;
    config.schema_file = maker.schema_file;
    config.main_file = side.file_;
    config.settings = maker.settings;
    const std::vector<ScriptError> errors =
        side.scripts_->load(std::move(config), [&declare] { return declare(true); });
    if (!errors.empty()) return Error{text_of(errors)};
    return side.schedule_.resolve_order();
}

SideWorld* SideWorlds::find(std::uint32_t number) const noexcept {
    for (const auto& side : worlds_)
        if (side->number_ == number && side->exists_) return side.get();
    return nullptr;
}

SideWorld* SideWorlds::find(const ScriptMod& maker, std::string_view name) const {
    const std::string full_name = maker.own_name(name);
    for (const auto& side : worlds_)
        if (side->exists_ && &side->maker_ == &maker && side->name_ == full_name) return side.get();
    return nullptr;
}

std::vector<SideWorld*> SideWorlds::all() const {
    std::vector<SideWorld*> all;
    for (const auto& side : worlds_)
        if (side->exists_) all.push_back(side.get());
    return all;
}

void SideWorlds::destroy(std::uint32_t number) noexcept {
    SideWorld* const side = find(number);
    if (side == nullptr) return;
    side->exists_ = false;
    side->maker_.share.release(OwnMemory::side_worlds, std::exchange(side->held_, 0));
    forget_unkept();
}

void SideWorlds::destroy_of(const ScriptMod& maker) noexcept {
    for (const SideWorld* side : all())
        if (&side->maker_ == &maker) destroy(side->number_);
}

void SideWorlds::forget_unkept() noexcept {
    std::erase_if(worlds_, [](const auto& side) { return !side->exists_ && side->kept_.use_count() == 1; });
}

// ---- running ----------------------------------------------------------------------------------------------

// What it takes and what waits in its mail. Of its Lua heap only the base, since garbage differs between
// runs.
Result<void> SideWorlds::charge(SideWorld& side) {
    internal::WorldShare& share = side.maker_.share;
    const std::size_t messages = side.inside_.waiting.size() + side.outside_.waiting.size();
    const std::size_t now = kBytesPerSide + side.resident().share.charged_bytes() + side.inside_.bytes +
                            side.outside_.bytes + messages * kBytesPerMessage;
    if (now <= side.held_) {
        share.release(OwnMemory::side_worlds, side.held_ - now);
    } else if (!share.hold_aside(OwnMemory::side_worlds, now - side.held_)) {
        return Error{fmt::format(messages::kSideMemory, side.name_)};
    }
    side.held_ = now;
    return {};
}

Result<bool> SideWorlds::step(SideWorld& side, std::uint32_t steps) {
    ScriptMod& maker = side.maker_;
    ScriptMod& resident = side.resident();
    const std::uint64_t failures = side.failures_;
    const double fuel = fuel_of(resident);
    const double dt = runtime_.schedule().last_time().dt;
    // It may take what is left of its maker's share.
    const std::size_t taken = std::min(maker.share.charged_bytes(), maker.share.max_bytes());
    resident.share.set_max_bytes(resident.share.charged_bytes() + maker.share.max_bytes() - taken);
    {
        const Aside aside(maker);
        for (std::uint32_t i = 0; i < steps && !maker.state->fuel().must_stop(); ++i) {
            const TickTime time{dt, side.tick_, static_cast<double>(side.tick_) * dt, 1};
            // The order was resolved when its files were loaded.
            [[maybe_unused]] const Result<void> ran = side.schedule_.run_step(time);
            ++side.tick_;
        }
    }
    maker.simulation.add(std::max(fuel_of(resident) - fuel, 0.0), 0);
    if (Result<void> charged = charge(side); !charged) return charged.error();
    return side.failures_ == failures;
}

Result<void> SideWorlds::draw(SideWorld& side, const PicturePlace& place, double alpha) {
    const auto& place_picture = runtime_.config().place_picture;
    if (!place_picture) return Error{std::string(messages::kNoPictures)};
    const double dt = runtime_.schedule().last_time().dt;
    const TickTime time{dt, side.tick_, static_cast<double>(side.tick_) * dt, alpha};
    place_picture(place, [&] {
        const EnterShare enter(nullptr);
        const EnterQuota quota(nullptr);
        [[maybe_unused]] const Result<void> ran = side.schedule_.run_group(kPresentation, time);
    });
    return {};
}

// ---- messages ---------------------------------------------------------------------------------------------

Result<void> SideWorlds::send(SideWorld& side, bool is_outward, std::string bytes,
                              std::span<const Entity> entities) {
    ScriptMod& sender = is_outward ? side.resident() : side.maker_;
    ScriptMod& receiver = is_outward ? side.maker_ : side.resident();
    World& from = sender.runtime.world();
    World& to = receiver.runtime.world();
    WorldMail& mail = is_outward ? side.outside_ : side.inside_;
    if (mail.waiting.size() >= kMaxWaiting || mail.bytes + bytes.size() > kMaxWaitingBytes)
        return Error{fmt::format(messages::kMailFull, kMaxWaiting, kMaxWaitingBytes)};
    WorldMessage message{std::move(bytes), {}};
    for (const Entity entity : entities)
        if (!from.is_alive(entity))
            return Error{fmt::format(messages::kSentDead, number_from_entity(entity))};
    const auto refusal = [](const ScriptMod& mod,
                            std::optional<ComponentId> id) -> std::optional<std::string> {
        if (mod.running == nullptr || !id) return std::nullopt;
        return mod.running->commands().refusal(*id);
    };
    const AcceptMoved accept = [&](const ComponentInfo& type) -> Result<void> {
        if (type.kind() == ComponentKind::object)
            return Error{fmt::format(messages::kSentObject, type.schema.name)};
        if (type.schema.owner == "engine" || type.kind() == ComponentKind::chunk) return {};
        if (auto why = refusal(sender, type.id)) return Error{std::move(*why)};
        if (auto why = refusal(receiver, to.registry().find(type.schema.name))) return Error{std::move(*why)};
        return {};
    };
    if (!entities.empty()) {
        if (from.is_locked() || to.is_locked()) return Error{std::string(messages::kSentLocked)};
        const Aside aside(sender);
        const ShareChange arriving(receiver.share);
        if (!receiver.share.has_room_for_entities()) return Error{receiver.refusal_of_world()};
        const std::size_t before = to.entity_count();
        Result<std::vector<Entity>> moved = move_entities(from, entities, to, accept);
        if (!moved) {
            const bool is_refused = receiver.share.has_refused();
            return Error{is_refused ? receiver.refusal_of_world() : moved.error().message};
        }
        message.entities = std::move(moved).value();
        static_cast<void>(receiver.share.ask_entities(to.entity_count() - before));
    }
    mail.bytes += message.bytes.size();
    mail.waiting.push_back(std::move(message));
    static_cast<void>(charge(side));  // if there is no room, the next step says so
    return {};
}

std::optional<WorldMessage> SideWorlds::receive(SideWorld& side, bool is_outward) {
    WorldMail& mail = is_outward ? side.inside_ : side.outside_;
    if (mail.waiting.empty()) return std::nullopt;
    WorldMessage message = std::move(mail.waiting.front());
    mail.waiting.pop_front();
    mail.bytes -= message.bytes.size();
    return message;
}

// ---- for hosts --------------------------------------------------------------------------------------------

std::vector<ScriptError> SideWorlds::reload_of(const ScriptMod& maker) {
    std::vector<ScriptError> errors;
    for (SideWorld* side : all()) {
        if (&side->maker_ != &maker) continue;
        ReloadReport report = side->scripts_->reload(maker.name);
        std::ranges::move(report.errors, std::back_inserter(errors));
    }
    return errors;
}

std::uint64_t SideWorlds::hash_with(std::uint64_t main) const {
    std::vector<ComponentHash> parts{{"", main}};
    for (const SideWorld* side : all()) parts.push_back({side->name_, side->hash()});
    return parts.size() == 1 ? main : world_hash(parts);
}

// ---- states -----------------------------------------------------------------------------------------------

struct SideWorldsState::Entry {
    std::uint32_t number;
    std::shared_ptr<int> kept;
    WorldSnapshot snapshot;
    ScheduleState schedule;
    std::uint64_t tick;
    WorldMail inside, outside;
};

SideWorldsState::SideWorldsState() = default;
SideWorldsState::~SideWorldsState() = default;

Result<std::shared_ptr<const SideWorldsState>> SideWorlds::state(const SideWorldsState* previous) {
    forget_unkept();
    std::shared_ptr<SideWorldsState> state{new SideWorldsState};
    for (SideWorld* side : all()) {
        const WorldSnapshot* shared = nullptr;
        if (previous != nullptr)
            for (const SideWorldsState::Entry& entry : previous->entries_)
                if (entry.number == side->number_) shared = &entry.snapshot;
        Result<WorldSnapshot> taken = take_snapshot(side->world_, shared);
        if (!taken) return taken.error();
        state->entries_.push_back({side->number_, side->kept_, std::move(taken).value(),
                                   side->schedule_.state(), side->tick_, side->inside_, side->outside_});
    }
    return std::shared_ptr<const SideWorldsState>(std::move(state));
}

Result<void> SideWorlds::restore(const SideWorldsState& state) {
    if (worlds_.empty()) return {};
    const Result<std::shared_ptr<const SideWorldsState>> now = this->state();
    if (!now) return now.error();
    const auto restore_all = [this](const SideWorldsState& to) -> Result<void> {
        for (const SideWorldsState::Entry& entry : to.entries_)
            for (const auto& side : worlds_)
                if (side->number_ == entry.number)
                    if (Result<void> done = restore_snapshot(side->world_, entry.snapshot); !done)
                        return done;
        return {};
    };
    if (Result<void> restored = restore_all(state); !restored) {
        const Result<void> undone = restore_all(*now.value());
        ECS_INVARIANT(undone.ok(), "a side world did not go back to a snapshot that was just taken");
        return restored;
    }
    put_back(state);
    return {};
}

void SideWorlds::put_back(const SideWorldsState& state) {
    for (const auto& side : worlds_) {
        const auto entry = std::ranges::find(state.entries_, side->number_, &SideWorldsState::Entry::number);
        side->exists_ = entry != state.entries_.end();
        if (!side->exists_) {
            side->maker_.share.release(OwnMemory::side_worlds, std::exchange(side->held_, 0));
            continue;
        }
        side->schedule_.restore(entry->schedule);
        side->tick_ = entry->tick;
        side->inside_ = entry->inside;
        side->outside_ = entry->outside;
        static_cast<void>(charge(*side));  // what it had, so there is room unless others took it
    }
}

std::size_t SideWorlds::state_bytes() const noexcept {
    std::size_t bytes = 0;
    for (const auto& side : worlds_) bytes += snapshot_memory(side->world_).bytes;
    return bytes;
}

}  // namespace perigee
