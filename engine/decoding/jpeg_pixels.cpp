// libjpeg's functions in the order that its manual gives. Its errors are long jumps, so the function that is
// jumped into has no objects with destructors.
#include "engine/decoding/jpeg_pixels.h"

#include "engine/assets/image_size.h"

#include <jerror.h>
#include <jpeglib.h>

#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstdio>  // jpeglib.h needs it

namespace perigee::decoding {

namespace {

constexpr long kMaxScans = 500;  // of a progressive file: each goes through all of the picture

struct Errors {
    jpeg_error_mgr manager;  // first: libjpeg knows no more of it
    std::jmp_buf jump;
};

[[noreturn]] void fail(j_common_ptr jpeg) { std::longjmp(reinterpret_cast<Errors*>(jpeg->err)->jump, 1); }

// Warnings have level -1. What ends early or does not make sense is filled with grey by libjpeg.
void on_message(j_common_ptr jpeg, int level) {
    const int code = jpeg->err->msg_code;
    const bool is_damage = code == JWRN_JPEG_EOF || code == JWRN_HIT_MARKER || code == JWRN_HUFF_BAD_CODE;
    if (level < 0 && is_damage) fail(jpeg);
}

void print_nothing(j_common_ptr) {}

// Variables that the function below changes between setjmp and longjmp are outside it.
struct JpegReading {
    std::string_view file;
    std::size_t max_bytes;
    ImagePixels& pixels;
    ImageEnd end = ImageEnd::damaged;
};

// Adobe's programs write CMYK inverted, and so do all others that write it.
void cmyk_to_rgba(std::uint8_t* row, std::size_t width) {
    for (std::uint8_t* at = row; at < row + width * 4; at += 4) {
        const unsigned black = at[3];
        for (int c = 0; c < 3; ++c) at[c] = static_cast<std::uint8_t>((at[c] * black + 127) / 255);
        at[3] = 255;
    }
}

void check_scans(j_common_ptr jpeg) {
    if (jpeg->is_decompressor && reinterpret_cast<j_decompress_ptr>(jpeg)->input_scan_number > kMaxScans)
        fail(jpeg);
}

void read_jpeg(jpeg_decompress_struct& jpeg, Errors& errors, JpegReading& reading) {
    if (setjmp(errors.jump) != 0) return;
    jpeg_create_decompress(&jpeg);
    jpeg_progress_mgr progress{};
    progress.progress_monitor = check_scans;
    jpeg.progress = &progress;
    // It only reads them.
    jpeg_mem_src(&jpeg, reinterpret_cast<const unsigned char*>(reading.file.data()),
                 static_cast<unsigned long>(reading.file.size()));
    jpeg_read_header(&jpeg, TRUE);
    if (jpeg.image_width == 0 || jpeg.image_height == 0 || jpeg.image_width > kMaxImageSide ||
        jpeg.image_height > kMaxImageSide)
        return;
    const bool is_cmyk = jpeg.jpeg_color_space == JCS_CMYK || jpeg.jpeg_color_space == JCS_YCCK;
    const bool is_inverted = is_cmyk && jpeg.saw_Adobe_marker != FALSE;
    jpeg.out_color_space = is_cmyk ? JCS_CMYK : JCS_EXT_RGBA;
    jpeg.dct_method = JDCT_ISLOW;  // the same pixels on every machine
    reading.pixels.width = jpeg.image_width;
    reading.pixels.height = jpeg.image_height;
    const std::size_t row_bytes = std::size_t{jpeg.image_width} * 4;
    const std::size_t bytes = row_bytes * jpeg.image_height;
    if (bytes > reading.max_bytes || !take_memory(reading.pixels, bytes)) {
        reading.end = ImageEnd::too_large;
        return;
    }
    jpeg_start_decompress(&jpeg);
    while (jpeg.output_scanline < jpeg.output_height) {
        std::uint8_t* row = reading.pixels.rgba.data() + jpeg.output_scanline * row_bytes;
        jpeg_read_scanlines(&jpeg, &row, 1);
        if (!is_cmyk) continue;
        if (!is_inverted)
            std::transform(row, row + row_bytes, row, [](std::uint8_t ink) { return 255 - ink; });
        cmyk_to_rgba(row, jpeg.image_width);
    }
    jpeg_finish_decompress(&jpeg);
    reading.end = ImageEnd::done;  // data after the picture is not read
}

}  // namespace

ImageEnd decode_jpeg(std::string_view file, std::size_t max_bytes, ImagePixels& pixels) {
    jpeg_decompress_struct jpeg{};
    Errors errors{};
    jpeg.err = jpeg_std_error(&errors.manager);
    errors.manager.error_exit = fail;
    errors.manager.emit_message = on_message;
    errors.manager.output_message = print_nothing;
    JpegReading reading{file, max_bytes, pixels};
    read_jpeg(jpeg, errors, reading);
    if (errors.manager.msg_code == JERR_OUT_OF_MEMORY && reading.end == ImageEnd::damaged)
        reading.end = ImageEnd::too_large;
    jpeg_destroy_decompress(&jpeg);
    return reading.end;
}

}  // namespace perigee::decoding
