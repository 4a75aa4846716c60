// Blocks from a pipe, in pieces of any size, and invalid blocks.
#include "engine/assets/sound_stream.h"

#include <catch2/catch.hpp>
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <string>
#include <vector>

using namespace perigee;

namespace {

struct Pipe {
    Pipe() {
        std::array<int, 2> ends{};
        REQUIRE(::pipe2(ends.data(), O_NONBLOCK | O_CLOEXEC) == 0);
        reading = ends[0];
        writing = ends[1];
    }
    ~Pipe() { close(); }
    void write(const std::string& bytes) const {
        REQUIRE(::write(writing, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
    }
    void close() {
        if (writing >= 0) ::close(writing);
        writing = -1;
    }
    int reading = -1;
    int writing = -1;
};

std::string block(const std::string& bytes) {
    const auto size = static_cast<std::uint32_t>(bytes.size());
    return std::string(reinterpret_cast<const char*>(&size), 4) + bytes;
}

std::string read_all(SoundStream& stream, std::size_t room = 100) {
    std::vector<std::int16_t> samples(room);
    const std::size_t count = stream.read(samples);
    return {reinterpret_cast<const char*>(samples.data()), count * 2};
}

using State = SoundStream::State;

}  // namespace

TEST_CASE("samples are read as they were sent, however they are split") {
    const std::string sent = block("abcdef") + block("gh") + block("ijklmnop") + block("");
    for (std::size_t piece = 1; piece < sent.size(); ++piece) {
        Pipe pipe;
        SoundStream stream{pipe.reading, {}};
        std::string got;
        for (std::size_t at = 0; at < sent.size(); at += piece) {
            pipe.write(sent.substr(at, piece));
            got += read_all(stream, 3);
        }
        for (int more = 0; more < 8; ++more) got += read_all(stream, 1);
        CHECK(got == "abcdefghijklmnop");
        CHECK(stream.state() == State::ended);
        CHECK(read_all(stream).empty());
    }
}

TEST_CASE("a stream without data yet is running; one that stops before its end is broken") {
    Pipe pipe;
    SoundStream stream{pipe.reading, {}};
    CHECK(read_all(stream).empty());
    CHECK(stream.state() == State::running);
    pipe.write(block("abcd").substr(0, 6));
    CHECK(read_all(stream) == "ab");
    pipe.close();
    CHECK(read_all(stream).empty());
    CHECK(stream.state() == State::broken);
}

TEST_CASE("a block of an odd or huge size breaks the stream") {
    for (const std::string& nonsense : {std::string("\1\0\0\0x", 5), std::string("\xFF\xFF\xFF\x7Fx", 5)}) {
        Pipe pipe;
        SoundStream stream{pipe.reading, {}};
        pipe.write(nonsense);
        CHECK(read_all(stream).empty());
        CHECK(stream.state() == State::broken);
    }
}

TEST_CASE("a moved stream keeps its position") {
    Pipe pipe;
    SoundStream first{pipe.reading, {}};
    pipe.write(block("abcd").substr(0, 7));
    CHECK(read_all(first, 1) == "ab");
    SoundStream second = std::move(first);
    pipe.write("d");
    CHECK(read_all(second) == "cd");
}
