// AudioPlayer: plays an AudioQueue.
//
// Invariant: sound never stops a game. Without a device, or for a broken file or too many voices, it is
// silent and reports it once; the simulation is never affected. Sounds are WAV or OGG Vorbis
// (engine/assets/sound_info.h), decoded once, at their first use, in a separate process
// (engine/assets/decoder.h); music is streamed.
#pragma once

#include "ecs/base/divided_pool.h"
#include "engine/assets/assets.h"
#include "engine/assets/decoder.h"
#include "engine/audio/audio.h"
#include "engine/audio/voices.h"
#include "engine/sdl/audio/mixer.h"
#include "engine/sdl/audio/music_player.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace perigee {

class AudioPlayer {
public:
    /// Simultaneous sounds; Voices chooses the one to replace.
    static constexpr std::size_t kVoices = Voices::kCount;

    /// Limit for all decoded sounds together, including pitched copies. Divided between the game and its mods
    /// by the owner of the file.
    static constexpr std::size_t kMaxSoundBytes = std::size_t{256} << 20U;

    /// Opens the default device, if there is one. Lifetime: the decoder must outlive the player.
    explicit AudioPlayer(Decoder& decoder);

    bool has_device() const noexcept { return mixer_.is_open(); }
    bool is_music_playing() const noexcept { return music_.is_playing(); }
    const Mixer& mixer() const noexcept { return mixer_; }

    /// Starts the requested sounds and brings the music to the requested state. Call once per frame.
    void play(const AudioQueue& queue, const AssetStore& assets);

    /// Pauses or resumes everything.
    void set_paused(bool is_paused) noexcept { mixer_.set_paused(is_paused); }

    /// Stops everything and drops all files, because asset handles are about to change.
    void reload() noexcept;

    std::vector<std::string> take_reports() { return std::exchange(reports_, {}); }

private:
    // As a Mixer plays them. Null: cannot be played.
    using Samples = std::unique_ptr<const std::vector<std::int16_t>>;

    void start(const SoundRequest& request, std::size_t owner, float master_volume, const AssetStore& assets);
    void follow(const MusicState& wanted, float master_volume, const AssetStore& assets);
    Result<void> start_music(const MusicState& wanted, const AssetStore& assets);
    void report_music(AssetHandle music, const AssetStore& assets, const std::string& why);
    const std::vector<std::int16_t>* samples_of(AssetHandle sound, int pitch_step, const AssetStore& assets);
    Result<Samples> load(AssetHandle sound, const AssetStore& assets);
    Samples counted(std::vector<std::int16_t> samples, MountId owner);

    Decoder& decoder_;
    DividedPool sound_bytes_{kMaxSoundBytes};
    std::map<std::pair<AssetHandle, int>, Samples> samples_;  // by sound and pitch
    Voices voices_;                                           // those of the mixer
    MusicPlayer music_;
    Mixer mixer_;  // plays the music and the samples, so it ends before them
    MusicState playing_;
    std::vector<std::string> reports_;
};

}  // namespace perigee
