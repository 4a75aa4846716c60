// WindowFollower: keeps the back end in step with the game in everything but pictures and sounds: title,
// size, cursor, full screen, and whether sound pauses.
#pragma once

#include <cstdint>

namespace perigee {

class Backend;
class Engine;

class WindowFollower {
public:
    /// Expects: the back end was opened for the game that the engine runs now.
    explicit WindowFollower(Engine& engine);

    /// Called after each frame of the engine. Cost: none if nothing changed.
    void follow(Engine& engine, Backend& backend);

private:
    std::uint32_t session_;
    std::uint32_t assets_;
    bool is_paused_ = false;
};

}  // namespace perigee
