// Edit distance with neighbour swaps, three rows of the table at a time.
#include "ecs/base/suggest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace perigee {

namespace {

constexpr std::size_t kMaxWordLetters = 64;  // longer ones are not mistyped names

std::size_t distance(std::string_view word, std::string_view other) {
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
}

// ASCII only: the locale must not change a message.
char lower(char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

bool is_same_but_case(std::string_view word, std::string_view other) {
    return std::equal(word.begin(), word.end(), other.begin(), other.end(),
                      [](char a, char b) { return lower(a) == lower(b); });
}

}  // namespace

std::string_view nearest_name(std::string_view word, std::span<const std::string_view> known) {
    if (word.empty() || word.size() > kMaxWordLetters) return {};
    const std::size_t max_distance = std::min(std::max<std::size_t>(word.size() / 3, 1), word.size() - 1);
    std::string_view best;
    std::size_t best_distance = max_distance + 1;
    std::size_t work = 0;
    for (const std::string_view other : known) {
        if (is_same_but_case(word, other)) return other;
        if (other.size() > kMaxWordLetters) continue;
        // Each letter of difference in length costs one, so words of very different lengths need no table.
        const std::size_t longer = std::max(word.size(), other.size());
        if (longer - std::min(word.size(), other.size()) >= best_distance) continue;
        work += word.size() * other.size();
        if (work > kMaxSuggestionWork) break;
        const std::size_t far = distance(word, other);
        if (far < best_distance) {
            best = other;
            best_distance = far;
        }
    }
    return best;
}

std::string did_you_mean(std::string_view nearest) {
    return nearest.empty() ? std::string() : fmt::format("; did you mean '{}'?", nearest);
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> known) {
    return did_you_mean(nearest_name(word, known));
}

std::string there_are(std::span<const std::string_view> known, std::size_t most) {
    if (known.empty()) return {};
    const std::span named = known.first(std::min(most, known.size()));
    return fmt::format("; there are {}{}", fmt::join(named, ", "), named.size() < known.size() ? " …" : "");
}

std::string did_you_mean_or_all(std::string_view word, std::span<const std::string_view> known) {
    std::string near = did_you_mean(word, known);
    return near.empty() && known.size() <= kMaxListed ? there_are(known) : near;
}

}  // namespace perigee
