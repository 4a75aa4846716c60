// "Did you mean": the known word that a misspelt one most likely means.
//
// Invariant: the answer depends on the words alone; of two equally close words the first one wins. It is only
// used in messages; nothing is ever looked up by similarity.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace perigee {

inline constexpr std::size_t kMaxSuggestionWork = 1'000'000;
inline constexpr std::size_t kMaxListed = 20;

/// The entry of `known` that `word` most likely means; empty when none is close.
///
/// Close:   at most a third of the word's letters, but one is always allowed, inserted, dropped, replaced or
///          swapped with a neighbour; case does not matter. At least one letter must match.
/// Cost:    word length x entry length for each entry of about the same length. Words of more than 64 letters
///          get no suggestion. After kMaxSuggestionWork compared letters (2 ms) the best so far is returned.
/// Source:  optimal string alignment distance (restricted Damerau-Levenshtein).
std::string_view nearest_name(std::string_view word, std::span<const std::string_view> known);

/// The end of a message: "; did you mean 'speed'?", or nothing for an empty name.
std::string did_you_mean(std::string_view nearest);

/// The same for the nearest name among `known`.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> known);

/// "; there are color, scale", or nothing for an empty list. After `most` names it ends in " …".
std::string there_are(std::span<const std::string_view> known, std::size_t most = kMaxListed);

/// did_you_mean, or "; there are color, scale" when none is near and there are at most kMaxListed of them.
std::string did_you_mean_or_all(std::string_view word, std::span<const std::string_view> known);

}  // namespace perigee
