// The input log: all input of a session, so that it can be replayed to the same world hash.
//
// Invariant: parsing a writer's output returns the same steps. A file that is truncated, damaged, of another
// version or of another kind is refused with a message that says where, before any step is played. It stores
// action states, not keys, so a log stays valid when the player rebinds keys. It does not contain assets,
// scripts or the world; they must be the same for a replay.
//
// The file: a text header, then records, then an end mark. Numbers are varints unless noted; s = signed
// (zigzag). Versions 1 to 3 are read too: version 1 has no LuaJIT line, 1 and 2 have no events. Version 4 is
// version 3 with stored worlds, and is written only for a recording that stores them; version 5 is version 4
// with contents and sizes of the screen, and is written only for a run that loads a world or whose screen
// grows.
//
//   header    "perigee input log 3\n" "game <id>\n" "seed <decimal>\n" "rate <steps per second>\n"
//             "luajit <version>\n" "\n"
//   step      byte flags 0x00 .. 0x3F, then by its bits, in this order:
//     0x01    actions seen for the first time: count, then (length, name) each; they get the next numbers
//     0x02    states that differ from rest: count, then (action, bits [, level byte]) each, where bits are
//             1 down, 2 pressed, 4 a level byte follows (else the level is 255 when down, 0 when not)
//     0x04    mouse moved by (s x, s y), in 1/8 px
//     0x08    wheel: s notches
//     0x10    text: length, UTF-8 bytes; in versions 1 and 2 only
//     0x10    the screen has another size: width, height, both 0 for that of mod.json; in version 5 only
//     0x20    events: count, then each:
//             0 down, 1 repeat, 2 up: the number of the control; the next free number is followed by its
//             device, length and name, and the control has this number from then on; mouse buttons then have
//             s x, s y in 1/8 px
//             3 text: length, UTF-8 bytes
//             4 wheel: s notches, s x, s y
//             "at rest" = as in the previous step, with pressed = no
//   repeat    byte 0x80 + n, n = 1 .. 126: n steps at rest, without wheel and events
//   limit     byte 0x41, then length and text: a memory limit, a clock or a kill changed what happened in
//             the previous step; from here on a replay may differ
//   answer    byte 0x42, then length and text of a place, length and bytes: the player data that the game
//             read (engine/replay/recorded_data.h) in the previous step, or while loading
//   world     byte 0x43, then u64, little-endian: its world hash; then length and bytes of a saved world
//             (ecs/save/save_file.h): the world after the previous step; from version 4 on
//   content   byte 0x44, then length and bytes: a saved world that the game reads; the first one has the
//             number 0; in version 5 only
//   loaded    byte 0x45, then as an answer, and the number of the content that belongs to it; in version 5
//             only
//   restart   byte 0x40: the game restarts; actions and states begin empty, the mouse at 0,0
//   end       byte 0xFF, then three u64, little-endian: steps, world hash, XXH3-64 of all bytes before it
#pragma once

#include "ecs/base/result.h"
#include "engine/input/input.h"
#include "engine/replay/internal/running_checksum.h"
#include "engine/replay/log_header.h"
#include "engine/replay/recorded_data.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perigee {

namespace internal {
class ByteReader;
}

/// Encodes a session as it happens. Cost: 1 byte for up to 126 quiet steps, 5 to 10 bytes for a busy one.
class InputLogWriter {
public:
    /// `stores_worlds`: store_world will be called.
    explicit InputLogWriter(const LogHeader& header, bool stores_worlds = false);

    /// Expects: one state per action of the map.
    void step(const ActionMap& map, const StepInput& input);
    void restart();
    /// Records that a replay may differ from here on, and why. Shape: at most 255 bytes are used.
    void mark_not_replayable(std::string_view reason);
    void answer(const SaveAnswer& answer);
    /// Stores the world after the last step. Shape: `bytes` of a saved world. Expects: stores_worlds.
    void store_world(std::uint64_t world_hash, std::string_view bytes);
    /// Writes the end mark; nothing may follow.
    void finish(std::uint64_t world_hash);

    std::uint64_t step_count() const noexcept { return step_count_; }

    /// Everything encoded since the last call.
    std::string take_bytes();

    /// Where the version is in the log, and what must replace it there once has_newer_version: the first
    /// world that a run loads makes it a log of a newer version, after its header was taken.
    static const std::size_t kVersionAt;
    static const std::string_view kNewerVersion;
    bool has_newer_version() const noexcept { return is_newer_; }

private:
    void use_newer_version();
    std::uint64_t put_content(std::string_view content);
    void add_to_checksums();
    void flush_repeats();
    void put_states(const StepInput& input);
    void put_events(const StepInput& input);
    void put_control(InputCode code);

