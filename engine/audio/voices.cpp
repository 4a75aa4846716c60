// A walk over all voices for each sound: there are few of both.
#include "engine/audio/voices.h"

#include <algorithm>

namespace perigee {

bool Voices::may_yield(const Voice& voice, const SoundRequest& request, std::size_t owner,
                       std::size_t of_mods) const noexcept {
    const bool is_of_mod = voice.owner != 0;
    if (owner == 0 && is_of_mod && of_mods > kMaxOfMods) return true;
    if (owner != 0 && !is_of_mod && of_mods >= kMaxOfMods) return false;
    return !is_more_important(voice.sound, request);
}

std::optional<std::size_t> Voices::take(const SoundRequest& request, std::size_t owner) noexcept {
    const auto of_mods = static_cast<std::size_t>(
        std::ranges::count_if(voices_, [](const Voice& voice) { return voice.is_busy && voice.owner != 0; }));
    std::size_t chosen = kCount;
    for (std::size_t i = 0; i < kCount; ++i) {
        const Voice& voice = voices_[i];
        if (!voice.is_busy) {
            chosen = i;
            break;
        }
        if (!may_yield(voice, request, owner, of_mods)) continue;
        if (chosen == kCount || is_more_important(voices_[chosen].sound, voice.sound) ||
            (!is_more_important(voice.sound, voices_[chosen].sound) &&
             voice.started < voices_[chosen].started))
            chosen = i;
    }
    if (chosen == kCount) return std::nullopt;
    voices_[chosen] = {true, request, owner, ++started_};
    return chosen;
}

}  // namespace perigee
