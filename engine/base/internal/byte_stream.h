// Reads and writes numbers in a byte string, never reading past its end.
//
// Invariant: a reader that failed once stays failed and yields zeros, so callers check once per record.
// Varints are little-endian groups of seven bits; fixed numbers are little-endian.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace perigee {

inline void put_varint(std::string& out, std::uint64_t value) {
    while (value >= 0x80) {
        out += static_cast<char>(value | 0x80U);
        value >>= 7U;
    }
    out += static_cast<char>(value);
}

/// Small magnitudes of either sign become small numbers.
inline std::uint64_t zigzag(std::int64_t value) noexcept {
    return static_cast<std::uint64_t>(value) << 1U ^ static_cast<std::uint64_t>(value >> 63);
}
inline std::int64_t unzigzag(std::uint64_t value) noexcept {
    return static_cast<std::int64_t>(value >> 1U ^ (~(value & 1U) + 1U));
}

inline void put_u64(std::string& out, std::uint64_t value) {
    for (unsigned shift = 0; shift < 64; shift += 8) out += static_cast<char>(value >> shift);
}

class ByteReader {
public:
    explicit ByteReader(std::string_view bytes, std::size_t at = 0) noexcept : bytes_(bytes), at_(at) {}

    std::uint8_t byte() noexcept {
        if (!has(1)) return 0;
        return static_cast<std::uint8_t>(bytes_[at_++]);
    }
    std::uint64_t varint() noexcept {
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 64; shift += 7) {
            const std::uint8_t next = byte();
            value |= static_cast<std::uint64_t>(next & 0x7FU) << shift;
            if ((next & 0x80U) == 0) return value;
        }
        is_malformed_ = true;
        return 0;
    }
    std::uint64_t u64() noexcept {
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 64; shift += 8) value |= static_cast<std::uint64_t>(byte()) << shift;
        return value;
    }
    std::string_view text(std::uint64_t size) noexcept {
        if (!has(size)) return {};
        const std::string_view part = bytes_.substr(at_, static_cast<std::size_t>(size));
        at_ += part.size();
        return part;
    }

    std::size_t position() const noexcept { return at_; }
    bool is_at_end() const noexcept { return at_ == bytes_.size(); }
    bool ran_out() const noexcept { return ran_out_; }
    bool is_malformed() const noexcept { return is_malformed_; }
    bool ok() const noexcept { return !ran_out_ && !is_malformed_; }

private:
    bool has(std::uint64_t count) noexcept {
        if (!ok() || count > bytes_.size() - at_) ran_out_ = ok() || ran_out_;
        return ok();
    }

    std::string_view bytes_;
    std::size_t at_;
    bool ran_out_ = false;
    bool is_malformed_ = false;
};

}  // namespace perigee
