// From a question to fields, from fields to writes, and from writes to a table.
#include "engine/session/provenance_answer.h"

#include "ecs/base/counted.h"
#include "ecs/base/parse_number.h"
#include "ecs/base/suggest.h"
#include "ecs/inspect/world_digest.h"
#include "ecs/relations/names.h"
#include "ecs/schema/field_value.h"
#include "ecs/schema/registry.h"
#include "ecs/storage/resource_store.h"
#include "ecs/world/world.h"
#include "engine/assets/assets.h"
#include "engine/base/error_codes.h"
#include "engine/input/input_events.h"
#include "engine/session/game_session.h"
#include "scripting/mods/runtime.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <functional>
#include <map>
#include <set>
#include <utility>

namespace perigee {

namespace {

namespace e = engine_errors;
using Kind = ValueWrite::Kind;
using By = ValueWrite::By;

constexpr std::size_t kMaxShownBytes = 40;  // of a text
constexpr std::size_t kMaxValues = 12;      // in the first line
constexpr std::size_t kMaxNamed = 8;        // types in a hint
constexpr std::size_t kMaxBegun = 4;        // of a component that begins

// ---- what is asked ----

struct Fields {
    ComponentId component;
    std::vector<std::uint16_t> numbers;
};

std::pair<std::string_view, std::string_view> split(std::string_view values) {
    const std::size_t dot = std::min(values.find('.'), values.size());
    return {values.substr(0, dot), values.substr(std::min(dot + 1, values.size()))};
}

// "velocity" covers "velocity.x" and "velocity[2]".
bool covers(std::string_view wanted, std::string_view path) {
    if (wanted.empty() || path == wanted) return true;
    return path.starts_with(wanted) && (path[wanted.size()] == '.' || path[wanted.size()] == '[');
}

bool has_enabled_bit(const ComponentInfo& info) { return info.kind() == ComponentKind::enableable; }

// What may have been meant: a type of a similar name, or with such a field, or any.
std::string hint_for(std::string_view name, std::string_view field, const ComponentRegistry& registry) {
    std::vector<std::string_view> known;
    std::string_view with_field;
    for (std::uint16_t i = 0; i < registry.size(); ++i) {
        const ComponentInfo& info = registry.info(ComponentId{i});
        const bool is_kept = info.kind() == ComponentKind::resource || is_component_kind(info.kind());
        if (!is_kept || !info.schema.owner.empty()) continue;
        known.push_back(info.schema.name);
        if (with_field.empty() && info.schema.field(field) != nullptr) with_field = info.schema.name;
    }
    if (std::string near = did_you_mean(name, known); !near.empty()) return near;
    if (!with_field.empty()) return fmt::format(e::kWhyHasField, with_field, field);
    return there_are(known, kMaxNamed);
}

Result<Fields> fields_of(std::string_view values, const ComponentRegistry& registry) {
    const auto [name, wanted] = split(values);
    const std::optional<ComponentId> component = registry.find(name);
    if (!component) return Error{fmt::format(e::kWhyNoComponent, name, hint_for(name, wanted, registry))};
    const ComponentInfo& info = registry.info(*component);
    const std::vector<std::string> names = digest_field_names(info);
    Fields fields{*component, {}};
    for (std::size_t i = kEnabledField; i < names.size(); ++i) {
        if (i == kEnabledField && !has_enabled_bit(info)) continue;
        if (covers(wanted, names[i])) fields.numbers.push_back(static_cast<std::uint16_t>(i));
    }
    if (fields.numbers.empty() && !wanted.empty()) {
        const std::vector<std::string_view> known(names.begin() + kEnabledField, names.end());
        return Error{fmt::format(e::kWhyNoField, info.schema.name, wanted, did_you_mean(wanted, known))};
    }
    if (fields.numbers.empty()) fields.numbers.push_back(kPresenceField);  // a tag
    return fields;
}

// ---- values as text ----

class ValueTexts {
public:
    ValueTexts(const Provenance& provenance, const GameSession& session)
        : provenance_(provenance), session_(session) {}