    internal::RunningChecksum checksum_;        // of the bytes taken so far
    internal::RunningChecksum newer_checksum_;  // of the same with the newer version
    std::string bytes_;                         // since then
    bool stores_worlds_;
    bool is_newer_ = false;  // it has contents or sizes of the screen
    bool is_header_taken_ = false;
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> contents_;  // by hash: their number
    StepInput rest_;                   // the state of a step at rest
    std::vector<InputCode> controls_;  // by their number in the log
    std::uint64_t repeats_ = 0;
    std::uint64_t step_count_ = 0;
};

/// The point where a recording stops being repeatable.
struct ReplayLimit {
    std::uint64_t step_count = 0;  ///< steps before that point
    std::string reason;
};

/// A world in a log.
struct StoredWorld {
    std::uint64_t step_count = 0;  ///< steps before it
    std::uint64_t hash = 0;
    std::string_view bytes;  ///< lifetime: the log's, until it is moved
};

/// A parsed log, played step by step.
class InputLog {
public:
    /// Errors: not a log, another version, truncated (with the number of whole steps), corrupt (with the
    /// byte). With `accept_truncated` a log without an end mark (after a crash) is played as far as it goes.
    static Result<InputLog> parse(std::string bytes, bool accept_truncated = false);

    const LogHeader& header() const noexcept { return header_; }
    std::uint64_t step_count() const noexcept { return step_count_; }
    /// The hash of the world after the last step; absent in a truncated log.
    std::optional<std::uint64_t> world_hash() const noexcept { return world_hash_; }

    /// The first limit, if there is one.
    const std::optional<ReplayLimit>& limit() const noexcept { return limit_; }

    /// Continues after the last stored world at or before this step, and returns it; nothing, and no change,
    /// if there is none. Cost: reads all records up to it.
    std::optional<StoredWorld> go_to_world(std::uint64_t step);
    /// The hash of the world that is stored after the last step taken, if one is.
    std::optional<std::uint64_t> stored_hash() const noexcept { return stored_hash_; }

    /// Fails unless the log belongs to this game at this rate.
    Result<void> expect_game(std::string_view game, std::uint32_t steps_per_second) const;

    bool is_finished() const noexcept { return steps_played_ == step_count_; }
    std::uint64_t steps_played() const noexcept { return steps_played_; }

    /// True if the game was restarted before the next step; the caller restarts, then calls take_step. False
    /// after take_restart, until the next restart.
    bool is_restart_next() const noexcept;
    void take_restart();

    /// The answers of the last step taken; before the first step, and after take_restart, those of loading.
    std::vector<SaveAnswer> take_answers() { return std::exchange(answers_, {}); }

    /// The next step, states matched to `map` by name (an action that the log does not know is at rest).
    /// Actions in the log that the game has not declared yet are declared without controls: the game may
    /// declare them during this step and must find the recorded state then. Expects: not finished, no restart
    /// is next.
    StepInput take_step(ActionMap& map);

private:
    struct Cursor {
        std::size_t at = 0;
        std::uint64_t repeats = 0;  // steps still to come from the last repeat record
        bool has_events = true;     // version 3 or later
        bool has_worlds = true;     // version 4 or later
        bool has_contents = true;   // version 5 or later
        std::vector<std::string> names;
        std::vector<InputCode> controls;
        StepInput input;               // by the log's own action numbers
        std::string limit;             // of the last limit record
        SaveAnswer answer;             // of the last answer record
        std::uint64_t world_hash = 0;  // of the last world record
        std::size_t world_at = 0;
        std::size_t world_size = 0;
        struct Content {
            std::size_t at;
            std::size_t size;
        };
        std::vector<Content> contents;
        std::uint64_t content = 0;  // of the last loaded record
    };
    enum class Record : std::uint8_t {
        step,
        restart,
        limit,
        answer,
        world,
        content,
        loaded,
        end,
        truncated,
        corrupt
    };
    static Record decode_annotation(std::uint8_t tag, internal::ByteReader& in, Cursor& cursor);
    static bool read_step(internal::ByteReader& in, std::uint8_t flags, Cursor& cursor);
    static Record decode(std::string_view bytes, Cursor& cursor);
    void take_annotations();
    std::shared_ptr<const std::string> content(std::uint64_t number);
    Result<std::size_t> parse_header();
    Result<void> scan(bool accept_truncated);
    Result<void> check_end(const Cursor& cursor, std::uint64_t steps);

    std::string bytes_;
    LogHeader header_;
    Cursor first_;
    Cursor cursor_;
    std::uint64_t step_count_ = 0;
    std::uint64_t steps_played_ = 0;
    std::optional<std::uint64_t> world_hash_;
    std::optional<ReplayLimit> limit_;
    std::optional<std::uint64_t> stored_hash_;
    std::vector<SaveAnswer> answers_;
    std::map<std::uint64_t, std::weak_ptr<const std::string>> contents_;  // while they are used
};

}  // namespace perigee
