// Golden values are compared, written when asked, and never written otherwise.
#include "game/testing/golden_store.h"

#include "scripting/base/file_source.h"
#include "tests/game/program.h"
#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>

using namespace perigee;
using Catch::Matchers::Contains;
using test::bytes_of;

TEST_CASE("a value is compared with the stored one, and stored when updating") {
    const test::TemporaryFolder folder;
    const std::filesystem::path golden = folder.path() / "tests/golden";
    const GoldenStore compares{golden, false}, updates{golden, true};
    CHECK_THAT(compares.compare("hash", "12", false).error().message,
               Contains("there is no tests/golden/hash.txt to compare with; --update writes it"));
    REQUIRE(updates.compare("hash", "12", false).ok());
    CHECK(bytes_of(golden / "hash.txt") == "12\n");
    CHECK(compares.compare("hash", "12", false).ok());
    CHECK(compares.compare("hash", "13", false).error().message ==
          "golden value 'hash': expected 12, got 13; --update stores the new one");
    CHECK(bytes_of(golden / "hash.txt") == "12\n");
}

TEST_CASE("a picture that differs is stored next to the golden one") {
    const test::TemporaryFolder folder;
    const GoldenStore compares{folder.path(), false}, updates{folder.path(), true};
    REQUIRE(updates.compare("a", "png", true).ok());
    CHECK(compares.compare("a", "png", true).ok());
    CHECK_THAT(compares.compare("a", "gnp", true).error().message,
               Contains("golden picture 'a.png' differs; the new one is ") && Contains("a.got.png"));
    CHECK(bytes_of(folder.path() / "a.got.png") == "gnp");
    CHECK(compares.compare("a", "png", true).ok());
    CHECK(!std::filesystem::exists(folder.path() / "a.got.png"));
}

TEST_CASE("a golden value is in its folder, whatever its name") {
    const test::TemporaryFolder folder;
    const GoldenStore updates{folder.path() / "golden", true};
    for (const char* name : {"", "..", "../x", "a/b", "a b", "a.b"})
        CHECK_THAT(updates.compare(name, "1", false).error().message,
                   Contains("the name of a golden value has"));
    CHECK(!std::filesystem::exists(folder.path() / "golden"));
    CHECK_THAT(GoldenStore("/proc/nowhere", true).compare("a", "1", false).error().message,
               Contains("cannot write"));
}

TEST_CASE("golden values of an archive are compared and never written") {
    const test::TemporaryFolder folder;
    const MemorySource archive({{"tests/golden/hash.txt", "12\n"}, {"tests/golden/a.png", "png"}});
    const GoldenStore compares{folder.path(), false, archive}, updates{folder.path(), true, archive};
    CHECK(compares.compare("hash", "12", false).ok());
    CHECK(compares.compare("hash", "13", false).error().message ==
          "golden value 'hash': expected 12, got 13; --update stores the new one");
    CHECK(updates.compare("hash", "13", false).error().message ==
          "tests/golden/hash.txt lies in an archive, which --update does not change");
    CHECK(!compares.compare("a", "gnp", true).ok());
    CHECK(bytes_of(folder.path() / "a.got.png") == "gnp");
}
