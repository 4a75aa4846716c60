// Writes sound files for tests that read them. The OGG file is from the demo.
#pragma once

#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>

namespace perigee::test {

struct WavDesc {
    std::uint32_t encoding = 1;
    std::uint32_t channels = 1;
    std::uint32_t rate = 22050;
    std::uint32_t bits = 8;
};

inline std::string little_endian(std::uint32_t number, int bytes) {
    std::string text;
    for (int i = 0; i < bytes; ++i) text += static_cast<char>(number >> (8 * i));
    return text;
}

inline std::string wav_of(const std::string& data, const WavDesc& desc = {}) {
    const std::uint32_t frame = desc.channels * desc.bits / 8;
    const auto size = static_cast<std::uint32_t>(data.size());
    return "RIFF" + little_endian(36 + size, 4) + "WAVEfmt " + little_endian(16, 4) +
           little_endian(desc.encoding, 2) + little_endian(desc.channels, 2) + little_endian(desc.rate, 4) +
           little_endian(desc.rate * frame, 4) + little_endian(frame, 2) + little_endian(desc.bits, 2) +
           "data" + little_endian(size, 4) + data;
}

/// Seconds of silence, 8 bits.
inline std::string silent_wav(double seconds = 0.5) {
    return wav_of(std::string(static_cast<std::size_t>(seconds * 22050), '\x80'));
}

inline std::string demo_ogg() {
    std::ifstream file(PERIGEE_SOURCE_DIR "/scripts/games/swarm/assets/sounds/heal.ogg", std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace perigee::test
