// Decodes a PNG into pixels with libpng.
//
// Invariant: nothing is allocated before the size is known to fit. The result has the file's own values: no
// colour correction, 16 bits truncated to 8. It runs in the sandbox (engine/decoding/decoder_sandbox.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace perigee::decoding {

struct PngPixels {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::vector<std::uint8_t> rgba;  ///< row by row, 4 bytes a pixel
};

enum class PngEnd : std::uint8_t { done, damaged, too_large };

PngEnd decode_png(std::string_view file, std::size_t max_bytes, PngPixels& pixels);

}  // namespace perigee::decoding
