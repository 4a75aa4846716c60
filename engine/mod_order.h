// Which of the mods that were found may load, in what order, and why.
//
// Invariant: the answer depends on the manifests alone, not on the order in which they were found, except for
// two mods of one id, of which the first counts. Every problem is found at once; a mod with one is left out,
// and so is everything that depends on it; the rest loads. No file is read here: that is engine/mod_set.h.
#pragma once

#include "engine/mod_manifest.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace perigee {

/// A mod that was found.
struct ModCandidate {
    ModManifest manifest;
    std::string place;                  ///< for people: "mods/storms"
    std::vector<std::string> mistakes;  ///< of its mod.json, or of the files around it
};

struct ModPlace {
    std::size_t mod = 0;  ///< index of the candidate
    /// "after base: depends on base ^1.0"; "by name" where nothing has to come first
    std::string reason;
};

struct ModProblem {
    std::string mod;  ///< its id
    std::string text;
};

struct ModOrder {
    std::vector<ModPlace> places;      ///< as they load, after the game
    std::vector<ModProblem> problems;  ///< by the order of candidates; each of these mods is left out
};

/// Puts those that fit together behind what they name in depends, optional and load_after, and before what
/// they name in load_before; of those that could come next, the smallest id bytewise does.
///
/// Left out: one with mistakes; the second of an id, or one of the game's id; one made for another interface,
///           or with native code; one with a dependency that is missing, of a wrong version or left out, or
///           an optional one that is there in a wrong version; one that declares a conflict with another that
///           is there; all that wait for each other in a circle.
ModOrder order_mods(const ModManifest& game, std::span<const ModCandidate> mods);

}  // namespace perigee
