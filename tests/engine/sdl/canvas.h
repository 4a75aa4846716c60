// A surface in memory that SDL draws into, and its pixels, without window and display.
#pragma once

#include "engine/draw/color.h"
#include "engine/sdl/window/internal/sdl_handle.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace perigee::test {

class Canvas {
public:
    Canvas(int width, int height)
        : surface_(SDL_CreateRGBSurfaceWithFormat(0, width, height, 32, SDL_PIXELFORMAT_RGBA32)),
          renderer_(SDL_CreateSoftwareRenderer(surface_.get())) {}

    SDL_Renderer& renderer() const noexcept { return *renderer_; }

    /// As a packed colour. Everything drawn so far is in it.
    PackedColor pixel(int x, int y) const {
        PackedColor color = 0;
        const SDL_Rect one{x, y, 1, 1};
        SDL_RenderReadPixels(renderer_.get(), &one, SDL_PIXELFORMAT_RGBA32, &color, 4);
        return color;
    }

    /// How many pixels of a rectangle are not of this colour.
    int count_other_than(PackedColor color, int x0, int y0, int x1, int y1) const {
        int count = 0;
        for (int y = y0; y < y1; ++y)
            for (int x = x0; x < x1; ++x) count += pixel(x, y) != color ? 1 : 0;
        return count;
    }

private:
    SurfaceHandle surface_;
    RendererHandle renderer_;
};

/// A PNG of the given pixels (packed colours, row by row).
std::string png_of(int width, int height, const std::vector<PackedColor>& pixels);

/// The pixels of a PNG file: RGB24, or RGBA32 if it has opacity. Null: it cannot be read.
SurfaceHandle loaded_png(const std::filesystem::path& file);

}  // namespace perigee::test
