// Voices: chooses the playing sound to replace when all voices are busy.
//
// Invariant: a sound is never rejected in favour of a less important one: by priority, then volume, then age.
// Mods together use at most half of the voices if the game needs the others. It plays nothing; a back end
// reports the sounds that have ended.
#pragma once

#include "engine/audio/audio.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace perigee {

class Voices {
public:
    static constexpr std::size_t kCount = 32;
    static constexpr std::size_t kMaxOfMods = kCount / 2;

    /// Assigns a voice to this sound: a free one, else that of the least important sound, the oldest of
    /// equals. None if all playing sounds are more important.
    /// `owner`: 0 the game, others mods.
    std::optional<std::size_t> take(const SoundRequest& request, std::size_t owner) noexcept;

    /// Frees the voice of a sound that has ended.
    void free(std::size_t voice) noexcept { voices_[voice].is_busy = false; }
    void free_all() noexcept { voices_ = {}; }

private:
    struct Voice {
        bool is_busy = false;
        SoundRequest sound;
        std::size_t owner = 0;
        std::uint64_t started = 0;
    };
    bool may_yield(const Voice& voice, const SoundRequest& request, std::size_t owner,
                   std::size_t of_mods) const noexcept;

    std::array<Voice, kCount> voices_{};
    std::uint64_t started_ = 0;
};

}  // namespace perigee
