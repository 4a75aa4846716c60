// Test images as PNG.
#include "tests/engine/sdl/canvas.h"

#include "engine/sdl/surfaces/png_file.h"

#include <png.h>

namespace perigee::test {

std::string png_of(int width, int height, const std::vector<PackedColor>& pixels) {
    return encoded_png({reinterpret_cast<const std::uint8_t*>(pixels.data()), pixels.size() * 4}, width,
                       height, PngPixels::rgba)
        .value();
}

SurfaceHandle loaded_png(const std::filesystem::path& file) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    if (png_image_begin_read_from_file(&image, file.c_str()) == 0) return {};
    const bool has_opacity = (image.format & PNG_FORMAT_FLAG_ALPHA) != 0;
    image.format = has_opacity ? PNG_FORMAT_RGBA : PNG_FORMAT_RGB;
    SurfaceHandle surface{SDL_CreateRGBSurfaceWithFormat(
        0, static_cast<int>(image.width), static_cast<int>(image.height), has_opacity ? 32 : 24,
        has_opacity ? SDL_PIXELFORMAT_RGBA32 : SDL_PIXELFORMAT_RGB24)};
    if (!surface || png_image_finish_read(&image, nullptr, surface->pixels, surface->pitch, nullptr) == 0)
        return {};
    return surface;
}

}  // namespace perigee::test
