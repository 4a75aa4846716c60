// Declaring types once, finding them by name, and guessing what a misspelt name meant.
#include "ecs/registry.h"

#include "ecs/contract.h"
#include "ecs/error_codes.h"

#include <algorithm>

namespace perigee {

Result<ComponentId> ComponentRegistry::declare(Schema schema) {
    if (const std::vector<std::string> mistakes = layout_schema(schema); !mistakes.empty()) {
        std::string all;
        for (const std::string& mistake : mistakes) all += (all.empty() ? "" : "\n") + mistake;
        return Error{all};
    }
    const std::uint64_t hash = schema_hash(schema);
    if (const std::optional<ComponentId> known = find(schema.name)) {
        const ComponentInfo& old = info(*known);
        if (old.hash == hash) return *known;
        return Error{errors::redefinition(schema.name, old.schema.declared_at, describe_layout(old.schema),
                                          describe_layout(schema))};
    }
    if (infos_.size() == kMaxComponents) return Error{errors::too_many_types(kMaxComponents)};

    const ComponentId id{static_cast<std::uint16_t>(infos_.size())};
    ComponentInfo& made = infos_.emplace_back();
    made.id = id;
    made.schema = std::move(schema);
    made.leaves = leaves_of(made.schema);  // leaves point into the schema, which never moves again
    made.hash = hash;
    made.is_zero_default = std::all_of(made.schema.defaults.begin(), made.schema.defaults.end(),
                                       [](std::byte byte) { return byte == std::byte{0}; });
    row_bytes_.push_back(made.schema.size);
    by_name_.emplace(made.schema.name, id);
    return id;
}

std::optional<ComponentId> ComponentRegistry::find(std::string_view name) const noexcept {
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? std::nullopt : std::optional(found->second);
}

Result<ComponentId> ComponentRegistry::require(std::string_view name) const {
    if (const std::optional<ComponentId> id = find(name)) return *id;
    std::vector<std::string_view> known;
    for (const auto& [known_name, id] : by_name_) known.push_back(known_name);
    return Error{errors::unknown_name(name, nearest_name(name, known))};
}

const ComponentInfo& ComponentRegistry::info(ComponentId id) const noexcept {
    ECS_EXPECTS(id.index < infos_.size(), id.index, infos_.size());
    return infos_[id.index];
}

std::vector<ComponentId> ComponentRegistry::ids_by_name() const {
    std::vector<ComponentId> ids;
    for (const auto& [name, id] : by_name_) ids.push_back(id);
    return ids;
}

std::string_view nearest_name(std::string_view word, std::span<const std::string_view> known) noexcept {
    // Optimal string alignment: insert, delete, replace, swap neighbours.
    const auto distance = [&](std::string_view other) {
        std::vector<std::size_t> two_back(other.size() + 1), back(other.size() + 1), now(other.size() + 1);
        for (std::size_t j = 0; j <= other.size(); ++j) back[j] = j;
        for (std::size_t i = 1; i <= word.size(); ++i) {
            now[0] = i;
            for (std::size_t j = 1; j <= other.size(); ++j) {
                const std::size_t replace = back[j - 1] + (word[i - 1] == other[j - 1] ? 0 : 1);
                now[j] = std::min({back[j] + 1, now[j - 1] + 1, replace});
                if (i > 1 && j > 1 && word[i - 1] == other[j - 2] && word[i - 2] == other[j - 1]) {
                    now[j] = std::min(now[j], two_back[j - 2] + 1);
                }
            }
            std::swap(two_back, back);
            std::swap(back, now);
        }
        return back[other.size()];
    };
    const auto same_but_case = [&](std::string_view other) {
        return std::equal(word.begin(), word.end(), other.begin(), other.end(),
                          [](char a, char b) { return (a | 0x20) == (b | 0x20); });
    };
    std::string_view best;
    std::size_t best_distance = std::max<std::size_t>(word.size() / 3, 1) + 1;
    for (const std::string_view other : known) {
        if (other.size() > word.size() + best_distance) continue;
        const std::size_t far = same_but_case(other) ? 0 : distance(other);
        if (far < best_distance) {
            best = other;
            best_distance = far;
        }
    }
    return best;
}

}  // namespace perigee
