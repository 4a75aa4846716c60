// Reads the size of an image file without decoding it, so that headless games lay out sprites the same way.
//
// PNG and JPEG: the two image formats of games here; the first bytes say which it is, whatever the name is.
// Sources: PNG specification, sections 5.2 and 11.2.2; JPEG specification (ITU-T T.81), annex B.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace perigee {

struct ImageSize {
    std::uint16_t width = 0;
    std::uint16_t height = 0;
};

/// So many bytes from the start of a file are enough for image_size, in all files but those with more notes
/// in front of the picture.
inline constexpr std::size_t kImageHeadBytes = std::size_t{4} << 20U;

/// The first bytes of a JPEG file.
inline constexpr std::string_view kJpegStart{"\xFF\xD8\xFF", 3};

/// The largest side of an image of a file, in pixels.
inline constexpr std::uint32_t kMaxImageSide = 16384;

/// Reads the IHDR chunk of a PNG, or the frame header of a JPEG. Nothing if the bytes are neither, are too
/// few, or give a side of 0 or above kMaxImageSide.
std::optional<ImageSize> image_size(std::string_view bytes) noexcept;

/// Whether a path ends as the names of images do: ".png", ".jpg" or ".jpeg".
bool is_image_path(std::string_view path) noexcept;

}  // namespace perigee
