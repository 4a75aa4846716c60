// RIFF chunks up to the samples; the first page of an OGG and the position on its last one.
#include "engine/assets/sound_info.h"

#include "engine/base/error_codes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace perigee {

namespace {

namespace e = engine_errors;

std::uint64_t number(std::string_view bytes, std::size_t at, std::size_t size) noexcept {
    std::uint64_t value = 0;
    for (std::size_t i = size; i-- > 0;) value = value << 8U | static_cast<unsigned char>(bytes[at + i]);
    return value;
}

Result<SoundInfo> within_limits(const SoundInfo& info) {
    if (info.rate < kMinSoundRate || info.rate > kMaxSoundRate)
        return Error{fmt::format(e::kSoundRate, info.rate, kMinSoundRate, kMaxSoundRate)};
    if (info.channels == 0 || info.channels > kMaxSoundChannels)
        return Error{fmt::format(e::kSoundChannels, info.channels, kMaxSoundChannels)};
    if (info.frames == 0) return Error{e::kSoundEmpty};
    return info;
}

// ---- WAV ----

constexpr std::uint64_t kPcm = 1;
constexpr std::uint64_t kFloat = 3;
constexpr std::uint64_t kExtensible = 0xFFFE;  // the actual format is in a later field
constexpr std::size_t kFormatBytes = 16;
constexpr std::size_t kExtendedFormatBytes = 40;

std::optional<SoundInfo::Samples> samples_of(std::uint64_t encoding, std::uint64_t bits) {
    using Samples = SoundInfo::Samples;
    if (encoding == kFloat && bits == 32) return Samples::f32;
    if (encoding != kPcm) return std::nullopt;
    switch (bits) {
        case 8:
            return Samples::u8;
        case 16:
            return Samples::s16;
        case 24:
            return Samples::s24;
        case 32:
            return Samples::s32;
        default:
            return std::nullopt;
    }
}

Result<SoundInfo> wav_info(std::string_view bytes) {
    SoundInfo info;
    bool has_format = false;
    for (std::size_t at = 12; bytes.size() - at >= 8;) {
        const std::string_view name = bytes.substr(at, 4);
        const std::uint64_t said = number(bytes, at + 4, 4);
        at += 8;
        // Programs that stream a recording leave a wrong length, so the actual data counts.
        const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(said, bytes.size() - at));
        if (name == "fmt ") {
            if (size < kFormatBytes) return Error{e::kSoundDamaged};
            std::uint64_t encoding = number(bytes, at, 2);
            if (encoding == kExtensible && size >= kExtendedFormatBytes) encoding = number(bytes, at + 24, 2);
            const std::uint64_t bits = number(bytes, at + 14, 2);
            const std::optional<SoundInfo::Samples> samples = samples_of(encoding, bits);
            if (!samples) return Error{fmt::format(e::kSoundEncoding, encoding, bits)};
            info.samples = *samples;
            info.channels = static_cast<std::uint32_t>(number(bytes, at + 2, 2));
            info.rate = static_cast<std::uint32_t>(number(bytes, at + 4, 4));
            has_format = true;
        } else if (name == "data") {
            if (!has_format) return Error{e::kSoundDamaged};
            info.data_at = at;
            info.frames = info.channels == 0 ? 0 : size / (sample_bytes(info.samples) * info.channels);
            return within_limits(info);
        }
        at += std::min(size + size % 2, bytes.size() - at);
    }
    return Error{e::kSoundDamaged};
}

// ---- OGG ----

constexpr std::size_t kPageBytes = 27;        // header of a page, before its segment table
constexpr std::size_t kIdentityBytes = 30;    // of the packet that opens a Vorbis stream
constexpr std::size_t kMaxPageBytes = 65307;  // of a whole page
constexpr std::string_view kPageMark = "OggS";
constexpr std::string_view kVorbisMark{"\1vorbis", 7};

Result<SoundInfo> ogg_info(std::string_view bytes) {
    SoundInfo info;
    info.format = SoundInfo::Format::ogg;
    if (bytes.size() < kPageBytes) return Error{e::kSoundDamaged};
    const std::size_t packet = kPageBytes + static_cast<unsigned char>(bytes[26]);
    if (bytes.size() < packet + kIdentityBytes) return Error{e::kSoundDamaged};
    if (bytes.substr(packet, kVorbisMark.size()) != kVorbisMark) return Error{e::kSoundNoVorbis};
    info.channels = static_cast<unsigned char>(bytes[packet + 11]);
    info.rate = static_cast<std::uint32_t>(number(bytes, packet + 12, 4));
    const std::string_view last = bytes.substr(bytes.size() - std::min(bytes.size(), kMaxPageBytes));
    const std::size_t page = last.rfind(kPageMark);
    if (page == last.npos || last.size() - page < kPageBytes) return Error{e::kSoundDamaged};
    info.frames = number(last, page + 6, 8);
    if (info.frames >> 63U != 0) return Error{e::kSoundDamaged};  // -1: no packet ends on it
    return within_limits(info);
}

}  // namespace

std::size_t sample_bytes(SoundInfo::Samples samples) noexcept {
    constexpr std::array<std::size_t, 5> kBytes = {1, 2, 3, 4, 4};
    return kBytes[static_cast<std::size_t>(samples)];
}

Result<SoundInfo> read_sound_info(std::string_view bytes) {
    if (bytes.size() >= 12 && bytes.starts_with("RIFF") && bytes.substr(8, 4) == "WAVE")
        return wav_info(bytes);
    if (bytes.starts_with(kPageMark)) return ogg_info(bytes);
    return Error{e::kSoundUnknown};
}

}  // namespace perigee
