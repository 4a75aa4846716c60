// MusicPlayer: one piece of music at a time, decoded as it is heard.
//
// Samples come from the decoder's process through a pipe (engine/decoder.h), so a piece of an hour takes as
// much memory as one of a minute. The thread that mixes sound takes what is there and never waits: what has
// not come in time is silence. A piece that loops has its next beginning ready before the end comes.
// Invariant: what a file does is music, silence, or one report; it never stops the game.
#pragma once

#include "engine/decoder.h"
#include "engine/sdl/internal/sdl_handle.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace perigee {

/// How samples are laid out where they are mixed: what Mix_QuerySpec says.
struct MixFormat {
    int rate = 0;
    std::uint16_t format = 0;
    int channels = 0;
};

class MusicPlayer {
public:
    /// Expects: an open device. Lifetime: the decoder outlives the player.
    MusicPlayer(Decoder& decoder, const MixFormat& format);
    ~MusicPlayer();
    MusicPlayer(const MusicPlayer&) = delete;
    MusicPlayer& operator=(const MusicPlayer&) = delete;

    /// Plays the sound that a file holds, in place of what is playing. Errors: as Decoder::stream.
    Result<void> start(std::string file, const SoundInfo& info, bool loops, float fade_seconds);
    /// Ends it, at once or over some seconds.
    void stop(float fade_seconds);
    void set_volume(float volume) noexcept { volume_ = volume; }
    void set_paused(bool is_paused) noexcept { is_paused_ = is_paused; }

    /// Gets the next beginning ready. Once per frame. Errors: the piece broke off; it is told once and ends.
    Result<void> update();

    bool is_playing() const noexcept { return is_playing_; }

private:
    using Converter = std::unique_ptr<SDL_AudioStream, SdlDeleter<SDL_FreeAudioStream>>;

    static void mix(void* self, std::uint8_t* out, int bytes);
    void mix_into(std::uint8_t* out, std::size_t bytes);
    void gather(std::size_t bytes);
    float next_gain(std::size_t bytes);

    Decoder& decoder_;
    MixFormat format_;
    std::string file_;
    bool loops_ = false;

    // What the thread that mixes uses too.
    std::mutex mutex_;
    std::optional<SoundStream> now_;
    std::optional<SoundStream> next_;
    Converter converter_;
    std::vector<std::uint8_t> mixed_;
    float gain_ = 1.0F;
    float gain_step_ = 0.0F;    // for each frame of sound
    bool has_sounded_ = false;  // in this pass
    std::atomic<float> volume_ = 1.0F;
    std::atomic<bool> is_paused_ = false;
    std::atomic<bool> is_playing_ = false;
    std::atomic<bool> is_broken_ = false;
};

}  // namespace perigee
