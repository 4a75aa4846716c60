// The protocol between the game and the decoder: plain structures, with file descriptors.
//
//   game -> decoder   DecodeRequest, with two descriptors: the bytes of a file, and where the result goes
//   decoder -> game   DecodeReply, when the worker process has ended (for streams: has started)
//
// A result is a DecodeHead followed by the bytes. A stream consists of blocks, each a 32-bit size followed by
// the bytes, and ends with a block of size 0. A font is served by a process of its own, over a socket, see
// font_protocol.h. The game trusts none of it: sizes are checked against its limits.
#pragma once

#include <cstddef>
#include <cstdint>

namespace perigee::decoding {

inline constexpr int kDecoderSocket = 3;  ///< the descriptor on which a decoder listens
inline constexpr std::uint32_t kMagic = 0x44475250;
inline constexpr std::size_t kMaxBlockBytes = 32 * 1024;  ///< of a stream

enum class Kind : std::uint32_t { image = 1, sound = 2, stream = 3, probe = 4, font = 5 };

/// The actions of Kind::probe, instead of decoding: each must end the process that tries it, and nothing
/// else. They show that the sandbox is closed (tests/engine/decoding/decode_work_test.cpp).
enum class Probe : std::uint32_t {
    none,
    open_file,
    connect,
    start_process,
    start_program,
    make_code,  ///< executable memory
    crash,
    hang,
    take_memory,
    fill_result,
    stop  ///< without a result
};

struct DecodeRequest {
    std::uint32_t magic = kMagic;
    Kind kind = Kind::probe;
    std::uint64_t max_bytes = 0;  ///< of the result, after its head
    std::uint32_t cpu_seconds = 0;
    std::uint32_t wall_milliseconds = 0;
    Probe probe = Probe::none;
    std::uint32_t reserved = 0;
};

enum class Status : std::uint32_t { none = 0, done = 1, damaged = 2, too_large = 3 };

struct DecodeHead {
    std::uint32_t magic = kMagic;
    Status status = Status::none;
    std::uint32_t first = 0;   ///< width, or samples per channel and second
    std::uint32_t second = 0;  ///< height, or channels
    std::uint64_t bytes = 0;
    std::uint32_t is_sandboxed = 0;  ///< seccomp confined the process that worked on it
    std::uint32_t reserved = 0;
};

enum class End : std::uint32_t { done = 1, crashed = 2, timed_out = 3, no_process = 4 };

struct DecodeReply {
    std::uint32_t magic = kMagic;
    End end = End::no_process;
};

}  // namespace perigee::decoding
