// What the Lua module "save" is made of: a mod's own player data, within its limits.
//
// Invariant: what is answered follows from the player data's answers, which are recorded, and from what the
// mod did; so limits strike at the same place in a replay. A file is asked for once in a session and known
// from then on: others may change it meanwhile, and the mod does not see it. What the bytes mean is the Lua
// side's affair (scripts/runtime/save.lua).
#pragma once

#include "engine/player_data.h"
#include "scripting/native_module.h"

#include <cstdint>
#include <map>
#include <string>

namespace perigee {

inline constexpr std::uint64_t kSaveBytesOfMod = std::uint64_t{8}
                                                 << 20U;  ///< of all files of a mod, unless granted more
inline constexpr std::uint64_t kSaveWritesAtOnce = 10;
inline constexpr std::uint64_t kStepsPerSaveWrite = 30;  ///< after that many at once: each waits for the disk

/// One per mod. Lifetime: longer than the mod's Lua state.
struct SaveContext {
    PlayerData& data;
    std::string place;
    const std::uint64_t& tick;  ///< of the session
    std::uint64_t most_bytes = kSaveBytesOfMod;

    struct Known {
        std::uint64_t bytes = 0;
        std::optional<PlayerData::Content> content{};  ///< none: not asked for yet
    };
    bool is_listed = false;
    std::map<std::string, Known, std::less<>> files{};
    std::uint64_t cached_bytes = 0;
    std::uint64_t busy_until = 0;   ///< in steps: what was written so far, at one each kStepsPerSaveWrite
    PlayerData::Content content{};  ///< of the last read
    std::string error{};
};

NativeModule save_module(SaveContext& context);

}  // namespace perigee
