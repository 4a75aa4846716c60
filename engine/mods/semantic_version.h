// Versions of games, mods and the scripting interface, and ranges of them.
//
// Invariant: order and ranges are those of semantic versioning: 1.10 comes after 1.9, 1.0.0-rc.2 before
// 1.0.0, and the part after '+' does not count. A range matches a pre-release only if it names one with the
// same three numbers, so that "^1.2" never picks up 2.0.0-beta, nor 1.3.0-beta.
// Source: https://semver.org (2.0.0); range operators as in npm.
#pragma once

#include "ecs/base/result.h"

#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace perigee {

struct SemanticVersion {
    std::array<std::uint32_t, 3> numbers{};  ///< major, minor, patch
    std::vector<std::string> pre_release;    ///< "rc.1" as {"rc", "1"}; empty for a release

    /// Reads "1.2.3", "1.2.3-rc.1+build"; "1" and "1.2" are padded with zeros.
    /// Errors: anything else, and numbers that do not fit 32 bits.
    static Result<SemanticVersion> parse(std::string_view text);
    /// The version as text: always three numbers, without the part after '+'.
    std::string text() const;

    std::strong_ordering operator<=>(const SemanticVersion& other) const noexcept;
    bool operator==(const SemanticVersion& other) const noexcept { return (*this <=> other) == 0; }
};

/// "*", "1.2.3" (that one), "1.2" and "1.x" (all with this prefix), "^1.2" (up to the next incompatible one),
/// "~1.2.3" (up to the next minor one), and comparisons, which must all be true: ">=1.2 <2".
class VersionRange {
public:
    /// Any release.
    VersionRange() = default;
    /// Errors: an empty text, an unknown operator, an invalid version.
    static Result<VersionRange> parse(std::string_view text);

    bool contains(const SemanticVersion& version) const noexcept;
    /// The original text.
    const std::string& text() const noexcept { return text_; }

private:
    struct Bound {
        SemanticVersion version;
        bool is_lower;  ///< version <= x; otherwise x < version
    };
    Result<void> add(std::string_view word);

    std::string text_ = "*";
    std::vector<Bound> bounds_;
    std::vector<SemanticVersion> named_;  ///< with a pre-release
};

}  // namespace perigee
