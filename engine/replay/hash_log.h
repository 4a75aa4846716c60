// The hash log: hashes of the world after each system of each step, so that two runs can be compared, on one
// machine or two, and the first differing value found.
//
// Invariant: two runs with equal worlds after each system write equal records, on any machine and with any
// number of workers. A log cut off by a crash can be read as far as it goes. It contains neither values nor a
// replay; the input log is the replay.
//
// The file: a text header, then records, each starting with a byte. Numbers are varints unless noted; u64 is
// little-endian; a name is its length and its UTF-8 bytes. Version 1 is read too; it has no LuaJIT line.
//
//   header         "perigee hash log 2\n" "game <id>\n" "seed <decimal>\n" "rate <steps per second>\n"
//                  "luajit <version>\n" "\n"
//   0x01 type      name, u64 schema hash, number of fields, their names: gets the next number, from 0;
//                  type 0 is "(entities)", the others are the components and resources
//   0x02 state     moment (0 start, 1 a system ran, 2 a system's commands, 3 anything else), name of the
//                  system, number of types that changed, then (type, u64 sum of its values' hashes) each;
//                  then the change of the digest (ecs/inspect/difference_digest.h): u64 bits of the cells
//                  that are not zero, three u64 each
//   0x03 step      tick, u64 world hash, number of types, u64 hash of each, by number: the end of a step
//   0x04 restart   the game restarts: types and sums begin empty
//   0x05 end       number of steps; nothing follows
//   0x06 limit     a text: a memory limit, a clock or a kill changed what happened; from here on another run
//                  may differ without a bug
#pragma once

#include "ecs/base/result.h"
#include "ecs/inspect/difference_digest.h"
#include "engine/replay/log_header.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace perigee {

struct HashLogType {
    std::string name;
    std::uint64_t schema_hash = 0;
    std::vector<std::string> fields;  ///< by the number that digests use
    friend bool operator==(const HashLogType&, const HashLogType&) = default;
};

/// What happened just before a state was recorded.
enum class HashMoment : std::uint8_t { start, system, commands, other };

struct HashLogState {
    struct Sum {
        std::uint16_t type = 0;
        std::uint64_t sum = 0;
        friend bool operator==(const Sum&, const Sum&) = default;
    };
    HashMoment moment = HashMoment::start;
    std::string system;        ///< empty at the start and for anything else
    std::vector<Sum> changed;  ///< by type number
    DifferenceDigest change;   ///< of all types together
    friend bool operator==(const HashLogState&, const HashLogState&) = default;
};

struct HashLogStep {
    std::uint64_t tick = 0;
    std::uint64_t world_hash = 0;
    std::vector<std::uint64_t> types;  ///< component_hash of each
    friend bool operator==(const HashLogStep&, const HashLogStep&) = default;
};

struct HashLogRestart {
    friend bool operator==(const HashLogRestart&, const HashLogRestart&) = default;
};

struct HashLogLimit {
    std::string reason;
    friend bool operator==(const HashLogLimit&, const HashLogLimit&) = default;
};

struct HashLogEnd {
    bool is_whole = true;  ///< false if a crash cut the log off
    std::uint64_t step_count = 0;
    friend bool operator==(const HashLogEnd&, const HashLogEnd&) = default;
};

using HashLogEntry =
    std::variant<HashLogType, HashLogState, HashLogStep, HashLogRestart, HashLogEnd, HashLogLimit>;

/// Encodes a log as it happens. Cost: 3 bytes and a name for a system that changed nothing, up to 1.6 KiB for
/// one that changed much.
class HashLogWriter {
public:
    explicit HashLogWriter(const LogHeader& header);

    /// Expects: no end yet.
    void write(const HashLogEntry& entry);

    /// Everything encoded since the last call.
    std::string take_bytes();

private:
    std::string bytes_;
};

class HashLogReader {
public:
    /// Errors: not a hash log, another version, a damaged header.
    static Result<HashLogReader> open(std::string bytes);

    const LogHeader& header() const noexcept { return header_; }
    /// Declared so far, since the last restart.
    const std::vector<HashLogType>& types() const noexcept { return types_; }

    /// The next entry; the end entry repeatedly when there are no more.
    /// Errors: damaged at this byte.
    Result<HashLogEntry> next();

private:
    std::string bytes_;
    std::size_t at_ = 0;
    LogHeader header_;
    std::vector<HashLogType> types_;
    std::uint64_t step_count_ = 0;
};

}  // namespace perigee
