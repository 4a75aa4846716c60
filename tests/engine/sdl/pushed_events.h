// A player's actions as events in SDL's queue, for tests of code above the back end.
#pragma once

#include "engine/sdl/window/internal/sdl_handle.h"

namespace perigee::test {

inline void push_quit() {
    SDL_Event event{};
    event.type = SDL_QUIT;
    SDL_PushEvent(&event);
}

inline void push_key(SDL_Scancode scancode, SDL_Keycode sym, unsigned modifiers = 0) {
    SDL_Event event{};
    event.type = SDL_KEYDOWN;
    event.key.state = SDL_PRESSED;
    event.key.keysym.scancode = scancode;
    event.key.keysym.sym = sym;
    event.key.keysym.mod = static_cast<std::uint16_t>(modifiers);
    SDL_PushEvent(&event);
}

inline void push_held(SDL_Scancode scancode) {
    SDL_Event event{};
    event.type = SDL_KEYDOWN;
    event.key.state = SDL_PRESSED;
    event.key.repeat = 1;
    event.key.keysym.scancode = scancode;
    SDL_PushEvent(&event);
}

/// Expects: at most 31 bytes, as SDL gives them.
inline void push_text(const char* text) {
    SDL_Event event{};
    event.type = SDL_TEXTINPUT;
    SDL_strlcpy(event.text.text, text, sizeof event.text.text);
    SDL_PushEvent(&event);
}

inline void push_f2() { push_key(SDL_SCANCODE_F2, SDLK_F2); }
inline void push_ctrl_v() { push_key(SDL_SCANCODE_V, SDLK_v, KMOD_LCTRL); }
inline void push_ctrl_r() { push_key(SDL_SCANCODE_R, SDLK_r, KMOD_LCTRL); }
inline void push_pause() { push_key(SDL_SCANCODE_PAUSE, SDLK_PAUSE); }
inline void push_f3() { push_key(SDL_SCANCODE_F3, SDLK_F3); }

inline void push_focus(bool is_gained) {
    SDL_Event event{};
    event.type = SDL_WINDOWEVENT;
    event.window.event = is_gained ? SDL_WINDOWEVENT_FOCUS_GAINED : SDL_WINDOWEVENT_FOCUS_LOST;
    SDL_PushEvent(&event);
}

}  // namespace perigee::test
