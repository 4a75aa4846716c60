// Decides which types are checked when.
#include "engine/replay/hash_recorder.h"

#include "ecs/inspect/world_hash.h"
#include "ecs/schedule/system.h"
#include "ecs/schedule/system_status.h"
#include "ecs/world/world.h"
#include "engine/base/error_codes.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace perigee {

HashRecorder::HashRecorder(std::filesystem::path file, LockedFile stream, const LogHeader& header)
    : file_(std::move(file)), stream_(std::move(stream)), writer_(header) {}

Result<HashRecorder> HashRecorder::open(const std::filesystem::path& file, const LogHeader& header) {
    Result<LockedFile> stream = LockedFile::create(file, engine_errors::kCannotWriteHashLog);
    if (!stream) return stream.error();
    return HashRecorder{file, std::move(stream).value(), header};
}

void HashRecorder::start(const World& world) {
    if (std::exchange(has_started_, true)) writer_.write(HashLogRestart{});
    types_.clear();
    number_of_.clear();
    writer_.write(all_changes(world, HashMoment::start, ""));
}

// In order of names, so that the order of declarations does not count; later ones follow.
void HashRecorder::declare_new_types(const World& world) {
    const ComponentRegistry& registry = world.registry();
    if (types_.empty()) {
        types_.push_back({});
        writer_.write(HashLogType{std::string(kEntitiesPart), 0, {""}});
    }
    if (number_of_.size() == registry.size()) return;
    const std::size_t known = number_of_.size();
    number_of_.resize(registry.size());
    for (const ComponentId id : registry.ids_by_name()) {
        if (id.index < known) continue;
        number_of_[id.index] = static_cast<std::uint16_t>(types_.size());
        types_.push_back({id, {}});
        const ComponentInfo& info = registry.info(id);
        writer_.write(HashLogType{info.schema.name, info.hash, digest_field_names(info)});
    }
}

void HashRecorder::add_change(const World& world, std::uint16_t number, HashLogState& state) {
    Type& type = types_[number];
    TypeDigest now =
        type.id.is_valid() ? digest_component(world, type.id, number) : digest_entities(world, number);
    if (now.sum == type.now.sum) return;
    state.changed.push_back({number, now.sum});
    state.change += now.digest;
    state.change -= type.now.digest;
    type.now = now;
}

HashLogState HashRecorder::all_changes(const World& world, HashMoment moment, std::string_view system) {
    declare_new_types(world);
    HashLogState state{moment, std::string(system), {}, {}};
    for (std::size_t number = 0; number < types_.size(); ++number)
        add_change(world, static_cast<std::uint16_t>(number), state);
    return state;
}

void HashRecorder::after(const World& world, const ScheduleMoment& moment) {
    // What callbacks change is in the next hashes, as in logs of earlier versions.
    if (moment.kind == ScheduleMoment::Kind::called) return;
    const SystemDesc& system = moment.system;
    if (moment.kind == ScheduleMoment::Kind::played_back) return after_commands(world, system.name);
    if (is_undeclared(system)) return after_system(world, system.name);
    after_system(world, system.name, written_by(system));
}

void HashRecorder::after_system(const World& world, std::string_view system) {
    writer_.write(all_changes(world, HashMoment::system, system));
}

void HashRecorder::after_system(const World& world, std::string_view system,
                                std::span<const ComponentId> written) {
    declare_new_types(world);
    std::vector<std::uint16_t> numbers;
    for (const ComponentId id : written) numbers.push_back(number_of_[id.index]);
    std::ranges::sort(numbers);
    const auto doubled = std::ranges::unique(numbers);
    numbers.erase(doubled.begin(), doubled.end());
    HashLogState state{HashMoment::system, std::string(system), {}, {}};
    for (const std::uint16_t number : numbers) add_change(world, number, state);
    writer_.write(state);
}

void HashRecorder::after_commands(const World& world, std::string_view system) {
    writer_.write(all_changes(world, HashMoment::commands, system));
}

void HashRecorder::end_step(const World& world, std::uint64_t tick) {
    if (HashLogState state = all_changes(world, HashMoment::other, ""); !state.changed.empty())
        writer_.write(state);
    const std::vector<ComponentHash> parts = component_hashes(world);
    HashLogStep step{tick, world_hash(parts), {}};
    step.types.resize(types_.size());
    step.types[0] = parts[0].hash;
    const std::vector<ComponentId> ids = world.registry().ids_by_name();  // the order of parts
    for (std::size_t i = 0; i < ids.size(); ++i) step.types[number_of_[ids[i].index]] = parts[i + 1].hash;
    writer_.write(step);
    ++step_count_;
    stream_.write(writer_.take_bytes());
}

void HashRecorder::mark_not_replayable(std::string_view reason) {
    writer_.write(HashLogLimit{std::string(reason)});
}

Result<void> HashRecorder::finish() {
    writer_.write(HashLogEnd{true, step_count_});
    stream_.write(writer_.take_bytes());
    const Result<void> closed = stream_.close();
    if (closed) return closed;
    return Error{fmt::format(engine_errors::kCannotWriteHashLog, file_.string(), closed.error().message)};
}

}  // namespace perigee
