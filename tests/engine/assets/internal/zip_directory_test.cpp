// Archives that are refused before PhysFS opens them, each for its reason, and valid ones with every byte
// changed.
#include "engine/assets/internal/zip_directory.h"

#include "tests/support/zip_writer.h"

#include <catch2/catch.hpp>

using namespace perigee;
using internal::check_zip;
using perigee::test::ZipWriter;

namespace {

std::string why(std::string_view bytes) {
    const Result<void> checked = check_zip(bytes);
    return checked ? "good" : checked.error().message;
}

std::string plain() {
    ZipWriter zip;
    zip.add("main.lua", "return 1");
    zip.add("assets/a.txt", "a");
    return zip.finish();
}

// With some bytes of the first entry of the directory replaced.
std::string with_entry(std::size_t at, std::string_view bytes) {
    std::string zip = plain();
    zip.replace(zip.find("PK\1\2") + at, bytes.size(), bytes);
    return zip;
}

std::string repeated(std::string_view text, int times) {
    std::string all;
    for (int i = 0; i < times; ++i) all += text;
    return all;
}

}  // namespace

TEST_CASE("a plain archive passes, with a comment or empty") {
    CHECK(why(plain()) == "good");
    std::string commented = plain();
    commented.replace(commented.size() - 2, 2, std::string("\5\0", 2));
    CHECK(why(commented + "hello") == "good");
    CHECK(why(ZipWriter{}.finish()) == "good");
}

TEST_CASE("files that are not archives, and archives with data around them, are refused") {
    CHECK(why("") == "it is not a zip archive");
    CHECK(why("this is no archive at all") == "it is not a zip archive");
    CHECK(why(plain() + "more") == "its directory is damaged");
    CHECK(why("#!/bin/sh\n" + plain()) == "its directory is damaged");
    CHECK(why(plain().substr(1)) == "its directory is damaged");
}

TEST_CASE("entries with another compression, encryption or layout are refused") {
    CHECK(why(with_entry(8, std::string("\1\0", 2))) == "it is encrypted");
    CHECK(why(with_entry(10, std::string("\x0E\0", 2))) ==
          "it is packed by method 14; stored and deflated files can be read");
    CHECK(why(with_entry(42, "\xFF\xFF\xFF\x7F")) == "its directory is damaged");
    CHECK(why(with_entry(24, "\x09")) == "its directory is damaged");  // stored, and another size
    CHECK(why(with_entry(46, std::string_view{"\0", 1})) == "its directory is damaged");
}

TEST_CASE("too many entries, too long paths and too deep folders are refused") {
    ZipWriter many;
    for (int i = 0; i < 10'001; ++i) many.add(std::to_string(i), "");
    CHECK(why(many.finish()) == "it has more than 10000 entries");
    ZipWriter deep;
    deep.add(repeated("d/", 32) + "a", "");
    CHECK(why(deep.finish()) == "good");
    deep.add(repeated("d/", 33) + "a", "");
    CHECK(why(deep.finish()) == "its folders are nested more than 32 deep");
    // The bomb that was found: one path of 20,000 folders.
    ZipWriter bomb;
    bomb.add(repeated("d/", 20'000) + "a", "");
    CHECK(why(bomb.finish()) == "it has a path of more than 255 bytes");
}

TEST_CASE("an archive with an excessive compression ratio is refused") {
    std::string zip = with_entry(10, std::string("\x08\0", 2));
    zip.replace(zip.find("PK\1\2") + 24, 4, std::string("\0\0\0\x40", 4));
    CHECK(why(zip) == "it claims to pack 1024 MB into 0 MB");
}

TEST_CASE("no changed byte makes the check read beyond the archive") {
    const std::string good = plain();
    std::size_t refused = 0;
    for (std::size_t at = 0; at < good.size(); ++at) {
        for (const int value : {0, 1, 0x50, 0x7F, 0x80, 0xFF}) {
            std::string changed = good;
            changed[at] = static_cast<char>(value);
            refused += check_zip(std::string_view{changed}) ? 0 : 1;
        }
        refused += check_zip(std::string_view{good}.substr(0, at)) ? 0 : 1;
    }
    CHECK(refused > good.size());
}
