// Decides which of the found mods load, in what order, and why.
//
// Invariant: the answer depends on the manifests alone, not on the order in which they were found, except
// that the first of two mods with one id counts. All problems are found at once; a mod with a problem is left
// out with everything that depends on it; the rest loads. It reads no files; engine/mods/mod_set.h does.
#pragma once

#include "engine/mods/mod_manifest.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace perigee {

/// A mod that was found.
struct ModCandidate {
    ModManifest manifest;
    std::string place;  ///< for display: "mods/storms"
    std::vector<ManifestMistake> mistakes = {};
};

struct ModPlace {
    std::size_t mod = 0;  ///< index of the candidate
    /// "after base: depends on base ^1.0"; "by name" if nothing has to come first
    std::string reason;
};

struct ModProblem : ManifestMistake {
    std::string mod;  ///< its id
};

struct ModOrder {
    std::vector<ModPlace> places;      ///< in load order, after the game
    std::vector<ModProblem> problems;  ///< in the order of candidates; each of these mods is left out
};

/// Orders compatible mods after the mods in their depends, optional and load_after, and before those in
/// load_before. Among mods that could come next, the one with the bytewise smallest id is first.
///
/// Left out are mods
/// - with errors in their files, made for another interface version, or with native code;
/// - with the id of the game, or of an earlier mod;
/// - with a dependency that is missing, of a wrong version or left out;
/// - with an optional dependency of a wrong version, or a conflict with a mod that exists;
/// - in a cycle of the load order.
ModOrder order_mods(const ModManifest& game, std::span<const ModCandidate> mods);

}  // namespace perigee
