// The rules of the Lua library, each shown to hold over scripts/runtime and to fail on made-up files.
#include "tests/support/library_rules.h"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace perigee {
namespace {

namespace fs = std::filesystem;
using Catch::Matchers::Contains;

const fs::path kRoot = PERIGEE_SOURCE_DIR;
const Breaches kNone;

const std::vector<SourceFile>& library() {
    static const std::vector<SourceFile> files = [] {
        std::vector<SourceFile> all;
        for (const auto& entry : fs::recursive_directory_iterator(kRoot / "scripts/runtime")) {
            if (entry.path().extension() != ".lua") continue;
            std::ifstream stream(entry.path(), std::ios::binary);
            all.push_back({fs::relative(entry.path(), kRoot).generic_string(),
                           {std::istreambuf_iterator<char>(stream), {}}});
        }
        return all;
    }();
    return files;
}

std::vector<SourceFile> with_boot(std::vector<SourceFile> files) {
    files.push_back({"scripts/runtime/boot.lua", "parts.provide(\"host\", host)\n"});
    return files;
}

TEST_CASE("the names of needed parts are found, but not in comments") {
    CHECK(names_after("local a, b = need \"a\", need \"b\".c\n--- need \"d\"\n  f(need(\"e\"))", "need") ==
          std::vector<std::string>{"a", "b", "e"});
    CHECK(names_after("local unneed = x\nunneed \"a\"", "need").empty());
}

TEST_CASE("a file of the Lua library needs only parts that exist") {
    CHECK(missing_parts(library()) == kNone);

    CHECK(missing_parts(with_boot({{"scripts/runtime/data/a.lua", "local host = need \"host\"\n"}})) ==
          kNone);
    CHECK(missing_parts(with_boot({{"scripts/runtime/data/a.lua", "local b = need \"b\"\n"}})) ==
          Breaches{"scripts/runtime/data/a.lua: needs 'b', which is no part"});
    CHECK(missing_parts(with_boot({{"scripts/runtime/data/a.lua", "local b = later \"b\"\n"}})).size() == 1);
}

TEST_CASE("a file of the Lua library needs nothing from higher folders") {
    CHECK(upward_needs(library()) == kNone);

    const SourceFile low{"scripts/runtime/sandbox/low.lua", "local need = ...\n"};
    const SourceFile high{"scripts/runtime/tools/high.lua", "local low = need \"low\"\n"};
    CHECK(upward_needs(std::vector{low, high}) == kNone);
    CHECK(upward_needs(std::vector{SourceFile{low.path, "local high = later \"high\"\n"}, high}) == kNone);
    CHECK(upward_needs(std::vector{SourceFile{low.path, "local high = need \"high\"\n"}, high}) ==
          Breaches{
              "scripts/runtime/sandbox/low.lua: needs scripts/runtime/tools/high.lua, which lies above it"});
    CHECK(upward_needs(with_boot({{low.path, "local boot = need \"boot\"\n"}})).size() == 1);
    CHECK(upward_needs(with_boot({{low.path, "local host = need \"host\"\n"},
                                  {"scripts/runtime/tools/host.lua", ""}})) == kNone);
    const Breaches outside = upward_needs(std::vector{SourceFile{"scripts/runtime/new/a.lua", ""}});
    REQUIRE(outside.size() == 1);
    CHECK_THAT(outside[0], Contains("its folder is not in kRooms"));
}

TEST_CASE("files of the Lua library do not need each other in a cycle") {
    CHECK(cyclic_needs(library()) == kNone);

    const std::vector<SourceFile> cycle{{"scripts/runtime/data/a.lua", "local b = need \"b\"\n"},
                                        {"scripts/runtime/data/b.lua", "local c = need \"c\"\n"},
                                        {"scripts/runtime/data/c.lua", "local a = need \"a\"\n"}};
    CHECK(cyclic_needs(cycle) == Breaches{"parts need each other in a cycle: a -> b -> c -> a"});
    std::vector<SourceFile> open = cycle;
    open[2].text = "local a = later \"a\"\n";
    CHECK(cyclic_needs(open) == kNone);
}

TEST_CASE("a file of the Lua library names what it needs at its top") {
    for (const SourceFile& file : library()) CHECK(scattered_needs(file) == kNone);

    const std::string top = "-- A.\nlocal need, native = ...\nlocal a = need \"a\"\nlocal b = later \"b\"\n";
    CHECK(scattered_needs({"scripts/runtime/data/a.lua", top + "\nlocal c = 1\n"}) == kNone);
    CHECK(scattered_needs({"scripts/runtime/data/a.lua", top + "\nlocal c = need \"c\"\n"}) ==
          Breaches{"scripts/runtime/data/a.lua: names a part below its list: local c = need \"c\""});
    CHECK(scattered_needs({"scripts/runtime/data/a.lua", top + "\nfunction a.f() need(\"c\").g() end\n"})
              .size() == 1);
    CHECK(scattered_needs({"scripts/runtime/ecs.lua", top + "\nlocal c = need \"c\"\n"}) == kNone);
}

TEST_CASE("docs/architecture.md lists the folders of the Lua library in their order") {
    std::ifstream stream(kRoot / "docs/architecture.md", std::ios::binary);
    const std::string page{std::istreambuf_iterator<char>{stream}, {}};
    std::size_t at = 0;
    for (const std::string_view room : library_rooms()) {
        INFO(room);
        at = page.find("[`" + std::string(room) + "`]", at);
        REQUIRE(at != std::string::npos);
    }
}

}  // namespace
}  // namespace perigee
