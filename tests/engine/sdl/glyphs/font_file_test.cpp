// Font folders made by the tests, and those of this machine.
#include "engine/sdl/glyphs/font_file.h"

#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>
#include <stdlib.h>

#include <algorithm>
#include <array>

using namespace perigee;
namespace fs = std::filesystem;

namespace {

// A variable of the environment for a while.
class Variable {
public:
    Variable(const char* name, const char* value) : name_(name) {
        if (const char* before = ::getenv(name)) before_ = before;
        had_ = ::getenv(name) != nullptr;
        ::setenv(name, value, 1);
    }
    ~Variable() { had_ ? ::setenv(name_, before_.c_str(), 1) : ::unsetenv(name_); }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;

private:
    const char* name_;
    std::string before_;
    bool had_ = false;
};

}  // namespace

TEST_CASE("the font package in cmake/packages.txt is installed") {
    REQUIRE_FALSE(default_font_file().empty());
    CHECK(fs::path{default_font_file()}.filename() == "DejaVuSans.ttf");
}

TEST_CASE("a font is found in the folders of packages, and only a regular file is a font") {
    const test::TemporaryFolder folder;
    const std::array folders{folder.path() / "a", folder.path() / "b"};
    CHECK(find_font_file(folders).empty());
    fs::create_directories(folder.path() / "a/dejavu/DejaVuSans.ttf");
    CHECK(find_font_file(folders).empty());
    for (const char* file :
         {"b/DejaVuSans.ttf", "b/TTF/DejaVuSans.ttf", "a/truetype/dejavu/DejaVuSans.ttf"}) {
        folder.write(file, "x");
        CHECK(find_font_file(folders) == (folder.path() / file).string());
    }
}

TEST_CASE("PERIGEE_FONTS replaces all folders, even by folders without a font") {
    const test::TemporaryFolder folder;
    folder.write("here/DejaVuSans.ttf", "x");
    const std::string list = "/nowhere::" + (folder.path() / "here").string();
    {
        const Variable fonts{"PERIGEE_FONTS", list.c_str()};
        CHECK(font_folders() == std::vector<fs::path>{"/nowhere/", folder.path() / "here" / ""});
        CHECK(default_font_file() == (folder.path() / "here/DejaVuSans.ttf").string());
    }
    const Variable fonts{"PERIGEE_FONTS", ""};
    CHECK(font_folders().empty());
    CHECK(default_font_file().empty());
}

TEST_CASE("fonts in the user's folder and in other data folders are found") {
    const Variable home{"HOME", "/someone"};
    const Variable data{"XDG_DATA_DIRS", "/one:/two"};
    const std::vector<fs::path> folders = font_folders();
    for (const char* folder : {"/usr/share/fonts", "/Library/Fonts", "/someone/.local/share/fonts",
                               "/someone/Library/Fonts", "/one/fonts", "/two/fonts"}) {
        CAPTURE(folder);
        CHECK(std::ranges::count(folders, fs::path{folder}) == 1);
    }
}
