// libpng's functions in the order that its manual gives. Its errors are long jumps, so the function that is
// jumped into has no objects with destructors.
#include "engine/decoding/png_pixels.h"

#include "engine/assets/image_size.h"

#include <png.h>

#include <algorithm>
#include <csetjmp>
#include <cstring>

namespace perigee::decoding {

namespace {

constexpr png_alloc_size_t kMaxChunkBytes = png_alloc_size_t{8} << 20U;
constexpr png_uint_32 kMaxChunks = 1000;

struct Source {
    const char* at;
    std::size_t left;
};

void read_bytes(png_structp png, png_bytep to, png_size_t count) {
    auto& source = *static_cast<Source*>(png_get_io_ptr(png));
    if (count > source.left) png_error(png, "cut off");
    std::memcpy(to, source.at, count);
    source.at += count;
    source.left -= count;
}

[[noreturn]] void on_error(png_structp png, png_const_charp) { png_longjmp(png, 1); }
void on_warning(png_structp, png_const_charp) {}

// Variables that the function below changes between setjmp and longjmp are outside it.
struct PngReading {
    Source source;
    std::size_t max_bytes;
    ImagePixels& pixels;
    ImageEnd end = ImageEnd::damaged;
};

void to_rgba(png_structp png, png_infop info) {
    png_set_strip_16(png);
    png_set_expand(png);  // palettes, fewer bits, one transparent colour
    png_set_gray_to_rgb(png);
    png_set_add_alpha(png, 0xFF, PNG_FILLER_AFTER);
    png_read_update_info(png, info);
}

void read_png(png_structp png, png_infop info, PngReading& reading) {
    if (setjmp(png_jmpbuf(png)) != 0) return;
    png_set_read_fn(png, &reading.source, read_bytes);
    png_set_user_limits(png, kMaxImageSide, kMaxImageSide);
    png_set_chunk_malloc_max(png, kMaxChunkBytes);
    png_set_chunk_cache_max(png, kMaxChunks);
    png_read_info(png, info);
    reading.pixels.width = png_get_image_width(png, info);
    reading.pixels.height = png_get_image_height(png, info);
    const std::size_t row_bytes = std::size_t{reading.pixels.width} * 4;
    const std::size_t bytes = row_bytes * reading.pixels.height;
    if (bytes > reading.max_bytes || !take_memory(reading.pixels, bytes)) {
        reading.end = ImageEnd::too_large;
        return;
    }
    const int passes = png_set_interlace_handling(png);
    to_rgba(png, info);
    if (png_get_rowbytes(png, info) != row_bytes) return;
    for (int pass = 0; pass < passes; ++pass)
        for (png_uint_32 row = 0; row < reading.pixels.height; ++row)
            png_read_row(png, reading.pixels.rgba.data() + row * row_bytes, nullptr);
    reading.end = ImageEnd::done;  // data after the pixels is not read
}

}  // namespace

ImageEnd decode_png(std::string_view file, std::size_t max_bytes, ImagePixels& pixels) {
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, nullptr, on_error, on_warning);
    if (png == nullptr) return ImageEnd::too_large;
    png_infop info = png_create_info_struct(png);
    PngReading reading{{file.data(), file.size()}, max_bytes, pixels};
    if (info != nullptr) read_png(png, info, reading);
    png_destroy_read_struct(&png, &info, nullptr);
    return reading.end;
}

}  // namespace perigee::decoding
