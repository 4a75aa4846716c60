// Decoder: images and sounds from files of strangers, decoded where they can do no harm.
//
// A program of its own (perigee_decoder; decoder_program says where) makes a process for each file.
// That process has the bytes, room for the result, and nothing else: see engine/decoding/decoder_box.h. What
// comes back is compared with what the head of the file promised.
//
// Invariant: whatever a file does to who decodes it, here is an error that says so, after five seconds at the
// latest. No file is decoded in this process. It does not cache, and it knows no assets.
#pragma once

#include "ecs/result.h"
#include "engine/image_size.h"
#include "engine/sound_info.h"
#include "engine/sound_stream.h"

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

namespace perigee {

namespace decoding {
struct DecodeHead;
struct DecodeRequest;
}  // namespace decoding

/// The bytes of a result, in memory that was shared with who made them and is now ours alone.
class DecodedBytes {
public:
    DecodedBytes() noexcept = default;
    DecodedBytes(void* mapped, std::size_t mapped_bytes) noexcept
        : mapped_(mapped), mapped_bytes_(mapped_bytes) {}
    ~DecodedBytes();
    DecodedBytes(DecodedBytes&& other) noexcept;
    DecodedBytes& operator=(DecodedBytes&& other) noexcept;

    /// Shape: 4 bytes a pixel (R, G, B, A), rows from the top; or samples of 16 bits, channels in turn.
    const std::uint8_t* data() const noexcept;
    std::size_t size() const noexcept { return bytes_; }

private:
    friend class Decoder;
    void* mapped_ = nullptr;
    std::size_t mapped_bytes_ = 0;
    std::size_t bytes_ = 0;
};

/// The perigee_decoder of a program: beside it, in ../libexec/perigee/ from there, or where Perigee's package
/// has it. If there is none, where it would be beside the program. Empty: the running program.
std::filesystem::path decoder_program(std::filesystem::path program = {});

struct DecoderConfig {
    std::filesystem::path program = {};      ///< empty: decoder_program() of the running program
    std::uint32_t most_milliseconds = 5000;  ///< for one file
};

class Decoder {
public:
    static constexpr double kMostSoundSeconds = 5 * 60;    ///< of one that is decoded as a whole
    static constexpr double kMostStreamSeconds = 60 * 60;  ///< of music

    explicit Decoder(DecoderConfig config = {});
    ~Decoder();
    Decoder(const Decoder&) = delete;
    Decoder& operator=(const Decoder&) = delete;

    /// Starts the program and does not wait for it. What goes wrong is an error of the first file.
    void start();

    /// Expects: the size that png_size reads from these bytes.
    /// Errors: damaged, not of this size, too slow, no decoder.
    Result<DecodedBytes> image(std::string_view file, ImageSize size);

    /// Expects: what read_sound_info reads from these bytes. Errors: as above, or longer than
    /// kMostSoundSeconds.
    Result<DecodedBytes> sound(std::string_view file, const SoundInfo& info);

    /// Samples that are decoded as they are taken. Errors: longer than kMostStreamSeconds, no decoder.
    Result<SoundStream> stream(std::string_view file, const SoundInfo& info);

    /// For tests: what the process for a file is ended by. See decoding::Probe. The answer is true if what
    /// was tried was possible.
    Result<bool> probe(std::uint32_t what);

private:
    Result<DecodedBytes> result_of(std::string_view file, decoding::DecodeRequest request,
                                   decoding::DecodeHead& head);
    Result<void> ask(const decoding::DecodeRequest& request, int input, int output);
    void stop() noexcept;

    DecoderConfig config_;
    int socket_ = -1;
    pid_t process_ = -1;
    int starts_ = 0;
};

}  // namespace perigee
