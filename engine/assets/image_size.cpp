// Offsets of the two numbers in a PNG header, and a walk over the segments of a JPEG.
#include "engine/assets/image_size.h"

namespace perigee {

namespace {

constexpr std::string_view kSignature{"\x89PNG\r\n\x1a\n", 8};
constexpr std::size_t kWidthOffset = 16;  // signature 8, chunk length 4, "IHDR" 4
constexpr std::size_t kHeightOffset = 20;

std::uint32_t big_endian_u32(std::string_view bytes, std::size_t at) noexcept {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) value = value << 8U | static_cast<unsigned char>(bytes[at + i]);
    return value;
}

std::uint32_t big_endian_u16(std::string_view bytes, std::size_t at) noexcept {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[at])) << 8U |
           static_cast<unsigned char>(bytes[at + 1]);
}

std::optional<ImageSize> size_of(std::uint32_t width, std::uint32_t height) noexcept {
    if (width == 0 || height == 0 || width > kMaxImageSide || height > kMaxImageSide) return std::nullopt;
    return ImageSize{static_cast<std::uint16_t>(width), static_cast<std::uint16_t>(height)};
}

std::optional<ImageSize> png_size(std::string_view bytes) noexcept {
    if (bytes.size() < kHeightOffset + 4 || bytes.substr(12, 4) != "IHDR") return std::nullopt;
    return size_of(big_endian_u32(bytes, kWidthOffset), big_endian_u32(bytes, kHeightOffset));
}

// A segment is 0xFF, its marker, and its length with the two bytes of the length. Those from 0xC0 to 0xCF are
// frame headers, but for three that are tables.
std::optional<ImageSize> jpeg_size(std::string_view bytes) noexcept {
    constexpr std::size_t kFrameHeaderBytes = 9;  // marker 2, length 2, bits 1, height 2, width 2
    for (std::size_t at = 2; at + kFrameHeaderBytes <= bytes.size();) {
        if (static_cast<unsigned char>(bytes[at]) != 0xFF) return std::nullopt;
        const auto marker = static_cast<unsigned char>(bytes[at + 1]);
        if (marker == 0xFF) {  // before a marker there may be any number of them
            ++at;
            continue;
        }
        const bool is_frame =
            marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
        if (is_frame) return size_of(big_endian_u16(bytes, at + 7), big_endian_u16(bytes, at + 5));
        const bool has_length = marker >= 0xC0 && (marker < 0xD0 || marker > 0xD9);
        const std::uint32_t length = big_endian_u16(bytes, at + 2);
        if (!has_length || length < 2) return std::nullopt;
        at += 2 + length;
    }
    return std::nullopt;
}

}  // namespace

std::optional<ImageSize> image_size(std::string_view bytes) noexcept {
    if (bytes.starts_with(kSignature)) return png_size(bytes);
    return bytes.starts_with(kJpegStart) ? jpeg_size(bytes) : std::nullopt;
}

bool is_image_path(std::string_view path) noexcept {
    return path.ends_with(".png") || path.ends_with(".jpg") || path.ends_with(".jpeg");
}

}  // namespace perigee
