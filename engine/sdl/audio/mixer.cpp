// The device's own lock guards the voices: its thread holds it while it asks for samples.
#include "engine/sdl/audio/mixer.h"

#include "ecs/base/contract.h"
#include "engine/sdl/window/internal/quiet_libraries.h"

#include <SDL.h>

#include <algorithm>

namespace perigee {

class Mixer::Lock {
public:
    explicit Lock(const Mixer& mixer) noexcept : device_(mixer.device_) {
        if (device_ != 0) SDL_LockAudioDevice(device_);
    }
    ~Lock() {
        if (device_ != 0) SDL_UnlockAudioDevice(device_);
    }
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;

private:
    const SDL_AudioDeviceID device_;
};

bool Mixer::open(MixSource& music) {
    ECS_EXPECTS(!is_open());
    const QuietLibraries quiet;
    subsystem_.emplace(SDL_INIT_AUDIO);
    if (!*subsystem_) return false;
    SDL_AudioSpec wanted{};
    wanted.freq = kRate;
    wanted.format = AUDIO_F32SYS;
    wanted.channels = kChannels;
    wanted.samples = kBufferFrames;
    wanted.userdata = this;
    wanted.callback = [](void* self, std::uint8_t* bytes, int count) {
        static_cast<Mixer*>(self)->mix_into(
            {reinterpret_cast<float*>(bytes), static_cast<std::size_t>(count) / sizeof(float)});
    };
    music_ = &music;
    // No change is allowed: SDL converts for devices that want something else.
    device_ = SDL_OpenAudioDevice(nullptr, 0, &wanted, nullptr, 0);
    if (device_ == 0) return false;
    SDL_PauseAudioDevice(device_, 0);
    return true;
}

void Mixer::close() noexcept {
    if (device_ != 0) SDL_CloseAudioDevice(device_);
    device_ = 0;
    music_ = nullptr;
    voices_ = {};
    subsystem_.reset();
}

void Mixer::play(std::size_t voice, std::span<const std::int16_t> samples, MixGain gain) noexcept {
    ECS_EXPECTS(voice < voices_.size(), voice);
    const Lock lock(*this);
    voices_[voice] = {samples, gain};
}

std::bitset<Voices::kCount> Mixer::playing() const noexcept {
    const Lock lock(*this);
    std::bitset<Voices::kCount> playing;
    for (std::size_t voice = 0; voice < voices_.size(); ++voice)
        playing[voice] = !voices_[voice].samples.empty();
    return playing;
}

Mixer::Voice Mixer::voice(std::size_t voice) const noexcept {
    ECS_EXPECTS(voice < voices_.size(), voice);
    const Lock lock(*this);
    return voices_[voice];
}

void Mixer::stop_all() noexcept {
    const Lock lock(*this);
    voices_ = {};
}

void Mixer::set_paused(bool is_paused) noexcept {
    if (device_ != 0) SDL_PauseAudioDevice(device_, is_paused ? 1 : 0);
}

void Mixer::mix_into(std::span<float> out) noexcept {
    std::ranges::fill(out, 0.0F);
    if (music_ != nullptr) music_->mix_into(out);
    for (Voice& voice : voices_) {
        const std::size_t count = std::min(out.size(), voice.samples.size());
        const float left = voice.gain.left / 32768.0F, right = voice.gain.right / 32768.0F;
        for (std::size_t i = 0; i + 1 < count; i += kChannels) {
            out[i] += left * static_cast<float>(voice.samples[i]);
            out[i + 1] += right * static_cast<float>(voice.samples[i + 1]);
        }
        voice.samples = voice.samples.subspan(count);
    }
    for (float& sample : out) sample = std::clamp(sample, -1.0F, 1.0F);
}

}  // namespace perigee
