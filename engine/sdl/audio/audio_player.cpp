// SDL_mixer: voices are its channels; pitch, which it lacks, is a resampled copy that is cached.
#include "engine/sdl/audio/audio_player.h"

#include "engine/sdl/window/error_codes.h"
#include "engine/sdl/window/internal/quiet_libraries.h"

#include <SDL_mixer.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace perigee {

namespace {

constexpr int kRate = 44100;
constexpr int kDeviceChannels = 2;
constexpr int kBufferFrames = 1024;  // 23 ms
constexpr int kPitchStepsPerOctave = 24;

int pitch_step_of(float pitch) noexcept {
    return static_cast<int>(std::lround(std::log2(pitch) * kPitchStepsPerOctave));
}

int mixer_volume(float volume) noexcept {
    return static_cast<int>(std::lround(std::clamp(volume, 0.0F, 1.0F) * MIX_MAX_VOLUME));
}

// SDL_mixer owns and frees the copy that it allocates for an empty sound.
Mix_Chunk* chunk_with(const std::uint8_t* bytes, std::size_t size) {
    auto* copy = static_cast<std::uint8_t*>(SDL_malloc(size));
    if (copy == nullptr) return nullptr;
    std::memcpy(copy, bytes, size);
    Mix_Chunk* chunk = Mix_QuickLoad_RAW(copy, static_cast<std::uint32_t>(size));
    if (chunk != nullptr)
        chunk->allocated = 1;
    else
        SDL_free(copy);
    return chunk;
}

// Converts samples from one layout to another. Null: no samples, or no memory.
Mix_Chunk* converted(const std::uint8_t* samples, std::size_t bytes, const MixFormat& from,
                     const MixFormat& to) {
    SDL_AudioCVT convert{};
    if (bytes == 0 ||
        SDL_BuildAudioCVT(&convert, from.format, static_cast<std::uint8_t>(from.channels), from.rate,
                          to.format, static_cast<std::uint8_t>(to.channels), to.rate) < 0)
        return nullptr;
    if (convert.needed == 0) return chunk_with(samples, bytes);
    convert.len = static_cast<int>(bytes);
    std::vector<std::uint8_t> buffer(bytes * static_cast<std::size_t>(std::max(convert.len_mult, 1)));
    std::memcpy(buffer.data(), samples, bytes);
    convert.buf = buffer.data();
    if (SDL_ConvertAudio(&convert) != 0 || convert.len_cvt <= 0) return nullptr;
    return chunk_with(buffer.data(), static_cast<std::size_t>(convert.len_cvt));
}

// The same sound, faster and higher or slower and lower: read as if it had been sampled at another rate.
Mix_Chunk* resampled(const Mix_Chunk& chunk, int pitch_step, const MixFormat& format) {
    const double pitch = std::exp2(static_cast<double>(pitch_step) / kPitchStepsPerOctave);
    MixFormat from = format;
    from.rate = static_cast<int>(std::lround(format.rate * pitch));
    return converted(chunk.abuf, chunk.alen, from, format);
}

}  // namespace

void AudioPlayer::ChunkCloser::operator()(Mix_Chunk* chunk) const noexcept { Mix_FreeChunk(chunk); }

AudioPlayer::AudioPlayer(Decoder& decoder) : decoder_(decoder) {
    const QuietLibraries quiet;
    subsystem_.emplace(SDL_INIT_AUDIO);
    is_open_ = *subsystem_ && Mix_OpenAudio(kRate, MIX_DEFAULT_FORMAT, kDeviceChannels, kBufferFrames) == 0;
    if (!is_open_) {
        reports_.push_back(fmt::format(sdl_errors::kNoAudio, SDL_GetError()));
        return;
    }
    Mix_AllocateChannels(kVoices);
    Mix_QuerySpec(&format_.rate, &format_.format, &format_.channels);
    music_.emplace(decoder_, format_);
}

AudioPlayer::~AudioPlayer() {
    if (!is_open_) return;
    reload();
    music_.reset();
    Mix_CloseAudio();
}

void AudioPlayer::reload() noexcept {
    if (!is_open_) return;
    Mix_HaltChannel(-1);
    voices_.free_all();
    music_->stop(0.0F);
    chunks_.clear();
    sound_bytes_.clear();
    playing_ = {};
}

void AudioPlayer::set_paused(bool is_paused) noexcept {
    if (!is_open_) return;
    if (is_paused) {
        Mix_Pause(-1);
    } else {
        Mix_Resume(-1);
    }
    music_->set_paused(is_paused);
}

void AudioPlayer::play(const AudioQueue& queue, const AssetStore& assets) {
    if (!is_open_) return;
    for (int channel = 0; channel < kVoices; ++channel)
        if (Mix_Playing(channel) == 0) voices_.free(static_cast<std::size_t>(channel));
    for (std::size_t i = 0; i < queue.sounds().size(); ++i)
        start(queue.sounds()[i], queue.owners()[i], queue.master_volume(), assets);
    follow(queue.music(), queue.master_volume(), assets);
}

