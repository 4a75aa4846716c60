// Identifies a sound file from its first and last bytes, without decoding it.
//
// Invariant: accepted files are WAV (RIFF, PCM of 8, 16, 24 or 32 bits or 32-bit floats) or OGG Vorbis,
// regardless of the name, with 1 or 2 channels, 4,000 to 192,000 samples per second and a length. The decoder
// (engine/decoding) does not trust this result and checks again. Sources: the RIFF WAVE description of
// Microsoft and IBM; RFC 3533; Vorbis I specification, section 4.2.2.
#pragma once

#include "ecs/base/result.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace perigee {

inline constexpr std::uint32_t kMinSoundRate = 4'000;
inline constexpr std::uint32_t kMaxSoundRate = 192'000;
inline constexpr std::uint32_t kMaxSoundChannels = 2;

struct SoundInfo {
    enum class Format : std::uint8_t { wav, ogg };
    enum class Samples : std::uint8_t { u8, s16, s24, s32, f32 };  ///< of a WAV

    Format format = Format::wav;
    Samples samples = Samples::s16;
    std::uint32_t rate = 0;      ///< samples per channel and second
    std::uint32_t channels = 0;  ///< 1 .. kMaxSoundChannels
    std::uint64_t frames = 0;    ///< samples per channel; for OGG as given by its last page
    std::size_t data_at = 0;     ///< offset of the samples of a WAV

    double seconds() const noexcept { return static_cast<double>(frames) / rate; }
};

/// Bytes of one sample of one channel.
std::size_t sample_bytes(SoundInfo::Samples samples) noexcept;

/// Errors: neither format, or outside the limits, as the end of a sentence.
Result<SoundInfo> read_sound_info(std::string_view bytes);

}  // namespace perigee
