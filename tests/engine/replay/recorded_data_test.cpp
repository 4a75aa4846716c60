// Recorded answers are repeated, and invalid answers from a log are refused.
#include "engine/replay/recorded_data.h"

#include <catch2/catch.hpp>

#include <random>

using namespace perigee;

namespace {

constexpr auto kNewest = PlayerData::Version::newest_intact;

// A store whose operations fail, like a disk.
struct BrokenData final : PlayerData {
    Result<std::vector<File>> list(const std::string&) override { return Error{"no list"}; }
    Result<std::optional<Content>> read(const std::string&, const std::string&, Version) override {
        return Error{"no read"};
    }
    Result<void> write(const std::string&, const std::string&, std::string_view) override {
        return Error{"full"};
    }
    Result<void> remove(const std::string&, const std::string&) override { return Error{"stuck"}; }
};

}  // namespace

TEST_CASE("a replay repeats the recorded answers and touches nothing else") {
    MemoryData memory;
    REQUIRE(memory.write("g/a", "best", "1").ok());
    RecordedData recorded{memory};
    CHECK(recorded.list("g/a").value().size() == 1);
    CHECK(recorded.read("g/b", "none", kNewest).ok());
    CHECK(recorded.read("g/a", "best", kNewest).value()->bytes == "1");
    CHECK(recorded.write("g/a", "best", std::string(300, 'x')).ok());
    CHECK(recorded.read("g/a", "best", PlayerData::Version::previous).value()->is_previous);
    CHECK(recorded.remove("g/a", "best").ok());
    std::vector<SaveAnswer> answers = recorded.take_answers();
    CHECK(answers.size() == 6);
    CHECK(recorded.take_answers().empty());

    ReplayedData replayed;
    replayed.give(answers);
    const auto files = replayed.list("g/a").value();
    REQUIRE(files.size() == 1);
    CHECK((files[0].name == "best" && files[0].bytes == 1));
    CHECK_FALSE(replayed.read("g/b", "none", kNewest).value());
    CHECK(replayed.read("g/a", "best", kNewest).value()->bytes == "1");
    CHECK(replayed.write("g/a", "best", "other").ok());
    const auto before = replayed.read("g/a", "best", PlayerData::Version::previous).value();
    CHECK((before->bytes == "1" && before->is_previous));
    CHECK(replayed.remove("g/a", "best").ok());
}

TEST_CASE("the bytes of a saved world are the content of an answer, and a replay makes none") {
    MemoryData memory;
    RecordedData recorded{memory};
    const std::string place = world_place("g/a");
    int made = 0;
    const auto make = [&made]() -> Result<std::string> {
        ++made;
        return std::string(2'000'000, 'w');
    };
    REQUIRE(recorded.write_made(place, "slot", make));
    CHECK(recorded.read(place, "slot", kNewest).value()->bytes == make().value());
    const auto refuse = []() -> Result<std::string> { return Error{"no bytes"}; };
    CHECK(recorded.write_made(place, "slot", refuse).error().message == "no bytes");
    CHECK_FALSE(recorded.read(place, "none", kNewest).value());
    std::vector<SaveAnswer> answers = recorded.take_answers();
    REQUIRE(answers.size() == 4);
    for (const SaveAnswer& answer : answers) CHECK(answer.bytes.size() < 20);
    CHECK(answers[1].content->size() == 2'000'000);
    CHECK((answers[0].content == nullptr && answers[3].content == nullptr));

    made = 0;
    ReplayedData replayed;
    replayed.give(answers);
    CHECK(replayed.write_made(place, "slot", make));
    CHECK(replayed.read(place, "slot", kNewest).value()->bytes == std::string(2'000'000, 'w'));
    CHECK(replayed.write_made(place, "slot", make).error().message == "no bytes");
    CHECK_FALSE(replayed.read(place, "none", kNewest).value());
    CHECK(made == 0);
}

TEST_CASE("a recorded error is repeated in a replay") {
    BrokenData broken;
    RecordedData recorded{broken};
    static_cast<void>(recorded.list("g/a"));
    static_cast<void>(recorded.read("g/a", "x", kNewest));
    static_cast<void>(recorded.write("g/a", "x", "1"));
    static_cast<void>(recorded.remove("g/a", "x"));
    ReplayedData replayed;
    replayed.give(recorded.take_answers());
    CHECK(replayed.list("g/a").error().message == "no list");
    CHECK(replayed.read("g/a", "x", kNewest).error().message == "no read");
    CHECK(replayed.write("g/a", "x", "1").error().message == "full");
    CHECK(replayed.remove("g/a", "x").error().message == "stuck");
}

TEST_CASE("a replay that asks something else gets the error that there is no recorded answer") {
    MemoryData memory;
    RecordedData recorded{memory};
    static_cast<void>(recorded.list("g/a"));
    ReplayedData replayed;
    replayed.give(recorded.take_answers());
    const std::string no = "the recording has no answer to this";
    CHECK(replayed.read("g/a", "x", kNewest).error().message == no);  // another question
    CHECK(replayed.list("g/b").error().message == no);                // of another place
    CHECK(replayed.list("g/a").ok());
    CHECK(replayed.list("g/a").error().message == no);  // once more than was recorded
    replayed.give({{"g/a", "w\1"}});
    replayed.give({});
    CHECK(replayed.write("g/a", "x", "1").error().message == no);
}

TEST_CASE("invalid answers are refused and never read past their end") {
    ReplayedData replayed;
    std::mt19937 random{5};  // NOLINT(cert-msc32-c,cert-msc51-cpp)
    int intact = 0;
    for (int i = 0; i < 20'000; ++i) {
        std::string bytes(random() % 12, '\0');
        for (char& c : bytes) c = static_cast<char>(random() % 5 == 0 ? random() : random() % 4);
        if (!bytes.empty()) bytes[0] = "lrwd"[random() % 4];
        replayed.give({{"p", bytes}, {"p", bytes}});
        if (const auto files = replayed.list("p"); files)
            for (const auto& file : files.value()) CHECK(is_save_name(file.name));
        if (const auto content = replayed.read("p", "x", kNewest); content && content.value()) ++intact;
    }
    CHECK(intact > 0);
    replayed.give({{"p", std::string("l\1\1\3../\0", 8)}});
    CHECK_FALSE(replayed.list("p").ok());
    replayed.give({{"p", std::string("r\1\3x", 4)}});
    CHECK_FALSE(replayed.read("p", "x", kNewest).ok());
}
