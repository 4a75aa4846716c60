// SDL's two functions.
#include "engine/sdl/window/sdl_clipboard.h"

#include <SDL.h>

#include <memory>

namespace perigee {

namespace {

struct SdlFree {
    void operator()(char* text) const noexcept { SDL_free(text); }
};

bool has_video() noexcept { return SDL_WasInit(SDL_INIT_VIDEO) != 0; }

}  // namespace

std::string SdlClipboard::read() {
    if (!has_video()) return {};
    const std::unique_ptr<char, SdlFree> text{SDL_GetClipboardText()};
    return text ? std::string{text.get()} : std::string{};
}

void SdlClipboard::write(const std::string& text) {
    if (has_video()) SDL_SetClipboardText(text.c_str());
}

}  // namespace perigee