    std::string text_of(const ComponentInfo& info, std::uint16_t field, std::uint64_t value) const {
        if (field == kEnabledField) return value != 0 ? "enabled" : "disabled";
        const std::size_t leaf = static_cast<std::size_t>(field) - kFirstLeafField;
        if (info.kind() == ComponentKind::object) return value != 0 ? "a value" : "nil";
        if (leaf >= info.leaves.size()) return std::to_string(value);  // the length of a buffer
        if (info.kind() == ComponentKind::buffer) return "…";
        return text_of(info.leaves[leaf], value);
    }

private:
    std::string text_of(const Leaf& leaf, std::uint64_t value) const {
        switch (leaf.type) {
            case FieldType::string:
            case FieldType::text:
                return shown(provenance_.text(value));
            case FieldType::entity:
                return value == 0 ? "none"
                                  : fmt::format("{}:{}", Entity{value}.index(), Entity{value}.generation());
            case FieldType::asset:
                return value == 0 ? "none"
                                  : shown(session_.assets().name_of(static_cast<std::uint32_t>(value)));
            case FieldType::f32:  // as a double it would show digits that were not written
                return fmt::format("{}", std::bit_cast<float>(static_cast<std::uint32_t>(value)));
            default:
                break;
        }
        Field field = *leaf.field;
        field.type = leaf.type;
        field.array_length = 0;
        field.offset = 0;
        field.size = field.element_size = leaf.size;
        std::array<std::byte, sizeof value> bytes{};
        std::memcpy(bytes.data(), &value, sizeof value);
        return text_from_value(read_field(field, bytes));
    }

    static std::string shown(std::string_view text) {
        const std::size_t kept = whole_characters(text, kMaxShownBytes);
        return fmt::format("\"{}{}\"", text.substr(0, kept), kept < text.size() ? "…" : "");
    }

    const Provenance& provenance_;
    const GameSession& session_;
};

// ---- the answer ----

struct AnswerLine {
    ValueWrite write;
    std::string component, leaf, field, before, after;
    std::string begun = {};       // the values of a component that begins
    std::size_t value_count = 0;  // in it
};

class Answer {
public:
    Answer(const ProvenanceQuestion& question, Provenance& provenance, GameSession& session)
        : question_(question),
          provenance_(provenance),
          session_(session),
          world_(session_.world()),
          texts_(provenance, session) {}

    Result<std::string> text() {
        if (Result<void> found = find_entity(); !found) return found.error();
        if (Result<void> found = find_fields(); !found) return found.error();
        for (const Fields& fields : fields_)
            for (const std::uint16_t field : fields.numbers) add_lines(fields.component, field);
        std::ranges::stable_sort(lines_, {}, [](const AnswerLine& line) { return line.write.number; });
        merge_lines();
        keep_newest();
        return headline() + summary() + table() + others() + other_meaning("\n", ".\n");
    }

private:
    Result<void> find_entity() {
        if (question_.entity.empty()) return {};
        const Result<WatchedValues> watched = watched_by(question_);
        if (!watched) return watched.error();
        std::vector<Entity> known = provenance_.entities_at(*watched.value().index);
        std::erase_if(known, [&](Entity entity) {
            return watched.value().generation && entity.generation() != *watched.value().generation;
        });
        if (known.empty())
            return Error{fmt::format(e::kWhyNoEntity, question_.entity, provenance_.step()) +
                         other_meaning("; ", "")};
        entity_ = known.back();
        known.pop_back();
        others_ = known;
        return {};
    }

    Result<void> find_fields() {
        if (!question_.values.empty()) {
            if (Result<void> right = check_question(question_, world_.registry()); !right) return right;
            fields_.push_back(std::move(fields_of(question_.values, world_.registry())).value());
            return {};
        }
        for (const ComponentId id : world_.registry().ids_by_name()) {
            const Schema& schema = world_.registry().info(id).schema;
            if (is_component_kind(schema.kind))
                fields_.push_back(std::move(fields_of(schema.name, world_.registry())).value());
        }
        return {};
    }

