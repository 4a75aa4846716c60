// Reads the samples of a WAV or OGG Vorbis file from start to end.
//
// Invariant: samples are 16 bits, channels in turn, at the file's own rate; files refused by read_sound_info
// are refused here too. Reading is forward only and never seeks the end. Vorbis is decoded by libvorbis, so
// it runs in the sandbox (engine/decoding/decoder_sandbox.h).
#pragma once

#include "engine/assets/sound_info.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace perigee::decoding {

class SoundReader {
public:
    /// Lifetime: the file must outlive the reader.
    explicit SoundReader(std::string_view file);
    ~SoundReader();
    SoundReader(const SoundReader&) = delete;
    SoundReader& operator=(const SoundReader&) = delete;

    bool is_damaged() const noexcept { return is_damaged_; }
    const SoundInfo& info() const noexcept { return info_; }

    /// Fills the front of `samples` and returns the number; 0 at the end, or when the file is damaged from
    /// here on. Expects: room for one frame at least.
    std::size_t read(std::span<std::int16_t> samples);

private:
    struct Vorbis;
    std::size_t read_wav(std::span<std::int16_t> samples);
    std::size_t read_vorbis(std::span<std::int16_t> samples);

    std::string_view file_;
    SoundInfo info_;
    std::uint64_t next_frame_ = 0;  // of a WAV
    std::unique_ptr<Vorbis> vorbis_;
    bool is_damaged_ = false;
};

}  // namespace perigee::decoding
