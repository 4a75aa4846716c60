// JPEG files for tests, made by libjpeg itself.
#pragma once

#include <jpeglib.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

namespace perigee::test {

struct JpegKind {
    J_COLOR_SPACE colors = JCS_RGB;  ///< JCS_GRAYSCALE, JCS_RGB or JCS_CMYK
    bool is_progressive = false;
    bool has_adobe_marker = false;
    std::size_t comment_bytes = 0;  ///< in front of the picture
};

/// `color`: the channels of a pixel, as many as the kind has. Of the best quality.
inline std::string jpeg_file(unsigned width, unsigned height,
                             const std::function<std::array<std::uint8_t, 4>(unsigned x, unsigned y)>& color,
                             const JpegKind& kind = {}) {
    jpeg_compress_struct jpeg{};
    jpeg_error_mgr errors{};
    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_compress(&jpeg);
    unsigned char* bytes = nullptr;
    unsigned long size = 0;
    jpeg_mem_dest(&jpeg, &bytes, &size);
    jpeg.image_width = width;
    jpeg.image_height = height;
    jpeg.in_color_space = kind.colors;
    jpeg.input_components = kind.colors == JCS_GRAYSCALE ? 1 : kind.colors == JCS_CMYK ? 4 : 3;
    jpeg_set_defaults(&jpeg);
    jpeg_set_quality(&jpeg, 100, TRUE);
    for (int i = 0; i < jpeg.num_components; ++i)
        jpeg.comp_info[i].h_samp_factor = jpeg.comp_info[i].v_samp_factor = 1;
    if (kind.is_progressive) jpeg_simple_progression(&jpeg);
    jpeg.write_Adobe_marker = kind.has_adobe_marker ? TRUE : FALSE;
    jpeg_start_compress(&jpeg, TRUE);
    for (std::size_t left = kind.comment_bytes; left > 0;) {
        const std::vector<JOCTET> comment(std::min<std::size_t>(left, 65'000), 'x');
        jpeg_write_marker(&jpeg, JPEG_COM, comment.data(), static_cast<unsigned>(comment.size()));
        left -= comment.size();
    }
    for (unsigned y = 0; y < height; ++y) {
        std::vector<JSAMPLE> row;
        for (unsigned x = 0; x < width; ++x) {
            const auto channels = color(x, y);
            row.insert(row.end(), channels.begin(), channels.begin() + jpeg.input_components);
        }
        JSAMPROW start = row.data();
        jpeg_write_scanlines(&jpeg, &start, 1);
    }
    jpeg_finish_compress(&jpeg);
    std::string file(reinterpret_cast<const char*>(bytes), size);
    jpeg_destroy_compress(&jpeg);
    std::free(bytes);
    return file;
}

}  // namespace perigee::test
