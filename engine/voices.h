// Voices: which of the sounds that play gives way when all voices are busy.
//
// Invariant: a sound is never kept out by one that matters less: by its priority, then by its volume, then by
// its age. Mods together hold at most half of the voices that the game wants. It plays nothing; a back end
// tells it what has ended.
#pragma once

#include "engine/audio.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace perigee {

class Voices {
public:
    static constexpr std::size_t kCount = 32;
    static constexpr std::size_t kMostOfMods = kCount / 2;

    /// The voice for this sound, which is its own from now on: a free one, else that of the sound which
    /// matters least, the oldest of equals. None when all others matter more.
    /// `owner`: 0 the game, others mods.
    std::optional<std::size_t> take(const SoundRequest& request, std::size_t owner) noexcept;

    /// The sound has ended.
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