    void add_lines(ComponentId component, std::uint16_t field) {
        const ComponentInfo& info = world_.registry().info(component);
        const std::string leaf = digest_field_names(info)[field];
        std::string name = leaf;
        if (fields_.size() > 1) name = info.schema.name + (name.empty() ? "" : "." + name);
        std::string last;
        for (const ValueWrite& write : provenance_.writes(entity_, component, field)) {
            AnswerLine line{write, info.schema.name, leaf, name, "", ""};
            const bool has_value = write.field != kPresenceField;
            if (has_value && write.kind == Kind::changed)
                line.before = texts_.text_of(info, write.field, write.before);
            if (has_value) line.after = texts_.text_of(info, write.field, write.after);
            if (write.kind == Kind::removed || write.kind == Kind::destroyed) line.before = last;
            last = line.after;
            lines_.push_back(std::move(line));
        }
    }

    // Several fields begin and end with their component: one line says so.
    void merge_lines() {
        if (is_single()) return;
        std::vector<AnswerLine> merged;
        std::map<std::string, std::size_t> begun;  // by moment and component
        std::set<std::uint64_t> ended;
        for (AnswerLine& line : lines_) {
            const ValueWrite& write = line.write;
            if (write.kind == Kind::removed || write.kind == Kind::destroyed) {
                if (!ended.insert(write.number).second) continue;
                line.field = write.kind == Kind::destroyed ? "the entity" : line.component;
                line.before.clear();
            } else if (write.kind != Kind::changed) {
                const std::string key = fmt::format("{} {} {}", write.step, author(write), line.component);
                const std::string value =
                    line.after.empty() ? "" : fmt::format("{} = {}", line.leaf, line.after);
                const auto [found, is_first] = begun.try_emplace(key, merged.size());
                if (!is_first) {
                    add_value(merged[found->second], value);
                    continue;
                }
                line.field = line.component;
                line.after.clear();
                add_value(line, value);
            }
            merged.push_back(std::move(line));
        }
        lines_ = std::move(merged);
    }

    static void add_value(AnswerLine& line, const std::string& value) {
        if (value.empty() || line.value_count > kMaxBegun) return;
        if (line.value_count > 0) line.begun += ", ";
        line.begun += line.value_count == kMaxBegun ? "…" : value;
        ++line.value_count;
    }

    // Without a field: positions change all the time, and would hide everything else.
    void keep_newest() {
        if (!question_.values.empty()) return;
        std::map<std::string, std::uint64_t> newest;
        for (const AnswerLine& line : lines_) newest[line.field] = line.write.number;
        std::erase_if(lines_,
                      [&](const AnswerLine& line) { return newest[line.field] != line.write.number; });
    }

    bool is_single() const { return fields_.size() == 1 && fields_.front().numbers.size() == 1; }

    std::string who() const {
        if (!entity_) return fmt::format("resource {}", split(question_.values).first);
        std::string text = fmt::format("entity {}:{}", entity_.index(), entity_.generation());
        if (const std::string_view name = name_of(world_, entity_); !name.empty())
            text += fmt::format(" '{}'", name);
        return text;
    }

