// MusicPlayer: streams one piece of music at a time.
//
// Samples come from the decoder's process through a pipe (engine/assets/decoder.h), so a piece of an hour
// takes as much memory as one of a minute. The device's thread takes available samples and never waits: late
// samples become silence. A looping piece prepares its next pass before the end. Invariant: a file causes
// music, silence, or one report; it never stops the game.
#pragma once

#include "engine/assets/decoder.h"
#include "engine/sdl/audio/mixer.h"
#include "engine/sdl/window/internal/sdl_handle.h"

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace perigee {

class MusicPlayer : public MixSource {
public:
    /// Lifetime: the decoder must outlive the player.
    explicit MusicPlayer(Decoder& decoder) : decoder_(decoder) {}

    /// Plays the sound of a file instead of the current music. Errors: as Decoder::stream.
    Result<void> start(std::string file, const SoundInfo& info, bool loops, float fade_seconds);
    /// Stops the music, at once or with a fade.
    void stop(float fade_seconds);
    void set_volume(float volume) noexcept { volume_ = volume; }

    /// Prepares the next pass. Call once per frame. Errors: the stream broke off; it is reported once and the
    /// music ends.
    Result<void> update();

    bool is_playing() const noexcept { return is_playing_; }

    void mix_into(std::span<float> out) override;

private:
    using Converter = std::unique_ptr<SDL_AudioStream, SdlDeleter<SDL_FreeAudioStream>>;

    void gather(std::size_t bytes);
    float next_gain(std::size_t frames);

    Decoder& decoder_;
    std::string file_;
    bool loops_ = false;

    // Guards the data shared with the device's thread.
    std::mutex mutex_;
    std::optional<SoundStream> now_;
    std::optional<SoundStream> next_;
    Converter converter_;
    std::vector<float> samples_;  // scratch
    float gain_ = 1.0F;
    float gain_step_ = 0.0F;    // per sample frame
    bool has_sounded_ = false;  // in this pass
    std::atomic<float> volume_ = 1.0F;
    std::atomic<bool> is_playing_ = false;
    std::atomic<bool> is_broken_ = false;
};

}  // namespace perigee
