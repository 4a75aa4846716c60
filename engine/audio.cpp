// How requests of one frame melt together and how odd values are put right.
#include "engine/audio.h"

#include <algorithm>
#include <cmath>

namespace perigee {

namespace {

float in_range(float value, float low, float high, float if_nan) noexcept {
    return std::isnan(value) ? if_nan : std::clamp(value, low, high);
}

constexpr float kLongestFadeSeconds = 60.0F;

}  // namespace

void AudioQueue::play(SoundRequest request) {
    if (request.sound == 0) return;
    request.volume = in_range(request.volume, 0.0F, 1.0F, 1.0F);
    request.pan = in_range(request.pan, -1.0F, 1.0F, 0.0F);
    request.pitch = in_range(request.pitch, 0.25F, 4.0F, 1.0F);

    const auto same = std::ranges::find(sounds_, request.sound, &SoundRequest::sound);
    if (same != sounds_.end()) {
        if (request.volume > same->volume) *same = request;
        return;
    }
    if (sounds_.size() < kMaxSoundsPerFrame) {
        sounds_.push_back(request);
        return;
    }
    ++dropped_;
    const auto quietest = std::ranges::min_element(sounds_, {}, &SoundRequest::volume);
    if (request.volume > quietest->volume) *quietest = request;
}

void AudioQueue::play_music(std::uint32_t music, float volume, bool loop, float fade_seconds) {
    music_ = {music, in_range(volume, 0.0F, 1.0F, 1.0F), loop,
              in_range(fade_seconds, 0.0F, kLongestFadeSeconds, 0.0F), music_.generation + 1};
}

void AudioQueue::stop_music(float fade_seconds) { play_music(0, 1.0F, false, fade_seconds); }

void AudioQueue::set_music_volume(float volume) { music_.volume = in_range(volume, 0.0F, 1.0F, 1.0F); }

void AudioQueue::set_master_volume(float volume) { master_volume_ = in_range(volume, 0.0F, 1.0F, 1.0F); }

void AudioQueue::begin_frame() noexcept {
    sounds_.clear();
    dropped_ = 0;
}

void AudioQueue::reset() noexcept {
    begin_frame();
    // The generation goes on counting: a back end must notice that the music changed.
    music_ = {.generation = music_.generation + 1};
    master_volume_ = 1.0F;
}

}  // namespace perigee