    // "Health.current of entity 12:1 is 30 after step 600"
    std::string headline() {
        const std::string subject = question_.values.empty() ? who()
                                    : entity_ ? fmt::format("{} of {}", question_.values, who())
                                              : question_.values;
        const std::string when = fmt::format("after step {}", provenance_.step());
        if (entity_ && !world_.is_alive(entity_))
            return fmt::format("{}: the entity is gone {}.\n", subject, when);
        if (question_.values.empty()) return fmt::format("{}, {}.\n", subject, when);
        const ComponentId component = fields_.front().component;
        const ComponentInfo& info = world_.registry().info(component);
        if (entity_ && !world_.has(entity_, component))
            return fmt::format("{}: it has no {} {}.\n", subject, info.schema.name, when);
        const std::byte* const cell =
            entity_ ? world_.get(entity_, component) : std::as_const(world_).resources().data(component);
        const std::vector<std::uint64_t> now =
            provenance_.encoded(info, cell, !entity_ || world_.is_enabled(entity_, component));
        const std::vector<std::string> names = digest_field_names(info);
        std::vector<std::string> values;
        for (const std::uint16_t field : fields_.front().numbers) {
            if (field == kPresenceField) return fmt::format("{} is there {}.\n", subject, when);
            if (values.size() == kMaxValues) {
                values.emplace_back("…");
                break;
            }
            const std::string value = texts_.text_of(info, field, now[field - kEnabledField]);
            values.push_back(is_single() ? value : fmt::format("{} = {}", names[field], value));
        }
        if (is_single()) return fmt::format("{} is {} {}.\n", subject, values.front(), when);
        return fmt::format("{} is {{{}}} {}.\n", subject, fmt::join(values, ", "), when);
    }

    // How often each system wrote it.
    std::string summary() const {
        const std::string since = provenance_.first_step() == 0
                                      ? std::string("the game began")
                                      : fmt::format("step {}", provenance_.first_step());
        if (lines_.empty()) return fmt::format("Nothing has written it since {}.\n", since);
        if (question_.values.empty())
            return fmt::format("The newest write of each field since {}:\n\n", since);
        if (!provenance_.keeps_all())
            return fmt::format("The newest writes since {}, of each field at most {}:\n\n", since,
                               Provenance::kWritesPerField);
        std::map<std::string, std::size_t> counts;
        for (const AnswerLine& line : lines_) ++counts[author(line.write)];
        std::vector<std::pair<std::string, std::size_t>> sorted(counts.begin(), counts.end());
        std::ranges::stable_sort(sorted, std::ranges::greater{},
                                 [](const auto& entry) { return entry.second; });
        std::vector<std::string> parts;
        for (const auto& [name, count] : sorted) parts.push_back(fmt::format("{} by {}", count, name));
        const std::string shown =
            lines_.size() > question_.last ? fmt::format(" The last {}:", question_.last) : std::string();
        return fmt::format("It was written {} since {}: {}.{}\n\n", counted(lines_.size(), "time"), since,
                           fmt::join(parts, ", "), shown);
    }

    std::string author(const ValueWrite& write) const {
        if (write.by == By::outside) return "no system";
        const std::string_view system = provenance_.system_name(write.system);
        if (write.by == By::commands) return fmt::format("commands of '{}'", system);
        if (write.by == By::callback) return fmt::format("a callback of '{}'", system);
        return fmt::format("'{}'", system);
    }

    std::string what(const ValueWrite& write) const {
        static constexpr std::array<std::string_view, 5> kWords{"", ", added", ", spawned", ", removed",
                                                                ", destroyed"};
        return author(write) + std::string(kWords[static_cast<std::size_t>(write.kind)]);
    }

    // "swarm/waves.lua:31", as errors have it.
    std::string place(const ValueWrite& write) const {
        if (write.by == By::outside) return "between systems, or before the step";
        const auto found = session_.scripts().place_of(provenance_.system_name(write.system));
        if (!found) return "native code";
        return found->file.empty() ? found->mod
                                   : fmt::format("{}/{}:{}", found->mod, found->file, found->line);
    }

    std::string table() const {
        if (lines_.empty()) return "";
        using Row = std::array<std::string, 7>;
        std::vector<Row> rows{{"step", "field", "before", "after", "by", "where", ""}};
        const std::size_t shown = question_.values.empty() ? lines_.size() : question_.last;
        for (std::size_t i = lines_.size() - std::min(shown, lines_.size()); i < lines_.size(); ++i) {
            const AnswerLine& line = lines_[i];
            rows.push_back({std::to_string(line.write.step), line.field, line.before, line.after,
                            what(line.write), place(line.write),
                            line.begun.empty() ? "" : fmt::format("{{{}}}", line.begun)});
        }
        std::array<std::size_t, 7> widths{};
        for (const Row& row : rows)
            for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], characters(row[i]));
        if (is_single()) widths[1] = 0;
        std::string text;
        for (const Row& row : rows) {
            std::string line;
            for (std::size_t i = 0; i < row.size(); ++i) {
                if (widths[i] == 0) continue;
                const std::string space(widths[i] - characters(row[i]), ' ');
                const bool is_right = i == 0 || i == 2 || i == 3;
                line += "  " + (is_right ? space + row[i] : row[i] + space);
            }
            text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
        }
        return text;
    }

