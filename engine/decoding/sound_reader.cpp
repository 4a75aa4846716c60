// WAV by hand; Vorbis by libvorbisfile. The stream that it gets cannot seek, so it reads packet by packet.
#include "engine/decoding/sound_reader.h"

#include <vorbis/vorbisfile.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace perigee::decoding {

struct SoundReader::Vorbis {
    std::string_view left;
    OggVorbis_File file{};
    bool is_open = false;

    ~Vorbis() {
        if (is_open) ov_clear(&file);
    }

    static std::size_t take(void* to, std::size_t size, std::size_t count, void* self) {
        auto& vorbis = *static_cast<Vorbis*>(self);
        const std::size_t bytes = std::min(size * count, vorbis.left.size());
        if (bytes > 0) std::memcpy(to, vorbis.left.data(), bytes);
        vorbis.left.remove_prefix(bytes);
        return size == 0 ? 0 : bytes / size;
    }
};

namespace {

std::int16_t sample_at(const char* at, SoundInfo::Samples samples) {
    const auto byte = [at](int i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(at[i])); };
    const auto word = [&byte](int low) { return static_cast<std::int16_t>(byte(low) | byte(low + 1) << 8U); };
    switch (samples) {
        case SoundInfo::Samples::u8:
            return static_cast<std::int16_t>((static_cast<int>(byte(0)) - 128) * 256);
        case SoundInfo::Samples::s16:
            return word(0);
        case SoundInfo::Samples::s24:
            return word(1);
        case SoundInfo::Samples::s32:
            return word(2);
        case SoundInfo::Samples::f32:
            break;
    }
    const float value =
        std::bit_cast<float>(byte(0) | byte(1) << 8U | byte(2) << 16U | byte(3) << 24U) * 32767.0F;
    // The comparison is false for NaN.
    return value >= -32768.0F ? static_cast<std::int16_t>(std::min(value, 32767.0F))
                              : static_cast<std::int16_t>(value < 0.0F ? -32768 : 0);
}

}  // namespace

SoundReader::SoundReader(std::string_view file) : file_(file) {
    const Result<SoundInfo> info = read_sound_info(file);
    is_damaged_ = !info;
    if (is_damaged_) return;
    info_ = info.value();
    if (info_.format == SoundInfo::Format::wav) return;
    vorbis_ = std::make_unique<Vorbis>();
    vorbis_->left = file;
    const ov_callbacks callbacks{Vorbis::take, nullptr, nullptr, nullptr};
    vorbis_->is_open = ov_open_callbacks(vorbis_.get(), &vorbis_->file, nullptr, 0, callbacks) == 0;
    is_damaged_ = !vorbis_->is_open;
}

SoundReader::~SoundReader() = default;

std::size_t SoundReader::read(std::span<std::int16_t> samples) {
    ECS_EXPECTS(samples.size() >= kMaxSoundChannels, samples.size());
    if (is_damaged_) return 0;
    return vorbis_ ? read_vorbis(samples) : read_wav(samples);
}

std::size_t SoundReader::read_wav(std::span<std::int16_t> samples) {
    const std::uint64_t frames =
        std::min<std::uint64_t>(samples.size() / info_.channels, info_.frames - next_frame_);
    const std::size_t step = sample_bytes(info_.samples);
    const std::size_t count = frames * info_.channels;
    const char* at = file_.data() + info_.data_at + next_frame_ * info_.channels * step;
    for (std::size_t i = 0; i < count; ++i, at += step) samples[i] = sample_at(at, info_.samples);
    next_frame_ += frames;
    return count;
}

std::size_t SoundReader::read_vorbis(std::span<std::int16_t> samples) {
    constexpr int kLittleEndian = 0, kBytesOfSample = 2, kIsSigned = 1;
    for (;;) {
        int section = 0;
        const long bytes = ov_read(&vorbis_->file, reinterpret_cast<char*>(samples.data()),
                                   static_cast<int>(samples.size_bytes()), kLittleEndian, kBytesOfSample,
                                   kIsSigned, &section);
        if (bytes == OV_HOLE) continue;  // something was skipped; each time the file has become shorter
        if (bytes == 0) return 0;
        // A file may be several streams in sequence, each of a different format.
        const vorbis_info* now = bytes > 0 ? ov_info(&vorbis_->file, -1) : nullptr;
        if (now == nullptr || now->channels != static_cast<int>(info_.channels) ||
            now->rate != static_cast<long>(info_.rate)) {
            is_damaged_ = true;
            return 0;
        }
        return static_cast<std::size_t>(bytes) / sizeof(std::int16_t);
    }
}

}  // namespace perigee::decoding
