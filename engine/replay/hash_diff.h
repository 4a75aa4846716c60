// Compares two hash logs: finds the first moment at which two runs differ, and the values that differ.
//
// Invariant: every reported value differs. Everything before it was equal in both runs, so it is the cause
// and not a consequence. A log that ends earlier is not a difference. It reads logs only; they do not contain
// the values themselves.
#pragma once

#include "ecs/base/entity.h"
#include "ecs/base/result.h"
#include "engine/replay/hash_log.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace perigee {

/// One value that differs.
struct ValueDifference {
    std::string component;
    Entity entity;      ///< null: the component is a resource
    std::string field;  ///< empty: only one of the two has the row (or entity)
    int only_in = 0;    ///< in that case: 1 or 2, the log whose run has it; 0 unknown
};

struct HashDifference {
    enum class Kind : std::uint8_t {
        none,
        types,      ///< the games declare different types, listed in `types`
        execution,  ///< different systems ran, or in a different order; see `next_moments`
        content,    ///< the same systems ran, with different results
    };
    Kind kind = Kind::none;
    std::uint64_t step_count = 0;       ///< whole steps that are equal
    std::uint64_t tick = 0;             ///< of the step that differs
    bool is_before_first_step = false;  ///< it differs after loading (or restarting)
    HashMoment moment = HashMoment::start;
    std::string system;
    std::array<std::string, 2> next_moments;  ///< what happened next, in each run
    std::vector<std::string> types;           ///< one line each
    std::vector<std::string> components;      ///< the differing ones, in order of names
    std::vector<ValueDifference> values;      ///< some of the differing ones; almost never empty
    std::vector<std::string> remarks;         ///< different seeds, a log that ends earlier
};

/// Errors: a log is damaged.
Result<HashDifference> compare(HashLogReader& first, HashLogReader& second);

/// What `perigee diff` prints: several lines, each ended by \n. The names are those of the two logs.
std::string text_of(const HashDifference& difference, std::string_view first, std::string_view second);

}  // namespace perigee
