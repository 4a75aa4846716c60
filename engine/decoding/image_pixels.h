// The pixels of a decoded image, whatever its format.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

namespace perigee::decoding {

struct ImagePixels {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::vector<std::uint8_t> rgba;  ///< row by row, 4 bytes a pixel
};

enum class ImageEnd : std::uint8_t { done, damaged, too_large };

/// Makes room for `bytes`. False: there is no memory.
inline bool take_memory(ImagePixels& pixels, std::size_t bytes) {
    try {
        pixels.rgba.resize(bytes);
    } catch (const std::bad_alloc&) {
        return false;
    }
    return true;
}

}  // namespace perigee::decoding
