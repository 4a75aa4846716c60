// Encoding with libpng, and writing.
#include "engine/sdl/surfaces/png_file.h"

#include "ecs/files/output_file.h"

#include <png.h>

#include <cstddef>

namespace perigee {

Result<std::string> encoded_png(std::span<const std::uint8_t> bytes, int width, int height,
                                PngPixels pixels) {
    const std::size_t channels = pixels == PngPixels::rgb ? 3 : 4;
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = static_cast<png_uint_32>(width);
    image.height = static_cast<png_uint_32>(height);
    image.format = pixels == PngPixels::rgb ? PNG_FORMAT_RGB : PNG_FORMAT_RGBA;
    if (width <= 0 || height <= 0 ||
        bytes.size() / channels < static_cast<std::size_t>(width) * static_cast<std::size_t>(height))
        return Error{"the picture is empty"};
    std::string png(PNG_IMAGE_PNG_SIZE_MAX(image), '\0');
    png_alloc_size_t size = png.size();
    if (png_image_write_to_memory(&image, png.data(), &size, 0, bytes.data(), 0, nullptr) == 0)
        return Error{std::string{std::data(image.message)}};
    png.resize(size);
    png.shrink_to_fit();
    return png;
}

Result<void> write_png(const std::filesystem::path& file, const std::string& png) {
    return write_through_part(
        file, [&](const std::filesystem::path& part) { return write_regular_file(part, png); });
}

}  // namespace perigee
