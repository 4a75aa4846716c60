// The C++ side of the Lua module "save": a mod's own player data, within its limits.
//
// Invariant: results depend only on the recorded answers of the player data and on the mod's own actions, so
// limits apply at the same place in a replay. A file is read once per session and then cached: the mod does
// not see later changes by other programs. The Lua side interprets the bytes
// (scripts/runtime/modules/save.lua). Not here: worlds that are saved and loaded (world_saves.h).
#pragma once

#include "engine/save/player_data.h"
#include "scripting/base/native_module.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace perigee {

/// Bytes of all files of a mod, unless granted more.
inline constexpr std::uint64_t kSaveBytesOfMod = std::uint64_t{8} << 20U;
/// Writes allowed at once. After them one per kStepsPerSaveWrite steps, since each write waits for the disk.
inline constexpr std::uint64_t kSaveWriteBurst = 10;
inline constexpr std::uint64_t kStepsPerSaveWrite = 30;

class WorldSaves;

/// One per mod. Lifetime: must outlive the mod's Lua state.
struct SaveContext {
    PlayerData& data;
    std::string place;
    const std::uint64_t& steps;  ///< of the session since its start
    std::uint64_t max_bytes = kSaveBytesOfMod;
    WorldSaves* worlds = nullptr;  ///< null: the mod may not save and load worlds

    struct Known {
        std::uint64_t bytes = 0;
        std::optional<PlayerData::Content> content{};  ///< none: not read yet
    };
    bool is_listed = false;
    std::map<std::string, Known, std::less<>> files{};
    std::uint64_t cached_bytes = 0;
    std::uint64_t busy_until = 0;   ///< in steps: the cost of the writes so far, kStepsPerSaveWrite each
    PlayerData::Content content{};  ///< of the last read
    std::string error{};

    // False with `error` set.
    bool fail(std::string message);
    /// Reads which files exist, once.
    bool list_files();
    /// Expects: list_files().
    bool has_room(std::string_view name, std::uint64_t bytes);
    /// Whether the mod may make the disk work now; counts it.
    bool may_work();
};

NativeModule save_module(SaveContext& context);

}  // namespace perigee
