// Numbers and texts as a row of bytes, and back: for files of our own.
//
// Invariant: little-endian, without alignment. A reader never reads past its end: the first read that would
// do so fails it, and from then on everything reads as zero and empty. So code may read a whole structure and
// ask once whether it was there; only loops over counts must ask before (`count`). Not here: what the bytes
// mean.
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

class ByteWriter {
public:
    /// Throws std::bad_alloc, as all others.
    template <typename Number> void put(Number number) {
        static_assert(std::is_arithmetic_v<Number>);
        append(&number, sizeof number);
    }
    /// Expects: fewer than 2^32 bytes.
    void put_text(std::string_view text) {
        put(static_cast<std::uint32_t>(text.size()));
        bytes_ += text;
    }
    void put_count(std::size_t count) { put(static_cast<std::uint32_t>(count)); }
    void put_bytes(std::span<const std::byte> bytes) { append(bytes.data(), bytes.size()); }
    /// The bytes written by another one.
    void append(const ByteWriter& other) { bytes_ += other.bytes_; }

    const std::string& bytes() const noexcept { return bytes_; }
    std::string take() noexcept { return std::move(bytes_); }

private:
    void append(const void* from, std::size_t count) {
        if (count != 0) bytes_.append(static_cast<const char*>(from), count);
    }
    std::string bytes_;
};

class ByteReader {
public:
    /// Lifetime: the bytes must outlive it.
    explicit ByteReader(std::string_view bytes) noexcept : bytes_(bytes) {}

    bool is_ok() const noexcept { return is_ok_; }
    std::size_t left() const noexcept { return bytes_.size(); }
    void fail() noexcept {
        is_ok_ = false;
        bytes_ = {};
    }

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
    std::string_view take(std::size_t size) noexcept {
        if (size > bytes_.size()) {
            fail();
            return {};
        }
        const std::string_view taken = bytes_.substr(0, size);
        bytes_.remove_prefix(size);
        return taken;
    }

private:
    std::string_view bytes_;
    bool is_ok_ = true;
};

}  // namespace perigee::internal
