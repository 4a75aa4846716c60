// Numbers of things that scripts define by name while files load, and that components name by text.
//
// Invariant: a name keeps its number. A look-up by text costs one by hash, since texts know theirs. An
// unknown name is reported once.
#pragma once

#include "ecs/base/suggest.h"
#include "ecs/schema/text_pool.h"

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace perigee::internal {

class NameIndex {
public:
    /// `unknown`: the message for a name that does not exist, with places for the name and a suggestion.
    explicit NameIndex(const char* unknown) noexcept : unknown_(unknown) {}

    std::optional<std::uint32_t> find(std::string_view name) const {
        const auto known = numbers_.find(std::string{name});
        if (known == numbers_.end()) return std::nullopt;
        return known->second;
    }
    /// The number of a new name: how many there were. Expects: find(name) is empty.
    std::uint32_t add(std::string_view name) {
        const auto number = static_cast<std::uint32_t>(numbers_.size());
        numbers_.emplace(name, number);
        found_.clear();
        return number;
    }
    std::optional<std::uint32_t> find(const TextPool& texts, TextHandle name) {
        if (name.index == 0) return std::nullopt;
        const auto [place, is_new] = found_.try_emplace(texts.content_hash(name));
        if (is_new) {
            place->second = find(texts.text(name));
            if (!place->second) reports_.push_back(unknown(texts.text(name)));
        }
        return place->second;
    }
    std::string unknown(std::string_view name) const {
        std::vector<std::string_view> names;
        for (const auto& [known, number] : numbers_) names.push_back(known);
        return fmt::format(fmt::runtime(unknown_), name, did_you_mean(name, names));
    }
    std::vector<std::string> take_reports() { return std::exchange(reports_, {}); }

private:
    const char* unknown_;
    std::unordered_map<std::string, std::uint32_t> numbers_;
    std::unordered_map<std::uint64_t, std::optional<std::uint32_t>> found_;  ///< by the hash of the text
    std::vector<std::string> reports_;
};

}  // namespace perigee::internal
