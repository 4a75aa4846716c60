// SDL's clipboard with the dummy driver.
#include "engine/sdl/window/sdl_clipboard.h"

#include "engine/sdl/window/internal/sdl_handle.h"

#include <catch2/catch.hpp>

using namespace perigee;

TEST_CASE("a clipboard returns what was written, and is empty without a display") {
    SdlClipboard clipboard;
    clipboard.write("lost");
    CHECK(clipboard.read().empty());
    const Subsystem video{SDL_INIT_VIDEO};
    clipboard.write("a\xC3\xB6\nb");
    CHECK(clipboard.read() == "a\xC3\xB6\nb");
}
