// Owning handles for SDL objects: each is freed once, by its library's function. They do not start or stop
// the libraries; the owner of a handle also keeps the subsystem (see Subsystem).
#pragma once

#include <SDL.h>

#include <cstdint>
#include <memory>

namespace perigee {

template <auto kFree> struct SdlDeleter {
    template <typename T> void operator()(T* object) const noexcept { kFree(object); }
};

using WindowHandle = std::unique_ptr<SDL_Window, SdlDeleter<SDL_DestroyWindow>>;
using RendererHandle = std::unique_ptr<SDL_Renderer, SdlDeleter<SDL_DestroyRenderer>>;
using TextureHandle = std::unique_ptr<SDL_Texture, SdlDeleter<SDL_DestroyTexture>>;
using SurfaceHandle = std::unique_ptr<SDL_Surface, SdlDeleter<SDL_FreeSurface>>;
using StreamHandle = std::unique_ptr<SDL_RWops, SdlDeleter<SDL_RWclose>>;
using ControllerHandle = std::unique_ptr<SDL_GameController, SdlDeleter<SDL_GameControllerClose>>;

using GlContextHandle = std::unique_ptr<void, SdlDeleter<SDL_GL_DeleteContext>>;

/// One use of SDL subsystems, which are reference-counted. Converts to false if they failed to start.
class Subsystem {
public:
    explicit Subsystem(std::uint32_t flags) noexcept : flags_(SDL_InitSubSystem(flags) == 0 ? flags : 0) {}
    ~Subsystem() {
        if (flags_ != 0) SDL_QuitSubSystem(flags_);
    }
    Subsystem(const Subsystem&) = delete;
    Subsystem& operator=(const Subsystem&) = delete;

    explicit operator bool() const noexcept { return flags_ != 0; }

private:
    std::uint32_t flags_;
};

}  // namespace perigee
