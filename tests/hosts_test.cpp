// Perigee as a library of others: the hosts in tests/hosts/ are built outside of the tree, in each way that
// docs/embedding.md names, and run. What is built lies in a folder of the build directory, always the same,
// so that ccache makes a second run cheap.
#include "tests/support/command.h"
#include "tests/support/markdown.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

namespace perigee {
namespace {

namespace fs = std::filesystem;
using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;
using test::CommandOutput;
using test::output_of;
using test::said_by;

const std::string kSource = PERIGEE_SOURCE_DIR;
const std::string kBuild = PERIGEE_BINARY_DIR;
const std::string kHosts = kSource + "/tests/hosts";
const std::string kGame = kSource + "/scripts/examples/breakout";
const std::string kCoreWorks = "core: 31 62, own headers: 7 4\n";
const std::string kGameWorks = "game: health 15, errors 0, tick 60, own headers: 7 4\n";

// An empty folder of a name of its own.
fs::path folder_for(const std::string& name) {
    const fs::path folder = fs::path(kBuild) / "hosts" / name;
    fs::remove_all(folder);
    fs::create_directories(folder);
    return folder;
}

// Perigee as it is installed, once, in a prefix that was moved afterwards.
const fs::path& installed_prefix() {
    static const fs::path prefix = [] {
        const fs::path folder = folder_for("prefix");
        said_by("cmake --install '" + kBuild + "' --component development --prefix '" + folder.string() +
                "/first'");
        fs::create_directories(folder / "moved");
        fs::rename(folder / "first", folder / "moved/there");
        return folder / "moved/there";
    }();
    return prefix;
}

// Optimising a host shows nothing here and takes time; NDEBUG is what makes the two kinds different.
std::string configure(const fs::path& build, const std::string& type, const std::string& options) {
    std::string words = "cmake -G Ninja -S '" + kHosts + "' -B '" + build.string() + "' " + options;
    if (!type.empty()) words += " -DCMAKE_BUILD_TYPE=" + type;
    words += " -DCMAKE_CXX_FLAGS_DEBUG=-O0 -DCMAKE_CXX_FLAGS_RELEASE='-O0 -DNDEBUG'";
    if (output_of("command -v ccache").status == 0) words += " -DCMAKE_CXX_COMPILER_LAUNCHER=ccache";
    return words;
}

TEST_CASE("an installed Perigee is found by CMake and by pkg-config, wherever the prefix was moved") {
    const fs::path folder = folder_for("installed");
    const fs::path& prefix = installed_prefix();
    const std::string at_prefix = "-DCMAKE_PREFIX_PATH='" + prefix.string() + "' ";
    const std::string pkg_config =
        "PKG_CONFIG_PATH='" + (prefix / "lib/pkgconfig").string() + "' pkg-config ";

    SECTION("by CMake, from a host without debug checks") {
        const std::string build = (folder / "build").string();
        said_by(configure(build, "Release", at_prefix));
        said_by("cmake --build '" + build + "'");
        CHECK(said_by(build + "/core_host") == kCoreWorks);
        CHECK(said_by(build + "/game_host '" + kGame + "'") == kGameWorks);
    }
    SECTION("by pkg-config, from a host with them, by one line of the compiler") {
        const std::string program = (folder / "game_host").string();
        const std::string compile =
            "$(command -v ccache) c++ -Wall -Wextra -Wpedantic -Wconversion -Werror -I '" + kHosts +
            "' -c '" + kHosts + "/game_host.cpp' -o '" + program + ".o' $(" + pkg_config +
            " --cflags perigee-engine)";
        said_by(compile);
        for (const char* way : {"--libs", "--static --libs"}) {
            said_by("c++ '" + program + ".o' -o '" + program + "' $(" + pkg_config + way +
                    " perigee-engine)");
            CHECK(said_by(program + " '" + kGame + "'") == kGameWorks);
        }
        // A guess is right, too, and plugins need nothing but the folder.
        CHECK_THAT(said_by(pkg_config + "--libs perigee"), Contains("-lperigee_engine"));
        said_by("c++ -x c -shared -fPIC '" + kSource + "/game/plugins/wind.c' -o '" + program + ".so' $(" +
                pkg_config + "--cflags --libs perigee-plugin)");
    }
    SECTION("by the page about it, word by word") {
        std::ifstream page(kSource + "/docs/embedding.md");
        int file_count = 0;
        for (const test::Block& block : test::blocks_of({std::istreambuf_iterator<char>{page}, {}})) {
            const bool is_of_window = block.is_addition || block.file.starts_with("window");
            if (block.file.empty() || (is_of_window && !PERIGEE_HAS_WINDOW)) continue;
            fs::create_directories((folder / block.file).parent_path());
            std::ofstream(folder / block.file, block.is_addition ? std::ios::app : std::ios::trunc)
                << block.text;
            ++file_count;
        }
        CHECK(file_count == (PERIGEE_HAS_WINDOW ? 9 : 6));
        const std::string environment =
            "export CMAKE_PREFIX_PATH='" + prefix.string() + "' CMAKE_GENERATOR=Ninja PKG_CONFIG_PATH='" +
            (prefix / "lib/pkgconfig").string() + "'; cd '" + folder.string() + "'; ";
        for (const char* script : {"cmake.sh", "pkg-config.sh"})
            CHECK_THAT(said_by(environment + "sh -e " + script),
                       Contains("after one second the ball is at 5.01 m"));
        if (PERIGEE_HAS_WINDOW)
            CHECK_THAT(said_by(environment + "sh -e window.sh"), EndsWith("\n0 errors\n"));
    }
    SECTION("what is wrong is said") {
        const std::string build = (folder / "build").string();
        const CommandOutput misspelt =
            output_of(configure(build, "", at_prefix + "-DCOMPONENTS='ecs;motor'"));
        CHECK(misspelt.status != 0);
        CHECK_THAT(misspelt.text,
                   Contains("there is no component 'motor' here, only ecs, scripting, engine"));

        const std::string poor = "PKG_CONFIG_LIBDIR=/nowhere ";
        const CommandOutput lacking =
            output_of(poor + configure(build, "", at_prefix + "-DCOMPONENTS=engine"));
        CHECK(lacking.status != 0);
        CHECK_THAT(lacking.text, Contains("perigee::engine needs"));
        CHECK_THAT(lacking.text, Contains("physfs, which Debian has in libphysfs-dev"));
        // The core needs none of that.
        CHECK(output_of(poor + configure(build, "", at_prefix + "-DCOMPONENTS=ecs")).status == 0);

        const CommandOutput old =
            output_of("c++ -std=c++17 -fsyntax-only -I '" + (prefix / "include").string() + "' -I '" +
                      kHosts + "' '" + kHosts + "/core_host.cpp'");
        CHECK(old.status != 0);
        CHECK_THAT(old.text, Contains("Perigee needs C++20: compile with -std=c++20"));

        // The slow spelling is refused, in words.
        const auto compiled = [&](const std::string& call) {
            return output_of(
                "printf '#include <perigee/ecs/world/world.h>\\nstruct Drop { float y; };\\n"
                "inline void fall(Drop& drop) { drop.y -= 1; }\\n"
                "void step(perigee::World& world) { world.query<Drop>()." +
                call + "; }\\n' | c++ -std=c++20 -DPERIGEE_DEBUG_CHECKS=0 -fsyntax-only -I '" +
                (prefix / "include").string() + "' -x c++ -");
        };
        CHECK(compiled("each<fall>()").status == 0);
        const CommandOutput by_address = compiled("each(fall)");
        CHECK(by_address.status != 0);
        CHECK_THAT(by_address.text, Contains("write each<fall>() instead of each(fall)"));

        // The system that the page on designing moves to C++.
        const CommandOutput moved = output_of(
            "sed -n '/^```cpp/,/^```/p' '" + kSource + "/docs/designing.md' | sed '/^```/d' | c++ " +
            "-std=c++20 -DPERIGEE_DEBUG_CHECKS=0 -Wall -Werror -fsyntax-only -I '" +
            (prefix / "include").string() + "' -x c++ -");
        INFO(moved.text);
        CHECK(moved.status == 0);
    }
}

TEST_CASE("as a part of another build it is libraries alone, and changes nothing of that build") {
    const std::string build = folder_for("subproject").string();
    // A host with NDEBUG unset, and the library without checks, as it is in release builds.
    said_by(configure(build, "Debug", "-DPERIGEE_DEBUG_CHECKS=OFF -DPERIGEE_SOURCE='" + kSource + "'"));

    std::istringstream targets(said_by("ninja -C '" + build + "' -t targets all"));
    std::vector<std::string> programs;
    for (std::string line; std::getline(targets, line);) {
        const bool is_linked = line.find("_EXECUTABLE_LINKER_") != line.npos ||
                               line.find("_MODULE_LIBRARY_LINKER_") != line.npos ||
                               line.find("_SHARED_LIBRARY_LINKER_") != line.npos;
        if (is_linked) programs.push_back(line.substr(0, line.find(':')));
    }
    std::ranges::sort(programs);
    // The last one runs in the build, for perigee::scripting.
    CHECK(programs == std::vector<std::string>{"core_host", "game_host", "libplugin.so",
                                               "perigee/perigee_compile_library"});
    CHECK(said_by("ninja -C '" + build + "' -t targets all").find("header_check") == std::string::npos);

    said_by("cmake --build '" + build + "' --target core_host plugin");
    CHECK(said_by(build + "/core_host") == kCoreWorks);
}

}  // namespace
}  // namespace perigee
