// The Debian packages: what is in them, and the program run out of one that is unpacked, where nothing but
// its own prefix can help it.
#include "tests/support/command.h"

#include <catch2/catch.hpp>

#include <filesystem>
#include <sstream>
#include <string>

namespace perigee {
namespace {

namespace fs = std::filesystem;
using Catch::Matchers::Contains;
using test::CommandOutput;
using test::output_of;
using test::said_by;

const std::string kBuild = PERIGEE_BINARY_DIR;
const std::string kNoScreen = "env -u DISPLAY -u WAYLAND_DISPLAY -u SDL_VIDEODRIVER ";

// In bash, after the packed completion was read.
std::string completed(const fs::path& prefix, const std::string& words, int count) {
    return said_by("PATH='" + (prefix / "bin").string() + "':$PATH bash -c 'source \"" +
                   (prefix / "share/bash-completion/completions/perigee").string() + "\"; COMP_WORDS=(" +
                   words + "); COMP_CWORD=" + std::to_string(count) +
                   "; _perigee; echo \" ${COMPREPLY[*]} \"'");
}

TEST_CASE("the packages hold the program with its games, and the libraries with their headers") {
    const fs::path folder = fs::path(kBuild) / "package";
    fs::remove_all(folder);
    // Quick to write; what is published is smaller (cmake/package.cmake).
    said_by("cpack --config '" + kBuild + "/CPackConfig.cmake' -B '" + folder.string() +
            "' -D CPACK_DEBIAN_COMPRESSION_TYPE=zstd");
    const std::string program = "'" + folder.string() + "'/perigee_*.deb";
    const std::string libraries = "'" + folder.string() + "'/libperigee-dev_*.deb";

    const std::string in_program = said_by("dpkg-deb -c " + program);
    for (const char* file :
         {"./usr/bin/perigee\n", "./usr/libexec/perigee/perigee_decoder\n",
          "./usr/share/man/man1/perigee.1.gz\n", "./usr/share/bash-completion/completions/perigee\n",
          "./usr/share/zsh/vendor-completions/_perigee\n",
          "./usr/share/fish/vendor_completions.d/perigee.fish\n", "./usr/share/doc/perigee/copyright\n",
          "./usr/share/doc/perigee/docs/first-game.md\n",
          "./usr/share/perigee/scripts/games/swarm/main.lua\n",
          "./usr/share/perigee/scripts/games/nova/main.lua\n",
          "./usr/share/perigee/scripts/examples/breakout/main.lua\n",
          "./usr/share/perigee/scripts/stubs/perigee.lua\n"})
        CHECK_THAT(in_program, Contains(file));
    const std::string in_libraries = said_by("dpkg-deb -c " + libraries);
    for (const char* file :
         {"./usr/lib/libperigee_ecs.a\n", "./usr/lib/libperigee_scripting.a\n",
          "./usr/lib/libperigee_engine.a\n", "./usr/lib/libperigee_engine_sdl.a\n",
          "./usr/include/perigee/ecs/world/world.h\n", "./usr/include/perigee/engine/plugin/plugin_abi.h\n",
          "./usr/lib/cmake/perigee/perigee-config.cmake\n", "./usr/lib/pkgconfig/perigee-engine.pc\n",
          "./usr/share/doc/libperigee-dev/copyright\n"})
        CHECK_THAT(in_libraries, Contains(file));
    CHECK_THAT(said_by("dpkg-deb -f " + program + " Depends"),
               Contains("libsdl2-2.0-0") && Contains("libphysfs1"));
    CHECK_THAT(said_by("dpkg-deb -f " + program + " Recommends"), Contains("fonts-dejavu-core"));
    CHECK_THAT(said_by("dpkg-deb -f " + libraries + " Depends"),
               Contains("libfmt-dev") && Contains("libphysfs-dev"));

    const fs::path root = folder / "root";
    const fs::path prefix = root / "usr";
    said_by("dpkg-deb -x " + program + " '" + root.string() + "'");
    const std::string perigee = kNoScreen + "'" + (prefix / "bin/perigee").string() + "' ";
    const std::string picture = (folder / "picture.png").string();
    const std::string run = "run --headless --frames 30 --accept-risk --hash --screenshot '" + picture + "'";
    const std::string packed = said_by(perigee + run);
    CHECK(packed == said_by(kNoScreen + "'" + kBuild + "/perigee' " + run));
    CHECK_THAT(packed, !Contains("decode"));
    said_by(perigee + "test --accept-risk '" + (prefix / "share/perigee/scripts/examples/breakout").string() +
            "'");

    const std::string manual =
        said_by("gunzip -c '" + (prefix / "share/man/man1/perigee.1.gz").string() + "'");
    std::istringstream help(
        said_by(perigee + "--help | sed -n '/^Subcommands:/,/^$/s/^  \\([a-z]*\\) .*/\\1/p'"));
    int command_count = 0;
    for (std::string command; help >> command; ++command_count)
        CHECK_THAT(manual, Contains(".SS perigee " + command + " "));
    CHECK(command_count >= 10);
    CHECK_THAT(manual, Contains(".B \\-\\-headless\n") && Contains("Exit status: 0 done"));

    CHECK_THAT(completed(prefix, "perigee ins", 1), Contains(" inspect "));
    CHECK_THAT(completed(prefix, "perigee run --he", 2), Contains(" --headless "));
    CHECK_THAT(completed(prefix, "perigee run --renderer \"\"", 3), Contains(" auto gl software none "));

    // What is not in the prefix is not had from elsewhere: not from where the program was built.
    fs::remove_all(prefix / "share/perigee/scripts/games");
    const CommandOutput without = output_of(perigee + run);
    CHECK(without.status == 1);
    CHECK_THAT(without.text, Contains("demo"));
}

}  // namespace
}  // namespace perigee
