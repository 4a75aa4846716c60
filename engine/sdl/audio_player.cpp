// SDL_mixer: voices are its channels; pitch, which it lacks, is a sound resampled once and kept.
#include "engine/sdl/audio_player.h"

#include "engine/sdl/error_codes.h"
#include "engine/sdl/internal/quiet_libraries.h"

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

// The same sound, faster and higher or slower and lower: read as if it had been sampled at another rate.
Mix_Chunk* resampled(const Mix_Chunk& chunk, int pitch_step) {
    int rate = 0;
    int channels = 0;
    std::uint16_t format = 0;
    Mix_QuerySpec(&rate, &format, &channels);
    const double pitch = std::exp2(static_cast<double>(pitch_step) / kPitchStepsPerOctave);
    SDL_AudioCVT convert{};
    if (SDL_BuildAudioCVT(&convert, format, static_cast<std::uint8_t>(channels),
                          static_cast<int>(std::lround(rate * pitch)), format,
                          static_cast<std::uint8_t>(channels), rate) < 0)
        return nullptr;
    convert.len = static_cast<int>(chunk.alen);
    std::vector<std::uint8_t> buffer(chunk.alen * static_cast<std::size_t>(std::max(convert.len_mult, 1)));
    std::memcpy(buffer.data(), chunk.abuf, chunk.alen);
    convert.buf = buffer.data();
    if (convert.needed == 0) return chunk_with(buffer.data(), chunk.alen);
    if (SDL_ConvertAudio(&convert) != 0) return nullptr;
    return chunk_with(buffer.data(), static_cast<std::size_t>(convert.len_cvt));
}

}  // namespace

void AudioPlayer::ChunkCloser::operator()(Mix_Chunk* chunk) const noexcept { Mix_FreeChunk(chunk); }

void AudioPlayer::MusicCloser::operator()(_Mix_Music* music) const noexcept {
    Mix_HaltMusic();  // freeing a piece that fades out would wait for its end
    Mix_FreeMusic(music);
}

AudioPlayer::AudioPlayer() {
    const QuietLibraries quiet;
    subsystem_.emplace(SDL_INIT_AUDIO);
    is_open_ = *subsystem_ && Mix_OpenAudio(kRate, MIX_DEFAULT_FORMAT, kDeviceChannels, kBufferFrames) == 0;
    if (is_open_)
        Mix_AllocateChannels(kVoices);
    else
        reports_.push_back(fmt::format(sdl_errors::kNoAudio, SDL_GetError()));
}

AudioPlayer::~AudioPlayer() {
    if (!is_open_) return;
    reload();
    Mix_CloseAudio();
}

void AudioPlayer::reload() noexcept {
    if (!is_open_) return;
    Mix_HaltChannel(-1);
    music_.reset();
    chunks_.clear();
    playing_ = {};
}

void AudioPlayer::set_paused(bool is_paused) noexcept {
    if (!is_open_) return;
    if (is_paused) {
        Mix_Pause(-1);
        Mix_PauseMusic();
    } else {
        Mix_Resume(-1);
        Mix_ResumeMusic();
    }
}

void AudioPlayer::play(const AudioQueue& queue, const AssetStore& assets) {
    if (!is_open_) return;
    for (const SoundRequest& request : queue.sounds()) start(request, queue.master_volume(), assets);
    follow(queue.music(), queue.master_volume(), assets);
}

void AudioPlayer::start(const SoundRequest& request, float master_volume, const AssetStore& assets) {
    Mix_Chunk* chunk = chunk_of(request.sound, pitch_step_of(request.pitch), assets);
    if (chunk == nullptr) return;
    const int channel = Mix_PlayChannel(-1, chunk, 0);
    if (channel < 0) return;  // all voices are busy
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
    if (pitch_step == 0) {
        at->second = load(sound, assets);
    } else if (const Mix_Chunk* original = chunk_of(sound, 0, assets)) {
        at->second.reset(resampled(*original, pitch_step));
    }
    return at->second.get();
}

AudioPlayer::ChunkHandle AudioPlayer::load(AssetHandle sound, const AssetStore& assets) {
    if (!assets.is_handle(sound) || assets[sound].is_missing) return nullptr;  // the store reports it
    const Result<std::string> bytes = assets.read(sound);
    ChunkHandle chunk;
    if (bytes) {
        // Closed here: SDL_mixer 2.6 forgets a stream that is no sound.
        const StreamHandle stream{
            SDL_RWFromConstMem(bytes.value().data(), static_cast<int>(bytes.value().size()))};
        chunk.reset(Mix_LoadWAV_RW(stream.get(), 0));
    }
    if (!chunk)
        reports_.push_back(fmt::format(sdl_errors::kNoSound, assets.name_of(sound),
                                       bytes ? SDL_GetError() : bytes.error().message));
    return chunk;
}

void AudioPlayer::follow(const MusicState& wanted, float master_volume, const AssetStore& assets) {
    Mix_VolumeMusic(mixer_volume(wanted.volume * master_volume));
    if (wanted.generation == playing_.generation && wanted.music == playing_.music) return;
    if (wanted.music != 0)
        start_music(wanted, assets);
    else if (wanted.fade_seconds > 0.0F && Mix_PlayingMusic() != 0)
        Mix_FadeOutMusic(static_cast<int>(wanted.fade_seconds * 1000.0F));
    else
        music_.reset();
    playing_ = wanted;
}

void AudioPlayer::start_music(const MusicState& wanted, const AssetStore& assets) {
    music_.reset();
    if (!assets.is_handle(wanted.music) || assets[wanted.music].is_missing) return;
    Result<std::string> bytes = assets.read(wanted.music);
    if (bytes) {
        music_bytes_ = std::move(bytes).value();
        music_stream_.reset(SDL_RWFromConstMem(music_bytes_.data(), static_cast<int>(music_bytes_.size())));
        music_.reset(Mix_LoadMUS_RW(music_stream_.get(), 0));
    }
    const int fade = static_cast<int>(wanted.fade_seconds * 1000.0F);
    if (!music_ || Mix_FadeInMusic(music_.get(), wanted.loop ? -1 : 1, fade) != 0)
        reports_.push_back(fmt::format(sdl_errors::kNoMusic, assets.name_of(wanted.music),
                                       bytes ? SDL_GetError() : bytes.error().message));
}

}  // namespace perigee
