// AppRequests: requests of scripts to the host program: to end the run, and to change the window.
//
// Invariant: nothing here reaches the world. Requests are kept until the program takes them, so scripts run
// the same with and without a window. Systems of several mods may call it at the same time. Not here:
// carrying out requests (engine/sdl).
#pragma once

#include "engine/base/screen.h"

#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace perigee {

/// Unset members change nothing.
struct WindowRequest {
    std::optional<std::string> title{};
    struct Size {
        int width;
        int height;
    };
    std::optional<Size> size{};  ///< of a windowed window, in the display's units
    std::optional<bool> is_fullscreen{};
    bool toggles_fullscreen = false;  ///< after is_fullscreen
    std::optional<bool> shows_cursor{};
    std::optional<ScreenFit> fit{};
    std::optional<bool> is_pixel_art{};

    bool is_empty() const noexcept {
        return !title && !size && !is_fullscreen && !toggles_fullscreen && !shows_cursor && !fit &&
               !is_pixel_art;
    }
};

class AppRequests {
public:
    /// `from_presentation`: requested by code that runs once per frame, which a replay does not repeat.
    void quit(bool from_presentation) {
        const std::scoped_lock lock(mutex_);
        (from_presentation ? presentation_quits_ : simulation_quits_) = true;
    }
    bool simulation_quits() const {
        const std::scoped_lock lock(mutex_);
        return simulation_quits_;
    }
    bool presentation_quits() const {
        const std::scoped_lock lock(mutex_);
        return presentation_quits_;
    }

    /// Calls `change` with the pending request.
    template <typename Change> void request_window(Change change) {
        const std::scoped_lock lock(mutex_);
        change(window_request_);
        if (window_request_.title) title_ = *window_request_.title;
        if (window_request_.fit) fit_ = *window_request_.fit;
        if (window_request_.is_pixel_art) is_pixel_art_ = *window_request_.is_pixel_art;
    }
    /// The window requests of scripts since the last call.
    WindowRequest take_window_request() {
        const std::scoped_lock lock(mutex_);
        return std::exchange(window_request_, {});
    }
    /// The last requested title; none: the game's own.
    std::optional<std::string> title() const {
        const std::scoped_lock lock(mutex_);
        return title_;
    }

    /// The last requested ones; none: as in mod.json.
    std::optional<ScreenFit> fit() const {
        const std::scoped_lock lock(mutex_);
        return fit_;
    }
    std::optional<bool> is_pixel_art() const {
        const std::scoped_lock lock(mutex_);
        return is_pixel_art_;
    }

    /// The window's state, as last reported by the program; false without a window.
    bool is_fullscreen() const {
        const std::scoped_lock lock(mutex_);
        return is_fullscreen_;
    }
    void report_fullscreen(bool is_fullscreen) {
        const std::scoped_lock lock(mutex_);
        is_fullscreen_ = is_fullscreen;
    }

private:
    mutable std::mutex mutex_;
    WindowRequest window_request_;
    std::optional<std::string> title_;
    std::optional<ScreenFit> fit_;
    std::optional<bool> is_pixel_art_;
    bool simulation_quits_ = false;
    bool presentation_quits_ = false;
    bool is_fullscreen_ = false;
};

}  // namespace perigee
