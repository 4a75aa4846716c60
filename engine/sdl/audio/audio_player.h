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
#include "engine/sdl/audio/music_player.h"
#include "engine/sdl/window/internal/sdl_handle.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

struct Mix_Chunk;

namespace perigee {

class AudioPlayer {
public:
    static constexpr int kVoices = Voices::kCount;  ///< simultaneous sounds; Voices chooses the one to
                                                    ///< replace

    /// Limit for all decoded sounds together, including pitched copies. Divided between the game and its mods
    /// by the owner of the file.
    static constexpr std::size_t kMaxSoundBytes = std::size_t{256} << 20U;

    /// Opens the default device, if there is one. Lifetime: the decoder must outlive the player.
    explicit AudioPlayer(Decoder& decoder);
    ~AudioPlayer();
    AudioPlayer(const AudioPlayer&) = delete;
    AudioPlayer& operator=(const AudioPlayer&) = delete;

    bool has_device() const noexcept { return is_open_; }
    bool is_music_playing() const noexcept { return music_ && music_->is_playing(); }

    /// Starts the requested sounds and brings the music to the requested state. Call once per frame.
    void play(const AudioQueue& queue, const AssetStore& assets);

    /// Pauses or resumes everything.
    void set_paused(bool is_paused) noexcept;

    /// Stops everything and drops all files, because asset handles are about to change.
    void reload() noexcept;

    std::vector<std::string> take_reports() { return std::exchange(reports_, {}); }

private:
    struct ChunkCloser {
        void operator()(Mix_Chunk* chunk) const noexcept;
    };
    using ChunkHandle = std::unique_ptr<Mix_Chunk, ChunkCloser>;

    void start(const SoundRequest& request, std::size_t owner, float master_volume, const AssetStore& assets);
    void follow(const MusicState& wanted, float master_volume, const AssetStore& assets);
    Result<void> start_music(const MusicState& wanted, const AssetStore& assets);
    void report_music(AssetHandle music, const AssetStore& assets, const std::string& why);
    Mix_Chunk* chunk_of(AssetHandle sound, int pitch_step, const AssetStore& assets);
    Result<ChunkHandle> load(AssetHandle sound, const AssetStore& assets);
    Result<ChunkHandle> chunk_from(const SoundInfo& info, const DecodedBytes& samples, MountId owner);
    ChunkHandle counted(ChunkHandle chunk, MountId owner);

    Decoder& decoder_;
    std::optional<Subsystem> subsystem_;
    bool is_open_ = false;
    MixFormat format_;
    DividedPool sound_bytes_{kMaxSoundBytes};
    std::map<std::pair<AssetHandle, int>, ChunkHandle> chunks_;  // by sound and pitch; null: cannot be played
    Voices voices_;                                              // channels of SDL_mixer
    std::optional<MusicPlayer> music_;                           // while the device is open
    MusicState playing_;
    std::vector<std::string> reports_;
};

}  // namespace perigee
