// Two logs side by side, entry by entry, up to the first that differs.
#include "engine/replay/hash_diff.h"

#include "ecs/base/counted.h"
#include "ecs/inspect/world_digest.h"
#include "ecs/inspect/world_hash.h"
#include "engine/base/error_codes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <ranges>
#include <utility>

namespace perigee {

namespace {

namespace e = engine_errors;

constexpr std::size_t kMaxShownValues = 8;  // of the values that can be named, this many are shown

using Types = std::vector<HashLogType>;
using ValueSums = std::vector<std::uint64_t>;  // of all values of each type, by number

ValueSums sums_after(ValueSums before, const HashLogState& state, std::size_t type_count) {
    before.resize(type_count);
    for (const HashLogState::Sum& sum : state.changed) before[sum.type] = sum.sum;
    return before;
}

std::string type_remark(const HashLogType& type, std::string_view what) {
    return fmt::format("'{}' {}", type.name, what);
}

bool is_same_execution(const HashLogEntry& a, const HashLogEntry& b) {
    if (a.index() != b.index()) return false;
    const auto* state = std::get_if<HashLogState>(&a);
    if (state == nullptr) return true;
    const auto& other = std::get<HashLogState>(b);
    return state->moment == other.moment && state->system == other.system;
}

// A run that did not change the world.
bool did_nothing(const HashLogEntry& entry) {
    const auto* state = std::get_if<HashLogState>(&entry);
    return state != nullptr && state->moment != HashMoment::start && state->changed.empty();
}

// Entries of two logs, in step. The types that both declare next are taken together.
class LogPair {
public:
    LogPair(HashLogReader& first, HashLogReader& second) : readers_{&first, &second} {}

    /// False when one is at its end. A run that did not change the world is skipped if the other log does not
    /// have it.
    Result<bool> advance() {
        for (std::size_t i = 0; i < 2; ++i)
            if (const Result<void> read = read_next(i); !read) return read.error();
        while (!is_same_execution(entries_[0], entries_[1])) {
            const std::size_t idle = did_nothing(entries_[0]) ? 0 : 1;
            if (!did_nothing(entries_[idle])) break;
            if (const Result<void> read = read_next(idle); !read) return read.error();
        }
        return !std::holds_alternative<HashLogEnd>(entries_[0]) &&
               !std::holds_alternative<HashLogEnd>(entries_[1]);
    }

    const HashLogEntry& entry(std::size_t i) const noexcept { return entries_[i]; }
    const Types& types(std::size_t i) const noexcept { return readers_[i]->types(); }

    /// Compared when some were declared, which is rare.
    bool has_same_types() {
        const std::array<std::size_t, 2> counts{types(0).size(), types(1).size()};
        if (std::exchange(compared_, counts) != counts) are_same_ = types(0) == types(1);
        return are_same_;
    }

    /// For each log with a limit: the point from which another run may differ.
    const std::vector<std::string>& limits() const noexcept { return limits_; }

private:
    Result<void> read_next(std::size_t i) {
        if (std::holds_alternative<HashLogEnd>(entries_[i])) return {};
        do {
            Result<HashLogEntry> next = readers_[i]->next();
            if (!next) return Error{fmt::format(e::kHashDiffLog, i + 1, next.error().message)};
            entries_[i] = std::move(next).value();
            if (const auto* limit = std::get_if<HashLogLimit>(&entries_[i])) note_limit(i, *limit);
        } while (std::holds_alternative<HashLogType>(entries_[i]) ||
                 std::holds_alternative<HashLogLimit>(entries_[i]));
        if (std::holds_alternative<HashLogStep>(entries_[i])) ++step_counts_[i];
        return {};
    }

    void note_limit(std::size_t i, const HashLogLimit& limit) {
        if (std::exchange(has_limit_[i], true)) return;
        limits_.push_back(
            fmt::format(e::kHashDiffLimit, i + 1, counted(step_counts_[i], "step"), limit.reason));
    }

