// AudioQueue: sound and music requests, as plain data that a back end consumes once per frame.
//
// Invariant: a frame asks for at most kMaxSoundsPerFrame sounds, and for each sound file at most once: a
// hundred equal shots in one frame are one shot, as loud as the loudest of them. It plays nothing and knows
// no device. Audio never affects the simulation, so muted and headless games behave the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace perigee {

inline constexpr std::int8_t kMaxSoundPriority = 100;

/// One sound to start now; `sound` is its asset handle.
struct SoundRequest {
    std::uint32_t sound = 0;
    float volume = 1.0F;       ///< 0 .. 1
    float pan = 0.0F;          ///< -1 left .. 1 right
    float pitch = 1.0F;        ///< 0.25 .. 4, 2 = an octave higher
    std::int8_t priority = 0;  ///< up to kMaxSoundPriority, and down to its negative; higher is heard first

    friend bool operator==(const SoundRequest&, const SoundRequest&) = default;
};

/// Compares by priority, then by volume.
inline bool is_more_important(const SoundRequest& a, const SoundRequest& b) noexcept {
    return a.priority != b.priority ? a.priority > b.priority : a.volume > b.volume;
}

/// The desired state of the music; a back end compares it with what it plays.
struct MusicState {
    std::uint32_t music = 0;  ///< asset handle; 0 = silence
    float volume = 1.0F;
    bool loop = true;
    float fade_seconds = 0.0F;     ///< for the change to this state
    std::uint32_t generation = 0;  ///< grows with each play, so the same piece can be restarted

    friend bool operator==(const MusicState&, const MusicState&) = default;
};

class AudioQueue {
public:
    static constexpr std::size_t kMaxSoundsPerFrame = 16;
    static constexpr std::size_t kMaxSoundsOfMod = 4;

    /// Asks for a sound; values outside their range are clamped, NaN becomes the default.
    /// A sound beyond the frame's cap replaces the least important one if it is more important; otherwise it
    /// is dropped.
    /// `owner`: 0 is the game, others are mods with at most kMaxSoundsOfMod sounds each. The game can always
    /// use half of the cap.
    void play(SoundRequest request, std::size_t owner = 0);

    void play_music(std::uint32_t music, float volume, bool loop, float fade_seconds);
    void stop_music(float fade_seconds);
    void set_music_volume(float volume);  ///< 0 .. 1

    /// Master volume, 0 .. 1; stays until set again.
    void set_master_volume(float volume);

    /// Sounds requested since begin_frame, in order of their first request.
    std::span<const SoundRequest> sounds() const noexcept { return sounds_; }
    /// The owner of each of these sounds.
    std::span<const std::size_t> owners() const noexcept { return owners_; }
    const MusicState& music() const noexcept { return music_; }
    float master_volume() const noexcept { return master_volume_; }
    std::size_t dropped() const noexcept { return dropped_; }

    /// Drops the sounds; music and volume stay.
    void begin_frame() noexcept;
    /// Drops everything: a game starts in silence.
    void reset() noexcept;

private:
    bool may_replace(std::size_t of, std::size_t owner, bool is_preferred) const noexcept;

    std::vector<SoundRequest> sounds_;
    std::vector<std::size_t> owners_;  ///< by sound
    MusicState music_;
    float master_volume_ = 1.0F;
    std::size_t dropped_ = 0;
};

}  // namespace perigee
