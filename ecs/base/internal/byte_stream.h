// Numbers and texts as a row of bytes, and back: for files of our own.
//
// Invariant: little-endian, without alignment; varints are groups of seven bits, the lowest first. A reader
// never reads past its end: the first read that would do so fails it, and from then on everything reads as
// zero and empty. So code may read a whole structure and ask once whether it was there; only loops over
// counts must ask before (`count`). Not here: what the bytes mean.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace perigee::internal {

static_assert(std::endian::native == std::endian::little);

template <typename Number> void put_number(std::string& out, Number number) {
    static_assert(std::is_arithmetic_v<Number>);
    char bytes[sizeof number];
    std::memcpy(bytes, &number, sizeof number);
    out.append(bytes, sizeof bytes);
}

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

class ByteWriter {
public:
    /// Throws std::bad_alloc, as all others.
    template <typename Number> void put(Number number) { put_number(bytes_, number); }
    void reserve(std::size_t bytes) { bytes_.reserve(bytes); }
    /// Expects: fewer than 2^32 bytes.
    void put_text(std::string_view text) {
        put_count(text.size());
        bytes_ += text;
    }
    void put_count(std::size_t count) { put(static_cast<std::uint32_t>(count)); }
    void put_bytes(std::span<const std::byte> bytes) {
        if (!bytes.empty()) bytes_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }
    /// The bytes written by another one.
    void append(const ByteWriter& other) { bytes_ += other.bytes_; }

    const std::string& bytes() const noexcept { return bytes_; }
    std::string take() noexcept { return std::move(bytes_); }

private:
    std::string bytes_;
};

class ByteReader {
public:
    /// Begins at byte `at`. Lifetime: the bytes must outlive it.
    explicit ByteReader(std::string_view bytes, std::size_t at = 0) noexcept : bytes_(bytes), at_(at) {}

    bool is_ok() const noexcept { return !has_run_out_ && !is_malformed_; }
    /// True if it failed because the bytes ended.
    bool has_run_out() const noexcept { return has_run_out_; }
    bool is_at_end() const noexcept { return at_ == bytes_.size(); }
    std::size_t position() const noexcept { return at_; }
    /// 0 after a failure.
    std::size_t left() const noexcept { return is_ok() ? bytes_.size() - at_ : 0; }
    void fail() noexcept { is_malformed_ = true; }

    template <typename Number> Number get() noexcept {
        static_assert(std::is_arithmetic_v<Number> && !std::is_same_v<Number, bool>);
        Number number{};
        const std::string_view from = take(sizeof number);
        if (!from.empty()) std::memcpy(&number, from.data(), sizeof number);
        return number;
    }
    /// Fails for anything but 0 and 1.
    bool get_bool() noexcept {
        const auto number = get<std::uint8_t>();
        if (number > 1) fail();
        return number == 1;
    }
    /// Fails for a number above `most`.
    std::uint32_t get_at_most(std::uint32_t most) noexcept {
        const auto number = get<std::uint32_t>();
        if (number <= most) return number;
        fail();
        return 0;
    }
    /// Fails for more than 64 bits.
    std::uint64_t get_varint() noexcept {
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 64; shift += 7) {
            const auto next = get<std::uint8_t>();
            value |= static_cast<std::uint64_t>(next & 0x7FU) << shift;
            if ((next & 0x80U) == 0) return value;
        }
        fail();
        return 0;
    }
    /// How many items follow, each of at least `item_bytes`; fails if they cannot all be there, so the number
    /// is safe to reserve memory for. Expects: item_bytes > 0.
    std::uint32_t count(std::size_t item_bytes) noexcept {
        const auto items = get<std::uint32_t>();
        if (items <= left() / item_bytes) return items;
        fail();
        return 0;
    }
    /// Lifetime: the bytes'.
    std::string_view get_text() noexcept { return take(count(1)); }
    /// The next bytes; empty if there are fewer. Lifetime: the bytes'.
    std::string_view take(std::uint64_t size) noexcept {
        if (size > left()) {
            has_run_out_ = has_run_out_ || is_ok();
            return {};
        }
        const std::string_view taken = bytes_.substr(at_, static_cast<std::size_t>(size));
        at_ += taken.size();
        return taken;
    }

private:
    std::string_view bytes_;
    std::size_t at_;
    bool has_run_out_ = false;
    bool is_malformed_ = false;
};

}  // namespace perigee::internal