    static std::size_t characters(std::string_view text) {
        return static_cast<std::size_t>(std::ranges::count_if(
            text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
    }

    std::string others() const {
        if (others_.empty()) return "";
        std::vector<std::string> names;
        for (const Entity other : others_)
            names.push_back(fmt::format("{}:{}", other.index(), other.generation()));
        return fmt::format("\nEarlier entities of this index: {}.\n", fmt::join(names, ", "));
    }

    // Small numbers are indices, but for scripts they are the entities of index 0.
    std::string other_meaning(std::string_view before, std::string_view after) const {
        const auto number = number_from<std::uint32_t>(question_.entity);
        if (!number || *number == 0 || !world_.is_alive(entity_from_parts(0, *number))) return "";
        return fmt::format("{1}0:{0} is the entity that has the number {0} in scripts{2}", *number, before,
                           after);
    }

    const ProvenanceQuestion& question_;
    Provenance& provenance_;
    GameSession& session_;
    const World& world_;
    ValueTexts texts_;
    Entity entity_;
    std::vector<Entity> others_;
    std::vector<Fields> fields_;
    std::vector<AnswerLine> lines_;
};

}  // namespace

Result<WatchedValues> watched_by(const ProvenanceQuestion& question) {
    WatchedValues watched;
    watched.component = split(question.values).first;
    if (question.entity.empty()) {
        if (watched.component.empty()) return Error{e::kWhyNothing};
        return watched;
    }
    const std::string_view text = question.entity;
    const std::size_t colon = std::min(text.find(':'), text.size());
    const bool is_pair = colon < text.size();
    const auto first = number_from<std::uint64_t>(text.substr(0, colon));
    const auto second = is_pair ? number_from<std::uint64_t>(text.substr(colon + 1)) : 0;
    const bool is_valid = first && second && *second <= Entity::kMaxGeneration &&
                          *first <= (is_pair ? 0xFFFF'FFFF : Entity::kMaxBits);
    if (!is_valid) return Error{fmt::format(e::kWhyEntity, text)};
    const bool is_entity = !is_pair && *first > Entity::kMaxGeneration;  // the number that scripts have
    const std::uint64_t generation = is_entity ? Entity{*first}.generation() : *second;
    watched.index = static_cast<std::uint32_t>(is_entity ? Entity{*first}.index() : *first);
    if (generation != 0) watched.generation = static_cast<std::uint32_t>(generation);
    return watched;
}

Result<void> check_question(const ProvenanceQuestion& question, const ComponentRegistry& registry) {
    if (question.values.empty()) return {};
    const Result<Fields> fields = fields_of(question.values, registry);
    if (!fields) return fields.error();
    const Schema& schema = registry.info(fields.value().component).schema;
    const bool is_resource = schema.kind == ComponentKind::resource;
    if (is_resource && !question.entity.empty()) return Error{fmt::format(e::kWhyResource, schema.name)};
    if (is_resource || is_component_kind(schema.kind)) {
        if (is_resource || !question.entity.empty()) return {};
        return Error{fmt::format(e::kWhyWhichEntity, schema.name)};
    }
    return Error{fmt::format(e::kWhyNoValue, schema.name, kind_name(schema.kind))};
}

Result<std::string> answer_to(const ProvenanceQuestion& question, Provenance& provenance,
                              GameSession& session) {
    return Answer(question, provenance, session).text();
}

}  // namespace perigee