    std::array<std::uint64_t, 2> step_counts_{};
    std::array<bool, 2> has_limit_{};
    std::vector<std::string> limits_;
    std::array<std::size_t, 2> compared_{};
    bool are_same_ = true;
    std::array<HashLogReader*, 2> readers_;
    std::array<HashLogEntry, 2> entries_{HashLogRestart{}, HashLogRestart{}};
};

std::vector<std::string> differing_types(const Types& first, const Types& second) {
    std::map<std::string, std::array<const HashLogType*, 2>> by_name;
    for (const HashLogType& type : first) by_name[type.name][0] = &type;
    for (const HashLogType& type : second) by_name[type.name][1] = &type;
    std::vector<std::string> lines;
    for (const auto& [name, both] : by_name) {
        if (both[0] == nullptr || both[1] == nullptr)
            lines.push_back(type_remark(both[0] != nullptr ? *both[0] : *both[1],
                                        both[0] != nullptr ? "only in the first" : "only in the second"));
        else if (*both[0] != *both[1])
            lines.push_back(type_remark(*both[0], "is declared differently"));
    }
    if (lines.empty()) lines.emplace_back("the same types, declared at other times");
    return lines;
}

std::string what_happened(const HashLogEntry& entry) {
    if (const auto* state = std::get_if<HashLogState>(&entry)) {
        switch (state->moment) {
            case HashMoment::start:
                return "the game started";
            case HashMoment::system:
                return fmt::format("system '{}' ran", state->system);
            case HashMoment::commands:
                return fmt::format("the commands of system '{}' were played back", state->system);
            case HashMoment::other:
                return "something outside of systems changed the world";
        }
    }
    if (std::holds_alternative<HashLogStep>(entry)) return "the step ended";
    if (std::holds_alternative<HashLogRestart>(entry)) return "the game was restarted";
    return "the log ended";
}

// If only one of two has a value, its hash is known, and the sign shows which.
int owner_of(const DigestedValue& value) {
    if (value.key.field != kPresenceField) return 0;
    const std::uint64_t expected = presence_hash(value.key.entity);
    return value.hash == expected ? 1 : value.hash == 0 - expected ? 2 : 0;
}

void name_values(const DifferenceDigest& change, const Types& types, HashDifference& found) {
    for (const DigestedValue& value : lone_values(change)) {
        if (value.key.component >= types.size()) continue;
        const HashLogType& type = types[value.key.component];
        if (value.key.field >= type.fields.size()) continue;
        found.values.push_back({type.name, value.key.entity, type.fields[value.key.field], owner_of(value)});
    }
}

void add_component(std::string name, HashDifference& found) {
    if (std::ranges::find(found.components, name) == found.components.end())
        found.components.push_back(std::move(name));
}

// If the two sets of entities differ in one entity only, their sums identify it among the candidates.
void name_lone_entity(std::uint64_t change, HashDifference& found) {
    std::optional<ValueDifference> lone;
    for (const ValueDifference& value : found.values) {
        if (value.component == kEntitiesPart) return;
        const std::uint64_t presence = presence_hash(value.entity);
        if (change == presence || change == 0 - presence)
            lone = {std::string(kEntitiesPart), value.entity, "", change == presence ? 1 : 2};
    }
    if (lone) found.values.insert(found.values.begin(), *lone);
}

void compare_states(const HashLogState& a, const HashLogState& b, const ValueSums& before, const Types& types,
                    HashDifference& found) {
    found.moment = a.moment;
    found.system = a.system;
    std::array<ValueSums, 2> sums{sums_after(before, a, types.size()), sums_after(before, b, types.size())};
    for (std::size_t type = 0; type < types.size(); ++type)
        if (sums[0][type] != sums[1][type]) add_component(types[type].name, found);
    DifferenceDigest difference = a.change;
    difference -= b.change;
    name_values(difference, types, found);
    if (!types.empty() && sums[0][0] != sums[1][0]) name_lone_entity(sums[0][0] - sums[1][0], found);
}

void compare_steps(const HashLogStep& a, const HashLogStep& b, const Types& types, HashDifference& found) {
    found.moment = HashMoment::other;
    for (std::size_t i = 0; i < types.size(); ++i)
        if (a.types[i] != b.types[i]) add_component(types[i].name, found);
}

// Different events happened: their effect is worth reporting.
void note_execution(const LogPair& logs, HashDifference& found) {
    found.kind = HashDifference::Kind::execution;
    for (std::size_t i = 0; i < 2; ++i) found.next_moments[i] = what_happened(logs.entry(i));
    const auto* a = std::get_if<HashLogState>(&logs.entry(0));
    const auto* b = std::get_if<HashLogState>(&logs.entry(1));
    // Commands or changes that only one run has: they alone are the difference.
    if (const auto* extra = a != nullptr && b == nullptr ? a : b != nullptr && a == nullptr ? b : nullptr) {
        for (const HashLogState::Sum& sum : extra->changed)
            add_component(logs.types(extra == a ? 0 : 1)[sum.type].name, found);
        DifferenceDigest change = extra->change;
        if (extra == b) {
            change = {};
            change -= extra->change;
        }
        name_values(change, logs.types(extra == a ? 0 : 1), found);
    }
}

void note_header(const LogHeader& a, const LogHeader& b, HashDifference& found) {
    if (a.game != b.game) found.remarks.push_back(fmt::format(e::kHashDiffGames, a.game, b.game));
    if (a.seed != b.seed) found.remarks.push_back(fmt::format(e::kHashDiffSeeds, a.seed, b.seed));
    if (a.steps_per_second != b.steps_per_second)
        found.remarks.push_back(fmt::format(e::kHashDiffRates, a.steps_per_second, b.steps_per_second));
    if (a.luajit != b.luajit && !a.luajit.empty() && !b.luajit.empty())
        found.remarks.push_back(fmt::format(e::kHashDiffLuaJits, a.luajit, b.luajit));
}

void note_end(const LogPair& logs, HashDifference& found) {
    for (std::size_t i = 0; i < 2; ++i) {
        const auto* end = std::get_if<HashLogEnd>(&logs.entry(i));
        if (end == nullptr) continue;
        const bool other_goes_on = !std::holds_alternative<HashLogEnd>(logs.entry(1 - i));
        if (!end->is_whole)
            found.remarks.push_back(fmt::format(e::kHashDiffCutOff, i + 1, counted(end->step_count, "step")));
        else if (other_goes_on)
            found.remarks.push_back(
                fmt::format(e::kHashDiffEndsEarlier, i + 1, counted(end->step_count, "step")));
    }
}

}  // namespace

Result<HashDifference> compare(HashLogReader& first, HashLogReader& second) {
    using Kind = HashDifference::Kind;
    HashDifference found;
    note_header(first.header(), second.header(), found);
    LogPair logs{first, second};
    ValueSums sums;
    bool is_started = false;  // the last restart was followed by a whole step
    while (true) {
        const Result<bool> advanced = logs.advance();
        if (!advanced) return advanced.error();
        if (!advanced.value()) break;
        const HashLogEntry& a = logs.entry(0);
        const HashLogEntry& b = logs.entry(1);
        found.is_before_first_step = !is_started && std::holds_alternative<HashLogState>(a) &&
                                     std::get<HashLogState>(a).moment == HashMoment::start;
        if (!logs.has_same_types()) {
            found.kind = Kind::types;
            found.types = differing_types(logs.types(0), logs.types(1));
        } else if (!is_same_execution(a, b)) {
            note_execution(logs, found);
        } else if (a != b) {
            found.kind = Kind::content;
            if (const auto* state = std::get_if<HashLogState>(&a))
                compare_states(*state, std::get<HashLogState>(b), sums, logs.types(0), found);
            else
                compare_steps(std::get<HashLogStep>(a), std::get<HashLogStep>(b), logs.types(0), found);
        }
        if (found.kind != Kind::none) break;
        if (const auto* step = std::get_if<HashLogStep>(&a)) {
            ++found.step_count;
            found.tick = step->tick + 1;
            is_started = true;
        } else if (const auto* state = std::get_if<HashLogState>(&a)) {
            sums = sums_after(std::move(sums), *state, logs.types(0).size());
        } else if (std::holds_alternative<HashLogRestart>(a)) {
            sums.clear();
            found.tick = 0;
            is_started = false;
        }
    }
    found.remarks.insert(found.remarks.end(), logs.limits().begin(), logs.limits().end());
    if (found.kind == Kind::none) note_end(logs, found);
    return found;
}

// ---- telling ----

namespace {

std::string text_of(const ValueDifference& value, std::string_view first, std::string_view second) {
    std::string text = "component " + value.component;
    if (value.entity) text += fmt::format(", entity {}:{}", value.entity.index(), value.entity.generation());
    if (!value.field.empty()) return text + ", field " + value.field;
    if (value.only_in != 0) text += fmt::format(", only in {}", value.only_in == 1 ? first : second);
    return text;
}

// Values of an entity that only one run has are reported with the entity.
bool follows_from_its_entity(const ValueDifference& value, const HashDifference& difference) {
    return value.component != kEntitiesPart &&
           std::ranges::any_of(difference.values, [&](const ValueDifference& other) {
               return other.component == kEntitiesPart && other.entity == value.entity;
           });
}

std::string place_of(const HashDifference& difference) {
    if (difference.is_before_first_step) return "before the first step, as the game was loaded";
    std::string place = fmt::format("tick {}", difference.tick);
    if (difference.kind != HashDifference::Kind::content) return place;
    switch (difference.moment) {
        case HashMoment::system:
            return place + fmt::format(", system '{}'", difference.system);
        case HashMoment::commands:
            return place + fmt::format(", the commands of system '{}'", difference.system);
        default:
            return place + ", outside of systems";
    }
}

}  // namespace

std::string text_of(const HashDifference& difference, std::string_view first, std::string_view second) {
    using Kind = HashDifference::Kind;
    std::string text;
    for (const std::string& remark : difference.remarks) text += remark + "\n";
    if (difference.kind == Kind::none)
        return text + fmt::format("no difference in {}\n", counted(difference.step_count, "step"));
    text += fmt::format("first difference: {}\n", place_of(difference));
    for (const std::string& line : difference.types) text += fmt::format("  type {}\n", line);
    if (difference.kind == Kind::execution) {
        text += fmt::format("  in {}: {}\n", first, difference.next_moments[0]);
        text += fmt::format("  in {}: {}\n", second, difference.next_moments[1]);
    }
    std::vector<const ValueDifference*> reported;
    for (const ValueDifference& value : difference.values)
        if (!follows_from_its_entity(value, difference)) reported.push_back(&value);
    for (const ValueDifference* value : reported | std::views::take(kMaxShownValues))
        text += "  " + text_of(*value, first, second) + "\n";
    for (const std::string& component : difference.components) {
        const bool is_named = std::ranges::any_of(
            difference.values, [&](const ValueDifference& value) { return value.component == component; });
        if (!is_named)
            text += fmt::format("  component {}, in entities that the logs cannot name\n", component);
    }
    if (reported.size() > kMaxShownValues) text += "  and more\n";
    return text;
}

}  // namespace perigee
