// Writes PNG files without compression, for tests that read them. Source: PNG specification, section 5, and
// RFC 1950 and 1951 for stored blocks.
#pragma once

#include <cstdint>
#include <string>

namespace perigee::test {

struct Rgba {
    std::uint8_t r = 0, g = 0, b = 0, a = 255;
};

inline std::string big_endian(std::uint32_t number) {
    std::string text;
    for (int shift = 24; shift >= 0; shift -= 8) text += static_cast<char>(number >> shift);
    return text;
}

inline std::string png_chunk(const std::string& name, const std::string& data) {
    std::uint32_t crc = 0xFFFFFFFF;
    for (const char c : name + data) {
        crc ^= static_cast<unsigned char>(c);
        for (int bit = 0; bit < 8; ++bit) crc = crc >> 1U ^ ((crc & 1U) != 0 ? 0xEDB88320U : 0U);
    }
    return big_endian(static_cast<std::uint32_t>(data.size())) + name + data + big_endian(~crc);
}

/// A zlib stream that stores its bytes uncompressed.
inline std::string zlib_stored(const std::string& bytes) {
    std::string out = "\x78\x01";
    std::uint32_t a = 1, b = 0;
    for (const char c : bytes) {
        a = (a + static_cast<unsigned char>(c)) % 65521;
        b = (b + a) % 65521;
    }
    for (std::size_t at = 0;;) {
        const std::size_t size = bytes.size() - at < 65535 ? bytes.size() - at : 65535;
        out += at + size == bytes.size() ? '\1' : '\0';
        out += static_cast<char>(size);
        out += static_cast<char>(size >> 8U);
        out += static_cast<char>(~size);
        out += static_cast<char>(~size >> 8U);
        out += bytes.substr(at, size);
        at += size;
        if (at == bytes.size()) return out + big_endian(b << 16U | a);
    }
}

/// `color_of(x, y)` gives the Rgba of a pixel.
template <typename Function>
std::string png_file(std::uint32_t width, std::uint32_t height, Function&& color_of) {
    std::string rows;
    for (std::uint32_t y = 0; y < height; ++y) {
        rows += '\0';
        for (std::uint32_t x = 0; x < width; ++x) {
            const Rgba color = color_of(x, y);
            for (const std::uint8_t part : {color.r, color.g, color.b, color.a})
                rows += static_cast<char>(part);
        }
    }
    return "\x89PNG\r\n\x1a\n" +
           png_chunk("IHDR", big_endian(width) + big_endian(height) + std::string("\x08\x06\0\0\0", 5)) +
           png_chunk("IDAT", zlib_stored(rows)) + png_chunk("IEND", "");
}

}  // namespace perigee::test
