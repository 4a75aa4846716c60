// Reads the size of an image file without decoding it, so that headless games lay out sprites the same way.
//
// PNG only: the one image format of games here. Source of the layout: PNG specification, sections 5.2
// and 11.2.2.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace perigee {

struct ImageSize {
    std::uint16_t width = 0;
    std::uint16_t height = 0;
};

/// Reads the IHDR chunk of a PNG. Nothing if the bytes are not a PNG, are too few, or give a side of 0 or
/// above 16384 px.
std::optional<ImageSize> png_size(std::string_view bytes) noexcept;

}  // namespace perigee
