// Encoding a test image in memory.
#include "tests/engine/sdl/canvas.h"

#include <SDL_image.h>

namespace perigee::test {

std::string png_of(int width, int height, const std::vector<PackedColor>& pixels) {
    const SurfaceHandle surface{SDL_CreateRGBSurfaceWithFormatFrom(
        const_cast<PackedColor*>(pixels.data()), width, height, 32, width * 4, SDL_PIXELFORMAT_RGBA32)};
    std::string bytes(1U << 16U, '\0');
    SDL_RWops* stream = SDL_RWFromMem(bytes.data(), static_cast<int>(bytes.size()));
    IMG_SavePNG_RW(surface.get(), stream, 0);
    bytes.resize(static_cast<std::size_t>(SDL_RWtell(stream)));
    SDL_RWclose(stream);
    return bytes;
}

}  // namespace perigee::test
