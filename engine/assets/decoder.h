// Decoder: decodes images, sounds and fonts from untrusted files in a confined process.
//
// A separate program (perigee_decoder; decoder_program locates it) starts a process for each file. That
// process has the bytes, memory for the result, and nothing else: see engine/decoding/decoder_sandbox.h. The
// result is checked against the file's header.
//
// Invariant: whatever a file does to the decoding process, this class reports an error, after five seconds at
// the latest. No file is decoded in this process. It does not cache, and it knows no assets.
#pragma once

#include "ecs/base/result.h"
#include "engine/assets/font_process.h"
#include "engine/assets/image_size.h"
#include "engine/assets/sound_info.h"
#include "engine/assets/sound_stream.h"

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

/// The bytes of a result, in memory that was shared with the decoding process and is now exclusive.
class DecodedBytes {
public:
    DecodedBytes() noexcept = default;
    DecodedBytes(void* mapped, std::size_t mapped_bytes) noexcept
        : mapped_(mapped), mapped_bytes_(mapped_bytes) {}
    ~DecodedBytes();
    DecodedBytes(DecodedBytes&& other) noexcept;
    DecodedBytes& operator=(DecodedBytes&& other) noexcept;

    /// Shape: 4 bytes per pixel (R, G, B, A), rows from the top; or samples of 16 bits, channels in turn.
    const std::uint8_t* data() const noexcept;
    std::size_t size() const noexcept { return bytes_; }

private:
    friend class Decoder;
    void* mapped_ = nullptr;
    std::size_t mapped_bytes_ = 0;
    std::size_t bytes_ = 0;
};

/// The path of the perigee_decoder for a program: next to it, in ../libexec/perigee/ relative to it, or in
/// Perigee's package. If none exists, the path next to the program. Empty: the running program.
std::filesystem::path decoder_program(std::filesystem::path program = {});

struct DecoderConfig {
    std::filesystem::path program = {};     ///< empty: decoder_program() of the running program
    std::uint32_t max_milliseconds = 5000;  ///< for one file
};

class Decoder {
public:
    static constexpr double kMaxSoundSeconds = 5 * 60;    ///< for sounds that are decoded completely
    static constexpr double kMaxStreamSeconds = 60 * 60;  ///< for music

    explicit Decoder(DecoderConfig config = {});
    ~Decoder();
    Decoder(const Decoder&) = delete;
    Decoder& operator=(const Decoder&) = delete;

    /// Starts the program and does not wait for it. A failure is reported as an error of the first file.
    void start();

    /// Expects: `size` is the result of image_size for these bytes.
    /// Errors: damaged, not of this size, too slow, no decoder.
    Result<DecodedBytes> image(std::string_view file, ImageSize size);

    /// Expects: `info` is the result of read_sound_info for these bytes. Errors: as above, or longer than
    /// kMaxSoundSeconds.
    Result<DecodedBytes> sound(std::string_view file, const SoundInfo& info);

    /// A stream of samples, decoded as they are read. Errors: longer than kMaxStreamSeconds, no decoder.
    Result<SoundStream> stream(std::string_view file, const SoundInfo& info);

    /// A process that reads this font, and answers until it is dropped. Errors: no font, damaged, no decoder.
    Result<FontProcess> font(std::string_view file);

    /// For tests: tries a forbidden action in the decoding process; see decoding::Probe. True if the action
    /// was possible.
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
