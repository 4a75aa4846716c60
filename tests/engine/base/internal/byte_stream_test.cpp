// Numbers are read as they were written, and a reader stays inside its bytes.
#include "engine/base/internal/byte_stream.h"

#include <catch2/catch.hpp>

#include <random>

using namespace perigee;

TEST_CASE("numbers of every size and sign are read as they were written") {
    std::mt19937_64 random{1};
    for (int i = 0; i < 5000; ++i) {
        const std::uint64_t number = random() >> (random() % 64);
        const auto number_with_sign = static_cast<std::int64_t>(random()) >> (random() % 64);
        std::string bytes;
        put_varint(bytes, number);
        put_u64(bytes, number);
        put_varint(bytes, zigzag(number_with_sign));
        ByteReader in{bytes};
        CHECK(in.varint() == number);
        CHECK(in.u64() == number);
        CHECK(unzigzag(in.varint()) == number_with_sign);
        CHECK((in.ok() && in.is_at_end()));
    }
}

TEST_CASE("a reader past its end stays failed and yields zeros") {
    ByteReader in{"ab"};
    CHECK(in.text(3).empty());
    CHECK(in.ran_out());
    CHECK(in.byte() == 0);
    CHECK_FALSE(in.ok());
}

TEST_CASE("a varint of more than ten groups is malformed, not endless") {
    ByteReader in{std::string_view{"\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80", 12}};
    CHECK(in.varint() == 0);
    CHECK(in.is_malformed());
}
