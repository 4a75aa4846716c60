// Backend: a window with its graphics, sound and input, as one object for the program.
//
//   open -> per frame: poll, draw, play, present -> destroyed
//
// Invariant: whatever happens to window, sound or gamepads after open(), calls stay valid and the game
// continues; take_reports() returns each problem once. It decides nothing about the game, and exposes no SDL
// type.
#pragma once

#include "ecs/base/result.h"
#include "engine/assets/assets.h"
#include "engine/assets/image_table.h"
#include "engine/audio/audio.h"
#include "engine/draw/draw_list.h"
#include "engine/input/clipboard.h"
#include "engine/input/input.h"
#include "engine/modules/app_requests.h"
#include "engine/sdl/window/events.h"
#include "engine/sdl/window/letterbox.h"
#include "engine/surfaces/surface_table.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace perigee {

class Decoder;

class Backend {
public:
    enum class Display { window, fullscreen, hidden };
    /// automatic: OpenGL if there is a suitable one, else what SDL has; hidden: the software renderer.
    /// none: there is no window and nothing is drawn.
    enum class Drawing { automatic, gl, software, none };

    struct Desc {
        std::string title = "perigee";
        PixelSize logical{1280, 720};  ///< the game's drawing area
        ScreenFit fit = ScreenFit::letterbox;
        bool is_pixel_art = false;
        PixelSize window = {};  ///< its size when it opens; empty: `logical`, or a multiple for pixel art
        Display display = Display::window;
        Drawing drawing = Drawing::automatic;
        bool is_muted = false;
        /// The game has files to decode: the decoder starts while the window opens.
        bool has_assets = true;
        /// The decoder program; empty: the default of engine/assets/decoder.h.
        std::filesystem::path decoder = {};
    };

    /// True if a window can be opened.
    static bool has_display();

    /// Errors: no display (not when hidden), no renderer, no OpenGL although it is required.
    static Result<std::unique_ptr<Backend>> open(const Desc& desc);
    ~Backend();
    Backend(const Backend&) = delete;
    Backend& operator=(const Backend&) = delete;

    /// Adds the player's input since the last call to `raw`. Also switches full screen.
    HostRequests poll(RawInput& raw);

    /// The size that the screen has in the window as it is now: a screen that expands grows with it.
    ScreenSize screen_size() const noexcept;

    /// `screen`: the size of this frame; one that screen_size() is not, as in a replay, keeps its shape.
    /// Empty: screen_size().
    void begin_frame(std::uint32_t background, ScreenSize screen = {});
    /// Called after begin_frame, before the lists that show surfaces.
    void draw_surfaces(SurfaceTable& surfaces, const ImageTable& images, const AssetStore& assets);
    void draw(const DrawList& list, const ImageTable& images, const AssetStore& assets);
    /// Ends the picture of the game, as in DrawTarget; present() does it too.
    void end_picture();
    /// Draw calls since begin_frame.
    std::size_t call_count() const noexcept;
    /// Bytes passed to the graphics card; see DrawTarget.
    std::size_t uploaded_bytes() const noexcept;
    /// Saves the drawing since begin_frame as a PNG. Errors: it cannot be written; this back end does not
    /// draw.
    Result<void> save_screenshot(const std::filesystem::path& file);
    /// Writes the files that scripts asked for with gfx.screenshot. Expects: the picture is drawn. Failures
    /// are among take_reports().
    void save_pictures(SurfaceTable& surfaces);
    /// Waits until drawing is finished, if the system supports that; otherwise drawing is asynchronous.
    void flush();
    /// Shows the picture; waits for the display.
    void present();

    void play(const AudioQueue& queue, const AssetStore& assets);
    void set_sound_paused(bool is_paused) noexcept;

    /// Starts the programs and opens the devices that a run may need: for a run that loses the right to do it
    /// later.
    void open_everything();

    /// Called when another session begins: handles refer to other assets, and files are read again.
    void reload(const std::string& title, const ScreenDesc& screen);

    /// Applies the scripts' window requests. Without a window only the screen changes; a hidden one takes
    /// only the title too.
    void apply(const WindowRequest& request);
    bool is_fullscreen() const noexcept;

    /// Without a window it is empty and ignores writes. Lifetime: the back end's.
    Clipboard& clipboard() noexcept;
    /// For GameConfig::decoder, so that a run has one. It starts when it is first needed, if it has not.
    Decoder& decoder() noexcept;

    std::vector<std::string> take_reports();

private:
    struct Parts;
    explicit Backend(std::unique_ptr<Parts> parts);

    std::unique_ptr<Parts> parts_;
};

}  // namespace perigee
