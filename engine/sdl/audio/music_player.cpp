// The decoded samples are converted to those of the device when it asks for them.
#include "engine/sdl/audio/music_player.h"

#include "engine/base/error_codes.h"

#include <algorithm>
#include <array>
#include <utility>

namespace perigee {

Result<void> MusicPlayer::start(std::string file, const SoundInfo& info, bool loops, float fade_seconds) {
    stop(0.0F);
    Result<SoundStream> stream = decoder_.stream(file, info);
    if (!stream) return stream.error();
    Converter converter{SDL_NewAudioStream(AUDIO_S16SYS, static_cast<std::uint8_t>(info.channels),
                                           static_cast<int>(info.rate), AUDIO_F32SYS, Mixer::kChannels,
                                           Mixer::kRate)};
    if (!converter) return Error{SDL_GetError()};
    file_ = std::move(file);
    loops_ = loops;
    const std::lock_guard lock{mutex_};
    now_ = std::move(stream).value();
    converter_ = std::move(converter);
    gain_ = fade_seconds > 0.0F ? 0.0F : 1.0F;
    gain_step_ = fade_seconds > 0.0F ? 1.0F / (fade_seconds * Mixer::kRate) : 0.0F;
    has_sounded_ = false;
    is_broken_ = false;
    is_playing_ = true;
    return {};
}

void MusicPlayer::stop(float fade_seconds) {
    const std::lock_guard lock{mutex_};
    if (fade_seconds > 0.0F && is_playing_) {
        gain_step_ = -1.0F / (fade_seconds * Mixer::kRate);
        return;
    }
    now_.reset();
    next_.reset();
    is_playing_ = false;
}

Result<void> MusicPlayer::update() {
    if (is_broken_.exchange(false)) return Error{engine_errors::kDecodingCrashed};
    if (!is_playing_ || !loops_) return {};
    SoundInfo info;
    {
        const std::lock_guard lock{mutex_};
        if (next_ || !now_) return {};
        info = now_->info();
    }
    Result<SoundStream> stream = decoder_.stream(file_, info);
    if (!stream) {
        loops_ = false;
        return stream.error();
    }
    const std::lock_guard lock{mutex_};
    next_ = std::move(stream).value();
    return {};
}

// ---- in the thread of the device ----

void MusicPlayer::mix_into(std::span<float> out) {
    if (!is_playing_) return;
    const std::lock_guard lock{mutex_};
    if (!now_) return;
    gather(out.size_bytes());
    samples_.resize(out.size());
    const int got = SDL_AudioStreamGet(converter_.get(), samples_.data(), static_cast<int>(out.size_bytes()));
    const float gain = next_gain(out.size() / Mixer::kChannels) * volume_;
    for (std::size_t i = 0; i < static_cast<std::size_t>(std::max(got, 0)) / sizeof(float); ++i)
        out[i] += gain * samples_[i];
    const bool is_silent = now_->state() != SoundStream::State::running && got <= 0;
    if (is_silent || (gain_step_ < 0.0F && gain_ <= 0.0F)) {
        now_.reset();
        next_.reset();
        is_playing_ = false;
    }
}

// Until there are enough samples, or no more are available.
void MusicPlayer::gather(std::size_t bytes) {
    std::array<std::int16_t, 4096> samples;
    while (SDL_AudioStreamAvailable(converter_.get()) < static_cast<int>(bytes)) {
        const std::size_t count = now_->read(samples);
        if (count > 0) {
            has_sounded_ = true;
            SDL_AudioStreamPut(converter_.get(), samples.data(), static_cast<int>(count * sizeof samples[0]));
        } else if (now_->state() == SoundStream::State::running) {
            return;
        } else {
            if (now_->state() == SoundStream::State::broken) is_broken_ = true;
            if (!next_ || is_broken_ || !has_sounded_) {
                SDL_AudioStreamFlush(converter_.get());
                return;
            }
            now_ = std::exchange(next_, std::nullopt);
            has_sounded_ = false;
        }
    }
}

float MusicPlayer::next_gain(std::size_t frames) {
    const float gain = gain_;
    gain_ = std::clamp(gain_ + gain_step_ * static_cast<float>(frames), 0.0F, 1.0F);
    return gain;
}

}  // namespace perigee
