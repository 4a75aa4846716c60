// Mixer: the audio device, the sounds that play on it, and the music under them.
//
// Invariant: the device's thread never waits for a file or for the game, only for the few instructions that
// change a voice. Sums are floats, so 32 loud voices clip at the end and nowhere before. Samples belong to
// the caller. Not here: which sound gets a voice (engine/audio/voices.h), pitch and decoding
// (audio_player.h).
#pragma once

#include "engine/audio/voices.h"
#include "engine/sdl/window/internal/sdl_handle.h"

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace perigee {

/// Adds its samples to those of the device, from the device's thread.
class MixSource {
public:
    MixSource() = default;
    virtual ~MixSource() = default;
    MixSource(const MixSource&) = delete;
    MixSource& operator=(const MixSource&) = delete;

    /// Shape: frames of Mixer::kChannels samples, 1 is the loudest.
    virtual void mix_into(std::span<float> out) = 0;
};

/// How loud a sound is on each side, from 0 to 1.
struct MixGain {
    float left = 1.0F;
    float right = 1.0F;
    friend bool operator==(const MixGain&, const MixGain&) = default;
};

class Mixer {
public:
    static constexpr int kRate = 44100;
    static constexpr int kChannels = 2;
    static constexpr int kBufferFrames = 1024;  ///< 23 ms

    Mixer() = default;
    ~Mixer() { close(); }
    Mixer(const Mixer&) = delete;
    Mixer& operator=(const Mixer&) = delete;

    /// Opens the default device. False: SDL_GetError() says why there is none. Lifetime: `music` until
    /// close().
    bool open(MixSource& music);
    void close() noexcept;
    bool is_open() const noexcept { return device_ != 0; }

    /// Plays samples once, instead of what the voice plays. Shape: as a device of kRate has them, kChannels
    /// in turn. Lifetime: until they have ended or the voice plays others. Expects: voice < Voices::kCount.
    void play(std::size_t voice, std::span<const std::int16_t> samples, MixGain gain) noexcept;
    /// Which voices are playing, by number.
    std::bitset<Voices::kCount> playing() const noexcept;
    bool is_playing(std::size_t voice) const noexcept { return playing()[voice]; }
    std::size_t playing_count() const noexcept { return playing().count(); }
    void stop_all() noexcept;

    /// Pauses everything; it goes on later where it stopped.
    void set_paused(bool is_paused) noexcept;

    /// Mixes the music and all voices, as the device asks for them. Expects: whole frames. Without a device,
    /// any thread may call it.
    void mix_into(std::span<float> out) noexcept;

    struct Voice {
        std::span<const std::int16_t> samples;  ///< that are still to be played
        MixGain gain;
    };
    /// Expects: voice < Voices::kCount.
    Voice voice(std::size_t voice) const noexcept;

private:
    class Lock;

    std::optional<Subsystem> subsystem_;
    std::uint32_t device_ = 0;
    MixSource* music_ = nullptr;
    std::array<Voice, Voices::kCount> voices_{};
};

}  // namespace perigee
