// Pitch is a resampled copy of the sound that is cached.
#include "engine/sdl/audio/audio_player.h"

#include "engine/sdl/window/error_codes.h"

#include <SDL.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace perigee {

namespace {

constexpr int kPitchStepsPerOctave = 24;

int pitch_step_of(float pitch) noexcept {
    return static_cast<int>(std::lround(std::log2(pitch) * kPitchStepsPerOctave));
}

// 16-bit samples in the mixer's format. Empty if there are none, or no memory.
std::vector<std::int16_t> converted(std::span<const std::uint8_t> samples, int channels, int rate) {
    SDL_AudioCVT convert{};
    if (samples.empty() || SDL_BuildAudioCVT(&convert, AUDIO_S16SYS, static_cast<std::uint8_t>(channels),
                                             rate, AUDIO_S16SYS, Mixer::kChannels, Mixer::kRate) < 0)
        return {};
    const auto length_factor = static_cast<std::size_t>(std::max(convert.len_mult, 1));
    std::vector<std::int16_t> buffer((samples.size() * length_factor + 1) / sizeof(std::int16_t));
    std::memcpy(buffer.data(), samples.data(), samples.size());
    std::size_t bytes = samples.size();
    if (convert.needed != 0) {
        convert.len = static_cast<int>(samples.size());
        convert.buf = reinterpret_cast<std::uint8_t*>(buffer.data());
        if (SDL_ConvertAudio(&convert) != 0 || convert.len_cvt <= 0) return {};
        bytes = static_cast<std::size_t>(convert.len_cvt);
    }
    constexpr std::size_t kFrame = Mixer::kChannels * sizeof(std::int16_t);
    buffer.resize(bytes / kFrame * Mixer::kChannels);
    buffer.shrink_to_fit();
    return buffer;
}

// The sound at another pitch and speed: read as if it had been sampled at another rate.
std::vector<std::int16_t> resampled(std::span<const std::int16_t> samples, int pitch_step) {
    const double pitch = std::exp2(static_cast<double>(pitch_step) / kPitchStepsPerOctave);
    return converted({reinterpret_cast<const std::uint8_t*>(samples.data()), samples.size_bytes()},
                     Mixer::kChannels, static_cast<int>(std::lround(Mixer::kRate * pitch)));
}

}  // namespace

AudioPlayer::AudioPlayer(Decoder& decoder) : decoder_(decoder), music_(decoder) {
    if (!mixer_.open(music_)) reports_.push_back(fmt::format(sdl_errors::kNoAudio, SDL_GetError()));
}

void AudioPlayer::reload() noexcept {
    mixer_.stop_all();
    voices_.free_all();
    music_.stop(0.0F);
    samples_.clear();
    sound_bytes_.clear();
    playing_ = {};
}

void AudioPlayer::play(const AudioQueue& queue, const AssetStore& assets) {
    if (!has_device()) return;
    const auto playing = mixer_.playing();
    for (std::size_t voice = 0; voice < playing.size(); ++voice)
        if (!playing[voice]) voices_.free(voice);
    for (std::size_t i = 0; i < queue.sounds().size(); ++i)
        start(queue.sounds()[i], queue.owners()[i], queue.master_volume(), assets);
    follow(queue.music(), queue.master_volume(), assets);
}

void AudioPlayer::start(const SoundRequest& request, std::size_t owner, float master_volume,
                        const AssetStore& assets) {
    const std::vector<std::int16_t>* const samples =
        samples_of(request.sound, pitch_step_of(request.pitch), assets);
    if (samples == nullptr) return;
    const std::optional<std::size_t> voice = voices_.take(request, owner);
    if (!voice) return;
    const float volume = std::clamp(request.volume * master_volume, 0.0F, 1.0F);
    // The voice's current sound ends.
    mixer_.play(*voice, *samples,
                {volume * std::clamp(1.0F - request.pan, 0.0F, 1.0F),
                 volume * std::clamp(1.0F + request.pan, 0.0F, 1.0F)});
}

const std::vector<std::int16_t>* AudioPlayer::samples_of(AssetHandle sound, int pitch_step,
                                                         const AssetStore& assets) {
    const auto [at, is_new] = samples_.try_emplace({sound, pitch_step});
    if (!is_new) return at->second.get();
    if (pitch_step != 0) {
        if (const std::vector<std::int16_t>* const original = samples_of(sound, 0, assets))
            at->second = counted(resampled(*original, pitch_step), assets[sound].mount);
        return at->second.get();
    }
    if (!assets.is_handle(sound) || assets[sound].is_missing) return nullptr;  // the store reports it
    Result<Samples> loaded = load(sound, assets);
    if (!loaded) {
        reports_.push_back(fmt::format(sdl_errors::kNoSound, assets.name_of(sound), loaded.error().message));
        return nullptr;
    }
    at->second = std::move(loaded).value();
    return at->second.get();
}

// Null if its owner's sounds would take too much memory together.
AudioPlayer::Samples AudioPlayer::counted(std::vector<std::int16_t> samples, MountId owner) {
    if (samples.empty() || !sound_bytes_.take(owner, samples.size() * sizeof(std::int16_t))) return nullptr;
    return std::make_unique<const std::vector<std::int16_t>>(std::move(samples));
}

Result<AudioPlayer::Samples> AudioPlayer::load(AssetHandle sound, const AssetStore& assets) {
    const Result<std::string> file = assets.read(sound);
    if (!file) return file.error();
    const Result<SoundInfo> info = read_sound_info(file.value());
    if (!info) return info.error();
    const double bytes = info.value().seconds() * Mixer::kRate * Mixer::kChannels * sizeof(std::int16_t);
    sound_bytes_.set_members(assets.mount_count());
    const MountId owner = assets[sound].mount;
    if (bytes > static_cast<double>(sound_bytes_.room(owner))) return Error{sdl_errors::kTooManySounds};
    const Result<DecodedBytes> decoded = decoder_.sound(file.value(), info.value());
    if (!decoded) return decoded.error();
    Samples samples =
        counted(converted({decoded.value().data(), decoded.value().size()},
                          static_cast<int>(info.value().channels), static_cast<int>(info.value().rate)),
                owner);
    if (!samples) return Error{sdl_errors::kTooManySounds};
    return samples;
}

void AudioPlayer::follow(const MusicState& wanted, float master_volume, const AssetStore& assets) {
    music_.set_volume(std::clamp(wanted.volume * master_volume, 0.0F, 1.0F));
    if (const Result<void> goes_on = music_.update(); !goes_on)
        report_music(playing_.music, assets, goes_on.error().message);
    if (wanted.generation == playing_.generation && wanted.music == playing_.music) return;
    if (wanted.music == 0) {
        music_.stop(wanted.fade_seconds);
    } else if (const Result<void> started = start_music(wanted, assets); !started) {
        report_music(wanted.music, assets, started.error().message);
    }
    playing_ = wanted;
}

void AudioPlayer::report_music(AssetHandle music, const AssetStore& assets, const std::string& why) {
    reports_.push_back(fmt::format(sdl_errors::kNoMusic, assets.name_of(music), why));
}

Result<void> AudioPlayer::start_music(const MusicState& wanted, const AssetStore& assets) {
    music_.stop(0.0F);
    if (!assets.is_handle(wanted.music) || assets[wanted.music].is_missing) return {};
    Result<std::string> file = assets.read(wanted.music);
    if (!file) return file.error();
    const Result<SoundInfo> info = read_sound_info(file.value());
    if (!info) return info.error();
    return music_.start(std::move(file).value(), info.value(), wanted.loop, wanted.fade_seconds);
}

}  // namespace perigee
