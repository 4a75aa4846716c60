// Entries are read as they were written; damaged logs are detected and never read past their end.
#include "engine/replay/hash_log.h"

#include <catch2/catch.hpp>

#include <random>

namespace perigee {
namespace {

using Catch::Matchers::Contains;

const LogHeader kHeader{"orbit", 77, 50};

class RandomLog {
public:
    explicit RandomLog(std::uint64_t seed) : random_(seed) {}

    std::vector<HashLogEntry> entries(std::size_t count) {
        std::vector<HashLogEntry> made;
        std::size_t types = 0;
        std::uint64_t steps = 0;
        while (made.size() < count) {
            switch (below(12)) {
                case 0:
                    made.emplace_back(HashLogType{word(), random_(), {word(), word()}});
                    ++types;
                    break;
                case 1:
                    if (below(10) != 0) break;
                    made.emplace_back(HashLogRestart{});
                    types = 0;
                    break;
                case 2:
                case 3: {
                    HashLogStep step{below(1 << 20), random_(), {}};
                    for (std::size_t i = 0; i < types; ++i) step.types.push_back(random_());
                    made.emplace_back(step);
                    ++steps;
                    break;
                }
                case 4:
                    made.emplace_back(HashLogLimit{word()});
                    break;
                default:
                    made.emplace_back(state(types));
            }
        }
        made.emplace_back(HashLogEnd{true, steps});
        return made;
    }
    std::uint64_t below(std::uint64_t limit) { return random_() % limit; }

private:
    std::string word() { return std::string(below(20), static_cast<char>('a' + below(26))); }

    HashLogState state(std::size_t types) {
        HashLogState made{static_cast<HashMoment>(below(4)), word(), {}, {}};
        for (std::size_t i = 0; i < types; ++i) {
            if (below(2) == 0) continue;
            made.changed.push_back({static_cast<std::uint16_t>(i), random_()});
            for (std::uint64_t n = below(9); n > 0; --n)
                made.change.add({static_cast<std::uint16_t>(i), Entity{below(1 << 30)}, 2}, random_());
        }
        return made;
    }

    std::mt19937_64 random_;
};

std::string bytes_of(const std::vector<HashLogEntry>& entries) {
    HashLogWriter writer{kHeader};
    std::string bytes;
    for (const HashLogEntry& entry : entries) {
        writer.write(entry);
        bytes += writer.take_bytes();
    }
    return bytes;
}

/// All entries up to the end, or up to the error.
std::vector<HashLogEntry> read_all(HashLogReader& reader, std::string& error) {
    std::vector<HashLogEntry> entries;
    while (true) {
        Result<HashLogEntry> next = reader.next();
        if (!next) {
            error = next.error().message;
            return entries;
        }
        entries.push_back(std::move(next).value());
        if (std::holds_alternative<HashLogEnd>(entries.back())) return entries;
    }
}

TEST_CASE("a hash log is read as it was written, entry by entry") {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const std::vector<HashLogEntry> entries = RandomLog{seed}.entries(100);
        Result<HashLogReader> reader = HashLogReader::open(bytes_of(entries));
        REQUIRE(reader);
        CHECK(reader.value().header() == kHeader);
        std::string error;
        CHECK(read_all(reader.value(), error) == entries);
        CHECK(error.empty());
        CHECK(reader.value().next().value() == entries.back());  // the end stays the end
    }
}

TEST_CASE("a hash log that is truncated anywhere can be read as far as it goes") {
    const std::vector<HashLogEntry> entries = RandomLog{5}.entries(30);
    const std::string bytes = bytes_of(entries);
    for (std::size_t size = bytes.find("\n\n") + 2; size < bytes.size(); ++size) {
        Result<HashLogReader> reader = HashLogReader::open(bytes.substr(0, size));
        REQUIRE(reader);
        std::string error;
        const std::vector<HashLogEntry> read = read_all(reader.value(), error);
        REQUIRE(error.empty());
        REQUIRE(std::equal(read.begin(), read.end() - 1, entries.begin()));
        REQUIRE_FALSE(std::get<HashLogEnd>(read.back()).is_whole);
    }
}

TEST_CASE("a damaged hash log is an error or another log, never larger than the file") {
    RandomLog random{6};
    const std::string bytes = bytes_of(random.entries(40));
    for (int attempt = 0; attempt < 3000; ++attempt) {
        std::string damaged = bytes;
        for (std::uint64_t i = random.below(3); i < 3; ++i)
            damaged[random.below(damaged.size())] = static_cast<char>(random.below(256));
        Result<HashLogReader> reader = HashLogReader::open(damaged);
        if (!reader) continue;
        std::string error;
        read_all(reader.value(), error);
        if (!error.empty()) CHECK_THAT(error, Contains("hash log: corrupt near byte"));
    }
}

TEST_CASE("files that are not hash logs of this version are refused") {
    const auto refusal = [](std::string bytes) {
        const Result<HashLogReader> reader = HashLogReader::open(std::move(bytes));
        return reader ? std::string("none") : reader.error().message;
    };
    CHECK_THAT(refusal("perigee input log 1\n\n"), Contains("not a perigee hash log"));
    CHECK_THAT(refusal(""), Contains("not a perigee hash log"));
    CHECK_THAT(refusal("perigee hash log 9\ngame a\nseed 1\nrate 60\n\n"),
               Contains("has version 9, this program reads version 2"));
    CHECK(refusal("perigee hash log 1\ngame a\nseed 1\nrate 60\n\n") == "none");
    CHECK_THAT(refusal("perigee hash log 1\ngame a\nseed x\nrate 60\n\n"), Contains("header is damaged"));
    CHECK_THAT(refusal("perigee hash log 1\ngame a\n"), Contains("header is damaged"));
}

}  // namespace
}  // namespace perigee