void AudioPlayer::start(const SoundRequest& request, std::size_t owner, float master_volume,
                        const AssetStore& assets) {
    Mix_Chunk* chunk = chunk_of(request.sound, pitch_step_of(request.pitch), assets);
    if (chunk == nullptr) return;
    const std::optional<std::size_t> voice = voices_.take(request, owner);
    if (!voice) return;
    // What plays there ends.
    const int channel = Mix_PlayChannel(static_cast<int>(*voice), chunk, 0);
    if (channel < 0) return;
    Mix_Volume(channel, mixer_volume(request.volume * master_volume));
    const auto side = [&](float towards) {
        return static_cast<std::uint8_t>(
            std::lround(255.0F * std::clamp(1.0F + towards * request.pan, 0.0F, 1.0F)));
    };
    Mix_SetPanning(channel, side(-1.0F), side(1.0F));
}

Mix_Chunk* AudioPlayer::chunk_of(AssetHandle sound, int pitch_step, const AssetStore& assets) {
    const auto [at, is_new] = chunks_.try_emplace({sound, pitch_step});
    if (!is_new) return at->second.get();
    if (pitch_step != 0) {
        if (const Mix_Chunk* original = chunk_of(sound, 0, assets))
            at->second = counted(ChunkHandle{resampled(*original, pitch_step, format_)}, assets[sound].mount);
        return at->second.get();
    }
    if (!assets.is_handle(sound) || assets[sound].is_missing) return nullptr;  // the store reports it
    Result<ChunkHandle> loaded = load(sound, assets);
    if (!loaded) {
        reports_.push_back(fmt::format(sdl_errors::kNoSound, assets.name_of(sound), loaded.error().message));
        return nullptr;
    }
    at->second = std::move(loaded).value();
    return at->second.get();
}

// Null when it is too much with all others of its owner.
AudioPlayer::ChunkHandle AudioPlayer::counted(ChunkHandle chunk, MountId owner) {
    return chunk && sound_bytes_.take(owner, chunk->alen) ? std::move(chunk) : nullptr;
}

Result<AudioPlayer::ChunkHandle> AudioPlayer::load(AssetHandle sound, const AssetStore& assets) {
    const Result<std::string> file = assets.read(sound);
    if (!file) return file.error();
    const Result<SoundInfo> info = read_sound_info(file.value());
    if (!info) return info.error();
    const double bytes = info.value().seconds() * format_.rate * format_.channels * 2;
    sound_bytes_.set_members(assets.mount_count());
    const MountId owner = assets[sound].mount;
    if (bytes > static_cast<double>(sound_bytes_.room(owner))) return Error{sdl_errors::kTooManySounds};
    const Result<DecodedBytes> samples = decoder_.sound(file.value(), info.value());
    if (!samples) return samples.error();
    return chunk_from(info.value(), samples.value(), owner);
}

Result<AudioPlayer::ChunkHandle> AudioPlayer::chunk_from(const SoundInfo& info, const DecodedBytes& samples,
                                                         MountId owner) {
    const MixFormat from{static_cast<int>(info.rate), AUDIO_S16SYS, static_cast<int>(info.channels)};
    ChunkHandle chunk = counted(ChunkHandle{converted(samples.data(), samples.size(), from, format_)}, owner);
    if (!chunk) return Error{sdl_errors::kTooManySounds};
    return chunk;
}

void AudioPlayer::follow(const MusicState& wanted, float master_volume, const AssetStore& assets) {
    music_->set_volume(std::clamp(wanted.volume * master_volume, 0.0F, 1.0F));
    if (const Result<void> goes_on = music_->update(); !goes_on)
        report_music(playing_.music, assets, goes_on.error().message);
    if (wanted.generation == playing_.generation && wanted.music == playing_.music) return;
    if (wanted.music == 0) {
        music_->stop(wanted.fade_seconds);
    } else if (const Result<void> started = start_music(wanted, assets); !started) {
        report_music(wanted.music, assets, started.error().message);
    }
    playing_ = wanted;
}

void AudioPlayer::report_music(AssetHandle music, const AssetStore& assets, const std::string& why) {
    reports_.push_back(fmt::format(sdl_errors::kNoMusic, assets.name_of(music), why));
}

Result<void> AudioPlayer::start_music(const MusicState& wanted, const AssetStore& assets) {
    music_->stop(0.0F);
    if (!assets.is_handle(wanted.music) || assets[wanted.music].is_missing) return {};
    Result<std::string> file = assets.read(wanted.music);
    if (!file) return file.error();
    const Result<SoundInfo> info = read_sound_info(file.value());
    if (!info) return info.error();
    return music_->start(std::move(file).value(), info.value(), wanted.loop, wanted.fade_seconds);
}

}  // namespace perigee
