// Numbers are read as they were written, and a reader stays inside its bytes.
#include "ecs/base/internal/byte_stream.h"

#include <catch2/catch.hpp>

#include <random>

using namespace perigee::internal;

TEST_CASE("numbers of every size and sign are read as they were written") {
    std::mt19937_64 random{1};
    for (int i = 0; i < 5000; ++i) {
        const std::uint64_t number = random() >> (random() % 64);
        const auto number_with_sign = static_cast<std::int64_t>(random()) >> (random() % 64);
        std::string bytes;
        put_varint(bytes, number);
        put_number<std::uint64_t>(bytes, number);
        put_varint(bytes, zigzag(number_with_sign));
        ByteReader in{bytes};
        CHECK(in.get_varint() == number);
        CHECK(in.get<std::uint64_t>() == number);
        CHECK(unzigzag(in.get_varint()) == number_with_sign);
        CHECK((in.is_ok() && in.is_at_end()));
    }
}

TEST_CASE("a reader past its end stays failed and yields zeros") {
    ByteReader in{"ab"};
    CHECK(in.take(3).empty());
    CHECK(in.has_run_out());
    CHECK(in.get<std::uint8_t>() == 0);
    CHECK_FALSE(in.is_ok());
}

TEST_CASE("a varint of more than ten groups is malformed, not endless") {
    ByteReader in{std::string_view{"\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80", 12}};
    CHECK(in.get_varint() == 0);
    CHECK_FALSE((in.is_ok() || in.has_run_out()));
}

TEST_CASE("what a writer wrote is read back, and a count that cannot be true fails") {
    ByteWriter writer, part;
    part.put_text("Ann");
    writer.put(std::uint8_t{1});
    writer.put(1.5);
    writer.put_count(2);
    writer.append(part);
    ByteReader in{writer.bytes()};
    CHECK(in.get_bool());
    CHECK(in.get<double>() == 1.5);
    CHECK(in.get_at_most(2) == 2);
    CHECK(in.get_text() == "Ann");
    CHECK((in.is_ok() && in.is_at_end() && in.left() == 0));

    ByteReader no_bool{"\2"};
    CHECK_FALSE(no_bool.get_bool());
    CHECK_FALSE(no_bool.is_ok());
    ByteReader too_many{writer.bytes(), 9};  // the count 2, and 7 bytes
    CHECK(too_many.count(4) == 0);
    CHECK_FALSE((too_many.is_ok() || too_many.has_run_out()));
    ByteReader too_large{writer.bytes(), 9};
    CHECK(too_large.get_at_most(1) == 0);
    CHECK(too_large.left() == 0);
    CHECK(too_large.get<std::uint32_t>() == 0);
}
