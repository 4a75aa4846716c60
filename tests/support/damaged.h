// Damages the bytes of a valid file at random: flips bits, makes numbers extreme, cuts, duplicates and
// splices pieces with another file. The same seed gives the same files. For tests that feed untrusted files
// to every reader.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>

namespace perigee::test {

class Damage {
public:
    explicit Damage(std::uint32_t seed) : random_(seed) {}

    std::uint32_t below(std::size_t limit) {
        return static_cast<std::uint32_t>(random_() % std::max<std::size_t>(limit, 1));
    }

    /// One to eight changes; `other` is another valid file, of any format.
    std::string of(std::string bytes, const std::string& other) {
        for (std::uint32_t changes = 1 + below(8); changes > 0; --changes) change(bytes, other);
        return bytes;
    }

private:
    void change(std::string& bytes, const std::string& other) {
        const std::size_t at = below(bytes.size());
        const std::size_t length = std::min<std::size_t>(1 + below(one_in(4) ? 2000 : 16), bytes.size() - at);
        switch (below(8)) {
            case 0:
            case 1:
                if (!bytes.empty()) bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8)));
                break;
            case 2:
                if (!bytes.empty()) bytes[at] = static_cast<char>(random_());
                break;
            case 3:
                put_number(bytes, at);
                break;
            case 4:
                bytes.erase(at, length);
                break;
            case 5:
                bytes.insert(at, bytes.substr(below(bytes.size()), length));
                break;
            case 6: {
                const std::size_t from = below(other.size());
                bytes.replace(at, one_in(2) ? length : 0, other.substr(from, 1 + below(300)));
                break;
            }
            default:
                if (one_in(4)) bytes.resize(at);
                break;
        }
    }

    void put_number(std::string& bytes, std::size_t at) {
        static constexpr std::uint64_t kExtremes[] = {0,
                                                      1,
                                                      2,
                                                      0x7F,
                                                      0x80,
                                                      0xFF,
                                                      0x7FFF,
                                                      0x8000,
                                                      0xFFFF,
                                                      0x10000,
                                                      0x7FFFFFFF,
                                                      0x80000000,
                                                      0xFFFFFFFE,
                                                      0xFFFFFFFF,
                                                      0x100000000,
                                                      0x7FFFFFFFFFFFFFFF,
                                                      0xFFFFFFFFFFFFFFFF};
        const std::uint64_t number = kExtremes[below(std::size(kExtremes))];
        const std::size_t size = std::size_t{1} << below(4);
        const bool is_big_endian = one_in(2);
        for (std::size_t i = 0; i < size && at + i < bytes.size(); ++i)
            bytes[at + i] = static_cast<char>(number >> (8 * (is_big_endian ? size - 1 - i : i)));
    }

    bool one_in(std::uint32_t count) { return below(count) == 0; }

    std::mt19937 random_;
};

}  // namespace perigee::test
