// Writes a zip archive without compression, for tests that read one. Source: PKWARE APPNOTE, sections 4.3.7,
// 4.3.12 and 4.3.16.
#pragma once

#include <cstdint>
#include <string>

namespace perigee::test {

class ZipWriter {
public:
    void add(const std::string& name, const std::string& bytes) {
        const std::string facts = number(20, 2) + number(0, 8) + number(crc32(bytes), 4) +
                                  number(bytes.size(), 4) + number(bytes.size(), 4) + number(name.size(), 2);
        directory_ += "PK\1\2" + number(20, 2) + facts + number(0, 12) + number(archive_.size(), 4) + name;
        archive_ += "PK\3\4" + facts + number(0, 2) + name + bytes;
        ++count_;
    }
    std::string finish() const {
        return archive_ + directory_ + "PK\5\6" + number(0, 4) + number(count_, 2) + number(count_, 2) +
               number(directory_.size(), 4) + number(archive_.size(), 4) + number(0, 2);
    }

private:
    static std::string number(std::uint64_t value, int bytes) {
        std::string out;
        for (int i = 0; i < bytes; ++i, value >>= 8U) out += static_cast<char>(value);
        return out;
    }
    static std::uint32_t crc32(const std::string& bytes) {
        std::uint32_t crc = 0xFFFFFFFF;
        for (const char c : bytes) {
            crc ^= static_cast<unsigned char>(c);
            for (int bit = 0; bit < 8; ++bit) crc = crc >> 1U ^ ((crc & 1U) != 0 ? 0xEDB88320U : 0U);
        }
        return ~crc;
    }
    std::string archive_;
    std::string directory_;
    std::uint64_t count_ = 0;
};

}  // namespace perigee::test
