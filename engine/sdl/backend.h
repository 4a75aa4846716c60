// Backend: a window, its picture, its sound and its input, as the one thing that a program drives.
//
//   open -> per frame: poll, draw, play, present -> destroyed
//
// Invariant: whatever happens to window, sound or gamepads after open(), calls stay valid and the game goes
// on; what went wrong is in take_reports(), once. It decides nothing about the game, and shows no SDL type.
#pragma once

#include "ecs/result.h"
#include "engine/app_requests.h"
#include "engine/assets.h"
#include "engine/audio.h"
#include "engine/clipboard.h"
#include "engine/draw_list.h"
#include "engine/image_table.h"
#include "engine/input.h"
#include "engine/sdl/events.h"
#include "engine/sdl/letterbox.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace perigee {

class Backend {
public:
    enum class Display { window, fullscreen, hidden };
    /// none: nothing is drawn at all, and there is no window.
    enum class Drawing { automatic, software, none };

    struct Desc {
        std::string title = "perigee";
        PixelSize logical{1280, 720};  ///< what the game draws on
        Display display = Display::window;
        Drawing drawing = Drawing::automatic;
        bool is_muted = false;
        std::filesystem::path decoder = {};  ///< the program; empty: engine/decoder.h says which
    };

    /// Whether a window can be opened here.
    static bool has_display();

    /// Errors: no display (not when hidden), no renderer.
    static Result<std::unique_ptr<Backend>> open(const Desc& desc);
    ~Backend();
    Backend(const Backend&) = delete;
    Backend& operator=(const Backend&) = delete;

    /// Adds to `raw` what the player did since the last call. Full screen is switched here.
    HostRequests poll(RawInput& raw);

    void begin_picture(std::uint32_t background);
    void draw(const DrawList& list, const ImageTable& images, const AssetStore& assets);
    /// Draw calls since begin_picture.
    std::size_t call_count() const noexcept;
    /// What was drawn since begin_picture, as a PNG. Errors: it cannot be written; nothing is drawn here.
    Result<void> save_screenshot(const std::filesystem::path& file);
    /// Waits until what was drawn is drawn, as far as this machine does it: drawing is put off otherwise.
    void flush();
    /// Shows the picture; waits for the display.
    void present();

    void play(const AudioQueue& queue, const AssetStore& assets);
    void set_sound_paused(bool is_paused) noexcept;

    /// Another session begins: handles mean other assets, and files are read again.
    void reload(const std::string& title, PixelSize logical);

    /// What scripts asked of the window. Nothing without one; a hidden one takes the title only.
    void obey(const WindowWishes& wishes);
    bool is_fullscreen() const noexcept;

    /// Empty without a window, and takes nothing. Lifetime: the back end's.
    Clipboard& clipboard() noexcept;

    std::vector<std::string> take_reports();

private:
    struct Parts;
    explicit Backend(std::unique_ptr<Parts> parts);

    std::unique_ptr<Parts> parts_;
};

}  // namespace perigee
