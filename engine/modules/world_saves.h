// WorldSaves: the worlds that a game saves and loads by name. Requests of scripts wait for the end of the
// step.
//
// Invariant: what happens to a request depends only on the recorded answers of the player data and on the
// world, so a replay loads the same worlds; it makes no saves. A failed load leaves the world as it was. The
// files are those of PlayerData, in a place of their own. Not here: the bytes of a world
// (ecs/save/save_file.h).
#pragma once

#include "ecs/base/result.h"
#include "engine/modules/save_module.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace perigee {

/// Bytes of all saved worlds of a game.
inline constexpr std::uint64_t kWorldBytesOfGame = std::uint64_t{256} << 20U;

struct WorldRequest {
    bool is_load = false;
    std::string name;
};

struct WorldResult {
    WorldRequest request;
    std::string error;         ///< empty: done
    bool is_previous = false;  ///< the newest version is damaged or gone, and the one before it was loaded
};

class WorldSaves {
public:
    static constexpr std::size_t kMaxResults = 16;  ///< that wait to be taken; older ones are dropped

    /// `place`: that of the game's other files. Lifetime: `data` and `steps` must outlive it.
    WorldSaves(PlayerData& data, std::string_view place, const std::uint64_t& steps)
        : files_{data, world_place(place), steps, kWorldBytesOfGame} {}

    SaveContext& files() noexcept { return files_; }

    /// Notes the request for the end of the step.
    void ask(WorldRequest request) { requests_.push_back(std::move(request)); }
    bool has_requests() const noexcept { return !requests_.empty(); }

    /// Carries out all requests in their order. `save` makes the bytes of the world, `load` makes it the
    /// world of these bytes. Returns the results, which take_result returns too.
    std::vector<WorldResult> carry_out(const PlayerData::Make& save,
                                       const std::function<Result<void>(std::string_view bytes)>& load);

    /// Makes the oldest result the current one. False, and nothing is changed, when there is none.
    bool take_result();
    const WorldResult& result() const noexcept { return result_; }

private:
    Result<void> save_as(const std::string& name, const PlayerData::Make& save);
    Result<void> load_from(WorldResult& result,
                           const std::function<Result<void>(std::string_view bytes)>& load);

    SaveContext files_;
    std::vector<WorldRequest> requests_;
    std::deque<WorldResult> results_;
    WorldResult result_;
};

}  // namespace perigee
