// FocusPause: a game without focus pauses, and resumes with the focus, unless the player paused it.
#pragma once

#include "engine/engine.h"
#include "engine/sdl/backend.h"

namespace perigee {

class FocusPause {
public:
    void follow(const HostRequests& host, Engine& engine) {
        if (host.lost_focus && !engine.is_paused()) {
            has_paused_ = true;
            engine.set_paused(true);
        } else if (host.gained_focus && has_paused_) {
            has_paused_ = false;
            engine.set_paused(false);
        }
    }

private:
    bool has_paused_ = false;
};

}  // namespace perigee
