// Merges the requests of one frame and clamps values.
#include "engine/audio/audio.h"

#include <algorithm>
#include <cmath>

namespace perigee {

namespace {

float in_range(float value, float low, float high, float if_nan) noexcept {
    return std::isnan(value) ? if_nan : std::clamp(value, low, high);
}

constexpr float kMaxFadeSeconds = 60.0F;

}  // namespace

// True if a sound of `owner` may replace sound `of`.
bool AudioQueue::may_replace(std::size_t of, std::size_t owner, bool is_preferred) const noexcept {
    const auto count = [this](std::size_t who) {
        return static_cast<std::size_t>(std::ranges::count(owners_, who));
    };
    if (owner != 0 && count(owner) >= kMaxSoundsOfMod) return owners_[of] == owner && is_preferred;
    if (owner == 0 && owners_[of] != 0 && count(0) < kMaxSoundsPerFrame / 2) return true;
    if (owner != 0 && owners_[of] == 0 && count(0) <= kMaxSoundsPerFrame / 2) return false;
    return is_preferred;
}

void AudioQueue::play(SoundRequest request, std::size_t owner) {
    if (request.sound == 0) return;
    request.volume = in_range(request.volume, 0.0F, 1.0F, 1.0F);
    request.pan = in_range(request.pan, -1.0F, 1.0F, 0.0F);
    request.pitch = in_range(request.pitch, 0.25F, 4.0F, 1.0F);
    request.priority = std::clamp<std::int8_t>(request.priority, -kMaxSoundPriority, kMaxSoundPriority);

    const auto same = std::ranges::find(sounds_, request.sound, &SoundRequest::sound);
    if (same != sounds_.end()) {
        request.priority = std::max(request.priority, same->priority);
        if (request.volume > same->volume)
            *same = request;
        else
            same->priority = request.priority;
        return;
    }
    const bool is_within_part =
        owner == 0 || static_cast<std::size_t>(std::ranges::count(owners_, owner)) < kMaxSoundsOfMod;
    if (sounds_.size() < kMaxSoundsPerFrame && is_within_part) {
        sounds_.push_back(request);
        owners_.push_back(owner);
        return;
    }
    ++dropped_;
    // The least important of the sounds that it may replace.
    std::size_t place = sounds_.size();
    for (std::size_t i = 0; i < sounds_.size(); ++i) {
        if (!may_replace(i, owner, is_more_important(request, sounds_[i]))) continue;
        if (place == sounds_.size() || is_more_important(sounds_[place], sounds_[i])) place = i;
    }
    if (place == sounds_.size()) return;
    sounds_[place] = request;
    owners_[place] = owner;
}

void AudioQueue::play_music(std::uint32_t music, float volume, bool loop, float fade_seconds) {
    music_ = {music, in_range(volume, 0.0F, 1.0F, 1.0F), loop,
              in_range(fade_seconds, 0.0F, kMaxFadeSeconds, 0.0F), music_.generation + 1};
}

void AudioQueue::stop_music(float fade_seconds) { play_music(0, 1.0F, false, fade_seconds); }

void AudioQueue::set_music_volume(float volume) { music_.volume = in_range(volume, 0.0F, 1.0F, 1.0F); }

void AudioQueue::set_master_volume(float volume) { master_volume_ = in_range(volume, 0.0F, 1.0F, 1.0F); }

void AudioQueue::begin_frame() noexcept {
    sounds_.clear();
    owners_.clear();
    dropped_ = 0;
}

void AudioQueue::reset() noexcept {
    begin_frame();
    // The generation keeps counting, so that a back end notices that the music changed.
    music_ = {.generation = music_.generation + 1};
    master_volume_ = 1.0F;
}

}  // namespace perigee
