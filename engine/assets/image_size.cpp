// Offsets of the two numbers in a PNG header.
#include "engine/assets/image_size.h"

namespace perigee {

namespace {

constexpr std::string_view kSignature{"\x89PNG\r\n\x1a\n", 8};
constexpr std::size_t kWidthOffset = 16;  // signature 8, chunk length 4, "IHDR" 4
constexpr std::size_t kHeightOffset = 20;
constexpr std::uint32_t kLargestSide = 16384;

std::uint32_t big_endian_u32(std::string_view bytes, std::size_t at) noexcept {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) value = value << 8U | static_cast<unsigned char>(bytes[at + i]);
    return value;
}

}  // namespace

std::optional<ImageSize> png_size(std::string_view bytes) noexcept {
    if (bytes.size() < kHeightOffset + 4 || !bytes.starts_with(kSignature) || bytes.substr(12, 4) != "IHDR")
        return std::nullopt;
    const std::uint32_t width = big_endian_u32(bytes, kWidthOffset);
    const std::uint32_t height = big_endian_u32(bytes, kHeightOffset);
    if (width == 0 || height == 0 || width > kLargestSide || height > kLargestSide) return std::nullopt;
    return ImageSize{static_cast<std::uint16_t>(width), static_cast<std::uint16_t>(height)};
}

}  // namespace perigee
