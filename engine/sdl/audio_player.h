// AudioPlayer: makes an AudioQueue heard.
//
// Invariant: sound never stops a game. No device, a broken file, or too many voices are silence, reported
// once; nothing comes back to the simulation. Files are decoded once, at their first use.
#pragma once

#include "engine/assets.h"
#include "engine/audio.h"
#include "engine/sdl/internal/sdl_handle.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

struct Mix_Chunk;
struct _Mix_Music;

namespace perigee {

class AudioPlayer {
public:
    static constexpr int kVoices = 32;  ///< sounds at once; one more is not started

    /// Opens the default device, if there is one.
    AudioPlayer();
    ~AudioPlayer();
    AudioPlayer(const AudioPlayer&) = delete;
    AudioPlayer& operator=(const AudioPlayer&) = delete;

    bool has_device() const noexcept { return is_open_; }

    /// Starts what the queue asks for and brings the music to the state it names. Once per frame.
    void play(const AudioQueue& queue, const AssetStore& assets);

    /// Holds everything where it is, and goes on.
    void set_paused(bool is_paused) noexcept;

    /// Silence, and all files forgotten: asset handles are about to mean something else.
    void reload() noexcept;

    std::vector<std::string> take_reports() { return std::exchange(reports_, {}); }

private:
    struct ChunkCloser {
        void operator()(Mix_Chunk* chunk) const noexcept;
    };
    struct MusicCloser {
        void operator()(_Mix_Music* music) const noexcept;
    };
    using ChunkHandle = std::unique_ptr<Mix_Chunk, ChunkCloser>;

    void start(const SoundRequest& request, float master_volume, const AssetStore& assets);
    void follow(const MusicState& wanted, float master_volume, const AssetStore& assets);
    void start_music(const MusicState& wanted, const AssetStore& assets);
    Mix_Chunk* chunk_of(AssetHandle sound, int pitch_step, const AssetStore& assets);
    ChunkHandle load(AssetHandle sound, const AssetStore& assets);

    std::optional<Subsystem> subsystem_;
    bool is_open_ = false;
    std::map<std::pair<AssetHandle, int>, ChunkHandle> chunks_;  // by sound and pitch; null: cannot be played
    // What SDL_mixer reads while the music plays; declared first, so that it ends last.
    std::string music_bytes_;
    StreamHandle music_stream_;
    std::unique_ptr<_Mix_Music, MusicCloser> music_;
    MusicState playing_;
    std::vector<std::string> reports_;
};

}  // namespace perigee
